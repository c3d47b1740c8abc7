//! FG registers to the alpha test.

#![allow(clippy::unwrap_used)]

use r5xx::fg::alpha_test;
use r5xx::registers;
use r5xx::regs::*;
use radeon::registers::RegisterFile;

fn with(fields: &[(Field, u32)]) -> RegisterFile {
    let mut registers = registers::power_on();
    for (field, value) in fields {
        let word = registers.get(field.address) & !field.bits(!0);
        registers.set(field.address, word | field.bits(*value));
    }
    registers
}

#[test]
fn functions_are_in_the_order_of_this_block() {
    use FG_ALPHA_FUNC::*;
    assert_eq!(alpha_test(&with(&[(AF_FUNC, 1)])), Ok(None));
    // Alphas below, at and above the reference of 64 / 255.
    let alphas = [63.0 / 255.0, 64.0 / 255.0, 65.0 / 255.0];
    let table = [0b000, 0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111];
    for (function, passes) in (0..).zip(table) {
        let registers = with(&[
            (AF_EN, 1),
            (AF_EN_8BIT, 1),
            (AF_VAL, 64),
            (AF_FUNC, function),
        ]);
        let test = alpha_test(&registers).unwrap().unwrap();
        let mut row = [0; 64];
        for (lane, alpha) in alphas.into_iter().enumerate() {
            row[lane] = f32::to_bits(alpha);
        }
        assert_eq!(test.lanes(0b111, &row), passes, "{function}");
        assert_eq!(test.lanes(0b101, &row), passes & 0b101, "{function}");
    }
}

#[test]
fn references_have_8_10_or_16_bits() {
    use FG_ALPHA_FUNC::*;
    let equal = |fields: &[(Field, u32)]| {
        let registers = with(&[&[(AF_EN, 1), (AF_FUNC, 2)], fields].concat());
        alpha_test(&registers).unwrap().unwrap()
    };
    let eight = equal(&[(AF_EN_8BIT, 1), (AF_VAL, 255)]);
    assert!(eight.passes(1.0) && eight.passes(7.0) && eight.passes(0.9981) && !eight.passes(0.998));
    let ten = equal(&[(FG_ALPHA_VALUE::AF_VAL, 512)]);
    assert!(ten.passes(512.0 / 1023.0) && !ten.passes(511.0 / 1023.0));
    let half = equal(&[(FP16_ENABLE, 1), (FG_ALPHA_VALUE::AF_VAL, 0x4000)]);
    assert!(half.passes(2.0) && half.passes(2.0001) && !half.passes(2.002));
    assert!(!half.passes(f32::NAN));
}
