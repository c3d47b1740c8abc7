//! The colour block: registers to the targets of a draw and how they are blended.

use silicon::Memory;
use silicon::blend::{Blend, Range};
use silicon::codes::equation;
use silicon::format::Class;
use silicon::output::ColorOutput;
use silicon::registers::RegisterFile;
use silicon::surface::Cache;

use crate::formats;
use crate::regs::{
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorControl, CbColorInfo, CbColorSize, CbColorView,
    special_op,
};
use crate::tiling::{ArrayMode, Config, Surface, Swizzle};

/// Formats of CB_COLORn_INFO below this are none.
const FIRST_FORMAT: u8 = 1;

/// The targets that a draw writes; `samples` is how many a pixel has.
pub(crate) fn targets(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    samples: usize,
) -> Result<Vec<ColorOutput>, String> {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    match control.special_op {
        special_op::NORMAL => {}
        special_op::DISABLE => return Ok(Vec::new()),
        other => {
            return Err(format!(
                "CB_COLOR_CONTROL.SPECIAL_OP {other} is not executed"
            ));
        }
    }
    if control.rop3 != regs::ROP3_COPY {
        return Err(format!(
            "CB_COLOR_CONTROL.ROP3 {:#04x} is not executed",
            control.rop3
        ));
    }
    let masks = registers.get(regs::CB_TARGET_MASK) & registers.get(regs::CB_SHADER_MASK);
    let block = Block {
        registers,
        memory,
        control,
        samples,
    };
    let mut targets = Vec::new();
    for index in 0..8 {
        let write = (masks >> (4 * index) & 0xf) as u8;
        if write != 0
            && let Some(target) = block.target(surfaces, index, write)?
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
    samples: usize,
}

impl Block<'_> {
    fn target(
        &self,
        surfaces: &mut Cache<Surface>,
        index: u32,
        write: u8,
    ) -> Result<Option<ColorOutput>, String> {
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
            samples: self.samples as u32,
            swizzle: Swizzle::default(),
        };
        surface
            .check()
            .map_err(|reason| format!("colour target {index}: {reason}"))?;
        let (surface, base) = surface.at(u64::from(get(regs::CB_COLOR0_BASE)) << 8);
        let plane = surfaces.plane(self.memory, surface, base, view.slice_start.into())?;
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
        Ok(Some(ColorOutput::new(export, format, &state, plane)))
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
