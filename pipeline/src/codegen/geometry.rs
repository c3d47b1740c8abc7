//! What the stages around a geometry shader hand on in memory, word by word.
//!
//! A vertex shader in front of one stores its position and its outputs; the geometry shader reads them, and stores the
//! vertices that it emits; a copy of those leaves through a vertex shader that the driver makes ([`copy`]).

use crate::ir::{
    Builder, Function, Interface, Op, OutputBuiltin, Stage, Terminator, Type, Value, Varying,
};
use crate::ir::{Interpolation, Origin, Scalar};

/// What becomes of the vertices of a vertex shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexRole {
    /// They make the primitives that are drawn.
    #[default]
    Draws,
    /// They go to a geometry shader.
    Feeds,
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
