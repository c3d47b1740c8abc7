//! Operands: sources with the loop variable, presubtract, swizzles and modifiers. [R5XX 8.4.1 to 8.4.3]

use std::collections::HashMap;

use lanes::LaneOp::{self, *};
use lanes::{Move, Src, Step, When};

use super::super::codes::{Modifier, Presubtract, Select, Swizzle};
use super::super::inst::{Alu, Input, Source};
use super::flow::Lifter;
use super::{Constant, INDEX, LiftError};
use crate::isa::arithmetic::{ONE, Signed, ZERO, float};

/// What an instruction has read so far.
#[derive(Debug, Default)]
pub(super) struct Cache {
    /// Channels of sources as they are.
    raw: HashMap<(Source, u8), (Src, bool)>,
    /// Channels of sources without denormals.
    flushed: HashMap<(Source, u8), Src>,
    /// Channels of the presubtract result.
    srcp: HashMap<u8, Src>,
}

/// The value of an inline constant. [R5XX 8.4.1]
pub(super) fn inline(bits: u8) -> f32 {
    let (exponent, mantissa) = (bits >> 3 & 15, f32::from(bits & 7));
    let power = |exponent: i32| f32::from_bits(((exponent + 127) as u32) << 23);
    match (exponent, bits & 7) {
        (0, 0) => power(-10),
        (0, _) => mantissa / 8.0 * power(-6),
        (exponent, _) => (1.0 + mantissa / 8.0) * power(i32::from(exponent) - 7),
    }
}

impl Lifter<'_> {
    /// Appends an operation into a row of its own.
    pub(super) fn op(&mut self, op: LaneOp, src: &[Src]) -> Src {
        let row = self.row();
        self.b.alu(op, row, src);
        Src::Row(row)
    }

    /// `INDEX = 4 * (at + aL)`, within `count` vectors.
    pub(super) fn index(&mut self, at: u8, count: u16) {
        let Some(variable) = self.loop_variable else {
            self.b.trap("the loop variable is read outside of a LOOP");
            return;
        };
        let index = Src::Scalar(INDEX);
        let sum = [Src::Scalar(variable), Src::Const(at.into())];
        self.b.uniform(IAdd, INDEX, &sum);
        let count = u32::from(count);
        self.b.uniform(ULt, INDEX + 1, &[index, Src::Const(count)]);
        let inside = self.b.label();
        self.b.branch(When::NonZero(INDEX + 1), inside);
        self.b
            .trap(format!("{at} + aL is none of {count} registers"));
        self.b.place(inside);
        self.b.uniform(Shl, INDEX, &[index, Src::Const(2)]);
    }

    /// A channel of a source as it is, and whether it is known to be flushed.
    fn raw(&mut self, source: Source, channel: u8) -> Result<(Src, bool), LiftError> {
        if let Some(found) = self.cache.raw.get(&(source, channel)) {
            return Ok(*found);
        }
        let of = u16::from(channel);
        let found = match source {
            Source::Inline(bits) => (float(inline(bits)), true),
            Source::Temp {
                at,
                relative: false,
            } => {
                self.check(at)?;
                let row = 4 * u16::from(at) + of;
                (Src::Row(row), self.clean[usize::from(row)])
            }
            Source::Temp { at, .. } => {
                self.index(at, self.setup.temps);
                let dst = self.row();
                self.b.push(Step::Relative {
                    kind: Move::FromRow,
                    dst,
                    base: of,
                    index: Src::Scalar(INDEX),
                    end: self.layout.temps.end,
                });
                let mut channels = self.clean.iter().skip(channel.into()).step_by(4);
                (Src::Row(dst), channels.all(|clean| *clean))
            }
            Source::Constant {
                at,
                relative: false,
            } => {
                let constant = Constant::Float {
                    index: at,
                    channel,
                    flushed: false,
                };
                (Src::Scalar(self.constant(constant)), false)
            }
            Source::Constant { at, .. } => {
                self.index(at, 256);
                let dst = self.scalar();
                let file = self.file.unwrap_or_default();
                self.b.push(Step::Relative {
                    kind: Move::FromScalar,
                    dst,
                    base: file + of,
                    index: Src::Scalar(INDEX),
                    end: file + 1024,
                });
                (Src::Scalar(dst), false)
            }
        };
        self.cache.raw.insert((source, channel), found);
        Ok(found)
    }

    /// A channel of a source without denormals.
    fn flushed(&mut self, source: Source, channel: u8) -> Result<Src, LiftError> {
        if let Some(found) = self.cache.flushed.get(&(source, channel)) {
            return Ok(*found);
        }
        let found = match source {
            Source::Constant {
                at,
                relative: false,
            } => Src::Scalar(self.constant(Constant::Float {
                index: at,
                channel,
                flushed: true,
            })),
            source => match self.raw(source, channel)? {
                (src, true) => src,
                (src, false) => self.op(FFlushNan, &[src]),
            },
        };
        self.cache.flushed.insert((source, channel), found);
        Ok(found)
    }

    /// A channel of the presubtract result.
    fn srcp(&mut self, alu: &Alu, channel: u8) -> Result<Src, LiftError> {
        if let Some(found) = self.cache.srcp.get(&channel) {
            return Ok(*found);
        }
        let sources = if channel < 3 {
            &alu.rgb.sources
        } else {
            &alu.alpha.sources
        };
        let a = self.flushed(sources.src[0], channel)?;
        let found = match sources.srcp {
            Presubtract::Bias => self.op(FMadNeg, &[float(2.0), a, ONE]),
            Presubtract::Inv => self.op(FSub, &[ONE, a]),
            Presubtract::Sub => {
                let b = self.flushed(sources.src[1], channel)?;
                self.op(FSub, &[b, a])
            }
            Presubtract::Add => {
                let b = self.flushed(sources.src[1], channel)?;
                self.op(FAdd, &[b, a])
            }
        };
        let found = self.op(FFlushNan, &[found]);
        self.cache.srcp.insert(channel, found);
        Ok(found)
    }

    /// What a select and a swizzle name.
    fn channel(
        &mut self,
        alu: &Alu,
        select: Select,
        swizzle: Swizzle,
        raw: bool,
    ) -> Result<Src, LiftError> {
        let channel = match swizzle {
            Swizzle::Zero | Swizzle::Unused => return Ok(ZERO),
            Swizzle::Half => return Ok(float(0.5)),
            Swizzle::One => return Ok(ONE),
            swizzle => swizzle.code(),
        };
        if select == Select::Srcp {
            return self.srcp(alu, channel);
        }
        let sources = if channel < 3 {
            &alu.rgb.sources
        } else {
            &alu.alpha.sources
        };
        let source = sources.src[select as usize];
        match raw {
            true => Ok(self.raw(source, channel)?.0),
            false => self.flushed(source, channel),
        }
    }

    /// A modifier on an operand.
    pub(super) fn modified(&mut self, src: Src, modifier: Modifier) -> Signed {
        let magnitude = matches!(modifier, Modifier::Abs | Modifier::Nab);
        let src = match src {
            src if !magnitude => src,
            Src::Const(bits) => Src::Const(bits & !(1 << 31)),
            src => self.op(FAbs, &[src]),
        };
        Signed {
            src,
            negate: matches!(modifier, Modifier::Neg | Modifier::Nab),
        }
    }

    /// A channel of an input, with its sign still to change; `raw` keeps denormals.
    pub(super) fn signed<const N: usize>(
        &mut self,
        alu: &Alu,
        input: &Input<N>,
        at: usize,
        raw: bool,
    ) -> Result<Signed, LiftError> {
        let src = self.channel(alu, input.select, input.swizzle[at], raw)?;
        Ok(self.modified(src, input.modifier))
    }

    /// A channel of an input.
    pub(super) fn input<const N: usize>(
        &mut self,
        alu: &Alu,
        input: &Input<N>,
        at: usize,
        raw: bool,
    ) -> Result<Src, LiftError> {
        let signed = self.signed(alu, input, at, raw)?;
        let spare = self.row();
        Ok(crate::isa::arithmetic::plain(&mut self.b, signed, spare))
    }

    /// A channel of source 0 in a lane of each quad. It is read from lanes that do not run, too.
    pub(super) fn of_quad(
        &mut self,
        source: Source,
        channel: u8,
        lane: u8,
    ) -> Result<Src, LiftError> {
        let (src, clean) = self.raw(source, channel)?;
        let Src::Row(row) = src else {
            return self.flushed(source, channel);
        };
        let dst = self.row();
        self.b.push(Step::Swizzle {
            dst,
            src: row,
            pattern: lanes::Swizzle::Quad([lane; 4]),
        });
        match clean {
            true => Ok(Src::Row(dst)),
            false => Ok(self.op(FFlushNan, &[Src::Row(dst)])),
        }
    }

    /// Rows of temporaries that a channel of an input comes from; `None` if an index decides.
    pub(super) fn rows_of(alu: &Alu, select: Select, swizzle: Swizzle) -> Option<Vec<u16>> {
        let channel = match swizzle {
            Swizzle::R | Swizzle::G | Swizzle::B | Swizzle::A => swizzle.code(),
            _ => return Some(Vec::new()),
        };
        let sources = if channel < 3 {
            &alu.rgb.sources
        } else {
            &alu.alpha.sources
        };
        let named = match select {
            Select::Srcp => &sources.src[..2],
            select => &sources.src[select as usize..][..1],
        };
        let mut rows = Vec::new();
        for source in named {
            match *source {
                Source::Temp { relative: true, .. } => return None,
                Source::Temp { at, .. } => rows.push(4 * u16::from(at) + u16::from(channel)),
                Source::Constant { .. } | Source::Inline(_) => {}
            }
        }
        Some(rows)
    }
}
