//! V_INTERP: attributes of a wave's primitives. [SI 14]
//!
//! Attributes lie in parameter memory as one block per primitive: for every attribute P0, P10 and P20, four components
//! each. M0 has the byte offset of the first block in 15:0 and in 30:16, bit n, whether quad n + 1 begins the next
//! primitive.

use lanes::{LANES, Wave};
use silicon::attributes::ATTRIBUTE_WORDS;
use silicon::float::canonical;
use silicon::level::{Kernel, Level};
use silicon::sample::Lanes;

use crate::isa::operand::{EXEC, M0};
use crate::isa::vector::VintrpOp;
use crate::isa::words::Vintrp;

/// Parameter memory as a wave sees it.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'a> {
    /// Blocks of all primitives at hand.
    pub(crate) blocks: &'a [u32],
    /// First words of the blocks of the wave's primitives, in order.
    pub(crate) primitives: &'a [u32],
    /// Words of a block.
    pub(crate) block_words: usize,
}

impl Attributes<'_> {
    /// No attributes.
    pub(crate) const NONE: Attributes<'static> = Attributes {
        blocks: &[],
        primitives: &[],
        block_words: 0,
    };

    /// A word of the `ordinal`-th primitive's block; 0 outside.
    fn word(&self, offset: usize, ordinal: usize, word: usize) -> u32 {
        let at = if offset == 0 && word < self.block_words {
            (ordinal, word)
        } else if self.block_words == 0 {
            return 0;
        } else {
            // An offset that is not the wave's own reads what lies there.
            let linear = offset / 4 + ordinal * self.block_words + word;
            (linear / self.block_words, linear % self.block_words)
        };
        self.primitives
            .get(at.0)
            .and_then(|start| self.blocks.get(*start as usize + at.1))
            .copied()
            .unwrap_or(0)
    }
}

impl Attributes<'_> {
    /// Executes one V_INTERP.
    pub(crate) fn interpolate(&self, level: Level, inst: &Vintrp, wave: &mut Wave) {
        let m0 = wave.scalars[usize::from(M0)];
        let (offset, mask) = ((m0 & 0xffff) as usize, m0 >> 16 & 0x7fff);
        let exec = wave.mask(u16::from(EXEC));
        let base = usize::from(inst.attr) * ATTRIBUTE_WORDS + usize::from(inst.attrchan);
        let step = match inst.op {
            VintrpOp::V_INTERP_P1_F32 => 1,
            VintrpOp::V_INTERP_P2_F32 => 2,
            VintrpOp::V_INTERP_MOV_F32 => [1, 2, 0, 0][usize::from(inst.vsrc & 3)],
        };
        let target = usize::from(inst.vdst);
        if target >= wave.rows.len() {
            return;
        }
        let source = wave.rows[usize::from(inst.vsrc).min(wave.rows.len() - 1)].0;
        if mask == 0 && inst.op != VintrpOp::V_INTERP_MOV_F32 {
            // One primitive: the same numbers in all lanes.
            let first = inst.op == VintrpOp::V_INTERP_P1_F32;
            level.run(One {
                slope: f32::from_bits(self.word(offset, 0, base + 4 * step)),
                weight: &source,
                start: first.then(|| f32::from_bits(self.word(offset, 0, base))),
                exec,
                out: &mut wave.rows[target].0,
            });
            return;
        }
        let slope = self.row(offset, mask, base + 4 * step);
        match inst.op {
            VintrpOp::V_INTERP_MOV_F32 => {
                let values = &slope;
                let out = &mut wave.rows[target].0;
                level.run(Replace { values, exec, out });
            }
            VintrpOp::V_INTERP_P1_F32 => {
                let start = self.row(offset, mask, base);
                level.run(Line {
                    slope: &slope,
                    weight: &source,
                    start: Some(&start),
                    exec,
                    out: &mut wave.rows[target].0,
                });
            }
            VintrpOp::V_INTERP_P2_F32 => level.run(Line {
                slope: &slope,
                weight: &source,
                start: None,
                exec,
                out: &mut wave.rows[target].0,
            }),
        }
    }

    /// A word of the block of each quad's primitive, in the lanes of the quad.
    fn row(&self, offset: usize, mask: u32, word: usize) -> Lanes {
        let mut row = [self.word(offset, 0, word); LANES];
        if mask != 0 {
            let mut ordinal = 0;
            for quad in 1..LANES / 4 {
                ordinal += (mask >> (quad - 1) & 1) as usize;
                if ordinal > 0 {
                    row[4 * quad..4 * quad + 4].fill(self.word(offset, ordinal, word));
                }
            }
        }
        row
    }
}

/// `out = slope * weight + start`, rounded twice; `start` is `out` when there is none.
struct Line<'a> {
    slope: &'a Lanes,
    weight: &'a Lanes,
    start: Option<&'a Lanes>,
    exec: u64,
    out: &'a mut Lanes,
}

impl Kernel for Line<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let float = f32::from_bits;
        let old = *self.out;
        let start = self.start.unwrap_or(&old);
        for lane in 0..LANES {
            let value = float(self.slope[lane]) * float(self.weight[lane]) + float(start[lane]);
            let enabled = self.exec >> lane & 1 != 0;
            self.out[lane] = if enabled { canonical(value) } else { old[lane] };
        }
    }
}

/// [`Line`] with the same slope and start in all lanes.
struct One<'a> {
    slope: f32,
    weight: &'a Lanes,
    start: Option<f32>,
    exec: u64,
    out: &'a mut Lanes,
}

impl Kernel for One<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (slope, exec) = (self.slope, self.exec);
        let lanes = self.out.iter_mut().zip(self.weight).enumerate();
        let place = |lane: usize, out: &mut u32, value: f32| {
            let enabled = exec >> lane & 1 != 0;
            *out = if enabled { canonical(value) } else { *out };
        };
        match self.start {
            Some(start) => {
                for (lane, (out, weight)) in lanes {
                    place(lane, out, slope * f32::from_bits(*weight) + start);
                }
            }
            None => {
                for (lane, (out, weight)) in lanes {
                    let start = f32::from_bits(*out);
                    place(lane, out, slope * f32::from_bits(*weight) + start);
                }
            }
        }
    }
}

/// Moves values to the enabled lanes.
struct Replace<'a> {
    values: &'a Lanes,
    exec: u64,
    out: &'a mut Lanes,
}

impl Kernel for Replace<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for lane in 0..LANES {
            let enabled = self.exec >> lane & 1 != 0;
            self.out[lane] = if enabled {
                self.values[lane]
            } else {
                self.out[lane]
            };
        }
    }
}
