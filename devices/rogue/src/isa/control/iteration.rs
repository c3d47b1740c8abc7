//! Iteration, and iteration with a sample, past the ALU. [Rogue 10.2, 13.10]

use crate::isa::backend::IterMode;
use crate::isa::bytes::{Bytes, Writer, bit, is};
use crate::isa::error::{DecodeError, EncodeError, below};

isa::ops! {
    /// How iteration divides by W.
    pub enum Perspective: () {
        NONE = 0 "none" ();
        ITER_MUL = 1 "iter_mul" ();
        ITER_MUL_STORE = 2 "iter_mul_store" ();
        MUL_STORED = 3 "mul_stored" ();
    }
}

isa::ops! {
    /// Hints to the scheduler.
    pub enum Sched: () {
        NONE = 0 "" ();
        SWAP = 1 "schedswap" ();
        WDF = 2 "schedwdf" ();
    }
}

/// Iteration without the ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ditr {
    /// First temporary of the results.
    pub destination: u8,
    /// First coefficient, a multiple of 4 below 256, and the code of its index register, 0 to 3.
    pub coefficient: (u8, u8),
    /// That of W.
    pub w_coefficient: (u8, u8),
    /// Division by W.
    pub perspective: Perspective,
    /// Where.
    pub mode: IterMode,
    /// Values, 1 to 16.
    pub count: u8,
    /// Results are packed.
    pub f16: bool,
    /// Hint.
    pub sched: Sched,
    /// Fence counter, 0 or 1.
    pub drc: u8,
    /// Clamps to 0..1.
    pub sat: bool,
}

/// Iteration and sample in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Itrsmp {
    /// Iteration of the coordinates; its count is 0 to 15 here.
    pub iteration: Ditr,
    /// First shared register of the texture state, a multiple of 4 below 256.
    pub texture: u8,
    /// That of the sampler state.
    pub sampler: u8,
    /// Dimensions, 1 to 3.
    pub dimensions: u8,
    /// Channels, 1 to 4.
    pub channels: u8,
    /// Projection.
    pub proj: bool,
    /// Coordinates are texels.
    pub nncoords: bool,
    /// Texels of fixed point become floats.
    pub fcnorm: bool,
    /// Compares.
    pub comparison: bool,
}

fn four(what: &'static str, number: u8) -> Result<u8, EncodeError> {
    match number % 4 {
        0 => Ok(number),
        _ => Err(EncodeError::Range {
            what,
            value: number.into(),
            range: "it is a multiple of 4",
        }),
    }
}

fn index(number: u8) -> Result<u8, EncodeError> {
    below("the index register", number.into(), 4, "it is 0 to 3")
}

fn fence(drc: u8) -> Result<u8, EncodeError> {
    below("the fence counter", drc.into(), 2, "it is 0 or 1")
}

impl Ditr {
    pub(super) fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
        let (first, first_index) = self.coefficient;
        let (w, w_index) = self.w_coefficient;
        if !(1..=16).contains(&self.count) {
            return Err(EncodeError::Range {
                what: "the number of values",
                value: self.count.into(),
                range: "it is 1 to 16",
            });
        }
        out.extend([
            self.destination,
            four("the coefficient", first)? | self.perspective.code() as u8,
            four("the coefficient of W", w)? | self.mode.code() as u8,
            (self.count & 15) << 4 | index(first_index)? << 2 | index(w_index)?,
            bit(self.f16, 6)
                | (self.sched.code() as u8) << 2
                | fence(self.drc)? << 1
                | bit(self.sat, 0),
        ]);
        Ok(())
    }

    pub(super) fn decode(bytes: &mut Bytes<'_>) -> Result<Ditr, DecodeError> {
        let destination = bytes.next()?;
        let first = bytes.next()?;
        let w = bytes.next()?;
        let mode = IterMode::from_code(u16::from(w & 3));
        let mode = mode.ok_or_else(|| bytes.unknown("place of DITR", w & 3))?;
        let third = bytes.next()?;
        let last = bytes.next_with(0xb0, "DITR")?;
        let sched = Sched::from_code(u16::from(last >> 2 & 3));
        Ok(Ditr {
            destination,
            coefficient: (first & 0xfc, third >> 2 & 3),
            w_coefficient: (w & 0xfc, third & 3),
            perspective: Perspective::ALL[usize::from(first & 3)],
            mode,
            count: match third >> 4 {
                0 => 16,
                count => count,
            },
            f16: is(last, 6),
            sched: sched.ok_or_else(|| bytes.unknown("hint", last >> 2 & 3))?,
            drc: last >> 1 & 1,
            sat: is(last, 0),
        })
    }
}

impl Itrsmp {
    pub(super) fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
        let of = &self.iteration;
        let (first, first_index) = of.coefficient;
        let (w, w_index) = of.w_coefficient;
        let mode = of.mode.code() as u8;
        let dimensions = below(
            "the number of dimensions",
            self.dimensions.into(),
            4,
            "1 to 3",
        )?;
        let channels = self.channels.wrapping_sub(1).into();
        let channels = below(
            "the number of channels, less 1,",
            channels,
            4,
            "it is 0 to 3",
        )?;
        let count = below("the number of values", of.count.into(), 16, "it is 0 to 15")?;
        let second = index(first_index)? << 3 | index(w_index)? << 1 | mode >> 1;
        let more = out.choose(second != 0, second != 0);
        let first_more = bit(more, 7) | count << 3 | bit(self.comparison, 2);
        let extended = out.choose(first_more != 0, first_more != 0);
        out.extend([
            of.destination,
            four("the coefficient", first)? | of.perspective.code() as u8,
            four("the texture state", self.texture)? | fence(of.drc)? << 1 | mode & 1,
            four("the sampler state", self.sampler)? | dimensions,
            four("the coefficient of W", w)? | bit(self.proj, 1) | bit(of.sat, 0),
            bit(extended, 7)
                | bit(of.f16, 6)
                | (of.sched.code() as u8) << 4
                | channels << 2
                | bit(self.nncoords, 1)
                | bit(self.fcnorm, 0),
        ]);
        let present = [(extended, first_more), (more, second)];
        out.extend(
            present
                .into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, byte)| byte),
        );
        Ok(())
    }

    pub(super) fn decode(bytes: &mut Bytes<'_>) -> Result<Itrsmp, DecodeError> {
        let [destination, first, texture, sampler, w, flags] = {
            let mut read = [0; 6];
            for byte in &mut read {
                *byte = bytes.next()?;
            }
            read
        };
        let sched = Sched::from_code(u16::from(flags >> 4 & 3));
        let sched = sched.ok_or_else(|| bytes.unknown("hint", flags >> 4 & 3))?;
        if sampler & 3 == 0 {
            return Err(bytes.unknown("number of dimensions", 0u8));
        }
        let more = match is(flags, 7) {
            true => bytes.next_with(0x03, "ITRSMP")?,
            false => 0,
        };
        let last = match is(more, 7) {
            true => bytes.next_with(0xe0, "ITRSMP")?,
            false => 0,
        };
        bytes.chose(is(more, 7), last != 0);
        bytes.chose(is(flags, 7), more != 0);
        let mode = texture & 1 | (last & 1) << 1;
        let mode = IterMode::from_code(mode.into()).ok_or_else(|| bytes.unknown("place", mode))?;
        Ok(Itrsmp {
            iteration: Ditr {
                destination,
                coefficient: (first & 0xfc, last >> 3 & 3),
                w_coefficient: (w & 0xfc, last >> 1 & 3),
                perspective: Perspective::ALL[usize::from(first & 3)],
                mode,
                count: more >> 3 & 15,
                f16: is(flags, 6),
                sched,
                drc: texture >> 1 & 1,
                sat: is(w, 0),
            },
            texture: texture & 0xfc,
            sampler: sampler & 0xfc,
            dimensions: sampler & 3,
            channels: (flags >> 2 & 3) + 1,
            proj: is(w, 1),
            nncoords: is(flags, 1),
            fcnorm: is(flags, 0),
            comparison: is(more, 2),
        })
    }
}
