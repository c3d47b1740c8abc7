//! The common case of the row code: two-dimensional textures of four-byte texels that are averaged as bytes, without
//! border, offsets or layers. Same results, fewer passes over memory.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::rules::{ONE, linear_texel, nearest_texel, position, wrap_near};
use super::stages::AxisRule;
use super::{Address, LANES, Lanes};
use crate::depth::Compare;
use crate::level::{Level, leveled};
use crate::memory::{Memory, look_up};

/// Table entries and weights along one axis.
pub(super) struct Line {
    /// Indices into the axis table of both texels.
    pub at: [Lanes; 2],
    /// Weight of the second texel.
    pub w: Lanes,
}

impl Line {
    pub const ZERO: Line = Line {
        at: [[0; LANES]; 2],
        w: [0; LANES],
    };
}

/// Size and table start of a level along one axis.
#[derive(Clone, Copy)]
pub(super) enum Extent<'a> {
    /// The same in all lanes.
    Uniform(f32, i32, u32),
    /// Per lane.
    Rows(&'a [f32; LANES], &'a [i32; LANES], &'a Lanes),
}

#[inline(always)]
fn line_loop(
    mode: Address,
    rule: AxisRule,
    coords: &Lanes,
    extent: impl Fn(usize) -> (f32, i32, u32),
    out: &mut Line,
) {
    let [at0, at1] = &mut out.at;
    if rule.linear {
        for l in 0..LANES {
            let (size_f, size, start) = extent(l);
            let x = position(mode, f32::from_bits(coords[l]), size_f, false);
            let (i, w) = linear_texel(x, rule.weight_bits);
            at0[l] = start.wrapping_add(wrap_near(mode, i, size, true) as u32);
            at1[l] = start.wrapping_add(wrap_near(mode, i + 1, size, true) as u32);
            out.w[l] = w;
        }
    } else {
        for l in 0..LANES {
            let (size_f, size, start) = extent(l);
            let i = nearest_texel(position(mode, f32::from_bits(coords[l]), size_f, false));
            at0[l] = start.wrapping_add(wrap_near(mode, i, size, false) as u32);
        }
    }
}

/// Whether [`line`] knows a mode.
pub(super) fn has_mode(mode: Address) -> bool {
    use Address::{ClampToEdge, Mirror, MirrorClampToEdge, Repeat};
    matches!(mode, Repeat | Mirror | ClampToEdge | MirrorClampToEdge)
}

leveled! {
    /// Coordinates to table indices and weights.
    pub(super) fn line<'a>(rule: AxisRule, coords: &'a Lanes, extent: Extent<'a>, out: &'a mut Line) {
        macro_rules! modes {
            ($extent:expr, $($mode:ident)*) => {
                match rule.mode {
                    $(Address::$mode => line_loop(Address::$mode, rule, coords, $extent, out),)*
                    _ => {}
                }
            };
        }
        match extent {
            Extent::Uniform(size_f, size, start) => {
                modes!(|_| (size_f, size, start), Repeat Mirror ClampToEdge MirrorClampToEdge);
            }
            Extent::Rows(size_f, size, start) => {
                modes!(|l| (size_f[l], size[l], start[l]), Repeat Mirror ClampToEdge MirrorClampToEdge);
            }
        }
    }

    /// Averages four texels per lane and gives floats; `bytes` says which byte each wanted component is.
    pub(super) fn bilinear<'a>(
        taps: &'a [Lanes; 4],
        x: &'a Lanes,
        y: &'a Lanes,
        bytes: [Option<usize>; 4],
        out: &'a mut [Lanes; 4],
    ) {
        const SCALE: f32 = (255u32 << 16) as f32;
        for (byte, out) in bytes.into_iter().zip(out) {
            let Some(byte) = byte else { continue };
            let shift = 8 * byte as u32;
            for l in 0..LANES {
                let (wx, wy) = (x[l], y[l]);
                // The low half of a word holds the upper row of texels, the high half the lower one.
                let column = |top: u32, low: u32| (top >> shift & 0xff) | (low >> shift & 0xff) << 16;
                let left = column(taps[0][l], taps[2][l]);
                let right = column(taps[1][l], taps[3][l]);
                let rows = (left << 8).wrapping_add(right.wrapping_sub(left).wrapping_mul(wx));
                let (top, low) = (rows & 0xffff, rows >> 16);
                let sum = (top << 8).wrapping_add(low.wrapping_sub(top).wrapping_mul(wy));
                out[l] = (sum as i32 as f32 / SCALE).to_bits();
            }
        }
    }

    /// The same for two levels; `mix` is the weight of the second.
    pub(super) fn trilinear<'a>(
        taps: [&'a [Lanes; 4]; 2],
        weights: [[&'a Lanes; 2]; 2],
        mix: &'a Lanes,
        bytes: [Option<usize>; 4],
        out: &'a mut [Lanes; 4],
    ) {
        const SCALE: f32 = (255u64 << 24) as f32;
        for (byte, out) in bytes.into_iter().zip(out) {
            let Some(byte) = byte else { continue };
            let shift = 8 * byte as u32;
            for l in 0..LANES {
                let level = |taps: &[Lanes; 4], at: [&Lanes; 2]| {
                    let column = |top: u32, low: u32| (top >> shift & 0xff) | (low >> shift & 0xff) << 16;
                    let left = column(taps[0][l], taps[2][l]);
                    let right = column(taps[1][l], taps[3][l]);
                    let rows = (left << 8).wrapping_add(right.wrapping_sub(left).wrapping_mul(at[0][l]));
                    let (top, low) = (rows & 0xffff, rows >> 16);
                    (top << 8).wrapping_add(low.wrapping_sub(top).wrapping_mul(at[1][l]))
                };
                let (a, b) = (level(taps[0], weights[0]), level(taps[1], weights[1]));
                let sum = (a << 8).wrapping_add(b.wrapping_sub(a).wrapping_mul(mix[l]));
                out[l] = (sum as f32 / SCALE).to_bits();
            }
        }
    }

    /// Compares four floats per lane with the reference and gives the sum of the weights of those for which it holds.
    ///
    /// Weights are whole numbers of 1/65536 and add up to 1, so their sum is exact in any order.
    pub(super) fn compare_bilinear<'a>(
        op: Compare,
        reference: &'a Lanes,
        taps: &'a [Lanes; 4],
        x: &'a Lanes,
        y: &'a Lanes,
        out: &'a mut Lanes,
    ) {
        const SCALE: f32 = 1.0 / 65_536.0;
        macro_rules! ops {
            ($($op:ident)*) => {
                match op {
                    $(Compare::$op => {
                        for l in 0..LANES {
                            let reference = f32::from_bits(reference[l]);
                            let (left, right) = (ONE - x[l], x[l]);
                            let (top, low) = (ONE - y[l], y[l]);
                            let weights = [left * top, right * top, left * low, right * low];
                            let mut sum = 0;
                            for (tap, weight) in taps.iter().zip(weights) {
                                let holds = Compare::$op.holds(reference, f32::from_bits(tap[l]));
                                sum += if holds { weight } else { 0 };
                            }
                            out[l] = (sum as i32 as f32 * SCALE).to_bits();
                        }
                    })*
                }
            };
        }
        ops!(Never Less Equal LessEqual Greater NotEqual GreaterEqual Always);
    }

    /// Bytes of one texel per lane as floats.
    pub(super) fn point<'a>(taps: &'a Lanes, bytes: [Option<usize>; 4], out: &'a mut [Lanes; 4]) {
        for (byte, out) in bytes.into_iter().zip(out) {
            let Some(byte) = byte else { continue };
            for l in 0..LANES {
                out[l] = ((taps[l] >> (8 * byte) & 0xff) as i32 as f32 / 255.0).to_bits();
            }
        }
    }

    /// Byte offsets of texels from what columns and lines give.
    fn join<'a>(x: &'a Lanes, y: &'a Lanes, offsets: Offsets<'a>, out: &'a mut Lanes) {
        match offsets {
            // All bits combine by exclusive or.
            Offsets::Uniform(base, u32::MAX) => {
                for l in 0..LANES {
                    out[l] = base.wrapping_add(x[l] ^ y[l]);
                }
            }
            Offsets::Uniform(base, xor) => {
                for l in 0..LANES {
                    let sum = (x[l] & !xor).wrapping_add(y[l] & !xor) & !xor;
                    out[l] = base.wrapping_add(sum | (x[l] ^ y[l]) & xor);
                }
            }
            Offsets::Rows(base, xor) => {
                for l in 0..LANES {
                    let sum = (x[l] & !xor[l]).wrapping_add(y[l] & !xor[l]) & !xor[l];
                    out[l] = base[l].wrapping_add(sum | (x[l] ^ y[l]) & xor[l]);
                }
            }
        }
    }

    /// Whether all lanes of `exec` hold `value`.
    pub(super) fn all_equal<'a>(exec: u64, row: &'a [i32; LANES], value: i32) -> bool {
        let mut differs = 0u64;
        for l in 0..LANES {
            differs |= u64::from(row[l] != value) << l;
        }
        differs & exec == 0
    }
}

/// Where texels lie.
pub(super) struct Place<'a> {
    pub memory: &'a Memory,
    /// First byte of the texture.
    pub base: u64,
    pub x_table: &'a [u32],
    pub y_table: &'a [u32],
}

/// Level bases and exclusive-or bits.
#[derive(Clone, Copy)]
pub(super) enum Offsets<'a> {
    /// The same in all lanes.
    Uniform(u32, u32),
    /// Per lane.
    Rows(&'a Lanes, &'a Lanes),
}

impl Place<'_> {
    /// Reads the texels of each lane: one, or two by two.
    pub fn fetch<const N: usize>(
        &self,
        level: Level,
        x: &Line,
        y: &Line,
        offsets: Offsets,
        taps: &mut [Lanes; 4],
    ) {
        let sides = if N == 4 { 2 } else { 1 };
        let mut columns = [[0; LANES]; 2];
        let mut lines = [[0; LANES]; 2];
        for k in 0..sides {
            look_up(self.x_table, &x.at[k], &mut columns[k]);
            look_up(self.y_table, &y.at[k], &mut lines[k]);
        }
        let mut at = [0; LANES];
        for (n, tap) in taps.iter_mut().enumerate().take(N) {
            join(level, &columns[n & 1], &lines[n >> 1], offsets, &mut at);
            self.memory.gather(self.base, &at, tap);
        }
    }
}

/// The sums of bytes above fit their words because weights have 8 bits.
const _: () = assert!(ONE == 256);
