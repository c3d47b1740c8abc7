//! The state of instruction selection, and arithmetic.
//!
//! A bool is a word: all ones or zero. Constants and constant-buffer words are operands and take no instruction. Sign
//! changes, magnitudes, saturation and comparisons are taken into the instructions that read them where those can.

use std::collections::HashMap;

use lanes::LaneOp;
use r600::isa::alu::{Op2, Op3};

use super::machine::{Alu, Code, From, Inst, Lane, Operand, Unit};
use super::{TARGET, table};
use crate::codegen::definitions::Definitions;
use crate::codegen::structure::Structure;
use crate::codegen::{CompileError, Options, Result};
use crate::ir::{BoolOp, Function, Inst as IrInst, Op as IrOp, Origin, Terminator, Value};

/// A loop being emitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopBlocks {
    /// First block of the body.
    pub header: usize,
    /// Block behind the loop.
    pub merge: usize,
    /// LOOP_END.
    pub end: usize,
    /// Stack entries at the start of the body.
    pub depth: u8,
}

/// A condition to branch, choose or kill by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    /// A comparison.
    Compare(LaneOp, Value, Value),
    /// A mask that is not zero.
    Mask(Value),
}

/// Instruction selection of one function.
pub(super) struct Select<'a> {
    pub function: &'a Function,
    pub options: &'a Options,
    pub structure: Structure,
    pub code: Code,
    /// Block that instructions are appended to.
    pub at: usize,
    pub places: Vec<Option<Operand>>,
    pub defs: Definitions<'a>,
    /// Every reader takes the value as part of itself.
    absorbed: Vec<bool>,
    /// The saturation that is the only reader.
    clamped: Vec<Option<Value>>,
    pub loops: HashMap<usize, LoopBlocks>,
    /// Stack entries in use.
    pub depth: u8,
    pub entry: super::entry::Entry,
    pub bindings: super::memory::Slots,
    /// Where the code being selected comes from.
    pub origin: Origin,
    /// Private arrays.
    pub arrays: Vec<super::memory::Array>,
}

impl<'a> Select<'a> {
    pub fn new(
        function: &'a Function,
        options: &'a Options,
        structure: Structure,
    ) -> Result<Select<'a>> {
        let values = function.types.len();
        let mut select = Select {
            function,
            options,
            structure,
            code: Code::default(),
            at: 0,
            places: vec![None; values],
            defs: Definitions::new(function),
            absorbed: vec![false; values],
            clamped: vec![None; values],
            loops: HashMap::new(),
            depth: 0,
            entry: super::entry::Entry::default(),
            bindings: super::memory::Slots::default(),
            origin: Origin::default(),
            arrays: Vec::new(),
        };
        select.bindings = select.bind()?;
        select.plan();
        Ok(select)
    }

    pub fn unsupported(&self, what: impl Into<String>) -> CompileError {
        CompileError::unsupported(self.function, TARGET, what, self.origin)
    }

    // ---- what readers take along ----

    fn plan(&mut self) {
        let mut uses = vec![0u32; self.places.len()];
        let mut taken = vec![0u32; self.places.len()];
        for block in &self.function.blocks {
            for inst in &block.insts {
                inst.operands().for_each(|v| uses[v.0 as usize] += 1);
                self.plan_inst(inst, &mut taken);
            }
            block.end.operands().for_each(|v| uses[v.0 as usize] += 1);
            if let Terminator::Branch { condition, .. } = block.end {
                self.plan_condition(condition, &mut taken);
            }
        }
        for value in 0..uses.len() {
            let value_id = Value(value as u32);
            let takes = match self.defs.inst(value_id).map(|inst| &inst.op) {
                Some(IrOp::Alu(LaneOp::FNeg | LaneOp::FAbs) | IrOp::BoolNot) => true,
                Some(IrOp::Alu(op)) => table::mask(*op).is_some(),
                _ => false,
            };
            self.absorbed[value] = uses[value] > 0 && takes && taken[value] == uses[value];
        }
        for value in 0..uses.len() {
            let result = Value(value as u32);
            if let Some((LaneOp::FSat, &[from])) = self.defs.alu(result)
                && uses[from.0 as usize] == 1
                && let Some((op, _)) = self.defs.alu(from)
                && table::modifiers(op).is_some()
                && table::mask(op).is_none()
                && op != LaneOp::F32ToI32Wrap
            {
                self.clamped[from.0 as usize] = Some(result);
            }
        }
    }

    fn plan_inst(&self, inst: &IrInst, taken: &mut [u32]) {
        match &inst.op {
            IrOp::Alu(op) => {
                if let Some(abs) = table::modifiers(*op) {
                    for &arg in &inst.args {
                        self.plan_signs(arg, abs, taken);
                    }
                }
                if matches!(op, LaneOp::FNeg | LaneOp::FAbs) {
                    // A reader that takes the sign along may have no absolute values.
                    self.plan_signs(inst.args[0], *op == LaneOp::FAbs, taken);
                }
            }
            IrOp::Select => {
                if self.chooses(inst.args[0]) {
                    self.plan_condition(inst.args[0], taken);
                } else {
                    self.plan_not(inst.args[0], taken);
                }
            }
            IrOp::Discard => self.plan_condition(inst.args[0], taken),
            _ => {}
        }
    }

    fn plan_signs(&self, value: Value, abs: bool, taken: &mut [u32]) {
        match self.defs.alu(value) {
            Some((LaneOp::FNeg, _)) => taken[value.0 as usize] += 1,
            Some((LaneOp::FAbs, _)) if abs => taken[value.0 as usize] += 1,
            _ => {}
        }
    }

    fn plan_not(&self, value: Value, taken: &mut [u32]) {
        if matches!(
            self.defs.inst(value).map(|inst| &inst.op),
            Some(IrOp::BoolNot)
        ) {
            taken[value.0 as usize] += 1;
        }
    }

    /// The condition of a branch or choice is read through negations, and as its comparison.
    fn plan_condition(&self, value: Value, taken: &mut [u32]) {
        let not = matches!(
            self.defs.inst(value).map(|inst| &inst.op),
            Some(IrOp::BoolNot)
        );
        let compares = matches!(self.condition(value), (Condition::Compare(..), _));
        if not || compares {
            taken[value.0 as usize] += 1;
        }
    }

    /// A condition without negations around it, and whether it is turned over.
    pub fn condition(&self, mut value: Value) -> (Condition, bool) {
        let mut inverted = false;
        while let Some(IrInst {
            op: IrOp::BoolNot,
            args,
            ..
        }) = self.defs.inst(value)
        {
            value = args[0];
            inverted = !inverted;
        }
        if let Some((op, &[a, b])) = self.defs.alu(value) {
            let wanted = if inverted { op.negated() } else { Some(op) };
            if let Some(op) = wanted
                && table::predicate(op).is_some()
            {
                return (Condition::Compare(op, a, b), false);
            }
        }
        (Condition::Mask(value), inverted)
    }

    /// Whether a choice by this bool is a choice by a comparison with zero.
    fn chooses(&self, value: Value) -> bool {
        match self.condition(value) {
            (Condition::Compare(op, a, b), _) => self.zero_test(op, a, b).is_some(),
            _ => false,
        }
    }

    /// A comparison with zero as the choice it is: instruction, the value tested, negated, sides exchanged.
    fn zero_test(&self, op: LaneOp, a: Value, b: Value) -> Option<(Op3, Value, bool, bool)> {
        use LaneOp::*;
        let zero = |v: Value, float: bool| {
            self.defs
                .constant(v)
                .is_some_and(|k| k == 0 || (float && k == 1 << 31))
        };
        let float = matches!(op, FEq | FNe | FLt | FLe | FGt | FGe);
        let (op, a) = match (zero(a, float), zero(b, float)) {
            (_, true) => (op, a),
            (true, _) => (op.mirrored()?, b),
            _ => return None,
        };
        let (op, neg, swap) = match op {
            FNe => (FEq, false, true),
            FLt => (FGt, true, false),
            FLe => (FGe, true, false),
            INe => (IEq, false, true),
            ILt => (IGe, false, true),
            ILe => (IGt, false, true),
            _ => (op, false, false),
        };
        Some((table::choose(op)?, a, neg, swap))
    }

    // ---- instructions ----

    pub fn push(&mut self, inst: Inst) {
        let block = &mut self.code.blocks[self.at];
        if !block.origin.is_known() {
            block.origin = self.origin;
        }
        block.insts.push(inst);
    }

    /// Appends an ALU instruction.
    pub fn push_alu(&mut self, mut alu: Alu) {
        // A clause locks two pairs of lines, so that two lines are always possible together.
        let mut lines: Vec<(u8, u16)> = Vec::new();
        for at in 0..alu.src.len() {
            let From::Kcache(bank, index, _) = alu.src[at].from else {
                continue;
            };
            let line = (bank, index / 16);
            if !lines.contains(&line) {
                if lines.len() == 2 {
                    let unit = self.code.unit();
                    let plain = Operand::new(alu.src[at].from);
                    self.push(Inst::Alu(Alu::new(Op2::MOV, Some(unit), vec![plain])));
                    alu.src[at].from = From::Unit(unit);
                    continue;
                }
                lines.push(line);
            }
        }
        self.push(Inst::Alu(alu));
    }

    /// The result of an instruction in a new unit.
    pub fn two(&mut self, op: Op2, src: &[Operand]) -> Operand {
        let unit = self.code.unit();
        self.push_alu(Alu::new(op, Some(unit), src.to_vec()));
        Operand::unit(unit)
    }

    /// The same with three operands.
    pub fn three(&mut self, op: Op3, src: [Operand; 3]) -> Operand {
        let unit = self.code.unit();
        self.push_alu(Alu::new(op, Some(unit), src.to_vec()));
        Operand::unit(unit)
    }

    pub fn move_to(&mut self, to: Unit, from: Operand) {
        self.push_alu(Alu::new(Op2::MOV, Some(to), vec![from]));
    }

    /// An operand in a unit.
    pub fn in_unit(&mut self, from: Operand) -> Unit {
        match from {
            Operand {
                from: From::Unit(unit),
                neg: false,
                abs: false,
            } => unit,
            _ => {
                let unit = self.code.unit();
                self.move_to(unit, from);
                unit
            }
        }
    }

    /// Operands as elements of one register. Units that belong to no vector yet join one; others are copied.
    pub fn gather(&mut self, operands: [Option<Operand>; 4]) -> [Lane; 4] {
        let mut lanes = [Lane::None; 4];
        for (lane, operand) in lanes.iter_mut().zip(operands) {
            let Some(operand) = operand else { continue };
            *lane = match operand.from {
                From::Const(0) => Lane::Zero,
                From::Const(0x3f80_0000) => Lane::One,
                _ => Lane::Unit(self.in_unit(operand)),
            };
        }
        let mut units: Vec<Unit> = Vec::new();
        for lane in lanes {
            if let Lane::Unit(unit) = lane
                && !units.contains(&unit)
            {
                units.push(unit);
            }
        }
        let Some(&first) = units.first() else {
            return lanes;
        };
        let home = |select: &Self, unit: Unit| select.code.homes[unit as usize];
        let shared = home(self, first).vector;
        if shared.is_some() && units.iter().all(|&u| home(self, u).vector == shared) {
            return lanes;
        }
        let mut members = Vec::new();
        for &unit in &units {
            let found = home(self, unit);
            if found.vector.is_none() && found.elem.is_none() && self.code.array_of(unit).is_none()
            {
                members.push(unit);
                continue;
            }
            let copy = self.code.unit();
            self.move_to(copy, Operand::unit(unit));
            for lane in &mut lanes {
                if *lane == Lane::Unit(unit) {
                    *lane = Lane::Unit(copy);
                }
            }
            members.push(copy);
        }
        self.code.vector(members);
        lanes
    }

    // ---- values ----

    /// The unit of a value that several places define: a parameter.
    pub fn param(&mut self, value: Value) -> Unit {
        if let Some(Operand {
            from: From::Unit(unit),
            ..
        }) = self.places[value.0 as usize]
        {
            return unit;
        }
        let unit = self.code.unit();
        self.places[value.0 as usize] = Some(Operand::unit(unit));
        unit
    }

    pub fn define(&mut self, value: Value, operand: Operand) {
        self.places[value.0 as usize] = Some(operand);
    }

    /// A unit for the result of an instruction. Code that is emitted twice defines the same unit twice.
    pub fn result(&mut self, value: Value) -> Unit {
        self.param(value)
    }

    /// The word of a value, without modifiers.
    pub fn word(&mut self, value: Value) -> Operand {
        if let Some(constant) = self.defs.constant(value) {
            return Operand::word(constant);
        }
        match self.places[value.0 as usize] {
            Some(operand) => operand,
            None => {
                debug_assert!(false, "{value:?} is read before it is there");
                Operand::word(0)
            }
        }
    }

    /// A float operand with the sign changes that lead to it.
    fn source(&mut self, value: Value, abs: bool) -> Operand {
        let (mut at, mut neg, mut magnitude) = (value, false, false);
        loop {
            match self.defs.alu(at) {
                Some((LaneOp::FNeg, args)) => {
                    neg ^= !magnitude;
                    at = args[0];
                }
                Some((LaneOp::FAbs, args)) if abs => {
                    magnitude = true;
                    at = args[0];
                }
                _ => break,
            }
        }
        let mut operand = self.word(at);
        if let From::Const(word) = operand.from {
            let word = if magnitude { word & !(1 << 31) } else { word };
            operand = Operand::word(if neg { word ^ 1 << 31 } else { word });
            return short_constant(operand);
        }
        operand.neg = neg;
        operand.abs = magnitude;
        operand
    }

    // ---- arithmetic ----

    pub fn alu(&mut self, op: LaneOp, inst: &IrInst) -> Result<()> {
        let result = inst.results[0];
        if self.structure.uses[result.0 as usize] == 0 || self.absorbed[result.0 as usize] {
            return Ok(());
        }
        match op {
            LaneOp::FNeg | LaneOp::FAbs => {
                let mut operand = self.source(inst.args[0], true);
                if op == LaneOp::FAbs {
                    operand.neg = false;
                    operand.abs = true;
                } else {
                    operand.neg = !operand.neg;
                }
                let unit = self.result(result);
                self.move_to(unit, operand);
                return Ok(());
            }
            LaneOp::FSat => {
                let from = inst.args[0];
                if self.clamped[from.0 as usize] == Some(result) {
                    return Ok(());
                }
                let operand = self.source(from, true);
                let unit = self.result(result);
                let mut alu = Alu::new(Op2::MOV, Some(unit), vec![operand]);
                alu.clamp = true;
                self.push_alu(alu);
                return Ok(());
            }
            LaneOp::Mov => {
                let from = self.word(inst.args[0]);
                let unit = self.result(result);
                self.move_to(unit, from);
                return Ok(());
            }
            _ => {}
        }
        let modifiers = table::modifiers(op);
        let mut src: Vec<Operand> = Vec::with_capacity(3);
        for &arg in &inst.args {
            src.push(match modifiers {
                Some(abs) => self.source(arg, abs),
                None => self.word(arg),
            });
        }
        let code = match (table::alu(op), table::mask(op)) {
            (Some(code), _) => code,
            (None, Some((code, swap))) => {
                if swap {
                    src.swap(0, 1);
                }
                code.into()
            }
            (None, None) => return Err(self.unsupported(format!("the operation {}", op.name()))),
        };
        let clamped = self.clamped[result.0 as usize];
        let unit = self.result(clamped.unwrap_or(result));
        let mut alu = Alu::new(code, Some(unit), src);
        alu.clamp = clamped.is_some();
        self.push_alu(alu);
        Ok(())
    }

    pub fn select(&mut self, result: Value, args: &[Value]) {
        let (condition, inverted) = self.condition(args[0]);
        let (mut yes, mut no) = (self.word(args[1]), self.word(args[2]));
        if inverted {
            std::mem::swap(&mut yes, &mut no);
        }
        let unit = self.result(result);
        if let Condition::Compare(op, a, b) = condition
            && let Some((choose, tested, neg, swap)) = self.zero_test(op, a, b)
        {
            if swap {
                std::mem::swap(&mut yes, &mut no);
            }
            let float = !matches!(choose, Op3::CMOVE_INT | Op3::CMOVGT_INT | Op3::CMOVGE_INT);
            let absolute = matches!(self.defs.alu(tested), Some((LaneOp::FAbs, _)));
            let mut operand = match float {
                // The comparison takes an absolute value along, the choice does not.
                true if absolute && self.absorbed[tested.0 as usize] => {
                    let from = self.source(tested, true);
                    self.two(Op2::MOV, &[from])
                }
                true => self.source(tested, false),
                false => self.word(tested),
            };
            operand.neg ^= neg;
            self.push_alu(Alu::new(choose, Some(unit), vec![operand, yes, no]));
            return;
        }
        let mask = match condition {
            Condition::Mask(value) => self.word(value),
            // A comparison that is not with zero has its mask, though perhaps turned over.
            Condition::Compare(..) => {
                let mut value = args[0];
                let mut reversed = false;
                while let Some(IrInst {
                    op: IrOp::BoolNot,
                    args,
                    ..
                }) = self.defs.inst(value)
                {
                    value = args[0];
                    reversed = !reversed;
                }
                if reversed {
                    std::mem::swap(&mut yes, &mut no);
                }
                self.word(value)
            }
        };
        self.push_alu(Alu::new(Op3::CMOVE_INT, Some(unit), vec![mask, no, yes]));
    }

    pub fn bool_op(&mut self, op: BoolOp, result: Value, args: &[Value]) {
        let [a, b] = [self.word(args[0]), self.word(args[1])];
        let code = match op {
            BoolOp::And => Op2::AND_INT,
            BoolOp::Or => Op2::OR_INT,
            BoolOp::Xor => Op2::XOR_INT,
        };
        let unit = self.result(result);
        self.push_alu(Alu::new(code, Some(unit), vec![a, b]));
    }

    pub fn bool_not(&mut self, result: Value, arg: Value) {
        if self.absorbed[result.0 as usize] {
            return;
        }
        let operand = self.word(arg);
        let unit = self.result(result);
        self.push_alu(Alu::new(Op2::NOT_INT, Some(unit), vec![operand]));
    }

    /// Appends the predicate of a branch, true where the first side is taken.
    pub fn predicate(&mut self, condition: Value, inverted: bool) {
        let (condition, reversed) = self.condition_for(condition, inverted);
        let alu = match condition {
            Condition::Compare(op, a, b) => {
                let mut src = self.compared(op, a, b);
                match table::predicate(op) {
                    Some((code, swap)) => {
                        if swap {
                            src.swap(0, 1);
                        }
                        Alu::new(code, None, src)
                    }
                    None => return,
                }
            }
            Condition::Mask(value) => {
                let code = if reversed {
                    Op2::PRED_SETE_INT
                } else {
                    Op2::PRED_SETNE_INT
                };
                let mask = self.word(value);
                Alu::new(code, None, vec![mask, Operand::word(0)])
            }
        };
        self.push_alu(alu);
    }

    /// The condition, turned over if asked for and possible.
    fn condition_for(&mut self, value: Value, inverted: bool) -> (Condition, bool) {
        let (condition, reversed) = self.condition(value);
        if !inverted {
            return (condition, reversed);
        }
        match condition {
            Condition::Mask(mask) => (Condition::Mask(mask), !reversed),
            Condition::Compare(op, a, b) => match op.negated() {
                Some(op) if table::predicate(op).is_some() => (Condition::Compare(op, a, b), false),
                // No comparison is true where one with NaN is false: by its mask.
                _ => (self.masked(op, a, b), true),
            },
        }
    }

    fn compared(&mut self, op: LaneOp, a: Value, b: Value) -> Vec<Operand> {
        match table::modifiers(op) {
            Some(abs) => vec![self.source(a, abs), self.source(b, abs)],
            None => vec![self.word(a), self.word(b)],
        }
    }

    /// A comparison made into a mask here.
    fn masked(&mut self, op: LaneOp, a: Value, b: Value) -> Condition {
        let mut src = self.compared(op, a, b);
        if let Some((code, swap)) = table::mask(op) {
            if swap {
                src.swap(0, 1);
            }
            let mask = self.two(code, &src);
            self.places.push(Some(mask));
            return Condition::Mask(Value(self.places.len() as u32 - 1));
        }
        Condition::Compare(op, a, b)
    }

    pub fn discard(&mut self, condition: Value) {
        let (condition, reversed) = self.condition(condition);
        let alu = match condition {
            Condition::Compare(op, a, b) if table::kill(op).is_some() => {
                let mut src = self.compared(op, a, b);
                let (code, swap) = table::kill(op).unwrap_or((Op2::KILLE, false));
                if swap {
                    src.swap(0, 1);
                }
                Alu::new(code, None, src)
            }
            Condition::Compare(op, a, b) => {
                let mask = match self.masked(op, a, b) {
                    Condition::Mask(value) => self.word(value),
                    Condition::Compare(..) => Operand::word(0),
                };
                Alu::new(Op2::KILLNE, None, vec![mask, Operand::word(0)])
            }
            Condition::Mask(value) => {
                // All ones is NaN, which is unequal to everything.
                let code = if reversed { Op2::KILLE } else { Op2::KILLNE };
                let mask = self.word(value);
                Alu::new(code, None, vec![mask, Operand::word(0)])
            }
        };
        self.push_alu(alu);
    }

    /// Whether a value of this type and number is read at all.
    pub fn is_used(&self, value: Value) -> bool {
        self.structure.uses[value.0 as usize] > 0
    }
}

/// Negative constants whose magnitude is an inline constant take the modifier.
fn short_constant(operand: Operand) -> Operand {
    match operand.from {
        From::Const(word @ (0xbf80_0000 | 0xbf00_0000 | 0x8000_0000)) => Operand {
            from: From::Const(word & !(1 << 31)),
            neg: true,
            abs: false,
        },
        _ => operand,
    }
}
