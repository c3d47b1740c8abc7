//! Arithmetic on constants, and identities that hold to the bit.

use std::collections::HashMap;

use super::bounds;
use crate::ir::{
    BoolOp, Function, Inst, Known, LaneOp, Op, Operand, Origin, Target, Terminator, Value,
    result_type,
};

/// Folds a function; branches on constants become jumps.
pub fn run(function: &mut Function) {
    let mut folder = Folder {
        origin: Origin::default(),
        workgroup: function.interface.workgroup.size,
        known: vec![None; function.types.len()],
        defs: HashMap::new(),
        constants: HashMap::new(),
        made: Vec::new(),
        map: vec![None; function.types.len()],
    };
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for mut inst in insts {
            inst.map_operands(|value| folder.find(value));
            if let Some(inst) = folder.inst(function, inst, &mut kept) {
                folder.note(&inst);
                kept.push(inst);
            }
        }
        function.blocks[number].insts = kept;
        let end = &mut function.blocks[number].end;
        end.map_operands(|value| folder.find(value));
        folder.branch(end);
    }
    // Jumps back name values that were folded after they were seen.
    function.rename(&folder.map);
    let made = std::mem::take(&mut folder.made);
    function.blocks[0].insts.splice(0..0, made);
}

struct Folder {
    known: Vec<Option<Known>>,
    /// Operation and operands that make a value.
    defs: HashMap<Value, (Op, Vec<Value>)>,
    constants: HashMap<Known, Value>,
    /// New constants, for the top of the entry block.
    made: Vec<Inst>,
    map: Vec<Option<Value>>,
    /// Of the instruction being looked at.
    origin: Origin,
    workgroup: [u32; 3],
}

impl bounds::Values for Folder {
    fn word(&self, value: Value) -> Option<u32> {
        Folder::word(self, value)
    }

    fn made(&self, value: Value) -> Option<(&Op, &[Value])> {
        let (op, args) = self.defs.get(&value)?;
        Some((op, args))
    }

    fn workgroup(&self) -> [u32; 3] {
        self.workgroup
    }
}

impl Folder {
    fn find(&self, mut value: Value) -> Value {
        while let Some(Some(next)) = self.map.get(value.0 as usize) {
            value = *next;
        }
        value
    }

    fn known(&self, value: Value) -> Option<Known> {
        self.known.get(value.0 as usize).copied().flatten()
    }

    fn word(&self, value: Value) -> Option<u32> {
        match self.known(value) {
            Some(Known::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn bit(&self, value: Value) -> Option<bool> {
        match self.known(value) {
            Some(Known::Bool(bit)) => Some(bit),
            _ => None,
        }
    }

    fn alu(&self, value: Value) -> Option<(LaneOp, &[Value])> {
        match self.defs.get(&value) {
            Some((Op::Alu(op), args)) => Some((*op, args)),
            _ => None,
        }
    }

    fn note(&mut self, inst: &Inst) {
        if let [result] = inst.results[..] {
            if let Some(known) = Known::of(&inst.op) {
                self.known[result.0 as usize] = Some(known);
            }
            self.defs
                .insert(result, (inst.op.clone(), inst.args.clone()));
        }
    }

    fn constant(&mut self, function: &mut Function, known: Known) -> Value {
        if let Some(&value) = self.constants.get(&known) {
            return value;
        }
        let value = function.value(known.ty());
        self.known.push(Some(known));
        self.map.push(None);
        self.constants.insert(known, value);
        self.made.push(Inst {
            op: known.op(),
            args: Vec::new(),
            results: vec![value],
            origin: Origin::default(),
        });
        value
    }

    /// Appends a new operation.
    fn make(
        &mut self,
        function: &mut Function,
        kept: &mut Vec<Inst>,
        op: LaneOp,
        args: Vec<Value>,
    ) -> Value {
        let value = function.value(result_type(op));
        self.known.push(None);
        self.map.push(None);
        let inst = Inst {
            op: Op::Alu(op),
            args,
            results: vec![value],
            origin: self.origin,
        };
        self.note(&inst);
        kept.push(inst);
        value
    }

    /// The instruction to keep; none when its result was replaced.
    fn inst(
        &mut self,
        function: &mut Function,
        mut inst: Inst,
        kept: &mut Vec<Inst>,
    ) -> Option<Inst> {
        self.origin = inst.origin;
        let [result] = inst.results[..] else {
            return Some(inst);
        };
        if let Some(known) = Known::of(&inst.op) {
            self.gather(known, inst);
            return None;
        }
        let same = match &inst.op {
            Op::Alu(op) => {
                let op = *op;
                match self.evaluate(op, &inst.args) {
                    Some(known) => Some(self.constant(function, known)),
                    None => {
                        let same = self.identity(op, &inst.args);
                        if same.is_none() {
                            self.rewrite(function, &mut inst, op, kept);
                        }
                        same
                    }
                }
            }
            Op::Select => self.select(function, &mut inst),
            Op::Bool(op) => self.logic(function, *op, &inst.args),
            Op::BoolNot => self.not(function, &mut inst),
            _ => None,
        };
        match same {
            Some(value) if value != result => {
                self.map[result.0 as usize] = Some(value);
                None
            }
            _ => Some(inst),
        }
    }

    /// Takes a constant's instruction to the top of the entry block, or does without it.
    fn gather(&mut self, known: Known, inst: Inst) {
        let result = inst.results[0];
        match self.constants.get(&known) {
            Some(&value) => self.map[result.0 as usize] = Some(value),
            None => {
                self.constants.insert(known, result);
                self.note(&inst);
                self.made.push(inst);
            }
        }
    }

    /// What a comparison with a constant gives, where the other side is known to be small enough.
    fn compare_bounds(&self, op: LaneOp, args: &[Value]) -> Option<bool> {
        let &[a, b] = args else { return None };
        let (below, number, limit) = match op {
            LaneOp::ULt | LaneOp::ILt => (true, a, self.word(b)?),
            LaneOp::UGe | LaneOp::IGe => (false, a, self.word(b)?),
            LaneOp::UGt | LaneOp::IGt => (true, b, self.word(a)?),
            LaneOp::ULe | LaneOp::ILe => (false, b, self.word(a)?),
            _ => return None,
        };
        let most = bounds::most(self, number);
        match op {
            LaneOp::ULt | LaneOp::UGe | LaneOp::UGt | LaneOp::ULe => {
                (most < limit).then_some(below)
            }
            _ if most > i32::MAX as u32 => None,
            // Nothing natural is below 0 or below a negative number.
            _ if limit as i32 <= 0 => Some(!below),
            _ => (most < limit).then_some(below),
        }
    }

    fn evaluate(&self, op: LaneOp, args: &[Value]) -> Option<Known> {
        if let Some(bit) = self.compare_bounds(op, args) {
            return Some(Known::Bool(bit));
        }
        if let (LaneOp::Shr | LaneOp::Sar, [a, by]) = (op, args)
            && let Some(by) = self.word(*by)
        {
            let most = bounds::most(self, *a);
            if most >> (by & 31) == 0 && (op == LaneOp::Shr || most <= i32::MAX as u32) {
                return Some(Known::Word(0));
            }
        }
        let mut bits = [0; 3];
        for (bit, &arg) in bits.iter_mut().zip(args) {
            *bit = self.known(arg)?.bits();
        }
        Some(Known::from_bits(op.eval(bits), result_type(op)))
    }

    /// Whether a value is the result of float arithmetic: never a NaN other than the one.
    fn is_arithmetic(&self, value: Value) -> bool {
        self.alu(value)
            .is_some_and(|(op, _)| op.result() == Operand::F32)
    }

    fn identity(&self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let is = |at: usize, word: u32| args.get(at).and_then(|v| self.word(*v)) == Some(word);
        let one = 1.0f32.to_bits();
        match op {
            LaneOp::Mov => Some(args[0]),
            LaneOp::IAdd | LaneOp::Or | LaneOp::Xor if is(1, 0) => Some(args[0]),
            LaneOp::IAdd | LaneOp::Or | LaneOp::Xor if is(0, 0) => Some(args[1]),
            LaneOp::ISub | LaneOp::Shl | LaneOp::Shr | LaneOp::Sar if is(1, 0) => Some(args[0]),
            LaneOp::IMul if is(1, 1) || is(0, 0) => Some(args[0]),
            LaneOp::IMul if is(0, 1) || is(1, 0) => Some(args[1]),
            LaneOp::And if is(1, u32::MAX) || is(0, 0) => Some(args[0]),
            LaneOp::And if is(0, u32::MAX) || is(1, 0) => Some(args[1]),
            LaneOp::And | LaneOp::Or if args[0] == args[1] => Some(args[0]),
            LaneOp::UMin if args.len() == 2 => (0..2).find_map(|i| {
                let limit = self.word(args[1 - i])?;
                (bounds::most(self, args[i]) <= limit).then_some(args[i])
            }),
            LaneOp::IAbs if bounds::is_natural(self, args[0]) => Some(args[0]),
            LaneOp::IMax | LaneOp::IMin if args.len() == 2 => (0..2).find_map(|i| {
                let limit = self.word(args[1 - i])? as i32;
                let most = i32::try_from(bounds::most(self, args[i])).ok()?;
                let inside = match op {
                    LaneOp::IMax => limit <= 0,
                    _ => most <= limit,
                };
                inside.then_some(args[i])
            }),
            LaneOp::FMul if is(1, one) && self.is_arithmetic(args[0]) => Some(args[0]),
            LaneOp::FMul if is(0, one) && self.is_arithmetic(args[1]) => Some(args[1]),
            LaneOp::FNeg => match self.alu(args[0]) {
                Some((LaneOp::FNeg, inner)) => Some(inner[0]),
                _ => None,
            },
            LaneOp::FAbs | LaneOp::FSat => match self.alu(args[0]) {
                Some((inner, _)) if inner == op => Some(args[0]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Changes an operation to a better one.
    fn rewrite(
        &mut self,
        function: &mut Function,
        inst: &mut Inst,
        op: LaneOp,
        kept: &mut Vec<Inst>,
    ) {
        // A constant stands on the right.
        if is_commutative(op) && self.word(inst.args[0]).is_some() {
            inst.args.swap(0, 1);
        }
        let args = inst.args.clone();
        let inner = self.alu(args[0]).map(|(op, args)| (op, args.to_vec()));
        let constant = args.get(1).and_then(|v| self.word(*v));
        match (op, inner, constant) {
            // x - c is x + -c, so that sums of constants meet.
            (LaneOp::ISub, _, Some(c)) => {
                let c = self.constant(function, Known::Word(c.wrapping_neg()));
                change(inst, Op::Alu(LaneOp::IAdd), vec![args[0], c]);
                self.rewrite(function, inst, LaneOp::IAdd, kept);
            }
            (LaneOp::IAdd, Some((LaneOp::IAdd, inner)), Some(c)) => {
                if let Some(d) = self.word(inner[1]) {
                    let sum = self.constant(function, Known::Word(c.wrapping_add(d)));
                    inst.args = vec![inner[0], sum];
                }
            }
            (LaneOp::Shl, Some((LaneOp::IAdd, inner)), Some(c)) => {
                if let Some(d) = self.word(inner[1]) {
                    let shifted = self.make(function, kept, LaneOp::Shl, vec![inner[0], args[1]]);
                    let sum = self.constant(function, Known::Word(d << (c & 31)));
                    change(inst, Op::Alu(LaneOp::IAdd), vec![shifted, sum]);
                }
            }
            (LaneOp::IMul, _, Some(c)) if c.is_power_of_two() => {
                let shift = self.constant(function, Known::Word(c.trailing_zeros()));
                change(inst, Op::Alu(LaneOp::Shl), vec![args[0], shift]);
            }
            (LaneOp::FMin, Some((LaneOp::FMax, inner)), Some(high)) => {
                self.clamp(inst, [inner[0], inner[1], args[1]], high);
            }
            (LaneOp::And, Some((LaneOp::Shr, inner)), Some(mask)) => {
                let shift = self.word(inner[1]).map(|c| c & 31);
                if let (Some(shift), true) = (shift, mask.wrapping_add(1).is_power_of_two()) {
                    let width = mask.count_ones();
                    match shift + width {
                        ..32 => self.bits(function, inst, LaneOp::BfeU, inner[0], [shift, width]),
                        _ => change(inst, Op::Alu(LaneOp::Shr), inner),
                    }
                }
            }
            (LaneOp::Shr | LaneOp::Sar, Some((LaneOp::Shl, inner)), Some(right)) => {
                let left = self.word(inner[1]).map(|c| c & 31);
                let right = right & 31;
                if let Some(left) = left.filter(|left| (1..=right).contains(left)) {
                    let extract = match op {
                        LaneOp::Shr => LaneOp::BfeU,
                        _ => LaneOp::BfeI,
                    };
                    let place = [right - left, 32 - right];
                    self.bits(function, inst, extract, inner[0], place);
                }
            }
            (LaneOp::And | LaneOp::Or, _, None) => self.invert_operand(inst, op),
            (LaneOp::INe | LaneOp::IEq, _, Some(c)) => self.test_of_bool(inst, op, c),
            _ => {}
        }
    }

    /// Clamping between constants in order, `high` being the last operand.
    fn clamp(&self, inst: &mut Inst, operands: [Value; 3], high: u32) {
        let Some(low) = self.word(operands[1]) else {
            return;
        };
        let [l, h] = [low, high].map(f32::from_bits);
        if low == 0 && h == 1.0 {
            change(inst, Op::Alu(LaneOp::FSat), vec![operands[0]]);
        } else if l < h {
            change(inst, Op::Alu(LaneOp::FMed3), operands.to_vec());
        }
    }

    /// An inverted operand costs nothing.
    fn invert_operand(&self, inst: &mut Inst, op: LaneOp) {
        let inverted = (0..2).find_map(|i| match self.alu(inst.args[i]) {
            Some((LaneOp::Not, inner)) => Some(vec![inst.args[1 - i], inner[0]]),
            _ => None,
        });
        let op = match op {
            LaneOp::And => LaneOp::AndNot,
            _ => LaneOp::OrNot,
        };
        if let Some(operands) = inverted {
            change(inst, Op::Alu(op), operands);
        }
    }

    /// A number made from a bool and asked whether it is `c`, or is not.
    fn test_of_bool(&self, inst: &mut Inst, op: LaneOp, c: u32) {
        let Some((Op::Select, parts)) = self.defs.get(&inst.args[0]) else {
            return;
        };
        let (condition, yes, no) = (parts[0], self.word(parts[1]), self.word(parts[2]));
        let (Some(yes), Some(no)) = (yes, no) else {
            return;
        };
        let holds = |word: u32| (word == c) == (op == LaneOp::IEq);
        match (holds(yes), holds(no)) {
            (true, false) => change(inst, Op::Bool(BoolOp::And), vec![condition, condition]),
            (false, true) => change(inst, Op::BoolNot, vec![condition]),
            _ => {}
        }
    }

    /// Makes the instruction one that takes bits out of a word: offset and width.
    fn bits(
        &mut self,
        function: &mut Function,
        inst: &mut Inst,
        op: LaneOp,
        of: Value,
        place: [u32; 2],
    ) {
        let [offset, width] = place.map(|n| self.constant(function, Known::Word(n)));
        change(inst, Op::Alu(op), vec![of, offset, width]);
    }

    fn select(&mut self, function: &mut Function, inst: &mut Inst) -> Option<Value> {
        let [condition, yes, no] = inst.args[..] else {
            return None;
        };
        match self.bit(condition) {
            Some(true) => return Some(yes),
            Some(false) => return Some(no),
            None if yes == no => return Some(yes),
            None => {}
        }
        if let Some((op, args)) = self.alu(condition)
            && let Some((smaller, larger)) = extremes(op)
        {
            // The smaller or larger of what was compared.
            if [yes, no] == args {
                change(inst, Op::Alu(smaller), vec![yes, no]);
                return None;
            }
            if [no, yes] == args {
                change(inst, Op::Alu(larger), vec![no, yes]);
                return None;
            }
        }
        if let Some((Op::BoolNot, inner)) = self.defs.get(&condition) {
            inst.args = vec![inner[0], no, yes];
            return None;
        }
        match (self.bit(yes), self.bit(no)) {
            (Some(true), Some(false)) => return Some(condition),
            (Some(true), None) => change(inst, Op::Bool(BoolOp::Or), vec![condition, no]),
            (None, Some(false)) => change(inst, Op::Bool(BoolOp::And), vec![condition, yes]),
            (Some(false), Some(true)) => {
                change(inst, Op::BoolNot, vec![condition]);
                return self.not(function, inst);
            }
            _ => {}
        }
        None
    }

    fn logic(&mut self, function: &mut Function, op: BoolOp, args: &[Value]) -> Option<Value> {
        let [a, b] = args[..] else {
            return None;
        };
        match (op, self.bit(a), self.bit(b)) {
            (BoolOp::And, Some(true), _) | (BoolOp::Or | BoolOp::Xor, Some(false), _) => Some(b),
            (BoolOp::And, _, Some(true)) | (BoolOp::Or | BoolOp::Xor, _, Some(false)) => Some(a),
            (BoolOp::And, Some(false), _) | (BoolOp::Or, Some(true), _) => Some(a),
            (BoolOp::And, _, Some(false)) | (BoolOp::Or, _, Some(true)) => Some(b),
            (BoolOp::Xor, Some(x), Some(y)) => Some(self.constant(function, Known::Bool(x != y))),
            _ if a == b && op != BoolOp::Xor => Some(a),
            _ => None,
        }
    }

    fn not(&mut self, function: &mut Function, inst: &mut Inst) -> Option<Value> {
        let arg = inst.args[0];
        if let Some(bit) = self.bit(arg) {
            return Some(self.constant(function, Known::Bool(!bit)));
        }
        let def = self.defs.get(&arg)?;
        match def {
            (Op::BoolNot, inner) => Some(inner[0]),
            (Op::Alu(op), args) => {
                if let Some(inverse) = op.negated() {
                    change(inst, Op::Alu(inverse), args.clone());
                }
                None
            }
            _ => None,
        }
    }

    fn branch(&self, end: &mut Terminator) {
        let Terminator::Branch {
            condition,
            yes,
            no,
            merge,
        } = end
        else {
            return;
        };
        let chosen = match self.bit(*condition) {
            Some(true) => yes,
            Some(false) => no,
            // Both sides the same.
            None if yes == no => yes,
            None => {
                if let Some((Op::BoolNot, inner)) = self.defs.get(condition) {
                    *end = Terminator::Branch {
                        condition: inner[0],
                        yes: no.clone(),
                        no: yes.clone(),
                        merge: *merge,
                    };
                }
                return;
            }
        };
        let target: Target = chosen.clone();
        *end = Terminator::Jump(target);
    }
}

/// Makes an instruction another one.
fn change(inst: &mut Inst, op: Op, args: Vec<Value>) {
    (inst.op, inst.args) = (op, args);
}

/// Minimum and maximum for a comparison that chooses between its operands: what `op(a, b) ? a : b` and
/// `op(a, b) ? b : a` are.
fn extremes(op: LaneOp) -> Option<(LaneOp, LaneOp)> {
    Some(match op {
        LaneOp::ULt | LaneOp::ULe => (LaneOp::UMin, LaneOp::UMax),
        LaneOp::UGt | LaneOp::UGe => (LaneOp::UMax, LaneOp::UMin),
        LaneOp::ILt | LaneOp::ILe => (LaneOp::IMin, LaneOp::IMax),
        LaneOp::IGt | LaneOp::IGe => (LaneOp::IMax, LaneOp::IMin),
        _ => return None,
    })
}

/// Whether the operands may change places.
pub(super) fn is_commutative(op: LaneOp) -> bool {
    matches!(
        op,
        LaneOp::And
            | LaneOp::Or
            | LaneOp::Xor
            | LaneOp::IAdd
            | LaneOp::IMul
            | LaneOp::IMin
            | LaneOp::IMax
            | LaneOp::UMin
            | LaneOp::UMax
            | LaneOp::FAdd
            | LaneOp::FMul
            | LaneOp::FMin
            | LaneOp::FMax
            | LaneOp::IEq
            | LaneOp::INe
            | LaneOp::FEq
            | LaneOp::FNe
    )
}
