//! TEX: lookups and kills. [R5XX 8.5]

use lanes::LaneOp::*;
use lanes::{Move, Src, Step, WideOp};

use super::super::inst::{Body, Inst, Register, Tex, TexRegister};
use super::super::ops::{TexOp, TexSem};
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

/// Whether an instruction is a lookup that may be made along with others.
pub(super) fn joins(inst: &Inst, setup: &Setup) -> bool {
    let Body::Tex(tex) = &inst.body else {
        return false;
    };
    let idle = matches!(tex.op.sem(), TexSem::Kill | TexSem::Nop | TexSem::Reserved);
    !idle && !stops(tex, setup) && !tex.src.relative && !tex.dst.relative
}

/// Whether a lookup reads what another one writes.
pub(super) fn reads_result(inst: &Inst, before: &Inst) -> bool {
    let (Body::Tex(tex), Body::Tex(before)) = (&inst.body, &before.body) else {
        return true;
    };
    let gradients = match tex.op.sem() {
        TexSem::Gradients => &tex.gradients[..],
        _ => &[],
    };
    let writes = |channel: &u8| before.wmask >> channel & 1 == 1;
    let mut read = gradients.iter().chain([&tex.src]);
    read.any(|register| {
        let written = register.at == before.dst.at && register.swizzle.iter().any(writes);
        register.relative || written
    })
}

/// Whether these are the lookups of [`Port::square`].
fn is_square(ports: &[Port]) -> bool {
    let [first, right, below, last] = ports else {
        return false;
    };
    let like = |port: &Port| {
        let (a, b) = (&port.tex, &first.tex);
        a.op == TexOp::LD
            && !a.unscaled
            && (a.unit, a.ignore_uncovered) == (b.unit, b.ignore_uncovered)
            && port.wanted == first.wanted
    };
    let at = |port: &Port| [port.coordinates[0], port.coordinates[1]];
    let ([u0, v0], [u1, v1]) = (at(first), at(last));
    ports.iter().all(like)
        && first.wanted.is_power_of_two()
        && (at(right), at(below)) == ([u1, v0], [u0, v1])
}

/// Rows without NaN, and where they come from.
#[derive(Default)]
struct Known(Vec<(Src, u16)>);

impl Lifter<'_> {
    /// Appends a TEX instruction, and lookups behind it that join it.
    pub(super) fn tex(&mut self, tex: &Tex, more: &[(u16, Inst)]) -> Result<(), LiftError> {
        match tex.op.sem() {
            TexSem::Nop | TexSem::Reserved => return Ok(()),
            TexSem::Kill => return self.kill(tex),
            _ => {}
        }
        let mut known = Known::default();
        let mut ports = vec![self.lookup(tex, &mut known)?];
        for (pc, inst) in more {
            self.begin(*pc, inst);
            if let Body::Tex(tex) = &inst.body {
                ports.push(self.lookup(tex, &mut known)?);
            }
        }
        ports[0].square = is_square(&ports);
        for port in &ports {
            self.b.port(port.effects());
        }
        for Port { tex, result, .. } in &ports {
            let values = tex.dst.swizzle;
            let values = values.map(|channel| Some(Src::Row(result + u16::from(channel))));
            let dst = Register {
                at: tex.dst.at,
                relative: tex.dst.relative,
            };
            let [rgb, alpha] = tex.predicates;
            self.write_temporary(dst, tex.wmask & 7, rgb, &values);
            self.write_temporary(dst, tex.wmask & 8, alpha, &values);
        }
        self.ports.extend(ports);
        Ok(())
    }

    /// A lookup whose coordinates are there.
    fn lookup(&mut self, tex: &Tex, known: &mut Known) -> Result<Port, LiftError> {
        let sem = tex.op.sem();
        let mut coordinates = self.vector(&tex.src)?;
        if sem == TexSem::Project {
            let reciprocal = self.op(FRcp, &[coordinates[3]]);
            for coordinate in &mut coordinates[..3] {
                *coordinate = self.op(FMul, &[*coordinate, reciprocal]);
                *coordinate = self.op(FFlushNan, &[*coordinate]);
            }
        }
        let coordinates = self.without_nan(coordinates, known);
        let mut gradients = [coordinates; 2];
        if sem == TexSem::Gradients {
            for (rows, register) in gradients.iter_mut().zip(&tex.gradients) {
                let vector = self.vector(register)?;
                *rows = self.without_nan(vector, known);
            }
        }
        if tex.wmask != 0 && !tex.dst.relative {
            self.check(tex.dst.at)?;
        }
        let written = (0..4).filter(|channel| tex.wmask >> channel & 1 == 1);
        let read = written.fold(0, |set, channel: usize| set | 1 << tex.dst.swizzle[channel]);
        let stops = stops(tex, self.setup);
        let result = match self.is_direct(tex) && !stops {
            true => 4 * u16::from(tex.dst.at),
            false => self.rows(4),
        };
        Ok(Port {
            tex: *tex,
            coordinates,
            gradients,
            result,
            // Keys are compared in any channel.
            wanted: if stops { 15 } else { read },
            pc: 24 * u32::from(self.pc),
            square: false,
            stops,
        })
    }

    /// Whether a texel may go to its temporary at once: each channel to its own, in all pixels that run.
    fn is_direct(&self, tex: &Tex) -> bool {
        let mut written = (0..4).filter(|channel| tex.wmask >> channel & 1 == 1);
        let own = |channel: usize| {
            let predicate = tex.predicates[usize::from(channel == 3)];
            let gate = Self::gate(predicate.select, predicate.invert, channel);
            usize::from(tex.dst.swizzle[channel]) == channel && gate.is_none()
        };
        !tex.dst.relative && !tex.ignore_uncovered && written.all(own)
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
    fn without_nan(&mut self, coordinates: [Src; 4], known: &mut Known) -> [u16; 4] {
        coordinates.map(|coordinate| {
            let same = known.0.iter().find(|(of, _)| *of == coordinate);
            if let Some((_, row)) = same {
                return *row;
            }
            // Nothing is above infinity, and NaN is below nothing.
            let row = self.row();
            self.b.alu(FMinLegacy, row, &[coordinate, INFINITY]);
            known.0.push((coordinate, row));
            row
        })
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
