//! Built-in functions against double precision, within what WGSL allows ("Accuracy of Built-in Functions").
#![allow(clippy::unwrap_used)]

mod direct;

use direct::{World, compile};

/// Runs `expression` of `x` and `y` on every pair.
fn evaluate(expression: &str, pairs: &[[f32; 2]]) -> Vec<f32> {
    let text = format!(
        "@group(0) @binding(0) var<storage, read> given: array<vec2f>;
         @group(0) @binding(1) var<storage, read_write> out: array<f32>;
         @fragment fn fs(@location(0) @interpolate(flat) n: u32) {{
            let x = given[n].x; let y = given[n].y; out[n] = {expression};
         }}"
    );
    let mut function = compile(&text, None);
    pipeline::passes::run(&mut function);
    let mut results = Vec::new();
    for chunk in pairs.chunks(64) {
        let given = chunk.iter().flatten().map(|v| v.to_bits()).collect();
        let mut world = World {
            buffers: vec![vec![given], vec![vec![0; 64]]],
            inputs: vec![vec![(0..64).collect()]],
            ..World::default()
        };
        world.run(&function);
        let words = world.buffers[1][0][..chunk.len()].iter();
        results.extend(words.map(|&word| f32::from_bits(word)));
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

const CASES: &[Case] = &[
    case("x / y", |x, y| x / y, [-50.0, 50.0], |_, _, e| 2.5 * ulp(e)),
    case(
        "exp(x)",
        |x, _| x.exp(),
        [-20.0, 20.0],
        |x, _, e| (3.0 + 2.0 * x.abs()) * ulp(e),
    ),
    case(
        "exp2(x)",
        |x, _| x.exp2(),
        [-20.0, 20.0],
        |x, _, e| (3.0 + 2.0 * x.abs()) * ulp(e),
    ),
    case(
        "log(x)",
        |x, _| x.ln(),
        [0.5, 2.0],
        |_, _, _| 2f64.powi(-21),
    ),
    case("log(x)", |x, _| x.ln(), [2.0, 1e6], |_, _, e| 3.0 * ulp(e)),
    case(
        "log2(x)",
        |x, _| x.log2(),
        [0.5, 2.0],
        |_, _, _| 2f64.powi(-21),
    ),
    case(
        "sin(x)",
        |x, _| x.sin(),
        [-PI, PI],
        |_, _, _| 2f64.powi(-11),
    ),
    case(
        "cos(x)",
        |x, _| x.cos(),
        [-PI, PI],
        |_, _, _| 2f64.powi(-11),
    ),
    // Ours is much better than that, also far from zero.
    case("sin(x)", |x, _| x.sin(), [-100.0, 100.0], |_, _, _| 2e-5),
    case("cos(x)", |x, _| x.cos(), [-100.0, 100.0], |_, _, _| 2e-5),
    case(
        "tan(x)",
        |x, _| x.tan(),
        [-1.3, 1.3],
        |_, _, e| 2f64.powi(-11) * (1.0 + e * e),
    ),
    case("asin(x)", |x, _| x.asin(), [-1.0, 1.0], |_, _, _| 6.77e-5),
    case("acos(x)", |x, _| x.acos(), [-1.0, 1.0], |_, _, _| 6.77e-5),
    case(
        "atan(x)",
        |x, _| x.atan(),
        [-60.0, 60.0],
        |_, _, e| 4096.0 * ulp(e),
    ),
    case("atan(x)", |x, _| x.atan(), [-60.0, 60.0], |_, _, _| 3e-7),
    case(
        "atan2(x, y)",
        |x, y| x.atan2(y),
        [-9.0, 9.0],
        |_, _, e| 4096.0 * ulp(e),
    ),
    case(
        "atan2(x, y)",
        |x, y| x.atan2(y),
        [-9.0, 9.0],
        |_, _, _| 5e-7,
    ),
    case(
        "sinh(x)",
        |x, _| x.sinh(),
        [-8.0, 8.0],
        |x, _, e| (6.0 + 4.0 * x.abs()) * ulp(e) + 1e-6,
    ),
    case(
        "cosh(x)",
        |x, _| x.cosh(),
        [-8.0, 8.0],
        |x, _, e| (6.0 + 4.0 * x.abs()) * ulp(e),
    ),
    case("tanh(x)", |x, _| x.tanh(), [-30.0, 30.0], |_, _, _| 1e-5),
    case(
        "asinh(x)",
        |x, _| x.asinh(),
        [-30.0, 30.0],
        |_, _, e| 2f64.powi(-20) + 4.0 * ulp(e),
    ),
    case(
        "acosh(x)",
        |x, _| x.acosh(),
        [1.1, 30.0],
        |_, _, e| 2f64.powi(-20) + 4.0 * ulp(e),
    ),
    case(
        "atanh(x)",
        |x, _| x.atanh(),
        [-0.99, 0.99],
        |_, _, e| 2f64.powi(-20) + 8.0 * ulp(e),
    ),
    case(
        "pow(x, y * 0.1)",
        |x, y| x.powf(y * f64::from(0.1f32)),
        [0.1, 30.0],
        |x, y, e| {
            // Inherited from exp2(y * log2(x)).
            let power = (y * 0.1 * x.log2()).abs();
            (8.0 + 4.0 * power) * ulp(e)
        },
    ),
    case("sqrt(x)", |x, _| x.sqrt(), [0.0, 1e6], |_, _, e| ulp(e)),
    case(
        "inverseSqrt(x)",
        |x, _| 1.0 / x.sqrt(),
        [1e-6, 1e6],
        |_, _, e| 2.0 * ulp(e),
    ),
    case(
        "degrees(x)",
        |x, _| x.to_degrees(),
        [-9.0, 9.0],
        |_, _, e| 2.0 * ulp(e),
    ),
    case(
        "length(vec2f(x, y))",
        |x, y| x.hypot(y),
        [-9.0, 9.0],
        |_, _, e| 4.0 * ulp(e),
    ),
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

#[test]
fn functions_are_as_exact_as_wgsl_wants() {
    let mut wrong = Vec::new();
    for case in CASES {
        let span = case.to - case.from;
        let pairs: Vec<[f32; 2]> = (0..1920)
            .map(|n| {
                let x = case.from + span * (n as f32 / 1919.0);
                let y = case.from + span * ((n * 7 % 1919) as f32 / 1919.0);
                [x.clamp(case.from, case.to), y.clamp(case.from, case.to)]
            })
            .collect();
        let results = evaluate(case.expression, &pairs);
        let mut worst = (0.0, String::new());
        for ([x, y], found) in pairs.into_iter().zip(results) {
            let (x, y) = (f64::from(x), f64::from(y));
            let exact = (case.exact)(x, y);
            if !exact.is_finite() {
                continue;
            }
            let share = (f64::from(found) - exact).abs() / (case.error)(x, y, exact);
            if share.is_nan() || share > worst.0 {
                worst = (share, format!("x {x} y {y}: {found} for {exact}"));
            }
        }
        println!("{:24} {:.3} of what is allowed", case.expression, worst.0);
        if worst.0.is_nan() || worst.0 > 1.0 {
            wrong.push(format!("{} {:.3}: {}", case.expression, worst.0, worst.1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
