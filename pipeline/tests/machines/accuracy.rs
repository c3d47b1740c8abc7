//! Built-in functions as every chip computes them against double precision: within what WGSL allows ("Accuracy of Built-in
//! Functions"), and within what a chip's driver states beyond that.
#![allow(clippy::unwrap_used)]

use crate::direct::{World, compile};
use crate::harness::{Case as Run, MACHINES, Machine};
use lanes::LANES;

/// Points at which a function is looked at: every 1024th of pi in -pi..pi.
const POINTS: u32 = 4096;

/// Runs `expression` of `x` and `y` on every pair.
fn evaluate(machine: &dyn Machine, expression: &str, pairs: &[[f32; 2]]) -> Vec<f32> {
    let text = format!(
        "@fragment fn fs(@location(0) v: vec2f) -> @location(0) vec4f {{
            let x = v.x; let y = v.y; return vec4f({expression});
         }}"
    );
    let mut function = compile(&text, None);
    pipeline::passes::run(&mut function);
    let binary = machine.compile(&function).unwrap();
    let mut results = Vec::new();
    for chunk in pairs.chunks(LANES) {
        let lane = |c: usize, lane: usize| chunk.get(lane).map_or(0, |pair| pair[c].to_bits());
        let component = |c: usize| (0..LANES).map(|at| lane(c, at)).collect();
        let run = Run {
            function: &function,
            binary: &binary,
            world: World {
                inputs: vec![vec![component(0), component(1)]],
                ..World::default()
            },
            live: u64::MAX,
        };
        let outcome = machine.wanted(&run).unwrap();
        let lanes = outcome.outputs.first_key_value().unwrap().1;
        let found = lanes.iter().take(chunk.len());
        results.extend(found.map(|word| f32::from_bits(word.unwrap())));
    }
    results
}

fn ulp(value: f64) -> f64 {
    let value = (value as f32).abs().max(f32::MIN_POSITIVE);
    f64::from(f32::from_bits(value.to_bits() + 1)) - f64::from(value)
}

struct Case {
    expression: &'static str,
    exact: fn(f64, f64) -> f64,
    from: f32,
    to: f32,
    /// Largest error at (x, y, exact).
    error: fn(f64, f64, f64) -> f64,
}

const fn case(
    expression: &'static str,
    exact: fn(f64, f64) -> f64,
    [from, to]: [f32; 2],
    error: fn(f64, f64, f64) -> f64,
) -> Case {
    Case {
        expression,
        exact,
        from,
        to,
        error,
    }
}

const PI: f32 = std::f32::consts::PI;

#[rustfmt::skip]
const CASES: &[Case] = &[
    case("x / y", |x, y| x / y, [-50.0, 50.0], |_, _, e| 2.5 * ulp(e)),
    case("exp(x)", |x, _| x.exp(), [-20.0, 20.0], |x, _, e| (3.0 + 2.0 * x.abs()) * ulp(e)),
    case("exp2(x)", |x, _| x.exp2(), [-20.0, 20.0], |x, _, e| (3.0 + 2.0 * x.abs()) * ulp(e)),
    case("log(x)", |x, _| x.ln(), [0.5, 2.0], |_, _, _| 2f64.powi(-21)),
    case("log(x)", |x, _| x.ln(), [2.0, 1e6], |_, _, e| 3.0 * ulp(e)),
    case("log2(x)", |x, _| x.log2(), [0.5, 2.0], |_, _, _| 2f64.powi(-21)),
    case("sin(x)", |x, _| x.sin(), [-PI, PI], |_, _, _| 2f64.powi(-11)),
    case("cos(x)", |x, _| x.cos(), [-PI, PI], |_, _, _| 2f64.powi(-11)),
    // Ours is much better than that, also far from zero.
    case("sin(x)", |x, _| x.sin(), [-100.0, 100.0], |_, _, _| 2e-5),
    case("cos(x)", |x, _| x.cos(), [-100.0, 100.0], |_, _, _| 2e-5),
    case("tan(x)", |x, _| x.tan(), [-1.3, 1.3], |_, _, e| 2f64.powi(-11) * (1.0 + e * e)),
    case("asin(x)", |x, _| x.asin(), [-1.0, 1.0], |_, _, _| 6.77e-5),
    case("acos(x)", |x, _| x.acos(), [-1.0, 1.0], |_, _, _| 6.77e-5),
    case("atan(x)", |x, _| x.atan(), [-60.0, 60.0], |_, _, e| 4096.0 * ulp(e)),
    case("atan(x)", |x, _| x.atan(), [-60.0, 60.0], |_, _, _| 3e-7),
    case("atan2(x, y)", |x, y| x.atan2(y), [-9.0, 9.0], |_, _, e| 4096.0 * ulp(e)),
    case("atan2(x, y)", |x, y| x.atan2(y), [-9.0, 9.0], |_, _, _| 5e-7),
    case("sinh(x)", |x, _| x.sinh(), [-8.0, 8.0], |x, _, e| (6.0 + 4.0 * x.abs()) * ulp(e) + 1e-6),
    case("cosh(x)", |x, _| x.cosh(), [-8.0, 8.0], |x, _, e| (6.0 + 4.0 * x.abs()) * ulp(e)),
    case("tanh(x)", |x, _| x.tanh(), [-30.0, 30.0], |_, _, _| 1e-5),
    case("asinh(x)", |x, _| x.asinh(), [-30.0, 30.0], |_, _, e| 2f64.powi(-20) + 4.0 * ulp(e)),
    case("acosh(x)", |x, _| x.acosh(), [1.1, 30.0], |_, _, e| 2f64.powi(-20) + 4.0 * ulp(e)),
    case("atanh(x)", |x, _| x.atanh(), [-0.99, 0.99], |_, _, e| 2f64.powi(-20) + 8.0 * ulp(e)),
    case("pow(x, y * 0.1)", |x, y| x.powf(y * f64::from(0.1f32)), [0.1, 30.0], |x, y, e| {
            // Inherited from exp2(y * log2(x)).
            let power = (y * 0.1 * x.log2()).abs();
            (8.0 + 4.0 * power) * ulp(e)
        }),
    // WGSL inherits it from 1 / inverseSqrt(x).
    case("sqrt(x)", |x, _| x.sqrt(), [0.0, 1e6], |_, _, e| 2.0 * ulp(e)),
    case("inverseSqrt(x)", |x, _| 1.0 / x.sqrt(), [1e-6, 1e6], |_, _, e| 2.0 * ulp(e)),
    case("degrees(x)", |x, _| x.to_degrees(), [-9.0, 9.0], |_, _, e| 2.0 * ulp(e)),
    case("length(vec2f(x, y))", |x, y| x.hypot(y), [-9.0, 9.0], |_, _, e| 4.0 * ulp(e)),
    case(
        "smoothstep(-2.0, 3.0, x)",
        |x, _| {
            let t = ((x + 2.0) / 5.0).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        },
        [-4.0, 5.0],
        |_, _, _| 5e-7,
    ),
];

/// The largest error of a case in parts of what is allowed, and where it is.
fn worst(
    machine: &dyn Machine,
    case: &Case,
    allowed: impl Fn(f64, f64, f64) -> f64,
) -> (f64, String) {
    let span = case.to - case.from;
    let place = |n: u32| {
        let at = case.from + span * (n as f32 / (POINTS - 1) as f32);
        at.clamp(case.from, case.to)
    };
    let pairs: Vec<[f32; 2]> = (0..POINTS)
        .map(|n| [place(n), place(n * 7 % (POINTS - 1))])
        .collect();
    let results = evaluate(machine, case.expression, &pairs);
    let mut worst = (0.0, String::new());
    for ([x, y], found) in pairs.into_iter().zip(results) {
        let (x, y) = (f64::from(x), f64::from(y));
        let exact = (case.exact)(x, y);
        if !exact.is_finite() {
            continue;
        }
        let share = (f64::from(found) - exact).abs() / allowed(x, y, exact);
        if share.is_nan() || share > worst.0 {
            worst = (share, format!("x {x} y {y}: {found} for {exact}"));
        }
    }
    worst
}

#[test]
fn functions_are_as_exact_as_wgsl_wants() {
    let mut wrong = Vec::new();
    for machine in MACHINES {
        for case in CASES {
            let (share, place) = worst(machine, case, case.error);
            let line = format!("{} {} {share:.3}", machine.name(), case.expression);
            println!("{line} of what is allowed");
            if share.is_nan() || share > 1.0 {
                wrong.push(format!("{line}: {place}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_are_as_exact_as_drivers_say() {
    for machine in MACHINES {
        for (expression, bound) in machine.precision() {
            let mut cases = CASES.iter();
            let case = cases.find(|case| case.expression == *expression).unwrap();
            let (share, place) = worst(machine, case, |_, _, _| *bound);
            assert!(share < 1.0, "{} {expression}: {place}", machine.name());
        }
    }
}

/// The sum of a product is rounded as often as the chip does.
#[test]
fn fused_products_are_those_of_the_chip() {
    let text = "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f { return vec4f(fma(a.x, a.y, a.z)); }";
    let function = compile(text, None);
    for machine in MACHINES {
        let binary = machine.compile(&function).unwrap();
        let world = machine.given(&function, World::random(&function, 3));
        let run = Run {
            function: &function,
            binary: &binary,
            world,
            live: u64::MAX,
        };
        let outcome = machine.wanted(&run).unwrap();
        let lanes = outcome.outputs.first_key_value().unwrap().1;
        for (lane, found) in lanes.iter().enumerate() {
            let args = [0, 1, 2].map(|c| run.world.inputs[0][c][lane]);
            assert_eq!(*found, Some(machine.fma().eval(args)), "{}", machine.name());
        }
    }
}
