//! The text form of a function: for listings, snapshots and tests written by hand.
//!
//! One line per fact, instruction or terminator; `print` and `parse` are inverse to each other.

mod parse;
mod print;

use super::{
    AtomicOp, Axis, BoolOp, Builtin, Detail, Dim, GeometryOutput, Interpolation, Lod,
    OutputBuiltin, Scalar, Stage,
};
use wgpu_types::TextureFormat;

pub use parse::{ParseError, parse};
pub use print::print;

/// An enum whose variants are written as Rust writes them.
pub(super) trait Named: Copy + std::fmt::Debug + 'static {
    /// Every variant.
    const ALL: &'static [Self];

    /// The variant of this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|item| format!("{item:?}") == name)
    }
}

macro_rules! named {
    ($($ty:ident: $($variant:ident $(($arg:expr))?),*;)*) => {$(
        impl Named for $ty {
            const ALL: &'static [Self] = &[$($ty::$variant $(($arg))?),*];
        }
    )*};
}

named! {
    Stage: Vertex, Geometry, Fragment, Compute;
    GeometryOutput: Points, LineStrip, TriangleStrip;
    Scalar: Float, Sint, Uint;
    Interpolation: Perspective, PerspectiveCentroid, PerspectiveSample, Linear, LinearCentroid, LinearSample, Flat;
    Dim: D1, D2, D3, Cube, Buffer;
    BoolOp: And, Or, Xor;
    Axis: X, Y;
    Detail: Coarse, Fine;
    Lod: Implicit, Bias, Level, Zero, Gradient;
    AtomicOp: Add, Sub, And, Or, Xor, IMin, IMax, UMin, UMax, Exchange, CompareExchange;
    Builtin: VertexIndex, InstanceIndex, DrawIndex, BaseVertex, BaseInstance, FragCoord(0), FragCoord(1),
        FragCoord(2), FragCoord(3), FrontFacing, PrimitiveIndex, InvocationIndex, SampleIndex, SampleCount, SampleMask, Layer,
        Barycentric(0), Barycentric(1), Barycentric(2), Barycentric(3), Barycentric(4), Barycentric(5),
        PointCoord(0), PointCoord(1), LocalId(0), LocalId(1), LocalId(2),
        WorkgroupId(0), WorkgroupId(1), WorkgroupId(2), WorkgroupCount(0), WorkgroupCount(1), WorkgroupCount(2),
        SubgroupSize, SubgroupInvocation, SubgroupId, SubgroupCount;
    OutputBuiltin: Position, PointSize, ClipDistance(0), ClipDistance(1), ClipDistance(2), ClipDistance(3),
        ClipDistance(4), ClipDistance(5), ClipDistance(6), ClipDistance(7), FragDepth, FragStencil, SampleMask, Layer, Viewport;
    TextureFormat: R8Unorm, R8Snorm, R8Uint, R8Sint, R16Uint, R16Sint, R16Unorm, R16Snorm, R16Float, Rg8Unorm, Rg8Snorm,
        Rg8Uint, Rg8Sint, R32Uint, R32Sint, R32Float, Rg16Uint, Rg16Sint, Rg16Unorm, Rg16Snorm, Rg16Float,
        Rgba8Unorm, Rgba8Snorm, Rgba8Uint, Rgba8Sint, Bgra8Unorm, Rgb10a2Uint, Rgb10a2Unorm, Rg11b10Ufloat,
        Rg32Uint, Rg32Sint, Rg32Float, Rgba16Uint, Rgba16Sint, Rgba16Unorm, Rgba16Snorm, Rgba16Float,
        Rgba32Uint, Rgba32Sint, Rgba32Float;
}
