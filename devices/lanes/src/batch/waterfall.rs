//! Waterfall loops: how a wave indexes registers lane by lane. Each round takes the lanes whose index is that of the first
//! lane that is left, moves registers by this one index, and drops these lanes. In: a program. Out: loops whose rounds are
//! done at once. Where somebody reads scalars of the loop behind it, the last round runs as it is and leaves them as they
//! would be.

#![expect(
    clippy::needless_range_loop,
    reason = "a lane number indexes several rows"
)]

use crate::analysis::live::RegisterSet;
use crate::interpret::{collect, expand};
use crate::op::{LaneOp, WideOp};
use crate::step::{Move, Program, Src, Step, When};
use crate::wave::{LANES, Row, Wave};
use host::{Kernel, Rounding, SimdLevel};

/// Indices that loops are done at once for, from 0 on.
const INDICES: usize = 256;

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waterfall {
    /// Row of the indices.
    index: u16,
    /// Scalar pair of the execution mask.
    exec: u16,
    moves: Vec<Indexed>,
    /// Its first step, and the branch that ends it.
    head: usize,
    pub(super) end: usize,
    /// The block behind it, if nobody reads what it leaves in scalars.
    pub(super) exit: Option<u32>,
}

/// A move of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Indexed {
    from_row: bool,
    dst: u16,
    base: u16,
    /// Added to the index.
    offset: u32,
    /// First row that does not exist.
    end: u16,
}

impl Waterfall {
    /// The loop that begins with a tick at a step, if there is one.
    pub(super) fn at(program: &Program, head: usize) -> Option<Waterfall> {
        let exec = program.exec;
        let steps = program.steps.get(head + 1..)?;
        let (
            [
                Step::ReadFirstLane { dst: first, src },
                Step::Compare {
                    op: LaneOp::IEq,
                    dst: equal,
                    src: [a, b, _],
                },
                Step::UniformWide {
                    op: WideOp::And64,
                    dst: taken,
                    src: [c, d, _],
                },
                Step::UniformWide {
                    op: WideOp::Mov64,
                    dst: left,
                    src: [Src::Scalar(kept), ..],
                },
                Step::UniformWide {
                    op: WideOp::Mov64,
                    dst: to,
                    src: [Src::Scalar(new), ..],
                },
            ],
            rest,
        ) = steps.split_first_chunk::<5>()?
        else {
            return None;
        };
        let both = |[a, b]: [&Src; 2], c: Src, d: Src| [*a, *b] == [c, d] || [*a, *b] == [d, c];
        let opens = both([a, b], Src::Scalar(*first), Src::Row(*src))
            && both([c, d], Src::Scalar(*equal), Src::Scalar(exec))
            && (*kept, *to, new) == (exec, exec, taken)
            && !overlap(*taken, *left)
            && ![taken, left, equal]
                .iter()
                .any(|pair| overlap(**pair, exec))
            && ![taken, left, equal]
                .iter()
                .any(|pair| holds(**pair, *first));
        if !opens {
            return None;
        }
        let mut found = Waterfall {
            index: *src,
            exec,
            moves: Vec::new(),
            head,
            end: 0,
            exit: None,
        };
        // Scalars that are the index and so much more.
        let mut known = vec![(*first, 0u32)];
        let more = |known: &[(u16, u32)], at: u16| {
            let mut known = known.iter().rev();
            known
                .find(|(scalar, _)| *scalar == at)
                .map(|(_, more)| *more)
        };
        let mut rest = rest.iter();
        for step in rest.by_ref() {
            match *step {
                Step::Uniform { op, dst, src } => {
                    let (from, add) = match (op, src) {
                        (LaneOp::Mov, [Src::Scalar(from), ..]) => (from, 0),
                        (LaneOp::IAdd, [Src::Scalar(from), Src::Const(add), _])
                        | (LaneOp::IAdd, [Src::Const(add), Src::Scalar(from), _]) => (from, add),
                        _ => return None,
                    };
                    let add = more(&known, from)?.wrapping_add(add);
                    if holds(exec, dst) || holds(*left, dst) {
                        return None;
                    }
                    known.push((dst, add));
                }
                Step::Relative {
                    kind: kind @ (Move::FromRow | Move::ToRow),
                    dst,
                    base,
                    index: Src::Scalar(at),
                    end,
                } => found.moves.push(Indexed {
                    from_row: kind == Move::FromRow,
                    dst,
                    base,
                    offset: more(&known, at)?,
                    end,
                }),
                Step::UniformWide {
                    op: WideOp::Xor64,
                    dst,
                    src: [a, b, _],
                } => {
                    let drops = both([&a, &b], Src::Scalar(exec), Src::Scalar(*left));
                    if dst != exec || !drops {
                        return None;
                    }
                    break;
                }
                _ => return None,
            }
        }
        // Whether lanes are left may be asked for a scalar, too.
        let mut behind = rest.as_slice();
        if let [
            Step::UniformWide {
                op: WideOp::INe64,
                dst,
                src: [Src::Scalar(asked), Src::Const(0), _],
            },
            others @ ..,
        ] = behind
            && *asked == exec
            && !overlap(*dst, exec)
        {
            behind = others;
        }
        let last = program.steps.len() - behind.len();
        let again = match behind.first() {
            Some(Step::Branch {
                when: When::MaskNonZero(mask),
                to,
            }) => *mask == exec && *to as usize == head,
            _ => false,
        };
        found.end = last;
        let inside = |to: &u32| (head + 1..=last).contains(&(*to as usize));
        let mut entered = program.steps.iter().any(|step| match step {
            Step::Branch { to, .. } => inside(to),
            _ => false,
        });
        entered |= program.entries.iter().any(|(_, to)| inside(to));
        (again && !entered && !found.moves.is_empty()).then_some(found)
    }

    /// Whether nobody reads what the loop leaves in scalars, but for the execution mask; `live` are those that are read
    /// behind its end.
    pub(super) fn is_unread(&self, program: &Program, live: &RegisterSet) -> bool {
        let steps = &program.steps[self.head..=self.end];
        let mut written = steps.iter().flat_map(Step::written_scalars);
        !written.any(|at| live.has(at) && !holds(self.exec, at))
    }

    /// Does rounds in a wave, if there are no more than `most` of them: all if the loop has an exit, otherwise all but the
    /// last. Returns how many.
    pub(super) fn run(&self, level: SimdLevel, wave: &mut Wave, most: u64) -> u64 {
        level.run(Rounds {
            waterfall: self,
            wave,
            most,
        })
    }
}

struct Rounds<'a> {
    waterfall: &'a Waterfall,
    wave: &'a mut Wave,
    most: u64,
}

/// What the indices of enabled lanes are.
#[derive(Clone, Copy)]
struct Indices {
    /// How many there are.
    rounds: u64,
    /// The one whose first lane is the last, if that was asked for.
    last: u32,
    /// Those that are there, by bits, if all are below 64.
    seen: Option<u64>,
}

/// Most indices that are moved row by row, each for all lanes; more of them take less time lane by lane.
const ROWS: u64 = 16;

impl Kernel for Rounds<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        let Rounds {
            waterfall,
            wave,
            most,
        } = self;
        let exec = wave.mask(waterfall.exec);
        let Row(indices) = wave.rows[usize::from(waterfall.index)];
        let ends = waterfall.exit.is_some();
        let found = few(&indices, exec, !ends).or_else(|| many(&indices, exec));
        let Some(found) = found else {
            return 0;
        };
        let left = match ends {
            true => 0,
            false => exec & collect(|lane| indices[lane] == found.last),
        };
        let rounds = found.rounds - u64::from(left != 0);
        if rounds == 0 || rounds > most {
            return 0;
        }
        let some = exec & !left;
        let seen = found.seen.filter(|_| rounds <= ROWS);
        for indexed in &waterfall.moves {
            match seen {
                Some(seen) => indexed.run_rows(&mut wave.rows, &indices, some, seen),
                None => indexed.run(&mut wave.rows, &indices, some),
            }
        }
        wave.set_mask(waterfall.exec, left);
        rounds
    }
}

/// Of indices below 64; the one that comes last if it `asks`.
#[inline(always)]
fn few(indices: &[u32; LANES], exec: u64, asks: bool) -> Option<Indices> {
    let (mut seen, mut large) = (0, 0);
    for lane in 0..LANES {
        let enabled = exec >> lane & 1;
        seen |= enabled << (indices[lane] % 64);
        large |= indices[lane] & (enabled as u32).wrapping_neg();
    }
    if large >= 64 || exec == 0 {
        return None;
    }
    let last = match asks {
        true => completes(indices, exec, seen)?,
        false => 0,
    };
    Some(Indices {
        rounds: seen.count_ones().into(),
        last,
        seen: Some(seen),
    })
}

/// Of the indices that are seen, the one whose first lane is the last.
fn completes(indices: &[u32; LANES], exec: u64, seen: u64) -> Option<u32> {
    let mut now = 0;
    let mut lanes = lanes(exec).map(|lane| indices[lane]);
    lanes.find(|index| {
        now |= 1 << (index % 64);
        now == seen
    })
}

/// The same for indices below [`INDICES`].
#[inline(always)]
fn many(indices: &[u32; LANES], exec: u64) -> Option<Indices> {
    let mut seen = [0u64; INDICES / 64];
    let mut found = Indices {
        rounds: 0,
        last: 0,
        seen: None,
    };
    for lane in lanes(exec) {
        let index = indices[lane];
        let word = seen.get_mut(index as usize / 64)?;
        let bit = 1 << (index % 64);
        if *word & bit == 0 {
            *word |= bit;
            found.rounds += 1;
            found.last = index;
        }
    }
    Some(found)
}

impl Indexed {
    /// The row of a lane.
    #[inline(always)]
    fn place(self, first: u16, index: u32) -> Option<usize> {
        let at = u64::from(first) + u64::from(index.wrapping_add(self.offset));
        (at < u64::from(self.end)).then_some(at as usize)
    }

    /// Moves in some lanes, whose indices are `seen`: one row after the other.
    #[inline(always)]
    fn run_rows(self, rows: &mut [Row], indices: &[u32; LANES], some: u64, seen: u64) {
        let (base, dst) = (usize::from(self.base), usize::from(self.dst));
        // All ones in lanes that move.
        let mut moves = Row([0; LANES]);
        expand(some, &mut moves);
        let equal = |lane: usize, index: u32| u32::from(indices[lane] == index).wrapping_neg();
        if self.from_row {
            let mut taken = Row([0; LANES]);
            for index in lanes(seen) {
                let from = self.place(self.base, index as u32).unwrap_or(base);
                let from = &rows[from].0;
                for lane in 0..LANES {
                    taken.0[lane] |= from[lane] & equal(lane, index as u32);
                }
            }
            let out = &mut rows[dst].0;
            for lane in 0..LANES {
                out[lane] = out[lane] & !moves.0[lane] | taken.0[lane] & moves.0[lane];
            }
            return;
        }
        let moved = rows[base];
        for index in lanes(seen) {
            let Some(to) = self.place(self.dst, index as u32) else {
                continue;
            };
            let to = &mut rows[to].0;
            for lane in 0..LANES {
                let mask = equal(lane, index as u32) & moves.0[lane];
                to[lane] = to[lane] & !mask | moved.0[lane] & mask;
            }
        }
    }

    /// Moves in some lanes, one after the other.
    #[inline(always)]
    fn run(self, rows: &mut [Row], indices: &[u32; LANES], some: u64) {
        let (base, dst) = (usize::from(self.base), usize::from(self.dst));
        if self.from_row {
            let mut moved = rows[dst];
            for (lane, (out, index)) in moved.0.iter_mut().zip(indices).enumerate() {
                let from = self.place(self.base, *index).unwrap_or(base);
                let value = rows[from].0[lane];
                *out = if some >> lane & 1 == 1 { value } else { *out };
            }
            rows[dst] = moved;
            return;
        }
        let moved = rows[base];
        let move_lane = |lane: usize| {
            if let Some(to) = self.place(self.dst, indices[lane]) {
                rows[to].0[lane] = moved.0[lane];
            }
        };
        match some {
            u64::MAX => (0..LANES).for_each(move_lane),
            some => lanes(some).for_each(move_lane),
        }
    }
}

/// Lanes of a mask.
#[inline(always)]
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let lane = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// Whether pairs of scalars have one in common.
fn overlap(a: u16, b: u16) -> bool {
    a.abs_diff(b) < 2
}

/// Whether a scalar is in a pair.
fn holds(pair: u16, scalar: u16) -> bool {
    scalar == pair || scalar == pair + 1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::engine::Engine;
    use crate::{Batch, DefaultEngine, PortFault, Ports};
    use host::SimdLevel;
    use std::ops::Range;

    struct None;

    impl Ports for None {
        fn call(&mut self, _: Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
            Ok(())
        }
    }

    /// Two moves for each index, from rows and to rows. `extra` is a step that makes it another loop and changes nothing. The
    /// last index may be `read` behind it.
    fn program(extra: bool, read: bool) -> Program {
        let steps = [
            "s0 = Mov64 s12",
            "tick 7",
            "s2 = first v1",
            "mask s4 = IEq s2, v1",
            "s8 = And64 s4, s12",
            "s4 = Mov64 s12",
            "s12 = Mov64 s8",
            "s6 = Mov s2",
            "s8 = IAdd s6, 0x2",
            "v0 = v[0 + s8 < 12]",
            "v[4 + s6 < 12] = v1",
            if extra { "s10 = Mov 0x0" } else { "" },
            "s12 = Xor64 s12, s4",
            "s10 = INe64 s12, 0x0",
            "branch @1 if mask s12 != 0",
            "tick 1",
            if read { "v3 = Mov s6" } else { "v3 = Mov 0x1" },
            "s12 = Mov64 s0",
            "end",
        ];
        let steps = steps.iter().filter(|step| !step.is_empty()).enumerate();
        let lines: String = steps
            .map(|(n, step)| format!("{n}: {step} ; 0x0 0x00000000\n"))
            .collect();
        let head = "rows 12\nscalars 14\nexec s12\nper_wave s12 s13\n";
        let text = format!("{head}{lines}");
        text.parse()
            .unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn loops_are_what_they_are_round_by_round() {
        for read in [false, true] {
            check(read);
        }
    }

    fn check(read: bool) {
        let (known, other) = (program(false, read), program(true, read));
        let found = Waterfall::at(&known, 1).unwrap();
        assert_eq!((found.index, found.moves.len()), (1, 2));
        assert_eq!(Waterfall::at(&other, 1), Option::None);
        assert_eq!(Waterfall::at(&known, 15), Option::None);
        let indices: [fn(u32) -> u32; 6] = [
            |lane| lane % 7,
            |_| 3,
            |lane| lane * lane % 11,
            |lane| lane,
            |lane| if lane == 5 { 300 } else { lane % 3 },
            |lane| if lane == 9 { u32::MAX } else { lane / 16 },
        ];
        for level in SimdLevel::available() {
            let engine = DefaultEngine::at(level);
            let run = |program: &Program, limit: u64| {
                let prepared = engine.prepare(program).unwrap();
                let mut waves: Vec<Wave> =
                    (0..12).map(|n| start(n, indices[n % 6], limit)).collect();
                let result = engine.run_batch(&prepared, &mut waves, &mut None);
                (waves, result.err().map(|stop| (stop.wave, stop.stop.fault)))
            };
            for limit in [1 << 20, 100] {
                let (mut got, mut expected) = (run(&known, limit), run(&other, limit));
                for wave in got.0.iter_mut().chain(&mut expected.0) {
                    // What the extra step costs.
                    wave.cost = 0;
                    wave.limit = 0;
                }
                if limit == 1 << 20 {
                    assert_eq!(got.1, Option::None);
                    for (got, expected) in got.0.iter().zip(&expected.0) {
                        assert_eq!(*got.rows, *expected.rows);
                        assert_eq!(got.mask(12), expected.mask(12));
                        if read {
                            assert_eq!(*got.scalars, *expected.scalars);
                        }
                        assert_eq!(got.instructions, expected.instructions);
                    }
                } else {
                    assert_eq!(got.1.is_some(), expected.1.is_some());
                }
            }
        }
    }

    fn start(n: usize, index: fn(u32) -> u32, limit: u64) -> Wave {
        let mut wave = Wave::new(12, 14);
        for (at, row) in wave.rows.iter_mut().enumerate() {
            row.0 = std::array::from_fn(|lane| (1000 * at + 100 * n + lane) as u32);
        }
        wave.rows[1].0 = std::array::from_fn(|lane| index(lane as u32));
        let exec: u64 = [u64::MAX, 0xf0f0_1234_0000_ffff, 0][n % 3];
        (wave.scalars[12], wave.scalars[13]) = (exec as u32, (exec >> 32) as u32);
        wave.limit = limit;
        wave
    }
}
