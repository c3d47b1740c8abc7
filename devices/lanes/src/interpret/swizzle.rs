//! Kernels of exchanges between lanes.

use host::{Body, Rounding, SimdLevel};

use super::memory::{CHUNK, CHUNKS, Chunk, Code, Registers, chunk};
use super::vector::store;
use crate::arithmetic::{Kernel, OfSteps};
use crate::step::Swizzle;
use crate::wave::{LANES, Row};

/// The kernel of a swizzle and its `Code::extra`. The source row is operand 0.
pub(super) fn swizzle(level: SimdLevel, pattern: Swizzle) -> (Kernel, u32) {
    let known = match pattern.in_quad() {
        Some((lanes, false)) => of_quad::<false>(level, lanes),
        Some((lanes, true)) => of_quad::<true>(level, lanes),
        None => None,
    };
    match pattern {
        Swizzle::Quad(lanes) => {
            let kernel = known.unwrap_or_else(|| level.compiled::<OfSteps, Quad>());
            (kernel, u32::from_le_bytes(lanes))
        }
        Swizzle::Bits { and, or, xor } => {
            let kernel = known.unwrap_or_else(|| level.compiled::<OfSteps, Bits>());
            (kernel, u32::from_le_bytes([and, or, xor, 0]))
        }
    }
}

/// The kernel of an exchange that derivatives are made of: one lane for all, or a side or its opposite for both.
fn of_quad<const ENABLED: bool>(level: SimdLevel, lanes: [u8; 4]) -> Option<Kernel> {
    Some(match lanes {
        [0, 0, 0, 0] => level.compiled::<OfSteps, OfQuad<0, 0, 0, 0, ENABLED>>(),
        [1, 1, 1, 1] => level.compiled::<OfSteps, OfQuad<1, 1, 1, 1, ENABLED>>(),
        [2, 2, 2, 2] => level.compiled::<OfSteps, OfQuad<2, 2, 2, 2, ENABLED>>(),
        [3, 3, 3, 3] => level.compiled::<OfSteps, OfQuad<3, 3, 3, 3, ENABLED>>(),
        [0, 0, 2, 2] => level.compiled::<OfSteps, OfQuad<0, 0, 2, 2, ENABLED>>(),
        [1, 1, 3, 3] => level.compiled::<OfSteps, OfQuad<1, 1, 3, 3, ENABLED>>(),
        [0, 1, 0, 1] => level.compiled::<OfSteps, OfQuad<0, 1, 0, 1, ENABLED>>(),
        [2, 3, 2, 3] => level.compiled::<OfSteps, OfQuad<2, 3, 2, 3, ENABLED>>(),
        [1, 0, 3, 2] => level.compiled::<OfSteps, OfQuad<1, 0, 3, 2, ENABLED>>(),
        [2, 3, 0, 1] => level.compiled::<OfSteps, OfQuad<2, 3, 0, 1, ENABLED>>(),
        _ => return None,
    })
}

/// The lanes of each quad take these lanes of it, or zero where `ENABLED` and that one is not.
struct OfQuad<const A: usize, const B: usize, const C: usize, const D: usize, const ENABLED: bool>;

impl<const A: usize, const B: usize, const C: usize, const D: usize, const ENABLED: bool>
    Body<OfSteps> for OfQuad<A, B, C, D, ENABLED>
{
    #[inline(always)]
    fn run<H: Rounding>(code: &Code, registers: &mut Registers) {
        let (exec, lanes, rows) = (registers.exec, registers.lanes, &mut *registers.rows);
        let (dst, src) = (code.dst as usize, code.src[0].at());
        assert!(dst < rows.len() && src < rows.len());
        // Without masks, the compiler takes whole vectors from memory and shuffles them.
        if exec == u64::MAX {
            for index in 0..CHUNKS {
                let value = taken([A, B, C, D], &chunk(&rows[src], index));
                store(rows, dst, index, None, value);
            }
            return;
        }
        for index in 0..CHUNKS {
            let mut old = chunk(&rows[src], index);
            if ENABLED {
                let lanes = chunk(lanes, index);
                for lane in 0..CHUNK {
                    old[lane] &= lanes[lane];
                }
            }
            let value = taken([A, B, C, D], &old);
            store(rows, dst, index, Some(lanes), value);
        }
    }
}

/// These lanes of each quad.
#[inline(always)]
fn taken(from: [usize; 4], old: &Chunk) -> Chunk {
    let mut value = [0; CHUNK];
    for (lane, value) in value.iter_mut().enumerate() {
        *value = old[lane & !3 | from[lane & 3]];
    }
    value
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
