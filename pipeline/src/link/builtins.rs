//! Built-ins that a stage writes and the next one reads, handed on as users' outputs are.

mod halves;

use super::LinkError;
use crate::ir::{
    BUILTIN_LOCATIONS, Builtin, CLIP_DISTANCES, CULL_DISTANCES, Function, HALVES, Inst,
    Interpolation, Op, Origin, OutputBuiltin, POINT_SIZE, PRIMITIVE_INDEX, Scalar, Stage, Type,
    VIEWPORT_INDEX, Value, Varying,
};

/// Size of points whose shader says none.
const POINT: f32 = 1.0;

/// A word of an output.
#[derive(Clone, Copy)]
enum Word {
    Of(OutputBuiltin),
    Constant(u32),
}

/// Makes outputs as of users of what the next stage reads: distances, the viewport, sizes of points.
pub(crate) fn export_builtins(writer: &mut Function, reader: &Function) -> Result<(), LinkError> {
    let given = given(writer);
    for varying in &reader.interface.inputs {
        // The geometry shader has made an output of it.
        if varying.location < BUILTIN_LOCATIONS || varying.location == PRIMITIVE_INDEX {
            continue;
        }
        if (HALVES..PRIMITIVE_INDEX).contains(&varying.location) {
            halves::store(writer, reader, varying)?;
            continue;
        }
        let or = |builtin, constant| match given.contains(&builtin) {
            true => Word::Of(builtin),
            false => Word::Constant(constant),
        };
        let words = match varying.location {
            VIEWPORT_INDEX => vec![or(OutputBuiltin::Viewport, 0)],
            POINT_SIZE => vec![or(OutputBuiltin::PointSize, POINT.to_bits())],
            _ => distances(&given, writer, reader, varying)?,
        };
        store(writer, varying, &words);
    }
    Ok(())
}

/// The built-ins that a stage writes.
fn given(writer: &Function) -> Vec<OutputBuiltin> {
    if let Some(geometry) = &writer.interface.geometry {
        return geometry.builtins.clone();
    }
    let written = writer.insts().filter_map(|inst| match inst.op {
        Op::OutputBuiltin(builtin) => Some(builtin),
        _ => None,
    });
    written.collect()
}

/// The distances that an input asks for, four at a time: those that clip and those that cull are counted each for
/// themselves.
fn distances(
    given: &[OutputBuiltin],
    writer: &Function,
    reader: &Function,
    varying: &Varying,
) -> Result<Vec<Word>, LinkError> {
    let (kind, first, culls) = match varying.location.checked_sub(CULL_DISTANCES) {
        None => ("clip", 4 * (varying.location - CLIP_DISTANCES), 0),
        Some(at) => ("cull", 4 * at, 1),
    };
    let of_kind = |number: &u8| {
        given.contains(&OutputBuiltin::ClipDistance(*number))
            && writer.interface.cull_distances >> number & 1 == culls
    };
    let numbers: Vec<u8> = (0..8).filter(of_kind).collect();
    let written = numbers.len() as u32;
    let wanted = first as usize..(first + varying.components) as usize;
    let Some(numbers) = numbers.get(wanted) else {
        return Err(LinkError::MissingDistance {
            kind,
            number: first.max(written),
            written,
            reader: reader.stage,
            writer: writer.stage,
        });
    };
    let words = numbers.iter();
    Ok(words
        .map(|n| Word::Of(OutputBuiltin::ClipDistance(*n)))
        .collect())
}

/// Makes an output of these words: at the end of a vertex shader, where all outputs are stored, and of every vertex that a
/// geometry shader emits.
fn store(writer: &mut Function, varying: &Varying, words: &[Word]) {
    let constants = words.iter().map(|word| match word {
        Word::Constant(word) => Some(writer.first_constant(*word)),
        Word::Of(_) => None,
    });
    let constants: Vec<Option<Value>> = constants.collect();
    match writer.stage {
        Stage::Geometry => {
            // Behind the number of the vertex, its built-ins come first.
            let place = |builtin: OutputBuiltin| {
                let all = writer.interface.geometry.iter().flat_map(|g| &g.builtins);
                let before = all.take_while(|before| **before != builtin);
                1 + before.map(|before| before.words()).sum::<usize>()
            };
            let places = words.iter().map(|word| match word {
                Word::Of(builtin) => place(*builtin),
                Word::Constant(_) => 0,
            });
            let places: Vec<usize> = places.collect();
            let insts = writer.blocks.iter_mut().flat_map(|block| &mut block.insts);
            for inst in insts.filter(|inst| inst.op == Op::EmitVertex) {
                let pairs = constants.iter().zip(&places);
                let added = pairs.map(|(constant, at)| constant.unwrap_or(inst.args[*at]));
                let added: Vec<Value> = added.collect();
                inst.args.extend(added);
            }
        }
        _ => {
            let find = |builtin| {
                let mut all = writer.insts();
                let found = all.find(|inst| inst.op == Op::OutputBuiltin(builtin));
                found.and_then(|inst| inst.args.first().copied())
            };
            let args = words.iter().zip(constants).filter_map(|pair| match pair {
                (Word::Of(builtin), _) => find(*builtin),
                (Word::Constant(_), constant) => constant,
            });
            let output = Inst {
                op: Op::Output {
                    output: writer.interface.outputs.len() as u32,
                    first: 0,
                },
                args: args.collect(),
                results: Vec::new(),
                origin: varying.origin,
            };
            if let Some(block) = writer.blocks.last_mut() {
                block.insts.push(output);
            }
        }
    }
    writer.interface.outputs.push(varying.clone());
}

/// Lets the fragment shader read the number of the primitive that the geometry shader says, where it says one; what is not
/// read is not emitted.
pub(crate) fn link_primitive_index(geometry: &mut Function, fragment: &mut Function) {
    let outputs = &geometry.interface.outputs;
    let says = |output: &Varying| output.location == PRIMITIVE_INDEX;
    let Some(at) = outputs.iter().position(says) else {
        return;
    };
    let is_number = |inst: &Inst| inst.op == Op::Builtin(Builtin::PrimitiveIndex);
    if !fragment.insts().any(is_number) {
        let words = |output: &Varying| output.components as usize;
        let behind: usize = outputs[at + 1..].iter().map(words).sum();
        let count = words(&outputs[at]);
        geometry.interface.outputs.remove(at);
        let insts = geometry
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.insts);
        for inst in insts.filter(|inst| inst.op == Op::EmitVertex) {
            let end = inst.args.len() - behind;
            inst.args.drain(end - count..end);
        }
        return;
    }
    let input = fragment.interface.inputs.len() as u32;
    fragment.interface.inputs.push(Varying {
        location: PRIMITIVE_INDEX,
        second: false,
        components: 1,
        scalar: Scalar::Uint,
        interpolation: Interpolation::Flat,
        origin: Origin::default(),
    });
    let insts = fragment
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts);
    for inst in insts.filter(|inst| is_number(inst)) {
        inst.op = Op::Input { input, first: 0 };
    }
}

impl Function {
    /// A constant that is known everywhere.
    fn first_constant(&mut self, word: u32) -> Value {
        let value = self.value(Type::Word);
        let inst = Inst {
            op: Op::Const(word),
            args: Vec::new(),
            results: vec![value],
            origin: Origin::default(),
        };
        if let Some(block) = self.blocks.first_mut() {
            block.insts.insert(0, inst);
        }
        value
    }
}
