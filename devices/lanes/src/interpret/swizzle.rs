//! Kernels of exchanges between lanes.

use host::{Body, Rounding, SimdLevel};

use super::memory::{CHUNK, CHUNKS, Code, Registers, chunk};
use super::vector::store;
use crate::arithmetic::{Kernel, OfSteps};
use crate::step::Swizzle;
use crate::wave::{LANES, Row};

/// The kernel of a swizzle and its `Code::extra`. The source row is operand 0.
pub(super) fn swizzle(level: SimdLevel, pattern: Swizzle) -> (Kernel, u32) {
    match pattern {
        Swizzle::Quad(lanes) => {
            let [first, rest @ ..] = lanes;
            let kernel = match rest == [first; 3] {
                true => one_of_quad::<false>(level, first),
                false => level.compiled::<OfSteps, Quad>(),
            };
            (kernel, u32::from_le_bytes(lanes))
        }
        Swizzle::Bits { and, or, xor } => {
            // The bits of the quad's number stay, those of the lane in it do not count: what derivatives ask for.
            let kernel = match and & 31 == 0b11100 && or & 31 < 4 && xor & 31 < 4 {
                true => one_of_quad::<true>(level, or ^ xor),
                false => level.compiled::<OfSteps, Bits>(),
            };
            (kernel, u32::from_le_bytes([and, or, xor, 0]))
        }
    }
}

fn one_of_quad<const ENABLED: bool>(level: SimdLevel, lane: u8) -> Kernel {
    match lane & 3 {
        0 => level.compiled::<OfSteps, OneOfQuad<0, ENABLED>>(),
        1 => level.compiled::<OfSteps, OneOfQuad<1, ENABLED>>(),
        2 => level.compiled::<OfSteps, OneOfQuad<2, ENABLED>>(),
        _ => level.compiled::<OfSteps, OneOfQuad<3, ENABLED>>(),
    }
}

/// Every lane takes lane `LANE` of its quad, or zero where `ENABLED` and that one is not.
struct OneOfQuad<const LANE: usize, const ENABLED: bool>;

impl<const LANE: usize, const ENABLED: bool> Body<OfSteps> for OneOfQuad<LANE, ENABLED> {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let (lanes, rows) = (registers.lanes, &mut *registers.rows);
        let (dst, src) = (code.dst as usize, code.src[0].at());
        assert!(dst < rows.len() && src < rows.len());
        for index in 0..CHUNKS {
            let mut old = chunk(&rows[src], index);
            if ENABLED {
                let lanes = chunk(lanes, index);
                for lane in 0..CHUNK {
                    old[lane] &= lanes[lane];
                }
            }
            let mut value = [0; CHUNK];
            for lane in 0..CHUNK {
                value[lane] = old[lane & !3 | LANE];
            }
            store(rows, dst, index, Some(lanes), value);
        }
    }
}

/// Every lane takes any lane of its quad.
struct Quad;

impl Body<OfSteps> for Quad {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let pattern = code.extra.to_le_bytes().map(|lane| usize::from(lane & 3));
        let mut from = [0; LANES];
        for (lane, from) in from.iter_mut().enumerate() {
            *from = lane & !3 | pattern[lane & 3];
        }
        take(code, registers, &from, false);
    }
}

/// Every lane takes any lane of its half of the wave, or zero where that one is not enabled.
struct Bits;

impl Body<OfSteps> for Bits {
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let [and, or, xor, _] = code.extra.to_le_bytes().map(usize::from);
        let mut from = [0; LANES];
        for (lane, from) in from.iter_mut().enumerate() {
            *from = (((lane & 31 & and) | or) ^ xor) & 31 | (lane & 32);
        }
        take(code, registers, &from, true);
    }
}

#[inline(always)]
fn take(code: &Code, registers: &mut Registers, from: &[usize; LANES], enabled: bool) {
    let (lanes, rows) = (registers.lanes, &mut *registers.rows);
    let mut old = Row(rows[code.src[0].at()].0);
    if enabled {
        for lane in 0..LANES {
            old.0[lane] &= lanes.0[lane];
        }
    }
    for index in 0..CHUNKS {
        let mut value = [0; CHUNK];
        for lane in 0..CHUNK {
            value[lane] = old.0[from[index * CHUNK + lane] % LANES];
        }
        store(rows, code.dst as usize, index, Some(lanes), value);
    }
}
