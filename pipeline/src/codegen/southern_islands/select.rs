//! The state of instruction selection, operands and what instructions accept.
//!
//! A uniform word lives in a scalar register when the scalar unit can compute it, else in a vector register with equal
//! lanes. A bool is a lane mask in a pair of scalars; only the bits of lanes that were enabled where it was made mean
//! something. A uniform integer comparison whose readers all want SCC is made again for each of them.

use std::collections::HashMap;

use lanes::LaneOp;
use southern_islands::isa::scalar::{Sop1Op, Sop2Op, SopcOp, SoppOp};
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};

use super::machine::{Branch, Code, EXEC, Inst, Modifiers, Op, Operand, VCC, When};
use super::spill::{Array, Spills};
use super::table;
use crate::codegen::definitions::Definitions;
use crate::codegen::structure::Structure;
use crate::codegen::{CompileError, Options};
use crate::ir::{Function, Origin, Stage, Type, Value};

pub(super) const TARGET: &str = "southern-islands";

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueLocation {
    /// A word in a register, or a constant.
    Word(Operand),
    /// A lane mask, or the constant 0 or all ones.
    Mask(Operand),
    /// A comparison of scalars.
    Compare(SopcOp, Operand, Operand),
}

/// What becomes of an instruction besides being selected on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The value is read only through modifiers or fused into its reader: no instruction.
    pub absorbed: bool,
    /// The result is clamped, because only an `FSat` reads it.
    pub clamped: bool,
    /// All readers want SCC.
    pub scc_only: bool,
}

/// A float operand with its modifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub operand: Operand,
    pub neg: bool,
    pub abs: bool,
}

/// A loop being emitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopBlocks {
    pub header: usize,
    pub continuing: usize,
    pub merge: usize,
    /// Lanes that wait at the continuing part.
    pub waiting: Option<Operand>,
    /// Divergent branches around the place of emission, inside the loop.
    pub depth: u32,
}

/// Instruction selection of one function.
pub(super) struct Select<'a> {
    pub function: &'a Function,
    pub options: &'a Options,
    pub structure: Structure,
    pub code: Code,
    /// Block that instructions are appended to.
    pub at: usize,
    pub places: Vec<Option<ValueLocation>>,
    pub defs: Definitions<'a>,
    /// The word lives in a scalar register.
    pub scalar: Vec<bool>,
    pub plans: Vec<Plan>,
    pub loops: HashMap<usize, LoopBlocks>,
    /// Masks of bools that leave masked loops.
    pub escaped: HashMap<Value, Operand>,
    /// Blocks of the function where lanes meet that come at different times.
    pub divergent_merges: std::collections::HashSet<u32>,
    /// Enclosing divergent constructs.
    pub depth: u32,
    /// Literals already in scalar registers, in this machine block.
    literals: HashMap<u32, Operand>,
    /// Descriptors already loaded, in this machine block.
    pub descriptors: HashMap<(u32, Option<Value>), Operand>,
    /// Addresses of samples already side by side, in this machine block.
    pub addresses: HashMap<Vec<Operand>, Operand>,
    /// Loads of the current block of the function that are done together.
    pub clusters: Vec<super::memory::Cluster>,
    pub entry: super::entry::Entry,
    /// Where the code being selected comes from.
    pub origin: Origin,
    /// Private arrays.
    pub arrays: Vec<Array>,
    pub runs: super::arrays::Runs,
    /// Block and number of the instruction that is selected.
    pub place: (usize, usize),
    /// What lives in scratch memory.
    pub spills: Spills,
}

impl<'a> Select<'a> {
    pub fn new(function: &'a Function, options: &'a Options, structure: Structure) -> Select<'a> {
        let values = function.types.len();
        let mut select = Select {
            function,
            options,
            structure,
            code: Code::default(),
            at: 0,
            places: vec![None; values],
            defs: Definitions::new(function),
            scalar: vec![false; values],
            plans: vec![Plan::default(); values],
            loops: HashMap::new(),
            escaped: HashMap::new(),
            divergent_merges: Default::default(),
            depth: 0,
            literals: HashMap::new(),
            descriptors: HashMap::new(),
            addresses: HashMap::new(),
            clusters: Vec::new(),
            entry: super::entry::Entry::default(),
            origin: Origin::default(),
            arrays: Vec::new(),
            runs: Default::default(),
            place: (0, 0),
            spills: Spills::default(),
        };
        select.plan();
        select
    }

    pub fn unsupported(&self, what: impl Into<String>) -> CompileError {
        CompileError::unsupported(self.function, TARGET, what, self.origin)
    }

    // ---- blocks ----

    /// Places a block and appends to it from now on.
    pub fn start(&mut self, block: usize) {
        self.code.order.push(block);
        self.at = block;
        self.literals.clear();
        self.descriptors.clear();
        self.addresses.clear();
    }

    /// Lets the block go on with `next`, and places that.
    pub fn fall(&mut self, next: usize) {
        self.code.blocks[self.at].falls = true;
        self.lanes_to(next);
        self.start(next);
    }

    /// Lanes of the block go on with `next`.
    pub fn lanes_to(&mut self, next: usize) {
        self.code.blocks[self.at].lane_next.push(next);
    }

    /// Ends the block, at least for some waves, with a branch.
    pub fn branch(&mut self, when: When, to: usize, skip: bool) {
        self.code.blocks[self.at]
            .branches
            .push(Branch { when, to, skip });
    }

    // ---- instructions ----

    pub fn push(&mut self, mut inst: Inst) {
        inst.origin = self.origin;
        self.code.blocks[self.at].insts.push(inst);
    }

    pub fn scalar1(&mut self, op: Sop1Op, dst: Operand, src: Operand) {
        self.push(Inst::new(Op::Scalar1(op), Some(dst), vec![src]));
    }

    /// The operand `b` where `a` may take the instruction's one literal.
    fn beside(&mut self, a: Operand, b: Operand) -> Operand {
        match (a.literal(), b.literal()) {
            (Some(x), Some(y)) if x != y => self.literal(y),
            _ => b,
        }
    }

    pub fn scalar2(&mut self, op: Sop2Op, dst: Operand, a: Operand, b: Operand) {
        let b = self.beside(a, b);
        self.push(Inst::new(Op::Scalar2(op), Some(dst), vec![a, b]));
    }

    pub fn scalar_compare(&mut self, op: SopcOp, a: Operand, b: Operand) {
        let b = self.beside(a, b);
        self.push(Inst::new(Op::ScalarCompare(op), None, vec![a, b]));
    }

    pub fn program(&mut self, op: SoppOp, simm: u16) {
        self.push(Inst::new(Op::Program(op, simm), None, Vec::new()));
    }

    /// A literal in a scalar register.
    pub fn literal(&mut self, bits: u32) -> Operand {
        if let Some(&found) = self.literals.get(&bits) {
            return found;
        }
        let to = self.code.scalar(1);
        self.scalar1(Sop1Op::S_MOV_B32, to, Operand::Const(bits));
        self.literals.insert(bits, to);
        to
    }

    /// Moves a word into a vector register of its own.
    pub fn vector_copy(&mut self, from: Operand) -> Operand {
        let to = self.code.vector(1);
        self.vector_move(to, from);
        to
    }

    pub fn vector_move(&mut self, to: Operand, from: Operand) {
        let op = Op::Vector(VectorOp::One(Vop1Op::V_MOV_B32));
        self.push(Inst::new(op, Some(to), vec![from]));
    }

    /// A word in a vector register.
    pub fn in_vector(&mut self, from: Operand) -> Operand {
        if from.is_vector() {
            from
        } else {
            self.vector_copy(from)
        }
    }

    /// A uniform word in a scalar register or as a constant.
    pub fn in_scalar(&mut self, from: Operand) -> Operand {
        if !from.is_vector() {
            return from;
        }
        let to = self.code.scalar(1);
        let op = Op::Vector(VectorOp::One(Vop1Op::V_READFIRSTLANE_B32));
        self.push(Inst::new(op, Some(to), vec![from]));
        to
    }

    /// Appends a vector instruction, with its operands where its encodings can take them.
    pub fn vector(&mut self, code: VectorOp, dst: Operand, src: &[Operand], mods: Modifiers) {
        self.vector_with(code, dst, None, src, mods);
    }

    /// The same without modifiers, into a new register.
    pub fn compute(&mut self, code: VectorOp, src: &[Operand]) -> Operand {
        let dst = self.code.vector(1);
        self.vector(code, dst, src, Modifiers::default());
        dst
    }

    /// A two-operand instruction into a new register. Carries go to VCC, unread.
    pub fn two(&mut self, op: Vop2Op, a: Operand, b: Operand) -> Operand {
        self.compute(VectorOp::Two(op), &[a, b])
    }

    /// The same with a scalar destination beside.
    pub fn vector_with(
        &mut self,
        mut code: VectorOp,
        dst: Operand,
        dst2: Option<Operand>,
        src: &[Operand],
        mut mods: Modifiers,
    ) {
        let mut src = src.to_vec();
        // A lane mask cannot be moved away, so it is the one scalar that is kept.
        let mut kept = src.iter().copied().find(|s| {
            matches!(
                s,
                Operand::Reg {
                    words: 2,
                    vector: false,
                    ..
                }
            )
        });
        for operand in &mut src {
            if !operand.is_scalar() {
                continue;
            }
            match kept {
                Some(other) if other != *operand => *operand = self.vector_copy(*operand),
                _ => kept = Some(*operand),
            }
        }
        let swap = |code: &mut VectorOp, src: &mut Vec<Operand>, mods: &mut Modifiers| {
            if let Some(swapped) = table::swapped(*code) {
                *code = swapped;
                src.swap(0, 1);
                let flip = |bits: u8| bits & 4 | (bits & 1) << 1 | bits >> 1 & 1;
                mods.neg = flip(mods.neg);
                mods.abs = flip(mods.abs);
            }
        };
        let short = matches!(code, VectorOp::Two(_) | VectorOp::Compare(_));
        if short && src.len() >= 2 && !src[1].is_vector() && src[0].is_vector() {
            swap(&mut code, &mut src, &mut mods);
        }
        for i in 0..src.len() {
            let Some(bits) = src[i].literal() else {
                continue;
            };
            let alone = (0..src.len()).all(|j| j == i || src[j].literal().is_none());
            let plain = mods.is_plain() && kept.is_none() && alone;
            let fits = plain
                && match code {
                    VectorOp::One(_) => true,
                    VectorOp::Two(Vop2Op::V_CNDMASK_B32) => false,
                    VectorOp::Two(_) => {
                        i == 0 && src[1].is_vector() && dst2.is_none_or(|d| d == Operand::Code(VCC))
                    }
                    VectorOp::Compare(_) | VectorOp::Three(_) => false,
                };
            if fits {
                continue;
            }
            if code == VectorOp::Three(Vop3Op::V_MAD_F32) && plain && dst2.is_none() {
                // D = S0 * S1 + K and D = S0 * K + S1: S1 is a vector register.
                if i == 2 && (src[0].is_vector() || src[1].is_vector()) {
                    if !src[1].is_vector() {
                        src.swap(0, 1);
                    }
                    code = VectorOp::Two(Vop2Op::V_MADAK_F32);
                    continue;
                }
                if i < 2 && src[2].is_vector() {
                    let other = src[1 - i];
                    src = vec![other, src[i], src[2]];
                    code = VectorOp::Two(Vop2Op::V_MADMK_F32);
                    break;
                }
            }
            let moved = if kept.is_none() {
                self.literal(bits)
            } else {
                self.vector_copy(Operand::Const(bits))
            };
            if kept.is_none() {
                kept = Some(moved);
            }
            for operand in &mut src {
                if operand.literal() == Some(bits) {
                    *operand = moved;
                }
            }
        }
        let carry = matches!(
            code,
            VectorOp::Two(Vop2Op::V_ADD_I32 | Vop2Op::V_SUB_I32 | Vop2Op::V_SUBREV_I32)
        );
        let dst2 = dst2.or(carry.then_some(Operand::Code(VCC)));
        let mut inst = Inst::new(Op::Vector(code), Some(dst), src);
        inst.dst2 = dst2;
        inst.mods = mods;
        self.push(inst);
    }

    // ---- values ----

    /// The word of a value, wherever it is.
    pub fn word(&mut self, value: Value) -> Operand {
        match self.places[value.0 as usize] {
            Some(ValueLocation::Word(operand)) => operand,
            _ => {
                debug_assert!(false, "{value:?} is read before it is there");
                Operand::Const(0)
            }
        }
    }

    /// The words of values.
    pub fn words(&mut self, values: &[Value]) -> Vec<Operand> {
        values.iter().map(|&value| self.word(value)).collect()
    }

    /// The word of a value in a vector register.
    pub fn vector_word(&mut self, value: Value) -> Operand {
        let word = self.word(value);
        self.in_vector(word)
    }

    /// The word of a uniform value in a scalar register or as a constant.
    pub fn scalar_word(&mut self, value: Value) -> Operand {
        let word = self.word(value);
        self.in_scalar(word)
    }

    /// A bool as a mask.
    pub fn mask(&mut self, value: Value) -> Operand {
        match self.places[value.0 as usize] {
            Some(ValueLocation::Mask(mask)) => mask,
            Some(ValueLocation::Compare(op, a, b)) => {
                let mask = self.code.mask();
                self.scalar_compare(op, a, b);
                let (yes, no) = (Operand::Const(u32::MAX), Operand::Const(0));
                self.scalar2(Sop2Op::S_CSELECT_B64, mask, yes, no);
                mask
            }
            _ => {
                debug_assert!(false, "{value:?} is read before it is there");
                Operand::Const(0)
            }
        }
    }

    /// Sets SCC to a uniform bool.
    pub fn set_scc(&mut self, value: Value) {
        match self.places[value.0 as usize] {
            Some(ValueLocation::Compare(op, a, b)) => self.scalar_compare(op, a, b),
            _ => {
                let mask = self.mask(value);
                let scratch = self.code.mask();
                self.scalar2(Sop2Op::S_AND_B64, scratch, mask, Operand::Code(EXEC));
            }
        }
    }

    /// Says where the result of an instruction is; a scalar one is moved when its readers are lanes of their own time.
    pub fn define(&mut self, value: Value, operand: Operand) {
        let diverges = self.structure.is_divergent(value);
        let operand = if diverges && operand.is_scalar() {
            self.vector_copy(operand)
        } else {
            operand
        };
        self.places[value.0 as usize] = Some(ValueLocation::Word(operand));
    }

    /// Says where a bool is.
    pub fn define_mask(&mut self, value: Value, mask: Operand) {
        self.places[value.0 as usize] = Some(ValueLocation::Mask(mask));
        if let Some(&outside) = self.escaped.get(&value) {
            self.merge_mask(outside, mask);
        }
    }

    /// `to` takes the bits of `from` in enabled lanes and keeps the others.
    pub fn merge_mask(&mut self, to: Operand, from: Operand) {
        let exec = Operand::Code(EXEC);
        match from {
            Operand::Const(0) => self.scalar2(Sop2Op::S_ANDN2_B64, to, to, exec),
            Operand::Const(_) => self.scalar2(Sop2Op::S_OR_B64, to, to, exec),
            _ => {
                let new = self.code.mask();
                self.scalar2(Sop2Op::S_AND_B64, new, from, exec);
                self.scalar2(Sop2Op::S_ANDN2_B64, to, to, exec);
                self.scalar2(Sop2Op::S_OR_B64, to, to, new);
            }
        }
    }

    /// The register of a block parameter.
    pub fn param(&mut self, value: Value) -> Operand {
        match self.places[value.0 as usize] {
            Some(ValueLocation::Word(operand) | ValueLocation::Mask(operand)) => operand,
            _ => {
                let operand = match self.function.types[value.0 as usize] {
                    Type::Bool => self.code.mask(),
                    Type::Word if self.scalar[value.0 as usize] => self.code.scalar(1),
                    Type::Word => self.code.vector(1),
                };
                self.places[value.0 as usize] = Some(match self.function.types[value.0 as usize] {
                    Type::Bool => ValueLocation::Mask(operand),
                    Type::Word => ValueLocation::Word(operand),
                });
                operand
            }
        }
    }

    /// The value below sign operations, with what they come to.
    pub fn peel(&self, mut value: Value) -> (Value, bool, bool) {
        let (mut neg, mut abs) = (false, false);
        loop {
            match self.defs.alu(value) {
                Some((LaneOp::FNeg, args)) => {
                    neg ^= !abs;
                    value = args[0];
                }
                Some((LaneOp::FAbs, args)) => {
                    abs = true;
                    value = args[0];
                }
                _ => return (value, neg, abs),
            }
        }
    }

    /// A float operand, through sign operations.
    pub fn source(&mut self, value: Value) -> Source {
        let (below, neg, abs) = self.peel(value);
        if below == value {
            let operand = self.word(value);
            return Source { operand, neg, abs };
        }
        match self.places[below.0 as usize] {
            // Signs of constants are folded by whoever made them; an immediate takes no modifier in short form.
            Some(ValueLocation::Word(Operand::Const(bits))) => {
                let bits = if abs { bits & 0x7fff_ffff } else { bits };
                let bits = if neg { bits ^ 0x8000_0000 } else { bits };
                Source {
                    operand: Operand::Const(bits),
                    neg: false,
                    abs: false,
                }
            }
            _ => Source {
                operand: self.word(below),
                neg,
                abs,
            },
        }
    }

    pub fn is_fragment(&self) -> bool {
        self.function.stage == Stage::Fragment
    }
}
