//! What leaves a program: output vectors of vertices, colours and depth of pixels.

use super::machine::{Arg, Op as Machine, Reg, Select as Part};
use super::select::Select;
use super::terms::Term;
use crate::codegen::{OutputVector, Result};
use crate::ir::{OutputBuiltin, Scalar, Value};

/// Render targets.
const TARGETS: u32 = 4;

impl Select<'_> {
    /// Writes the outputs at the end of the program.
    pub(super) fn export(&mut self) -> Result<()> {
        match self.is_vertex() {
            true => self.export_vertex(),
            false => self.export_pixel(),
        }
    }

    fn export_vertex(&mut self) -> Result<()> {
        let position = self.stored.builtin(OutputBuiltin::Position);
        self.write_output(OutputVector::Position, position);
        let size = self.stored.builtin(OutputBuiltin::PointSize);
        if size[0].is_some() {
            self.write_output(OutputVector::PointSize, size);
        }
        for output in 0..self.legal.function.interface.outputs.len() as u32 {
            let words = self.stored.words(output);
            self.write_output(OutputVector::Varying(output), words);
        }
        if self.options.export_clip_position {
            self.write_output(OutputVector::ClipPosition, position);
        }
        let used = self.outputs.iter().filter(|output| {
            matches!(
                output,
                OutputVector::Varying(_) | OutputVector::ClipPosition
            )
        });
        let used = used.count();
        match used > super::interface::VARYINGS {
            true => Err(self
                .errors
                .exceeds("varyings", used, super::interface::VARYINGS)),
            false => Ok(()),
        }
    }

    fn write_output(&mut self, output: OutputVector, words: [Option<Value>; 4]) {
        let reg = Reg::Output(self.outputs.len() as u32);
        self.outputs.push(output);
        let present = (0..4).zip(words).filter_map(|(at, word)| Some((at, word?)));
        let (components, terms): (Vec<u8>, Vec<Term>) = present
            .map(|(at, word)| (at, self.pack.terms.term(word)))
            .unzip();
        terms.iter().for_each(|term| self.need_value(term.value));
        for part in self.parts(&terms) {
            let args = part
                .iter()
                .map(|at| self.operand(&[terms[*at]])[0])
                .collect();
            let components = part.iter().map(|at| components[*at]).collect();
            self.emit(Machine::Mov, Some(reg), components, vec![args]);
        }
    }

    fn export_pixel(&mut self) -> Result<()> {
        for output in 0..self.legal.function.interface.outputs.len() {
            let varying = self.legal.function.interface.outputs[output].clone();
            let at = varying.location;
            if !self.options.exports(at) {
                continue;
            }
            if varying.second {
                return Err(self.errors.lacks("two sources of blending", varying.origin));
            }
            if at >= TARGETS {
                let what = format!("colour {at} of {TARGETS}");
                return Err(self.errors.lacks(what, varying.origin));
            }
            debug_assert_eq!(varying.scalar, Scalar::Float);
            let words = self.stored.words(output as u32);
            let terms = words.map(|word| word.map(|word| self.pack.terms.term(word)));
            terms
                .iter()
                .flatten()
                .for_each(|term| self.need_value(term.value));
            // Colour lies in one vector, alpha anywhere.
            let zero = Arg::number(Part::Zero);
            let one = |term: &Option<Term>, x: &mut Self| match term {
                Some(term) => x.operand(&[*term])[0],
                None => zero,
            };
            let color = terms[..3].iter().map(|term| one(term, self)).collect();
            let mut args = self.gather(color);
            args.push(one(&terms[3], self));
            self.emit(Machine::Color(at as u8), None, vec![0, 1, 2, 3], vec![args]);
        }
        let depth = self.stored.builtin(OutputBuiltin::FragDepth);
        if let Some(depth) = depth[0] {
            self.need_value(depth);
            let term = self.pack.terms.term(depth);
            let args = self.operand(&[term]);
            self.emit(Machine::Depth, None, vec![3], vec![args]);
        }
        Ok(())
    }
}
