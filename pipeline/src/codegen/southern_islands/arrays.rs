//! Private arrays: in registers, indexed by M0, or in scratch memory. Neighbouring words that a block reads or writes at one
//! index, as those of a vector in an array are, take one loop over the values of that index.

use std::collections::HashMap;

use southern_islands::isa::scalar::{Sop1Op, Sop2Op};
use southern_islands::isa::vector::{VectorOp, Vop1Op};

use super::machine::{Inst, M0, Op, Operand};
use super::select::Select;
use super::spill::{self, Array};
use crate::codegen::Result;
use crate::codegen::definitions::Definitions;
use crate::ir::{Function, Inst as IrInst, LaneOp, Op as IrOp, Origin, Terminator, Value};

/// Words of private arrays that are kept in registers; the longest of the others are in scratch memory.
const REGISTER_WORDS: u32 = 160;
/// Words of a run, at most: a matrix.
const RUN: u32 = 16;

/// The block and the number of an instruction.
type Place = (usize, usize);

/// Accesses of a block to neighbouring words of an array, all loads or all stores.
#[derive(Clone, Debug)]
struct Run {
    block: usize,
    local: u32,
    stores: bool,
    /// Index of the first word.
    index: Value,
    /// Instructions of the block, and how far their words lie behind the first.
    members: Vec<(usize, u32)>,
}

impl Run {
    /// The member that does all: loads come early, stores late.
    fn leader(&self) -> Option<usize> {
        let member = match self.stores {
            true => self.members.last(),
            false => self.members.first(),
        };
        member.map(|(at, _)| *at)
    }
}

/// The runs of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// The run of each member, and whether it is the one that does all.
    of: HashMap<Place, (usize, bool)>,
    /// Words behind each array that stores reach where its last word stands for any outside.
    reach: Vec<u32>,
    /// By value: indices that runs do not look at, and what only those are made of.
    unread: Vec<bool>,
}

impl Runs {
    fn find(function: &Function, defs: &Definitions, uses: &Uses) -> Runs {
        let mut found = Runs {
            reach: vec![0; function.locals.len()],
            ..Runs::default()
        };
        for (block, insts) in function.blocks.iter().map(|block| &block.insts).enumerate() {
            let mut open: Vec<Option<Run>> = vec![None; function.locals.len()];
            for (at, inst) in insts.iter().enumerate() {
                let (local, stores) = match inst.op {
                    IrOp::LoadLocal(local) => (local, false),
                    IrOp::StoreLocal(local) => (local, true),
                    _ => continue,
                };
                let index = inst.args[0];
                let run = &mut open[local as usize];
                let more = run.as_ref().and_then(|run| {
                    let more = behind(defs, run.index, index)?;
                    let words = function.locals[local as usize].words;
                    let may = run.stores == stores
                        && more < words.min(RUN)
                        && may_join(defs, uses, words, inst, more);
                    may.then_some(more)
                });
                match (run, more) {
                    (Some(run), Some(more)) => run.members.push((at, more)),
                    (run, _) => {
                        let next = (defs.constant(index).is_none()).then(|| Run {
                            block,
                            local,
                            stores,
                            index,
                            members: vec![(at, 0)],
                        });
                        found.add(std::mem::replace(run, next), defs);
                    }
                }
            }
            for run in open {
                found.add(run, defs);
            }
        }
        found
    }

    /// Finds indices that runs do not look at in arrays that are `held` in registers.
    fn find_unread(
        &mut self,
        function: &Function,
        defs: &Definitions,
        mut uses: Uses,
        held: impl Fn(u32) -> bool,
    ) {
        self.unread = vec![false; function.types.len()];
        for run in self.runs.iter().filter(|run| held(run.local)) {
            for (at, _) in &run.members {
                let index = function.blocks[run.block].insts[*at].args[0];
                if index != run.index {
                    uses.remove(index, defs, &mut self.unread);
                }
            }
        }
    }

    /// Whether nothing looks at the results of an instruction.
    pub(super) fn is_unread(&self, inst: &IrInst) -> bool {
        let unread = |result: &Value| self.unread.get(result.0 as usize) == Some(&true);
        !inst.results.is_empty() && inst.results.iter().all(unread)
    }

    fn add(&mut self, run: Option<Run>, defs: &Definitions) {
        let Some(run) = run.filter(|run| run.members.len() > 1) else {
            return;
        };
        let number = self.runs.len();
        let leader = run.leader();
        for (at, _) in &run.members {
            self.of
                .insert((run.block, *at), (number, Some(*at) == leader));
        }
        if run.stores && Index::of(defs, run.index).unless.is_some() {
            let most = run.members.iter().map(|(_, more)| *more).max();
            let reach = &mut self.reach[run.local as usize];
            *reach = (*reach).max(most.unwrap_or(0));
        }
        self.runs.push(run);
    }
}

/// An index, and what it is made of.
struct Index {
    /// A condition, and the index that stands for this one where it does not hold.
    unless: Option<(Value, u32)>,
    from: Value,
    more: u32,
}

impl Index {
    fn of(defs: &Definitions, index: Value) -> Index {
        let select = |inst: &IrInst| match (&inst.op, inst.args.as_slice()) {
            (IrOp::Select, &[condition, yes, no]) => {
                defs.constant(no).map(|no| ((condition, no), yes))
            }
            _ => None,
        };
        let (unless, from) = match defs.inst(index).and_then(select) {
            Some((unless, from)) => (Some(unless), from),
            None => (None, index),
        };
        let sum = match defs.alu(from) {
            Some((LaneOp::IAdd, &[a, b])) => match (defs.constant(a), defs.constant(b)) {
                (Some(more), None) => Some((b, more)),
                (None, Some(more)) => Some((a, more)),
                _ => None,
            },
            _ => None,
        };
        let (from, more) = sum.unwrap_or((from, 0));
        Index { unless, from, more }
    }
}

/// How far an index lies behind another, where neither stands for one outside.
fn behind(defs: &Definitions, first: Value, other: Value) -> Option<u32> {
    let (a, b) = (Index::of(defs, first), Index::of(defs, other));
    if first == other {
        Some(0)
    } else if a.unless != b.unless {
        None
    } else if b.from == first {
        Some(b.more)
    } else {
        (a.from == b.from).then(|| b.more.wrapping_sub(a.more))
    }
}

/// Whether an access so far behind the first of a run may be done with it although its index may stand for one outside: a
/// store where the last word takes all such, a load whose result then does not count.
fn may_join(defs: &Definitions, uses: &Uses, words: u32, inst: &IrInst, more: u32) -> bool {
    let Some((condition, outside)) = Index::of(defs, inst.args[0]).unless else {
        return true;
    };
    match inst.results.first() {
        Some(result) => outside + more < words && uses.only_where(*result, condition),
        None => outside + 1 == words,
    }
}

/// Where values are used, and how often.
struct Uses(Vec<(Option<Use>, u32)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// As what a selection takes where a condition holds.
    Where(Value),
    Anywhere,
}

impl Uses {
    fn new(function: &Function) -> Uses {
        let mut uses = Uses(vec![(None, 0); function.types.len()]);
        for block in &function.blocks {
            for inst in &block.insts {
                for (n, arg) in inst.args.iter().enumerate() {
                    uses.add(
                        *arg,
                        match inst.op {
                            IrOp::Select if n == 1 => Use::Where(inst.args[0]),
                            _ => Use::Anywhere,
                        },
                    );
                }
                for access in inst.accesses() {
                    access
                        .element
                        .into_iter()
                        .for_each(|at| uses.add(at, Use::Anywhere));
                }
            }
            for arg in block.end.targets().flat_map(|target| &target.args) {
                uses.add(*arg, Use::Anywhere);
            }
            if let Terminator::Branch { condition, .. } = block.end {
                uses.add(condition, Use::Anywhere);
            }
        }
        uses
    }

    fn add(&mut self, value: Value, new: Use) {
        let (known, count) = &mut self.0[value.0 as usize];
        *known = Some(match *known {
            Some(old) if old != new => Use::Anywhere,
            _ => new,
        });
        *count += 1;
    }

    /// Takes one use away, and those of arithmetic that was there for it alone.
    fn remove(&mut self, value: Value, defs: &Definitions, unread: &mut [bool]) {
        let (_, count) = &mut self.0[value.0 as usize];
        *count -= 1;
        if let (0, Some(inst)) = (*count, defs.inst(value))
            && matches!(inst.op, IrOp::Alu(_) | IrOp::Select)
        {
            unread[value.0 as usize] = true;
            for arg in &inst.args {
                self.remove(*arg, defs, unread);
            }
        }
    }

    /// Whether a value counts only where a condition holds.
    fn only_where(&self, value: Value, condition: Value) -> bool {
        let (known, _) = self.0[value.0 as usize];
        known.is_none_or(|known| known == Use::Where(condition))
    }
}

impl Select<'_> {
    /// Finds places for the private arrays. The shader writes every word before it reads it.
    pub fn make_arrays(&mut self) -> Result<()> {
        let locals = &self.function.locals;
        if locals.is_empty() {
            return Ok(());
        }
        let uses = Uses::new(self.function);
        self.runs = Runs::find(self.function, &self.defs, &uses);
        let mut by_length: Vec<usize> = (0..locals.len()).collect();
        by_length.sort_by_key(|&at| locals[at].words);
        let (mut held, mut stored) = (0, 0);
        let mut arrays = vec![Array::Scratch(0); locals.len()];
        for at in by_length {
            let words = locals[at].words;
            let reached = words + self.runs.reach[at];
            self.origin = locals[at].origin;
            if held + reached <= REGISTER_WORDS {
                held += reached;
                let array = self.code.vector(reached as u8);
                if let Some(group) = self.code.groups.last_mut() {
                    group.keep = true;
                }
                self.push(Inst::new(Op::Undefined, Some(array), Vec::new()));
                arrays[at] = Array::Registers(array);
            } else {
                stored += words;
                if stored > spill::ARRAY_WORDS {
                    return Err(self.unsupported(format!(
                        "{} words of indexed private arrays, more than the {}",
                        locals.iter().map(|local| local.words).sum::<u32>(),
                        spill::ARRAY_WORDS
                    )));
                }
                arrays[at] = Array::Scratch(self.reserve_array(words));
            }
        }
        self.origin = Origin::default();
        let held = |local: u32| matches!(arrays[local as usize], Array::Registers(_));
        self.runs.find_unread(self.function, &self.defs, uses, held);
        self.arrays = arrays;
        Ok(())
    }

    pub fn load_local(&mut self, local: u32, inst: &IrInst) -> Result<()> {
        match (
            self.arrays[local as usize],
            self.defs.constant(inst.args[0]),
        ) {
            (Array::Scratch(first), _) => {
                let dst = self.code.vector(1);
                self.load_array(first, inst.args[0], dst);
                self.define(inst.results[0], dst);
                Ok(())
            }
            (Array::Registers(array), Some(i)) => {
                let dst = self.vector_copy(array.word(i));
                self.define(inst.results[0], dst);
                Ok(())
            }
            (Array::Registers(array), None) => {
                let Some(members) = self.members(inst) else {
                    return Ok(());
                };
                let dsts: Vec<Operand> = members.iter().map(|_| self.code.vector(1)).collect();
                self.with_index(inst.args[0], &mut |select, index| {
                    select.scalar1(Sop1Op::S_MOV_B32, Operand::Code(M0), index);
                    for ((_, more), dst) in members.iter().zip(&dsts) {
                        let op = Op::Vector(VectorOp::One(Vop1Op::V_MOVRELS_B32));
                        select.push(Inst::new(op, Some(*dst), vec![array.word(*more), array]));
                    }
                })?;
                for ((inst, _), dst) in members.iter().zip(dsts) {
                    self.define(inst.results[0], dst);
                }
                Ok(())
            }
        }
    }

    pub fn store_local(&mut self, local: u32, inst: &IrInst) -> Result<()> {
        let value = inst.args[1];
        match (
            self.arrays[local as usize],
            self.defs.constant(inst.args[0]),
        ) {
            (Array::Scratch(first), _) => {
                let value = self.vector_word(value);
                self.store_array(first, inst.args[0], value);
                Ok(())
            }
            (Array::Registers(array), Some(i)) => {
                let value = self.word(value);
                self.vector_move(array.word(i), value);
                Ok(())
            }
            (Array::Registers(array), None) => {
                let Some(members) = self.members(inst) else {
                    return Ok(());
                };
                let values: Vec<Operand> = members
                    .iter()
                    .map(|(inst, _)| self.vector_word(inst.args[1]))
                    .collect();
                let first = members.iter().find(|(_, more)| *more == 0);
                let index = first.map_or(inst, |(first, _)| first).args[0];
                self.with_index(index, &mut |select, index| {
                    for ((_, more), value) in members.iter().zip(&values) {
                        let m0 = Operand::Code(M0);
                        match more {
                            0 => select.scalar1(Sop1Op::S_MOV_B32, m0, index),
                            _ => {
                                select.scalar2(Sop2Op::S_ADD_U32, m0, index, Operand::Const(*more))
                            }
                        }
                        let op = Op::Vector(VectorOp::One(Vop1Op::V_MOVRELD_B32));
                        select.push(Inst::new(op, Some(array), vec![*value, array]));
                    }
                })
            }
        }
    }

    /// What is to be done at an access: it, or its run, each with the distance behind the first index; `None` if another
    /// one of the run does it.
    fn members<'a>(&self, inst: &'a IrInst) -> Option<Vec<(&'a IrInst, u32)>>
    where
        Self: 'a,
    {
        let (block, _) = self.place;
        match self.runs.of.get(&self.place) {
            None => Some(vec![(inst, 0)]),
            Some((_, false)) => None,
            Some((run, true)) => {
                let insts = &self.function.blocks[block].insts;
                let members = self.runs.runs[*run].members.iter();
                Some(members.map(|(at, more)| (&insts[*at], *more)).collect())
            }
        }
    }

    /// Runs `body` with an index in a scalar, once for each value among the lanes.
    fn with_index(&mut self, index: Value, body: &mut dyn FnMut(&mut Self, Operand)) -> Result<()> {
        let word = self.word(index);
        if !self.structure.is_divergent(index) {
            let scalar = self.in_scalar(word);
            body(self, scalar);
            return Ok(());
        }
        self.for_each_value(word, &mut |select, scalar| {
            body(select, scalar);
            Ok(())
        })
    }
}
