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
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorAttrib, CbColorControl, CbColorInfo,
    CbColorPitch, CbColorSlice, CbColorView, cb_mode, color_format,
};
use crate::tiling::{Surface, Swizzle, tile_mode};

/// The targets that a draw writes.
pub(crate) fn targets(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Result<Vec<ColorOutput>, String> {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    if control.mode == cb_mode::DISABLE {
        return Ok(Vec::new());
    }
    match control.mode {
        cb_mode::NORMAL => {}
        cb_mode::RESOLVE => return resolve(registers, memory, surfaces),
        mode => return Err(format!("CB_COLOR_CONTROL.MODE {mode} is not executed")),
    }
    let logic = codes::logic(control.rop3)?;
    let masks = registers.get(regs::CB_TARGET_MASK) & registers.get(regs::CB_SHADER_MASK);
    let mut targets = Vec::new();
    for index in 0..8 {
        let write = (masks >> (4 * index) & 0xf) as u8;
        if write != 0
            && let Some(target) = target(registers, memory, surfaces, (index, write), logic)?
        {
            targets.push(target);
        }
    }
    Ok(targets)
}

/// Whether draws average samples instead of drawing.
pub(crate) fn resolves(registers: &RegisterFile) -> bool {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    control.mode == cb_mode::RESOLVE
}

/// Target 0 averaged over its samples into target 1.
fn resolve(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Result<Vec<ColorOutput>, String> {
    let from = bound(registers, memory, surfaces, 0)?;
    let to = bound(registers, memory, surfaces, 1)?;
    let (Some((format, from)), Some((other, to))) = (from, to) else {
        return Err("a resolve needs colour targets 0 and 1".to_owned());
    };
    if format != other || !ResolveMode::Average.suits(format) || to.samples() != 1 {
        return Err(format!(
            "{} samples of {format:?} cannot be averaged to {} of {other:?}",
            from.samples(),
            to.samples()
        ));
    }
    let mode = ResolveMode::Average;
    Ok(vec![ColorOutput::resolving(format, mode, from, to)])
}

/// Format and place of a colour target; none where nothing is bound.
fn bound(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    index: u32,
) -> Result<Option<(Format, Plane)>, String> {
    let get = |register: u32| registers.get(register + index * CB_COLOR_STRIDE);
    let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
    if info.format == color_format::INVALID {
        return Ok(None);
    }
    let Some(format) = formats::from_color(info.format, info.number_type, info.comp_swap) else {
        return Err(format!(
            "colour target {index} has format {}, number type {}, order {}, which together are none",
            info.format, info.number_type, info.comp_swap
        ));
    };
    let attrib = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB));
    let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
    let pitch = (u32::from(CbColorPitch::from_word(get(regs::CB_COLOR0_PITCH)).tile_max) + 1) * 8;
    let slice = CbColorSlice::from_word(get(regs::CB_COLOR0_SLICE)).tile_max + 1;
    let surface = Surface {
        mode: tile_mode(registers.get(regs::GB_TILE_MODE0 + 4 * u32::from(attrib.tile_mode_index))),
        element_bytes: format.size_bytes(),
        pitch,
        height: slice * 64 / pitch,
        samples: 1 << attrib.num_samples.min(4),
        swizzle: Swizzle::default(),
    };
    let base = u64::from(get(regs::CB_COLOR0_BASE)) << 8;
    let plane = surfaces.plane(memory, surface, base, view.slice_start.into())?;
    Ok(Some((format, plane)))
}

fn target(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    (index, write): (u32, u8),
    logic: Option<Logic>,
) -> Result<Option<ColorOutput>, String> {
    let Some((format, plane)) = bound(registers, memory, surfaces, index)? else {
        return Ok(None);
    };
    let control = CbBlendControl::from_word(registers.get(regs::CB_BLEND0_CONTROL + 4 * index));
    let range = match format.class() {
        Class::Unorm => Range::Unorm,
        Class::Snorm => Range::Snorm,
        _ => Range::Float,
    };
    let mut state = Blend {
        write,
        ..Blend::opaque(range)
    };
    if control.enable && format.is_blendable() {
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
        .map(|register| registers.float(register));
    }
    let output = ColorOutput::new(index as usize, format, &state, plane);
    // Blending and logic operations exclude each other.
    Ok(Some(match logic {
        Some(op) if !control.enable && !control.disable_rop3 => output.with_logic(op, &state),
        _ => output,
    }))
}
