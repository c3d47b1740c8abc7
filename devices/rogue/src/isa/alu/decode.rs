//! Bytes to operations of phases 0 and 1. [Rogue 13.6]

use super::{Alu, F16SOP, FRED, Float2, GAMMA, Modifiers, Narrow, Single, UNPACK, Wide};
use crate::isa::bytes::{Bytes, is};
use crate::isa::error::DecodeError;
use crate::isa::format::Format;

fn abs_neg(byte: u8) -> Modifiers {
    Modifiers {
        floor: false,
        abs: is(byte, 0),
        neg: is(byte, 1),
    }
}

impl Alu {
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
                let more = bytes.extension(byte, 0xe0, "FMAD")?;
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

fn single(byte: u8, bytes: &mut Bytes<'_>, second: bool) -> Result<Alu, DecodeError> {
    let code = byte & 15;
    if second && matches!(code, UNPACK | FRED) {
        return Err(bytes.unknown("operation of phase 1 with one operand", code));
    }
    match code {
        F16SOP => Err(bytes.unknown("F16SOP with a public form; code", code)),
        GAMMA => {
            let more = bytes.extension(byte, 0xf8, "gamma")?;
            Ok(Alu::Gamma {
                expand: is(more, 2),
                mods: abs_neg(more),
            })
        }
        UNPACK => {
            let more = usually_extended(byte, bytes)?;
            let format = Format::from_code(u16::from(more & 31));
            let format = format.filter(|format| format.unpacks());
            Ok(Alu::Unpack {
                format: format.ok_or_else(|| bytes.unknown("format to unpack", more & 31))?,
                element: more >> 6,
                scale: is(more, 5),
            })
        }
        FRED => {
            let more = usually_extended(byte, bytes)?;
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
            let more = bytes.extension(byte, 0xfc, "an operation with one operand")?;
            Ok(Alu::Single {
                op: op.ok_or_else(|| bytes.unknown("operation with one operand", code))?,
                mods: abs_neg(more),
            })
        }
    }
}

/// The second byte of an operation that usually has it even if it is zero.
fn usually_extended(byte: u8, bytes: &mut Bytes<'_>) -> Result<u8, DecodeError> {
    let present = is(byte, 4);
    let more = if present { bytes.next()? } else { 0 };
    bytes.chose(present, true);
    Ok(more)
}

fn narrow(byte: u8, bytes: &mut Bytes<'_>) -> Result<Alu, DecodeError> {
    let what = "an operation of 8 or 16 bits";
    let (first, second) = match is(byte, 4) {
        true => (bytes.next_with(0x40, what)?, bytes.next_with(0xf0, what)?),
        false => (0, 0),
    };
    bytes.chose(is(byte, 4), first != 0 || second != 0);
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
    let more = bytes.extension(byte, 0x88, "an integer operation")?;
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
