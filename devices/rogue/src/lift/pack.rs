//! PCK: floats to packed components. [Rogue 9.2]
//!
//! A group that runs once puts its component everywhere, so that a MOV can take the bytes it wants; one that repeats puts
//! each in its place and leaves the others zero.

use lanes::LaneOp::*;
use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use super::local::Local;
use super::port::Port;
use crate::isa::Format;
use crate::isa::phase2::Pck;

const ZERO: Src = Src::Const(0);
/// 1.5 * 2^23: a number below 2^22 in magnitude that is added to it is rounded to an integer, which the low bits hold.
const ROUNDS: u32 = 0x4b40_0000;
/// 2^23: the same for 0 to 2^23.
const ROUNDS_24: u32 = 0x4b00_0000;

/// What the bits of a component mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An unsigned number.
    Unsigned,
    /// An unsigned number that `.scale` does not change.
    Integer,
    /// In two's complement.
    Signed,
    /// Signed, with half of the range added.
    Offset,
    /// Signed: c stands for (2 c + 1) / (2^n - 1).
    OpenGl,
    /// A binary16.
    Half,
    /// A float without sign, 5 bits of exponent.
    Small,
}

/// A component: its first bit and its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) at: u32,
    pub(super) width: u32,
    pub(super) kind: Kind,
}

/// Components of a format from the lowest bit on; none of formats that have no fields.
pub(super) fn fields(format: Format) -> Vec<Field> {
    use Kind::*;
    let widths: &[(u32, Kind)] = match format {
        Format::U8888 => &[(8, Unsigned); 4],
        Format::S8888 => &[(8, Signed); 4],
        Format::O8888 => &[(8, Offset); 4],
        Format::U1616 => &[(16, Unsigned); 2],
        Format::S1616 => &[(16, Signed); 2],
        Format::O1616 => &[(16, Offset); 2],
        Format::U1010102 => &[
            (10, Unsigned),
            (10, Unsigned),
            (10, Unsigned),
            (2, Unsigned),
        ],
        Format::S1010102 => &[(10, Signed), (10, Signed), (10, Signed), (2, Signed)],
        Format::U111110 => &[(11, Unsigned), (11, Unsigned), (10, Unsigned)],
        Format::S111110 => &[(11, Signed), (11, Signed), (10, Signed)],
        Format::F111110 => &[(11, Small), (11, Small), (10, Small)],
        Format::F16F16 => &[(16, Half); 2],
        Format::U565U565 => &[
            (5, Unsigned),
            (6, Unsigned),
            (5, Unsigned),
            (5, Unsigned),
            (6, Unsigned),
            (5, Unsigned),
        ],
        Format::D24S8 => &[(24, Unsigned), (8, Integer)],
        Format::S8D24 => &[(8, Integer), (24, Unsigned)],
        Format::F10F10F10F2 => &[(10, Small), (10, Small), (10, Small), (2, Unsigned)],
        Format::S8888OGL => &[(8, OpenGl); 4],
        Format::S1616OGL => &[(16, OpenGl); 2],
        _ => &[],
    };
    let mut at = 0;
    let fields = widths.iter().map(|(width, kind)| {
        let field = Field {
            at,
            width: *width,
            kind: *kind,
        };
        at += width;
        field
    });
    fields.collect()
}

fn float(value: f32) -> Src {
    Src::Const(value.to_bits())
}

impl Lifter<'_> {
    /// The word of one component, or of one a repetition.
    pub(super) fn pack(&mut self, pck: &Pck, components: &[Src]) -> Result<Src, LiftError> {
        let x = components.first().copied().unwrap_or(ZERO);
        let repeated = components.len() > 1;
        Ok(match pck.format {
            Format::CONST0 => ZERO,
            Format::CONST1 => float(1.0),
            Format::F32 | Format::F32MASK => x,
            Format::U32 | Format::S32 => {
                let x = match pck.round_zero {
                    true => x,
                    false => self.op(FRound, &[x]),
                };
                let op = if pck.format == Format::U32 {
                    F32ToU32
                } else {
                    F32ToI32
                };
                self.op(op, &[x])
            }
            Format::COV => {
                let covered = self.mask();
                self.compare(covered, FGt, x, ZERO);
                self.select(covered, ZERO, Src::Const(u32::MAX))
            }
            Format::SE9995 | Format::F111110 => {
                let at = |n: usize| match repeated {
                    true => components.get(n).copied().unwrap_or(ZERO),
                    false => x,
                };
                let (dst, from) = (self.row(), [at(0), at(1), at(2)]);
                self.call(Port::Local(match pck.format {
                    Format::SE9995 => Local::PackSe9995 { dst, from },
                    _ => Local::PackF111110 { dst, from },
                }));
                Src::Row(dst)
            }
            format => {
                let fields = fields(format);
                match repeated {
                    true => self.pack_each(pck, &fields, components),
                    false => self.pack_everywhere(pck, &fields, x),
                }
            }
        })
    }

    /// Each component in its field.
    fn pack_each(&mut self, pck: &Pck, fields: &[Field], components: &[Src]) -> Src {
        let used = &fields[..fields.len().min(components.len())];
        let fraction = |field: &Field| field.kind == Kind::Unsigned && field.width <= 16;
        if pck.scale && !pck.round_zero && used.iter().all(fraction) {
            return self.pack_fractions(used, components);
        }
        let mut word = ZERO;
        for (field, component) in fields.iter().zip(components) {
            let bits = self.component(pck, *field, *component);
            word = self.placed(word, *field, bits);
        }
        word
    }

    /// Unsigned fractions, rounded to nearest. Sums that round to integers carry them in their low bits: shifted, added, and
    /// what is above taken off all of them at once.
    fn pack_fractions(&mut self, fields: &[Field], components: &[Src]) -> Src {
        let mut word = ZERO;
        let mut above = 0u32;
        for (field, component) in fields.iter().zip(components) {
            let most = ((1u64 << field.width) - 1) as f32;
            let x = self.op(FSat, &[*component]);
            let sum = self.op(FFma, &[x, float(most), Src::Const(ROUNDS)]);
            above = above.wrapping_add(ROUNDS << field.at);
            word = match field.at {
                0 => sum,
                at => self.op(IMad, &[sum, Src::Const(1 << at), word]),
            };
        }
        self.op(ISub, &[word, Src::Const(above)])
    }

    /// The component in all fields.
    fn pack_everywhere(&mut self, pck: &Pck, fields: &[Field], x: Src) -> Src {
        let mut word = ZERO;
        let mut last: Option<(Field, Src)> = None;
        let same = fields
            .iter()
            .all(|f| (f.width, f.kind) == (fields[0].width, fields[0].kind));
        if same && 32 % fields[0].width == 0 {
            let bits = self.component(pck, fields[0], x);
            let every = (0..32).step_by(fields[0].width as usize);
            let every = every.fold(0, |all, at| all | 1u32 << at);
            return self.op(IMul, &[bits, Src::Const(every)]);
        }
        for field in fields {
            let bits = match last {
                Some((known, bits)) if (known.width, known.kind) == (field.width, field.kind) => {
                    bits
                }
                _ => self.component(pck, *field, x),
            };
            last = Some((*field, bits));
            word = self.placed(word, *field, bits);
        }
        word
    }

    fn placed(&mut self, word: Src, field: Field, bits: Src) -> Src {
        let bits = match field.at {
            0 => bits,
            at => self.op(Shl, &[bits, Src::Const(at)]),
        };
        match word {
            ZERO => bits,
            word => self.op(Or, &[word, bits]),
        }
    }

    /// The bits of a component.
    fn component(&mut self, pck: &Pck, field: Field, x: Src) -> Src {
        let width = field.width;
        let mask = Src::Const(((1u64 << width) - 1) as u32);
        match field.kind {
            Kind::Half if pck.round_zero => self.op(F32ToF16Mode, &[x, Src::Const(3)]),
            Kind::Half => self.op(F32ToF16, &[x]),
            Kind::Small => {
                let dst = self.row();
                self.call(Port::Local(Local::PackF111110 {
                    dst,
                    from: [ZERO, ZERO, x],
                }));
                self.op(Shr, &[Src::Row(dst), Src::Const(22)])
            }
            Kind::Integer => self.number(x, [0, (1i64 << width) - 1], pck.round_zero),
            Kind::Unsigned if pck.scale => {
                let x = self.op(FSat, &[x]);
                self.scaled(x, ((1u64 << width) - 1) as f32, pck.round_zero)
            }
            Kind::Unsigned => self.number(x, [0, (1i64 << width) - 1], pck.round_zero),
            Kind::Signed | Kind::Offset => {
                let most = (1i64 << (width - 1)) - 1;
                let number = match pck.scale {
                    true => {
                        let x = self.within_one(x);
                        self.scaled(x, most as f32, pck.round_zero)
                    }
                    false => self.number(x, [-most - 1, most], pck.round_zero),
                };
                let number = match field.kind {
                    Kind::Offset => self.op(IAdd, &[number, Src::Const(1 << (width - 1))]),
                    _ => number,
                };
                self.op(And, &[number, mask])
            }
            Kind::OpenGl => {
                let most = (1i64 << (width - 1)) - 1;
                let number = match pck.scale {
                    true => {
                        // c = (x (2^n - 1) - 1) / 2.
                        let x = self.within_one(x);
                        let half = (((1u64 << width) - 1) as f32) / 2.0;
                        let y = self.op(FFma, &[x, float(half), float(-0.5)]);
                        self.number(y, [-most - 1, most], pck.round_zero)
                    }
                    false => self.number(x, [-most - 1, most], pck.round_zero),
                };
                self.op(And, &[number, mask])
            }
        }
    }

    /// A number clamped to -1..1, NaN to zero.
    fn within_one(&mut self, x: Src) -> Src {
        let magnitude = self.op(FAbs, &[x]);
        let magnitude = self.op(FSat, &[magnitude]);
        self.op(Bfi, &[Src::Const(0x7fff_ffff), magnitude, x])
    }

    /// `x * factor` as an integer, rounded once.
    fn scaled(&mut self, x: Src, factor: f32, round_zero: bool) -> Src {
        if round_zero {
            let product = self.op(FMulMode, &[x, float(factor), Src::Const(3)]);
            return self.op(F32ToI32, &[product]);
        }
        if factor < 4_194_304.0 {
            let sum = self.op(FFma, &[x, float(factor), Src::Const(ROUNDS)]);
            return self.op(ISub, &[sum, Src::Const(ROUNDS)]);
        }
        // Above 2^23 products are integers as they are rounded.
        let product = self.op(FMul, &[x, float(factor)]);
        let large = self.op(F32ToI32, &[product]);
        let sum = self.op(FFma, &[x, float(factor), Src::Const(ROUNDS_24)]);
        let small = self.op(ISub, &[sum, Src::Const(ROUNDS_24)]);
        let is_small = self.op(FLt, &[product, Src::Const(ROUNDS_24)]);
        self.op(Pick, &[small, large, is_small])
    }

    /// A float as an integer in a range.
    fn number(&mut self, x: Src, [least, most]: [i64; 2], round_zero: bool) -> Src {
        let x = match round_zero {
            true => x,
            false => self.op(FRound, &[x]),
        };
        let number = self.op(F32ToI32, &[x]);
        let number = self.op(IMax, &[number, Src::Const(least as u32)]);
        self.op(IMin, &[number, Src::Const(most as u32)])
    }
}
