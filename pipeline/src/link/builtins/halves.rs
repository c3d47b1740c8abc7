//! Outputs in halves of 16 bits, as floats: what a fragment shader takes of each vertex.

use crate::error::At;
use crate::ir::{Function, HALVES, Inst, LaneOp, Op, Stage, Type, Value, Varying};
use crate::link::LinkError;

/// Bits of a half.
const BITS: u32 = 16;

/// Makes an output of the halves of the words that a user's output has.
pub(super) fn store(
    writer: &mut Function,
    reader: &Function,
    varying: &Varying,
) -> Result<(), LinkError> {
    let place = varying.location - HALVES;
    let (location, upper) = (place / 2, place % 2 == 1);
    let at: At = reader.text.locate(varying.origin);
    let outputs = &writer.interface.outputs;
    let Some(source) = outputs.iter().position(|o| o.location == location) else {
        return Err(LinkError::MissingOutput {
            location,
            reader: reader.stage,
            writer: writer.stage,
            at,
        });
    };
    let found = &outputs[source];
    if found.components < varying.components {
        return Err(LinkError::TypeMismatch {
            location,
            wanted: varying.components,
            wanted_scalar: found.scalar,
            found: found.components,
            found_scalar: found.scalar,
            reader: reader.stage,
            writer: writer.stage,
            at,
        });
    }
    let count = varying.components as usize;
    match writer.stage {
        Stage::Geometry => emitted(writer, source, count, upper),
        _ => stored(writer, source, count, upper, varying),
    }
    writer.interface.outputs.push(varying.clone());
    Ok(())
}

/// Adds the halves to every vertex that is emitted.
fn emitted(writer: &mut Function, source: usize, count: usize, upper: bool) {
    let interface = &writer.interface;
    let builtins = interface.geometry.iter().flat_map(|g| &g.builtins);
    let before = &interface.outputs[..source];
    let before = before.iter().map(|output| output.components as usize);
    // The number of the vertex comes first.
    let first = 1 + builtins.map(|b| b.words()).sum::<usize>() + before.sum::<usize>();
    for block in 0..writer.blocks.len() {
        let mut at = 0;
        while let Some(inst) = writer.blocks[block].insts.get(at) {
            if inst.op == Op::EmitVertex {
                let words = inst.args[first..first + count].to_vec();
                let mut halves = Vec::with_capacity(count);
                for word in words {
                    halves.push(half(writer, (block, &mut at), word, upper));
                }
                writer.blocks[block].insts[at].args.extend(halves);
            }
            at += 1;
        }
    }
}

/// Stores the halves where the outputs are stored, at the end.
fn stored(writer: &mut Function, source: usize, count: usize, upper: bool, varying: &Varying) {
    let Some(block) = writer.blocks.len().checked_sub(1) else {
        return;
    };
    let mut words: Vec<Option<Value>> = vec![None; count];
    for inst in &writer.blocks[block].insts {
        if let Op::Output { output, first } = inst.op
            && output as usize == source
        {
            for (word, &value) in words.iter_mut().skip(first as usize).zip(&inst.args) {
                *word = Some(value);
            }
        }
    }
    let mut at = writer.blocks[block].insts.len();
    let mut args = Vec::with_capacity(count);
    for word in words {
        let word = word.unwrap_or_else(|| writer.first_constant(0));
        at = at.max(writer.blocks[block].insts.len());
        args.push(half(writer, (block, &mut at), word, upper));
    }
    writer.blocks[block].insts.push(Inst {
        op: Op::Output {
            output: writer.interface.outputs.len() as u32,
            first: 0,
        },
        args,
        results: Vec::new(),
        origin: varying.origin,
    });
}

/// A half of a word as a float: instructions in front of a place of a block.
fn half(
    writer: &mut Function,
    (block, at): (usize, &mut usize),
    word: Value,
    upper: bool,
) -> Value {
    let origin = writer.blocks[block].insts.get(*at).map(|inst| inst.origin);
    let mut push = |op: Op, args: Vec<Value>| {
        let result = writer.value(Type::Word);
        let inst = Inst {
            op,
            args,
            results: vec![result],
            origin: origin.unwrap_or_default(),
        };
        writer.blocks[block].insts.insert(*at, inst);
        *at += 1;
        result
    };
    let bits = match upper {
        true => {
            let by = push(Op::Const(BITS), Vec::new());
            push(Op::Alu(LaneOp::Shr), vec![word, by])
        }
        false => {
            let mask = push(Op::Const((1 << BITS) - 1), Vec::new());
            push(Op::Alu(LaneOp::And), vec![word, mask])
        }
    };
    push(Op::Alu(LaneOp::U32ToF32), vec![bits])
}
