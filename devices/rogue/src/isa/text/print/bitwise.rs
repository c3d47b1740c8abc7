//! Bitwise groups to text.

use crate::isa::bitwise::{Bitwise, Count, Logical, Mask, Phase0, Shift1, Shift2};

pub(super) fn bitwise_operations(bitwise: &Bitwise) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(Phase0 {
        mask,
        shift,
        count,
        counts_ft2,
    }) = bitwise.p0
    {
        found.push(match mask {
            Mask::Byp => "byp ft0, ft1, s0, s1".to_owned(),
            Mask::Msk => "msk ft0, ft1, s0, s1".to_owned(),
            Mask::Byp16(number) => format!("byp16 ft0, ft1, s0, {number:#x}"),
            Mask::Byp32(number) => format!("byp32 ft0, ft1, s0, {number:#x}"),
        });
        let amount = match shift {
            Shift1::BYP | Shift1::REV => "",
            Shift1::SHFL | Shift1::LSL => ", s1",
        };
        found.push(format!("{} ft2, s2{amount}", shift.name()));
        let counted = if counts_ft2 { "ft2" } else { "s2" };
        found.push(format!("{} ft3, {counted}", Count::name(count)));
    }
    if let Some(p1) = bitwise.p1 {
        found.push(match p1.op {
            Logical::BYP if !p1.left && !p1.right => "byp ft4, ft1".to_owned(),
            op => {
                let left = if p1.left { "ft1" } else { "_" };
                let right = if p1.right { "~ft1" } else { "_" };
                format!("{} ft4, {left}, ft2, {right}, s3", op.name())
            }
        });
    }
    if let Some(p2) = bitwise.p2 {
        found.push(match p2.shift {
            Shift2::CPS => "cps ft5, p0, ft4, s4".to_owned(),
            shift => format!("{} ft5, ft4, s4", shift.name()),
        });
        if let Some(test) = p2.test {
            let name = if test.not_zero { "tnz" } else { "tz" };
            found.push(format!(
                "{name} p0, {}",
                if test.of_ft3 { "ft3" } else { "ft5" }
            ));
        }
    }
    found
}
