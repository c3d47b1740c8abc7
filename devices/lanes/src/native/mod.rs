//! Machine code for straight blocks, on hosts with AVX-512 or AVX2 that give pages to execute. Steps that have none, and other
//! hosts, take the kernels of the interpreter. The bytes are the same.

mod assembler;
mod block;
mod chain;
mod cube;
mod emitter;
mod formulas;
mod memory;
mod narrow;
mod recipe;
mod scalars;
mod transcendental;

use std::sync::{Arc, OnceLock};

use host::SimdLevel;

use crate::analysis::live::RegisterSet;
use crate::batch::link::Link;
use crate::batch::{Account, Prepared, Span, Straight};
use crate::engine::{BatchStop, Engine, ProgramError, Resume};
use crate::interpret::Codes;
use crate::step::{Move, Program, Step};
use crate::wave::{Ports, Wave};
use assembler::{Assembler, Width};
use chain::{Chain, Part};
use memory::{Entry, Executable};

/// Instructions of a piece, about. A processor looks a few hundred ahead: the vectors of a row run side by side in a short
/// piece, one after the other in a long one, each as slow as its chain of results.
const MOST: usize = 72;

/// Runs prepared programs as machine code of the host.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    level: SimdLevel,
    /// The host runs code of vectors of this width.
    machine: Option<Width>,
}

impl Native {
    /// An engine for this host: [`SimdLevel::current`].
    pub fn new() -> Native {
        Native::at(SimdLevel::current())
    }

    /// An engine for one level. The baseline has kernels only.
    pub fn at(level: SimdLevel) -> Native {
        static POSSIBLE: OnceLock<bool> = OnceLock::new();
        let possible = |_: &Width| *POSSIBLE.get_or_init(|| Executable::is_possible(level));
        let machine = Width::of(level).filter(possible);
        Native { level, machine }
    }

    /// Whether steps run as machine code.
    pub fn is_machine(&self) -> bool {
        self.machine.is_some()
    }
}

impl Default for Native {
    fn default() -> Native {
        Native::new()
    }
}

impl Engine for Native {
    type Prepared = Prepared<Blocks>;

    fn prepare(&self, program: &Program) -> Result<Prepared<Blocks>, ProgramError> {
        Prepared::new(program, Blocks::new(self, program))
    }

    fn run_batch(
        &self,
        prepared: &Prepared<Blocks>,
        waves: &mut [Wave],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        prepared.run(waves, ports)
    }

    fn advance(
        &self,
        prepared: &Prepared<Blocks>,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        prepared.advance(waves, stands, ports)
    }
}

/// Straight blocks: pieces of machine code, and of kernels.
#[derive(Clone, Debug)]
pub struct Blocks {
    engine: Native,
    /// Registers of the program.
    counts: [u16; 2],
    exec: u16,
    kernels: Codes,
    pieces: Vec<Piece>,
    /// Until the last block is added.
    assembler: Assembler,
    code: Option<Arc<Executable>>,
    /// Its blocks, for a wave alone.
    chain: Chain,
    /// What the code was made from, for hosts that give no pages after all.
    sources: Vec<(usize, Vec<Step>, RegisterSet)>,
}

/// Steps that run one way.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Kernels(Span),
    /// All of one value: the execution mask does not matter.
    Scalars(Span),
    /// The same as machine code.
    ScalarCode(Entry),
    Machine {
        all: Entry,
        some: Entry,
        /// Runs even with no lane enabled.
        always: bool,
    },
}

/// What runs a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    /// Machine code on vectors.
    Vectors,
    /// Machine code on scalars.
    Scalars,
    Kernels,
}

impl Means {
    fn of(step: &Step, width: Width) -> Means {
        match step {
            step if block::has_code(step, width) => Means::Vectors,
            step if scalars::has_code(step) => Means::Scalars,
            _ => Means::Kernels,
        }
    }
}

impl Blocks {
    fn new(engine: &Native, program: &Program) -> Blocks {
        Blocks {
            engine: *engine,
            counts: [program.rows, program.scalars],
            exec: program.exec,
            kernels: Codes::new(engine.level, program.exec),
            pieces: Vec::new(),
            assembler: Assembler::new(engine.machine.unwrap_or_default()),
            code: None,
            chain: Chain::default(),
            sources: Vec::new(),
        }
    }

    /// Steps as kernels.
    fn kernels(&mut self, steps: &[Step], live: &RegisterSet) -> Piece {
        let span = self.kernels.add(steps, live);
        match are_scalar(steps) {
            true => Piece::Scalars(span),
            false => Piece::Kernels(span),
        }
    }

    /// Steps that all compute one value.
    fn scalars(&mut self, steps: &[Step], live: &RegisterSet) -> Piece {
        let entry = Entry::here(&self.assembler);
        scalars::function(&mut self.assembler, steps);
        self.sources
            .push((self.pieces.len(), steps.to_vec(), live.clone()));
        Piece::ScalarCode(entry)
    }

    #[inline(always)]
    fn run_code(&self, at: Entry, wave: &mut Wave) {
        if let Some(code) = &self.code {
            code.run(at, &mut wave.rows, &mut wave.scalars, 0);
        }
    }

    /// Runs the code for all lanes or for some; for none only where it always does something.
    #[inline(always)]
    fn run_machine(
        &self,
        code: &Executable,
        [all, some]: [Entry; 2],
        always: bool,
        wave: &mut Wave,
    ) {
        let exec = wave.mask(self.exec);
        let entry = if exec == u64::MAX { all } else { some };
        if exec != 0 || always {
            code.run(entry, &mut wave.rows, &mut wave.scalars, exec);
        }
    }

    /// Steps as machine code, and the steps of the block behind them.
    fn machine(&mut self, steps: &[Step], behind: &[Step], live: &RegisterSet) -> Piece {
        let written = block::written_masks(steps);
        let always = !written.is_empty();
        let mut whole = written;
        let width = self.assembler.width();
        whole.retain(|pair| *pair == self.exec || read_whole(*pair, behind, width));
        let [all, some] = [true, false].map(|all| {
            let entry = Entry::here(&self.assembler);
            emitter::function(&mut self.assembler, steps, live, &whole, all);
            entry
        });
        self.sources
            .push((self.pieces.len(), steps.to_vec(), live.clone()));
        Piece::Machine { all, some, always }
    }
}

impl Straight for Blocks {
    fn level(&self) -> SimdLevel {
        self.engine.level
    }

    fn add(&mut self, steps: &[Step], live: &RegisterSet) -> Span {
        let first = self.pieces.len() as u32;
        if !self.engine.is_machine() {
            if !steps.is_empty() {
                let piece = self.kernels(steps, live);
                self.pieces.push(piece);
            }
        } else if are_scalar(steps) {
            for some in steps.chunk_by(|a, b| scalars::has_code(a) == scalars::has_code(b)) {
                let piece = match scalars::has_code(&some[0]) {
                    true => self.scalars(some, live),
                    false => self.kernels(some, live),
                };
                self.pieces.push(piece);
            }
        } else {
            let behind = behind(steps, live, self.counts[0]);
            let width = self.assembler.width();
            let mut at = 0;
            while at < steps.len() {
                let means = Means::of(&steps[at], width);
                let mut parts = block::Parts::default();
                let mut cost = 0;
                let fits = |step: &Step| {
                    cost += block::cost(step);
                    Means::of(step, width) == means
                        && (means != Means::Vectors || parts.add(step) && cost <= MOST)
                };
                let count = steps[at..]
                    .iter()
                    .position(not(fits))
                    .unwrap_or(steps.len() - at);
                let end = at + count.max(1);
                let (some, live) = (&steps[at..end], &behind[end - 1]);
                let piece = match means {
                    Means::Vectors => self.machine(some, &steps[end..], live),
                    Means::Scalars => self.scalars(some, live),
                    Means::Kernels => self.kernels(some, live),
                };
                self.pieces.push(piece);
                at = end;
            }
        }
        let end = self.pieces.len() as u32;
        Span { first, end }
    }

    fn link(&mut self, links: &[Link]) {
        let Blocks {
            assembler,
            pieces,
            sources,
            ..
        } = self;
        let part = |at: usize| match pieces[at] {
            Piece::Machine { all, some, always } => Some(Part::Machine { all, some, always }),
            Piece::ScalarCode(_) => {
                let source = sources.binary_search_by_key(&at, |(piece, ..)| *piece);
                source.ok().map(|n| Part::Scalars(&sources[n].1))
            }
            Piece::Kernels(_) | Piece::Scalars(_) => None,
        };
        self.chain = chain::write(assembler, self.exec, links, |link| {
            let steps = link.steps.iter();
            let pieces = steps.flat_map(|span| span.first as usize..span.end as usize);
            pieces.map(part).collect()
        });
    }

    fn follows(&self, block: usize) -> bool {
        self.code.is_some() && self.chain.at(block).is_some()
    }

    #[inline(always)]
    fn follow(
        &self,
        block: usize,
        wave: &mut Wave,
        account: &mut Account,
    ) -> Option<(usize, bool)> {
        let code = self.code.as_ref()?;
        let at = self.chain.at(block)?;
        let end = code.follow(at, &mut wave.rows, &mut wave.scalars, account);
        Some((end as usize / 2, end % 2 == 1))
    }

    fn seal(&mut self) {
        let code = std::mem::take(&mut self.assembler).finish();
        let sources = std::mem::take(&mut self.sources);
        if sources.is_empty() {
            return;
        }
        self.code = Executable::new(self.engine.level, &code, self.counts).map(Arc::new);
        if self.code.is_none() {
            for (piece, steps, live) in sources {
                self.pieces[piece] = Piece::Kernels(self.kernels.add(&steps, &live));
            }
        }
    }

    #[inline(always)]
    fn run(&self, steps: Span, wave: &mut Wave) {
        for piece in &self.pieces[steps.first as usize..steps.end as usize] {
            match piece {
                Piece::Kernels(span) => self.kernels.run(*span, wave),
                Piece::Scalars(span) => self.kernels.run_scalar(*span, wave),
                Piece::ScalarCode(code) => self.run_code(*code, wave),
                Piece::Machine { all, some, always } => {
                    if let Some(code) = &self.code {
                        self.run_machine(code, [*all, *some], *always, wave);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn run_all(&self, steps: Span, waves: &mut [Wave]) {
        let pieces = &self.pieces[steps.first as usize..steps.end as usize];
        // Mostly there is one, chosen once for all waves.
        if let ([Piece::Machine { all, some, always }], Some(code)) = (pieces, &self.code) {
            for wave in waves {
                self.run_machine(code, [*all, *some], *always, wave);
            }
            return;
        }
        for wave in waves {
            self.run(steps, wave);
        }
    }

    #[inline(always)]
    fn run_scalar(&self, steps: Span, wave: &mut Wave) {
        for piece in &self.pieces[steps.first as usize..steps.end as usize] {
            match piece {
                Piece::Kernels(span) | Piece::Scalars(span) => {
                    self.kernels.run_scalar(*span, wave);
                }
                Piece::ScalarCode(code) => self.run_code(*code, wave),
                Piece::Machine { .. } => {}
            }
        }
    }
}

/// Whether all steps compute one value, whichever lanes are enabled.
fn are_scalar(steps: &[Step]) -> bool {
    steps
        .iter()
        .all(|step| matches!(step, Step::Uniform { .. } | Step::UniformWide { .. }))
}

/// Whether the first of these steps that has to do with a scalar pair reads all of it.
fn read_whole(pair: u16, steps: &[Step], width: Width) -> bool {
    let both = [pair, pair + 1];
    let reads = |step: &Step| {
        let read = step.read_scalars().into_iter().flatten();
        Means::of(step, width) != Means::Vectors && read.into_iter().any(|at| both.contains(&at))
    };
    let writes = |step: &Step| step.written_scalars().any(|at| both.contains(&at));
    let first = steps.iter().find(|step| reads(step) || writes(step));
    first.is_some_and(reads)
}

/// The opposite.
fn not(mut holds: impl FnMut(&Step) -> bool) -> impl FnMut(&Step) -> bool {
    move |step| !holds(step)
}

/// Rows that are read behind each step of a block, if `live` are read behind the last.
fn behind(steps: &[Step], live: &RegisterSet, rows: u16) -> Vec<RegisterSet> {
    let mut now = live.clone();
    let mut all = vec![now.clone(); steps.len()];
    for (at, step) in steps.iter().enumerate().rev() {
        all[at] = now.clone();
        let replaces = !matches!(
            step,
            Step::WriteLane { .. }
                | Step::Relative {
                    kind: Move::ToRow,
                    ..
                }
        );
        if replaces {
            now.remove(step.written_rows());
        }
        match step.read_rows() {
            Some(read) => now.add(read.into_iter().flatten()),
            None => now.add(0..rows),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::wave::Batch;

    struct NoPorts;

    impl Ports for NoPorts {
        fn call(
            &mut self,
            _: std::ops::Range<u32>,
            _: Batch<'_>,
        ) -> Result<(), crate::wave::PortFault> {
            panic!("a program without ports");
        }
    }

    /// Code is made, and the host then gives no pages to run it in: kernels do the steps.
    #[test]
    fn kernels_run_what_has_no_pages() {
        let engine = Native {
            level: SimdLevel::BASELINE,
            machine: Some(Width::Sixteen),
        };
        let text = "rows 3\nscalars 4\nexec s0\n0: v1 = FAdd v0, 0x3f800000 ; 0x0 0x0\n\
                    1: mask s2 = FLt v0, v1 ; 0x0 0x0\n2: v2 = FSin v1 ; 0x0 0x0\n\
                    3: v2 = select s2 ? v1 : v2 ; 0x0 0x0\n4: end ; 0x0 0x0\n";
        let program: Program = text.parse().unwrap();
        let prepared = engine.prepare(&program).unwrap();
        let mut wave = Wave::new(3, 4);
        wave.set_mask(0, u64::MAX >> 1);
        engine.run(&prepared, &mut wave, &mut NoPorts).unwrap();
        assert_eq!(wave.mask(2), u64::MAX >> 1);
        for (lane, word) in wave.rows[2].0.iter().enumerate() {
            let expected = if lane < 63 { 1.0f32 } else { 0.0 };
            assert_eq!(*word, expected.to_bits(), "lane {lane}");
        }
    }

    /// A loop of five rounds runs to the step behind it, or to the round whose tick costs too much.
    #[test]
    fn control_goes_on_by_itself() {
        use crate::batch::link::Onward;
        use crate::step::{Src, When};
        let engine = Native::new();
        if !engine.is_machine() {
            return;
        }
        let uniform = |op, dst, src| Step::Uniform { op, dst, src };
        let (zero, count) = (Src::Const(0), Src::Scalar(0));
        let steps = [
            vec![uniform(crate::LaneOp::Mov, 0, [zero; 3])],
            vec![],
            vec![
                uniform(crate::LaneOp::IAdd, 0, [count, Src::Const(1), zero]),
                uniform(crate::LaneOp::ULt, 1, [count, Src::Const(5), zero]),
                Step::Alu {
                    op: crate::LaneOp::IAdd,
                    dst: 0,
                    src: [Src::Row(0), count, zero],
                },
            ],
            vec![],
        ];
        let (instructions, cost) = (3, 2);
        let onward = [
            Onward::Next,
            Onward::Tick { instructions, cost },
            Onward::Branch {
                when: When::NonZero(1),
                to: 1,
            },
            Onward::Out,
        ];
        let program = Program {
            rows: 1,
            scalars: 4,
            exec: 2,
            ..Program::default()
        };
        let mut blocks = Blocks::new(&engine, &program);
        let links: Vec<Link> = steps
            .iter()
            .zip(onward)
            .map(|(steps, then)| Link {
                steps: [Span::default(), blocks.add(steps, &RegisterSet::below(1))],
                then,
            })
            .collect();
        blocks.link(&links);
        blocks.seal();
        let follows: Vec<bool> = (0..4).map(|at| blocks.follows(at)).collect();
        assert_eq!(follows, [true, true, true, false]);
        for (room, expected, rounds) in [(100, (3, true), 5), (5, (1, true), 2)] {
            let mut wave = Wave::new(1, 4);
            wave.set_mask(2, 1 << 63 | 2);
            let mut account = Account::of_room(room);
            let reached = blocks.follow(0, &mut wave, &mut account);
            assert_eq!(reached, Some(expected));
            account.settle(std::slice::from_mut(&mut wave));
            assert_eq!((wave.instructions, wave.cost), (3 * rounds, 2 * rounds));
            let sum = (rounds * (rounds + 1) / 2) as u32;
            let ends = [0, 1, 62, 63].map(|lane| wave.rows[0].0[lane]);
            assert_eq!((wave.scalars[0], ends), (rounds as u32, [0, sum, 0, sum]));
        }
    }

    /// What one step has written by parts, a later one must not take as a number; what it writes afterwards is kept aside.
    #[test]
    fn masks_that_are_numbers_begin_new_code() {
        let none = crate::Src::Const(0);
        let compare = |dst| Step::Compare {
            op: crate::LaneOp::FLt,
            dst,
            src: [crate::Src::Row(0), none, none],
        };
        let number = |at| Step::Alu {
            op: crate::LaneOp::Mov,
            dst: 1,
            src: [crate::Src::Scalar(at), none, none],
        };
        let fits = |steps: [Step; 2]| {
            let mut parts = block::Parts::default();
            steps.iter().all(|step| parts.add(step))
        };
        assert!(fits([compare(2), number(4)]));
        assert!(fits([compare(2), compare(2)]));
        assert!(!fits([compare(2), number(3)]));
        assert!(!fits([compare(2), compare(3)]));
        let mut own = compare(2);
        if let Step::Compare { src, .. } = &mut own {
            src[1] = crate::Src::Scalar(3);
        }
        assert!(block::has_code(&own, Width::Sixteen));
        assert_eq!(block::Parts::saved(&[own, number(4)]), [3]);
        assert!(fits([number(2), compare(2)]));
        assert_eq!(block::Parts::saved(&[number(2), compare(2)]), [2]);
    }
}
