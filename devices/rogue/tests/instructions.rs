//! Every operation of the phases on awkward values, beside a model of one lane written from the guide.
#![allow(clippy::unwrap_used)]

mod run;

use run::Run;

const END: &str = "control { nop.end } [] pad2";
const SELECT: &str = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";

/// Values that operations treat apart.
const VALUES: [u32; 24] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x4049_0fdb,
    0xc2f6_e979,
    0x3eaa_aaab,
    0x4b80_0001,
    0xcb00_0003,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffff_ffff,
    0x7fff_ffff,
    0x1234_5678,
    0x80ff_017f,
    0x0000_ff80,
];

/// Operands of lane `lane` in round `round`: every pair meets in some round.
fn operands(round: u32, lane: u32) -> [u32; 4] {
    let at = |n: u32| VALUES[(n % 24) as usize];
    let n = 32 * round + lane;
    [
        at(n),
        at(n / 24),
        at(n / 24 + 5 * n + round),
        at(7 * n + 3 * round),
    ]
}

const ROUNDS: u32 = 18;

/// Runs a group on all operands in r0 to r3 with P0 in every third lane; r4, r5 are W0, W1.
fn check(text: &str, model: impl Fn([u32; 4], bool) -> (u32, Option<u32>, Option<bool>)) {
    let program = format!("{text}\n{END}");
    let p0 = |lane: u32| lane.is_multiple_of(3);
    let mask = (0..32).fold(0u64, |mask, lane| mask | u64::from(p0(lane)) << lane);
    for round in 0..ROUNDS {
        let mut run = Run::new(&program);
        for register in 0..4 {
            run = run.lanes(&format!("r{register}"), |lane| {
                operands(round, lane)[register]
            });
        }
        run.input
            .registers
            .insert("p0".into(), isa::LaneValue::Text(format!("{mask:#x}")));
        let found = run.go();
        for lane in 0..32 {
            let s = operands(round, lane);
            let (w0, w1, test) = model(s, p0(lane));
            let lane = lane as usize;
            assert_eq!(
                format!("{:08x}", found.lane("r4", lane)),
                format!("{w0:08x}"),
                "{text} of {s:08x?}"
            );
            if let Some(w1) = w1 {
                assert_eq!(found.lane("r5", lane), w1, "{text} of {s:08x?}");
            }
            if let Some(test) = test {
                let p0 = found.mask("p0") >> lane & 1 == 1;
                assert_eq!(p0, test, "{text} of {s:08x?}");
            }
        }
    }
}

fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

fn float(bits: u32) -> f32 {
    f32::from_bits(flush(bits))
}

fn bits(x: f32) -> u32 {
    if x.is_nan() {
        0x7fc0_0000
    } else {
        flush(x.to_bits())
    }
}

/// A group with one operation of phase 0 and what it reads.
fn phase0(op: &str) -> String {
    format!("main {{ {op} }} [s0=r0, s1=r1, s2=r2, s3=c0, {SELECT}, w0=r4]")
}

#[test]
fn sums_and_products() {
    check(&phase0("fadd ft0, s0, s1"), |[a, b, ..], _| {
        (bits(float(a) + float(b)), None, None)
    });
    check(
        &phase0("fadd.sat ft0, s0.flr.abs.neg, s1.abs"),
        |[a, b, ..], _| {
            let x = -float(a).floor().abs() + float(b).abs();
            (bits(if x > 0.0 { x.min(1.0) } else { 0.0 }), None, None)
        },
    );
    check(&phase0("fmul.lp ft0, s0.neg, s1"), |[a, b, ..], _| {
        (bits(-float(a) * float(b)), None, None)
    });
    check(
        &phase0("fmad ft0, s0.neg, s1.abs.neg, s2.flr.neg"),
        |[a, b, c, _], _| {
            let product = bits_kept(-float(a) * -float(b).abs());
            (bits(product - float(c).floor()), None, None)
        },
    );
    check(&phase0("fmad ft0, s0, s1.neg, s2"), |[a, b, c, _], _| {
        (bits(bits_kept(float(a) * -float(b)) + float(c)), None, None)
    });
    let two = "main { fmul ft0, s0, s1; fmad ft1, s3, s4, s5 } [s0=r0, s1=r1, s3=r2, s4=r1, s5=r0, is0=s0, is1=ft0, is2=ft1, \
         is3=ft0, is4=ft0, is5=ft1, w0=r4, w1=r5]";
    check(two, |[a, b, c, _], _| {
        let mad = float(c) * float(b) + float(a);
        (bits(float(a) * float(b)), Some(bits(mad)), None)
    });
}

/// A product before the sum: not flushed.
fn bits_kept(x: f32) -> f32 {
    x
}

#[test]
fn functions_of_one_operand() {
    check(&phase0("frcp w0, s0"), |[a, ..], _| {
        (bits(1.0 / float(a)), None, None)
    });
    check(&phase0("frsq w0, s0"), |[a, ..], _| {
        (bits((1.0 / f64::from(float(a)).sqrt()) as f32), None, None)
    });
    check(&phase0("mbyp ft0, s0.abs.neg"), |[a, ..], _| {
        (a | 0x8000_0000, None, None)
    });
    let exact = [
        (0x3f80_0000, 0),
        (0, 0xff80_0000),
        (0x8000_0000, 0xff80_0000),
        (0xbf80_0000, 0x7fc0_0000),
    ];
    for (x, log) in exact
        .into_iter()
        .chain([(0x7f80_0000, 0x7f80_0000), (0x4180_0000, 0x4080_0000)])
    {
        let found = Run::new(&format!("{}\n{END}", phase0("flog w0, s0")))
            .set("r0", x)
            .go();
        assert_eq!(found.all("r4"), log, "{x:x}");
    }
    let exact = [
        (0, 0x3f80_0000),
        (0xff80_0000, 0),
        (0x7f80_0000, 0x7f80_0000),
        (0x4080_0000, 0x4180_0000),
    ];
    for (x, exp) in exact.into_iter().chain([(0xffff_ffff, 0x7fc0_0000)]) {
        let found = Run::new(&format!("{}\n{END}", phase0("fexp w0, s0")))
            .set("r0", x)
            .go();
        assert_eq!(found.all("r4"), exp, "{x:x}");
    }
}

/// Whether a result is within some units of the last place of a value.
fn near(found: u32, value: f64, ulps: f64) -> bool {
    let unit = f64::from(f32::EPSILON) * value.abs().max(1e-30);
    (f64::from(f32::from_bits(found)) - value).abs() <= ulps * unit
}

#[test]
fn curves_and_angles() {
    let values = [0.0f32, 0.001, 0.0031308, 0.02, 0.04, 0.5, 0.999, 1.0];
    for x in values {
        let y = f64::from(x);
        let linear = if y <= 0.04045 {
            y / 12.92
        } else {
            ((y + 0.055) / 1.055).powf(2.4)
        };
        let srgb = if y <= 0.0031308 {
            y * 12.92
        } else {
            1.055 * y.powf(1.0 / 2.4) - 0.055
        };
        for (op, value) in [("gexp", linear), ("gcmp", srgb)] {
            let group = phase0(&format!("{op} w0, s0"));
            let found = Run::new(&format!("{group}\n{END}"))
                .set("r0", x.to_bits())
                .go();
            assert!(near(found.all("r4"), value, 16.0), "{op} {x}");
        }
    }
    let sine = |function: &str| {
        format!(
            "main {{ fred.{function}.parta w0, w1, _, 0, s0, s3 }} [s0=r0, s3=c0, {SELECT}, w1=r1]\n\
             main {{ fred.{function}.partb w0, w1, p0, 0, s0, s3 }} [s0=r0, s3=r1, {SELECT}, w0=r2]\n\
             main {{ fsinc w0, p0, s0 }} [s0=r2, s3=c0, {SELECT}, w0=r3]\n\
             main {{ fmul ft0, s0, s1 }} [s0=r2, s1=r3, s3=c0, {SELECT}, w0=r4]\n{END}"
        )
    };
    for x in [
        0.0f32, 1e-6, 0.5, 1.0, 2.0, 3.0, -4.0, 100.25, -12345.678, 1e10, 3.0e38,
    ] {
        for (name, value) in [("sin", f64::from(x).sin()), ("cos", f64::from(x).cos())] {
            let found = Run::new(&sine(name)).set("r0", x.to_bits()).go();
            assert!(
                near(found.all("r4"), value, 2.5),
                "{name} {x}: {}",
                f32::from_bits(found.all("r4"))
            );
            assert_eq!(found.mask("p0"), 0xffff_ffff);
        }
    }
    for x in [0.0f32, 1e-5, 0.25, -0.75, 1.0] {
        let found = Run::new(&format!("{}\n{END}", phase0("farctanc w0, s0")))
            .set("r0", x.to_bits())
            .go();
        let ratio = if x.abs() < 1e-4 {
            1.0
        } else {
            f64::from(x).atan() / f64::from(x)
        };
        assert!(near(found.all("r4"), ratio, 1.0), "{x}");
    }
}

#[test]
fn derivatives_across_a_quad() {
    let lane = |lane: u32| (lane * lane) as f32;
    for (op, pairs) in [
        ("fdsx", [(1, 0); 4]),
        ("fdsy", [(2, 0); 4]),
        ("fdsxf", [(1, 0), (1, 0), (3, 2), (3, 2)]),
        ("fdsyf", [(2, 0), (3, 1), (2, 0), (3, 1)]),
    ] {
        let text = phase0(&format!("{op} ft0, s0.neg"));
        let found = Run::new(&format!("{text}\n{END}"))
            .lanes("r0", |n| lane(n).to_bits())
            .go();
        for n in 0..32 {
            let (there, here) = pairs[(n % 4) as usize];
            let expected = -lane(n / 4 * 4 + there) + lane(n / 4 * 4 + here);
            assert_eq!(found.lane("r4", n as usize), bits(expected), "{op} {n}");
        }
    }
}

#[test]
fn narrow_integers() {
    for (width, elements) in [(8, [3, 1, 2]), (16, [1, 0, 1])] {
        for signed in [false, true] {
            for sat in [false, true] {
                for (op, neg) in [
                    ("add", true),
                    ("mul", false),
                    ("mul", true),
                    ("mad", false),
                    ("mad", true),
                ] {
                    let name = format!("{}{op}{width}", if signed { "i" } else { "u" });
                    let third = if op == "mad" {
                        format!(", s2.neg.e{}", elements[2])
                    } else {
                        String::new()
                    };
                    let flags = (if sat { ".sat" } else { "" }, if neg { ".neg" } else { "" });
                    let text = phase0(&format!(
                        "{name}{} ft0, s0{}.e{}, s1.abs.e{}{third}",
                        flags.0, flags.1, elements[0], elements[1]
                    ));
                    check(&text, |s, _| {
                        let element = |n: usize| {
                            let raw = i64::from(s[n] >> (elements[n] * width)) & ((1 << width) - 1);
                            if signed && raw >> (width - 1) & 1 == 1 {
                                raw - (1 << width)
                            } else {
                                raw
                            }
                        };
                        let a = if neg { -element(0) } else { element(0) };
                        let (b, c) = (element(1).abs(), -element(2));
                        let value = match op {
                            "add" => a + b,
                            "mul" => a * b,
                            _ => a * b + c,
                        };
                        let (least, most) = match signed {
                            true => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
                            false => (0, (1i64 << width) - 1),
                        };
                        let value = match sat {
                            true => value.clamp(least, most),
                            false => {
                                let low = value & ((1 << width) - 1);
                                if low > most { low - (1 << width) } else { low }
                            }
                        };
                        (value as u32, None, None)
                    });
                }
            }
        }
    }
}

#[test]
fn wide_integers() {
    let group = |op: &str, test: &str| {
        format!(
            "main {{ {op}{test} }} [s0=r0, s1=r1, s2=r2, s3=r3, is0=s3, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=fte, \
             w0=r4, w1=r5]"
        )
    };
    let carry = "; tstc.u32 ftt, p0";
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let split = |sum: u64| (sum as u32, Some((sum >> 32) as u32));
    for signed in [false, true] {
        let s = if signed { "s" } else { "u" };
        check(
            &group(&format!("{s}madd64 ft0, s0, s1, s2, is0, p0"), carry),
            |[a, b, c, d], p0| {
                let product = match signed {
                    true => (i64::from(a as i32) * i64::from(b as i32)) as u64,
                    false => u64::from(a) * u64::from(b),
                };
                let sum = u128::from(product) + u128::from(pair(c, d)) + u128::from(p0);
                let (low, high) = split(sum as u64);
                (low, high, Some(sum >> 64 != 0))
            },
        );
        check(
            &group(&format!("{s}add6432 ft0, s0, s1, s2, _"), carry),
            |[a, b, c, _], _| {
                let small = if signed {
                    c as i32 as i64 as u64
                } else {
                    c.into()
                };
                let (sum, over) = pair(a, b).overflowing_add(small);
                let (low, high) = split(sum);
                (low, high, Some(over))
            },
        );
        let madd32 = phase0(&format!(
            "{s}madd32 ft0, s0.neg, s1.abs, s2, p0; tstc.u32 ftt, p0"
        ));
        check(&madd32, |[a, b, c, _], p0| {
            let b = (b as i32).wrapping_abs() as u32;
            let product = a.wrapping_neg().wrapping_mul(b);
            let sum = u64::from(product) + u64::from(c) + u64::from(p0);
            (sum as u32, None, Some(sum >> 32 != 0))
        });
        check(
            &phase0(&format!("{s}madd32 ft0, s0, s1, s2.neg, _")),
            |[a, b, c, _], _| (a.wrapping_mul(b).wrapping_sub(c), None, None),
        );
    }
    check(
        &group("add64 ft0, s0, s1, s2, is0, _", carry),
        |[a, b, c, d], _| {
            let (sum, over) = pair(a, b).overflowing_add(pair(c, d));
            let (low, high) = split(sum);
            (low, high, Some(over))
        },
    );
}

#[test]
fn tests_and_conditional_moves() {
    let types = ["f32", "u32", "s32", "u16", "s16", "u8", "s8"];
    let ops = ["z", "gz", "gez", "e", "g", "ge", "ne", "l", "le"];
    for (op, ty) in ops.iter().flat_map(|op| types.map(|ty| (*op, ty))) {
        let narrow = matches!(ty, "u16" | "s16" | "u8" | "s8");
        let element = if narrow { ".e1" } else { "" };
        let right = if ops[..3].contains(&op) {
            String::new()
        } else {
            format!(", is2{element}")
        };
        let text = format!(
            "main {{ mbyp ft0, s0; mbyp ft1, s3; tst{op}.{ty} ftt, p0, is1{element}{right}; movc w0.e0.e1.e2.e3, w1, ftt, \
             ft0, ft1 }} [s0=r0, s3=r1, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft1, is5=ft0, w0=r4, w1=r5]"
        );
        check(&text, |[a, b, ..], _| {
            let number = |x: u32| -> f64 {
                match ty {
                    "f32" => float(x).into(),
                    "u32" => x.into(),
                    "s32" => (x as i32).into(),
                    "u16" => (x >> 16).into(),
                    "s16" => ((x >> 16) as u16 as i16).into(),
                    "u8" => ((x >> 8) as u8).into(),
                    _ => ((x >> 8) as u8 as i8).into(),
                }
            };
            let (x, y) = (number(a), number(b));
            let truth = match op {
                "z" => x == 0.0,
                "gz" => x > 0.0,
                "gez" => x >= 0.0,
                "e" => x == y,
                "g" => x > y,
                "ge" => x >= y,
                "ne" => x != y,
                "l" => x < y,
                _ => x <= y,
            };
            let (w0, w1) = if truth { (a, b) } else { (b, a) };
            (w0, Some(w1), Some(truth))
        });
    }
}

/// A bitwise group of all phases with given units.
fn bitwise(mask: &str, shift: &str, count: &str, logical: &str, second: &str) -> String {
    format!(
        "bitwise {{ {mask} ft0, ft1, s0, s1; {shift}; {count}; {logical}; {second} }} \
         [s0=r0, s1=r1, s2=r2, s3=r3, s4=r1, w0=r4, w1=r5]"
    )
}

fn mask_of(width: u32, offset: u32) -> u32 {
    let ones = if width >= 32 {
        u32::MAX
    } else {
        (1 << width) - 1
    };
    if offset >= 32 { 0 } else { ones << offset }
}

fn spread(x: u32) -> u32 {
    (0..16).fold(0, |all, bit| all | (x >> bit & 1) << (2 * bit))
}

#[test]
fn units_of_bitwise_groups() {
    type Binary = fn(u32, u32) -> u32;
    let logical: [(&str, Binary); 6] = [
        ("and", |a, b| a & b),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
        ("nand", |a, b| !(a & b)),
        ("nor", |a, b| !(a | b)),
        ("xnor", |a, b| !(a ^ b)),
    ];
    for (name, op) in logical {
        for (left, right) in [("_", "_"), ("ft1", "_"), ("_", "~ft1"), ("ft1", "~ft1")] {
            let unit = format!("{name} ft4, {left}, ft2, {right}, s3");
            let text = bitwise(
                "msk",
                "byp ft2, s2",
                "cbs ft3, s2",
                &unit,
                "lsl ft5, ft4, s4",
            )
            .replace("s4=r1", "s4=c0");
            check(&text, |[a, b, c, d], _| {
                let mask = mask_of(a & 63, b & 63);
                let x = if left == "ft1" { mask & c } else { c };
                let y = if right == "~ft1" { !mask & d } else { d };
                (op(x, y), Some(c.count_ones()), None)
            });
        }
    }
    let first: [(&str, Binary); 4] = [
        ("byp ft2, s2", |_, c| c),
        ("shfl ft2, s2, s1", |b, c| spread(b) << 1 | spread(c)),
        ("rev ft2, s2", |_, c| c.reverse_bits()),
        ("lsl ft2, s2, s1", |b, c| c << (b & 31)),
    ];
    for (name, op) in first {
        let top = |x: u32| {
            if x == 0 {
                u32::MAX
            } else {
                31 - x.leading_zeros()
            }
        };
        let unit = bitwise(
            "byp",
            name,
            "ftb ft3, ft2",
            "or ft4, _, ft2, _, s3",
            "rol ft5, ft4, s4",
        );
        check(&unit, |[_, b, c, d], _| {
            let shifted = op(b, c);
            ((shifted | d).rotate_left(b & 31), Some(top(shifted)), None)
        });
    }
    type Second = fn(u32, u32, [u32; 4]) -> u32;
    fn from(value: u32, amount: u32, sign: u32) -> u32 {
        let sign = sign & 31;
        let signed = (i64::from(value) << (63 - sign)) >> (63 - sign);
        (signed >> (amount & 31)) as u32
    }
    let second: [(&str, Second); 7] = [
        ("lsl ft5, ft4, s4", |x, n, _| x << (n & 31)),
        ("shr ft5, ft4, s4", |x, n, _| x >> (n & 31)),
        ("rol ft5, ft4, s4", |x, n, _| x.rotate_left(n & 31)),
        ("asr.twb ft5, ft4, s4", |x, n, _| from(x, n, 31)),
        ("asr.pwb ft5, ft4, s4", |x, n, _| from(x, n, 15)),
        ("asr.mtb ft5, ft4, s4", |x, n, s| {
            from(x, n, s[0].wrapping_add(s[1]).wrapping_sub(1) & 63)
        }),
        ("asr.ftb ft5, ft4, s4", |x, n, s| {
            from(x, n, s[2].leading_zeros().wrapping_sub(31).wrapping_neg())
        }),
    ];
    for (name, op) in second {
        let text = bitwise(
            "msk",
            "byp ft2, s2",
            "ftb ft3, s2",
            "xor ft4, _, ft2, _, s3",
            name,
        );
        check(&text, |s, _| (op(s[2] ^ s[3], s[1], s), None, None));
    }
    for (test, source) in [("tz", "ft5"), ("tnz", "ft5"), ("tz", "ft3"), ("tnz", "ft3")] {
        let second = format!("cps ft5, p0, ft4, s4; {test} p0, {source}");
        let text = bitwise(
            "byp",
            "byp ft2, s2",
            "byp ft3, ft2",
            "byp ft4, ft1",
            &second,
        )
        .replace("s4=r1", "s4=r3");
        check(&text, |[_, b, c, d], p0| {
            let merged = d & !b | if p0 { b } else { 0 };
            let tested = if source == "ft5" { merged } else { c };
            (merged, Some(c), Some((tested == 0) == (test == "tz")))
        });
    }
    let numbers = [
        ("byp16 ft0, ft1, s0, 0x1234", 0x1234),
        ("byp32 ft0, ft1, s0, 0x89abcdef", 0x89ab_cdef),
    ];
    for (unit, number) in numbers {
        let text = format!(
            "bitwise {{ {unit}; byp ft2, s2; cbs ft3, s2; byp ft4, ft1 }} [s0=c0, s1=c0, s2=c0, s3=c0, w0=r4]"
        );
        check(&text, |_, _| (number, None, None));
    }
}
