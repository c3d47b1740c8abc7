//! The instructions that define a function's values, for back ends that look at how an operand came about.

use crate::ir::{Function, Inst, LaneOp, Op, Value};

/// Where each value is defined.
pub struct Definitions<'a> {
    function: &'a Function,
    /// Block and index of the instruction.
    places: Vec<Option<(usize, usize)>>,
}

impl<'a> Definitions<'a> {
    /// Of all values of a function.
    pub fn new(function: &'a Function) -> Definitions<'a> {
        let mut places = vec![None; function.types.len()];
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                for result in &inst.results {
                    places[result.0 as usize] = Some((b, i));
                }
            }
        }
        Definitions { function, places }
    }

    /// The function.
    pub fn function(&self) -> &'a Function {
        self.function
    }

    fn place(&self, value: Value) -> Option<(usize, usize)> {
        *self.places.get(value.0 as usize)?
    }

    /// The instruction that defines a value; none defines a parameter of a block.
    pub fn inst(&self, value: Value) -> Option<&'a Inst> {
        let (b, i) = self.place(value)?;
        Some(&self.function.blocks[b].insts[i])
    }

    /// The arithmetic that defines a value.
    pub fn alu(&self, value: Value) -> Option<(LaneOp, &'a [Value])> {
        match self.inst(value)? {
            Inst {
                op: Op::Alu(op),
                args,
                ..
            } => Some((*op, args)),
            _ => None,
        }
    }

    /// The constant that a value is; all ones for true.
    pub fn constant(&self, value: Value) -> Option<u32> {
        match self.inst(value)?.op {
            Op::Const(bits) => Some(bits),
            Op::ConstBool(bit) => Some(if bit { u32::MAX } else { 0 }),
            _ => None,
        }
    }

    /// Whether an instruction of the block defines the value.
    pub fn is_in(&self, value: Value, block: usize) -> bool {
        self.place(value).is_some_and(|(b, _)| b == block)
    }
}
