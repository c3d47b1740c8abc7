//! Where ways part and meet: variables become SSA here.
//!
//! A way that leaves early is of two kinds. `break` and `continue` of a loop are jumps. `return`, and `break` out of a
//! `switch`, are not: they set a flag, and what follows is skipped while the flag is set. Most such flags are known
//! to be set or clear where they matter, and then nothing of them is left.

use super::Lowerer;
use crate::error::ShaderError;
use crate::ir::{BlockId, Exit, Terminator, Value};

/// A way to a block, with the variables as they are on it.
pub(super) struct Edge {
    exit: Exit,
    env: Vec<Value>,
}

/// The loop being lowered: its exits and the ways there.
pub(super) struct LoopEdges {
    pub(super) merge: BlockId,
    pub(super) continuing: BlockId,
    pub(super) breaks: Vec<Edge>,
    pub(super) continues: Vec<Edge>,
    /// Flags that may be set on the way out.
    pub(super) pending: Vec<usize>,
}

/// What `break` leaves.
#[derive(Clone, Copy)]
pub(super) enum Breakable {
    /// The innermost loop.
    Loop,
    /// A switch, by setting this slot.
    Switch(usize),
}

/// How control comes out of a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Not at all: every way jumped elsewhere.
    pub(super) left: bool,
    /// Only with a flag set: what follows is skipped.
    pub(super) escaped: bool,
    /// Slots of flags that may be set.
    pub(super) pending: Vec<usize>,
}

impl Flow {
    pub(super) fn left() -> Flow {
        Flow {
            left: true,
            ..Flow::default()
        }
    }

    pub(super) fn escaped(flag: usize) -> Flow {
        Flow {
            left: false,
            escaped: true,
            pending: vec![flag],
        }
    }

    /// Whether nothing that follows is run.
    pub(super) fn ends(&self) -> bool {
        self.left || self.escaped
    }

    pub(super) fn add_pending(&mut self, flags: &[usize]) {
        for flag in flags {
            if !self.pending.contains(flag) {
                self.pending.push(*flag);
            }
        }
    }

    /// Two sides that meet.
    pub(super) fn merge(mut self, other: Flow) -> Flow {
        if self.left {
            return other;
        }
        if other.left {
            return self;
        }
        self.escaped &= other.escaped;
        self.add_pending(&other.pending);
        self
    }
}

impl Lowerer<'_> {
    /// Remembers the variables on a way.
    pub(super) fn edge(&self, exit: Exit) -> Edge {
        Edge {
            exit,
            env: self.env.clone(),
        }
    }

    /// Ends the current block with a jump.
    pub(super) fn jump_edge(&mut self, block: BlockId) -> Edge {
        let exit = self.b.jump(block);
        self.edge(exit)
    }

    /// Starts a block where ways meet. Variables that differ become parameters.
    pub(super) fn meet(&mut self, block: BlockId, edges: Vec<Edge>) {
        self.b.start(block);
        let Some(first) = edges.first() else {
            self.b.end(Terminator::Unreachable);
            return;
        };
        let slots = edges.iter().map(|edge| edge.env.len()).min().unwrap_or(0);
        let mut env = first.env.clone();
        env.truncate(slots);
        for (slot, value) in env.iter_mut().enumerate() {
            if edges.iter().all(|edge| edge.env[slot] == *value) {
                continue;
            }
            *value = self.b.param(block, self.b.ty(*value));
            for edge in &edges {
                self.b.add_argument(edge.exit, edge.env[slot]);
            }
        }
        self.env = env;
    }

    /// Runs two sides of a branch and lets them meet. A condition known now leaves one side only.
    pub(super) fn either<E: From<ShaderError>>(
        &mut self,
        condition: Value,
        yes: impl FnOnce(&mut Self) -> Result<Flow, E>,
        no: impl FnOnce(&mut Self) -> Result<Flow, E>,
    ) -> Result<Flow, E> {
        match self.b.known_bool(condition) {
            Some(true) => return yes(self),
            Some(false) => return no(self),
            None => {}
        }
        self.enter()?;
        let [yes_block, no_block, merge] = [(); 3].map(|()| self.b.block());
        self.b.branch(condition, yes_block, no_block, merge);
        let before = self.env.clone();
        let mut edges = Vec::new();
        self.b.start(yes_block);
        let yes_flow = yes(self)?;
        if !yes_flow.left {
            edges.push(self.jump_edge(merge));
        }
        self.env = before;
        self.b.start(no_block);
        let no_flow = no(self)?;
        if !no_flow.left {
            edges.push(self.jump_edge(merge));
        }
        self.meet(merge, edges);
        self.branches -= 1;
        Ok(yes_flow.merge(no_flow))
    }

    /// Whether one of the flags is set.
    pub(super) fn any_flag(&mut self, flags: &[usize]) -> Value {
        let mut any = self.b.bit(false);
        for &flag in flags {
            any = self.b.or(any, self.env[flag]);
        }
        any
    }

    /// A new flag, clear.
    pub(super) fn flag(&mut self) -> usize {
        let clear = self.b.bit(false);
        self.env.push(clear);
        self.flags.push(self.env.len() - 1);
        self.env.len() - 1
    }

    /// Ends the life of the slots from `mark` on.
    pub(super) fn drop_slots(&mut self, mark: usize) {
        self.env.truncate(mark);
        self.flags.retain(|flag| *flag < mark);
    }

    /// Sets a flag.
    pub(super) fn raise(&mut self, flag: usize) {
        self.env[flag] = self.b.bit(true);
    }
}
