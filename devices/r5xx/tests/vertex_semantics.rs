//! What every vertex operation computes, against plain arithmetic of the host.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, ExecOutput, LaneValue};
use r5xx::exec::exec;
use r5xx::isa::pvs::assemble;
use r5xx::isa::pvs::ops::{MacroOp, MeOp, VeOp};

type Vector = [f32; 4];

/// Numbers among which operations have their special cases.
const AWKWARD: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -3.75,
    100.25,
    -200.5,
    1e-30,
    -1e20,
    3e38,
    130.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    std::f32::consts::PI,
    -1.0e-6,
];

fn value(random: &mut Random) -> f32 {
    match random.below(3) {
        0 => AWKWARD[random.below(AWKWARD.len() as u64) as usize],
        1 => (random.below(2001) as f32 - 1000.0) / 64.0,
        _ => (random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0) * 4.0,
    }
}

fn run(text: &str, registers: &[(&str, LaneValue)]) -> ExecOutput {
    let words: Vec<u32> = assemble(text).unwrap().concat();
    let registers = registers.iter().cloned();
    let input = ExecInput {
        registers: registers
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        ..ExecInput::default()
    };
    exec("vertex", &words, &input).unwrap()
}

fn lanes(vectors: &[Vector]) -> LaneValue {
    LaneValue::Vectors(vectors.iter().map(|v| v.map(f32::to_bits)).collect())
}

fn all(vector: Vector) -> LaneValue {
    LaneValue::Lanes(vector.map(f32::to_bits).to_vec())
}

fn out(output: &ExecOutput, target: &str) -> Vec<Vector> {
    let export = output.exports.iter().find(|export| export.target == target);
    let lanes = export.unwrap().lanes.iter();
    lanes
        .map(|lane| lane.unwrap().map(f32::from_bits))
        .collect()
}

fn register(output: &ExecOutput, name: &str) -> Vec<Vector> {
    match &output.registers[name] {
        LaneValue::Vectors(list) => list.iter().map(|v| v.map(f32::from_bits)).collect(),
        other => panic!("{name} is {other:?}"),
    }
}

/// Equal, or within a relative error that a float's last bits make; any NaN is any other.
fn near(found: f32, wanted: f32, error: f64) -> bool {
    if found.is_nan() || wanted.is_nan() {
        return found.is_nan() && wanted.is_nan();
    }
    if found == wanted {
        return found.is_sign_negative() == wanted.is_sign_negative() || wanted == 0.0;
    }
    let (found, wanted) = (f64::from(found), f64::from(wanted));
    ((found - wanted) / wanted).abs() <= error
}

fn zip(a: Vector, b: Vector, op: impl Fn(f32, f32) -> f32) -> Vector {
    [0, 1, 2, 3].map(|c| op(a[c], b[c]))
}

fn truth(set: bool) -> f32 {
    f32::from(u8::from(set))
}

fn holds(name: &str, x: f32) -> bool {
    if name.contains("_NEQ") {
        x != 0.0
    } else if name.contains("_EQ") {
        x == 0.0
    } else if name.contains("_GTE") {
        x >= 0.0
    } else {
        assert!(name.contains("_GT"), "{name}");
        x > 0.0
    }
}

/// The result of a vector operation, with `old` where nothing is written; and the predicate, if it sets it.
fn vector(name: &str, [a, b, c]: [Vector; 3], old: Vector) -> (Vector, Option<bool>) {
    let result = match name {
        "VECTOR_NO_OP" => old,
        "VE_DOT_PRODUCT" => [a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; 4],
        "VE_MULTIPLY" => zip(a, b, |a, b| a * b),
        "VE_ADD" => zip(a, b, |a, b| a + b),
        "VE_MULTIPLY_ADD" | "PVS_MACRO_OP_2CLK_MADD" => {
            zip(zip(a, b, |a, b| a * b), c, |p, c| p + c)
        }
        "VE_MULTIPLYX2_ADD" | "PVS_MACRO_OP_2CLK_M2X_ADD" => {
            zip(zip(a, b, |a, b| 2.0 * (a * b)), c, |p, c| p + c)
        }
        "VE_DISTANCE_VECTOR" => [1.0, a[1] * b[1], a[2], b[3]],
        "VE_FRACTION" => a.map(|a| a - a.floor()),
        "VE_MAXIMUM" => zip(a, b, f32::max),
        "VE_MINIMUM" => zip(a, b, f32::min),
        "VE_SET_GREATER_THAN_EQUAL" => zip(a, b, |a, b| truth(a >= b)),
        "VE_SET_LESS_THAN" => zip(a, b, |a, b| truth(a < b)),
        "VE_SET_GREATER_THAN" => zip(a, b, |a, b| truth(a > b)),
        "VE_SET_EQUAL" => zip(a, b, |a, b| truth(a == b)),
        "VE_SET_NOT_EQUAL" => zip(a, b, |a, b| truth(a != b)),
        "VE_MULTIPLY_CLAMP" => {
            let x = if c[3] < a[3] * b[3] {
                c[3]
            } else if c[0] >= a[0] * b[0] {
                c[0]
            } else {
                a[0] * b[0]
            };
            [x; 4]
        }
        "VE_FLT2FIX_DX" => a.map(f32::floor),
        "VE_FLT2FIX_DX_RND" => a.map(|a| (a + 0.5).floor()),
        name if name.ends_with("_PUSH") => {
            let set = holds(name, b[3]) && a[3] == 0.0;
            let counter = if set { 0.0 } else { a[3] + 1.0 };
            return ([counter; 4], Some(set));
        }
        name if name.starts_with("VE_COND_WRITE") => {
            [0, 1, 2, 3].map(|at| if holds(name, a[at]) { b[at] } else { old[at] })
        }
        name if name.starts_with("VE_COND_MUX") => {
            [0, 1, 2, 3].map(|at| if holds(name, a[at]) { b[at] } else { c[at] })
        }
        name => panic!("{name}"),
    };
    (result, None)
}

fn power(a: f32, n: f32) -> f32 {
    let magnitude = |x: f64, n: f64| -> f64 {
        if x == 0.0 {
            return if n < 0.0 { f64::INFINITY } else { 0.0 };
        }
        if n == 0.0 {
            return 1.0;
        }
        match (x.is_infinite(), n.is_infinite()) {
            (true, _) => {
                if n < 0.0 {
                    0.0
                } else {
                    f64::INFINITY
                }
            }
            // The list of special cases says nothing about 1.
            (false, true) if x == 1.0 => f64::NAN,
            _ => x.powf(n),
        }
    };
    if n.is_nan() {
        return f32::NAN;
    }
    if a.is_nan() && n == 0.0 {
        return 1.0;
    }
    let result = magnitude(f64::from(a.abs()), f64::from(n)) as f32;
    if a < 0.0 { -result } else { result }
}

fn sine(of: fn(f64) -> f64, a: f32, outside: f32) -> f32 {
    if a.is_nan() || a.abs() >= std::f32::consts::PI {
        return outside;
    }
    let result = of(f64::from(a)) as f32;
    let least = f32::from_bits(0x3380_0000);
    match result.abs() < least && a != 0.0 {
        true => least.copysign(result),
        false => result,
    }
}

/// The result of a math operation, and the predicate, if it sets it.
fn math(name: &str, a: f32, b: f32, c: f32) -> (Vector, Option<bool>) {
    let recip = |x: f32, zero: f32| if a == 0.0 { zero } else { x };
    let rsq = |zero: f32| recip((1.0 / f64::from(a.abs()).sqrt()) as f32, zero);
    let log = |zero: f32| recip(f64::from(a.abs()).log2() as f32, zero);
    let predicate = |set: bool, counter: f32| ([counter; 4], Some(set));
    // Results that are denormals are zero.
    let flush = |x: f32| {
        if x.is_subnormal() {
            0.0f32.copysign(x)
        } else {
            x
        }
    };
    let scalar = match name {
        "ME_EXP_BASE2_DX" => {
            let y = if a > 128.0 { 0.0 } else { a - a.floor() };
            let [x, z] = [a.floor(), a].map(|a| flush(f64::from(a).exp2() as f32));
            return ([x, y, z, 1.0], None);
        }
        "ME_LOG_BASE2_DX" => {
            if a == 0.0 {
                return ([f32::MIN, 1.0, f32::MIN, 1.0], None);
            }
            let bits = a.to_bits();
            let exponent = (bits >> 23 & 255) as f32 - 127.0;
            let mantissa = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
            return ([exponent, mantissa, log(0.0), 1.0], None);
        }
        "ME_EXP_BASEE_FF" => f64::from(a).exp() as f32,
        "ME_LIGHT_COEFF_DX" => {
            let z = match b > 0.0 {
                true => power(
                    a.max(0.0),
                    if c.is_nan() {
                        -128.0
                    } else {
                        c.clamp(-128.0, 128.0)
                    },
                ),
                false => 0.0,
            };
            return ([1.0, b.max(0.0), flush(z), 1.0], None);
        }
        "ME_POWER_FUNC_FF" => power(a, c),
        "ME_POWER_FUNC_FF_CLAMP_B" => {
            if a < b {
                0.0
            } else {
                power(a, c)
            }
        }
        "ME_POWER_FUNC_FF_CLAMP_B1" => match () {
            () if a < b => 0.0,
            () if a > 1.0 => 1.0,
            () => power(a, c),
        },
        "ME_POWER_FUNC_FF_CLAMP_01" => match () {
            () if a <= 0.0 => 0.0,
            () if a > 1.0 => 1.0,
            () => power(a, c),
        },
        "ME_RECIP_DX" => recip(1.0 / a, f32::MAX),
        "ME_RECIP_FF" => recip(1.0 / a, 0.0),
        "ME_RECIP_IEEE" => recip(1.0 / a, f32::INFINITY),
        "ME_RECIP_SQRT_DX" => rsq(f32::MAX),
        "ME_RECIP_SQRT_FF" => rsq(0.0),
        "ME_RECIP_SQRT_IEEE" => rsq(f32::INFINITY),
        "ME_MULTIPLY" => a * b,
        "ME_EXP_BASE2_FULL_DX" => f64::from(a).exp2() as f32,
        "ME_LOG_BASE2_FULL_DX" => log(f32::MIN),
        "ME_LOG_BASE2_IEEE" => log(f32::NEG_INFINITY),
        "ME_SIN" => sine(f64::sin, a, 0.0),
        "ME_COS" => sine(f64::cos, a, -1.0),
        "ME_PRED_SET_CLR" => return predicate(false, f32::MAX),
        "ME_PRED_SET_INV" if a == 1.0 => return predicate(true, 0.0),
        "ME_PRED_SET_INV" => return predicate(false, if a == 0.0 { 1.0 } else { a }),
        "ME_PRED_SET_POP" if a - 1.0 <= 0.0 => return predicate(true, 0.0),
        "ME_PRED_SET_POP" => return predicate(false, a - 1.0),
        "ME_PRED_SET_RESTORE" if a == 0.0 => return predicate(true, 0.0),
        "ME_PRED_SET_RESTORE" => return predicate(false, a),
        name => {
            let set = holds(name, a);
            return predicate(set, truth(!set));
        }
    };
    ([flush(scalar); 4], None)
}

/// Runs an instruction that writes T0 on random lanes, and what a predicate does after it.
fn check(name: &str, wanted: impl Fn([Vector; 3], Vector) -> (Vector, Option<bool>), error: f64) {
    // The second instruction shows the predicate.
    let text = format!(
        "{name} T0, T1, I2, AT3\nVE_ADD OUT0, T0, T0.0000\n(P) VE_ADD OUT1, T0.1111, T0.0000"
    );
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut draw = || {
            let lane = |_| [0, 1, 2, 3].map(|_: usize| value(&mut random));
            (0..64).map(lane).collect::<Vec<Vector>>()
        };
        let [mut a, b, c, old] = [draw(), draw(), draw(), draw()];
        if seed % 2 == 1 {
            // Counters of branches.
            for (lane, vector) in a.iter_mut().enumerate() {
                vector[3] = (lane % 4) as f32;
            }
        }
        let registers = [
            ("T0", lanes(&old)),
            ("T1", lanes(&a)),
            ("I2", lanes(&b)),
            ("AT3", lanes(&c)),
        ];
        let output = run(&text, &registers);
        let (found, predicates) = (register(&output, "T0"), out(&output, "OUT1"));
        for lane in 0..64 {
            let sources = [a[lane], b[lane], c[lane]];
            let (wanted, predicate) = wanted(sources, old[lane]);
            let same = (0..4).all(|c| near(found[lane][c], wanted[c], error));
            assert!(
                same,
                "{name} of {sources:?}: {:?}, not {wanted:?}",
                found[lane]
            );
            assert_eq!(
                predicates[lane][0] == 1.0,
                predicate == Some(true),
                "{name} {sources:?}"
            );
        }
    }
}

#[test]
fn vector_operations() {
    let ops = VeOp::ALL.iter().map(|op| op.name());
    for name in ops.chain(MacroOp::ALL.iter().map(|op| op.name())) {
        check(name, |sources, old| vector(name, sources, old), 0.0);
    }
}

#[test]
fn math_operations() {
    for op in MeOp::ALL {
        let name = op.name();
        let error = match name {
            // The logarithm's last bit counts as often as the power is large.
            name if name.contains("POWER") || name.contains("LIGHT") => 2e-4,
            "ME_EXP_BASEE_FF" => 2e-5,
            _ => 1e-6,
        };
        let math = |[a, b, c]: [Vector; 3], old: Vector| match name {
            "MATH_NO_OP" => (old, None),
            name => math(name, a[3], b[3], c[3]),
        };
        check(name, math, error);
    }
}

#[test]
fn operands_have_swizzles_signs_and_magnitudes() {
    let a = [1.0, -2.0, 3.0, -4.0];
    let registers = [("T1", all(a)), ("C7", all([0.25, 0.5, -0.75, -1.0]))];
    let text = "VE_ADD OUT0, T1.w-z1_, T1.0000\nVE_ADD OUT1, -|T1|.xyzw, C7.0000\nVE_MULTIPLY OUT2.xz, T1.yyyy, -C7\n\
                VE_ADD OUTX3, T1.zxyw, T1.0000\nVE_ADD_SAT OUT4, T1, T1.0000\n\
                VE_ADD T1.xy, T1.yxzw, T1.0000\nVE_ADD OUT5, T1, T1.0000\n\
                VE_ADD OUT6, |T1|.x-y-z0, T1.0000";
    let output = run(text, &registers);
    let lane = |target| out(&output, target)[63];
    assert_eq!(lane("OUT0"), [-4.0, -3.0, 1.0, 0.0]);
    assert_eq!(lane("OUT1"), [-1.0, -2.0, -3.0, -4.0]);
    assert_eq!(lane("OUT2"), [0.5, 0.0, -1.5, 0.0]);
    assert_eq!(lane("OUT3"), [3.0; 4]);
    assert_eq!(lane("OUT4"), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(lane("OUT5"), [-2.0, 1.0, 3.0, -4.0]);
    assert_eq!(lane("OUT6"), [2.0, -1.0, -3.0, 0.0]);
}

#[test]
fn conditional_writes_read_before_they_write() {
    let registers = [
        ("T1", all([1.0, 2.0, 3.0, 4.0])),
        ("T2", all([0.0, 0.0, 1.0, 0.0])),
    ];
    let output = run("VE_COND_WRITE_EQ T1, T2, T1.wzyx", &registers);
    assert_eq!(register(&output, "T1")[5], [4.0, 3.0, 3.0, 1.0]);
}

#[test]
fn dual_instructions_read_before_they_write() {
    let registers = [("AT1", all([2.0, 4.0, 8.0, 16.0])), ("T0", all([0.5; 4]))];
    let text = "VE_ADD T0, AT1, T0 + ME_MULTIPLY AT1.z, AT1.wy\n\
                VE_ADD_SAT OUT0, AT1, T0.0000 + ME_RECIP_DX_SAT AT0.x, -T0.xx\nVE_ADD OUT1, AT0, AT0.0000";
    let output = run(text, &registers);
    assert_eq!(register(&output, "T0")[0], [2.5, 4.5, 8.5, 16.5]);
    assert_eq!(register(&output, "AT1")[0], [2.0, 4.0, 64.0, 16.0]);
    assert_eq!(out(&output, "OUT0")[0], [1.0; 4]);
    assert_eq!(out(&output, "OUT1")[0], [0.0; 4]);
    let output = run(
        "VE_ADD T0, AT1, T0 + ME_POWER_FUNC_FF AT0.y, AT1.xx",
        &registers,
    );
    assert_eq!(register(&output, "AT0")[0][1], 4.0);
}

/// Every pair of operations does what both do one after the other on what was there before.
#[test]
fn halves_of_dual_instructions_are_independent() {
    let vectors = VeOp::ALL.iter().filter(|op| op.sem().operands() < 3);
    let singles = |op: &&MeOp| (1..3).contains(&op.sem().operands());
    for vector in vectors.map(|op| op.name()) {
        for math in MeOp::ALL.iter().filter(singles).map(|op| op.name()) {
            let mut random = Random(5);
            let mut draw = || {
                let lane = |_| [0, 1, 2, 3].map(|_: usize| value(&mut random));
                lanes(&(0..64).map(lane).collect::<Vec<Vector>>())
            };
            let registers = [
                ("T0", draw()),
                ("T1", draw()),
                ("I2", draw()),
                ("AT3", draw()),
            ];
            let apart = [
                format!("{vector} T0, T1, I2"),
                format!("{math} AT3.y, T1.xxxx, T1.yyyy, T1.yyyy"),
            ];
            let apart = apart.map(|text| run(&text, &registers));
            let both = run(
                &format!("{vector} T0, T1, I2 + {math} AT3.y, T1.xy"),
                &registers,
            );
            for (name, alone) in [("T0", &apart[0]), ("AT3", &apart[1])] {
                let [found, wanted] = [&both, alone].map(|output| &output.registers[name]);
                assert_eq!(found, wanted, "{vector} + {math}");
            }
        }
    }
}

/// A break: lanes outside of the branch keep their counter.
#[test]
fn predicates_gate_what_sets_them_as_they_were() {
    let ramp: Vec<Vector> = (0..64).map(|lane| [lane as f32 - 32.0; 4]).collect();
    let text = "ME_PRED_SET_GTE T1.w, I0.wwww\n(P) ME_PRED_SET_CLR T1.w, T1.wwww\n\
                (P) VE_ADD OUT0, I0.1111, I0.0000\n(!P) VE_ADD OUT1, I0.1111, I0.0000\n\
                ME_PRED_SET_GTE T2.x, I0.wwww\n\
                (!P) VE_ADD T3, I0.1111, I0.0000 + ME_PRED_SET_EQ AT0.x, I0.00";
    let output = run(text, &[("I0", lanes(&ramp))]);
    let [counters, both, alternate] = ["T1", "T3", "AT0"].map(|name| register(&output, name));
    for lane in 0..64 {
        let wanted = if lane < 32 { 1.0 } else { f32::MAX };
        assert_eq!(counters[lane][3], wanted, "{lane}");
        assert_eq!(out(&output, "OUT0")[lane], [0.0; 4], "{lane}");
        assert_eq!(out(&output, "OUT1")[lane], [1.0; 4], "{lane}");
        assert_eq!(both[lane], [truth(lane < 32); 4], "{lane}");
        // Both halves depend on the predicate before.
        assert_eq!(alternate[lane][0], 0.0, "{lane}");
    }
}

#[test]
fn predicates_gate_writes_of_both_senses() {
    let ramp: Vec<Vector> = (0..64).map(|lane| [lane as f32 - 32.0; 4]).collect();
    let text = "ME_PRED_SET_GTE T1.w, I0.wwww\n(P) VE_ADD OUT0, I0.1111, I0.0000\n\
                (!P) VE_ADD OUT0.xy, -I0.1111, I0.0000\n(P) VE_COND_WRITE_GT OUT1, I0, I0.1111";
    let output = run(text, &[("I0", lanes(&ramp))]);
    let [first, second] = [out(&output, "OUT0"), out(&output, "OUT1")];
    for lane in 0..64 {
        let wanted = if lane < 32 {
            [-1.0, -1.0, 0.0, 0.0]
        } else {
            [1.0; 4]
        };
        assert_eq!(first[lane], wanted, "{lane}");
        assert_eq!(second[lane], [truth(lane > 32); 4], "{lane}");
    }
}

/// The example of the guide: three branches, nested. [R5XX 7.5.3]
#[test]
fn nested_conditions() {
    let text = "ME_PRED_SET_EQ T0.w, I0.xxxx\n\
                VE_PRED_SET_GT_PUSH T0.w, T0.000w, I0.000y\n(P) VE_ADD T1, C0, C0.0000\n\
                ME_PRED_SET_INV T0.w, T0.000w\n(P) VE_ADD T1, C1, C1.0000\nME_PRED_SET_POP T0.w, T0.000w\n\
                ME_PRED_SET_INV T0.w, T0.000w\n\
                VE_PRED_SET_GTE_PUSH T0.w, T0.000w, I0.000z\n(P) VE_ADD T1, C2, C2.0000\n\
                ME_PRED_SET_INV T0.w, T0.000w\n(P) VE_ADD T1, C3, C3.0000\nME_PRED_SET_POP T0.w, T0.000w\n\
                ME_PRED_SET_POP T0.w, T0.000w\n(P) VE_ADD OUT1, I0.1111, I0.0000\nVE_ADD OUT0, T1, T1.0000";
    let inputs: Vec<Vector> = (0..64)
        .map(|lane| {
            [
                f32::from(lane & 1u8),
                f32::from(lane >> 1 & 1) - 0.5,
                f32::from(lane >> 2 & 1) - 0.5,
                0.0,
            ]
        })
        .collect();
    let constants = ["C0", "C1", "C2", "C3"].map(|name| {
        let number = name[1..].parse::<f32>().unwrap();
        (name, all([number + 1.0; 4]))
    });
    let registers = [&constants[..], &[("I0", lanes(&inputs))]].concat();
    let output = run(text, &registers);
    for (lane, input) in inputs.iter().enumerate() {
        let wanted = match (input[0] == 0.0, input[1] > 0.0, input[2] >= 0.0) {
            (true, true, _) => 1.0,
            (true, false, _) => 2.0,
            (false, _, true) => 3.0,
            (false, _, false) => 4.0,
        };
        assert_eq!(out(&output, "OUT0")[lane], [wanted; 4], "{input:?}");
        // The predicate is set again after the last endif.
        assert_eq!(out(&output, "OUT1")[lane], [1.0; 4]);
    }
}
