//! What each value of a legal function is: an operation on terms. Signs and magnitudes are parts of terms, bools that only
//! choose are parts of the choice, and clamps are parts of what they clamp.

use std::collections::HashMap;

use super::machine::{Function as Unary, Op as Machine, Test};
use crate::ir::{BoolOp, Function, Inst, LaneOp, Op, Stage, Value};

/// A value with a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Value.
    pub value: Value,
    /// Its magnitude.
    pub abs: bool,
    /// Its sign changes, after that.
    pub negate: bool,
}

/// How a value is computed.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Operation.
    pub op: Machine,
    /// Operands; of a dot product all first factors, then all second.
    pub args: Vec<Term>,
    /// Clamped to 0..1.
    pub saturate: bool,
}

/// The values of a function.
pub struct Terms<'a> {
    function: &'a Function,
    places: Vec<Option<(usize, usize)>>,
    uses: Vec<u32>,
    /// Words of constants, and bools as numbers.
    pub constants: HashMap<Value, u32>,
    /// Offsets of push constants.
    pub pushes: HashMap<Value, u32>,
    /// Those at a vector that a number chooses: the word where that is 0, and the number.
    pub indexed: HashMap<Value, (u32, Value)>,
}

impl<'a> Terms<'a> {
    /// Of a function.
    pub fn new(function: &'a Function) -> Terms<'a> {
        let count = function.types.len();
        let mut terms = Terms {
            function,
            places: vec![None; count],
            uses: vec![0; count],
            constants: HashMap::new(),
            pushes: HashMap::new(),
            indexed: HashMap::new(),
        };
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                for result in &inst.results {
                    terms.places[result.0 as usize] = Some((b, i));
                }
                match (&inst.op, inst.results.first()) {
                    (Op::Const(word), Some(result)) => {
                        terms.constants.insert(*result, *word);
                    }
                    (Op::ConstBool(bit), Some(result)) => {
                        let number = if *bit { 1.0f32 } else { 0.0 };
                        terms.constants.insert(*result, number.to_bits());
                    }
                    _ => {}
                }
            }
            let ends = block.end.operands();
            for value in block.insts.iter().flat_map(Inst::operands).chain(ends) {
                terms.uses[value.0 as usize] += 1;
            }
        }
        for inst in function.insts().filter(|inst| inst.op == Op::LoadPush) {
            let constant = |value: &Value| terms.constants.get(value).copied();
            let vector = terms.index(inst.args[0]);
            let offset = constant(&inst.args[0]).unwrap_or(0);
            for (at, result) in (0..).zip(&inst.results) {
                match vector {
                    Some((first, index)) => terms.indexed.insert(*result, (first + at, index)),
                    None => {
                        terms.pushes.insert(*result, offset / 4 + at);
                        None
                    }
                };
            }
        }
        terms
    }

    /// First word and index of an address that [`super::build::Build::indexed`] wrote.
    fn index(&self, address: Value) -> Option<(u32, Value)> {
        let inst = self.inst(address)?;
        let (Op::Alu(LaneOp::IMad), [fixed, _, first]) = (&inst.op, &inst.args[..]) else {
            return None;
        };
        let first = self.constants.get(first)?;
        Some((first / 4, self.inst(*fixed)?.args[0]))
    }

    /// The instruction that gives a value.
    pub fn inst(&self, value: Value) -> Option<&'a Inst> {
        let (b, i) = self.places[value.0 as usize]?;
        Some(&self.function.blocks[b].insts[i])
    }

    /// The lookup that gives a value among its neighbours: lookups in a row of which none reads another.
    pub fn lookups(&self, value: Value) -> Vec<&'a Inst> {
        let Some((b, at)) = self.places[value.0 as usize] else {
            return Vec::new();
        };
        let insts = &self.function.blocks[b].insts;
        let is_lookup = |inst: &&Inst| matches!(inst.op, Op::Image(_));
        if !is_lookup(&&insts[at]) {
            return Vec::new();
        }
        let before = insts[..at].iter().rev().take_while(is_lookup).count();
        let row = (at - before..).zip(&insts[at - before..]);
        let mut found: Vec<&Inst> = Vec::new();
        for (i, inst) in row.take_while(|(_, inst)| is_lookup(inst)) {
            let read = |before: &&Inst| before.results.iter().any(|of| inst.args.contains(of));
            if found.iter().any(read) {
                if i > at {
                    break;
                }
                found.clear();
            }
            found.push(inst);
        }
        found
    }

    /// Block of the instruction that gives a value.
    pub fn block(&self, value: Value) -> Option<usize> {
        self.places[value.0 as usize].map(|(b, _)| b)
    }

    fn once(&self, value: Value) -> bool {
        self.uses[value.0 as usize] == 1
    }

    /// The value behind signs and magnitudes.
    pub fn term(&self, value: Value) -> Term {
        let mut term = Term {
            value,
            abs: false,
            negate: false,
        };
        while let Some(Inst {
            op: Op::Alu(op @ (LaneOp::FNeg | LaneOp::FAbs)),
            args,
            ..
        }) = self.inst(term.value)
        {
            match op {
                _ if term.abs => {}
                LaneOp::FNeg => term.negate = !term.negate,
                _ => term.abs = true,
            }
            term.value = args[0];
        }
        term
    }

    /// How a value is computed; nothing computes constants, inputs and texels.
    pub fn expr(&self, value: Value) -> Option<Expr> {
        let inst = self.inst(value)?;
        let of = |op, args: &[Value]| {
            let args = args.iter().map(|arg| self.term(*arg)).collect();
            Some(Expr {
                op,
                args,
                saturate: false,
            })
        };
        match &inst.op {
            Op::Alu(LaneOp::FSat) => {
                let clamped = inst.args[0];
                let own = self.once(clamped) && self.term(clamped).value == clamped;
                if own && let Some(expr) = self.expr(clamped) {
                    return Some(Expr {
                        saturate: true,
                        ..expr
                    });
                }
                let expr = of(Machine::Mov, &inst.args)?;
                Some(Expr {
                    saturate: true,
                    ..expr
                })
            }
            Op::Alu(op) => self.alu(*op, inst),
            Op::Select => self.select(inst),
            Op::Bool(BoolOp::And) => of(Machine::Min, &inst.args),
            Op::Bool(_) => of(Machine::Max, &inst.args),
            Op::BoolNot => match self.inst(inst.args[0]) {
                // The pixel unit has the other comparison with zero, too.
                Some(Inst {
                    op: Op::Alu(LaneOp::FGe),
                    args,
                    ..
                }) if self.function.stage != Stage::Vertex
                    && self.once(inst.args[0])
                    && self.constants.get(&args[1]) == Some(&0) =>
                {
                    of(Machine::Set(Test::Less), &args[..1])
                }
                _ => of(Machine::Not, &inst.args),
            },
            Op::Derivative { axis, .. } => {
                let down = *axis == crate::ir::Axis::Y;
                of(Machine::Derivative { down }, &inst.args)
            }
            _ => None,
        }
    }

    fn test(op: LaneOp) -> Option<Test> {
        Some(match op {
            LaneOp::FEq => Test::Equal,
            LaneOp::FNe => Test::NotEqual,
            LaneOp::FLt => Test::Less,
            LaneOp::FGt => Test::Greater,
            LaneOp::FGe => Test::AtLeast,
            _ => return None,
        })
    }

    fn alu(&self, op: LaneOp, inst: &Inst) -> Option<Expr> {
        let machine = match op {
            LaneOp::FAdd => Machine::Add,
            LaneOp::FMul => Machine::Mul,
            LaneOp::FMad => {
                return Some(
                    self.dot(inst)
                        .unwrap_or_else(|| self.plain(Machine::Mad, inst)),
                );
            }
            LaneOp::FMin => Machine::Min,
            LaneOp::FMax => Machine::Max,
            LaneOp::FFractOne => Machine::Frc,
            LaneOp::FRcp => Machine::Function(Unary::Rcp),
            LaneOp::FRsq => Machine::Function(Unary::Rsq),
            LaneOp::FExp2 => Machine::Function(Unary::Exp2),
            LaneOp::FLog2 => Machine::Function(Unary::Log2),
            LaneOp::FSin | LaneOp::FSinTurns => Machine::Function(Unary::Sin),
            LaneOp::FCos | LaneOp::FCosTurns => Machine::Function(Unary::Cos),
            LaneOp::FNeg | LaneOp::FAbs => return None,
            op => Machine::Set(Terms::test(op)?),
        };
        let mut expr = self.plain(machine, inst);
        if matches!(machine, Machine::Set(_)) && self.function.stage != Stage::Vertex {
            expr.args.truncate(1);
        }
        Some(expr)
    }

    fn plain(&self, op: Machine, inst: &Inst) -> Expr {
        let args = inst.args.iter().map(|arg| self.term(*arg)).collect();
        Expr {
            op,
            args,
            saturate: false,
        }
    }

    /// A chain of products and sums, as long as a dot product of the stage, whose factors may lie in two vectors.
    fn dot(&self, inst: &Inst) -> Option<Expr> {
        let mut pairs = vec![[inst.args[0], inst.args[1]]];
        let mut addend = inst.args[2];
        loop {
            let Some(Inst {
                op: Op::Alu(op),
                args,
                ..
            }) = self.inst(addend)
            else {
                return None;
            };
            if !self.once(addend) {
                return None;
            }
            match op {
                LaneOp::FMad => {
                    pairs.push([args[0], args[1]]);
                    addend = args[2];
                }
                LaneOp::FMul => {
                    pairs.push([args[0], args[1]]);
                    break;
                }
                _ => return None,
            }
            if pairs.len() > 4 {
                return None;
            }
        }
        pairs.reverse();
        let op = match (pairs.len(), self.function.stage) {
            (4, _) => Machine::Dot4,
            (3, Stage::Fragment) => Machine::Dot3,
            _ => return None,
        };
        // Factors change sides so that those of one vector meet.
        let family = |value: Value| self.family(value);
        let first = pairs[0].map(family);
        for pair in &mut pairs[1..] {
            if family(pair[0]) != first[0] && family(pair[1]) == first[0] {
                pair.reverse();
            }
        }
        let side = |at: usize| -> Vec<Value> { pairs.iter().map(|pair| pair[at]).collect() };
        let sides = [side(0), side(1)];
        for side in &sides {
            let mut families: Vec<_> = side.iter().map(|value| family(*value)).collect();
            families.retain(|family| *family != Family::Number);
            families.dedup();
            if families.len() > 1 {
                return None;
            }
        }
        let args = sides
            .concat()
            .into_iter()
            .map(|value| self.term(value))
            .collect();
        Some(Expr {
            op,
            args,
            saturate: false,
        })
    }

    /// What values may lie in one vector with.
    fn family(&self, value: Value) -> Family {
        let value = self.term(value).value;
        if self.constants.contains_key(&value) {
            return Family::Number;
        }
        if self.pushes.contains_key(&value) {
            return Family::Constant;
        }
        match self.inst(value).map(|inst| &inst.op) {
            Some(Op::Input { input, .. }) => Family::Input(*input),
            Some(Op::Image(_)) => Family::Texel(self.places[value.0 as usize]),
            Some(Op::Alu(op)) => Family::Alu(*op, self.block(value)),
            Some(Op::Select) => Family::Select(self.block(value)),
            _ => Family::Alone(value),
        }
    }

    fn select(&self, inst: &Inst) -> Option<Expr> {
        let mut condition = inst.args[0];
        let (mut yes, mut no) = (inst.args[1], inst.args[2]);
        while let Some(Inst {
            op: Op::BoolNot,
            args,
            ..
        }) = self.inst(condition)
        {
            condition = args[0];
            (yes, no) = (no, yes);
        }
        let sides = [yes, no].map(|side| self.term(side));
        let choice = |op, condition: Value| {
            let args = vec![self.term(condition), sides[0], sides[1]];
            Some(Expr {
                op,
                args,
                saturate: false,
            })
        };
        if let Some(Inst {
            op: Op::Alu(op),
            args,
            ..
        }) = self.inst(condition)
            && self.constants.get(args.get(1).unwrap_or(&condition)) == Some(&0)
            && let Some(test) = Terms::test(*op)
        {
            let has = match self.function.stage {
                Stage::Vertex => matches!(test, Test::Equal | Test::Greater | Test::AtLeast),
                _ => test == Test::AtLeast,
            };
            if has {
                return choice(Machine::Mux(test), args[0]);
            }
        }
        choice(Machine::Choose, condition)
    }
}

/// Values that come from one place.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    Number,
    Constant,
    Input(u32),
    Texel(Option<(usize, usize)>),
    Alu(LaneOp, Option<usize>),
    Select(Option<usize>),
    Alone(Value),
}
