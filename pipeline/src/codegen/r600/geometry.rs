//! The stages around a geometry shader: vertices in rings, and what is emitted. [R600 15.2, 15.3]
//!
//! A record of a vertex has its words one behind the other, first the position; one of an emitted vertex fills whole groups of
//! four, because the index of MEM_RING counts those.

use r600::isa::alu::Op2;
use r600::isa::export::MemoryOp;
use r600::isa::fetch::Fetch;

use super::machine::{From, Inst, Lane, Operand, Part, Unit};
use super::memory::{RING_RESOURCE, fetch_of_words};
use super::select::Select;
use crate::codegen::CompileError;
use crate::codegen::Result;
use crate::codegen::geometry::{VertexWords, output_word, own_input_words};
use crate::error::ShaderError;
use crate::ir::{Function, Inst as IrInst, Op as IrOp, OutputBuiltin};

/// Register and element of the place of each vertex of the primitive in its ring, in words. [STAGES]
const VERTICES: [(u8, usize); 6] = [(0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (1, 2)];
/// The same of the number of the primitive.
pub(super) const PRIMITIVE: (u8, usize) = (0, 2);

/// Groups of four words that an index of MEM_RING reaches. [R600 8.1 ARRAY_SIZE]
const REACH: u16 = 1 << 12;
/// Words that ARRAY_BASE reaches.
const BASES: u32 = 1 << 13;

/// Registers that a geometry shader finds filled.
pub(super) fn registers(function: &Function) -> u8 {
    let geometry = function.interface.geometry.as_ref();
    1 + u8::from(geometry.is_some_and(|geometry| geometry.vertices > 3))
}

/// Words of the record of an emitted vertex.
pub(super) fn emitted_item(words: u32) -> u32 {
    words.next_multiple_of(4)
}

/// Words of the record of all vertices of an invocation.
pub(super) fn emitted_record(words: &VertexWords) -> u32 {
    emitted_item(words.emitted) * words.max_vertices
}

impl Select<'_> {
    /// Words of a vertex for a geometry shader.
    pub(super) fn fed_item(&self) -> u32 {
        let interface = &self.function.interface;
        output_word(interface, interface.outputs.len())
    }

    /// Words of an emitted vertex, and of all of an invocation.
    pub(super) fn emitted_items(&self) -> (u32, u32) {
        let interface = &self.function.interface;
        let primitive = self.options.export_primitive_index;
        let words = VertexWords::new(interface, interface, primitive);
        (emitted_item(words.emitted), emitted_record(&words))
    }

    /// Refuses records that an index does not reach all of.
    pub(super) fn check_emitted(&self) -> Result<()> {
        let (needed, limit) = (self.emitted_items().1, 4 * u32::from(REACH));
        match needed <= limit {
            true => Ok(()),
            false => Err(CompileError::Shader(ShaderError::TooLarge {
                what: "words in the vertices of all invocations of a geometry stage on r600",
                needed: needed.into(),
                limit: limit.into(),
                at: self
                    .function
                    .text
                    .locate(crate::codegen::first_origin(self.function)),
            })),
        }
    }

    /// Words of a vertex of the primitive.
    pub(super) fn fed_words(&mut self, inst: &IrInst) {
        let (vertex, word) = match inst.op {
            IrOp::VertexPosition(vertex) => (vertex, 0),
            IrOp::VertexInput {
                vertex,
                input,
                first,
            } => {
                let input = input as usize;
                let word = match &self.options.vertex_words {
                    Some(words) => words[input],
                    None => own_input_words(&self.function.interface)[input],
                };
                (vertex, word + first)
            }
            _ => return,
        };
        let used = |at: usize| inst.results.get(at).filter(|v| self.is_used(**v)).copied();
        let wanted = [0, 1, 2, 3].map(used);
        if wanted.iter().all(Option::is_none) {
            return;
        }
        let dst = wanted.map(|value| value.map(|value| self.result(value)));
        let (gpr, elem) = VERTICES[vertex as usize];
        let place = self.preloaded(gpr)[elem];
        self.fetch_ring(place, word, inst.results.len(), dst);
    }

    /// Fetches words of a record whose place is in a unit.
    fn fetch_ring(&mut self, place: Unit, word: u32, count: usize, dst: [Option<Unit>; 4]) {
        self.keep_together(dst);
        let mut vtx = fetch_of_words(RING_RESOURCE as u8, count);
        vtx.offset = 4 * word as u16;
        self.push(Inst::Fetch(vec![Part {
            inst: Fetch::Vtx(vtx),
            src: [Lane::Unit(place), Lane::None, Lane::None, Lane::None],
            dst,
        }]));
    }

    /// Writes up to four words to a ring, from a word of it on and so many groups of four behind that.
    fn ring_write(&mut self, base: u32, index: Option<Unit>, words: [Option<Operand>; 4]) {
        let slots = if index.is_some() { REACH } else { 1 };
        self.write_record(MemoryOp::MEM_RING, base, (index, slots), words);
    }

    /// Writes position and outputs of a vertex for a geometry shader.
    pub(super) fn feed(&mut self) {
        let interface = &self.function.interface;
        let position = (0, self.entry.outputs.builtin(OutputBuiltin::Position));
        let outputs = (0..interface.outputs.len()).map(|n| {
            (
                output_word(interface, n),
                self.entry.outputs.words(n as u32),
            )
        });
        let vectors: Vec<_> = [position].into_iter().chain(outputs).collect();
        for (first, words) in vectors {
            if words != [None; 4] {
                let words = words.map(|word| word.map(|word| self.word(word)));
                self.ring_write(first, None, words);
            }
        }
        self.push(Inst::End);
    }

    /// Writes a vertex and says so.
    pub(super) fn emit_vertex(&mut self, inst: &IrInst) {
        let (number, words) = (inst.args[0], &inst.args[1..]);
        let mut values: Vec<Operand> = words.iter().map(|word| self.word(*word)).collect();
        if self.options.export_primitive_index {
            let (gpr, elem) = PRIMITIVE;
            values.push(Operand::unit(self.preloaded(gpr)[elem]));
        }
        let (item, _) = self.emitted_items();
        let number = self.word(number);
        let (first, index) = match number.from {
            From::Const(number) if (number + 1) * item <= BASES => (number * item, None),
            _ => {
                let groups = Operand::word(item / 4);
                let index = self.two(Op2::MULLO_UINT, &[number, groups]);
                // The index is element X of its register.
                let unit = self.code.unit();
                self.code.homes[unit as usize].elem = Some(0);
                self.move_to(unit, index);
                (0, Some(unit))
            }
        };
        for (at, chunk) in (0..).zip(values.chunks(4)) {
            let words = [0, 1, 2, 3].map(|at| chunk.get(at).copied());
            self.ring_write(first + 4 * at, index, words);
        }
        self.push(Inst::Emit {
            vertex: true,
            cut: false,
        });
    }

    pub(super) fn end_primitive(&mut self) {
        if let Some(Inst::Emit { cut, .. }) = self.code.blocks[self.at].insts.last_mut() {
            *cut = true;
            return;
        }
        self.push(Inst::Emit {
            vertex: false,
            cut: true,
        });
    }

    /// Fetches the words of an emitted vertex that a copy of it exports.
    pub(super) fn fetch_emitted(&mut self) {
        let place = self.preloaded(0)[0];
        let function = self.function;
        let mut word = 0;
        for (input, varying) in (0..).zip(&function.interface.inputs) {
            let units = [0; 4].map(|_: u8| self.code.unit());
            let count = varying.components as usize;
            let dst = [0, 1, 2, 3].map(|at| (at < count).then_some(units[at]));
            self.fetch_ring(place, word, count, dst);
            self.entry.attributes.insert(input, units);
            word += varying.components;
        }
        if self.options.export_primitive_index {
            let unit = self.code.unit();
            self.fetch_ring(place, word, 1, [Some(unit), None, None, None]);
            self.entry.primitive_index = Some(unit);
        }
    }
}
