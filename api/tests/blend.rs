//! Every factor, equation and logic operation through real draws, against the plain equations of `silicon`.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;
use silicon::Format;
use silicon::fragment::blend::{
    Blend, Color as Rows, Equation, Factor, Logic, Operation, Range, blend,
};
use silicon::host::SimdLevel;
use silicon::texture::format::{Class, Read};

const FACTORS: [(BlendFactor, Factor); 17] = [
    (BlendFactor::Zero, Factor::Zero),
    (BlendFactor::One, Factor::One),
    (BlendFactor::Src, Factor::SrcColor),
    (BlendFactor::OneMinusSrc, Factor::OneMinusSrcColor),
    (BlendFactor::SrcAlpha, Factor::SrcAlpha),
    (BlendFactor::OneMinusSrcAlpha, Factor::OneMinusSrcAlpha),
    (BlendFactor::Dst, Factor::DstColor),
    (BlendFactor::OneMinusDst, Factor::OneMinusDstColor),
    (BlendFactor::DstAlpha, Factor::DstAlpha),
    (BlendFactor::OneMinusDstAlpha, Factor::OneMinusDstAlpha),
    (BlendFactor::SrcAlphaSaturated, Factor::SrcAlphaSaturate),
    (BlendFactor::Constant, Factor::ConstantColor),
    (BlendFactor::OneMinusConstant, Factor::OneMinusConstantColor),
    (BlendFactor::Src1, Factor::Src1Color),
    (BlendFactor::OneMinusSrc1, Factor::OneMinusSrc1Color),
    (BlendFactor::Src1Alpha, Factor::Src1Alpha),
    (BlendFactor::OneMinusSrc1Alpha, Factor::OneMinusSrc1Alpha),
];

const OPERATIONS: [(BlendOperation, Operation); 5] = [
    (BlendOperation::Add, Operation::Add),
    (BlendOperation::Subtract, Operation::Subtract),
    (BlendOperation::ReverseSubtract, Operation::ReverseSubtract),
    (BlendOperation::Min, Operation::Min),
    (BlendOperation::Max, Operation::Max),
];

const CONSTANT: Color = Color {
    r: 0.25,
    g: 0.5,
    b: 0.75,
    a: 0.375,
};

/// Colours of pixel (x, y): drawn first, and the two sources that are blended with that. Exact in every format.
const COLORS: &str = "
    fn first(p: vec2f) -> vec4f { return vec4f(1.0 - p.y, p.x, 0.5, p.x * 0.5 + p.y * 0.5); }
    fn source(p: vec2f) -> vec4f { return vec4f(p.x, p.y, 1.0 - p.x, 1.0 - p.y); }
    fn second(p: vec2f) -> vec4f { return vec4f(p.y, 0.25, p.x, 0.5 + p.x * 0.5); }
    fn place(p: vec4f) -> vec2f { return floor(p.xy) * 0.125; }
";

fn source(x: f32, y: f32) -> [f32; 4] {
    [x, y, 1.0 - x, 1.0 - y]
}

fn second(x: f32, y: f32) -> [f32; 4] {
    [y, 0.25, x, 0.5 + x * 0.5]
}

/// Values of the 64 pixels as rows of bits.
fn rows(value: impl Fn(f32, f32) -> [f32; 4]) -> Rows {
    let mut rows = [[0; 64]; 4];
    for n in 0..64 {
        let value = value((n % 8) as f32 * 0.125, (n / 8) as f32 * 0.125);
        for (row, value) in rows.iter_mut().zip(value) {
            row[n] = value.to_bits();
        }
    }
    rows
}

fn formats() -> [(TextureFormat, Format); 7] {
    use TextureFormat as F;
    [
        (F::Rgba8Unorm, Format::R8G8B8A8Unorm),
        (F::Bgra8Unorm, Format::B8G8R8A8Unorm),
        (F::Rgba8UnormSrgb, Format::R8G8B8A8Srgb),
        (F::Rgb10a2Unorm, Format::A2B10G10R10Unorm),
        (F::Rg8Snorm, Format::R8G8Snorm),
        (F::Rgba16Float, Format::R16G16B16A16Float),
        (F::Rgba32Float, Format::R32G32B32A32Float),
    ]
}

fn range(format: Format) -> Range {
    match format.class() {
        Class::Unorm => Range::Unorm,
        Class::Snorm => Range::Snorm,
        _ => Range::Float,
    }
}

/// What the equations make of texels that are there.
fn blended(format: Format, state: &Blend, old: &[u8]) -> Vec<u8> {
    let size = format.size_bytes() as usize;
    let mut dst = [[0; 64]; 4];
    for (n, texel) in old.chunks(size).enumerate() {
        for (row, value) in dst.iter_mut().zip(format.unpack(texel)) {
            row[n] = value;
        }
    }
    let plan = state.general_plan();
    let (src, src1) = (rows(source), rows(second));
    blend(
        SimdLevel::BASELINE,
        &plan,
        src.each_ref(),
        Some(src1.each_ref()),
        u64::MAX,
        &mut dst,
    );
    let mut new = vec![0; old.len()];
    for (n, texel) in new.chunks_mut(size).enumerate() {
        format.pack(dst.map(|row| row[n]), texel);
    }
    new
}

fn target(
    format: TextureFormat,
    blend: Option<BlendState>,
    write_mask: ColorWrites,
) -> ColorTargetState {
    ColorTargetState {
        format,
        blend,
        write_mask,
    }
}

/// Draws the first colours and blends the sources with them: bytes before and after.
struct Bench {
    harness: Harness,
    first: Vec<(TextureFormat, GraphicsPipeline, Vec<u8>)>,
}

impl Bench {
    /// On every device.
    fn each() -> impl Iterator<Item = Bench> {
        Harness::each().map(Bench::on)
    }

    fn on(harness: Harness) -> Bench {
        let shaders = format!(
            "{EVERYWHERE}{COLORS}
             @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                 return first(place(p));
             }}"
        );
        let first = formats()
            .into_iter()
            .map(|(format, _)| {
                let setup = Setup::format(format);
                let pipeline = harness.pipeline(&setup, &shaders);
                let bytes = harness.draw(&setup, &shaders, 3).remove(0);
                (format, pipeline, bytes)
            })
            .collect();
        Bench { harness, first }
    }

    fn check(&self, (format, row): (TextureFormat, Format), blend: BlendState, state: Blend) {
        let (_, first, old) = self.first.iter().find(|(f, ..)| *f == format).unwrap();
        let mask = ColorWrites::from_bits_truncate(state.write.into());
        let setup = Setup {
            targets: vec![target(format, Some(blend), mask)],
            ..Setup::default()
        };
        let two = [blend.color, blend.alpha].iter().any(|c| {
            c.src_factor.ref_second_blend_source() || c.dst_factor.ref_second_blend_source()
        });
        let fragment = if two {
            "enable dual_source_blending;
             struct Out { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
             @fragment fn fragment(@builtin(position) p: vec4f) -> Out {
                 return Out(source(place(p)), second(place(p)));
             }"
        } else {
            "@fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {
                 return source(place(p));
             }"
        };
        let shaders = format!("{fragment}{EVERYWHERE}{COLORS}");
        let pipeline = self.harness.pipeline(&setup, &shaders);
        let found = self.harness.record(&setup, |commands| {
            commands.bind_pipeline(first).unwrap();
            commands.draw(0..3, 0..1).unwrap();
            commands.bind_pipeline(&pipeline).unwrap();
            commands.set_blend_constant(CONSTANT).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        assert_eq!(found[0], blended(row, &state, old), "{format:?} {blend:?}");
    }
}

type Pair = (BlendFactor, Factor);

/// One component of both descriptions.
fn component(src: Pair, dst: Pair, op: (BlendOperation, Operation)) -> (BlendComponent, Equation) {
    let ours = BlendComponent {
        src_factor: src.0,
        dst_factor: dst.0,
        operation: op.0,
    };
    let plain = Equation {
        src: src.1,
        dst: dst.1,
        op: op.1,
    };
    (ours, plain)
}

fn both(
    format: Format,
    (color, plain_color): (BlendComponent, Equation),
    (alpha, plain_alpha): (BlendComponent, Equation),
    write: u8,
) -> (BlendState, Blend) {
    let plain = Blend {
        color: plain_color,
        alpha: plain_alpha,
        constant: [0.25, 0.5, 0.75, 0.375],
        write,
        range: range(format),
    };
    (BlendState { color, alpha }, plain)
}

#[test]
fn every_pair_of_factors() {
    for bench in Bench::each() {
        let formats = formats();
        for (n, src) in FACTORS.into_iter().enumerate() {
            for (m, dst) in FACTORS.into_iter().enumerate() {
                let format = formats[(n + m) % formats.len()];
                let component = component(src, dst, OPERATIONS[0]);
                // Alpha has the factors the other way round.
                let alpha = self::component(dst, src, OPERATIONS[0]);
                let (blend, state) = both(format.1, component, alpha, 15);
                bench.check(format, blend, state);
            }
        }
    }
}

#[test]
fn every_equation_in_every_format() {
    for bench in Bench::each() {
        for format in formats() {
            for (n, operation) in OPERATIONS.into_iter().enumerate() {
                // Minimum and maximum know no factors.
                let plain = n >= 3;
                let pick = |n: usize| if plain { FACTORS[1] } else { FACTORS[n] };
                let color = component(pick(4), pick(6), operation);
                let alpha = component(pick(1), pick(11), operation);
                let (blend, state) = both(format.1, color, alpha, 15);
                bench.check(format, blend, state);
            }
        }
    }
}

#[test]
fn every_write_mask() {
    for bench in Bench::each() {
        for format in formats() {
            for write in 0..16 {
                let over = component(FACTORS[4], FACTORS[5], OPERATIONS[0]);
                let (blend, state) = both(format.1, over, over, write);
                bench.check(format, blend, state);
            }
        }
    }
}

const LOGIC: [(LogicOp, &str); 16] = [
    (Logic::Clear, "0"),
    (Logic::And, "s & d"),
    (Logic::AndReverse, "s & !d"),
    (Logic::Copy, "s"),
    (Logic::AndInverted, "!s & d"),
    (Logic::NoOp, "d"),
    (Logic::Xor, "s ^ d"),
    (Logic::Or, "s | d"),
    (Logic::Nor, "!(s | d)"),
    (Logic::Equivalent, "!(s ^ d)"),
    (Logic::Invert, "!d"),
    (Logic::OrReverse, "s | !d"),
    (Logic::CopyInverted, "!s"),
    (Logic::OrInverted, "!s | d"),
    (Logic::Nand, "!(s & d)"),
    (Logic::Set, "1"),
];

fn logic(op: LogicOp, s: u8, d: u8) -> u8 {
    match op {
        Logic::Clear => 0,
        Logic::And => s & d,
        Logic::AndReverse => s & !d,
        Logic::Copy => s,
        Logic::AndInverted => !s & d,
        Logic::NoOp => d,
        Logic::Xor => s ^ d,
        Logic::Or => s | d,
        Logic::Nor => !(s | d),
        Logic::Equivalent => !(s ^ d),
        Logic::Invert => !d,
        Logic::OrReverse => s | !d,
        Logic::CopyInverted => !s,
        Logic::OrInverted => !s | d,
        Logic::Nand => !(s & d),
        Logic::Set => 0xff,
    }
}

/// Integers and normalised integers, with all components and with some.
#[test]
fn every_logic_operation() {
    for harness in Harness::each() {
        use TextureFormat as F;
        let cases = [
            (F::Rgba8Unorm, Format::R8G8B8A8Unorm, "vec4f"),
            (F::Rgb10a2Unorm, Format::A2B10G10R10Unorm, "vec4f"),
            (F::Rgba8Uint, Format::R8G8B8A8Uint, "vec4u"),
            (F::R32Uint, Format::R32Uint, "vec4u"),
            (F::Rgba16Sint, Format::R16G16B16A16Sint, "vec4i"),
            // Not touched: these are written as they are.
            (F::Rgba8UnormSrgb, Format::R8G8B8A8Srgb, "vec4f"),
            (F::Rgba16Float, Format::R16G16B16A16Float, "vec4f"),
        ];
        for (format, row, ty) in cases {
            let scale = if ty == "vec4f" { "1.0" } else { "100.0" };
            let shaders = |function: &str| {
                format!(
                    "{EVERYWHERE}{COLORS}
                 @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) {ty} {{
                     return {ty}({function}(place(p)) * {scale});
                 }}"
                )
            };
            for write in [ColorWrites::ALL, ColorWrites::GREEN | ColorWrites::ALPHA] {
                let plain = Setup::format(format);
                let old = &harness.draw(&plain, &shaders("first"), 3)[0];
                let new = &harness.draw(&plain, &shaders("source"), 3)[0];
                let first = harness.pipeline(&plain, &shaders("first"));
                let written = written_bits(row, write);
                let applies = !row.is_srgb() && row.class() != Class::Float;
                for (op, text) in LOGIC {
                    let mut setup = Setup {
                        targets: vec![target(format, None, write)],
                        ..Setup::default()
                    };
                    setup.raster.logic_op = Some(op);
                    let pipeline = harness.pipeline(&setup, &shaders("source"));
                    let found = harness.record(&setup, |commands| {
                        for pipeline in [&first, &pipeline] {
                            commands.bind_pipeline(pipeline).unwrap();
                            commands.draw(0..3, 0..1).unwrap();
                        }
                    });
                    let expected: Vec<u8> = (old.iter().zip(new).enumerate())
                        .map(|(n, (&d, &s))| {
                            let bits = written[n % written.len()];
                            let value = if applies { logic(op, s, d) } else { s };
                            value & bits | d & !bits
                        })
                        .collect();
                    assert_eq!(found[0], expected, "{format:?} {text} {write:?}");
                }
            }
        }
    }
}

/// The bits of a texel that hold components, byte by byte.
fn written_bits(format: Format, write: ColorWrites) -> Vec<u8> {
    let mut bits = 0u128;
    let mut at = 0;
    for (n, channel) in format.channels().iter().enumerate() {
        let reads = format.row().reads;
        let written =
            (0..4).any(|c| write.bits() >> c & 1 != 0 && reads[c] == Read::Channel(n as u8));
        if written {
            bits |= ((1 << channel.bits) - 1) << at;
        }
        at += u32::from(channel.bits);
    }
    bits.to_le_bytes()[..format.size_bytes() as usize].to_vec()
}

/// Eight targets of all kinds, each with blending and masks of its own.
#[test]
fn eight_targets_at_once() {
    for harness in Harness::each() {
        use TextureFormat as F;
        let over = Some(BlendState::ALPHA_BLENDING);
        let add = {
            let component = BlendComponent {
                src_factor: BlendFactor::One,
                dst_factor: BlendFactor::One,
                operation: BlendOperation::Add,
            };
            Some(BlendState {
                color: component,
                alpha: component,
            })
        };
        let all = ColorWrites::ALL;
        let setup = Setup {
            targets: vec![
                target(F::Rgba8Unorm, over, all),
                target(F::Rgba16Float, add, all),
                target(F::R32Uint, None, all),
                target(
                    F::Rgba8UnormSrgb,
                    None,
                    ColorWrites::RED | ColorWrites::BLUE,
                ),
                target(F::Rg32Float, add, ColorWrites::GREEN),
                target(F::Rgba8Sint, None, all),
                target(F::Rgb10a2Unorm, over, all),
                target(F::R8Unorm, None, ColorWrites::empty()),
            ],
            clear: Color {
                r: 1.0,
                g: 1.0,
                b: 1.0,
                a: 1.0,
            },
            ..Setup::default()
        };
        let shaders = EVERYWHERE.to_owned()
        + "struct Out {
               @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: u32, @location(3) d: vec4f,
               @location(4) e: vec2f, @location(5) f: vec4i, @location(6) g: vec4f, @location(7) h: f32,
           }
           @fragment fn fragment() -> Out {
               let half = vec4f(0.0, 0.5, 1.0, 0.5);
               return Out(half, half, 77u, half, vec2f(3.0, 4.0), vec4i(-1, 2, -3, 4), half, 0.0);
           }";
        let found = harness.draw(&setup, &shaders, 3);
        let expected: [&[u8]; 8] = [
            &[128, 191, 255, 255],
            // 1, 1.5, 2, 1.5
            &[0, 0x3c, 0, 0x3e, 0, 0x40, 0, 0x3e],
            &[77, 0, 0, 0],
            &[0, 255, 255, 255],
            // 1, 5
            &[0, 0, 0x80, 0x3f, 0, 0, 0xa0, 0x40],
            &[255, 2, 253, 4],
            // 511.5 and 767.25 of 1023, 1.0, alpha 1
            &[0, 0xfe, 0xfb, 0xff],
            &[255],
        ];
        for (n, (bytes, expected)) in found.iter().zip(expected).enumerate() {
            let texel = &bytes[..expected.len()];
            assert_eq!(texel, expected, "target {n}");
            assert!(
                bytes.chunks(expected.len()).all(|other| other == texel),
                "target {n}"
            );
        }
    }
}
