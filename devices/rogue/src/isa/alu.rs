//! Operations of phases 0 and 1 of main groups. [Rogue 13.6]

use super::bytes::Bytes;
use super::error::{DecodeError, EncodeError, below};
use super::format::Format;

isa::ops! {
    /// Operations with one operand.
    pub enum Single: () {
        FRCP = 0 "frcp" ();
        FRSQ = 1 "frsq" ();
        FLOG = 2 "flog" ();
        FEXP = 3 "fexp" ();
        FLOGCN = 5 "flogcn" ();
        MBYP = 7 "mbyp" ();
        FDSX = 8 "fdsx" ();
        FDSY = 9 "fdsy" ();
        FDSXF = 10 "fdsxf" ();
        FDSYF = 11 "fdsyf" ();
        FSINC = 14 "fsinc" ();
        FARCTANC = 15 "farctanc" ();
    }
}

/// Codes beside those of [`Single`]: the body of the first is not public.
const F16SOP: u8 = 4;
const GAMMA: u8 = 6;
const UNPACK: u8 = 12;
const FRED: u8 = 13;

isa::ops! {
    /// Sums and products.
    pub enum Float2: () {
        FADD = 0 "fadd" ();
        FMUL = 2 "fmul" ();
    }
}

isa::ops! {
    /// Integer operations of 32 and 64 bits.
    pub enum Wide: () {
        ADD6432 = 0 "add6432" ();
        ADD64 = 1 "add64" ();
        MADD32 = 2 "madd32" ();
        MADD64 = 3 "madd64" ();
    }
}

isa::ops! {
    /// Integer operations of 8 and 16 bits.
    pub enum Narrow: () {
        ADD = 0 "add" ();
        MUL = 1 "mul" ();
        MAD = 2 "mad" ();
    }
}

/// Modifiers of a source: floor first, then absolute value, then negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Rounded down.
    pub floor: bool,
    /// Without its sign.
    pub abs: bool,
    /// With the other sign.
    pub neg: bool,
}

/// An operation of phase 0 or 1. Its sources are S0, S1, S2 in phase 0 and S3, S4, S5 in phase 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alu {
    /// A sum or product.
    Float2 {
        /// Which.
        op: Float2,
        /// Low precision is enough.
        low: bool,
        /// The result is clamped to 0..1.
        sat: bool,
        /// Modifiers of the first source.
        a: Modifiers,
        /// The second source is without its sign.
        b_abs: bool,
    },
    /// A product and a sum.
    Fmad {
        /// Low precision is enough.
        low: bool,
        /// The result is clamped to 0..1.
        sat: bool,
        /// Modifiers of the sources; the third may be rounded down.
        mods: [Modifiers; 3],
    },
    /// An operation with one operand.
    Single {
        /// Which.
        op: Single,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// Gamma compression or expansion.
    Gamma {
        /// sRGB to linear.
        expand: bool,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// Range reduction of sine and cosine.
    Fred {
        /// Of a cosine.
        cos: bool,
        /// The second part.
        part_b: bool,
        /// Iteration, 0 to 7.
        iteration: u8,
        /// P0 is written.
        p0: bool,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// A component of packed data.
    Unpack {
        /// Format.
        format: Format,
        /// Component, 0 to 3.
        element: u8,
        /// Normalised, or rounded towards zero in formats of 32-bit integers.
        scale: bool,
    },
    /// Integers of 8 or 16 bits.
    Narrow {
        /// Which.
        op: Narrow,
        /// Signed.
        signed: bool,
        /// 16 bits.
        wide: bool,
        /// The result is clamped to its type.
        sat: bool,
        /// Modifiers of the sources, without floor; the second has no negation.
        mods: [Modifiers; 3],
        /// Elements of the sources.
        elements: [u8; 3],
    },
    /// Integers of 32 or 64 bits.
    Wide {
        /// Which.
        op: Wide,
        /// Signed.
        signed: bool,
        /// P0 is added.
        carry: bool,
        /// Modifiers of the sources, without floor.
        mods: [Modifiers; 3],
    },
}

/// Bit `n` where a flag is on.
pub(super) const fn bit(flag: bool, n: u32) -> u8 {
    (flag as u8) << n
}

/// Whether bit `n` is set.
pub(super) const fn is(byte: u8, n: u32) -> bool {
    byte >> n & 1 == 1
}

fn abs_neg(byte: u8) -> Modifiers {
    Modifiers {
        floor: false,
        abs: is(byte, 0),
        neg: is(byte, 1),
    }
}

fn abs_neg_bits(mods: Modifiers) -> u8 {
    bit(mods.abs, 0) | bit(mods.neg, 1)
}

impl Alu {
    /// Appends the bytes.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match *self {
            Alu::Float2 {
                op,
                low,
                sat,
                a,
                b_abs,
            } => out.push(
                (op.code() as u8 | bit(low, 0)) << 5
                    | bit(sat, 4)
                    | bit(a.neg, 3)
                    | bit(a.abs, 2)
                    | bit(b_abs, 1)
                    | bit(a.floor, 0),
            ),
            Alu::Fmad {
                low,
                sat,
                mods: [a, b, c],
            } => {
                let more =
                    bit(low, 4) | bit(b.abs, 3) | bit(b.neg, 2) | bit(c.floor, 1) | bit(c.abs, 0);
                let flags = bit(a.neg, 3) | bit(a.abs, 2) | bit(c.neg, 1) | bit(sat, 0);
                extended(6 << 5 | flags, more, out);
            }
            Alu::Single { op, mods } => {
                extended(4 << 5 | op.code() as u8, abs_neg_bits(mods), out);
            }
            Alu::Gamma { expand, mods } => {
                extended(4 << 5 | GAMMA, bit(expand, 2) | abs_neg_bits(mods), out);
            }
            Alu::Fred {
                cos,
                part_b,
                iteration,
                p0,
                mods,
            } => {
                let iteration = below("the iteration", iteration.into(), 8, "it is 0 to 7")?;
                out.push(4 << 5 | bit(true, 4) | FRED);
                out.push(
                    bit(part_b, 7) | iteration << 4 | bit(cos, 3) | bit(p0, 2) | abs_neg_bits(mods),
                );
            }
            Alu::Unpack {
                format,
                element,
                scale,
            } => {
                let element = below("the element", element.into(), 4, "it is 0 to 3")?;
                out.push(4 << 5 | bit(true, 4) | UNPACK);
                out.push(element << 6 | bit(scale, 5) | format.code() as u8);
            }
            Alu::Narrow { .. } => return self.encode_narrow(out),
            Alu::Wide {
                op,
                signed,
                carry,
                mods: [a, b, c],
            } => {
                let more = bit(carry, 6)
                    | bit(b.neg, 5)
                    | bit(a.neg, 4)
                    | bit(a.abs, 2)
                    | bit(b.abs, 1)
                    | bit(c.abs, 0);
                let head = bit(signed, 3) | bit(c.neg, 2) | op.code() as u8;
                extended(7 << 5 | head, more, out);
            }
        }
        Ok(())
    }

    fn encode_narrow(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let Alu::Narrow {
            op,
            signed,
            wide,
            sat,
            mods: [a, b, c],
            elements,
        } = *self
        else {
            return Ok(());
        };
        for element in elements {
            let range = if wide { "it is 0 or 1" } else { "it is 0 to 3" };
            below(
                "the element",
                element.into(),
                if wide { 2 } else { 4 },
                range,
            )?;
        }
        let [e0, e1, e2] = elements;
        let op = op.code() as u8 + u8::from(op == Narrow::MAD) * (e2 >> 1);
        let first = (e2 & 1) << 7
            | bit(c.neg, 5)
            | bit(c.abs, 4)
            | bit(b.abs, 3)
            | bit(a.neg, 2)
            | bit(a.abs, 1)
            | bit(sat, 0);
        let second = e1 << 2 | e0;
        let more = first != 0 || second != 0;
        out.push(5 << 5 | bit(more, 4) | op << 2 | bit(signed, 1) | bit(wide, 0));
        if more {
            out.extend([first, second]);
        }
        Ok(())
    }

    /// Reads an operation of phase 0 or, where `second` is set, of phase 1.
    pub fn decode(bytes: &mut Bytes<'_>, second: bool) -> Result<Alu, DecodeError> {
        let byte = bytes.next()?;
        let op = byte >> 5;
        match op {
            0..=3 => Ok(Alu::Float2 {
                op: if op < 2 { Float2::FADD } else { Float2::FMUL },
                low: op & 1 == 1,
                sat: is(byte, 4),
                a: Modifiers {
                    floor: is(byte, 0),
                    abs: is(byte, 2),
                    neg: is(byte, 3),
                },
                b_abs: is(byte, 1),
            }),
            4 => single(byte, bytes, second),
            5 | 7 if second => Err(bytes.unknown("operation of phase 1", op)),
            5 => narrow(byte, bytes),
            6 => {
                let more = match is(byte, 4) {
                    true => bytes.next_with(0xe0, "FMAD")?,
                    false => 0,
                };
                Ok(Alu::Fmad {
                    low: is(more, 4),
                    sat: is(byte, 0),
                    mods: [
                        Modifiers {
                            floor: false,
                            abs: is(byte, 2),
                            neg: is(byte, 3),
                        },
                        Modifiers {
                            floor: false,
                            abs: is(more, 3),
                            neg: is(more, 2),
                        },
                        Modifiers {
                            floor: is(more, 1),
                            abs: is(more, 0),
                            neg: is(byte, 1),
                        },
                    ],
                })
            }
            _ => wide(byte, bytes),
        }
    }
}

/// A byte, and one more where that is not zero: bit 4 says so.
fn extended(byte: u8, more: u8, out: &mut Vec<u8>) {
    out.push(byte | bit(more != 0, 4));
    if more != 0 {
        out.push(more);
    }
}

fn single(byte: u8, bytes: &mut Bytes<'_>, second: bool) -> Result<Alu, DecodeError> {
    let code = byte & 15;
    if second && matches!(code, UNPACK | FRED) {
        return Err(bytes.unknown("operation of phase 1 with one operand", code));
    }
    let mut more = |clear, what| match is(byte, 4) {
        true => bytes.next_with(clear, what),
        false => Ok(0),
    };
    match code {
        F16SOP => Err(bytes.unknown("F16SOP with a public form; code", code)),
        GAMMA => {
            let more = more(0xf8, "gamma")?;
            Ok(Alu::Gamma {
                expand: is(more, 2),
                mods: abs_neg(more),
            })
        }
        UNPACK => {
            let more = more(0, "UNPCK")?;
            let format = Format::from_code(u16::from(more & 31));
            let format = format.filter(|format| format.unpacks());
            Ok(Alu::Unpack {
                format: format.ok_or_else(|| bytes.unknown("format to unpack", more & 31))?,
                element: more >> 6,
                scale: is(more, 5),
            })
        }
        FRED => {
            let more = more(0, "FRED")?;
            Ok(Alu::Fred {
                cos: is(more, 3),
                part_b: is(more, 7),
                iteration: more >> 4 & 7,
                p0: is(more, 2),
                mods: abs_neg(more),
            })
        }
        _ => {
            let op = Single::from_code(u16::from(code));
            let more = more(0xfc, "an operation with one operand")?;
            Ok(Alu::Single {
                op: op.ok_or_else(|| bytes.unknown("operation with one operand", code))?,
                mods: abs_neg(more),
            })
        }
    }
}

fn narrow(byte: u8, bytes: &mut Bytes<'_>) -> Result<Alu, DecodeError> {
    let what = "an operation of 8 or 16 bits";
    let (first, second) = match is(byte, 4) {
        true => (bytes.next_with(0x40, what)?, bytes.next_with(0xf0, what)?),
        false => (0, 0),
    };
    let op = byte >> 2 & 3;
    let wide = is(byte, 0);
    let elements = [
        second & 3,
        second >> 2 & 3,
        (op & op >> 1) << 1 | first >> 7,
    ];
    let two_sources = op < 2 && first & 0xb0 != 0;
    if two_sources || wide && elements.iter().any(|element| *element > 1) {
        return Err(bytes.reserved(what));
    }
    Ok(Alu::Narrow {
        op: match op {
            0 => Narrow::ADD,
            1 => Narrow::MUL,
            _ => Narrow::MAD,
        },
        signed: is(byte, 1),
        wide,
        sat: is(first, 0),
        mods: [
            Modifiers {
                floor: false,
                abs: is(first, 1),
                neg: is(first, 2),
            },
            Modifiers {
                floor: false,
                abs: is(first, 3),
                neg: false,
            },
            Modifiers {
                floor: false,
                abs: is(first, 4),
                neg: is(first, 5),
            },
        ],
        elements,
    })
}

fn wide(byte: u8, bytes: &mut Bytes<'_>) -> Result<Alu, DecodeError> {
    let op = match byte & 3 {
        0 => Wide::ADD6432,
        1 if is(byte, 3) => return Err(bytes.reserved("ADD64")),
        1 => Wide::ADD64,
        2 => Wide::MADD32,
        _ => Wide::MADD64,
    };
    let more = match is(byte, 4) {
        true => bytes.next_with(0x88, "an integer operation")?,
        false => 0,
    };
    Ok(Alu::Wide {
        op,
        signed: is(byte, 3),
        carry: is(more, 6),
        mods: [
            Modifiers {
                floor: false,
                abs: is(more, 2),
                neg: is(more, 4),
            },
            Modifiers {
                floor: false,
                abs: is(more, 1),
                neg: is(more, 5),
            },
            Modifiers {
                floor: false,
                abs: is(more, 0),
                neg: is(byte, 2),
            },
        ],
    })
}
