//! Writes one entry point: a builder, the current values of variables, and the limits of what is written.
//!
//! Front ends lower with a writer: `place`, `flow`, `operator`, `math`, `bits`, `transcendental` and `image` add to it what
//! they share. Whoever lowers sets the builder's origin, which is where errors are.

use std::collections::HashMap;
use std::rc::Rc;

use super::types::{Kind, Ty};
use super::{BRANCH_DEPTH, INSTRUCTIONS, Result, VALUE_WORDS};
use crate::error::{At, ShaderError};
use crate::ir::{Builder, Function, ImageKind, LaneOp, Op, Stage, Terminator, Text, Type, Value};

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A variable: any statement may change it.
    Variable,
    /// A flag that leads out of every loop in which it is raised, see `flow`.
    Flag,
    /// A value that is written before it is read in every round of a loop.
    Settled,
}

/// An entry point being written.
pub(crate) struct Writer {
    pub(crate) b: Builder,
    /// Current value of every variable word ("slot").
    pub(crate) env: Vec<Value>,
    /// By slot: what it is, as far as slots were ever made.
    slots: Vec<Slot>,
    /// Private arrays that hold constant tables.
    pub(super) tables: HashMap<Rc<[Value]>, u32>,
    /// Branches and loops around what is being written.
    pub(super) branches: usize,
    text: Text,
}

impl Writer {
    /// Starts an entry point; origins are places of `text`.
    pub(crate) fn new(name: &str, stage: Stage, text: Text) -> Writer {
        Writer {
            b: Builder::new(name, stage),
            env: Vec::new(),
            slots: Vec::new(),
            tables: HashMap::new(),
            branches: 0,
            text,
        }
    }

    /// New slots with these values; the first of them.
    pub(crate) fn slots(&mut self, of: Slot, values: &[Value]) -> usize {
        let first = self.env.len();
        self.env.extend(values);
        self.slots.truncate(first);
        self.slots.resize(self.env.len(), of);
        first
    }

    /// What a slot is for.
    pub(crate) fn slot(&self, slot: usize) -> Slot {
        self.slots[slot]
    }

    /// Refuses what no device has, at the current origin.
    pub(crate) fn refuse<T>(&self, feature: impl Into<String>) -> Result<T> {
        Err(ShaderError::Unsupported {
            feature: feature.into(),
            at: self.here(),
        })
    }

    /// The current origin in the text.
    pub(crate) fn here(&self) -> At {
        self.text.locate(self.b.origin())
    }

    fn too_large<T>(&self, what: &'static str, needed: u64, limit: u64) -> Result<T> {
        Err(ShaderError::TooLarge {
            what,
            needed,
            limit,
            at: self.here(),
        })
    }

    /// Refuses what inlining has made too large.
    pub(crate) fn check_size(&self) -> Result<()> {
        let written = self.b.written();
        if written > INSTRUCTIONS {
            return self.too_large("instructions", written as u64, INSTRUCTIONS as u64);
        }
        Ok(())
    }

    /// Goes into a branch or a loop, unless there are too many around it.
    pub(crate) fn enter(&mut self) -> Result<()> {
        self.branches += 1;
        if self.branches > BRANCH_DEPTH {
            let (needed, limit) = (self.branches as u64, BRANCH_DEPTH as u64);
            return self.too_large("branches inside each other", needed, limit);
        }
        Ok(())
    }

    /// Comes out of a branch or a loop.
    pub(crate) fn leave(&mut self) {
        self.branches -= 1;
    }

    /// Refuses values and variables that are too large to take apart.
    pub(crate) fn check_words(&self, ty: &Ty) -> Result<u32> {
        let words = ty.words();
        if words > VALUE_WORDS {
            return self.too_large("words in one value", words, VALUE_WORDS);
        }
        Ok(words as u32)
    }

    /// Words that a vertex of a fragment's primitive has, from the inputs that are their halves.
    pub(crate) fn corner_words(
        &mut self,
        vertex: u32,
        [lower, upper]: [u32; 2],
        (first, count): (u32, usize),
    ) -> Vec<Value> {
        let [lower, upper] = [lower, upper].map(|input| {
            let op = Op::VertexInput {
                vertex,
                input,
                first,
            };
            let types = vec![Type::Word; count];
            self.b.inst(op, Vec::new(), &types)
        });
        let halves = lower.into_iter().zip(upper);
        let bits = self.b.word(16);
        halves
            .map(|(lower, upper)| {
                let [lower, upper] =
                    [lower, upper].map(|half| self.b.alu(LaneOp::F32ToU32, &[half]));
                let upper = self.b.alu(LaneOp::Shl, &[upper, bits]);
                self.b.alu(LaneOp::Or, &[lower, upper])
            })
            .collect()
    }

    /// The zero of a kind.
    pub(crate) fn zero(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Bool => self.b.bit(false),
            _ => self.b.word(0),
        }
    }

    /// The zero value of a type, leaf by leaf.
    pub(crate) fn zeros(&mut self, ty: &Ty) -> Result<Vec<Value>> {
        self.check_words(ty)?;
        let mut kinds = Vec::new();
        ty.leaves(0, &mut |kind, _| kinds.push(kind));
        Ok(kinds.into_iter().map(|kind| self.zero(kind)).collect())
    }

    /// The entry point, ended and cleaned.
    pub(crate) fn finish(mut self) -> Function {
        self.b.end(Terminator::Return);
        self.note_effects();
        let mut function = self.b.finish();
        function.text = self.text;
        crate::passes::clean(&mut function);
        debug_assert_eq!(
            crate::ir::verify(&function),
            Ok(()),
            "{}",
            crate::ir::print(&function)
        );
        function
    }

    /// Notes whether the function stores to memory.
    fn note_effects(&mut self) {
        let function = self.b.function();
        let effect = |op: &Op| match op {
            Op::StoreBuffer(_) | Op::AtomicBuffer(..) => true,
            Op::Image(image) => matches!(image.kind, ImageKind::Store | ImageKind::Atomic(_)),
            _ => false,
        };
        let any = function.insts().any(|inst| effect(&inst.op));
        function.interface.side_effects = any;
    }
}
