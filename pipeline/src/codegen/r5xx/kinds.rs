//! Which words of a function are floats and which are integers: SSA does not say, but the operations do.
//!
//! Words that may be either (constants, and loads of constants) have no kind of their own; every use reads them as it
//! needs them. Words that meet (in selections, block parameters and private arrays) have one kind.

use super::errors::Errors;
use crate::codegen::Result;
use crate::ir::{
    Builtin, Function, ImageKind, Inst, LaneOp, Op, Operand, ResourceKind, Scalar, Type, Value,
};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A float.
    Float,
    /// An integer, which the chip keeps as a float.
    Integer,
}

/// The kinds of all words.
pub struct Kinds {
    parent: Vec<usize>,
    kinds: Vec<Option<Kind>>,
    /// Constants and loads, which are read as their uses need them.
    either: Vec<bool>,
    /// Words that an operation takes for numbers without a sign.
    unsigned: Vec<bool>,
    values: usize,
}

/// Kinds of the operands of an operation; `None` for words whose kind is the result's.
pub fn operands(op: LaneOp) -> Vec<Option<Kind>> {
    use LaneOp::*;
    match op {
        FNeg | FAbs | FFlush | FFlushNan => vec![Some(Kind::Float)],
        Mov => vec![None],
        FClass => vec![Some(Kind::Float), Some(Kind::Integer)],
        _ => op.params().iter().map(|param| Some(kind(*param))).collect(),
    }
}

/// Kind of the result of an operation.
pub fn result(op: LaneOp) -> Option<Kind> {
    use LaneOp::*;
    match op {
        FNeg | FAbs | FFlush | FFlushNan => Some(Kind::Float),
        Mov => None,
        _ => Some(kind(op.result())),
    }
}

/// It takes words for numbers without a sign.
fn is_unsigned(op: LaneOp) -> bool {
    use LaneOp::*;
    matches!(
        op,
        ULt | ULe | UGt | UGe | UMin | UMax | UDiv | URem | U32ToF32 | Shr | ShrOver
    )
}

fn kind(operand: Operand) -> Kind {
    match operand {
        Operand::F32 => Kind::Float,
        _ => Kind::Integer,
    }
}

fn scalar(scalar: Scalar) -> Kind {
    match scalar {
        Scalar::Float => Kind::Float,
        Scalar::Sint | Scalar::Uint => Kind::Integer,
    }
}

impl Kinds {
    /// Finds the kinds, or an operation that takes the bits of a float for an integer or the other way round.
    pub fn new(function: &Function, errors: &Errors<'_>) -> Result<Kinds> {
        let values = function.types.len();
        let nodes = values + function.locals.len();
        let mut kinds = Kinds {
            parent: (0..nodes).collect(),
            kinds: vec![None; nodes],
            either: vec![false; nodes],
            unsigned: vec![false; nodes],
            values,
        };
        for inst in function.insts() {
            if matches!(inst.op, Op::Const(_) | Op::LoadBuffer(_) | Op::LoadPush) {
                for result in &inst.results {
                    kinds.either[result.0 as usize] = true;
                }
            }
        }
        for block in &function.blocks {
            for inst in &block.insts {
                kinds.join_inst(inst);
                if matches!(&inst.op, Op::Alu(op) if is_unsigned(*op)) {
                    for arg in &inst.args {
                        kinds.unsigned[arg.0 as usize] = true;
                    }
                }
            }
            for target in block.end.targets() {
                let params = &function.blocks[target.block.0 as usize].params;
                for (param, arg) in params.iter().zip(&target.args) {
                    kinds.join(param.0 as usize, arg.0 as usize);
                }
            }
        }
        for inst in function.insts() {
            kinds.note_inst(function, inst, errors)?;
        }
        Ok(kinds)
    }

    /// The kind of a value; of one that may be either, nothing.
    pub fn of(&self, value: Value) -> Option<Kind> {
        self.kinds[self.root(value.0 as usize)]
    }

    /// Whether the uses of a value decide what it is.
    pub fn is_either(&self, value: Value) -> bool {
        self.either[value.0 as usize]
    }

    /// Whether a load is of a number without a sign.
    pub fn is_unsigned(&self, value: Value) -> bool {
        self.unsigned[value.0 as usize]
    }

    fn root(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        if self.either[a] || self.either[b] {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a] = b;
    }

    fn join_inst(&mut self, inst: &Inst) {
        let result = inst.results.first().map(|v| v.0 as usize);
        match (&inst.op, result) {
            (Op::Select, Some(result)) => {
                self.join(result, inst.args[1].0 as usize);
                self.join(result, inst.args[2].0 as usize);
            }
            (Op::Alu(LaneOp::Mov), Some(result)) => self.join(result, inst.args[0].0 as usize),
            (Op::LoadLocal(local), Some(result)) => {
                self.join(result, self.values + *local as usize);
            }
            (Op::StoreLocal(local), _) => {
                self.join(inst.args[1].0 as usize, self.values + *local as usize);
            }
            _ => {}
        }
    }

    fn note(&mut self, value: Value, kind: Kind) -> bool {
        if self.either[value.0 as usize] {
            return true;
        }
        let root = self.root(value.0 as usize);
        let known = self.kinds[root].get_or_insert(kind);
        *known == kind
    }

    fn note_inst(&mut self, function: &Function, inst: &Inst, errors: &Errors<'_>) -> Result<()> {
        let mut agree = true;
        for (value, kind) in demands(function, inst) {
            if function.types[value.0 as usize] == Type::Word {
                agree &= self.note(value, kind);
            }
        }
        match agree {
            true => Ok(()),
            false => Err(errors.lacks("the bits of a float as an integer", inst.origin)),
        }
    }
}

/// What an instruction says of the kinds of words.
fn demands(function: &Function, inst: &Inst) -> Vec<(Value, Kind)> {
    let interface = &function.interface;
    let mut found = Vec::new();
    let results = |kind: Kind| inst.results.iter().map(move |v| (*v, kind));
    match &inst.op {
        Op::Alu(op) => {
            let args = inst.args.iter().zip(operands(*op));
            found.extend(args.filter_map(|(v, kind)| Some((*v, kind?))));
            found.extend(result(*op).into_iter().flat_map(results));
        }
        Op::Input { input, .. } => {
            found.extend(results(scalar(interface.inputs[*input as usize].scalar)));
        }
        Op::Output { output, .. } => {
            let kind = scalar(interface.outputs[*output as usize].scalar);
            found.extend(inst.args.iter().map(|v| (*v, kind)));
        }
        Op::OutputBuiltin(_) => found.extend(inst.args.iter().map(|v| (*v, Kind::Float))),
        Op::Builtin(Builtin::FragCoord(_) | Builtin::PointCoord(_)) => {
            found.extend(results(Kind::Float));
        }
        Op::Builtin(_) | Op::BufferBytes(_) => found.extend(results(Kind::Integer)),
        Op::LoadLocal(_) => found.push((inst.args[0], Kind::Integer)),
        Op::StoreLocal(_) => found.push((inst.args[0], Kind::Integer)),
        Op::LoadBuffer(_) | Op::LoadPush => found.push((inst.args[0], Kind::Integer)),
        Op::Derivative { .. } => {
            found.extend(inst.args.iter().map(|v| (*v, Kind::Float)));
            found.extend(results(Kind::Float));
        }
        Op::Image(image) => {
            let samples = matches!(
                image.kind,
                ImageKind::Sample { .. } | ImageKind::Gather { .. }
            );
            let body = image.shape.coordinates();
            for (at, arg) in inst.args.iter().enumerate() {
                let layer = image.shape.arrayed && at == body;
                let kind = if samples && !layer {
                    Kind::Float
                } else {
                    Kind::Integer
                };
                found.push((*arg, kind));
            }
            let resource = &interface.resources[image.texture.resource as usize];
            let texels = samples || matches!(image.kind, ImageKind::Load { .. });
            found.extend(results(match resource.kind {
                ResourceKind::Texture { scalar: of, .. } if texels => scalar(of),
                _ => Kind::Integer,
            }));
        }
        _ => {}
    }
    found
}
