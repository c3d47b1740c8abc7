//! Where ways part and meet: variables become SSA here.
//!
//! A way that leaves early is of two kinds. `break` and `continue` of a loop are jumps. `return`, and `break` out of a
//! `switch`, are not: they set a flag, and what follows is skipped while the flag is set. Most such flags are known
//! to be set or clear where they matter, and then nothing of them is left.

use std::ops::DerefMut;

use super::{Slot, Writer};
use crate::error::ShaderError;
use crate::ir::{BlockId, Exit, Loop, Terminator, Value};

/// A way to a block, with the variables as they are on it.
pub(crate) struct Edge {
    exit: Exit,
    env: Vec<Value>,
}

/// The loop being lowered: its exits and the ways there.
pub(crate) struct LoopEdges {
    pub(crate) merge: BlockId,
    pub(crate) continuing: BlockId,
    pub(crate) breaks: Vec<Edge>,
    pub(crate) continues: Vec<Edge>,
    /// Flags that may be set on the way out.
    pub(crate) pending: Vec<usize>,
}

/// A loop that was opened.
pub(crate) struct LoopHead {
    pub(crate) header: BlockId,
    pub(crate) continuing: BlockId,
    pub(crate) merge: BlockId,
    /// Slots that are parameters of the header.
    slots: Vec<usize>,
    /// Slots that there were before.
    pub(crate) mark: usize,
}

/// What `break` leaves.
#[derive(Clone, Copy)]
pub(crate) enum Breakable {
    /// The innermost loop.
    Loop,
    /// A switch, by setting this slot.
    Switch(usize),
}

/// How control comes out of a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    /// Not at all: every way jumped elsewhere.
    pub(crate) left: bool,
    /// Only with a flag set: what follows is skipped.
    pub(crate) escaped: bool,
    /// Slots of flags that may be set.
    pub(crate) pending: Vec<usize>,
}

impl Flow {
    pub(crate) fn left() -> Flow {
        Flow {
            left: true,
            ..Flow::default()
        }
    }

    pub(crate) fn escaped(flag: usize) -> Flow {
        Flow {
            left: false,
            escaped: true,
            pending: vec![flag],
        }
    }

    /// Whether nothing that follows is run.
    pub(crate) fn ends(&self) -> bool {
        self.left || self.escaped
    }

    pub(crate) fn add_pending(&mut self, flags: &[usize]) {
        for flag in flags {
            if !self.pending.contains(flag) {
                self.pending.push(*flag);
            }
        }
    }

    /// Two sides that meet.
    pub(crate) fn merge(mut self, other: Flow) -> Flow {
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

impl Writer {
    /// Remembers the variables on a way.
    pub(crate) fn edge(&self, exit: Exit) -> Edge {
        Edge {
            exit,
            env: self.env.clone(),
        }
    }

    /// Ends the current block with a jump.
    pub(crate) fn jump_edge(&mut self, block: BlockId) -> Edge {
        let exit = self.b.jump(block);
        self.edge(exit)
    }

    /// Starts a block where ways meet. Variables that differ become parameters; slots from `mark` on come to their end.
    pub(crate) fn meet(&mut self, block: BlockId, edges: Vec<Edge>, mark: usize) {
        self.b.start(block);
        let Some(first) = edges.first() else {
            self.b.end(Terminator::Unreachable);
            self.env.truncate(mark);
            return;
        };
        let slots = edges.iter().map(|edge| edge.env.len()).min().unwrap_or(0);
        let slots = slots.min(mark);
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

    /// Starts a loop in its header. Variables, and the slots that `more` lists, may change in it: they become parameters, of
    /// which those that turn out to be superfluous are removed afterwards.
    pub(crate) fn open_loop(&mut self, more: &[usize]) -> Result<LoopHead, ShaderError> {
        self.enter()?;
        let [header, continuing, merge] = [(); 3].map(|()| self.b.block());
        let entry = self.b.jump(header);
        self.b.start(header);
        self.b.set_loop(header, Loop { merge, continuing });
        let mut slots = Vec::new();
        for slot in 0..self.env.len() {
            if self.slot(slot) == Slot::Variable || more.contains(&slot) {
                let value = self.env[slot];
                let param = self.b.param(header, self.b.ty(value));
                self.b.add_argument(entry, value);
                self.env[slot] = param;
                slots.push(slot);
            }
        }
        Ok(LoopHead {
            header,
            continuing,
            merge,
            slots,
            mark: self.env.len(),
        })
    }

    /// Hands the variables to the header on the way back.
    pub(crate) fn close_loop(&mut self, head: &LoopHead, back: Exit) {
        for &slot in &head.slots {
            self.b.add_argument(back, self.env[slot]);
        }
    }

    /// Whether one of the flags is set.
    pub(crate) fn any_flag(&mut self, flags: &[usize]) -> Value {
        let mut any = self.b.bit(false);
        for &flag in flags {
            any = self.b.or(any, self.env[flag]);
        }
        any
    }

    /// A new flag, clear.
    pub(crate) fn flag(&mut self) -> usize {
        let clear = self.b.bit(false);
        self.slots(Slot::Flag, &[clear])
    }

    /// Ends the life of the slots from `mark` on.
    pub(crate) fn drop_slots(&mut self, mark: usize) {
        self.env.truncate(mark);
    }

    /// Sets a flag.
    pub(crate) fn raise(&mut self, flag: usize) {
        self.env[flag] = self.b.bit(true);
    }
}

/// Whoever lowers with a [`Writer`].
pub(crate) trait Branching: DerefMut<Target = Writer> {
    /// Runs two sides of a branch and lets them meet. A condition known now leaves one side only.
    fn either<E: From<ShaderError>>(
        &mut self,
        condition: Value,
        yes: impl FnOnce(&mut Self) -> Result<Flow, E>,
        no: impl FnOnce(&mut Self) -> Result<Flow, E>,
    ) -> Result<Flow, E>
    where
        Self: Sized,
    {
        match self.b.known_bool(condition) {
            Some(true) => return yes(self),
            Some(false) => return no(self),
            None => {}
        }
        self.enter()?;
        let [yes_block, no_block, merge] = [(); 3].map(|()| self.b.block());
        self.b.branch(condition, yes_block, no_block, merge);
        let before = self.env.clone();
        let mark = before.len();
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
        self.meet(merge, edges, mark);
        self.leave();
        Ok(yes_flow.merge(no_flow))
    }
}

impl<T: DerefMut<Target = Writer>> Branching for T {}
