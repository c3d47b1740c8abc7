//! SMP: the operands of a texture sample. [Rogue 11.3]

use lanes::LaneOp::*;
use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use super::port::{Port, SampleOf};
use crate::isa::backend::{Bypass, LodMode, Sample};
use crate::isa::{Bank, Register};

const ZERO: Src = Src::Const(0);

/// Registers with the operands of a sample.
pub(super) fn words(sample: &Sample) -> u16 {
    let f = &sample.flags;
    let dimensions = u16::from(sample.dimensions);
    let gradients = match sample.lod {
        LodMode::GRADIENT => 2 * dimensions,
        _ => u16::from(f.pplod),
    };
    dimensions
        + u16::from(f.proj)
        + u16::from(f.array)
        + u16::from(f.comparison)
        + gradients
        + if f.tao { 3 } else { 0 }
        + u16::from(f.soo || f.sno)
        + if f.wrt { 4 } else { 0 }
}

/// Registers with the results of a sample, packed ones counted as they are without packing.
pub(super) fn results(sample: &Sample) -> u16 {
    let channels = u16::from(sample.channels);
    match sample.bypass {
        _ if sample.flags.wrt => 0,
        Bypass::NONE => channels,
        Bypass::DATA => 4 * channels,
        Bypass::INFO => 7,
        Bypass::BOTH => 4 * channels + 7,
    }
}

/// Takes the operands one after the other.
struct Operands {
    next: u16,
}

impl Operands {
    fn next(&mut self, lifter: &mut Lifter<'_>) -> Result<Src, LiftError> {
        let word = lifter.source_behind(1, self.next)?;
        self.next += 1;
        Ok(word)
    }

    fn when(&mut self, there: bool, lifter: &mut Lifter<'_>) -> Result<Option<Src>, LiftError> {
        match there {
            true => Ok(Some(self.next(lifter)?)),
            false => Ok(None),
        }
    }
}

impl Lifter<'_> {
    pub(super) fn sample(&mut self, sample: &Sample) -> Result<(), LiftError> {
        let f = &sample.flags;
        let mut operands = Operands { next: 0 };
        let dimensions = usize::from(sample.dimensions);
        let mut coordinates = [ZERO; 3];
        for coordinate in &mut coordinates[..dimensions] {
            *coordinate = operands.next(self)?;
        }
        if let Some(q) = operands.when(f.proj, self)? {
            self.project(&mut coordinates[..dimensions], q);
        }
        let layer = operands.when(f.array, self)?;
        let reference = operands.when(f.comparison, self)?;
        let mut gradients = None;
        let mut lod = None;
        match sample.lod {
            LodMode::GRADIENT => {
                let mut found = [[ZERO; 2]; 3];
                for gradient in found[..dimensions].iter_mut().flatten() {
                    *gradient = operands.next(self)?;
                }
                gradients = Some(found);
            }
            LodMode::NORMAL => {
                operands.when(f.pplod, self)?;
            }
            LodMode::BIAS | LodMode::REPLACE => {
                lod = match f.pplod {
                    true => operands.when(true, self)?,
                    false => Some(self.source(3)?),
                };
            }
        }
        let address = match f.tao {
            true => {
                // A level stands before the address in any case.
                if !f.pplod && sample.lod != LodMode::GRADIENT {
                    operands.next(self)?;
                }
                Some([operands.next(self)?, operands.next(self)?])
            }
            false => None,
        };
        let lookup = operands.when(f.soo || f.sno, self)?;
        let data = match f.wrt {
            true => {
                let mut words = [ZERO; 4];
                for word in &mut words {
                    *word = operands.next(self)?;
                }
                Some(words)
            }
            false => None,
        };
        let count = results(sample);
        let values = if f.f16 { count.div_ceil(2) } else { count };
        let first = match (count, f.f16) {
            (0, _) => 0,
            (count, true) => self.rows(count),
            (count, false) => self.results(4, count)?,
        };
        for row in first..first + count {
            self.soil(row);
        }
        self.call(Port::Sample(SampleOf {
            sample: *sample,
            texture: self.state_register(0)?,
            sampler: self.state_register(2)?,
            coordinates,
            layer,
            reference,
            lod,
            gradients,
            address,
            lookup,
            data,
            first,
            count,
        }));
        if f.f16 && count > 0 {
            let destination = self.results(4, values)?;
            let rows: Vec<Src> = (first..first + count).map(Src::Row).collect();
            for (n, pair) in rows.chunks(2).enumerate() {
                let word = self.halves_of(pair);
                self.copy_to(destination + n as u16, word);
            }
        }
        Ok(())
    }

    /// Divides coordinates by the last one.
    pub(super) fn project(&mut self, coordinates: &mut [Src], q: Src) {
        for coordinate in coordinates {
            *coordinate = self.op(FDiv, &[*coordinate, q]);
        }
    }

    /// The first shared register of a texture or sampler state.
    fn state_register(&self, at: u8) -> Result<u16, LiftError> {
        match self.sources[usize::from(at)] {
            Some(Register::Plain(Bank::SHARED, n)) => Ok(n + self.bases.shared),
            _ => Err(self.meaningless("a texture whose state is not in shared registers")),
        }
    }
}
