//! Bounds of numbers: an integer is a float on this chip, exact below 2^24.
//!
//! Intervals are found by going over the function until nothing changes; a parameter of a loop that does not come to rest
//! is bounded by the comparison that ends the loop, or not at all.

use std::collections::HashMap;

use super::interface::OUTSIDE;
use super::kinds::{Kind, Kinds};
use crate::codegen::definitions::Definitions;
use crate::codegen::structure::{Edge, Node, Structure};
use crate::ir::{BoolOp, Builtin, Function, Inst, LaneOp, Op, Scalar, Value};

/// Both ends are possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lowest.
    pub low: f64,
    /// Highest.
    pub high: f64,
    /// It is a multiple of two to this power.
    pub zeros: u32,
}

/// The largest integer up to which a float holds all.
pub const EXACT: f64 = 16_777_216.0;
/// Largest window coordinate.
const WINDOW: f64 = 8192.0;
/// Rounds before parameters of loops are widened.
const PATIENCE: usize = 3;

impl Range {
    /// Any number.
    pub const ANY: Range = Range::new(f64::NEG_INFINITY, f64::INFINITY);

    /// Between two numbers.
    pub const fn new(low: f64, high: f64) -> Range {
        Range {
            low,
            high,
            zeros: 0,
        }
    }

    /// A single integer.
    pub fn of(value: f64) -> Range {
        let zeros = match value {
            0.0 => 31,
            _ => (value as i64).trailing_zeros().min(31),
        };
        Range {
            zeros,
            ..Range::new(value, value)
        }
    }

    fn join(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            zeros: self.zeros.min(other.zeros),
        }
    }

    /// All integers of it are floats.
    pub fn is_exact(&self) -> bool {
        self.low >= -EXACT && self.high <= EXACT
    }

    /// Nothing is negative.
    pub fn is_natural(&self) -> bool {
        self.low >= 0.0
    }

    fn corners(a: Range, b: Range, f: impl Fn(f64, f64) -> f64) -> Range {
        let all = [
            f(a.low, b.low),
            f(a.low, b.high),
            f(a.high, b.low),
            f(a.high, b.high),
        ];
        let all = all.map(|v| if v.is_nan() { 0.0 } else { v });
        let low = all.into_iter().fold(f64::INFINITY, f64::min);
        Range::new(low, all.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }
}

/// Bounds of all words.
pub struct Ranges {
    ranges: Vec<Option<Range>>,
    /// By loop: the most rounds that it goes, if that is known.
    pub rounds: Vec<Option<f64>>,
}

/// How a counter is to a bound.
#[derive(Clone, Copy)]
enum Relation {
    Below,
    AtMost,
    Above,
    AtLeast,
    Other,
}

struct Finder<'a> {
    function: &'a Function,
    kinds: &'a Kinds,
    known: Definitions<'a>,
    structure: &'a Structure,
    ranges: Vec<Option<Range>>,
    locals: Vec<Range>,
    /// Bounds of parameters of loops, from the comparisons that end them.
    bounds: HashMap<Value, Range>,
}

/// A word of a constant as a number of a kind.
pub fn number(word: u32, kind: Kind) -> f64 {
    match kind {
        Kind::Float => f64::from(f32::from_bits(word)),
        Kind::Integer => f64::from(word as i32),
    }
}

impl Ranges {
    /// Finds them.
    pub fn new(function: &Function, kinds: &Kinds, structure: &Structure) -> Ranges {
        let mut finder = Finder {
            function,
            kinds,
            known: Definitions::new(function),
            structure,
            ranges: vec![None; function.types.len()],
            locals: vec![Range::of(0.0); function.locals.len()],
            bounds: HashMap::new(),
        };
        let mut rounds = vec![None; structure.loops.len()];
        for round in 0..4 * PATIENCE {
            let changed = finder.round(round >= PATIENCE);
            for (l, count) in rounds.iter_mut().enumerate() {
                *count = finder.count(l);
            }
            if !changed {
                break;
            }
        }
        Ranges {
            ranges: finder.ranges,
            rounds,
        }
    }

    /// Bounds of a value, read as a kind.
    pub fn of(&self, function: &Definitions<'_>, value: Value, kind: Kind) -> Range {
        if let Some(word) = function.constant(value) {
            return Range::of(number(word, kind));
        }
        self.ranges[value.0 as usize].unwrap_or(Range::ANY)
    }
}

impl Finder<'_> {
    fn get(&self, value: Value, kind: Kind) -> Option<Range> {
        match self.known.constant(value) {
            Some(word) => Some(Range::of(number(word, kind))),
            None => self.ranges[value.0 as usize],
        }
    }

    fn set(&mut self, value: Value, range: Range) -> bool {
        let old = self.ranges[value.0 as usize];
        let new = old.map_or(range, |old| old.join(range));
        self.ranges[value.0 as usize] = Some(new);
        old != Some(new)
    }

    fn round(&mut self, widen: bool) -> bool {
        let mut changed = false;
        let function = self.function;
        for (b, block) in function.blocks.iter().enumerate() {
            for inst in &block.insts {
                if let Op::StoreLocal(local) = inst.op {
                    let at = local as usize;
                    let kind = self.kinds.of(inst.args[1]).unwrap_or(Kind::Float);
                    let new = self.get(inst.args[1], kind).unwrap_or(self.locals[at]);
                    let joined = self.locals[at].join(new);
                    let joined = if widen && joined != self.locals[at] {
                        Range::ANY
                    } else {
                        joined
                    };
                    changed |= joined != self.locals[at];
                    self.locals[at] = joined;
                }
                for &result in &inst.results {
                    if let Some(range) = self.result(inst, result) {
                        changed |= self.set(result, range);
                    }
                }
            }
            let id = crate::ir::BlockId(b as u32);
            for target in block.end.targets() {
                let back = matches!(self.structure.edge(id, target.block), Edge::Back(_));
                let params = &function.blocks[target.block.0 as usize].params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    let kind = self.kinds.of(param).unwrap_or(Kind::Float);
                    let Some(mut range) = self.get(arg, kind) else {
                        continue;
                    };
                    if back && widen {
                        range = self.widened(param, range);
                    }
                    changed |= self.set(param, range);
                }
            }
        }
        changed
    }

    /// A range of a loop's parameter that will not grow any more.
    fn widened(&self, param: Value, range: Range) -> Range {
        let old = self.ranges[param.0 as usize];
        if old.is_some_and(|old| old.join(range) == old) {
            return range;
        }
        self.bounds.get(&param).copied().unwrap_or(Range::ANY)
    }

    /// Rounds of a loop, and bounds of the parameter that counts them.
    fn count(&mut self, l: usize) -> Option<f64> {
        let node = &self.structure.loops[l];
        let tops: Vec<_> = node.body.iter().chain(&node.continuing).collect();
        let header = &self.function.blocks[node.header.0 as usize];
        let mut best: Option<f64> = None;
        for top in tops {
            let Node::Branch { block, .. } = top else {
                continue;
            };
            let crate::ir::Terminator::Branch {
                condition, yes, no, ..
            } = &self.function.blocks[block.0 as usize].end
            else {
                continue;
            };
            let leaves = |to| matches!(self.structure.edge(*block, to), Edge::Break(of) if of == l);
            if leaves(yes.block) == leaves(no.block) {
                continue;
            }
            for (part, ends) in self.parts(*condition, leaves(yes.block)) {
                for (at, &param) in header.params.iter().enumerate() {
                    if let Some(rounds) = self.counter(l, at, param, part, ends) {
                        best = Some(best.map_or(rounds, |best| best.min(rounds)));
                    }
                }
            }
        }
        best
    }

    /// Conditions of which each alone ends a loop, and how they are then.
    fn parts(&self, condition: Value, ends: bool) -> Vec<(Value, bool)> {
        let Some(inst) = self.known.inst(condition) else {
            return Vec::new();
        };
        match (&inst.op, ends) {
            (Op::BoolNot, _) => self.parts(inst.args[0], !ends),
            (Op::Bool(BoolOp::Or), true) | (Op::Bool(BoolOp::And), false) => {
                let both = inst.args.iter();
                both.flat_map(|arg| self.parts(*arg, ends)).collect()
            }
            (Op::Select, _) => self.parts_of_choice(&inst.args, ends),
            _ => vec![(condition, ends)],
        }
    }

    /// The same of a choice one side of which is constant: it is an "and" or an "or".
    fn parts_of_choice(&self, args: &[Value], ends: bool) -> Vec<(Value, bool)> {
        let constant = |at: usize| self.known.constant(args[at]).map(|bits| bits != 0);
        let (which, is, other) = match (constant(1), constant(2)) {
            (Some(side), None) if side == ends => (args[0], true, args[2]),
            (None, Some(side)) if side == ends => (args[0], false, args[1]),
            _ => return Vec::new(),
        };
        [self.parts(which, is), self.parts(other, ends)].concat()
    }

    /// How a number has to be to another for a loop to go on, the number on the left.
    fn stays(op: LaneOp, ends: bool, swapped: bool) -> Option<Relation> {
        use LaneOp::*;
        use Relation::{Above, AtLeast, AtMost, Below, Other};
        let relation = match op {
            ILt | ULt => Below,
            ILe | ULe => AtMost,
            IGt | UGt => Above,
            IGe | UGe => AtLeast,
            // Its opposite is no reason to go on.
            INe if !ends => return Some(Other),
            IEq if ends => return Some(Other),
            _ => return None,
        };
        let relation = match (ends, relation) {
            (false, relation) => relation,
            (true, Below) => AtLeast,
            (true, AtMost) => Above,
            (true, Above) => AtMost,
            (true, _) => Below,
        };
        Some(match (swapped, relation) {
            (false, relation) => relation,
            (true, Below) => Above,
            (true, AtMost) => AtLeast,
            (true, Above) => Below,
            (true, _) => AtMost,
        })
    }

    fn counter(
        &mut self,
        l: usize,
        at: usize,
        param: Value,
        condition: Value,
        ends: bool,
    ) -> Option<f64> {
        let (start, next) = self.ends(l, at)?;
        let start = self.get(start, Kind::Integer)?;
        let (op, args) = self.known.alu(next)?;
        let step = match op {
            LaneOp::IAdd if args[0] == param => {
                number(self.known.constant(args[1])?, Kind::Integer)
            }
            LaneOp::IAdd if args[1] == param => {
                number(self.known.constant(args[0])?, Kind::Integer)
            }
            LaneOp::ISub if args[0] == param => {
                -number(self.known.constant(args[1])?, Kind::Integer)
            }
            _ => return None,
        };
        let (op, args) = self.known.alu(condition)?;
        let ours = |v: Value| v == param || v == next;
        let swapped = match (ours(*args.first()?), ours(*args.get(1)?)) {
            (true, false) => false,
            (false, true) => true,
            _ => return None,
        };
        let bound = self.get(args[usize::from(!swapped)], Kind::Integer)?;
        let met = match Self::stays(op, ends, swapped)? {
            Relation::Below | Relation::AtMost => step > 0.0,
            Relation::Above | Relation::AtLeast => step < 0.0,
            // Only a number that is hit ends the loop.
            Relation::Other => {
                let single = start.low == start.high && bound.low == bound.high;
                let rounds = (bound.low - start.low) / step;
                single && rounds >= 0.0 && rounds.fract() == 0.0
            }
        };
        if !met {
            return None;
        }
        let (range, distance) = match step > 0.0 {
            true => (
                Range::new(start.low, start.high.max(bound.high + step)),
                bound.high - start.low,
            ),
            false => (
                Range::new(start.low.min(bound.low + step), start.high),
                start.high - bound.low,
            ),
        };
        if !range.is_exact() || step == 0.0 {
            return None;
        }
        self.bounds.insert(param, range);
        Some((distance / step.abs()).ceil().max(0.0) + 2.0)
    }

    /// What a parameter of a loop is at first, and what it becomes.
    fn ends(&self, l: usize, at: usize) -> Option<(Value, Value)> {
        let header = self.structure.loops[l].header;
        let (mut start, mut next) = (None, None);
        for (b, block) in self.function.blocks.iter().enumerate() {
            let id = crate::ir::BlockId(b as u32);
            for target in block.end.targets().filter(|target| target.block == header) {
                match self.structure.edge(id, header) {
                    Edge::Back(of) if of == l => next = Some(target.args[at]),
                    _ => start = Some(target.args[at]),
                }
            }
        }
        Some((start?, next?))
    }

    fn result(&self, inst: &Inst, result: Value) -> Option<Range> {
        let outside = Range::new(-OUTSIDE, OUTSIDE);
        let natural = Range::new(0.0, OUTSIDE);
        Some(match &inst.op {
            Op::Alu(op) => return self.alu(*op, &inst.args),
            Op::Select => {
                let kind = self.kinds.of(inst.results[0]).unwrap_or(Kind::Float);
                let [yes, no] = [1, 2].map(|at| self.get(inst.args[at], kind));
                match (yes, no.map(|no| self.refined(inst, no))) {
                    (Some(a), Some(b)) => a.join(b),
                    (a, b) => a.or(b)?,
                }
            }
            Op::Input { input, .. } => {
                match self.function.interface.inputs[*input as usize].scalar {
                    Scalar::Float => Range::ANY,
                    Scalar::Sint => outside,
                    Scalar::Uint => natural,
                }
            }
            Op::Builtin(Builtin::FragCoord(0 | 1)) => Range::new(0.0, WINDOW),
            Op::Builtin(Builtin::FragCoord(2)) => Range::new(0.0, 1.0),
            Op::Builtin(Builtin::FragCoord(_)) => Range::ANY,
            Op::Builtin(Builtin::PointCoord(_)) => Range::new(0.0, 1.0),
            Op::Builtin(_) | Op::BufferBytes(_) => natural,
            Op::LoadBuffer(_) | Op::LoadPush => match self.kinds.is_unsigned(result) {
                true => natural,
                false => outside,
            },
            Op::LoadLocal(local) => self.locals[*local as usize],
            Op::Image(image)
                if matches!(
                    image.kind,
                    crate::ir::ImageKind::Size { .. }
                        | crate::ir::ImageKind::Layers
                        | crate::ir::ImageKind::Levels
                ) =>
            {
                Range::new(1.0, WINDOW)
            }
            _ => Range::ANY,
        })
    }

    /// The second side of a selection, where the condition is that it is its lowest number.
    fn refined(&self, inst: &Inst, no: Range) -> Range {
        let Some((LaneOp::IEq, args)) = self.known.alu(inst.args[0]) else {
            return no;
        };
        let lowest = self
            .known
            .constant(args[1])
            .map(|word| number(word, Kind::Integer));
        match args[0] == inst.args[2] && lowest == Some(no.low) && no.low < no.high {
            true => Range {
                low: no.low + 1.0,
                ..no
            },
            false => no,
        }
    }

    fn alu(&self, op: LaneOp, args: &[Value]) -> Option<Range> {
        let kinds = super::kinds::operands(op);
        let at = |i: usize| {
            let value = args.get(i)?;
            let kind = kinds.get(i).copied().flatten();
            self.get(
                *value,
                kind.or(self.kinds.of(*value)).unwrap_or(Kind::Float),
            )
        };
        let a = at(0)?;
        let b = || at(1);
        let constant = |i: usize| self.known.constant(args[i]);
        super::interval::result(op, a, &b, at(2), &constant)
    }
}

pub(super) fn corners(a: Range, b: Range, f: impl Fn(f64, f64) -> f64) -> Range {
    Range::corners(a, b, f)
}
