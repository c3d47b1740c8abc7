//! Operations of bitwise groups from their text.

use super::Op;
use crate::isa::Body;
use crate::isa::bitwise::{
    BitTest, Bitwise, Count, Logical, Mask, Phase0, Phase1, Phase2 as BitPhase2, Shift1, Shift2,
};

/// A bitwise group.
pub(in crate::isa::text) fn bitwise<'a>(
    texts: impl Iterator<Item = &'a str>,
) -> Result<Body, String> {
    let mut found = Bitwise::default();
    let mut mask = None;
    let mut shift = None;
    for text in texts {
        let op = Op::new(text);
        match op.operand(0)? {
            "ft0" => {
                mask = Some(match op.head {
                    "byp" => Mask::Byp,
                    "msk" => Mask::Msk,
                    "byp16" => {
                        let number = op.number(3, "")?;
                        let number = number.try_into();
                        Mask::Byp16(number.map_err(|_| format!("`{text}`: above 0xffff"))?)
                    }
                    "byp32" => Mask::Byp32(op.number(3, "")?),
                    _ => return Err(op.wrong()),
                });
            }
            "ft2" => shift = Some(Shift1::from_name(op.head).ok_or_else(|| op.wrong())?),
            "ft3" => {
                let (Some(mask), Some(shift)) = (mask, shift) else {
                    return Err("phase 0 has a mask, a shift and a count".to_owned());
                };
                found.p0 = Some(Phase0 {
                    mask,
                    shift,
                    count: Count::from_name(op.head).ok_or_else(|| op.wrong())?,
                    counts_ft2: op.operand(1)? == "ft2",
                });
            }
            "ft4" => {
                found.p1 = Some(Phase1 {
                    op: Logical::from_name(op.head).ok_or_else(|| op.wrong())?,
                    left: op.operands.len() > 2 && op.operand(1)? == "ft1",
                    right: op.operands.get(3) == Some(&"~ft1"),
                });
            }
            "ft5" => {
                found.p2 = Some(BitPhase2 {
                    shift: Shift2::from_name(op.head).ok_or_else(|| op.wrong())?,
                    test: None,
                });
            }
            _ => {
                let test = match op.head {
                    "tz" | "tnz" => BitTest {
                        not_zero: op.head == "tnz",
                        of_ft3: op.operand(1)? == "ft3",
                    },
                    _ => return Err(op.wrong()),
                };
                match &mut found.p2 {
                    Some(p2) => p2.test = Some(test),
                    None => return Err("a test stands behind the second shift".to_owned()),
                }
            }
        }
    }
    Ok(Body::Bitwise(found))
}
