//! TEX: lookups and kills. [R5XX 8.5]

use lanes::LaneOp::*;
use lanes::{Move, Src, Step, WideOp};

use super::super::inst::{Register, Tex, TexRegister};
use super::super::ops::TexSem;
use super::flow::Lifter;
use super::{COVERED, INDEX, LiftError, Port, Setup, TEMP};
use crate::isa::arithmetic::{INFINITY, ZERO, compare, wide};

/// Whether an instruction may stop pixels.
pub(super) fn stops(tex: &Tex, setup: &Setup) -> bool {
    match tex.op.sem() {
        TexSem::Kill => true,
        TexSem::Nop | TexSem::Reserved => false,
        _ => setup.stopping >> (tex.unit & 15) & 1 == 1,
    }
}

impl Lifter<'_> {
    /// Appends a TEX instruction.
    pub(super) fn tex(&mut self, tex: &Tex) -> Result<(), LiftError> {
        let sem = tex.op.sem();
        match sem {
            TexSem::Nop | TexSem::Reserved => return Ok(()),
            TexSem::Kill => return self.kill(tex),
            _ => {}
        }
        let mut coordinates = self.vector(&tex.src)?;
        if sem == TexSem::Project {
            let reciprocal = self.op(FRcp, &[coordinates[3]]);
            for coordinate in &mut coordinates[..3] {
                *coordinate = self.op(FMul, &[*coordinate, reciprocal]);
                *coordinate = self.op(FFlushNan, &[*coordinate]);
            }
        }
        let coordinates = self.without_nan(coordinates);
        let mut gradients = [coordinates; 2];
        if sem == TexSem::Gradients {
            for (rows, register) in gradients.iter_mut().zip(&tex.gradients) {
                let vector = self.vector(register)?;
                *rows = self.without_nan(vector);
            }
        }
        let result = self.rows(4);
        let port = Port {
            tex: *tex,
            coordinates,
            gradients,
            result,
            pc: 24 * u32::from(self.pc),
            stops: stops(tex, self.setup),
        };
        self.b.port(port.effects());
        self.ports.push(port);
        let values = tex.dst.swizzle;
        let values = values.map(|channel| Some(Src::Row(result + u16::from(channel))));
        let dst = Register {
            at: tex.dst.at,
            relative: tex.dst.relative,
        };
        if tex.wmask != 0 && !dst.relative {
            self.check(dst.at)?;
        }
        let [rgb, alpha] = tex.predicates;
        self.write_temporary(dst, tex.wmask & 7, rgb, &values);
        self.write_temporary(dst, tex.wmask & 8, alpha, &values);
        Ok(())
    }

    /// A channel of a temporary without denormals.
    fn fetched(&mut self, register: &TexRegister, channel: u8) -> Result<Src, LiftError> {
        let of = u16::from(channel);
        if register.relative {
            self.index(register.at, self.setup.temps);
            let dst = self.row();
            self.b.push(Step::Relative {
                kind: Move::FromRow,
                dst,
                base: of,
                index: Src::Scalar(INDEX),
                end: self.layout.temps.end,
            });
            return Ok(self.op(FFlushNan, &[Src::Row(dst)]));
        }
        self.check(register.at)?;
        let row = 4 * u16::from(register.at) + of;
        match self.clean[usize::from(row)] {
            true => Ok(Src::Row(row)),
            false => Ok(self.op(FFlushNan, &[Src::Row(row)])),
        }
    }

    /// The four coordinates of a register.
    fn vector(&mut self, register: &TexRegister) -> Result<[Src; 4], LiftError> {
        let [s, t, r, q] = register.swizzle;
        Ok([
            self.fetched(register, s)?,
            self.fetched(register, t)?,
            self.fetched(register, r)?,
            self.fetched(register, q)?,
        ])
    }

    /// Rows of coordinates in which NaN is infinity. [R5XX 8.7.4]
    fn without_nan(&mut self, coordinates: [Src; 4]) -> [u16; 4] {
        let mut rows = [0; 4];
        for (at, coordinate) in coordinates.into_iter().enumerate() {
            let same = coordinates[..at]
                .iter()
                .position(|known| *known == coordinate);
            rows[at] = match same {
                Some(known) => rows[known],
                None => {
                    // Nothing is above infinity, and NaN is below nothing.
                    let row = self.row();
                    self.b.alu(FMinLegacy, row, &[coordinate, INFINITY]);
                    row
                }
            };
        }
        rows
    }

    /// Pixels with a negative channel among those written are no longer covered. They run on as helpers.
    fn kill(&mut self, tex: &Tex) -> Result<(), LiftError> {
        for channel in (0..4u8).filter(|channel| tex.wmask >> channel & 1 == 1) {
            let value = self.fetched(&tex.src, channel)?;
            compare(&mut self.b, FLt, TEMP, value, ZERO);
            let predicate = tex.predicates[usize::from(channel == 3)];
            let gate = Self::gate(predicate.select, predicate.invert, channel.into());
            if let Some((pair, invert)) = gate {
                let op = if invert {
                    WideOp::AndNot64
                } else {
                    WideOp::And64
                };
                wide(&mut self.b, op, TEMP, TEMP, pair);
            }
            wide(&mut self.b, WideOp::AndNot64, COVERED, COVERED, TEMP);
        }
        Ok(())
    }
}
