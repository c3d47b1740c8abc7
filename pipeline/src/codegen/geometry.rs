//! What the stages around a geometry shader hand on in memory, word by word.
//!
//! A vertex shader in front of one stores its position and its outputs; the geometry shader reads them, and stores the
//! vertices that it emits; a copy of those leaves through a vertex shader that the driver makes ([`copy`]).

pub mod merged;

use crate::ir::{
    Block, BlockId, Builder, Builtin, Function, Inst, Interface, Interpolation, LaneOp, Local,
    Loop, Op, Origin, OutputBuiltin, Scalar, Stage, Target, Terminator, Type, Value, Varying,
};

/// What becomes of the vertices of a vertex shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexRole {
    /// They make the primitives that are drawn.
    #[default]
    Draws,
    /// They go to a geometry shader.
    Feeds,
    /// They are those that a geometry shader may emit, and the shader is both: [`merged`].
    Merged,
    /// They are those that invocations of a geometry shader have emitted, each up to so many.
    Copies {
        /// Vertices of an invocation.
        max_vertices: u32,
    },
}

/// Words of a vertex and of what is made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexWords {
    /// Words that the vertex shader stores.
    pub fed: u32,
    /// Words of an emitted vertex.
    pub emitted: u32,
    /// Vertices that an invocation emits at most.
    pub max_vertices: u32,
}

impl VertexWords {
    /// Of stages that fit each other. `primitive_index`: emitted vertices have the number of their primitive behind them.
    pub fn new(vertex: &Interface, geometry: &Interface, primitive_index: bool) -> VertexWords {
        let emitted = geometry.emitted_words() as u32 + u32::from(primitive_index);
        VertexWords {
            fed: output_word(vertex, vertex.outputs.len()),
            emitted,
            max_vertices: geometry.geometry.as_ref().map_or(0, |g| g.max_vertices),
        }
    }
}

/// The first word of an output in what a vertex shader stores: the position comes first.
pub fn output_word(vertex: &Interface, output: usize) -> u32 {
    let before = vertex.outputs.iter().take(output);
    4 + before.map(|output| output.components).sum::<u32>()
}

/// Where the inputs of a geometry shader are in what the vertex shader stores.
pub fn input_words(geometry: &Interface, vertex: &Interface) -> Vec<u32> {
    let place = |input: &Varying| {
        let outputs = &vertex.outputs;
        let found = outputs
            .iter()
            .position(|output| output.location == input.location);
        output_word(vertex, found.unwrap_or(0))
    };
    geometry.inputs.iter().map(place).collect()
}

/// The same for a vertex shader whose outputs are what the geometry shader takes.
pub fn own_input_words(geometry: &Interface) -> Vec<u32> {
    let vertex = Interface {
        outputs: geometry.inputs.clone(),
        ..Interface::default()
    };
    input_words(geometry, &vertex)
}

/// A geometry shader that runs its invocations for a primitive one after the other, for chips that run one. Each ends its
/// strip; emitted vertices are counted over all of them.
pub fn looped(geometry: &Function, invocations: u32) -> Function {
    let mut function = geometry.clone();
    if let Some(shape) = &mut function.interface.geometry {
        shape.max_vertices *= invocations;
    }
    // Entry and header come before the shader, the end of a round and what follows the loop behind it.
    let first = BlockId(2);
    let end = first.0 + function.blocks.len() as u32;
    let [header, continuing, merge] = [1, end, end + 1].map(BlockId);
    let [zero, one, all, invocation, next] = [(); 5].map(|()| function.value(Type::Word));
    let more = function.value(Type::Bool);
    let emitted = function.locals.len() as u32;
    function.locals.push(Local {
        name: "emitted".to_owned(),
        words: 1,
        origin: Origin::default(),
    });
    for block in &mut function.blocks {
        for target in block.end.targets_mut() {
            target.block.0 += first.0;
        }
        if let Terminator::Branch { merge, .. } = &mut block.end {
            merge.0 += first.0;
        }
        if let Some(looping) = &mut block.looping {
            looping.merge.0 += first.0;
            looping.continuing.0 += first.0;
        }
        if block.end == Terminator::Return {
            block.end = jump(continuing, Vec::new());
        }
    }
    for number in 0..function.blocks.len() {
        let mut insts = Vec::new();
        for mut found in std::mem::take(&mut function.blocks[number].insts) {
            match found.op {
                Op::Builtin(Builtin::InvocationIndex) => {
                    (found.op, found.args) = (Op::Alu(LaneOp::Mov), vec![invocation]);
                    insts.push(found);
                }
                Op::EmitVertex => {
                    let [before, after] = [(); 2].map(|()| function.value(Type::Word));
                    found.args[0] = before;
                    insts.push(inst(Op::LoadLocal(emitted), vec![zero], &[before]));
                    insts.push(found);
                    insts.push(inst(Op::Alu(LaneOp::IAdd), vec![before, one], &[after]));
                    insts.push(inst(Op::StoreLocal(emitted), vec![zero, after], &[]));
                }
                _ => insts.push(found),
            }
        }
        function.blocks[number].insts = insts;
    }
    let start = vec![
        inst(Op::Const(0), Vec::new(), &[zero]),
        inst(Op::Const(1), Vec::new(), &[one]),
        inst(Op::Const(invocations), Vec::new(), &[all]),
        inst(Op::StoreLocal(emitted), vec![zero, zero], &[]),
    ];
    let mut round = block(Vec::new(), jump(first, Vec::new()));
    round.params.push(invocation);
    round.looping = Some(Loop { merge, continuing });
    let step = vec![
        inst(Op::EndPrimitive, Vec::new(), &[]),
        inst(Op::Alu(LaneOp::IAdd), vec![invocation, one], &[next]),
        inst(Op::Alu(LaneOp::ULt), vec![next, all], &[more]),
    ];
    let again = Terminator::Branch {
        condition: more,
        yes: target(header, vec![next]),
        no: target(merge, Vec::new()),
        merge,
    };
    let before = [block(start, jump(header, vec![zero])), round];
    function.blocks.splice(0..0, before);
    function.blocks.push(block(step, again));
    function.blocks.push(block(Vec::new(), Terminator::Return));
    function
}

fn inst(op: Op, args: Vec<Value>, results: &[Value]) -> Inst {
    Inst {
        op,
        args,
        results: results.to_vec(),
        origin: Origin::default(),
    }
}

fn block(insts: Vec<Inst>, end: Terminator) -> Block {
    Block {
        params: Vec::new(),
        insts,
        end,
        looping: None,
    }
}

fn target(block: BlockId, args: Vec<Value>) -> Target {
    Target { block, args }
}

fn jump(block: BlockId, args: Vec<Value>) -> Terminator {
    Terminator::Jump(target(block, args))
}

/// The vertex, and the first word of what the vertex shader stores of it, that an instruction reads. `words` are those of
/// [`input_words`], where the vertex shader is known.
pub fn fed_word(geometry: &Function, words: Option<&[u32]>, op: &Op) -> Option<(u32, u32)> {
    match *op {
        Op::VertexPosition(vertex) => Some((vertex, 0)),
        Op::VertexInput {
            vertex,
            input,
            first,
        } => {
            let word = match words {
                Some(words) => words[input as usize],
                None => own_input_words(&geometry.interface)[input as usize],
            };
            Some((vertex, word + first))
        }
        _ => None,
    }
}

/// A vertex shader whose inputs are the words of emitted vertices, in order, and whose outputs are those of the geometry
/// shader.
pub fn copy(geometry: &Function) -> Function {
    let mut builder = Builder::new(&geometry.name, Stage::Vertex);
    let interface = &geometry.interface;
    let builtins = interface.geometry.iter().flat_map(|g| &g.builtins);
    let mut inputs = Vec::new();
    let mut read = |builder: &mut Builder, components: u32, scalar: Scalar| -> Vec<Value> {
        let input = inputs.len() as u32;
        inputs.push(Varying {
            location: input,
            second: false,
            components,
            scalar,
            interpolation: Interpolation::default(),
            origin: Origin::default(),
        });
        let types = vec![Type::Word; components as usize];
        builder.inst(Op::Input { input, first: 0 }, Vec::new(), &types)
    };
    for builtin in builtins {
        let scalar = match builtin {
            OutputBuiltin::Layer | OutputBuiltin::Viewport => Scalar::Uint,
            _ => Scalar::Float,
        };
        let words = read(&mut builder, builtin.words() as u32, scalar);
        builder.effect(Op::OutputBuiltin(*builtin), words);
    }
    for (output, varying) in (0..).zip(&interface.outputs) {
        let words = read(&mut builder, varying.components, varying.scalar);
        builder.effect(Op::Output { output, first: 0 }, words);
    }
    builder.end(Terminator::Return);
    let mut function = builder.finish();
    function.interface.inputs = inputs;
    function.interface.outputs.clone_from(&interface.outputs);
    function.interface.cull_distances = interface.cull_distances;
    function
}
