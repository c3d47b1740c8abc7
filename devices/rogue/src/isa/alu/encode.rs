//! Operations of phases 0 and 1 to bytes. [Rogue 13.6]

use super::{Alu, FRED, GAMMA, Modifiers, Narrow, UNPACK};
use crate::isa::bytes::{Writer, bit};
use crate::isa::error::{EncodeError, below};

fn abs_neg_bits(mods: Modifiers) -> u8 {
    bit(mods.abs, 0) | bit(mods.neg, 1)
}

impl Alu {
    /// Appends the bytes.
    pub fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
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
                out.extended(6 << 5 | flags, more);
            }
            Alu::Single { op, mods } => {
                out.extended(4 << 5 | op.code() as u8, abs_neg_bits(mods));
            }
            Alu::Gamma { expand, mods } => {
                out.extended(4 << 5 | GAMMA, bit(expand, 2) | abs_neg_bits(mods));
            }
            Alu::Fred {
                cos,
                part_b,
                iteration,
                p0,
                mods,
            } => {
                let iteration = below("the iteration", iteration.into(), 8, "it is 0 to 7")?;
                let more =
                    bit(part_b, 7) | iteration << 4 | bit(cos, 3) | bit(p0, 2) | abs_neg_bits(mods);
                always_extended(FRED, more, out);
            }
            Alu::Unpack {
                format,
                element,
                scale,
            } => {
                let element = below("the element", element.into(), 4, "it is 0 to 3")?;
                let more = element << 6 | bit(scale, 5) | format.code() as u8;
                always_extended(UNPACK, more, out);
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
                out.extended(7 << 5 | head, more);
            }
        }
        Ok(())
    }

    fn encode_narrow(&self, out: &mut Writer) -> Result<(), EncodeError> {
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
        let more = out.choose(more, more);
        out.push(5 << 5 | bit(more, 4) | op << 2 | bit(signed, 1) | bit(wide, 0));
        if more {
            out.extend([first, second]);
        }
        Ok(())
    }
}

/// An operation with one operand whose second byte usually stands there even if it is zero.
fn always_extended(op: u8, more: u8, out: &mut Writer) {
    let present = out.choose(true, more != 0);
    out.push(4 << 5 | bit(present, 4) | op);
    if present {
        out.push(more);
    }
}
