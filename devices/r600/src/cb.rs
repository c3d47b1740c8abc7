//! The colour block: registers to the targets of a draw and how they are blended.

use radeon::r6xx::codes::{self, equation};
use radeon::registers::RegisterFile;
use silicon::fragment::blend::{Blend, Logic, Range};
use silicon::fragment::output::ColorOutput;
use silicon::fragment::resolve::ResolveMode;
use silicon::fragment::surface::{Cache, Plane};
use silicon::texture::format::Class;
use silicon::{Format, Memory};

use crate::formats;
use crate::regs::{
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorControl, CbColorInfo, CbColorSize, CbColorView,
    special_op,
};
use crate::tiling::{ArrayMode, Config, Surface, Swizzle};

/// Formats of CB_COLORn_INFO below this are none.
const FIRST_FORMAT: u8 = 1;

/// Whether draws average samples instead of drawing.
pub(crate) fn resolves(registers: &RegisterFile) -> bool {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    control.special_op == special_op::RESOLVE_BOX
}

/// The targets that a draw writes; `samples` is how many a pixel has.
pub(crate) fn targets(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    samples: usize,
) -> Result<Vec<ColorOutput>, String> {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    let block = Block {
        registers,
        memory,
        control,
    };
    match control.special_op {
        special_op::NORMAL => {}
        special_op::RESOLVE_BOX => return block.resolve(surfaces, samples),
        special_op::DISABLE => return Ok(Vec::new()),
        other => {
            return Err(format!(
                "CB_COLOR_CONTROL.SPECIAL_OP {other} is not executed"
            ));
        }
    }
    let logic = codes::logic(control.rop3)?;
    let masks = registers.get(regs::CB_TARGET_MASK) & registers.get(regs::CB_SHADER_MASK);
    let mut targets = Vec::new();
    for index in 0..8 {
        let write = (masks >> (4 * index) & 0xf) as u8;
        if write != 0
            && let Some(target) = block.target(surfaces, (index, write), (samples, logic))?
        {
            targets.push(target);
        }
    }
    Ok(targets)
}

struct Block<'a> {
    registers: &'a RegisterFile,
    memory: &'a Memory,
    control: CbColorControl,
}

impl Block<'_> {
    /// Format and place of a colour target; none where nothing is bound.
    fn bound(
        &self,
        surfaces: &mut Cache<Surface>,
        index: u32,
        samples: usize,
    ) -> Result<Option<(Format, Plane)>, String> {
        let get = |register: u32| self.registers.get(register + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
        if info.format < FIRST_FORMAT {
            return Ok(None);
        }
        let (code, number, swap) = (info.format, info.number_type, info.comp_swap);
        let Some(format) = formats::from_color(code, number, swap) else {
            return Err(format!(
                "colour target {index} has format {code}, number type {number}, order {swap}, which together are none"
            ));
        };
        let size = CbColorSize::from_word(get(regs::CB_COLOR0_SIZE));
        let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        let pitch = (u32::from(size.pitch_tile_max) + 1) * 8;
        let surface = Surface {
            config: Config::new(self.registers.get(regs::GB_TILING_CONFIG)),
            mode: ArrayMode::from_code(info.array_mode),
            depth_order: false,
            element_bytes: format.size_bytes(),
            pitch,
            height: (size.slice_tile_max + 1) * 64 / pitch,
            slices: u32::from(view.slice_max.max(view.slice_start)) + 1,
            samples: samples as u32,
            swizzle: Swizzle::default(),
        };
        surface
            .check()
            .map_err(|reason| format!("colour target {index}: {reason}"))?;
        let (surface, base) = surface.at(u64::from(get(regs::CB_COLOR0_BASE)) << 8);
        let plane = surfaces.plane(self.memory, surface, base, view.slice_start.into())?;
        Ok(Some((format, plane)))
    }

    /// The samples of target 0 averaged into target 1.
    fn resolve(
        &self,
        surfaces: &mut Cache<Surface>,
        samples: usize,
    ) -> Result<Vec<ColorOutput>, String> {
        let from = self.bound(surfaces, 0, samples)?;
        let to = self.bound(surfaces, 1, 1)?;
        let (Some((format, from)), Some((other, to))) = (from, to) else {
            return Err("a resolve needs colour targets 0 and 1".to_owned());
        };
        let mode = ResolveMode::Average;
        if format != other || !mode.suits(format) {
            return Err(format!(
                "{samples} samples of {format:?} cannot be averaged to {other:?}"
            ));
        }
        Ok(vec![ColorOutput::resolving(format, mode, from, to)])
    }

    fn target(
        &self,
        surfaces: &mut Cache<Surface>,
        (index, write): (u32, u8),
        (samples, logic): (usize, Option<Logic>),
    ) -> Result<Option<ColorOutput>, String> {
        let Some((format, plane)) = self.bound(surfaces, index, samples)? else {
            return Ok(None);
        };
        let info = self
            .registers
            .get(regs::CB_COLOR0_INFO + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(info);
        let range = match format.class() {
            Class::Unorm => Range::Unorm,
            Class::Snorm => Range::Snorm,
            _ => Range::Float,
        };
        let mut state = Blend {
            write,
            ..Blend::opaque(range)
        };
        let enabled = self.control.target_blend_enable >> index & 1 != 0;
        if enabled && !info.blend_bypass && format.is_blendable() {
            self.blend(index, &mut state)?;
        }
        let export = if self.control.multiwrite_enable {
            0
        } else {
            index as usize
        };
        let output = ColorOutput::new(export, format, &state, plane);
        Ok(Some(match logic {
            // Blending and logic operations exclude each other.
            Some(op) if !enabled => output.with_logic(op, &state),
            _ => output,
        }))
    }

    fn blend(&self, index: u32, state: &mut Blend) -> Result<(), String> {
        let register = match self.control.per_mrt_blend {
            true => regs::CB_BLEND0_CONTROL + 4 * index,
            false => regs::CB_BLEND_CONTROL,
        };
        let control = CbBlendControl::from_word(self.registers.get(register));
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
        state.constant = [
            regs::CB_BLEND_RED,
            regs::CB_BLEND_GREEN,
            regs::CB_BLEND_BLUE,
            regs::CB_BLEND_ALPHA,
        ]
        .map(|register| self.registers.float(register));
        Ok(())
    }
}
