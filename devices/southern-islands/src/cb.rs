//! The colour block: blending into the bound targets.

use silicon::blend::{self, Blend, Color, Equation, Factor, Operation, Plan, Range};
use silicon::format::Class;
use silicon::level::Level;
use silicon::{Format, Memory, texel};

use crate::formats;
use crate::registers::Registers;
use crate::regs::{
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorAttrib, CbColorControl, CbColorInfo,
    CbColorPitch, CbColorSlice, CbColorView, cb_mode, color_format, comb_fcn,
};
use crate::surface::{self, Place, Plane, Texels, Words};
use crate::sx::Exports;
use crate::tiling::{Surface, Swizzle, tile_mode};

/// One bound target.
pub(crate) struct Target {
    /// Which export it takes.
    index: usize,
    /// The export that is the second source of blending.
    second: Option<usize>,
    format: Format,
    plan: Plan,
    pub(crate) plane: Plane,
    pub(crate) samples_log2: u8,
}

/// Rows that blending works on.
pub(crate) struct ColorRows {
    color: Color,
    words: Words,
}

impl ColorRows {
    pub(crate) fn new() -> ColorRows {
        ColorRows {
            color: [[0; 64]; 4],
            words: [[0; 64]; 4],
        }
    }
}

/// The targets that a draw writes.
pub(crate) fn targets(
    registers: &Registers,
    memory: &Memory,
    surfaces: &mut surface::Cache,
) -> Result<Vec<Target>, String> {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    if control.mode == cb_mode::DISABLE {
        return Ok(Vec::new());
    }
    if control.mode != cb_mode::NORMAL {
        return Err(format!(
            "CB_COLOR_CONTROL.MODE {} is not executed",
            control.mode
        ));
    }
    let masks = registers.get(regs::CB_TARGET_MASK) & registers.get(regs::CB_SHADER_MASK);
    let mut targets = Vec::new();
    for index in 0..8 {
        let write = (masks >> (4 * index) & 0xf) as u8;
        if write != 0
            && let Some(target) = target(registers, memory, surfaces, index, write)?
        {
            targets.push(target);
        }
    }
    Ok(targets)
}

fn target(
    registers: &Registers,
    memory: &Memory,
    surfaces: &mut surface::Cache,
    index: u32,
    write: u8,
) -> Result<Option<Target>, String> {
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
    let mut second = None;
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
        let two = |e: &Equation| is_second(e.src) || is_second(e.dst);
        if two(&state.color) || two(&state.alpha) {
            second = Some(index as usize + 1);
        }
    }
    Ok(Some(Target {
        index: index as usize,
        second,
        format,
        plan: state.plan(),
        plane,
        samples_log2: attrib.num_samples,
    }))
}

fn is_second(factor: Factor) -> bool {
    matches!(
        factor,
        Factor::Src1Color
            | Factor::OneMinusSrc1Color
            | Factor::Src1Alpha
            | Factor::OneMinusSrc1Alpha
    )
}

fn equation(src: u8, dst: u8, function: u8) -> Result<Equation, String> {
    Ok(Equation {
        src: factor(src)?,
        dst: factor(dst)?,
        op: match function {
            comb_fcn::DST_PLUS_SRC => Operation::Add,
            comb_fcn::SRC_MINUS_DST => Operation::Subtract,
            comb_fcn::MIN_DST_SRC => Operation::Min,
            comb_fcn::MAX_DST_SRC => Operation::Max,
            comb_fcn::DST_MINUS_SRC => Operation::ReverseSubtract,
            other => return Err(format!("there is no blend equation {other}")),
        },
    })
}

fn factor(code: u8) -> Result<Factor, String> {
    use regs::blend::*;
    Ok(match code {
        ZERO => Factor::Zero,
        ONE => Factor::One,
        SRC_COLOR => Factor::SrcColor,
        ONE_MINUS_SRC_COLOR => Factor::OneMinusSrcColor,
        SRC_ALPHA => Factor::SrcAlpha,
        ONE_MINUS_SRC_ALPHA => Factor::OneMinusSrcAlpha,
        DST_ALPHA => Factor::DstAlpha,
        ONE_MINUS_DST_ALPHA => Factor::OneMinusDstAlpha,
        DST_COLOR => Factor::DstColor,
        ONE_MINUS_DST_COLOR => Factor::OneMinusDstColor,
        SRC_ALPHA_SATURATE => Factor::SrcAlphaSaturate,
        CONSTANT_COLOR => Factor::ConstantColor,
        ONE_MINUS_CONSTANT_COLOR => Factor::OneMinusConstantColor,
        SRC1_COLOR => Factor::Src1Color,
        INV_SRC1_COLOR => Factor::OneMinusSrc1Color,
        SRC1_ALPHA => Factor::Src1Alpha,
        INV_SRC1_ALPHA => Factor::OneMinusSrc1Alpha,
        CONSTANT_ALPHA => Factor::ConstantAlpha,
        ONE_MINUS_CONSTANT_ALPHA => Factor::OneMinusConstantAlpha,
        other => return Err(format!("there is no blend factor {other}")),
    })
}

impl Target {
    /// Blends what a wave exported into these texels.
    pub(crate) fn write(
        &self,
        level: Level,
        memory: &Memory,
        texels: Texels,
        exports: &Exports,
        rows: &mut ColorRows,
    ) {
        let mask = texels.mask;
        if exports.color_mask >> self.index & 1 == 0 || !self.plan.writes() || mask == 0 {
            return;
        }
        let ColorRows { color, words } = rows;
        // Lanes of a whole tile that are not written go back as they were.
        let reads = self.plan.reads_destination();
        let kept = mask != u64::MAX && matches!(texels.place, Place::Tile(..));
        if reads || kept {
            self.plane.read(memory, texels, words);
        }
        if reads {
            texel::unpack_row(level, self.format, words, color);
        }
        let second = self.second.and_then(|n| exports.colors.get(n));
        let source = &exports.colors[self.index];
        blend::blend(level, &self.plan, source, second, mask, color);
        if kept {
            let old = *words;
            texel::pack_row(level, self.format, color, words);
            for (word, old) in words.iter_mut().zip(&old) {
                for lane in 0..64 {
                    word[lane] = if mask >> lane & 1 != 0 {
                        word[lane]
                    } else {
                        old[lane]
                    };
                }
            }
        } else {
            texel::pack_row(level, self.format, color, words);
        }
        self.plane.write(memory, texels, kept, words);
    }
}
