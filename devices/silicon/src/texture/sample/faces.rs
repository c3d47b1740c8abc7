//! Footprints across the edges of cube faces, in vectors: lanes that need them are packed, and the four texels of
//! sixteen lanes fill a row. Same bits as [`super::reference`].

use super::cube::{EDGES, Edges};
use super::rules::{ONE, add_weighted, gather_texel, linear_texel, position};
use super::{Address, LANES, Lanes, Reduction, reference};
use crate::fragment::mask;
use host::per_level;

/// Lanes whose four texels fill a row.
pub(super) const PACK: usize = LANES / 4;

/// One value per lane of a pack.
type Part<T> = [T; PACK];

/// What is uniform about the footprints of an instruction.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub weight_bits: u32,
    pub unnormalized: bool,
    /// Whether the texels of a gather are meant, without weights.
    pub gathers: bool,
}

/// Where the four texels of a pack's lanes lie, and their weights in units of 2^-16: texel by texel.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Texels {
    pub i: [i32; LANES],
    pub j: [i32; LANES],
    /// 6 * cube + face.
    pub slice: Lanes,
    pub weight: Lanes,
}

impl Texels {
    pub const ZERO: Texels = Texels {
        i: [0; LANES],
        j: [0; LANES],
        slice: [0; LANES],
        weight: [0; LANES],
    };
}

/// What a pack's lanes look at on one level.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Pack {
    pub coords: [Part<u32>; 2],
    /// Texel offsets.
    pub offsets: [Part<i32>; 2],
    /// 6 * cube + face.
    pub slice: Part<u32>,
    /// Size of the level as a float and as an integer.
    pub size_f: [Part<f32>; 2],
    pub size: Part<i32>,
}

impl Pack {
    pub const ZERO: Pack = Pack {
        coords: [[0; PACK]; 2],
        offsets: [[0; PACK]; 2],
        slice: [0; PACK],
        size_f: [[0.0; PACK]; 2],
        size: [0; PACK],
    };
}

/// A bit of a word as a mask.
#[inline(always)]
fn bit(word: u32, at: u32) -> u32 {
    0u32.wrapping_sub(word >> at & 1)
}

/// All ones where `set`.
#[inline(always)]
fn ones(set: bool) -> u32 {
    if set { u32::MAX } else { 0 }
}

#[inline(always)]
fn choose(mask: u32, yes: i32, no: i32) -> i32 {
    (yes as u32 & mask | no as u32 & !mask) as i32
}

/// Column and row of a texel up to one step beyond a face, on the face where it is; all ones behind where it would be
/// beyond two edges. Such a texel is moved to the corner.
#[inline(always)]
fn fold(face: u32, i: i32, j: i32, size: i32) -> (u32, i32, i32, u32) {
    let last = size - 1;
    let (left, right) = (ones(i < 0), ones(i > last));
    let (above, below) = (ones(j < 0), ones(j > last));
    let (across, down) = (left | right, above | below);
    // Left, right, above, below are edges 0 to 3 of a face.
    let edge = right & 1 | (down & !across) & 2 | (below & !across) & 1;
    let at = 4 * face + edge;
    let over = across ^ down;
    const E: Edges = EDGES;
    let along = choose(across, j, i);
    let along = choose(bit(E.turned, at), last - along, along);
    let far = (last as u32 & bit(E.far, at)) as i32;
    let swapped = bit(E.swapped, at);
    let next = E.face[0] >> at & 1 | (E.face[1] >> at & 1) << 1 | (E.face[2] >> at & 1) << 2;
    let clamp = |n: i32| n.max(0).min(last);
    (
        next & over | face & !over,
        choose(over, choose(swapped, far, along), clamp(i)),
        choose(over, choose(swapped, along, far), clamp(j)),
        across & down,
    )
}

/// First texels and weights of the second ones.
#[inline(always)]
fn axis(rule: Rule, pack: &Pack, axis: usize, first: &mut Part<i32>, weight: &mut Part<u32>) {
    let (coords, offsets) = (&pack.coords[axis], &pack.offsets[axis]);
    for l in 0..PACK {
        let s = f32::from_bits(coords[l]);
        let mode = Address::ClampToEdge;
        let x = position(mode, s, pack.size_f[axis][l], rule.unnormalized);
        let (i, w) = match rule.gathers {
            true => (gather_texel(x), 0),
            false => linear_texel(x, rule.weight_bits),
        };
        first[l] = i + offsets[l];
        weight[l] = w;
    }
}

/// Whether both texels at a coordinate are on the face.
#[inline(always)]
fn inside(coordinate: u32, size: f32) -> bool {
    let x = f32::from_bits(coordinate) * size;
    (x >= 0.5) & (x < size - 0.5)
}

per_level! {
    /// Lanes whose linear footprints may leave a face of the first size, or of the second where `mix` is not 0.
    pub(super) fn beyond<'a>(coords: [&'a Lanes; 2], sizes: [f32; 2], mix: &'a Lanes) -> u64 {
        let [s, t] = coords;
        mask::collect(|l| {
            let size = if mix[l] == 0 { sizes[0] } else { sizes[1] };
            !(inside(s[l], size) & inside(t[l], size))
        })
    }

    /// The same with a size per lane.
    pub(super) fn beyond_sizes<'a>(coords: [&'a Lanes; 2], sizes: &'a [f32; LANES]) -> u64 {
        let [s, t] = coords;
        mask::collect(|l| !(inside(s[l], sizes[l]) & inside(t[l], sizes[l])))
    }

    /// The texels of a pack.
    pub(super) fn texels<'a>(rule: Rule, pack: &'a Pack, out: &'a mut Texels) {
        let (mut first, mut second) = ([[0; PACK]; 2], [[0; PACK]; 2]);
        for a in 0..2 {
            axis(rule, pack, a, &mut first[a], &mut second[a]);
        }
        let mut missing = [[0; PACK]; 4];
        for tap in 0..4 {
            let (right, below) = (tap & 1, tap >> 1);
            let missing = &mut missing[tap];
            let [i, j] = [&mut out.i, &mut out.j].map(|row| &mut row.as_chunks_mut::<PACK>().0[tap]);
            let slice = &mut out.slice.as_chunks_mut::<PACK>().0[tap];
            let weight = &mut out.weight.as_chunks_mut::<PACK>().0[tap];
            for l in 0..PACK {
                let size = pack.size[l];
                let clamp = |n: i32| n.max(-1).min(size);
                let (x, y) = (clamp(first[0][l] + right as i32), clamp(first[1][l] + below as i32));
                let face = pack.slice[l] % 6;
                let (next, x, y, corner) = fold(face, x, y, size);
                i[l] = x;
                j[l] = y;
                slice[l] = pack.slice[l] - face + next;
                missing[l] = corner;
                let (wx, wy) = (second[0][l], second[1][l]);
                let wx = if right == 1 { wx } else { ONE - wx };
                let wy = if below == 1 { wy } else { ONE - wy };
                weight[l] = wx * wy;
            }
        }
        share_corners(&missing, &mut out.weight);
    }

    /// Adds weighted values of a pack's texels to sums, `scale` to a unit of weight.
    pub(super) fn average<'a>(values: &'a Lanes, weights: &'a Lanes, sum: &'a mut Part<u32>) {
        const SCALE: f32 = 1.0 / 65_536.0;
        let (values, weights) = (values.as_chunks::<PACK>().0, weights.as_chunks::<PACK>().0);
        for l in 0..PACK {
            let mut total = 0.0;
            for tap in 0..4 {
                let weight = weights[tap][l] as i32 as f32 * SCALE;
                total = add_weighted(total, f32::from_bits(values[tap][l]), weight);
            }
            sum[l] = total.to_bits();
        }
    }

    /// Weighted sums of the bytes of a pack's texels, in units of 2^-16, to a part of a row per byte.
    pub(super) fn average_bytes<'a>(
        words: &'a Lanes,
        weights: &'a Lanes,
        sums: [&'a mut Part<u32>; 4],
    ) {
        let (words, weights) = (words.as_chunks::<PACK>().0, weights.as_chunks::<PACK>().0);
        for (byte, sum) in sums.into_iter().enumerate() {
            for l in 0..PACK {
                let term = |tap: usize| (words[tap][l] >> (8 * byte) & 0xff) * weights[tap][l];
                sum[l] = term(0) + term(1) + term(2) + term(3);
            }
        }
    }

    /// Smallest or largest of the values with a weight, where the level has one; `none` says where there is none so far.
    pub(super) fn extreme<'a>(
        reduction: Reduction,
        values: &'a Lanes,
        weights: &'a Lanes,
        mix: &'a Part<u32>,
        none: &'a mut Part<u32>,
        best: &'a mut Part<u32>,
    ) {
        let smallest = reduction == Reduction::Min;
        let (values, weights) = (values.as_chunks::<PACK>().0, weights.as_chunks::<PACK>().0);
        for tap in 0..4 {
            for l in 0..PACK {
                let (old, new) = (f32::from_bits(best[l]), f32::from_bits(values[tap][l]));
                let picked = reference::pick(smallest, old, new).to_bits();
                let new = if none[l] != 0 { values[tap][l] } else { picked };
                let counts = weights[tap][l] != 0 && mix[l] != 0;
                best[l] = if counts { new } else { best[l] };
                none[l] = if counts { 0 } else { none[l] };
            }
        }
    }
}

/// Gives the weight of a missing corner to the other texels, in thirds; the first of them takes the rest.
#[inline(always)]
fn share_corners(missing: &[Part<u32>; 4], weights: &mut Lanes) {
    let [w0, w1, w2, w3] = weights.as_chunks_mut::<PACK>().0 else {
        return;
    };
    for l in 0..PACK {
        let m = [missing[0][l], missing[1][l], missing[2][l], missing[3][l]];
        let w = [w0[l], w1[l], w2[l], w3[l]];
        // The last one, if both columns or both rows are outside.
        let corner = w[2] & m[2] | w[1] & m[1] & !m[2] | w[0] & m[0] & !(m[1] | m[2]);
        let corner = w[3] & m[3] | corner & !m[3];
        // A third, exact for weights up to 2^16.
        let third = (corner * 43_691) >> 17;
        let rest = corner - 3 * third;
        let lead = [
            !m[0],
            m[0] & !m[1],
            m[0] & m[1] & !m[2],
            m[0] & m[1] & m[2] & !m[3],
        ];
        let whole = |tap: usize| (w[tap] + third + (rest & lead[tap])) & !m[tap];
        (w0[l], w1[l], w2[l], w3[l]) = (whole(0), whole(1), whole(2), whole(3));
    }
}
