//! Programs of both stages, lifted and prepared once and found again by their words and how they run.

use std::sync::Arc;

use lanes::{DefaultEngine, LaneOp, Liveness, Program, Src, Step, Wave};
use radeon::r6xx::waves::LoadedProgram;

use crate::CHIP;
use crate::isa::{pvs, us};

/// Programs that are kept; a full list is dropped whole.
const MOST: usize = 128;

/// A program of a stage, `N` words an instruction.
pub(super) trait Stage<const N: usize>: Sized {
    /// What beside the words says how it runs.
    type Key: Copy + PartialEq;
    /// Scalars that waves differ in when they start.
    const MASKS: &'static [u16];

    /// Lifts it.
    fn lift(code: &[[u32; N]], key: &Self::Key) -> Result<Self, String>;
    /// Its steps.
    fn program(&mut self) -> &mut Program;
    /// Rows that are looked at when it has ended.
    fn results(&self) -> Vec<u16>;
}

impl Stage<4> for pvs::Lifted {
    type Key = pvs::Control;
    const MASKS: &'static [u16] = &[pvs::ACTIVE, pvs::ACTIVE + 1];

    fn lift(code: &[[u32; 4]], key: &pvs::Control) -> Result<pvs::Lifted, String> {
        pvs::lift(code, key).map_err(|error| format!("the vertex program: {error}"))
    }

    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn results(&self) -> Vec<u16> {
        self.layout.outputs.clone().collect()
    }
}

impl Stage<6> for us::Lifted {
    type Key = us::Setup;
    const MASKS: &'static [u16] = &[us::ACTIVE, us::ACTIVE + 1, us::COVERED, us::COVERED + 1];

    fn lift(code: &[[u32; 6]], key: &us::Setup) -> Result<us::Lifted, String> {
        us::lift(code, key).map_err(|error| format!("the pixel program: {error}"))
    }

    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn results(&self) -> Vec<u16> {
        let targets = self.layout.targets.iter().flatten();
        let rows = targets.flat_map(|first| *first..first + 4);
        rows.chain(self.layout.depth).collect()
    }
}

/// A program ready to run.
pub(super) struct Shader<S: Stage<N>, const N: usize> {
    key: S::Key,
    code: Vec<[u32; N]>,
    /// What it was lifted to.
    pub(super) lifted: S,
    pub(super) loaded: LoadedProgram,
    /// Rows that something reads.
    pub(super) read: Vec<bool>,
    /// Rows that something may see before the program writes them.
    pub(super) cleared: Vec<u16>,
    /// Results that the program would only copy, and the rows that hold them.
    forwarded: Vec<(u16, u16)>,
    /// It may stop: it has loops, indices, or ways that end in a trap.
    pub(super) may_stop: bool,
}

/// The programs of a stage.
pub(super) struct Programs<S: Stage<N>, const N: usize> {
    kept: Vec<Arc<Shader<S, N>>>,
}

impl<S: Stage<N>, const N: usize> Default for Programs<S, N> {
    fn default() -> Self {
        Programs { kept: Vec::new() }
    }
}

impl<S: Stage<N>, const N: usize> Programs<S, N> {
    /// The program in this code memory.
    pub(super) fn get(
        &mut self,
        engine: &DefaultEngine,
        key: S::Key,
        code: &[[u32; N]],
    ) -> Result<Arc<Shader<S, N>>, String> {
        let same = |shader: &&Arc<Shader<S, N>>| shader.key == key && shader.code == code;
        if let Some(kept) = self.kept.iter().find(same) {
            return Ok(kept.clone());
        }
        let shader = Arc::new(Shader::new(engine, key, code)?);
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        self.kept.push(shader.clone());
        Ok(shader)
    }
}

impl<S: Stage<N>, const N: usize> Shader<S, N> {
    fn new(engine: &DefaultEngine, key: S::Key, code: &[[u32; N]]) -> Result<Self, String> {
        let mut lifted = S::lift(code, &key)?;
        lifted.program().per_wave = S::MASKS.to_vec();
        let mut results = lifted.results();
        let forwarded = forward(lifted.program(), &results);
        for row in &mut results {
            *row = held(&forwarded, *row);
        }
        let loaded = LoadedProgram::new(CHIP, 0, engine, lifted.program());
        let loaded = loaded.map_err(|error| error.to_string())?;
        let live = Liveness::new(lifted.program());
        let mut read: Vec<bool> = live.rows.iter().map(|row| row.read).collect();
        for (_, row) in &forwarded {
            read[usize::from(*row)] = true;
        }
        let rows = 0..lifted.program().rows;
        let wanted = |row: &u16| {
            let written = live.rows[usize::from(*row)].written_first;
            (read[usize::from(*row)] || results.contains(row)) && !written
        };
        let mut steps = (0..).zip(&lifted.program().steps);
        let may_stop = steps.any(|(at, step)| match step {
            Step::Branch { to, .. } => *to <= at,
            Step::Indirect { .. } | Step::Relative { .. } | Step::Trap { .. } => true,
            _ => false,
        });
        Ok(Shader {
            may_stop,
            key,
            code: code.to_vec(),
            loaded,
            cleared: rows.filter(wanted).collect(),
            read,
            lifted,
            forwarded,
        })
    }

    /// The row that has a result when the program has ended.
    pub(super) fn result(&self, row: u16) -> u16 {
        held(&self.forwarded, row)
    }

    /// Scalars that waves start with.
    pub(super) fn scalars<C: Copy>(
        &self,
        constants: &[(C, u16)],
        value: impl Fn(C) -> u32,
    ) -> Vec<u32> {
        let mut scalars = vec![0; self.loaded.scalars];
        for (constant, scalar) in constants {
            scalars[usize::from(*scalar)] = value(*constant);
        }
        scalars
    }

    /// Starts a wave with these scalars and with zeros in some rows.
    pub(super) fn start(
        &self,
        wave: &mut Wave,
        cleared: &[u16],
        scalars: &[u32],
        lanes: u64,
        limit: u64,
    ) {
        for row in cleared {
            wave.rows[usize::from(*row)].0.fill(0);
        }
        let count = wave.scalars.len().min(scalars.len());
        wave.scalars[..count].copy_from_slice(&scalars[..count]);
        for pair in S::MASKS.iter().step_by(2) {
            wave.set_mask(*pair, lanes);
        }
        wave.restart(limit);
    }
}

fn held(forwarded: &[(u16, u16)], row: u16) -> u16 {
    let found = forwarded.iter().find(|(result, _)| *result == row);
    found.map_or(row, |(_, from)| *from)
}

/// Takes out the last steps of a program without branches that copy rows to results: the rows keep what was copied. Each
/// stands for one result, as what follows a program may change them.
fn forward(program: &mut Program, results: &[u16]) -> Vec<(u16, u16)> {
    let jumps = |step: &Step| matches!(step, Step::Branch { .. } | Step::Indirect { .. });
    if !program.entries.is_empty() || program.steps.iter().any(jumps) {
        return Vec::new();
    }
    let kept = 0..program.rows - program.temporaries;
    let mut keep = vec![true; program.steps.len()];
    let mut found: Vec<(u16, u16)> = Vec::new();
    for (at, step) in program.steps.iter().enumerate() {
        let Step::Alu {
            op: LaneOp::Mov,
            dst,
            src: [Src::Row(from), ..],
        } = *step
        else {
            continue;
        };
        let writes = |step: &Step, row: u16| step.written_rows().contains(&row);
        let reads = |step: &Step, row: u16| {
            let rows = step.read_rows();
            rows.is_none_or(|rows| rows.iter().any(|rows| rows.contains(&row)))
        };
        let (before, after) = program.steps.split_at(at);
        let after = &after[1..];
        let is_last = !after
            .iter()
            .any(|step| writes(step, from) || writes(step, dst));
        let all = || before.iter().chain(after);
        let only =
            !all().any(|step| reads(step, dst)) && !before.iter().any(|step| writes(step, dst));
        let taken = results.contains(&from) || found.iter().any(|(_, row)| *row == from);
        if results.contains(&dst) && is_last && only && !taken && kept.contains(&from) {
            keep[at] = false;
            found.push((dst, from));
        }
    }
    let mut keeps = keep.iter();
    program
        .steps
        .retain(|_| keeps.next().is_none_or(|keep| *keep));
    let mut keeps = keep.iter();
    program
        .origins
        .retain(|_| keeps.next().is_none_or(|keep| *keep));
    found
}
