//! What every pixel operation computes, against plain arithmetic of the host.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, ExecOutput, LaneValue};
use r5xx::exec::exec;
use r5xx::isa::us::assemble;

type Vector = [f32; 4];

const DENORMAL: f32 = f32::from_bits(0x8000_1234);

/// Numbers among which operations have their special cases.
const AWKWARD: [f32; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -3.75,
    100.25,
    -300.5,
    1e-30,
    -1e20,
    3e38,
    130.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN_POSITIVE,
    DENORMAL,
    1e7,
    0.125,
];

fn value(random: &mut Random) -> f32 {
    match random.below(3) {
        0 => AWKWARD[random.below(AWKWARD.len() as u64) as usize],
        1 => (random.below(2001) as f32 - 1000.0) / 64.0,
        _ => (random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * 4.0,
    }
}

/// What operations see and give: no denormals, one NaN.
fn flush(x: f32) -> f32 {
    if x.is_nan() {
        return f32::from_bits(0x7fff_ffff);
    }
    if x.is_subnormal() {
        0.0f32.copysign(x)
    } else {
        x
    }
}

/// Text before the end of the program; registers by name.
fn run(text: &str, registers: &[(&str, LaneValue)]) -> ExecOutput {
    let text = format!("{text}\nOUT.wait.last MAD = / MAD =");
    let words: Vec<u32> = assemble(&text).unwrap().concat();
    let registers = registers.iter().cloned();
    let input = ExecInput {
        registers: registers
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        ..ExecInput::default()
    };
    exec("fragment", &words, &input).unwrap()
}

fn lanes(vectors: &[Vector]) -> LaneValue {
    LaneValue::Vectors(vectors.iter().map(|v| v.map(f32::to_bits)).collect())
}

fn all(vector: Vector) -> LaneValue {
    LaneValue::Lanes(vector.map(f32::to_bits).to_vec())
}

fn register(output: &ExecOutput, name: &str) -> Vec<Vector> {
    match output.registers.get(name) {
        Some(LaneValue::Vectors(list)) => list.iter().map(|v| v.map(f32::from_bits)).collect(),
        None => vec![[0.0; 4]; 64],
        other => panic!("{name} is {other:?}"),
    }
}

fn out(output: &ExecOutput, target: &str, lane: usize) -> Vector {
    let export = output.exports.iter().find(|export| export.target == target);
    export.unwrap().lanes[lane].unwrap().map(f32::from_bits)
}

/// Equal bits, or within a relative error.
fn near(found: f32, wanted: f32, error: f64) -> bool {
    if found.to_bits() == wanted.to_bits() {
        return true;
    }
    if error == 0.0
        || found.is_nan()
        || wanted.is_nan()
        || found.is_sign_negative() != wanted.is_sign_negative()
    {
        return false;
    }
    let (found, wanted) = (f64::from(found), f64::from(wanted));
    ((found - wanted) / wanted).abs() <= error
}

/// The functions of alpha, with the table of their special values. [R5XX 8.7.3]
fn function(name: &str, a: f32) -> f32 {
    let x = f64::from(a);
    let turn = (x - x.floor()) * std::f64::consts::TAU;
    flush(match name {
        "EX2" => x.exp2() as f32,
        "LN2" if a == 0.0 => f32::NEG_INFINITY,
        "LN2" => x.log2() as f32,
        "RCP" => 1.0 / a,
        "RSQ" if a == 0.0 => f32::INFINITY,
        "RSQ" => (1.0 / x.sqrt()) as f32,
        "SIN" if a == 0.0 => a,
        "SIN" => turn.sin() as f32,
        "COS" => turn.cos() as f32,
        _ => panic!("{name}"),
    })
}

/// An operation on each channel; the derivatives are tested elsewhere.
fn channel(name: &str, a: f32, b: f32, c: f32) -> f32 {
    match name {
        "MAD" => flush(a * b + c),
        "MIN" => {
            if a < b {
                a
            } else {
                b
            }
        }
        "MAX" => {
            if a > b {
                a
            } else {
                b
            }
        }
        "CND" => {
            if c > 0.5 {
                a
            } else {
                b
            }
        }
        "CMP" => {
            if c >= 0.0 {
                a
            } else {
                b
            }
        }
        "FRC" => flush(a - a.floor()),
        name => function(name, a),
    }
}

/// Runs an instruction on random lanes of T1, C2 and T3, to T0.
fn check(text: &str, wanted: impl Fn([Vector; 3]) -> Vector, error: f64) {
    for seed in 0..8 {
        let mut random = Random(seed);
        let mut draw = || {
            let lane = |_| [0, 1, 2, 3].map(|_: usize| value(&mut random));
            (0..64).map(lane).collect::<Vec<Vector>>()
        };
        let [a, c] = [draw(), draw()];
        let b = draw()[0];
        let output = run(
            text,
            &[("T1", lanes(&a)), ("C2", all(b)), ("T3", lanes(&c))],
        );
        let found = register(&output, "T0");
        for lane in 0..64 {
            let sources = [a[lane], b, c[lane]].map(|vector| vector.map(flush));
            let wanted = wanted(sources);
            let same = (0..4).all(|at| near(found[lane][at], wanted[at], error));
            assert!(
                same,
                "{text} of {sources:?}: {:?}, not {wanted:?}",
                found[lane]
            );
        }
    }
}

const SOURCES: &str = "[T1, C2, T3]";

#[test]
fn operations_on_each_channel() {
    for name in ["MAD", "MIN", "MAX", "CND", "CMP", "FRC"] {
        let text = format!(
            "ALU {name} T0.rgb = src0.rgb, src1.rgb, src2.rgb {SOURCES} / {name} T0.a = src0.a, src1.a, src2.a {SOURCES}"
        );
        let wanted =
            |[a, b, c]: [Vector; 3]| [0, 1, 2, 3].map(|at| channel(name, a[at], b[at], c[at]));
        check(&text, wanted, 0.0);
    }
}

#[test]
fn dot_products() {
    let product = |a: Vector, b: Vector, count: usize| {
        (1..count).fold(a[0] * b[0], |sum, at| a[at] * b[at] + sum)
    };
    let dp = format!("DP T0.a = src0.a, src1.a {SOURCES}");
    let inputs = "src0.rgb, src1.rgb, src2.bgr";
    let text = |name: &str| format!("ALU {name} T0.rgb = {inputs} {SOURCES} / {dp}");
    check(&text("DP3"), |[a, b, _]| [flush(product(a, b, 3)); 4], 0.0);
    check(&text("DP4"), |[a, b, _]| [flush(product(a, b, 4)); 4], 0.0);
    // C.b is the red of source 2 here.
    check(
        &text("D2A"),
        |[a, b, c]| [flush(product(a, b, 2) + c[0]); 4],
        0.0,
    );
    // Alpha's own swizzle is the fourth channel.
    let swizzled = format!(
        "ALU DP4 T0.rgb = src0.rgb, src1.rgb {SOURCES} / DP T0.a = -|src2|.g, src0.h {SOURCES}"
    );
    let wanted = |[a, b, c]: [Vector; 3]| {
        let sum = product(a, b, 3);
        [flush(-c[1].abs() * 0.5 + sum); 4]
    };
    check(&swizzled, wanted, 0.0);
}

#[test]
fn functions_go_to_both_halves() {
    for name in ["EX2", "LN2", "RCP", "RSQ", "SIN", "COS"] {
        let text = format!("ALU SOP T0.rgb = {SOURCES} / {name} T0.a = src0.a {SOURCES}");
        // Near the zeros of sine and cosine the host's reduction is no better.
        let wanted = |[a, _, _]: [Vector; 3]| [function(name, a[3]); 4];
        match name {
            "SIN" | "COS" => near_zeros(name, &text),
            _ => check(&text, wanted, 3e-7),
        }
    }
}

/// Sine and cosine by absolute error; special values by bits.
fn near_zeros(name: &str, text: &str) {
    let angles: Vec<Vector> = (0..64)
        .map(|lane| {
            let a = match lane {
                0..22 => AWKWARD[lane],
                lane => (lane as f32 - 40.0) * 97.531,
            };
            [a; 4]
        })
        .collect();
    let output = run(text, &[("T1", lanes(&angles))]);
    let found = register(&output, "T0");
    for (angle, found) in angles.iter().zip(found) {
        let angle = flush(angle[0]);
        let wanted = function(name, angle);
        for x in found {
            let special = wanted.is_nan() || angle == 0.0;
            let same = if special {
                x.to_bits() == wanted.to_bits()
            } else {
                (x - wanted).abs() < 1e-6
            };
            assert!(same, "{name} of {angle}: {x}, not {wanted}");
        }
    }
}

#[test]
fn special_values_of_functions() {
    let (inf, nan) = (f32::INFINITY, f32::from_bits(0x7fff_ffff));
    // As the table of the manual: +0, -0, +inf, -inf, NaN. [R5XX 8.7.3]
    let table = [
        ("EX2", [1.0, 1.0, inf, 0.0, nan]),
        ("LN2", [-inf, -inf, inf, nan, nan]),
        ("RCP", [inf, -inf, 0.0, -0.0, nan]),
        ("RSQ", [inf, inf, 0.0, nan, nan]),
        ("SIN", [0.0, -0.0, nan, nan, nan]),
        ("COS", [1.0, 1.0, nan, nan, nan]),
    ];
    let inputs = [0.0, -0.0, inf, -inf, f32::NAN].map(|x| [x; 4]);
    for (name, wanted) in table {
        let text = format!("ALU MAD = / {name} T0.a = src0.a [T1]");
        let output = run(&text, &[("T1", lanes(&inputs))]);
        let found = register(&output, "T0");
        let bits = [0, 1, 2, 3, 4].map(|lane: usize| found[lane][3].to_bits());
        assert_eq!(bits, wanted.map(f32::to_bits), "{name}");
    }
}

#[test]
fn derivatives_are_of_the_quad() {
    let values: Vec<Vector> = (0..64u16)
        .map(|lane| [0, 1, 2, 3].map(|c: u16| f32::from(lane * lane + c * 100 * (lane & 1))))
        .collect();
    let text = "ALU MDH T0.rgb = src0.rgb, -src0.111, src0.rgb [T1] / MDV T0.a = src0.a, -src0.1, src0.a [T1]\n\
                ALU MDH T1.rgb = -src0.rgb, -src0.111, -src0.bgr [T1] / MDV T1.a = src2.r, src0.1, src1.0 [T1]";
    let output = run(text, &[("T1", lanes(&values))]);
    let (found, negative) = (register(&output, "T0"), register(&output, "T1"));
    for lane in 0..64 {
        let quad = &values[lane & !3..][..4];
        let dx = [0, 1, 2].map(|c: usize| quad[1][c] - quad[0][c]);
        assert_eq!(
            found[lane],
            [dx[0], dx[1], dx[2], quad[2][3] - quad[0][3]],
            "{lane}"
        );
        // Selects and swizzles of A and C are ignored, modifiers are not.
        assert_eq!(
            negative[lane],
            [-dx[0], -dx[1], -dx[2], quad[0][3] + quad[2][3]],
            "{lane}"
        );
    }
}

#[test]
fn operands() {
    let registers = [
        ("T1", all([1.0, -2.0, 3.0, -4.0])),
        ("T2", all([10.0, 20.0, 30.0, 40.0])),
        ("C200", all([0.25, 0.5, 0.75, 2.0])),
    ];
    let cases = [
        // Colour and alpha have addresses of their own; a swizzle crosses over.
        ("src0.ar0", "src0.b", "[T1]", "[T2]", [40.0, 1.0, 0.0, 3.0]),
        ("src1.h1_", "src1.1", "[T1]", "[T1]", [0.5, 1.0, 0.0, 1.0]),
        (
            "-src2.bgr",
            "-|src0|.a",
            "[T1, T1, T2]",
            "[T1]",
            [-30.0, -20.0, -10.0, -4.0],
        ),
        (
            "|src0|.rga",
            "src0.a",
            "[C200]",
            "[C200]",
            [0.25, 0.5, 2.0, 2.0],
        ),
        // Inline constants: 1.0, 480, 2^-10, 0.125 * 2^-6.
        (
            "src0.rgb",
            "src0.a",
            "[K56]",
            "[K127]",
            [1.0, 1.0, 1.0, 480.0],
        ),
        (
            "src0.rgb",
            "src0.a",
            "[K0]",
            "[K1]",
            [
                0.000_976_562_5,
                0.000_976_562_5,
                0.000_976_562_5,
                0.001_953_125,
            ],
        ),
        // Presubtract, in each half its own.
        (
            "srcp.rgb",
            "srcp.a",
            "[T1]",
            "[T1, T2, T0, sub]",
            [-1.0, 5.0, -5.0, 44.0],
        ),
        (
            "srcp.rga",
            "srcp.r",
            "[T1, T2, T0, add]",
            "[T1, T2, T0, inv]",
            [11.0, 18.0, 5.0, 11.0],
        ),
        (
            "-|srcp|.rgb",
            "srcp.0",
            "[T1, T2, T0, sub]",
            "[T1, T2, T0, inv]",
            [-9.0, -22.0, -27.0, 0.0],
        ),
    ];
    for (rgb, alpha, rgb_sources, alpha_sources, wanted) in cases {
        let text = format!(
            "ALU MAX T0.rgb = {rgb}, {rgb} {rgb_sources} / MAX T0.a = {alpha}, {alpha} {alpha_sources}"
        );
        assert_eq!(
            register(&run(&text, &registers), "T0")[17],
            wanted,
            "{text}"
        );
    }
}

#[test]
fn both_halves_read_before_they_write() {
    let registers = [("T1", all([1.0, 2.0, 3.0, 4.0]))];
    let text = "ALU MAX T1.rgb = src0.bra, src0.bra [T1] / MAX T1.a = src0.r, src0.r [T1]";
    assert_eq!(
        register(&run(text, &registers), "T1")[3],
        [3.0, 1.0, 4.0, 1.0]
    );
    let text = "ALU SOP T1.rgb = [T1] / RCP T1.a = src0.g [T1]\nALU DP3 T1.rgb = src0.rrr, src0.111 [T1] / DP T1.a =";
    assert_eq!(register(&run(text, &registers), "T1")[3], [1.5; 4]);
}

#[test]
fn output_modifiers() {
    let registers = [("T1", all([0.75, -2.0, 3.0, 0.5]))];
    let cases = [
        ("_x2", [1.5, -4.0, 6.0, 1.0]),
        ("_x4", [3.0, -8.0, 12.0, 2.0]),
        ("_x8", [6.0, -16.0, 24.0, 4.0]),
        ("_d2", [0.375, -1.0, 1.5, 0.25]),
        ("_d4", [0.1875, -0.5, 0.75, 0.125]),
        ("_d8", [0.09375, -0.25, 0.375, 0.0625]),
        ("_x2_sat", [1.0, 0.0, 1.0, 1.0]),
        ("_sat", [0.75, 0.0, 1.0, 0.5]),
    ];
    for (modifier, wanted) in cases {
        for op in ["MAX", "MAD"] {
            let second = if op == "MAX" {
                "src0.rgb"
            } else {
                "src0.111, src0.000"
            };
            let alpha = if op == "MAX" {
                "src0.a"
            } else {
                "src0.1, src0.0"
            };
            let text = format!(
                "ALU {op}{modifier} T0.rgb = src0.rgb, {second} [T1] / {op}{modifier} T0.a = src0.a, {alpha} [T1]"
            );
            assert_eq!(register(&run(&text, &registers), "T0")[0], wanted, "{text}");
        }
    }
}

#[test]
fn the_range_before_modifiers_is_larger() {
    let large = 3.0e38f32;
    let small = f32::MIN_POSITIVE * 1.5;
    let registers = [
        ("T1", all([large, small, -large, f32::INFINITY])),
        ("T2", all([2.0, 0.25, 0.5, 1.0])),
    ];
    let text = "ALU MAD_d4 T0.rgb = src0.rrb, src1.rgr, src2.000 [T1, T2] / MAD_d8 T0.a = src0.a, src1.a, src2.a [T1, T2]\n\
                ALU MAD_x8 T3.rgb = src0.ggg, src1.gbr, src2.000 [T1, T2] / RCP_d8 T3.a = src0.g [K0]\n\
                ALU DP3_d4 T4.rgb = src0.rrr, src1.rrr [T1, T2] / DP_d8 T4.a =\n\
                ALU MDH_d2 T5.rgb = src0.rgb, src1.rrr, src0.rgb [T1, T2] / EX2_d2 T5.a = src0.a [K56, K56, K56]\n\
                ALU SOP_d8 T6.rgb = / EX2_d8 T6.a = src0.r [C3]";
    let output = run(text, &[&registers[..], &[("C3", all([128.5; 4]))]].concat());
    let of = |name| register(&output, name)[0];
    assert_eq!(
        of("T0"),
        [large * 0.5, large * 0.0625, -large * 0.5, f32::INFINITY]
    );
    let eighths = small * 0.25 * 8.0;
    assert_eq!(
        of("T3")[..3],
        [eighths, small * 0.5 * 8.0, small * 2.0 * 8.0]
    );
    assert_eq!(
        of("T4"),
        [1.5 * large, 1.5 * large, 1.5 * large, 0.75 * large]
    );
    // Twice and once the same in all pixels: three times, halved.
    assert_eq!(
        of("T5")[..3],
        [f32::INFINITY, small * 1.5, f32::NEG_INFINITY]
    );
    // Functions have no such range.
    assert_eq!(of("T6"), [f32::INFINITY; 4]);
}

#[test]
fn moves_without_modifier_keep_bits() {
    let bits = [0x0000_0001, 0x7fa0_0001, 0x8000_0000, 0xffff_ffff];
    let vector = LaneValue::Lanes(bits.to_vec());
    let moves = |omod: &str, source: &str| {
        format!(
            "ALU MAX{omod} T0.rgb = src0.rgb, src0.rgb [{source}] / MAX{omod} T0.a = src0.a, src0.a [{source}]"
        )
    };
    for (name, source) in [("T1", "T1"), ("C9", "C9")] {
        let raw = run(&moves("_raw", source), &[(name, vector.clone())]);
        assert_eq!(register(&raw, "T0")[8].map(f32::to_bits), bits, "{name}");
        let flushed = run(&moves("", source), &[(name, vector.clone())]);
        assert_eq!(
            register(&flushed, "T0")[8].map(f32::to_bits),
            [0, 0x7fff_ffff, 0x8000_0000, 0x7fff_ffff]
        );
    }
    // A choice by flushed numbers of unflushed ones, without clamp.
    let text = "ALU CMP_raw_sat T0.rgb = src0.rrr, src1.rrr, src0.rgb [T1, T2] / MIN_raw T0.a = src0.r, src1.r [T1, T2]";
    let other = LaneValue::Lanes(vec![0x4000_0000; 4]);
    let output = run(text, &[("T1", vector), ("T2", other)]);
    assert_eq!(
        register(&output, "T0")[8].map(f32::to_bits),
        [1, 0x4000_0000, 1, 1]
    );
}

#[test]
fn zero_may_win() {
    let registers = [
        ("T1", all([0.0, f32::INFINITY, -0.0, 0.0])),
        ("T2", all([f32::INFINITY, 0.0, f32::NAN, 5.0])),
        ("CONFIG", LaneValue::Lanes(vec![1])),
    ];
    let text = "ALU MAD T0.rgb = src0.rgb, -src1.rgb, src0.111 [T1, T2] / MAD T0.a = src0.a, src1.r, src0.0 [T1, T2]\n\
                ALU DP4 T3.rgb = src0.rgb, src1.rgb [T1, T2] / DP T3.a = src0.a, src1.r [T1, T2]";
    let output = run(text, &registers);
    assert_eq!(register(&output, "T0")[0], [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(register(&output, "T3")[0], [0.0; 4]);
    let ieee = run(text, &registers[..2]);
    assert!(register(&ieee, "T0")[0].iter().all(|x| x.is_nan()));
}

#[test]
fn targets_and_the_depth() {
    let registers = [("T1", all([1.0, 2.0, 3.0, 4.0]))];
    let text = "OUT MAX A.rg = src0.rgb, src0.rgb [T1] / MAX B.a, W = src0.a, src0.a [T1]\n\
                OUT MAX A.b = src0.rgb, src0.rgb [T1] / MAX D.a = src0.r, src0.r [T1]\n\
                OUT MAX T2.r, D.g = src0.rgb, src0.rgb [T1] / MAX A.a = src0.g, src0.g [T1]";
    let output = run(text, &registers);
    assert_eq!(out(&output, "OUT0", 9), [1.0, 2.0, 3.0, 2.0]);
    assert_eq!(out(&output, "OUT1", 9), [0.0, 0.0, 0.0, 4.0]);
    assert_eq!(out(&output, "OUT3", 9), [0.0, 2.0, 0.0, 1.0]);
    assert_eq!(out(&output, "W", 9)[0], 4.0);
    assert_eq!(register(&output, "T2")[9], [1.0, 0.0, 0.0, 0.0]);
    assert!(!output.exports.iter().any(|export| export.target == "OUT2"));
}

#[test]
fn predicates() {
    let ramp: Vec<Vector> = (0..64)
        .map(|lane| {
            let x = lane as f32 - 32.0;
            [x, -x, if lane == 7 { f32::NAN } else { x }, x]
        })
        .collect();
    let text = "ALU MAX Plt.rgb = src0.rgb, src0.rgb [T1] / MAX Pne.a = src0.a, src0.a [T1]\n\
                ALU MAX T2.rgb = src0.111, src0.111 / MAX T2.a = src0.1, src0.1 ?rgba\n\
                ALU MAX T3.rgb = src0.111, src0.111 ?rgba / MAX T3.a = src0.1, src0.1 ?!rgba\n\
                ALU MAX T4.rgb = src0.111, src0.111 ?!r / MAX T4.a = src0.1, src0.1 ?g\n\
                OUT MAX C.rgb = src0.111, src0.111 ?!b / MAX C.a, W = src0.1, src0.1 ?!a";
    let output = run(text, &[("T1", lanes(&ramp))]);
    for lane in 0..64 {
        let x = lane as f32 - 32.0;
        let of = |set: bool| f32::from(u8::from(set));
        let (r, g, b, a) = (x < 0.0, -x < 0.0, x < 0.0 && lane != 7, x != 0.0);
        assert_eq!(
            register(&output, "T2")[lane],
            [1.0, 1.0, 1.0, of(a)],
            "{lane}"
        );
        assert_eq!(
            register(&output, "T3")[lane],
            [of(r), of(g), of(b), of(!a)],
            "{lane}"
        );
        assert_eq!(
            register(&output, "T4")[lane],
            [of(!r), of(!r), of(!r), of(g)],
            "{lane}"
        );
        assert_eq!(
            out(&output, "OUT2", lane),
            [of(!b), of(!b), of(!b), of(!a)],
            "{lane}"
        );
        assert_eq!(out(&output, "W", lane)[0], of(!a));
    }
}

#[test]
fn the_old_predicate_gates_registers_and_never_predicates() {
    let registers = [("T1", all([1.0, -1.0, 1.0, 1.0]))];
    // The first sets G, the second writes G alone and sets all, the third shows them.
    let text = "ALU MAX Plt.rgb = src0.rgb, src0.rgb [T1] / MAX =\n\
                ALU MAX T2.rgb, Pge.rgb = |src0|.rgb, |src0|.rgb [T1] ?rgba / MAX =\n\
                ALU MAX T3.rgb = src0.111, src0.111 ?rgba / MAX =";
    let output = run(text, &registers);
    assert_eq!(register(&output, "T2")[0], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(register(&output, "T3")[0], [1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn tests_see_clamped_results_and_no_denormals() {
    let vector = LaneValue::Lanes(vec![0x8000_0001, (-3.0f32).to_bits(), 0, 1]);
    let text = "ALU MAX_sat Plt.rgb = src0.rgb, src0.rgb [T1] / MAX_raw Peq.a = src0.a, src0.a [T1]\n\
                ALU MAX T0.rgb = src0.111, src0.111 ?rgba / MAX T0.a = src0.1, src0.1 ?rgba";
    let output = run(text, &[("T1", vector)]);
    assert_eq!(register(&output, "T0")[0], [0.0, 0.0, 0.0, 1.0]);
}
