//! The common case of the row code: two-dimensional textures of four-byte texels that are averaged as bytes, without
//! border, offsets or layers. Same results, fewer passes over memory.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use super::rules::{ONE, linear_texel, nearest_texel, position, wrap_near};
use super::stages::AxisRule;
use super::{Address, LANES, Lanes};
use crate::level::leveled;
use crate::memory::Memory;

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

    /// Bytes of one texel per lane as floats.
    pub(super) fn point<'a>(taps: &'a Lanes, bytes: [Option<usize>; 4], out: &'a mut [Lanes; 4]) {
        for (byte, out) in bytes.into_iter().zip(out) {
            let Some(byte) = byte else { continue };
            for l in 0..LANES {
                out[l] = ((taps[l] >> (8 * byte) & 0xff) as i32 as f32 / 255.0).to_bits();
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
        x: &Line,
        y: &Line,
        offsets: Offsets,
        taps: &mut [Lanes; 4],
    ) {
        match offsets {
            // All bits combine by exclusive or.
            Offsets::Uniform(base, u32::MAX) => {
                self.fetch_with::<N>(x, y, taps, |_, x, y| base.wrapping_add(x ^ y));
            }
            Offsets::Uniform(base, 0) => {
                self.fetch_with::<N>(x, y, taps, |_, x, y| base.wrapping_add(x.wrapping_add(y)));
            }
            Offsets::Uniform(base, xor) => self.fetch_with::<N>(x, y, taps, |_, x, y| {
                let sum = (x & !xor).wrapping_add(y & !xor) & !xor;
                base.wrapping_add(sum | (x ^ y) & xor)
            }),
            Offsets::Rows(base, xor) => self.fetch_with::<N>(x, y, taps, |l, x, y| {
                let sum = (x & !xor[l]).wrapping_add(y & !xor[l]) & !xor[l];
                base[l].wrapping_add(sum | (x ^ y) & xor[l])
            }),
        }
    }

    #[inline(always)]
    fn fetch_with<const N: usize>(
        &self,
        x: &Line,
        y: &Line,
        taps: &mut [Lanes; 4],
        offset: impl Fn(usize, u32, u32) -> u32,
    ) {
        let entry = |table: &[u32], at: u32| table.get(at as usize).copied().unwrap_or(0);
        let load = |offset: u32| self.memory.load(self.base + u64::from(offset)).unwrap_or(0);
        let [t0, t1, t2, t3] = taps;
        for l in 0..LANES {
            let (x0, y0) = (
                entry(self.x_table, x.at[0][l]),
                entry(self.y_table, y.at[0][l]),
            );
            t0[l] = load(offset(l, x0, y0));
            if N == 4 {
                let (x1, y1) = (
                    entry(self.x_table, x.at[1][l]),
                    entry(self.y_table, y.at[1][l]),
                );
                t1[l] = load(offset(l, x1, y0));
                t2[l] = load(offset(l, x0, y1));
                t3[l] = load(offset(l, x1, y1));
            }
        }
    }
}

/// The sums of bytes above fit their words because weights have 8 bits.
const _: () = assert!(ONE == 256);
