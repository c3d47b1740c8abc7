//! V_INTERP: attributes of a wave's primitives. [SI 14]
//!
//! Attributes lie in parameter memory as one block per primitive: for every attribute P0, P10 and P20, four components
//! each. M0 has the byte offset of the first block in 15:0 and in 30:16, bit n, whether quad n + 1 begins the next
//! primitive.

use lanes::{LANES, Row, Wave};
use silicon::attributes::ATTRIBUTE_WORDS;
use silicon::float::canonical;
use silicon::level::{Kernel, Level};

use crate::isa::operand::{EXEC, M0};
use crate::isa::vector::VintrpOp;
use crate::isa::words::Vintrp;
use crate::isa::{Inst, Port};

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

/// Quads of a wave.
const QUADS: usize = LANES / 4;
/// Instructions that are performed by one call.
const RUN: usize = 16;

/// One V_INTERP, or a V_INTERP_P1 and the V_INTERP_P2 that follows it.
#[derive(Clone, Copy)]
struct Step<V> {
    target: usize,
    kind: Kind<V>,
}

/// What is computed, from attributes and the weights in rows.
#[derive(Clone, Copy)]
enum Kind<V> {
    /// The number.
    Move(V),
    /// `number[1] * row + number[0]`
    First([V; 2], usize),
    /// `number * row + target`
    Second(V, usize),
    /// Both, one after the other.
    Both([V; 3], [usize; 2]),
}

/// A number per lane: the same in all, or one per quad.
trait Number: Copy {
    /// Of the lanes of a chunk.
    fn lanes(&self, chunk: usize) -> [f32; CHUNK];
}

impl Number for f32 {
    #[inline(always)]
    fn lanes(&self, _: usize) -> [f32; CHUNK] {
        [*self; CHUNK]
    }
}

impl Number for [f32; QUADS] {
    #[inline(always)]
    fn lanes(&self, chunk: usize) -> [f32; CHUNK] {
        let mut lanes = [0.0; CHUNK];
        for (lane, value) in lanes.iter_mut().enumerate() {
            *value = self[chunk * CHUNK / 4 + lane / 4];
        }
        lanes
    }
}

/// Lanes that stay in registers from the first product to the sum.
const CHUNK: usize = 16;

impl Attributes<'_> {
    /// Executes the V_INTERPs that `ports` begins with; how many they were.
    pub(crate) fn interpolate(&self, level: Level, ports: &[Port], wave: &mut Wave) -> usize {
        let is_interp = |port: &&Port| matches!(port.inst, Inst::Vintrp(_));
        let count = ports.iter().take_while(is_interp).count().min(RUN);
        if count == 0 {
            return 0;
        }
        let m0 = wave.scalars[usize::from(M0)];
        let (offset, starts) = ((m0 & 0xffff) as usize, m0 >> 16 & 0x7fff);
        if starts == 0 {
            self.run(level, &ports[..count], wave, |word| {
                f32::from_bits(self.word(offset, 0, word))
            });
        } else {
            // Number of the primitive of each quad.
            let mut ordinals = [0; QUADS];
            for quad in 1..QUADS {
                let begins = (starts >> (quad - 1) & 1) as usize;
                ordinals[quad] = ordinals[quad - 1] + begins;
            }
            self.run(level, &ports[..count], wave, |word| {
                ordinals.map(|ordinal| f32::from_bits(self.word(offset, ordinal, word)))
            });
        }
        count
    }

    /// Executes V_INTERPs whose attributes `number` looks up by their place in a block.
    fn run<V: Number>(
        &self,
        level: Level,
        ports: &[Port],
        wave: &mut Wave,
        number: impl Fn(usize) -> V,
    ) {
        let last = wave.rows.len() - 1;
        let row = |register: u8| usize::from(register).min(last);
        let mut steps: [Option<Step<V>>; RUN] = [None; RUN];
        let mut count = 0;
        let mut waiting: Option<&Vintrp> = None;
        for port in ports {
            let Inst::Vintrp(inst) = &port.inst else {
                continue;
            };
            let first = usize::from(inst.attr) * ATTRIBUTE_WORDS + usize::from(inst.attrchan);
            let source = row(inst.vsrc);
            let before = waiting.take();
            // Registers outside take no result.
            if usize::from(inst.vdst) > last {
                continue;
            }
            let kind = match inst.op {
                VintrpOp::V_INTERP_P1_F32 => {
                    Kind::First([number(first), number(first + 4)], source)
                }
                VintrpOp::V_INTERP_P2_F32 => {
                    let slope = number(first + 8);
                    let pair =
                        |p1: &&Vintrp| p1.vdst == inst.vdst && source != usize::from(p1.vdst);
                    if before.filter(pair).is_some()
                        && let Some(Some(step)) = steps[..count].last_mut()
                        && let Kind::First([start, one], row) = step.kind
                    {
                        step.kind = Kind::Both([start, one, slope], [row, source]);
                        continue;
                    }
                    Kind::Second(slope, source)
                }
                VintrpOp::V_INTERP_MOV_F32 => {
                    Kind::Move(number(first + 4 * [1, 2, 0, 0][usize::from(inst.vsrc & 3)]))
                }
            };
            if inst.op == VintrpOp::V_INTERP_P1_F32 {
                waiting = Some(inst);
            }
            steps[count] = Some(Step {
                target: inst.vdst.into(),
                kind,
            });
            count += 1;
        }
        let exec = wave.mask(u16::from(EXEC));
        let mut enabled = Row::ZERO;
        if exec != u64::MAX {
            let out = &mut enabled.0;
            level.run(Expand { exec, out });
        }
        level.run(Steps {
            steps: &steps[..count],
            enabled: (exec != u64::MAX).then_some(&enabled),
            rows: &mut wave.rows,
        });
    }
}

/// A mask as one word a lane.
struct Expand<'a> {
    exec: u64,
    out: &'a mut [u32; LANES],
}

impl Kernel for Expand<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (lane, out) in self.out.iter_mut().enumerate() {
            *out = 0u32.wrapping_sub((self.exec >> lane) as u32 & 1);
        }
    }
}

/// Performs steps in order; every product and sum is rounded.
struct Steps<'a, V> {
    steps: &'a [Option<Step<V>>],
    /// All ones in enabled lanes; nothing when all are. A row in memory, as the compiler takes one of its own apart.
    enabled: Option<&'a Row>,
    rows: &'a mut [Row],
}

impl<V: Number> Kernel for Steps<'_, V> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Steps {
            steps,
            enabled,
            rows,
        } = self;
        for step in steps.iter().flatten() {
            for chunk in 0..LANES / CHUNK {
                let value = step.value(rows, chunk);
                let row = &mut rows[step.target].0[chunk * CHUNK..][..CHUNK];
                match enabled {
                    None => row.copy_from_slice(&value),
                    Some(enabled) => {
                        let enabled = &enabled.0[chunk * CHUNK..][..CHUNK];
                        for l in 0..CHUNK {
                            row[l] = value[l] & enabled[l] | row[l] & !enabled[l];
                        }
                    }
                }
            }
        }
    }
}

impl<V: Number> Step<V> {
    /// What the lanes of a chunk become.
    #[inline(always)]
    fn value(&self, rows: &[Row], chunk: usize) -> [u32; CHUNK] {
        let mut out = [0; CHUNK];
        match &self.kind {
            Kind::Move(number) => {
                let number = number.lanes(chunk);
                for l in 0..CHUNK {
                    out[l] = number[l].to_bits();
                }
            }
            Kind::First([start, slope], row) => {
                let (start, slope) = (start.lanes(chunk), slope.lanes(chunk));
                let weight = load(rows, *row, chunk);
                for l in 0..CHUNK {
                    out[l] = canonical(slope[l] * weight[l] + start[l]);
                }
            }
            Kind::Second(slope, row) => {
                let (slope, start) = (slope.lanes(chunk), load(rows, self.target, chunk));
                let weight = load(rows, *row, chunk);
                for l in 0..CHUNK {
                    out[l] = canonical(slope[l] * weight[l] + start[l]);
                }
            }
            Kind::Both([start, first, second], [i, j]) => {
                let (start, first) = (start.lanes(chunk), first.lanes(chunk));
                let (second, i) = (second.lanes(chunk), load(rows, *i, chunk));
                let j = load(rows, *j, chunk);
                for l in 0..CHUNK {
                    let sum = first[l] * i[l] + start[l];
                    out[l] = canonical(second[l] * j[l] + sum);
                }
            }
        }
        out
    }
}

/// The lanes of a chunk.
#[inline(always)]
fn load(rows: &[Row], row: usize, chunk: usize) -> [f32; CHUNK] {
    let row = &rows[row].0[chunk * CHUNK..][..CHUNK];
    let mut lanes = [0.0; CHUNK];
    // A loop, as functions that are not inlined are compiled for the baseline.
    for (lane, bits) in lanes.iter_mut().zip(row) {
        *lane = f32::from_bits(*bits);
    }
    lanes
}
