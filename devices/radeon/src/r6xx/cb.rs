//! The colour block. In: registers. Out: the targets of a draw, their blend state, and resolves. A chip locates
//! surfaces and decodes its own control words ([`ColorBlock`]).

use silicon::fragment::blend::{Blend, Equation, Factor, Logic, Range};
use silicon::fragment::output::ColorOutput;
use silicon::fragment::resolve::ResolveMode;
use silicon::fragment::surface::Plane;
use silicon::fragment::target::Target;
use silicon::fragment::tile::Rect;
use silicon::texture::format::Class;
use silicon::{Format, Memory, Stats};

use super::codes::{self, equation};
use super::regs::{self, CbBlendControl, CbColorView};
use crate::registers::RegisterFile;

/// Colour targets of a draw.
pub const TARGETS: u32 = 8;

/// Colour operation of a draw: CB_COLOR_CONTROL.SPECIAL_OP or MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Draws.
    Normal,
    /// Nothing is written.
    Disabled,
    /// The samples of target 0 are averaged into target 1.
    Resolve,
}

/// How one target takes colours.
#[derive(Clone, Copy, Debug)]
pub struct Blending {
    /// Equations count, if they are on.
    pub control: CbBlendControl,
    /// Blending is on; the format may still exclude it.
    pub enabled: bool,
    /// The ROP3 code counts where blending is off.
    pub logic: bool,
    /// Which export the target takes.
    pub export: u32,
    /// Factors take 1 for the alpha of what the target holds.
    pub opaque: bool,
}

/// The colour block of a chip.
pub trait ColorBlock {
    /// The registers.
    fn registers(&self) -> &RegisterFile;
    /// The colour operation, or why it is unsupported.
    fn mode(&self) -> Result<Mode, String>;
    /// CB_COLOR_CONTROL.ROP3.
    fn rop3(&self) -> u8;
    /// Format and surface of a target; `None` if unbound. `resolved`: it receives a resolve.
    fn bound(&mut self, index: u32, resolved: bool) -> Result<Option<(Format, Plane)>, String>;
    /// The slices that a target shows; `None` if unbound.
    fn view(&self, index: u32) -> Option<CbColorView>;
    /// How a target takes colours.
    fn blending(&self, index: u32) -> Blending;

    /// The targets that a draw writes.
    fn targets(&mut self) -> Result<Vec<ColorOutput>, String> {
        match self.mode()? {
            Mode::Normal => {}
            Mode::Disabled => return Ok(Vec::new()),
            Mode::Resolve => return self.resolve(),
        }
        let logic = codes::logic(self.rop3())?;
        let targets = self
            .written()
            .map(|(index, write)| self.target(index, write, logic));
        targets.filter_map(Result::transpose).collect()
    }

    /// Targets that are written, and which of their components.
    fn written(&self) -> impl Iterator<Item = (u32, u8)> + use<Self> {
        let get = |register| self.registers().get(register);
        let masks = get(regs::CB_TARGET_MASK) & get(regs::CB_SHADER_MASK);
        let written = (0..TARGETS).map(move |index| (index, (masks >> (4 * index) & 0xf) as u8));
        written.filter(|(_, write)| *write != 0)
    }

    /// Layers that all targets have; nothing where none is written.
    fn layers(&self) -> Option<u32> {
        let views = self.written().filter_map(|(index, _)| self.view(index));
        views
            .map(|view| slices(view.slice_start, view.slice_max))
            .min()
    }

    /// What the first target holds in an area; of a resolve, what it is written to.
    fn shown(&mut self, memory: &Memory, area: Rect) -> Result<Option<Target>, String> {
        let resolves = self.mode()? == Mode::Resolve;
        let bound = self.bound(resolves.into(), resolves)?;
        Ok(bound.map(|(format, plane)| Target::read(memory, format, &plane, area)))
    }

    /// Target 0 averaged over its samples into target 1.
    fn resolve(&mut self) -> Result<Vec<ColorOutput>, String> {
        let from = self.bound(0, false)?;
        let to = self.bound(1, true)?;
        let (Some((format, from)), Some((other, to))) = (from, to) else {
            return Err("a resolve needs colour targets 0 and 1".to_owned());
        };
        let mode = ResolveMode::Average;
        if format != other || !mode.suits(format) || to.samples() != 1 {
            return Err(format!(
                "{} samples of {format:?} cannot be averaged to {} of {other:?}",
                from.samples(),
                to.samples()
            ));
        }
        Ok(vec![ColorOutput::resolving(format, mode, from, to)])
    }

    /// A target of which these components are written.
    fn target(
        &mut self,
        index: u32,
        write: u8,
        logic: Option<Logic>,
    ) -> Result<Option<ColorOutput>, String> {
        let Some((format, plane)) = self.bound(index, false)? else {
            return Ok(None);
        };
        let blending = self.blending(index);
        let range = match format.class() {
            Class::Unorm => Range::Unorm,
            Class::Snorm => Range::Snorm,
            _ => Range::Float,
        };
        let mut state = Blend {
            write,
            ..Blend::opaque(range)
        };
        if blending.enabled && format.is_blendable() {
            blend(self.registers(), &blending.control, &mut state)?;
            if blending.opaque {
                state.color = over_opaque(state.color, Factor::Zero);
                state.alpha = over_opaque(state.alpha, Factor::One);
            }
        }
        let output = ColorOutput::new(blending.export as usize, format, &state, plane);
        Ok(Some(match logic {
            Some(op) if blending.logic => output.with_logic(op, &state),
            _ => output,
        }))
    }
}

/// Slices from the first to the last one; a surface has no fewer than one.
pub fn slices(first: u16, last: u16) -> u32 {
    u32::from(last.saturating_sub(first)) + 1
}

fn blend(
    registers: &RegisterFile,
    control: &CbBlendControl,
    state: &mut Blend,
) -> Result<(), String> {
    state.color = equation(
        control.color_srcblend,
        control.color_destblend,
        control.color_comb_fcn,
    )?;
    state.alpha = match control.separate_alpha_blend {
        true => equation(
            control.alpha_srcblend,
            control.alpha_destblend,
            control.alpha_comb_fcn,
        )?,
        false => state.color,
    };
    state.constant = [0, 4, 8, 12].map(|at| registers.float(regs::CB_BLEND_RED + at));
    Ok(())
}

/// An equation over a target whose alpha is 1; `saturate` is what SrcAlphaSaturate is then.
fn over_opaque(equation: Equation, saturate: Factor) -> Equation {
    let factor = |factor| match factor {
        Factor::DstAlpha => Factor::One,
        Factor::OneMinusDstAlpha => Factor::Zero,
        Factor::SrcAlphaSaturate => saturate,
        other => other,
    };
    Equation {
        src: factor(equation.src),
        dst: factor(equation.dst),
        ..equation
    }
}

/// Runs a draw and counts it. A resolve is work, but nothing that the stages count.
pub fn counted<R>(totals: &mut Stats, resolves: bool, draw: impl FnOnce(&mut Stats) -> R) -> R {
    let mut after = *totals;
    let result = draw(&mut after);
    *totals = match resolves {
        true => totals.with_work_of(after),
        false => after,
    };
    result
}
