//! Functions as graphs of blocks, checked: every block ends once, ids are used where their definitions reach.
//! [SPIRV 2.11, 2.16]

use std::collections::HashMap;
use std::ops::Range;

use spirv::Op;

use super::module::{Module, Result};
use super::types::Type;
use super::words::{Inst, too_large};

/// Most blocks of a module.
const BLOCKS: usize = 100_000;

/// A function with a body.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) id: u32,
    /// Type of the result.
    pub(super) result: u32,
    /// Id and type of each parameter.
    pub(super) params: Vec<(u32, u32)>,
    /// The first is the entry.
    pub(super) blocks: Vec<Block>,
    /// Instructions from the first label to the last end.
    pub(super) insts: Range<usize>,
    /// Ids whose values are used in other blocks than the one that defines them, and those of phis.
    pub(super) crossing: Vec<u32>,
    /// By the block that jumps and the one it jumps to: what phis become.
    pub(super) arrivals: Arrivals,
    pub(super) labels: HashMap<u32, usize>,
}

/// A basic block. Other blocks are numbers of blocks of the function.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) label: u32,
    /// Instructions between label and merge or end.
    pub(super) insts: Range<usize>,
    /// Number of the instruction that ends it.
    pub(super) last: usize,
    pub(super) merge: Option<Merge>,
    pub(super) end: End,
    /// Blocks that jump here.
    pub(super) before: Vec<usize>,
    /// Place in reverse postorder; none where control never comes.
    pub(super) order: Option<usize>,
    /// Places in the tree of dominators of what it dominates, itself the first; empty where control never comes.
    below: Range<usize>,
}

/// What a phi becomes on a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) phi: u32,
    pub(super) value: u32,
}

/// The construct that a block heads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Merge {
    Selection(usize),
    Loop { merge: usize, continuing: usize },
}

/// How a block ends.
#[derive(Clone, Debug)]
pub(super) enum End {
    Branch(usize),
    Conditional {
        condition: u32,
        sides: [usize; 2],
    },
    Switch {
        selector: u32,
        default: usize,
        /// Literals, low word first, and blocks.
        cases: Vec<([u32; 2], usize)>,
    },
    Return(Option<u32>),
    Kill,
    Unreachable,
}

impl Block {
    /// Where it may go.
    pub(super) fn targets(&self) -> Vec<usize> {
        match &self.end {
            End::Branch(target) => vec![*target],
            End::Conditional { sides, .. } => sides.to_vec(),
            End::Switch { default, cases, .. } => {
                let cases = cases.iter().map(|(_, target)| *target);
                std::iter::once(*default).chain(cases).collect()
            }
            End::Return(_) | End::Kill | End::Unreachable => Vec::new(),
        }
    }
}

impl Function {
    /// Whether every way to a block leads over another (or they are the same).
    pub(super) fn dominates(&self, above: usize, below: usize) -> bool {
        let (above, below) = (&self.blocks[above].below, &self.blocks[below].below);
        above.start <= below.start && below.start < above.end
    }

    pub(super) fn reachable(&self, block: usize) -> bool {
        self.blocks[block].order.is_some()
    }

    /// Orders the blocks and finds what dominates each. [Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm]
    fn order(&mut self) {
        let mut postorder = Vec::new();
        let mut seen = vec![false; self.blocks.len()];
        let mut open = vec![(0, self.blocks[0].targets())];
        seen[0] = true;
        while let Some((block, targets)) = open.last_mut() {
            match targets.pop() {
                Some(next) if seen[next] => {}
                Some(next) => {
                    seen[next] = true;
                    open.push((next, self.blocks[next].targets()));
                }
                None => {
                    postorder.push(*block);
                    open.pop();
                }
            }
        }
        let count = postorder.len();
        for (at, &block) in postorder.iter().enumerate() {
            self.blocks[block].order = Some(count - 1 - at);
            for next in self.blocks[block].targets() {
                self.blocks[next].before.push(block);
            }
        }
        for block in &mut self.blocks {
            block.before.dedup();
        }
        let mut above: Vec<Option<usize>> = vec![None; self.blocks.len()];
        above[0] = Some(0);
        let order = |block: usize| self.blocks[block].order;
        loop {
            let mut changed = false;
            for &block in postorder.iter().rev().skip(1) {
                let mut found: Option<usize> = None;
                for &before in &self.blocks[block].before {
                    if above[before].is_none() {
                        continue;
                    }
                    found = Some(match found {
                        None => before,
                        Some(mut a) => {
                            let mut b = before;
                            while a != b {
                                while order(a) > order(b) {
                                    a = above[a].unwrap_or(0);
                                }
                                while order(b) > order(a) {
                                    b = above[b].unwrap_or(0);
                                }
                            }
                            a
                        }
                    });
                }
                changed |= found != above[block];
                above[block] = found;
            }
            if !changed {
                break;
            }
        }
        let mut children = vec![Vec::new(); self.blocks.len()];
        for &block in &postorder {
            if let Some(above) = above[block].filter(|above| *above != block) {
                children[above].push(block);
            }
        }
        let mut open = vec![(0, 0)];
        let mut place = 0;
        while let Some((block, child)) = open.pop() {
            if child == 0 {
                self.blocks[block].below.start = place;
                place += 1;
            }
            match children[block].get(child) {
                Some(&next) => open.extend([(block, child + 1), (next, 0)]),
                None => self.blocks[block].below.end = place,
            }
        }
    }
}

/// By the block that jumps and the one it jumps to.
pub(super) type Arrivals = HashMap<(usize, usize), Vec<Arrival>>;

impl Module {
    /// Reads the functions from an instruction on.
    pub(super) fn read_functions(&mut self, first: usize) -> Result<()> {
        let mut at = first;
        let mut blocks = 0;
        while at < self.words.insts.len() {
            let inst = self.words.insts[at];
            match inst.op {
                Op::Function => {
                    let (function, next) = self.read_function(at)?;
                    at = next;
                    blocks += function.blocks.len();
                    if blocks > BLOCKS {
                        return Err(too_large("blocks", blocks, BLOCKS));
                    }
                    self.function_of.insert(function.id, self.functions.len());
                    self.functions.push(function);
                }
                Op::Line | Op::NoLine | Op::ExtInst | Op::Nop => at += 1,
                _ => return Err(self.error(&inst, "it stands outside of a function")),
            }
        }
        for at in 0..self.functions.len() {
            let (crossing, arrivals) = self.check_uses(&self.functions[at])?;
            self.functions[at].crossing = crossing;
            self.functions[at].arrivals = arrivals;
        }
        Ok(())
    }

    fn read_function(&self, first: usize) -> Result<(Function, usize)> {
        let head = self.words.insts[first];
        let of = self.words.operand(&head, 1)?;
        let Some(Type::Function(result, types)) = self.types.get(&of) else {
            return Err(self.error(&head, format!("%{of} is no type of functions")));
        };
        let mut params = Vec::new();
        let mut at = first + 1;
        let mut starts = Vec::new();
        let end = loop {
            let Some(inst) = self.words.insts.get(at) else {
                return Err(self.error(&head, "it has no end"));
            };
            match inst.op {
                Op::FunctionEnd => break at,
                Op::FunctionParameter if starts.is_empty() => params.push((inst.id, inst.ty)),
                Op::Label => starts.push(at),
                Op::Function => return Err(self.error(inst, "it stands in a function")),
                _ => {}
            }
            at += 1;
        };
        if *result != head.ty || !params.iter().map(|(_, ty)| ty).eq(types.iter()) {
            return Err(self.error(&head, format!("it is no function of type %{of}")));
        }
        let Some(&start) = starts.first() else {
            return self.lacks(&head, "a function without a body");
        };
        let labels: HashMap<u32, usize> = starts
            .iter()
            .enumerate()
            .map(|(number, at)| (self.words.insts[*at].id, number))
            .collect();
        let mut blocks = Vec::with_capacity(starts.len());
        for (number, &from) in starts.iter().enumerate() {
            let to = starts.get(number + 1).copied().unwrap_or(end);
            blocks.push(self.read_block(from, to, &labels)?);
        }
        let mut function = Function {
            id: head.id,
            result: *result,
            params,
            blocks,
            insts: start..end,
            crossing: Vec::new(),
            arrivals: HashMap::new(),
            labels,
        };
        function.order();
        if !function.blocks[0].before.is_empty() {
            return Err(self.error(&head, "a jump leads back to its first block"));
        }
        Ok((function, end + 1))
    }

    /// Whether an id is of 64 bits.
    fn is_wide(&self, id: u32) -> bool {
        let ty = self.definition(id).and_then(|of| self.types.get(&of.ty));
        matches!(ty, Some(Type::Int(64, _)))
    }

    fn read_block(&self, from: usize, to: usize, labels: &HashMap<u32, usize>) -> Result<Block> {
        let label = &self.words.insts[from];
        // Lines may stand anywhere.
        let body: Vec<usize> = (from + 1..to)
            .filter(|at| !matches!(self.words.insts[*at].op, Op::Line | Op::NoLine))
            .collect();
        let Some((&last, body)) = body.split_last() else {
            return Err(self.error(label, "the block has no instructions"));
        };
        let block = |inst: &Inst, id: u32| match labels.get(&id) {
            Some(&block) => Ok(block),
            None => Err(self.error(inst, format!("%{id} is no block of the function"))),
        };
        let inst = &self.words.insts[last];
        let operands = self.words.operands(inst);
        let end = match (inst.op, operands) {
            (Op::Branch, [target]) => End::Branch(block(inst, *target)?),
            (Op::BranchConditional, [condition, yes, no, ..]) => End::Conditional {
                condition: *condition,
                sides: [block(inst, *yes)?, block(inst, *no)?],
            },
            (Op::Switch, [selector, default, cases @ ..]) => {
                let wide = self.is_wide(*selector);
                let case = |case: &[u32]| match *case {
                    [low, high, target] => Ok(([low, high], block(inst, target)?)),
                    [low, target] => Ok(([low, 0], block(inst, target)?)),
                    _ => Err(self.error(inst, "a case is cut short")),
                };
                End::Switch {
                    selector: *selector,
                    default: block(inst, *default)?,
                    cases: cases
                        .chunks(2 + usize::from(wide))
                        .map(case)
                        .collect::<Result<_>>()?,
                }
            }
            (Op::Return, []) => End::Return(None),
            (Op::ReturnValue, [value]) => End::Return(Some(*value)),
            (Op::Kill | Op::TerminateInvocation, []) => End::Kill,
            (Op::Unreachable, []) => End::Unreachable,
            _ => return Err(self.error(inst, "a block cannot end like this")),
        };
        let mut insts = from + 1..last;
        let mut merge = None;
        if let Some(&at) = body.last() {
            let inst = &self.words.insts[at];
            merge = match (inst.op, self.words.operands(inst)) {
                (Op::SelectionMerge, [merge, ..]) => Some(Merge::Selection(block(inst, *merge)?)),
                (Op::LoopMerge, [merge, continuing, ..]) => Some(Merge::Loop {
                    merge: block(inst, *merge)?,
                    continuing: block(inst, *continuing)?,
                }),
                _ => None,
            };
            if merge.is_some() {
                insts.end = at;
            }
        }
        for at in insts.clone() {
            let inst = &self.words.insts[at];
            if ends_a_block(inst.op) {
                return Err(self.error(inst, "it stands inside of a block"));
            }
        }
        Ok(Block {
            label: label.id,
            insts,
            last,
            merge,
            end,
            before: Vec::new(),
            order: None,
            below: 0..0,
        })
    }

    /// Whether an extended instruction has no meaning for what is computed.
    pub(super) fn is_comment(&self, inst: &Inst) -> bool {
        let set = self.words.operand(inst, 0).ok();
        set.and_then(|set| self.sets.get(&set)) == Some(&super::module::Set::NonSemantic)
    }
}

fn ends_a_block(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::TerminateInvocation
            | Op::Unreachable
            | Op::SelectionMerge
            | Op::LoopMerge
            | Op::Label
            | Op::FunctionParameter
    )
}
