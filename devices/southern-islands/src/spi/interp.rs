//! V_INTERP: attributes of a wave's primitives. [SI 14]
//!
//! Attributes lie in parameter memory as one block per primitive: for every attribute P0, P10 and P20, four components
//! each. M0 has the byte offset of the first block in 15:0 and in 30:16, bit n, whether quad n + 1 begins the next
//! primitive.

mod one;

use lanes::{LANES, Row, Wave};
use silicon::fragment::mask::expand;
use silicon::fragment::quads::{
    CHUNK, FilledTable, QUADS, QuadTable, QuadWord, VECTOR, first_words,
};
use silicon::geometry::attributes::ATTRIBUTE_WORDS;
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::float::canonical;

use crate::isa::operand::{EXEC, M0};
use crate::isa::vector::VintrpOp;
use crate::isa::words::Vintrp;
use crate::isa::{Inst, Port};
pub(crate) use one::{Given, OfOne, arithmetic};

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

/// Pairs that are done at once, at most: the components of an attribute.
const GROUP: u16 = 4;

/// The V_INTERPs of a program, decoded when it is loaded.
pub(crate) struct Interpolation {
    /// One for each port of the program.
    steps: Vec<Step>,
    /// Words of a block that they can name.
    words: usize,
    /// Disabled lanes may take any results.
    lanes_apart: bool,
}

/// A V_INTERP.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    kind: Kind,
    /// Row that is written.
    target: u16,
    /// Row of weights.
    weight: u16,
    /// Place of the number, or of P0, in a block.
    word: u16,
    /// Words of a block that it reads, in vectors of four: the first, and the one after the last.
    vectors: [usize; 2],
    /// A V_INTERP_P2 of the same register follows, so that both can be done at once.
    pair: bool,
    /// Pairs from this one on whose weights are the same and no results of theirs, at most [`GROUP`].
    group: u16,
    /// V_INTERPs that follow each other from this one on.
    run: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Another instruction, or a register outside, which takes no result.
    Nothing,
    /// The number.
    Move,
    /// `P10 * weight + P0`
    First,
    /// `P20 * weight + target`
    Second,
}

impl Interpolation {
    /// Of a program whose waves have `rows` rows, and may never look at lanes that start disabled.
    pub(crate) fn new(ports: &[Port], rows: usize, lanes_apart: bool) -> Interpolation {
        let last = rows.saturating_sub(1);
        let mut steps: Vec<Step> = ports
            .iter()
            .map(|port| match &port.inst {
                Inst::Vintrp(inst) => Step::new(inst, last),
                _ => Step::NONE,
            })
            .collect();
        for n in (0..steps.len().saturating_sub(1)).rev() {
            let next = steps[n + 1];
            let after = steps.get(n + 2).copied();
            let step = &mut steps[n];
            if step.run > 0 {
                step.run += next.run;
                step.pair = step.kind == Kind::First
                    && next.kind == Kind::Second
                    && next.target == step.target
                    && next.weight != step.target;
            }
            if step.pair && step.weight != step.target {
                let same = |after: &Step| after.group > 0 && after.weight == step.weight;
                let others = after.filter(same).map_or(0, |after| after.group);
                step.group = 1 + others.min(GROUP - 1);
            }
        }
        for n in 0..steps.len() {
            let group = usize::from(steps[n].group);
            let other = steps.get(n + 1).map(|second| second.weight);
            let pairs = (1..group).take_while(|pair| {
                let [first, second] = [steps[n + 2 * pair], steps[n + 2 * pair + 1]];
                Some(second.weight) == other
                    && ![steps[n].weight, second.weight].contains(&first.target)
            });
            steps[n].group = steps[n].group.min(1 + pairs.count() as u16);
        }
        let end = |step: &Step| match step.kind {
            Kind::Nothing => 0,
            Kind::Move | Kind::Second => usize::from(step.word) + 1,
            Kind::First => usize::from(step.word) + 5,
        };
        Interpolation {
            words: steps.iter().map(end).max().unwrap_or(0),
            steps,
            lanes_apart,
        }
    }

    /// Those that follow each other from a port on, of at most `count` ports.
    #[inline]
    pub(crate) fn run(&self, port: u32, count: u32) -> &[Step] {
        let from = self.steps.get(port as usize..).unwrap_or(&[]);
        let run = from.first().map_or(0, |step| step.run.into());
        &from[..run.min(count as usize)]
    }
}

impl Step {
    const NONE: Step = Step {
        kind: Kind::Nothing,
        target: 0,
        weight: 0,
        word: 0,
        vectors: [usize::MAX, 0],
        pair: false,
        group: 0,
        run: 0,
    };

    fn new(inst: &Vintrp, last: usize) -> Step {
        let first = u16::from(inst.attr) * ATTRIBUTE_WORDS as u16 + u16::from(inst.attrchan);
        let (kind, offset) = match inst.op {
            _ if usize::from(inst.vdst) > last => (Kind::Nothing, 0),
            VintrpOp::V_INTERP_P1_F32 => (Kind::First, 0),
            VintrpOp::V_INTERP_P2_F32 => (Kind::Second, 8),
            VintrpOp::V_INTERP_MOV_F32 => (Kind::Move, [4, 8, 0, 0][usize::from(inst.vsrc & 3)]),
        };
        let word = first + offset;
        let vector = usize::from(word) / VECTOR;
        let vectors = match kind {
            Kind::Nothing => Step::NONE.vectors,
            Kind::Move | Kind::Second => [vector, vector + 1],
            Kind::First => [vector, vector + 2],
        };
        Step {
            kind,
            target: inst.vdst.into(),
            weight: usize::from(inst.vsrc).min(last) as u16,
            word,
            vectors,
            pair: false,
            group: 0,
            run: 1,
        }
    }
}

/// Words of the blocks of a wave's primitives.
trait Numbers {
    /// One for all lanes, or one per quad.
    type Number: Number;
    /// The word at a place in each block.
    fn at(&self, word: usize) -> Self::Number;
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

/// The block of the wave's only primitive.
struct One<'a>(&'a [u32]);

impl Numbers for One<'_> {
    type Number = f32;
    #[inline(always)]
    fn at(&self, word: usize) -> f32 {
        f32::from_bits(self.0[word])
    }
}

impl Number for QuadWord<'_> {
    #[inline(always)]
    fn lanes(&self, chunk: usize) -> [f32; CHUNK] {
        let words = QuadWord::lanes(self, chunk);
        let mut lanes = [0.0; CHUNK];
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = f32::from_bits(word);
        }
        lanes
    }
}

impl<'a> Numbers for FilledTable<'a> {
    type Number = QuadWord<'a>;
    #[inline(always)]
    fn at(&self, word: usize) -> QuadWord<'a> {
        self.word(word)
    }
}

/// Whatever M0 and the program name, inside blocks or not.
struct Anywhere<'a> {
    attributes: Attributes<'a>,
    offset: usize,
    ordinals: &'a [usize; QUADS],
}

impl Numbers for Anywhere<'_> {
    type Number = [f32; QUADS];
    #[inline(always)]
    fn at(&self, word: usize) -> [f32; QUADS] {
        let mut numbers = [0.0; QUADS];
        for (number, ordinal) in numbers.iter_mut().zip(self.ordinals) {
            *number = f32::from_bits(self.attributes.word(self.offset, *ordinal, word));
        }
        numbers
    }
}

impl Attributes<'_> {
    /// The block of the `ordinal`-th primitive, if there is one and it is whole.
    pub(crate) fn block(&self, ordinal: usize) -> Option<&[u32]> {
        let first = *self.primitives.get(ordinal)? as usize;
        self.blocks.get(first..first + self.block_words)
    }

    /// Executes V_INTERPs that follow each other in a program.
    pub(crate) fn interpolate(
        &self,
        level: SimdLevel,
        program: &Interpolation,
        steps: &[Step],
        (wave, table): (&mut Wave, &mut QuadTable),
    ) {
        let m0 = wave.scalars[usize::from(M0)];
        let (offset, starts) = ((m0 & 0xffff) as usize, m0 >> 16 & 0x7fff);
        let exec = wave.mask(u16::from(EXEC));
        let row;
        let enabled = match exec {
            u64::MAX => None,
            _ if program.lanes_apart => None,
            _ => {
                row = expanded(level, exec);
                Some(&row)
            }
        };
        let rows = &mut wave.rows[..];
        let inside = offset == 0 && program.words <= self.block_words;
        if inside
            && starts == 0
            && let Some(block) = self.block(0)
        {
            let numbers = One(block);
            return level.run(Steps {
                steps,
                numbers,
                enabled,
                rows,
            });
        }
        let blocks = self.blocks;
        if inside {
            let first = first_words(self.primitives, starts << 1);
            let last = first.iter().fold(0, |last, first| last.max(*first));
            if last as usize + self.block_words <= blocks.len() {
                return level.run(StepsOfQuads {
                    steps,
                    blocks,
                    first: &first,
                    table,
                    enabled,
                    rows,
                });
            }
        }
        // Number of the primitive of each quad.
        let mut ordinals = [0; QUADS];
        for quad in 1..QUADS {
            let begins = (starts >> (quad - 1) & 1) as usize;
            ordinals[quad] = ordinals[quad - 1] + begins;
        }
        let numbers = Anywhere {
            attributes: *self,
            offset,
            ordinals: &ordinals,
        };
        level.run(Steps {
            steps,
            numbers,
            enabled,
            rows,
        });
    }
}

/// A mask as one word a lane.
fn expanded(level: SimdLevel, mask: u64) -> Row {
    let mut row = Row::ZERO;
    expand(level, mask, [0, u32::MAX], &mut row.0);
    row
}

/// Performs steps in order; every product and sum is rounded.
struct Steps<'a, N> {
    steps: &'a [Step],
    numbers: N,
    /// All ones in enabled lanes; nothing when all are. A row in memory, as the compiler takes one of its own apart.
    enabled: Option<&'a Row>,
    rows: &'a mut [Row],
}

impl<N: Numbers> Kernel for Steps<'_, N> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Steps {
            mut steps,
            numbers,
            enabled,
            rows,
        } = self;
        while let [step, rest @ ..] = steps {
            let pairs = usize::from(step.group).min(steps.len() / 2);
            if pairs > 1 {
                let (group, others) = steps.split_at(2 * pairs);
                steps = others;
                match pairs {
                    2 => together::<N, 2>(group, &numbers, enabled, rows),
                    3 => together::<N, 3>(group, &numbers, enabled, rows),
                    _ => together::<N, 4>(group, &numbers, enabled, rows),
                }
                continue;
            }
            steps = rest;
            let (word, target) = (usize::from(step.word), usize::from(step.target));
            let weight = usize::from(step.weight);
            match step.kind {
                Kind::Nothing => {}
                Kind::Move => {
                    let number = numbers.at(word);
                    for chunk in 0..LANES / CHUNK {
                        let number = number.lanes(chunk);
                        let mut out = [0; CHUNK];
                        for l in 0..CHUNK {
                            out[l] = number[l].to_bits();
                        }
                        store(rows, target, chunk, enabled, &out);
                    }
                }
                Kind::First => {
                    let (start, first) = (numbers.at(word), numbers.at(word + 4));
                    if let [next, rest @ ..] = rest
                        && step.pair
                    {
                        steps = rest;
                        let (second, other) = (numbers.at(next.word.into()), next.weight.into());
                        for chunk in 0..LANES / CHUNK {
                            let (i, j) = (load(rows, weight, chunk), load(rows, other, chunk));
                            let (start, first) = (start.lanes(chunk), first.lanes(chunk));
                            let second = second.lanes(chunk);
                            let mut out = [0; CHUNK];
                            for l in 0..CHUNK {
                                // No register holds the first sum, so that its NaN need not be the one.
                                let sum = first[l] * i[l] + start[l];
                                out[l] = canonical(second[l] * j[l] + sum);
                            }
                            store(rows, target, chunk, enabled, &out);
                        }
                        continue;
                    }
                    for chunk in 0..LANES / CHUNK {
                        let i = load(rows, weight, chunk);
                        let (start, first) = (start.lanes(chunk), first.lanes(chunk));
                        let mut out = [0; CHUNK];
                        for l in 0..CHUNK {
                            out[l] = canonical(first[l] * i[l] + start[l]);
                        }
                        store(rows, target, chunk, enabled, &out);
                    }
                }
                Kind::Second => {
                    let slope = numbers.at(word);
                    for chunk in 0..LANES / CHUNK {
                        let (j, sum) = (load(rows, weight, chunk), load(rows, target, chunk));
                        let slope = slope.lanes(chunk);
                        let mut out = [0; CHUNK];
                        for l in 0..CHUNK {
                            out[l] = canonical(slope[l] * j[l] + sum[l]);
                        }
                        store(rows, target, chunk, enabled, &out);
                    }
                }
            }
        }
    }
}

/// The same steps where quads have blocks of their own.
struct StepsOfQuads<'a> {
    steps: &'a [Step],
    blocks: &'a [u32],
    /// First word of each quad's block.
    first: &'a [u32; QUADS],
    table: &'a mut QuadTable,
    enabled: Option<&'a Row>,
    rows: &'a mut [Row],
}

impl Kernel for StepsOfQuads<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let StepsOfQuads {
            steps,
            blocks,
            first,
            table,
            enabled,
            rows,
        } = self;
        let (mut from, mut to) = (usize::MAX, 0);
        for step in steps {
            let [begin, end] = step.vectors;
            from = from.min(begin);
            to = to.max(end);
        }
        let numbers = table.fill([from.min(to), to], blocks, first);
        let steps = Steps {
            steps,
            numbers,
            enabled,
            rows,
        };
        steps.run::<R>();
    }
}

/// Pairs with the same weights, of which none is a target.
#[inline(always)]
fn together<N: Numbers, const PAIRS: usize>(
    pairs: &[Step],
    numbers: &N,
    enabled: Option<&Row>,
    rows: &mut [Row],
) {
    let ([first, ..], [_, second, ..]) = (pairs, pairs) else {
        return;
    };
    let (weight, other) = (usize::from(first.weight), usize::from(second.weight));
    let mut targets = [0; PAIRS];
    let mut at = [[numbers.at(usize::from(first.word)); 3]; PAIRS];
    for pair in 0..PAIRS {
        let (first, second) = (&pairs[2 * pair], &pairs[2 * pair + 1]);
        targets[pair] = usize::from(first.target);
        let word = usize::from(first.word);
        at[pair] = [
            numbers.at(word),
            numbers.at(word + 4),
            numbers.at(second.word.into()),
        ];
    }
    for chunk in 0..LANES / CHUNK {
        let (i, j) = (load(rows, weight, chunk), load(rows, other, chunk));
        for pair in 0..PAIRS {
            let (start, first) = (at[pair][0].lanes(chunk), at[pair][1].lanes(chunk));
            let second = at[pair][2].lanes(chunk);
            let mut out = [0; CHUNK];
            for l in 0..CHUNK {
                out[l] = canonical(second[l] * j[l] + (first[l] * i[l] + start[l]));
            }
            store(rows, targets[pair], chunk, enabled, &out);
        }
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

/// Replaces the enabled lanes of a chunk.
#[inline(always)]
fn store(rows: &mut [Row], row: usize, chunk: usize, enabled: Option<&Row>, value: &[u32; CHUNK]) {
    let row = &mut rows[row].0[chunk * CHUNK..][..CHUNK];
    match enabled {
        None => row.copy_from_slice(value),
        Some(enabled) => {
            // All loads before the store: rows might overlap for all that the compiler knows.
            let (mut lanes, mut kept) = ([0; CHUNK], [0; CHUNK]);
            lanes.copy_from_slice(&enabled.0[chunk * CHUNK..][..CHUNK]);
            kept.copy_from_slice(row);
            let mut out = [0; CHUNK];
            for l in 0..CHUNK {
                out[l] = value[l] & lanes[l] | kept[l] & !lanes[l];
            }
            row.copy_from_slice(&out);
        }
    }
}

#[cfg(test)]
mod tests;
