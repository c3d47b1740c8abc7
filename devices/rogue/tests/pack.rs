//! Every format of PCK and UNPCK beside exact arithmetic in double precision.
#![allow(clippy::unwrap_used)]

mod run;

use rogue::isa::Format;
use run::Run;

const END: &str = "control { nop.end } [] pad2";

/// Components of a format: first bit, width, kind.
fn fields(format: Format) -> Vec<(u32, u32, char)> {
    let widths: &[(u32, char)] = match format {
        Format::U8888 => &[(8, 'u'); 4],
        Format::S8888 => &[(8, 's'); 4],
        Format::O8888 => &[(8, 'o'); 4],
        Format::U1616 => &[(16, 'u'); 2],
        Format::S1616 => &[(16, 's'); 2],
        Format::O1616 => &[(16, 'o'); 2],
        Format::U1010102 => &[(10, 'u'), (10, 'u'), (10, 'u'), (2, 'u')],
        Format::S1010102 => &[(10, 's'), (10, 's'), (10, 's'), (2, 's')],
        Format::U111110 => &[(11, 'u'), (11, 'u'), (10, 'u')],
        Format::S111110 => &[(11, 's'), (11, 's'), (10, 's')],
        Format::D24S8 => &[(24, 'u'), (8, 'i')],
        Format::S8D24 => &[(8, 'i'), (24, 'u')],
        Format::U565U565 => &[(5, 'u'), (6, 'u'), (5, 'u'), (5, 'u')],
        Format::S8888OGL => &[(8, 'g'); 4],
        Format::S1616OGL => &[(16, 'g'); 2],
        _ => &[],
    };
    let mut at = 0;
    let fields = widths.iter().map(|(width, kind)| {
        at += width;
        (at - width, *width, *kind)
    });
    fields.collect()
}

/// Nearest integer, ties to even, or towards zero.
fn rounded(x: f64, zero: bool) -> i64 {
    if zero {
        x.trunc() as i64
    } else {
        x.round_ties_even() as i64
    }
}

fn packed(x: f32, (_, width, kind): (u32, u32, char), scale: bool, zero: bool) -> u32 {
    let x = if x.is_nan() { 0.0 } else { f64::from(x) };
    let scale = scale && kind != 'i';
    let unsigned = matches!(kind, 'u' | 'i');
    let most = if unsigned {
        (1i64 << width) - 1
    } else {
        (1i64 << (width - 1)) - 1
    };
    let least = if unsigned { 0 } else { -most - 1 };
    let number = match (scale, kind) {
        (true, 'g') => {
            let y = (x.clamp(-1.0, 1.0) * ((1i64 << width) - 1) as f64 - 1.0) / 2.0;
            rounded(f64::from(y as f32), zero).clamp(least, most)
        }
        (true, _) => rounded(
            x.clamp(if unsigned { 0.0 } else { -1.0 }, 1.0) * most as f64,
            zero,
        ),
        (false, _) => rounded(x.clamp(-1e10, 1e10), zero).clamp(least, most),
    };
    let number = if kind == 'o' {
        number + (1 << (width - 1))
    } else {
        number
    };
    number as u32 & ((1u64 << width) - 1) as u32
}

fn unpacked(word: u32, (at, width, kind): (u32, u32, char), scale: bool) -> f32 {
    let raw = i64::from(word >> at) & ((1 << width) - 1);
    let half = 1i64 << (width - 1);
    let number = match kind {
        'u' | 'i' => raw,
        'o' => raw - half,
        _ => {
            if raw >= half {
                raw - 2 * half
            } else {
                raw
            }
        }
    };
    match (scale, kind) {
        (true, 'u') => number as f32 / ((1i64 << width) - 1) as f32,
        (true, 's' | 'o') => (number as f32 / (half - 1) as f32).max(-1.0),
        (true, 'g') => (2 * number + 1) as f32 / ((1i64 << width) - 1) as f32,
        _ => number as f32,
    }
}

fn values() -> Vec<f32> {
    let mut values = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        0.25,
        1.5,
        -2.0,
        2.5,
        254.5,
        255.5,
        1e9,
        -1e9,
        0.001_953,
        0.499_999_97,
        1e-40,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        127.5,
        128.5,
        -128.5,
        65535.5,
    ];
    values.extend((0..40).map(|n| (n as f32 * 0.617).sin()));
    values.truncate(64);
    values
}

fn pck(format: Format, flags: &str, repeat: usize) -> String {
    let repeated = if repeat > 1 {
        format!("rpt{repeat} ")
    } else {
        String::new()
    };
    format!(
        "{repeated}main {{ pck.{}{flags} ft2, is3 }} [s0=r0, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=fte, is4=ft2, is5=ft0, \
         w0=r8]\n{END}",
        format.name()
    )
}

fn unpck(format: Format, flags: &str, element: usize) -> String {
    format!(
        "main {{ unpck.{}{flags} ft0, s0.e{element} }} [s0=r0, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, \
         w0=r8]\n{END}",
        format.name()
    )
}

#[test]
fn integer_formats_pack_and_unpack() {
    let values = values();
    for &format in Format::ALL {
        let fields = fields(format);
        if fields.is_empty() {
            continue;
        }
        let repeat = usize::from(format.max_repeat()).min(fields.len());
        for (scale, zero) in [(false, false), (true, false), (false, true), (true, true)] {
            let flags = [
                if scale { ".scale" } else { "" },
                if zero { ".roundzero" } else { "" },
            ]
            .concat();
            let mut run = Run::new(&pck(format, &flags, repeat)).tasks(2);
            for n in 0..repeat {
                run = run.lanes(&format!("r{n}"), |lane| {
                    values[(lane as usize + 7 * n) % 64].to_bits()
                });
            }
            let found = run.go();
            for lane in 0..64 {
                let expected = (0..repeat).fold(0, |word, n| {
                    word | packed(values[(lane + 7 * n) % 64], fields[n], scale, zero)
                        << fields[n].0
                });
                let word = found.lane("r8", lane);
                assert_eq!(
                    format!("{word:08x}"),
                    format!("{expected:08x}"),
                    "{format:?}{flags} {lane}"
                );
            }
        }
        for (element, field) in fields.iter().enumerate().take(4) {
            for scale in [false, true] {
                let flags = if scale { ".scale" } else { "" };
                let word = |lane: u32| {
                    lane.wrapping_mul(0x9e37_79b9) ^ if lane == 5 { 0x8080_8080 } else { 0 }
                };
                let found = Run::new(&unpck(format, flags, element))
                    .tasks(2)
                    .lanes("r0", word)
                    .go();
                for lane in 0..64u32 {
                    let expected = unpacked(word(lane), *field, scale);
                    let value = f32::from_bits(found.lane("r8", lane as usize));
                    assert_eq!(
                        value,
                        expected,
                        "{format:?}{flags} e{element} of {:08x}",
                        word(lane)
                    );
                }
            }
        }
    }
}

#[test]
fn one_component_goes_everywhere() {
    let found = Run::new(&pck(Format::U8888, ".scale", 1))
        .set("r0", 0.2f32.to_bits())
        .go();
    assert_eq!(found.all("r8"), 0x3333_3333);
    let found = Run::new(&pck(Format::U1010102, "", 1))
        .set("r0", 2f32.to_bits())
        .go();
    assert_eq!(found.all("r8"), 2 | 2 << 10 | 2 << 20 | 2 << 30);
}

#[test]
fn formats_of_floats() {
    let half = Run::new(&pck(Format::F16F16, "", 2))
        .set("r0", 1.5f32.to_bits())
        .set("r1", (-0.1f32).to_bits())
        .go();
    assert_eq!(half.all("r8"), 0xae66_3e00);
    let zero = Run::new(&pck(Format::F16F16, ".roundzero", 2))
        .set("r1", 0.1f32.to_bits())
        .go();
    assert_eq!(zero.all("r8"), 0x2e66_0000);
    for (element, value) in [(0, 1.5f32), (1, -0.099_975_586)] {
        let found = Run::new(&unpck(Format::F16F16, "", element))
            .set("r0", 0xae66_3e00)
            .go();
        assert_eq!(f32::from_bits(found.all("r8")), value);
    }
    let rgb = |run: Run| {
        run.set("r0", 1f32.to_bits())
            .set("r1", 0.5f32.to_bits())
            .set("r2", 4f32.to_bits())
    };
    let small = rgb(Run::new(&pck(Format::F111110, "", 3))).go().all("r8");
    assert_eq!(small, 0x3c0 | 0x380 << 11 | 0x220 << 22);
    let shared = rgb(Run::new(&pck(Format::SE9995, "", 3))).go().all("r8");
    assert_eq!(shared, 64 | 32 << 9 | 256 << 18 | 18 << 27);
    let tens = rgb(Run::new(&pck(Format::F10F10F10F2, "", 4)))
        .set("r3", 3f32.to_bits())
        .go()
        .all("r8");
    assert_eq!(tens, 0x1e0 | 0x1c0 << 10 | 0x220 << 20 | 3 << 30);
    for (format, word) in [
        (Format::F111110, small),
        (Format::SE9995, shared),
        (Format::F10F10F10F2, tens),
    ] {
        for (element, value) in [1f32, 0.5, 4.0].into_iter().enumerate() {
            let found = Run::new(&unpck(format, "", element)).set("r0", word).go();
            assert_eq!(
                f32::from_bits(found.all("r8")),
                value,
                "{format:?} e{element}"
            );
        }
    }
}

#[test]
fn whole_words_and_constants() {
    for (flags, x, signed, unsigned) in [
        ("", 2.5f32, 2, 2),
        ("", -3.5, -4, 0),
        (".roundzero", -3.9, -3, 0),
        (".roundzero", 4e9, i32::MAX, 4_000_000_000),
        ("", f32::NAN, 0, 0),
        ("", 1e30, i32::MAX, u32::MAX),
    ] {
        let found = Run::new(&pck(Format::S32, flags, 1))
            .set("r0", x.to_bits())
            .go();
        assert_eq!(found.all("r8") as i32, signed, "{x}");
        let found = Run::new(&pck(Format::U32, flags, 1))
            .set("r0", x.to_bits())
            .go();
        assert_eq!(found.all("r8"), unsigned, "{x}");
    }
    for (format, flags, value) in [
        (Format::U32, "", 4_294_967_295f32),
        (Format::U32, ".scale", 4_294_967_040.0),
        (Format::S32, "", -1.0),
    ] {
        let found = Run::new(&unpck(format, flags, 0)).set("r0", u32::MAX).go();
        assert_eq!(f32::from_bits(found.all("r8")), value);
    }
    assert_eq!(
        Run::new(&pck(Format::F32, "", 1))
            .set("r0", 1)
            .go()
            .all("r8"),
        1
    );
    assert_eq!(
        Run::new(&unpck(Format::F32MASK, "", 0))
            .set("r0", 0x8000_0005)
            .go()
            .all("r8"),
        5
    );
    assert_eq!(
        Run::new(&pck(Format::COV, "", 1))
            .set("r0", 0.5f32.to_bits())
            .go()
            .all("r8"),
        u32::MAX
    );
    let constant = |name: &str| {
        pck(Format::F32, "", 1).replace("pck.f32 ft2, is3", &format!("pck.{name} ft2"))
    };
    assert_eq!(Run::new(&constant("const1")).go().all("r8"), 1f32.to_bits());
    assert_eq!(Run::new(&constant("const0")).go().all("r8"), 0);
}

#[test]
fn components_unpack_to_consecutive_registers() {
    let text = unpck(Format::U8888, "", 0).replace("main {", "rpt4 main {");
    let found = Run::new(&text).set("r0", 0x0403_0201).go();
    for n in 0..4 {
        assert_eq!(
            f32::from_bits(found.all(&format!("r{}", 8 + n))),
            (n + 1) as f32
        );
    }
}
