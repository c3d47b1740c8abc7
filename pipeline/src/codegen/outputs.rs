//! What a shader has stored to its outputs, put together to the vectors that it exports at its end.

use std::collections::HashMap;

use super::Options;
use crate::ir::{Function, Interface, OutputBuiltin, Value};
use crate::stream::StreamSource;

/// The four words of an export, as far as the shader writes them.
pub type Words = [Option<Value>; 4];

/// A colour that leaves a fragment shader.
#[derive(Clone, Copy, Debug)]
pub struct Color {
    /// Number of the colour target.
    pub target: u32,
    /// Red, green, blue, alpha.
    pub words: Words,
}

/// Values of outputs so far; a later store to an output replaces an earlier one.
#[derive(Debug, Default)]
pub struct Outputs {
    users: HashMap<(u32, u32), Value>,
    builtins: Vec<(OutputBuiltin, Vec<Value>)>,
}

impl Outputs {
    /// Stores to components of a user's output, from `first` on.
    pub fn store(&mut self, output: u32, first: u32, args: &[Value]) {
        for (component, &arg) in (first..).zip(args) {
            self.users.insert((output, component), arg);
        }
    }

    /// Stores to a built-in output. Tests that come before the shader have stored their own depth, and compared their own
    /// reference.
    pub fn store_builtin(&mut self, function: &Function, builtin: OutputBuiltin, args: &[Value]) {
        if function.interface.early_depth && builtin.is_tested() {
            return;
        }
        self.builtins.retain(|(other, _)| *other != builtin);
        self.builtins.push((builtin, args.to_vec()));
    }

    /// A user's output.
    pub fn words(&self, output: u32) -> Words {
        [0, 1, 2, 3].map(|i| self.users.get(&(output, i)).copied())
    }

    /// The words of a built-in output.
    pub fn builtin(&self, builtin: OutputBuiltin) -> Words {
        let found = self.builtins.iter().find(|(other, _)| *other == builtin);
        let values = found.map_or(&[][..], |(_, values)| values);
        [0, 1, 2, 3].map(|i| values.get(i).copied())
    }

    /// The words of an output that a stream takes.
    pub fn streamed(&self, interface: &Interface, source: StreamSource) -> Words {
        match source {
            StreamSource::Position => self.builtin(OutputBuiltin::Position),
            StreamSource::PointSize => self.builtin(OutputBuiltin::PointSize),
            StreamSource::Distance(n) => self.builtin(OutputBuiltin::ClipDistance(n)),
            StreamSource::Location(location) => {
                let mut outputs = (0..).zip(&interface.outputs);
                let found = outputs.find(|(_, output)| output.location == location);
                found.map_or([None; 4], |(output, _)| self.words(output))
            }
        }
    }

    /// Whether a built-in output is written.
    pub fn has(&self, builtin: OutputBuiltin) -> bool {
        self.builtin(builtin)[0].is_some()
    }

    /// The vectors that place a vertex, each with its number: 0 the position; 1 the point size, nothing, the layer and
    /// the viewport; 2 and 3 the clip distances. All but the first only where something is in them.
    pub fn position_vectors(&self) -> Vec<(u8, Words)> {
        use OutputBuiltin::{ClipDistance, Layer, PointSize, Position, Viewport};
        let one = |builtin| self.builtin(builtin)[0];
        let distances = |first: u8| [0, 1, 2, 3].map(|i| one(ClipDistance(first + i)));
        let vectors = [
            self.builtin(Position),
            [one(PointSize), None, one(Layer), one(Viewport)],
            distances(0),
            distances(4),
        ];
        let written = |(number, words): &(u8, Words)| *number == 0 || *words != [None; 4];
        (0..).zip(vectors).filter(written).collect()
    }

    /// The distances that are written, a bit each: those that clip, and those that cull.
    pub fn distances(&self, interface: &Interface) -> [u8; 2] {
        let has = |i| self.has(OutputBuiltin::ClipDistance(i));
        let all = (0..8).fold(0, |bits, i| bits | u8::from(has(i)) << i);
        let cull = interface.cull_distances;
        [all & !cull, all & cull]
    }

    /// A fragment's depth in the first word, its stencil reference in the second and its sample mask in the third, if any is
    /// written.
    pub fn depth(&self) -> Option<Words> {
        use OutputBuiltin::{FragDepth, FragStencil, SampleMask};
        let [depth, stencil, mask] =
            [FragDepth, FragStencil, SampleMask].map(|builtin| self.builtin(builtin)[0]);
        let words = [depth, stencil, mask, None];
        (words != [None; 4]).then_some(words)
    }

    /// The colours for the targets that there are.
    pub fn colors(&self, function: &Function, options: &Options) -> Vec<Color> {
        let mut colors = Vec::new();
        for (output, varying) in (0..).zip(&function.interface.outputs) {
            let words = self.words(output);
            if options.exports(varying.location) && words != [None; 4] {
                colors.push(Color {
                    target: varying.location + u32::from(varying.second),
                    words,
                });
            }
        }
        colors
    }
}

/// The components that are written, a bit each.
pub fn mask(words: &Words) -> u32 {
    (0..4).fold(0, |bits, i| bits | u32::from(words[i].is_some()) << i)
}
