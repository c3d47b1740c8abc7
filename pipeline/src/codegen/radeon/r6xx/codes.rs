//! Codes of register fields, from the vocabulary of `wgpu-types`.

use radeon::r6xx::codes::{blend, clamp, comb_fcn, compare, prim_type, stipple_reset};
use radeon::r6xx::rings::out_prim_type as emitted;
use wgpu_types as wgt;

use crate::state::{GeometryOutput, LogicOp};

/// The ROP3 code of an operation on source and destination: bit 4 p + 2 s + d is the result for these bits of pattern,
/// source and destination, and the pattern does not matter.
pub fn rop3(op: LogicOp) -> u8 {
    let table = op.apply(0b1100, 0b1010) & 15;
    (table << 4 | table) as u8
}

/// When the stipple pattern of lines starts anew.
pub fn stipple_reset(topology: wgt::PrimitiveTopology) -> u8 {
    match topology.is_strip() {
        true => stipple_reset::PACKET,
        false => stipple_reset::PRIMITIVE,
    }
}

/// Blend factor.
pub fn factor(factor: wgt::BlendFactor) -> u8 {
    use wgt::BlendFactor as F;
    match factor {
        F::Zero => blend::ZERO,
        F::One => blend::ONE,
        F::Src => blend::SRC_COLOR,
        F::OneMinusSrc => blend::ONE_MINUS_SRC_COLOR,
        F::SrcAlpha => blend::SRC_ALPHA,
        F::OneMinusSrcAlpha => blend::ONE_MINUS_SRC_ALPHA,
        F::Dst => blend::DST_COLOR,
        F::OneMinusDst => blend::ONE_MINUS_DST_COLOR,
        F::DstAlpha => blend::DST_ALPHA,
        F::OneMinusDstAlpha => blend::ONE_MINUS_DST_ALPHA,
        F::SrcAlphaSaturated => blend::SRC_ALPHA_SATURATE,
        F::Constant => blend::CONSTANT_COLOR,
        F::OneMinusConstant => blend::ONE_MINUS_CONSTANT_COLOR,
        F::Src1 => blend::SRC1_COLOR,
        F::OneMinusSrc1 => blend::INV_SRC1_COLOR,
        F::Src1Alpha => blend::SRC1_ALPHA,
        F::OneMinusSrc1Alpha => blend::INV_SRC1_ALPHA,
    }
}

/// Blend equation.
pub fn equation(operation: wgt::BlendOperation) -> u8 {
    use wgt::BlendOperation as O;
    match operation {
        O::Add => comb_fcn::DST_PLUS_SRC,
        O::Subtract => comb_fcn::SRC_MINUS_DST,
        O::ReverseSubtract => comb_fcn::DST_MINUS_SRC,
        O::Min => comb_fcn::MIN_DST_SRC,
        O::Max => comb_fcn::MAX_DST_SRC,
    }
}

/// Comparison.
pub fn comparison(function: wgt::CompareFunction) -> u8 {
    use wgt::CompareFunction as C;
    match function {
        C::Never => compare::NEVER,
        C::Less => compare::LESS,
        C::Equal => compare::EQUAL,
        C::LessEqual => compare::LEQUAL,
        C::Greater => compare::GREATER,
        C::NotEqual => compare::NOTEQUAL,
        C::GreaterEqual => compare::GEQUAL,
        C::Always => compare::ALWAYS,
    }
}

/// VGT_PRIMITIVE_TYPE, of primitives with their neighbours or without.
pub fn topology(topology: wgt::PrimitiveTopology, neighbours: bool) -> u32 {
    match topology {
        wgt::PrimitiveTopology::LineList if neighbours => prim_type::LINELIST_ADJ,
        wgt::PrimitiveTopology::LineStrip if neighbours => prim_type::LINESTRIP_ADJ,
        wgt::PrimitiveTopology::TriangleList if neighbours => prim_type::TRILIST_ADJ,
        wgt::PrimitiveTopology::TriangleStrip if neighbours => prim_type::TRISTRIP_ADJ,
        wgt::PrimitiveTopology::PointList => prim_type::POINTLIST,
        wgt::PrimitiveTopology::LineList => prim_type::LINELIST,
        wgt::PrimitiveTopology::LineStrip => prim_type::LINESTRIP,
        wgt::PrimitiveTopology::TriangleList => prim_type::TRILIST,
        wgt::PrimitiveTopology::TriangleStrip => prim_type::TRISTRIP,
    }
}

/// VGT_GS_MODE.CUT_MODE: vertices between two cuts are 1024, 512, 256 or 128 at most.
pub fn cut_mode(max_vertices: u32) -> u8 {
    match max_vertices {
        0..=128 => 3,
        129..=256 => 2,
        257..=512 => 1,
        _ => 0,
    }
}

/// VGT_GS_OUT_PRIM_TYPE.
pub fn out_prim_type(output: GeometryOutput) -> u8 {
    match output {
        GeometryOutput::Points => emitted::POINTLIST,
        GeometryOutput::LineStrip => emitted::LINESTRIP,
        GeometryOutput::TriangleStrip => emitted::TRISTRIP,
    }
}

/// Half of a size in pixels, in sixteenths of a pixel.
pub fn half_size(size: f32) -> u16 {
    (size * 8.0).round_ties_even().clamp(1.0, 65535.0) as u16
}

/// Address mode of samplers.
pub fn address_mode(mode: wgt::AddressMode) -> u8 {
    match mode {
        wgt::AddressMode::ClampToEdge => clamp::LAST_TEXEL,
        wgt::AddressMode::Repeat => clamp::WRAP,
        wgt::AddressMode::MirrorRepeat => clamp::MIRROR,
        wgt::AddressMode::ClampToBorder => clamp::BORDER,
    }
}
