//! The depth block: alpha to coverage, draws that clear.

use silicon::fragment::depth::{Compare, Depth};
use silicon::fragment::multisample::AlphaToMask;
use silicon::fragment::stencil::{Face, StencilOp};

use super::regs::{self, DbAlphaToMask, DbStencilClear};
use crate::registers::RegisterFile;

/// Bits of DB_RENDER_CONTROL that all chips of the family have at the same place.
const DEPTH_CLEAR_ENABLE: u32 = 1;
const STENCIL_CLEAR_ENABLE: u32 = 2;

/// DB_RENDER_CONTROL.DEPTH_CLEAR_ENABLE: all that is drawn writes DB_DEPTH_CLEAR.
pub fn clear_depth(registers: &RegisterFile, render_control: u32, depth: Depth) -> Depth {
    if render_control & DEPTH_CLEAR_ENABLE == 0 {
        return depth;
    }
    Depth {
        compare: Compare::Always,
        clamp: Some([registers.float(regs::DB_DEPTH_CLEAR); 2]),
        bounds: None,
        ..depth
    }
}

/// DB_RENDER_CONTROL.STENCIL_CLEAR_ENABLE: all that is drawn writes DB_STENCIL_CLEAR.
pub fn clear_stencil(registers: &RegisterFile, render_control: u32, faces: [Face; 2]) -> [Face; 2] {
    if render_control & STENCIL_CLEAR_ENABLE == 0 {
        return faces;
    }
    let clear = DbStencilClear::from_word(registers.get(regs::DB_STENCIL_CLEAR));
    faces.map(|face| Face {
        compare: Compare::Always,
        fail: StencilOp::Replace,
        depth_fail: StencilOp::Replace,
        pass: StencilOp::Replace,
        reference: clear.clear,
        ..face
    })
}

/// Decodes DB_ALPHA_TO_MASK. OFFSET_ROUND is ignored: the offsets alone decide rounding.
pub fn alpha_to_mask(word: u32) -> Option<AlphaToMask> {
    let control = DbAlphaToMask::from_word(word);
    control.alpha_to_mask_enable.then_some(AlphaToMask {
        offsets: [
            control.alpha_to_mask_offset0,
            control.alpha_to_mask_offset1,
            control.alpha_to_mask_offset2,
            control.alpha_to_mask_offset3,
        ],
    })
}
