//! What every ALU operation computes, against the host's arithmetic on awkward and random values.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, LaneValue};
use r600::exec::exec;
use r600::isa::alu::{AluOp, Op2, Op3};
use r600::isa::assemble;

type Vector = [u32; 4];

const AWKWARD: [u32; 30] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x4b00_0001,
    0x4f00_0000,
    0x4f00_0001, // 2^31 + 2^8
    0xcf00_0003,
    0x4f80_0001,
    0xcf00_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7fff_ffff,
    0xffff_ffff,
    31,
    32,
    0x0000_1234,
];

/// What a result must be.
enum Want {
    /// These bits, or any NaN where they are one.
    Float(f32),
    /// Within a relative error of 2^-22.
    Near(f64),
    Bits(u32),
    /// Nothing is promised.
    Free,
}
use Want::*;

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn mask(set: bool) -> Want {
    Bits(if set { u32::MAX } else { 0 })
}

fn one(set: bool) -> Want {
    Float(if set { 1.0 } else { 0.0 })
}

/// The product in which zero wins.
fn zero_mul(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn compare(kind: &str, a: f32, b: f32) -> bool {
    match kind {
        "E" => a == b,
        "GT" => a > b,
        "GE" => a >= b,
        "NE" => a != b,
        _ => panic!("{kind}"),
    }
}

fn compare_int(kind: &str, a: i32, b: i32) -> bool {
    match kind {
        "E" => a == b,
        "GT" => a > b,
        "GE" => a >= b,
        "NE" => a != b,
        "LT" => a < b,
        "LE" => a <= b,
        _ => panic!("{kind}"),
    }
}

/// The smaller or larger, the other operand for NaN; -0 is below +0 in whichever order. [ERRATA 24]
fn extreme(a: f32, b: f32, max: bool) -> Want {
    if a == 0.0 && b == 0.0 {
        let negative = match max {
            true => a.is_sign_negative() && b.is_sign_negative(),
            false => a.is_sign_negative() || b.is_sign_negative(),
        };
        return Bits(u32::from(negative) << 31);
    }
    Float(if max { a.max(b) } else { a.min(b) })
}

fn clamp_inf(x: f32) -> f32 {
    x.clamp(-f32::MAX, f32::MAX)
}

fn scale(name: &str) -> f32 {
    match name.rsplit('_').next() {
        Some("M2") => 2.0,
        Some("M4") => 4.0,
        Some("D2") => 0.5,
        _ => 1.0,
    }
}

/// An angle for SIN and COS: only -pi to pi counts.
fn angle(x: f32) -> bool {
    x.abs() <= std::f32::consts::PI
}

/// What an operation gives, said without the table that the chip is made from.
fn want(name: &str, a: u32, b: u32, c: u32) -> Want {
    let (x, y, z) = (f(a), f(b), f(c));
    let (i, j) = (a as i32, b as i32);
    if let Some(rest) = name.strip_prefix("PRED_SET") {
        return predicate(rest, a, b);
    }
    if let Some(kind) = name.strip_prefix("KILL") {
        return one(match kind.strip_suffix("_INT") {
            Some(kind) => compare_int(kind, i, j),
            None => compare(kind, x, y),
        });
    }
    if let Some(kind) = name.strip_prefix("CMOV") {
        let first = match kind.strip_suffix("_INT") {
            Some(kind) => compare_int(kind, i, 0),
            None => compare(kind, x, 0.0),
        };
        return Bits(if first { b } else { c });
    }
    if let Some(kind) = name.strip_prefix("SET") {
        return match kind.split_once('_') {
            None => one(compare(kind, x, y)),
            Some((kind, "DX10")) => mask(compare(kind, x, y)),
            Some((kind, "INT")) => mask(compare_int(kind, i, j)),
            Some(("GT", _)) => mask(a > b),
            _ => mask(a >= b),
        };
    }
    if name.starts_with("MULADD_IEEE") {
        return Float((x * y + z) * scale(name));
    }
    if name.starts_with("MULADD") {
        return Float((zero_mul(x, y) + z) * scale(name));
    }
    if name.starts_with("MUL_LIT") {
        let lit = y > -f32::MAX && z > 0.0;
        return Float(if lit { zero_mul(x, y) } else { -f32::MAX } * scale(name));
    }
    match name {
        "ADD" => Float(x + y),
        "MUL" => Float(zero_mul(x, y)),
        "MUL_IEEE" => Float(x * y),
        "MAX" => Bits(if x >= y { a } else { b }),
        "MIN" => Bits(if x < y { a } else { b }),
        "MAX_DX10" => extreme(x, y, true),
        "MIN_DX10" => extreme(x, y, false),
        "FRACT" => Float(x - x.floor()),
        "TRUNC" => Float(x.trunc()),
        "CEIL" => Float(x.ceil()),
        "RNDNE" => Float(x.round_ties_even()),
        "FLOOR" => Float(x.floor()),
        "MOV" => Bits(a),
        "MOVA" | "MOVA_FLOOR" | "MOVA_INT" | "NOP" => Free,
        "AND_INT" => Bits(a & b),
        "OR_INT" => Bits(a | b),
        "XOR_INT" => Bits(a ^ b),
        "NOT_INT" => Bits(!a),
        "ADD_INT" => Bits(a.wrapping_add(b)),
        "SUB_INT" => Bits(a.wrapping_sub(b)),
        "MAX_INT" => Bits(i.max(j) as u32),
        "MIN_INT" => Bits(i.min(j) as u32),
        "MAX_UINT" => Bits(a.max(b)),
        "MIN_UINT" => Bits(a.min(b)),
        "EXP_IEEE" if a << 1 == 0 => Float(1.0),
        "EXP_IEEE" => Near(f64::from(x).exp2()),
        "LOG_IEEE" | "LOG_CLAMPED" if x == 1.0 => Float(0.0),
        "LOG_IEEE" => Near(f64::from(x).log2()),
        "LOG_CLAMPED" if x == 0.0 => Float(-f32::MAX),
        "LOG_CLAMPED" => Near(f64::from(x).log2()),
        "RECIP_IEEE" => Float(1.0 / x),
        "RECIP_CLAMPED" => Float(clamp_inf(1.0 / x)),
        "RECIP_FF" if (1.0 / x).is_infinite() => Float(0f32.copysign(x)),
        "RECIP_FF" => Float(1.0 / x),
        "RECIPSQRT_IEEE" | "RECIPSQRT_CLAMPED" | "RECIPSQRT_FF" if x == 0.0 && a != 0 => Free,
        "RECIPSQRT_IEEE" => Near(1.0 / f64::from(x).sqrt()),
        "RECIPSQRT_CLAMPED" if a == 0 => Float(f32::MAX),
        "RECIPSQRT_CLAMPED" => Near(1.0 / f64::from(x).sqrt()),
        "RECIPSQRT_FF" if a == 0 => Float(0.0),
        "RECIPSQRT_FF" => Near(1.0 / f64::from(x).sqrt()),
        "SQRT_IEEE" => Float(x.sqrt()),
        "FLT_TO_INT" if x.is_finite() => {
            // The low bits of what does not fit are kept; exact in 256 bits, so here by halves.
            let whole = f64::from(x.trunc());
            Bits(whole.rem_euclid(4_294_967_296.0) as u32)
        }
        "FLT_TO_INT" => Bits(0),
        // Saturates, as `as` does; 0 for NaN.
        "FLT_TO_UINT" => Bits(x as u32),
        "INT_TO_FLT" => Float(i as f32),
        "UINT_TO_FLT" => Float(a as f32),
        "SIN" if angle(x) => Near(f64::from(x).sin()),
        "COS" if angle(x) => Near(f64::from(x).cos()),
        "SIN" | "COS" => Free,
        "ASHR_INT" => Bits((i >> b.min(31)) as u32),
        "LSHR_INT" => Bits(a.checked_shr(b).unwrap_or(0)),
        "LSHL_INT" => Bits(a.checked_shl(b).unwrap_or(0)),
        "MULLO_INT" | "MULLO_UINT" => Bits(a.wrapping_mul(b)),
        "MULHI_INT" => Bits(((i64::from(i) * i64::from(j)) >> 32) as u32),
        "MULHI_UINT" => Bits(((u64::from(a) * u64::from(b)) >> 32) as u32),
        "RECIP_UINT" if a != 0 => Bits(((1u64 << 32) / u64::from(a)).min(0xffff_ffff) as u32),
        "RECIP_INT" if a != 0 => {
            let quotient = (1i64 << 31) / i64::from(i);
            Bits(quotient.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32)
        }
        "RECIP_UINT" | "RECIP_INT" => Free,
        _ => panic!("{name} has no expectation"),
    }
}

fn predicate(rest: &str, a: u32, b: u32) -> Want {
    let (x, y) = (f(a), f(b));
    let skip = |holds: bool, value: f32| Float(if holds { 0.0 } else { value });
    match rest {
        "_INV" if x == 0.0 => Float(1.0),
        "_INV" if x == 1.0 => Float(0.0),
        "_INV" => Bits(a),
        "_POP" => skip(x <= y, x - y),
        "_CLR" => Float(f32::MAX),
        "_RESTORE" if x == 0.0 => Float(0.0),
        "_RESTORE" => Bits(a),
        rest => match rest.split_once('_') {
            None => skip(compare(rest, x, y), 1.0),
            Some((kind, "INT")) => skip(compare_int(kind, a as i32, b as i32), 1.0),
            Some((kind, "PUSH")) => skip(x == 0.0 && compare(kind, y, 0.0), x + 1.0),
            Some((kind, _)) => skip(x == 0.0 && compare_int(kind, b as i32, 0), x + 1.0),
        },
    }
}

fn matches(found: u32, want: &Want) -> bool {
    match *want {
        Free => true,
        Bits(bits) => found == bits,
        Float(value) => found == value.to_bits() || value.is_nan() && f(found).is_nan(),
        Near(value) if value.is_nan() => f(found).is_nan(),
        Near(value) => {
            let near = value as f32;
            let step = (near.abs() * 2f32.powi(-22)).max(f32::from_bits(2));
            f(found) == near || (f(found) - near).abs() <= step
        }
    }
}

/// Registers R0 to R2 of 64 lanes; only X is used.
fn operands(random: &mut Random) -> [Vec<Vector>; 3] {
    [0, 1, 2].map(|_| {
        let value = |random: &mut Random| match random.below(3) {
            0 => AWKWARD[random.below(28) as usize],
            1 => (random.word() as u32 & 0x80ff_ffff) | 0x3f00_0000,
            _ => random.word() as u32,
        };
        (0..64).map(|_| [value(random), 0, 0, 0]).collect()
    })
}

fn input(registers: &[Vec<Vector>]) -> ExecInput {
    let named = registers.iter().enumerate();
    ExecInput {
        registers: named
            .map(|(n, value)| (format!("R{n}"), LaneValue::Vectors(value.clone())))
            .collect(),
        ..ExecInput::default()
    }
}

fn exported(text: &str, input: &ExecInput) -> Vec<Option<Vector>> {
    let words = assemble(text).unwrap().concat();
    let output = exec("fragment", &words, input).unwrap();
    output.exports[0].lanes.clone()
}

#[test]
fn every_operation_on_awkward_values() {
    let mut random = Random(21);
    let mut count = 0;
    for op in AluOp::all() {
        let facts = op.facts();
        count += 1;
        if facts.is_reduction() || facts.is_mova() || op == Op2::NOP.into() {
            // Tests of their own.
            continue;
        }
        let name = op.name();
        let sources = ["R0.x", "R1.x", "R2.x"][..usize::from(facts.sources)].join(", ");
        let comma = if sources.is_empty() { "" } else { ", " };
        let unit = match facts.units {
            r600::isa::alu::Units::Trans => "t",
            _ => "x",
        };
        let text = format!(
            "ALU:\n0 {unit}: {name} R3.x{comma}{sources}\nEXP_DONE: PIX0, R3.x000 VPM END_OF_PROGRAM\n"
        );
        // A kill must not hide its result.
        let text = match facts.is_kill() {
            true => text.replace("PIX0", "PARAM0"),
            false => text,
        };
        for _ in 0..30 {
            let values = operands(&mut random);
            let text = text.replace(" VPM", "");
            let words = assemble(&text).unwrap().concat();
            let stage = if facts.is_kill() {
                "vertex"
            } else {
                "fragment"
            };
            let output = exec(stage, &words, &input(&values)).unwrap();
            for (lane, found) in output.exports[0].lanes.iter().enumerate() {
                let [a, b, c] = [0, 1, 2].map(|n| values[n][lane][0]);
                let found = found.unwrap()[0];
                let want = want(name, a, b, c);
                assert!(
                    matches(found, &want),
                    "{name} {a:#x} {b:#x} {c:#x} gives {found:#x} = {:e}",
                    f(found)
                );
            }
        }
    }
    assert_eq!(count, 118);
}

#[test]
fn operations_on_constants_equal_those_on_registers() {
    // Constant operands take other ways through the lift.
    let mut random = Random(22);
    for op in AluOp::all() {
        let facts = op.facts();
        if facts.is_reduction() || facts.is_mova() || facts.sources < 2 || facts.is_kill() {
            continue;
        }
        let (name, trans) = (op.name(), facts.units == r600::isa::alu::Units::Trans);
        let unit = if trans { "t" } else { "x" };
        let third = if facts.sources == 3 { ", R2.x" } else { "" };
        let values = operands(&mut random);
        for constant in [0x3f80_0000u32, 0, 0x4049_0fdb, 7] {
            let text = format!(
                "ALU:\n0 {unit}: {name} R3.x, R0.x, ({constant:#x}, 0).x{third}\nEXP_DONE: PIX0, R3.x000 END_OF_PROGRAM"
            );
            for (lane, found) in exported(&text, &input(&values)).iter().enumerate() {
                let (a, c) = (values[0][lane][0], values[2][lane][0]);
                let want = want(name, a, constant, c);
                assert!(
                    matches(found.unwrap()[0], &want),
                    "{name} {a:#x} {constant:#x} {c:#x}"
                );
            }
        }
    }
}

#[test]
fn modifiers() {
    let mut random = Random(23);
    let saturate = |x: f32| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let values = operands(&mut random);
    let check = |line: &str, want: &dyn Fn(f32, f32, f32) -> f32| {
        let text = format!("ALU:\n0 x: {line}\nEXP_DONE: PIX0, R3.x000 END_OF_PROGRAM");
        for (lane, found) in exported(&text, &input(&values)).iter().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|n| f(values[n][lane][0]));
            let (found, want) = (found.unwrap()[0], want(x, y, z));
            assert!(
                matches(found, &Float(want)),
                "{line}: {x:e} {y:e} {z:e} gives {:e}, not {want:e}",
                f(found)
            );
        }
    };
    check("ADD R3.x, -R0.x, R1.x", &|x, y, _| -x + y);
    check("ADD R3.x, R0.x, -R1.x", &|x, y, _| x - y);
    check("ADD R3.x, -R0.x, -R1.x", &|x, y, _| -x - y);
    check("ADD R3.x, -|R0.x|, |R1.x|", &|x, y, _| -x.abs() + y.abs());
    check("ADD R3.x, R0.x, R1.x *2", &|x, y, _| (x + y) * 2.0);
    check("ADD R3.x, R0.x, R1.x *4 CLAMP", &|x, y, _| {
        saturate((x + y) * 4.0)
    });
    check("ADD R3.x, R0.x, R1.x /2", &|x, y, _| (x + y) * 0.5);
    check("MUL_IEEE R3.x, R0.x, R1.x CLAMP", &|x, y, _| {
        saturate(x * y)
    });
    check("MULADD_IEEE R3.x, R0.x, -R1.x, -R2.x", &|x, y, z| {
        x * -y - z
    });
    check("MULADD_IEEE R3.x, -R0.x, R1.x, R2.x", &|x, y, z| z - x * y);
    check("MULADD_IEEE R3.x, -R0.x, -R1.x, R2.x", &|x, y, z| x * y + z);
    check("MULADD_IEEE R3.x, R0.x, R1.x, -R2.x", &|x, y, z| x * y - z);
    check("MUL_IEEE R3.x, -R0.x, R1.x", &|x, y, _| -(x * y));
    check("MUL_IEEE R3.x, -R0.x, -|R1.x|", &|x, y, _| x * y.abs());
    check("MOV R3.x, -|R0.x|", &|x, _, _| -x.abs());
    check("MOV R3.x, -1.0", &|_, _, _| -1.0);
    check("MOV R3.x, -|(0xc0490fdb, 0).x|", &|_, _, _| {
        -std::f32::consts::PI
    });
}

#[test]
fn reductions() {
    let mut random = Random(24);
    let registers: Vec<Vec<Vector>> = (0..2)
        .map(|_| {
            (0..64)
                .map(|_| {
                    std::array::from_fn(|_| match random.below(6) {
                        0 => AWKWARD[random.below(24) as usize],
                        _ => (random.word() as u32 & 0x81ff_ffff) | 0x3e00_0000,
                    })
                })
                .collect()
        })
        .collect();
    let four = |name: &str, second: bool| -> String {
        ["x", "y", "z", "w"]
            .iter()
            .map(|e| {
                let other = if second {
                    format!(", R1.{e}")
                } else {
                    String::new()
                };
                format!(
                    "{} {e}: {name} R3.{e}, R0.{e}{other}\n",
                    if *e == "x" { "0" } else { "" }
                )
            })
            .collect()
    };
    for (name, product) in [
        ("DOT4", zero_mul as fn(f32, f32) -> f32),
        ("DOT4_IEEE", |a: f32, b: f32| a * b),
    ] {
        let text = format!(
            "ALU:\n{}EXP_DONE: PIX0, R3 END_OF_PROGRAM",
            four(name, true)
        );
        for (lane, found) in exported(&text, &input(&registers)).iter().enumerate() {
            let [a, b] = [0, 1].map(|n| registers[n][lane].map(f));
            let [x, y, z, w] = std::array::from_fn(|i| product(a[i], b[i]));
            let want = Float(((w + z) + y) + x);
            assert!(
                found.unwrap().iter().all(|found| matches(*found, &want)),
                "{name}"
            );
        }
    }
    let text = format!(
        "ALU:\n{}EXP_DONE: PIX0, R3 END_OF_PROGRAM",
        four("MAX4", false)
    );
    for (lane, found) in exported(&text, &input(&registers)).iter().enumerate() {
        let pick = |a: u32, b: u32| if f(a) >= f(b) { a } else { b };
        let [x, y, z, w] = registers[0][lane];
        let want = Bits(pick(pick(pick(x, y), z), w));
        assert!(
            found.unwrap().iter().all(|found| matches(*found, &want)),
            "lane {lane}"
        );
    }
}

#[test]
fn address_registers() {
    // R0.x is the address, R10 to R13 hold numbers; the range is -256 to 255 and everything else is -256.
    let numbers: [f32; 12] = [
        0.0,
        1.0,
        2.49,
        2.5,
        -0.5,
        -0.51,
        300.0,
        -300.0,
        f32::NAN,
        1.5,
        0.49,
        f32::INFINITY,
    ];
    let round = |x: f32| (x + 0.5).floor();
    let lane = |n: usize| numbers[n % 12];
    let mut registers = vec![vec![[0; 4]; 64]; 14];
    for (n, first) in registers[0].iter_mut().enumerate() {
        *first = [lane(n).to_bits(), 77, 0, 0];
    }
    for (r, values) in registers.iter_mut().enumerate().skip(8) {
        values.fill([0, 100 + r as u32, 0, 0]);
    }
    let text = "
        ALU: WATERFALL
            0 x: MOVA ____.x, R0.x
            1 x: MOV R1.x, R[10+AR.x].y
        EXP_DONE: PIX0, R1.x000 END_OF_PROGRAM";
    for (n, found) in exported(text, &input(&registers)).iter().enumerate() {
        let index = round(lane(n));
        let want = match (-256.0..=255.0).contains(&index) && index > -11.0 {
            true => 110 + index as i32,
            false => 77,
        };
        assert_eq!(found.unwrap()[0], want as u32, "lane {n}: {}", lane(n));
    }
}

#[test]
fn three_source_scales() {
    for op in Op3::ALL {
        let suffix = op.name().rsplit('_').next().unwrap();
        let scaled = matches!(suffix, "M2" | "M4" | "D2");
        assert_eq!(scaled, scale(op.name()) != 1.0);
    }
}
