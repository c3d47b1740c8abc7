//! The stages around a geometry shader: vertices in the unified vertex store, and what `uvsw` ends. [Rogue 12.1]
//!
//! A vertex shader in front of one writes its words without gaps; the geometry shader finds those that it reads of each
//! vertex among its vertex inputs, then the numbers of primitive and invocation. The vertices that it emits have their words
//! where those of a vertex shader that draws are.

use ::rogue::isa::Bank;
use ::rogue::isa::backend::Uvsw;
use ::rogue::regs::{self, GsControl, OutputSel, Push};

use super::entry::{VERTEX_BUILTINS, register};
use super::machine::Operand;
use super::select::Select;
use crate::codegen::Result;
use crate::codegen::geometry::{fed_word, output_word};
use crate::ir::{Inst as IrInst, OutputBuiltin, Stage};

/// Numbers behind the words of the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Primitive,
    Invocation,
}

/// How many there are.
const NUMBERS: u32 = 2;

impl Select<'_> {
    /// Finds the words that are read of each vertex.
    pub(super) fn geometry_prologue(&mut self) -> Result<()> {
        if self.function.stage != Stage::Geometry {
            return Ok(());
        }
        let mut words = Vec::new();
        for inst in self.function.insts() {
            let Some((_, first)) = self.fed_word(inst) else {
                continue;
            };
            for (word, result) in (first..).zip(&inst.results) {
                if self.is_used(*result) {
                    words.push(word);
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        let (vertices, count) = (self.corners(), words.len() as u32);
        let needed = vertices * count + NUMBERS;
        if needed > regs::VERTEX_INPUTS {
            return Err(self.unsupported(format!(
                "a geometry shader that reads {count} words of each of {vertices} vertices: {needed} vertex inputs, and \
                 there are {}",
                regs::VERTEX_INPUTS
            )));
        }
        self.entry.fed_words = words;
        Ok(())
    }

    /// Vertices of a primitive.
    fn corners(&self) -> u32 {
        let geometry = self.function.interface.geometry.as_ref();
        geometry.map_or(0, |geometry| geometry.vertices)
    }

    fn fed_word(&self, inst: &IrInst) -> Option<(u32, u32)> {
        fed_word(
            self.function,
            self.options.vertex_words.as_deref(),
            &inst.op,
        )
    }

    /// Words of a vertex of the primitive.
    pub(super) fn fed_words(&mut self, inst: &IrInst) {
        let Some((vertex, first)) = self.fed_word(inst) else {
            return;
        };
        for (word, &result) in (first..).zip(&inst.results) {
            if !self.is_used(result) {
                continue;
            }
            let words = &self.entry.fed_words;
            let at = words.binary_search(&word).unwrap_or(0);
            let number = vertex as usize * words.len() + at;
            self.define(result, register(Bank::VERTEX_INPUT, number as u16));
        }
    }

    /// A number behind the words of the vertices.
    pub(super) fn geometry_number(&self, number: Number) -> Operand {
        let words = self.corners() * self.entry.fed_words.len() as u32;
        register(Bank::VERTEX_INPUT, (words + number as u32) as u16)
    }

    /// Words of a vertex that a geometry shader reads: the position, then the outputs without gaps.
    pub(super) fn feed(&mut self) {
        let interface = &self.function.interface;
        let outputs = &self.entry.outputs;
        let position = (0, outputs.builtin(OutputBuiltin::Position));
        let varyings = (0..interface.outputs.len())
            .map(|n| (output_word(interface, n), outputs.words(n as u32)));
        let vectors: Vec<_> = [position].into_iter().chain(varyings).collect();
        for (first, words) in vectors {
            for (place, value) in (first..).zip(words) {
                if let Some(value) = value {
                    let word = self.word(value);
                    self.write(word, place);
                }
            }
        }
        self.vertex_end(Uvsw::EMITENDTASK);
    }

    /// Where each word of an emitted vertex goes, in the order of the instruction's words.
    fn emitted_places(&self) -> Result<Vec<u32>> {
        let interface = &self.function.interface;
        let outputs = &interface.outputs;
        let builtins = interface.geometry.iter().flat_map(|g| &g.builtins);
        let behind = 4 + 4 * self.emitted_parameters();
        let mut places = Vec::new();
        for builtin in builtins {
            let place = |other: &&OutputBuiltin| interface.emits(**other);
            let order = VERTEX_BUILTINS.iter().filter(place);
            match builtin {
                OutputBuiltin::Position => places.extend(0..4),
                other => {
                    let before = order.take_while(|known| *known != other).count() as u32;
                    places.push(behind + before);
                }
            }
        }
        for (n, output) in (0..).zip(outputs) {
            let first = 4 + 4 * n;
            places.extend(first..first + output.components);
        }
        match places.iter().max() {
            Some(last) if *last >= regs::VERTEX_WORDS => {
                Err(self.unsupported(format!("{} words of vertex outputs", last + 1)))
            }
            _ => Ok(places),
        }
    }

    fn emitted_parameters(&self) -> u32 {
        let outputs = self.function.interface.outputs.len() as u32;
        outputs + u32::from(self.options.export_primitive_index)
    }

    /// Writes a vertex and ends it.
    pub(super) fn emit_vertex(&mut self, inst: &IrInst) -> Result<()> {
        let places = self.emitted_places()?;
        // The chip counts the vertices of an instance by itself.
        for (place, &value) in places.into_iter().zip(&inst.args[1..]) {
            let word = self.word(value);
            self.write(word, place);
        }
        if self.options.export_primitive_index {
            let number = self.geometry_number(Number::Primitive);
            self.write(number, 4 * self.emitted_parameters());
        }
        self.vertex_end(Uvsw::EMIT);
        Ok(())
    }

    pub(super) fn end_primitive(&mut self) {
        self.vertex_end(Uvsw::CUT);
    }

    /// Registers of a geometry program of so many temporaries.
    pub(super) fn geometry_registers(&self, temporaries: u8, push: Push) -> Vec<(u32, u32)> {
        let interface = &self.function.interface;
        let most = interface.geometry.as_ref().map_or(0, |g| g.max_vertices);
        let control = GsControl {
            max_vertices: most as u16,
            side_effects: interface.side_effects,
            parameters: self.emitted_parameters() as u8,
            temporaries,
            ..GsControl::from_word(0)
        };
        let distance = |n: u8| interface.emits(OutputBuiltin::ClipDistance(n));
        let all = (0..8).fold(0, |bits, n| bits | u8::from(distance(n)) << n);
        let behind = OutputSel {
            render_tgt: interface.emits(OutputBuiltin::Layer),
            vpt_tgt: interface.emits(OutputBuiltin::Viewport),
            psprite_size: interface.emits(OutputBuiltin::PointSize),
            plane: all & !interface.cull_distances,
            cullplane: all & interface.cull_distances,
            ..OutputSel::from_word(0)
        };
        let words = &self.entry.fed_words;
        let mut registers = vec![
            (regs::USC_GS_CONTROL, control.pack()),
            (regs::USC_GS_PUSH, push.pack()),
            (regs::OUTPUT_SEL, behind.pack()),
            (regs::PDS_GS_INPUTS, words.len() as u32),
        ];
        let packed = words.chunks(4).map(|words| {
            let bytes = words.iter().enumerate();
            bytes.fold(0, |all, (n, word)| all | word << (8 * n))
        });
        registers.extend((regs::PDS_GS_INPUT_WORD..).zip(packed));
        registers
    }
}
