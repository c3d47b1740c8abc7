//! The depth test on rows. In: new and stored depths in the format's bits, one word per lane. Out: a mask of passing
//! lanes. Depth from the interpolator or shader first goes through [`encode`]: clamp, round to nearest even.

mod counted;

use crate::fragment::mask;
use crate::texture::fixed::{from_unorm, to_unorm};
use crate::texture::float::canonical;
use host::per_level;

/// Comparison of the new value (left) with the stored one (right).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Never passes.
    Never,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// Always passes.
    #[default]
    Always,
}

impl Compare {
    /// In the order of Vulkan, OpenGL and Direct3D.
    pub const ALL: [Compare; 8] = [
        Compare::Never,
        Compare::Less,
        Compare::Equal,
        Compare::LessEqual,
        Compare::Greater,
        Compare::NotEqual,
        Compare::GreaterEqual,
        Compare::Always,
    ];

    /// Whether `new` compares with `old` so.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, new: T, old: T) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => new < old,
            Compare::Equal => new == old,
            Compare::LessEqual => new <= old,
            Compare::Greater => new > old,
            Compare::NotEqual => new != old,
            Compare::GreaterEqual => new >= old,
            Compare::Always => true,
        }
    }

    /// The passing lanes; the comparison is selected outside the loop.
    #[inline(always)]
    pub(crate) fn lanes<T: PartialOrd + Copy>(
        self,
        new: impl Fn(usize) -> T,
        old: impl Fn(usize) -> T,
    ) -> u64 {
        match self {
            Compare::Never => 0,
            Compare::Less => mask::collect(|i| new(i) < old(i)),
            Compare::Equal => mask::collect(|i| new(i) == old(i)),
            Compare::LessEqual => mask::collect(|i| new(i) <= old(i)),
            Compare::Greater => mask::collect(|i| new(i) > old(i)),
            Compare::NotEqual => mask::collect(|i| new(i) != old(i)),
            Compare::GreaterEqual => mask::collect(|i| new(i) >= old(i)),
            Compare::Always => u64::MAX,
        }
    }
}

/// How a depth is stored in its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DepthFormat {
    /// 16 bits, 0 to 1.
    Unorm16,
    /// 24 bits, 0 to 1.
    Unorm24,
    /// 24 bits, 0 to 1, as a count of leading ones or zeros and thirteen bits: 16 bits.
    Counted16 {
        /// Ones are counted: numbers are finer near 1. Otherwise near 0.
        ones: bool,
    },
    /// A float.
    Float32,
}

impl DepthFormat {
    /// Bits of a depth as stored; normalised formats clamp and round to nearest even.
    #[inline(always)]
    pub fn encode(self, z: f32) -> u32 {
        match self {
            DepthFormat::Unorm16 => to_unorm(z, 16),
            DepthFormat::Unorm24 => to_unorm(z, 24),
            DepthFormat::Counted16 { ones } => counted::encode(to_unorm(z, 24), ones),
            DepthFormat::Float32 => canonical(z),
        }
    }

    /// The bits of a word that a depth has.
    pub(crate) const fn bits(self) -> u32 {
        match self {
            DepthFormat::Unorm16 | DepthFormat::Counted16 { .. } => 0xffff,
            DepthFormat::Unorm24 => 0xff_ffff,
            DepthFormat::Float32 => u32::MAX,
        }
    }

    /// The depth of stored bits.
    #[inline(always)]
    pub fn decode(self, bits: u32) -> f32 {
        match self {
            DepthFormat::Unorm16 => from_unorm(bits & 0xffff, 16),
            DepthFormat::Unorm24 => from_unorm(bits & 0xff_ffff, 24),
            DepthFormat::Counted16 { ones } => from_unorm(counted::decode(bits, ones), 24),
            DepthFormat::Float32 => f32::from_bits(bits),
        }
    }
}

/// State of the depth test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Storage.
    pub format: DepthFormat,
    /// The comparison.
    pub compare: Compare,
    /// Writes depths that pass.
    pub write: bool,
    /// Depths are clamped to this (viewport) range before the store; `None` leaves floats unclamped.
    pub clamp: Option<[f32; 2]>,
    /// The stored depth must lie in this range; where it does not, there is neither a depth nor a stencil test.
    /// [VULKAN Depth Bounds Test]
    pub bounds: Option<[f32; 2]>,
}

impl Depth {
    /// One depth as [`encode`] makes it.
    #[inline]
    pub(crate) fn stored(&self, z: f32) -> u32 {
        let range = self.clamp.unwrap_or([f32::NEG_INFINITY, f32::INFINITY]);
        match (self.format, self.clamp) {
            (DepthFormat::Float32, None) => self.format.encode(z),
            _ => self.format.encode(limit(z, range)),
        }
    }

    /// One lane of [`test`] and [`within`].
    #[inline]
    pub(crate) fn passes(&self, new: u32, old: u32) -> bool {
        let passes = match self.format {
            DepthFormat::Float32 => self.compare.holds(f32::from_bits(new), f32::from_bits(old)),
            _ => self.compare.holds(new, old),
        };
        let Some([low, high]) = self.bounds else {
            return passes;
        };
        let z = self.format.decode(old);
        passes && z >= low && z <= high
    }
}

/// NaN becomes the lower limit, as comparisons with it fail.
#[inline(always)]
pub(crate) fn limit(z: f32, [low, high]: [f32; 2]) -> f32 {
    let z = if z > low { z } else { low };
    if z < high { z } else { high }
}

/// Limits depths to a range. NaN becomes its lower end.
pub(crate) fn limit_row(range: [f32; 2], z: &mut [f32; 64]) {
    for z in z {
        *z = limit(*z, range);
    }
}

per_level! {
    /// Depths to the bits of the format, clamped as the state says.
    pub fn encode<'a>(state: &'a Depth, z: &'a [f32; 64], out: &'a mut [u32; 64]) {
        let range = state.clamp.unwrap_or([f32::NEG_INFINITY, f32::INFINITY]);
        match state.format {
            DepthFormat::Unorm16 => {
                for (o, z) in out.iter_mut().zip(z) {
                    *o = to_unorm(limit(*z, range), 16);
                }
            }
            DepthFormat::Unorm24 => {
                for (o, z) in out.iter_mut().zip(z) {
                    *o = to_unorm(limit(*z, range), 24);
                }
            }
            DepthFormat::Counted16 { ones } => {
                for (o, z) in out.iter_mut().zip(z) {
                    *o = counted::encode(to_unorm(limit(*z, range), 24), ones);
                }
            }
            DepthFormat::Float32 => {
                for (o, z) in out.iter_mut().zip(z) {
                    *o = canonical(if state.clamp.is_some() { limit(*z, range) } else { *z });
                }
            }
        }
    }

    /// The lanes in which a new depth passes against the stored one, both as bits of the format. Bounds are another
    /// test: [`within`].
    pub fn test<'a>(state: &'a Depth, new: &'a [u32; 64], old: &'a [u32; 64]) -> u64 {
        match state.format {
            DepthFormat::Float32 => {
                state.compare.lanes(|i| f32::from_bits(new[i]), |i| f32::from_bits(old[i]))
            }
            _ => state.compare.lanes(|i| new[i] as i32, |i| old[i] as i32),
        }
    }

    /// The lanes whose stored depth, as bits of the format, lies within the bounds.
    pub fn within<'a>(state: &'a Depth, old: &'a [u32; 64]) -> u64 {
        match state.bounds {
            Some([low, high]) => mask::collect(|i| {
                let z = state.format.decode(old[i]);
                (z >= low) & (z <= high)
            }),
            None => u64::MAX,
        }
    }

    /// Replaces the stored words of the lanes in `mask`.
    pub fn write<'a>(mask: u64, new: &'a [u32; 64], old: &'a mut [u32; 64]) {
        mask::replace(mask, old, |i| new[i]);
    }
}
