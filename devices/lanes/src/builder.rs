//! The builder that lifters write programs with.

use crate::analysis::PortEffects;
use crate::op::LaneOp;
use crate::step::{Origin, Program, Src, Step, When};

/// A place in a program that can be branched to before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(u32);

/// Collects steps; labels are resolved by [`Builder::finish`].
#[derive(Debug, Default)]
pub struct Builder {
    program: Program,
    labels: Vec<Option<u32>>,
    origin: Origin,
}

impl Builder {
    /// An empty program whose execution mask is the scalar pair `exec`.
    pub fn new(exec: u16) -> Builder {
        Builder {
            program: Program {
                exec,
                ..Program::default()
            },
            ..Builder::default()
        }
    }

    /// Sets where the following steps come from.
    pub fn origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// Appends a step.
    pub fn push(&mut self, step: Step) {
        self.program.steps.push(step);
        self.program.origins.push(self.origin);
    }

    /// Appends a way out through the next port, which has these effects, and gives its number.
    pub fn port(&mut self, effects: PortEffects) -> u32 {
        let port = self.program.ports.len() as u32;
        self.program.ports.push(effects);
        self.push(Step::Port { port });
        port
    }

    /// Appends `row[dst] = op(src)`.
    pub fn alu(&mut self, op: LaneOp, dst: u16, src: &[Src]) {
        self.push(Step::Alu {
            op,
            dst,
            src: pad(src),
        });
    }

    /// Appends `scalar[dst] = op(src)`.
    pub fn uniform(&mut self, op: LaneOp, dst: u16, src: &[Src]) {
        self.push(Step::Uniform {
            op,
            dst,
            src: pad(src),
        });
    }

    /// Appends a stop with a reason.
    pub fn trap(&mut self, reason: impl Into<String>) {
        let index = self.program.reasons.len() as u32;
        self.program.reasons.push(reason.into());
        self.push(Step::Trap { reason: index });
    }

    /// A new label, not yet placed.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Places a label before the next step.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.program.steps.len() as u32);
    }

    /// Appends a branch to a label.
    pub fn branch(&mut self, when: When, label: Label) {
        self.push(Step::Branch { when, to: label.0 });
    }

    /// Lets `Step::Indirect` jump to the next step by this byte address.
    pub fn entry(&mut self, address: u64) {
        self.program
            .entries
            .push((address, self.program.steps.len() as u32));
    }

    /// Number of steps so far.
    pub fn len(&self) -> usize {
        self.program.steps.len()
    }

    /// Whether nothing was appended yet.
    pub fn is_empty(&self) -> bool {
        self.program.steps.is_empty()
    }

    /// Resolves labels and states how many registers a wave needs. A label that was never placed ends the program.
    pub fn finish(mut self, rows: u16, scalars: u16) -> Program {
        let end = self.program.steps.len() as u32;
        self.push(Step::End);
        for step in &mut self.program.steps {
            if let Step::Branch { to, .. } = step {
                *to = self.labels[*to as usize].unwrap_or(end);
            }
        }
        self.program.entries.sort_unstable();
        self.program.rows = rows;
        self.program.scalars = scalars;
        self.program
    }
}

fn pad(src: &[Src]) -> [Src; 3] {
    std::array::from_fn(|i| src.get(i).copied().unwrap_or(Src::Const(0)))
}
