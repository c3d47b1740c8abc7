//! Programs of another compiler (`llc -march=r600 -mcpu=r600` and `rv670`, from the .ll files beside the words) give
//! the results of the host's arithmetic.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, ExecOutput, LaneValue};
use r600::exec::exec;
use r600::isa::Program;

type Vector = [u32; 4];

/// The words of a program for both chips, whose instruction sets are the same.
fn programs(name: &str) -> Vec<Vec<u32>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let cpus = ["r600", "rv670"].into_iter();
    cpus.map(|cpu| {
        let text = std::fs::read_to_string(format!("{folder}/{name}.{cpu}.hex")).unwrap();
        let words = text.split_whitespace();
        words.map(|w| u32::from_str_radix(w, 16).unwrap()).collect()
    })
    .collect()
}

fn input(registers: &[(&str, LaneValue)]) -> ExecInput {
    ExecInput {
        registers: registers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        ..ExecInput::default()
    }
}

/// Runs both programs and gives the exports of the last by name.
fn run(name: &str, stage: &str, input: &ExecInput) -> ExecOutput {
    let outputs: Vec<ExecOutput> = programs(name)
        .iter()
        .map(|words| exec(stage, words, input).unwrap())
        .collect();
    assert_eq!(outputs[0].exports, outputs[1].exports);
    outputs.into_iter().next().unwrap()
}

fn export<'a>(output: &'a ExecOutput, target: &str) -> &'a [Option<Vector>] {
    let found = output.exports.iter().filter(|e| e.target == target);
    let found: Vec<_> = found.collect();
    assert_eq!(found.len(), 1, "{target}");
    &found[0].lanes
}

/// Floats of many kinds, and integers that are no NaN as floats.
fn float(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => [
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            1,
            0x007f_ffff,
            0x3f80_0000,
            0x7f7f_ffff,
        ][random.below(8) as usize],
        1 => random.word() as u32 & 0x80ff_ffff,
        2 => random.word() as u32,
        _ => (random.word() as u32 & 0x83ff_ffff) | 0x3c00_0000,
    }
}

fn lanes(random: &mut Random, value: fn(&mut Random) -> u32) -> Vec<Vector> {
    (0..64)
        .map(|_| std::array::from_fn(|_| value(random)))
        .collect()
}

/// Exports against results of the host, any NaN for any NaN.
fn check(found: &[Option<Vector>], expected: impl Fn(usize) -> [f32; 4]) {
    for (lane, found) in found.iter().enumerate() {
        let expected = expected(lane);
        for (elem, want) in expected.into_iter().enumerate() {
            let bits = found.unwrap()[elem];
            let same = bits == want.to_bits() || want.is_nan() && f32::from_bits(bits).is_nan();
            assert!(
                same,
                "lane {lane}.{elem}: {bits:#x}, expected {want:e} {:#x}",
                want.to_bits()
            );
        }
    }
}

fn check_bits(found: &[Option<Vector>], expected: impl Fn(usize) -> Vector) {
    for (lane, found) in found.iter().enumerate() {
        assert_eq!(found.unwrap(), expected(lane), "lane {lane}");
    }
}

fn floats(v: Vector) -> [f32; 4] {
    v.map(f32::from_bits)
}

#[test]
fn words_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|e| e != "ll") {
            continue;
        }
        for words in programs(path.file_stem().unwrap().to_str().unwrap()) {
            let program = Program::decode(&words).unwrap();
            assert_eq!(program.data, [], "{}", path.display());
            assert_eq!(program.encode().unwrap(), words, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 18);
}

#[test]
fn float_arithmetic() {
    let mut random = Random(1);
    for _ in 0..20 {
        let (a, b) = (lanes(&mut random, float), lanes(&mut random, float));
        let input = input(&[
            ("R0", LaneValue::Vectors(a.clone())),
            ("R1", LaneValue::Vectors(b.clone())),
        ]);
        let output = run("float", "fragment", &input);
        check(export(&output, "PIXEL0"), |lane| {
            let ([ax, ay, az, aw], [bx, by, bz, _]) = (floats(a[lane]), floats(b[lane]));
            let (s, d) = (ax + bx, ay - by);
            let q = az * bz + -aw;
            [s, d, q, s * d + q]
        });
        check(export(&output, "PIXEL1"), |lane| {
            let [x, y, z, w] = floats(a[lane]);
            [x.floor(), y.ceil(), z.trunc(), w.round_ties_even()]
        });
        check(export(&output, "PIXEL2"), |lane| {
            let ([ax, ay, _, aw], [bx, by, ..]) = (floats(a[lane]), floats(b[lane]));
            let mut expected = [bx.abs(), ax.max(bx), ay.min(by), -aw];
            // The sign of a zero is free where both are zero.
            let found = floats(export(&output, "PIXEL2")[lane].unwrap());
            for i in [1, 2] {
                if expected[i] == 0.0 && found[i] == 0.0 {
                    expected[i] = found[i];
                }
            }
            expected
        });
    }
}

fn integer(random: &mut Random) -> u32 {
    let bits = random.word() as u32;
    (bits >> random.below(32)).max(1) ^ if random.below(4) == 0 { 0xffff_0000 } else { 0 }
}

#[test]
fn integer_arithmetic() {
    let mut random = Random(2);
    for _ in 0..20 {
        let (a, b) = (lanes(&mut random, integer), lanes(&mut random, integer));
        let input = input(&[
            ("R0", LaneValue::Vectors(a.clone())),
            ("R1", LaneValue::Vectors(b.clone())),
        ]);
        let output = run("integer", "fragment", &input);
        check_bits(export(&output, "PIXEL0"), |lane| {
            let ([ax, ay, az, _], [bx, by, bz, bw]) = (a[lane], b[lane]);
            [
                ax.wrapping_add(bx),
                ay.wrapping_sub(by),
                az.wrapping_mul(bz),
                ((ax & by) ^ bw) | 305419896,
            ]
        });
        check_bits(export(&output, "PIXEL1"), |lane| {
            let ([ax, ay, az, _], [bx, _, _, bw]) = (a[lane], b[lane]);
            let s = bw & 31;
            let min = (ax as i32).min(bx as i32) as u32;
            [ax << s, ay >> s, (az as i32 >> s) as u32, min]
        });
        check_bits(export(&output, "PIXEL2"), |lane| {
            let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a[lane], b[lane]);
            [
                ax / bx,
                ay % by,
                (az as i32).wrapping_div(bz as i32) as u32,
                (aw as i32).wrapping_rem(bw as i32) as u32,
            ]
        });
        check_bits(export(&output, "PIXEL3"), |lane| {
            let ([_, ay, _, aw], [_, by, _, bw]) = (a[lane], b[lane]);
            let f = aw as i32 as f32;
            let back = match f == 2_147_483_648.0 {
                true => 0x8000_0000,
                false => f as i32 as u32,
            };
            [f.to_bits(), (bw as f32).to_bits(), ay.max(by), back]
        });
    }
}

#[test]
fn divergent_branches() {
    let mut random = Random(3);
    for _ in 0..10 {
        let (a, mut b) = (lanes(&mut random, float), lanes(&mut random, float));
        for lane in 0..64 {
            if random.below(2) == 0 {
                b[lane][1] = a[lane][1];
            }
        }
        let input = input(&[
            ("R0", LaneValue::Vectors(a.clone())),
            ("R1", LaneValue::Vectors(b.clone())),
        ]);
        let output = run("branch", "fragment", &input);
        check(export(&output, "PIXEL0"), |lane| {
            let ([ax, ay, ..], [bx, by, ..]) = (floats(a[lane]), floats(b[lane]));
            let r = if ax < bx {
                let t1 = ax * by;
                let t2 = t1 + bx;
                let t3 = t2 * t1;
                let t4 = t3 - ay;
                let t5 = t4 * t2;
                let t6 = t5 + t4;
                if ay != by {
                    let x1 = t6 * t5;
                    let x2 = x1 + t3;
                    let x3 = x2 * x1;
                    let x4 = x3 - x2;
                    let x5 = x4 * x3;
                    (x5 + x4) * x5
                } else {
                    let y1 = t6 + 1.0;
                    let y2 = y1 * y1;
                    let y3 = y2 + t1;
                    let y4 = y3 * y2;
                    let y5 = y4 + y3;
                    y5 * y4 + y5
                }
            } else {
                let f1 = ay + by;
                let f2 = f1 * f1;
                let f3 = f2 - ax;
                let f4 = f3 * f2;
                let f5 = f4 + f3;
                let f6 = f5 * f4;
                (f6 + f5) * f6
            };
            [r, ax, bx, by]
        });
    }
}

#[test]
fn a_divergent_loop_with_two_exits() {
    let start = |lane: usize| lane as f32 * 0.5 - 3.0;
    let count = |lane: usize| (lane % 23) as f32 - 2.0;
    let a = (0..64)
        .map(|lane| [start(lane).to_bits(), count(lane).to_bits(), 0, 0])
        .collect();
    let output = run("loop", "fragment", &input(&[("R0", LaneValue::Vectors(a))]));
    check(export(&output, "PIXEL0"), |lane| {
        let n = count(lane) as i32;
        let (mut i, mut s, mut t) = (0, start(lane), 1.0);
        while i < n {
            if i & 1 == 0 {
                s *= 1.5;
                if s > 100.0 {
                    break;
                }
            } else {
                s += t;
            }
            t += 0.25;
            i += 1;
        }
        [s, t, i as f32, start(lane)]
    });
}

/// The compiler writes MOVA_INT with the number of later chips.
#[test]
fn arrays_with_an_index() {
    let mut random = Random(9);
    let a = lanes(&mut random, |random| {
        (random.below(64) as f32 - 9.5).to_bits()
    });
    let b: Vec<Vector> = (0..64)
        .map(|lane| [lane, (lane as f32 * 1.5).to_bits(), lane / 4, lane / 16])
        .collect();
    let input = input(&[
        ("R0", LaneValue::Vectors(a.clone())),
        ("R1", LaneValue::Vectors(b.clone())),
    ]);
    let output = run("array", "fragment", &input);
    check(export(&output, "PIXEL0"), |lane| {
        let first = floats(a[lane]);
        let mut array = first;
        let [i, value, j, _] = b[lane];
        array[i as usize & 3] = f32::from_bits(value);
        let loaded = array[j as usize & 3];
        [loaded + first[3], array[1], array[3], f32::from_bits(value)]
    });
}

#[test]
fn constants_of_two_buffers() {
    let mut random = Random(4);
    let a = lanes(&mut random, float);
    let buffer = |random: &mut Random| -> Vec<Vector> {
        (0..40)
            .map(|_| std::array::from_fn(|_| float(random)))
            .collect()
    };
    let (c, d) = (buffer(&mut random), buffer(&mut random));
    let input = input(&[
        ("R0", LaneValue::Vectors(a.clone())),
        ("KC0", LaneValue::Vectors(c.clone())),
        ("KC1", LaneValue::Vectors(d.clone())),
    ]);
    let output = run("kcache", "fragment", &input);
    check(export(&output, "PIXEL0"), |lane| {
        let at = |list: &[Vector], n: usize, e: usize| f32::from_bits(list[n][e]);
        std::array::from_fn(|e| {
            let x = f32::from_bits(a[lane][e]);
            (x * at(&c, 0, e) + at(&c, 1, e)) * at(&c, 17, e) + at(&d, 35, e)
        })
    });
}

#[test]
fn transcendental_functions() {
    let value = |lane: usize| [lane as f32 * 0.37 - 9.0, lane as f32 + 0.125, 0.3, -0.2];
    let direction = |lane: usize| {
        let at = lane as f32;
        [at - 31.5, 12.25 - at * 0.75, (at * 7.0) % 29.0 - 14.0, 0.5]
    };
    let bits = |v: [f32; 4]| v.map(f32::to_bits);
    let input = input(&[
        (
            "R0",
            LaneValue::Vectors((0..64).map(|l| bits(value(l))).collect()),
        ),
        (
            "R1",
            LaneValue::Vectors((0..64).map(|l| bits(direction(l))).collect()),
        ),
    ]);
    let output = run("trans", "fragment", &input);
    let near = |found: u32, expected: f64| {
        let expected = expected as f32;
        (f32::from_bits(found) - expected).abs() <= expected.abs() * 3e-7 + 1e-37
    };
    for lane in 0..64 {
        let [x, y, ..] = value(lane).map(f64::from);
        let [e, l, ..] = export(&output, "PIXEL0")[lane].unwrap();
        assert!(near(e, x.exp2()) && near(l, y.log2()), "lane {lane}");
        let [rs, rc, dot, q] = export(&output, "PIXEL1")[lane].unwrap();
        assert!(near(rs, 1.0 / y.sqrt()), "lane {lane}");
        if x > 0.0 {
            assert!(near(rc, 1.0 / x.sqrt()), "lane {lane}");
        }
        let (a, b) = (value(lane), direction(lane));
        let products: [f32; 4] = std::array::from_fn(|i| a[i] * b[i]);
        let sum = ((products[3] + products[2]) + products[1]) + products[0];
        assert_eq!(dot, sum.to_bits(), "lane {lane}");
        assert_eq!(q, (a[0] * (1.0 / a[1])).to_bits(), "lane {lane}");
        let [x, y, z, _] = direction(lane);
        let [t, s, major, face] = floats(export(&output, "PIXEL2")[lane].unwrap());
        let largest = x.abs().max(y.abs()).max(z.abs());
        assert_eq!(major.abs(), 2.0 * largest, "lane {lane}");
        // The direction comes back from face, s and t.
        let again = match face as u32 {
            0 => [major / 2.0, -t, -s],
            1 => [major / 2.0, -t, s],
            2 => [s, major / 2.0, t],
            3 => [s, major / 2.0, -t],
            4 => [s, -t, major / 2.0],
            _ => [-s, -t, major / 2.0],
        };
        assert_eq!(again, [x, y, z], "lane {lane}");
    }
}

#[test]
fn a_vertex_program() {
    let mut random = Random(5);
    let (a, b) = (lanes(&mut random, float), lanes(&mut random, float));
    let input = input(&[
        ("R1", LaneValue::Vectors(a.clone())),
        ("R2", LaneValue::Vectors(b.clone())),
    ]);
    let output = run("vertex", "vertex", &input);
    check(export(&output, "POS60"), |lane| {
        std::array::from_fn(|e| f32::from_bits(a[lane][e]) + f32::from_bits(b[lane][e]))
    });
    check_bits(export(&output, "PARAM0"), |lane| a[lane]);
    check_bits(export(&output, "PARAM1"), |lane| b[lane]);
}

#[test]
fn killed_pixels_are_not_exported() {
    let a: Vec<Vector> = (0..64)
        .map(|lane| [(lane as f32 - 30.0).to_bits(), 0, 0, 0])
        .collect();
    let output = run(
        "kill",
        "fragment",
        &input(&[("R0", LaneValue::Vectors(a.clone()))]),
    );
    for (lane, found) in export(&output, "PIXEL0").iter().enumerate() {
        assert_eq!(*found, (lane >= 30).then_some(a[lane]), "lane {lane}");
    }
}
