//! Checks that a function keeps the rules of the form.

use super::{
    BlockId, Builtin, Function, ImageKind, ImageOp, Inst, LaneOp, Lod, Op, Stage, SubgroupOp,
    Target, Terminator, Type, Value,
};
use super::{dominance::Dominators, image_operands};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{block:?}: {message}")]
pub struct VerifyError {
    /// Where.
    pub block: BlockId,
    /// What.
    pub message: String,
}

/// Checks types, single assignment, dominance, jump arguments and the structure of control flow.
pub fn verify(function: &Function) -> Result<(), VerifyError> {
    Verifier {
        function,
        home: vec![None; function.types.len()],
        block: BlockId(0),
    }
    .run()
}

struct Verifier<'a> {
    function: &'a Function,
    /// Block and position of every definition; position 0 is a parameter, instruction `i` is at `i + 1`.
    home: Vec<Option<(usize, usize)>>,
    block: BlockId,
}

type Checked = Result<(), VerifyError>;

impl Verifier<'_> {
    fn fail<T>(&self, message: String) -> Result<T, VerifyError> {
        Err(VerifyError {
            block: self.block,
            message,
        })
    }

    fn require(&self, holds: bool, message: impl FnOnce() -> String) -> Checked {
        if holds { Ok(()) } else { self.fail(message()) }
    }

    fn run(mut self) -> Checked {
        self.require(!self.function.blocks.is_empty(), || "no blocks".to_owned())?;
        for (number, block) in self.function.blocks.iter().enumerate() {
            self.block = BlockId(number as u32);
            for &param in &block.params {
                self.define(param, number, 0)?;
            }
            for (at, inst) in block.insts.iter().enumerate() {
                for &result in &inst.results {
                    self.define(result, number, at + 1)?;
                }
            }
        }
        self.require(self.function.blocks[0].params.is_empty(), || {
            "the entry block has parameters".to_owned()
        })?;
        for number in 0..self.function.blocks.len() {
            self.block = BlockId(number as u32);
            self.edges(number)?;
        }
        self.block = BlockId(0);
        let dominators = Dominators::new(self.function);
        for number in 0..self.function.blocks.len() {
            if !dominators.reachable(BlockId(number as u32)) {
                continue;
            }
            self.block = BlockId(number as u32);
            self.uses(number, &dominators)?;
        }
        Ok(())
    }

    fn define(&mut self, value: Value, block: usize, position: usize) -> Checked {
        let Some(home) = self.home.get(value.0 as usize) else {
            return self.fail(format!("{value:?} has no type"));
        };
        self.require(home.is_none(), || format!("{value:?} is defined twice"))?;
        self.home[value.0 as usize] = Some((block, position));
        Ok(())
    }

    fn ty(&self, value: Value) -> Result<Type, VerifyError> {
        match self.home.get(value.0 as usize) {
            Some(Some(_)) => Ok(self.function.types[value.0 as usize]),
            _ => self.fail(format!("{value:?} is used but not defined")),
        }
    }

    fn edges(&self, number: usize) -> Checked {
        let block = &self.function.blocks[number];
        let count = self.function.blocks.len() as u32;
        let inside = |id: BlockId| self.require(id.0 < count, || format!("{id:?} does not exist"));
        if let Some(looping) = block.looping {
            inside(looping.merge)?;
            inside(looping.continuing)?;
        }
        match &block.end {
            Terminator::Jump(target) => self.target(target)?,
            Terminator::Branch {
                condition,
                yes,
                no,
                merge,
            } => {
                let ty = self.ty(*condition)?;
                self.require(ty == Type::Bool, || {
                    format!("condition {condition:?} is no bool")
                })?;
                self.target(yes)?;
                self.target(no)?;
                inside(*merge)?;
            }
            Terminator::Return => self.require(number as u32 + 1 == count, || {
                "a return outside the last block".to_owned()
            })?,
            Terminator::Unreachable => {}
        }
        Ok(())
    }

    fn target(&self, target: &Target) -> Checked {
        let Some(block) = self.function.blocks.get(target.block.0 as usize) else {
            return self.fail(format!("jump to {:?}, which does not exist", target.block));
        };
        self.require(block.params.len() == target.args.len(), || {
            format!(
                "jump to {:?} with {} arguments for {} parameters",
                target.block,
                target.args.len(),
                block.params.len()
            )
        })?;
        for (&arg, &param) in target.args.iter().zip(&block.params) {
            let (arg_ty, param_ty) = (self.ty(arg)?, self.ty(param)?);
            self.require(arg_ty == param_ty, || {
                format!("{arg:?} is {arg_ty:?}, parameter {param:?} is {param_ty:?}")
            })?;
        }
        Ok(())
    }

    fn uses(&self, number: usize, dominators: &Dominators) -> Checked {
        let block = &self.function.blocks[number];
        for (at, inst) in block.insts.iter().enumerate() {
            for value in inst.operands() {
                self.seen(value, number, at + 1, dominators)?;
            }
            self.inst(inst)?;
            let last = number + 1 == self.function.blocks.len();
            self.require(
                last || !matches!(inst.op, Op::Output { .. } | Op::OutputBuiltin(_)),
                || "an output outside the last block".to_owned(),
            )?;
        }
        for value in block.end.operands() {
            self.seen(value, number, block.insts.len() + 1, dominators)?;
        }
        for target in block.end.targets() {
            // Blocks come after all blocks that dominate them; a jump back leads to a loop header.
            let header = &self.function.blocks[target.block.0 as usize];
            self.require(
                target.block.0 as usize > number || header.looping.is_some(),
                || format!("jump back to {:?}, which is no loop header", target.block),
            )?;
        }
        Ok(())
    }

    fn seen(
        &self,
        value: Value,
        block: usize,
        position: usize,
        dominators: &Dominators,
    ) -> Checked {
        self.ty(value)?;
        let Some((home, at)) = self.home[value.0 as usize] else {
            return Ok(());
        };
        let before = if home == block {
            at < position
        } else {
            dominators.dominates(BlockId(home as u32), BlockId(block as u32))
        };
        self.require(before, || {
            format!("{value:?} is used where its definition in b{home} does not reach")
        })
    }

    fn inst(&self, inst: &Inst) -> Checked {
        let types = |values: &[Value]| -> Result<Vec<Type>, _> {
            values.iter().map(|&value| self.ty(value)).collect()
        };
        let (args, results) = (types(&inst.args)?, types(&inst.results)?);
        let fits = signature(&inst.op, &args, &results, self.function);
        self.require(fits, || {
            format!(
                "{:?} with operands {args:?} and results {results:?}",
                inst.op
            )
        })?;
        for access in inst.accesses() {
            self.require(
                (access.resource as usize) < self.function.interface.resources.len(),
                || format!("resource {} does not exist", access.resource),
            )?;
            if let Some(element) = access.element {
                let ty = self.ty(element)?;
                self.require(ty == Type::Word, || {
                    format!("element {element:?} is no word")
                })?;
            }
        }
        Ok(())
    }
}

fn words(types: &[Type], count: usize) -> bool {
    types.len() == count && types.iter().all(|ty| *ty == Type::Word)
}

fn some_words(types: &[Type]) -> bool {
    !types.is_empty() && words(types, types.len())
}

fn operand_type(operand: lanes::Operand) -> Type {
    match operand {
        lanes::Operand::Bool => Type::Bool,
        _ => Type::Word,
    }
}

/// Result type of a lane operation.
pub fn result_type(op: LaneOp) -> Type {
    operand_type(op.result())
}

fn signature(op: &Op, args: &[Type], results: &[Type], function: &Function) -> bool {
    use Type::{Bool, Word};
    let interface = &function.interface;
    let compute = function.stage == Stage::Compute;
    let vertices = interface
        .geometry
        .as_ref()
        .map(|geometry| geometry.vertices);
    let corners = match function.stage {
        Stage::Fragment => 3,
        _ => 0,
    };
    match op {
        Op::Const(_) => args.is_empty() && words(results, 1),
        Op::ConstBool(_) => args.is_empty() && results == [Bool],
        Op::Alu(op) => {
            let params = op.params();
            params.len() == args.len()
                && params.iter().zip(args).all(|(p, a)| operand_type(*p) == *a)
                && results == [result_type(*op)]
        }
        Op::Select => {
            matches!(args, [Bool, a, b] if a == b && results == [*a])
        }
        Op::Bool(_) => args == [Bool, Bool] && results == [Bool],
        Op::BoolNot => args == [Bool] && results == [Bool],
        Op::Input { input, first } => {
            let end = *first as usize + results.len();
            args.is_empty()
                && some_words(results)
                && interface
                    .inputs
                    .get(*input as usize)
                    .is_some_and(|varying| end <= varying.components as usize)
        }
        Op::Builtin(builtin) => {
            let is_bool = *builtin == Builtin::FrontFacing;
            args.is_empty() && results == [if is_bool { Bool } else { Word }]
        }
        Op::Output { output, first } => {
            let end = *first as usize + args.len();
            results.is_empty()
                && some_words(args)
                && interface
                    .outputs
                    .get(*output as usize)
                    .is_some_and(|varying| end <= varying.components as usize)
        }
        Op::OutputBuiltin(builtin) => results.is_empty() && words(args, builtin.words()),
        Op::VertexInput {
            vertex,
            input,
            first,
        } => {
            let end = *first as usize + results.len();
            let inside = |varying: &super::Varying| end <= varying.components as usize;
            args.is_empty()
                && some_words(results)
                && vertices.unwrap_or(corners) > *vertex
                && interface.inputs.get(*input as usize).is_some_and(inside)
        }
        Op::VertexPosition(vertex) => {
            args.is_empty() && words(results, 4) && vertices.is_some_and(|all| *vertex < all)
        }
        Op::EmitVertex => {
            vertices.is_some() && results.is_empty() && words(args, 1 + interface.emitted_words())
        }
        Op::EndPrimitive => vertices.is_some() && args.is_empty() && results.is_empty(),
        Op::LoadBuffer(_) | Op::LoadPush => words(args, 1) && some_words(results),
        Op::LoadShared => compute && words(args, 1) && some_words(results),
        Op::StoreShared => compute && args.len() >= 2 && some_words(args) && results.is_empty(),
        Op::Barrier | Op::Fence => compute && args.is_empty() && results.is_empty(),
        Op::StoreBuffer(_) => args.len() >= 2 && some_words(args) && results.is_empty(),
        Op::AtomicBuffer(_, op) | Op::AtomicShared(op) => {
            let compares = *op == super::AtomicOp::CompareExchange;
            words(args, if compares { 3 } else { 2 }) && words(results, 1)
        }
        Op::BufferBytes(_) => args.is_empty() && words(results, 1),
        Op::LoadLocal(local) => {
            (*local as usize) < function.locals.len() && words(args, 1) && words(results, 1)
        }
        Op::StoreLocal(local) => {
            (*local as usize) < function.locals.len() && words(args, 2) && results.is_empty()
        }
        Op::Image(image) => {
            words(args, image_operands(image)) && words(results, image_results(image))
        }
        Op::Derivative { .. } => {
            function.stage == Stage::Fragment && words(args, 1) && words(results, 1)
        }
        Op::Subgroup(SubgroupOp::Ballot) => args == [Bool] && words(results, 2),
        Op::Subgroup(op) => words(args, op.operands()) && words(results, 1) && op.is_valid(),
        Op::Discard => function.stage == Stage::Fragment && args == [Bool] && results.is_empty(),
    }
}

/// Number of results of a texture operation.
pub fn image_results(image: &ImageOp) -> usize {
    match image.kind {
        ImageKind::Sample { compare: true, .. } => 1,
        ImageKind::Sample { .. } | ImageKind::Gather { .. } | ImageKind::Load { .. } => 4,
        ImageKind::Store => 0,
        ImageKind::Atomic(_) | ImageKind::Levels | ImageKind::Layers | ImageKind::Samples => 1,
        ImageKind::Size { .. } => image.shape.size_components(),
        ImageKind::QueryLod => 2,
    }
}

/// Number of operands that say how the level is found.
pub(super) fn lod_operands(lod: Lod, coordinates: usize) -> usize {
    match lod {
        Lod::Implicit | Lod::Zero => 0,
        Lod::Bias | Lod::Level => 1,
        Lod::Gradient => 2 * coordinates,
    }
}
