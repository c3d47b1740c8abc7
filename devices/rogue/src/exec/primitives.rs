//! Primitives of a raw geometry program: the vertex inputs that draws fill with their words, and what `uvsw` ends.

use isa::{Emitted, ExecError, ExecInput, ExecPrimitives};
use lanes::{LANES, Wave};

use super::{active, wrong};
use crate::lift::{Layout, Setup, VertexEnd};
use crate::regs::VERTEX_INPUTS;

/// The primitives of the lanes, and what became of them.
pub(super) struct Emission<'a> {
    primitives: &'a ExecPrimitives,
    /// Words of the vertices of a primitive.
    words: usize,
    emitted: Vec<Emitted>,
}

impl<'a> Emission<'a> {
    /// Of an input that has some.
    pub(super) fn new(input: &'a ExecInput) -> Result<Option<Emission<'a>>, ExecError> {
        let Some(primitives) = &input.primitives else {
            return Ok(None);
        };
        let (vertices, words) = primitives.shape()?;
        let (words, limit) = (vertices * words, VERTEX_INPUTS as usize);
        // Behind them come the numbers of primitive and invocation.
        if words + 2 > limit {
            let reason =
                format!("{words} words and two numbers are more than {limit} vertex inputs");
            return Err(wrong("primitives", reason));
        }
        Ok(Some(Emission {
            primitives,
            words,
            emitted: vec![Emitted::new(); primitives.vertices.len()],
        }))
    }

    /// Lanes with a primitive.
    pub(super) fn lanes(&self) -> usize {
        self.emitted.len()
    }

    /// The vertex inputs exist.
    pub(super) fn grown(&self, mut setup: Setup) -> Setup {
        setup.vertex_inputs = setup.vertex_inputs.max(self.words as u16 + 2);
        setup
    }

    /// Fills the vertex inputs: the words of each vertex, the number of the lane, and invocation 0.
    pub(super) fn fill(&self, layout: &Layout, wave: &mut Wave) {
        let first = usize::from(layout.vertex_inputs.start);
        for (lane, vertices) in self.primitives.vertices.iter().enumerate() {
            let words = vertices.iter().flatten().copied();
            let numbers = [lane as u32, 0];
            for (row, word) in (first..).zip(words.chain(numbers)) {
                wave.rows[row].0[lane] = word;
            }
        }
    }

    /// Takes the vertices of the lanes that run, or the ends of their strips.
    pub(super) fn end(&mut self, end: &VertexEnd, wave: &Wave) {
        let (words, most) = (
            self.primitives.words as usize,
            self.primitives.most as usize,
        );
        let lanes = (0..LANES).zip(&mut self.emitted);
        for (lane, emitted) in lanes.filter(|(lane, _)| active(wave, *lane)) {
            if end.emits && emitted.iter().flatten().count() < most {
                let rows = &wave.rows[usize::from(end.first)..usize::from(end.end)];
                let mut vertex: Vec<u32> = rows.iter().map(|row| row.0[lane]).collect();
                vertex.resize(words, 0);
                emitted.push(Some(vertex));
            }
            if end.cuts {
                emitted.push(None);
            }
        }
    }

    /// What the lanes emitted.
    pub(super) fn report(self) -> Vec<Emitted> {
        self.emitted
    }
}
