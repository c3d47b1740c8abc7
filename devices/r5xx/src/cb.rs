//! The colour block: registers to targets, blending and raster operations. [R5xx 13 "CB"]
//!
//! A target's components are those of its bits, C0 lowest; masks and constants name them blue, green, red and alpha in
//! that order. [`Target::sources`] says which channel of the fragment program each of silicon's components takes. The
//! registers have no height: the caller's is as far down as it draws. Hints that change no picture when drivers use them
//! rightly are not read: READ_ENABLE, NO_READ and DISCARD_SRC_PIXELS.

use radeon::registers::RegisterFile;
use silicon::Format;
use silicon::fragment::blend::{Blend, Equation, Factor, Logic, Operation, Range};
use silicon::fragment::output::{ColorOutput, Cut};
use silicon::fragment::surface::Cache;
use silicon::fragment::target::Target as Texels;
use silicon::texture::float;
use silicon::texture::format::{Class, Read};

use crate::formats::{self, out_fmt};
use crate::regs::*;
use crate::tiling::{Surface, Tiling};
use crate::zb::check;
use crate::{endian, ga, sc};

/// Colour buffers of the chip.
const BUFFERS: u32 = 4;

/// Fields that enable what is not executed: all must be zero.
pub const UNEXECUTED: [(&str, Field); 1] = [("RB3D_CCTL", RB3D_CCTL::CLRCMP_FLIPE_ENABLE)];

/// A channel of the fragment program's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Alpha.
    Alpha,
}

/// A bound target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its number.
    pub buffer: u32,
    /// Which output of the fragment program it takes.
    pub output: u32,
    /// How texels are stored.
    pub format: Format,
    /// What each of the format's components takes; none of those that it has not.
    pub sources: [Option<Channel>; 4],
    /// Blending.
    pub blend: Blend,
    /// A raster operation instead of blending.
    pub logic: Option<Logic>,
    /// What is dropped of wider numbers.
    pub cut: Option<Cut>,
    /// Byte address.
    pub base: u64,
    /// Where its texels lie.
    pub surface: Surface,
}

impl Target {
    /// The output that silicon writes.
    pub fn output(
        &self,
        memory: &silicon::Memory,
        surfaces: &mut Cache<Surface>,
    ) -> Result<ColorOutput, String> {
        let plane = surfaces.plane(memory, self.surface, self.base, 0)?;
        let index = self.output as usize;
        let output = ColorOutput::new(index, self.format, &self.blend, plane);
        let output = match self.logic {
            Some(logic) => output.with_logic(logic, &self.blend),
            None => output,
        };
        Ok(match self.cut {
            Some(cut) => output.with_cut(cut),
            None => output,
        })
    }
}

/// The targets of a draw that reaches down to a row, with some samples a pixel.
pub fn targets(registers: &RegisterFile, height: u32, samples: u32) -> Result<Vec<Target>, String> {
    check(registers, &UNEXECUTED)?;
    let copies = RB3D_CCTL::NUM_MULTIWRITES.read(registers);
    if copies > 0 {
        // The first output goes to all.
        let all = (0..=copies).filter(|n| mask(registers, *n) != 0);
        return all
            .map(|n| target(registers, (n, 0), height, samples))
            .collect();
    }
    let used = |n: &u32| US_OUT_FMT::OUT_FMT.nth(registers, *n) != out_fmt::UNUSED;
    // Where no component is written there may be no buffer: Mesa's driver leaves output 0 on in draws that have none.
    let used = (0..BUFFERS).filter(|n| used(n) && mask(registers, *n) != 0);
    used.map(|n| target(registers, (n, n), height, samples))
        .collect()
}

/// What the first target holds inside of the scissor, or what a resolve is written to.
pub(crate) fn shown(
    registers: &RegisterFile,
    memory: &silicon::Memory,
) -> Result<Option<Texels>, String> {
    let area = sc::area(registers)?;
    let height = area.y1.max(1) as u32;
    let samples = ga::sample_count(registers);
    let (target, base, surface) = match resolve(registers, height, samples)? {
        Some(Resolve { from, base, to, .. }) => (from, base, to),
        None => match targets(registers, height, samples)?.into_iter().next() {
            Some(target) => (target.clone(), target.base, target.surface),
            None => return Ok(None),
        },
    };
    let plane = Cache::default().plane(memory, surface, base, 0)?;
    let swaps = endian::swaps(registers)?;
    endian::turn(memory, &swaps);
    let texels = Texels::read(memory, target.format, &plane, area);
    endian::turn(memory, &swaps);
    let channel = |channel: Channel| {
        let sources = target.sources.iter();
        let place = sources.zip(0..).find(|(from, _)| **from == Some(channel));
        place.map(|(_, n)| n)
    };
    Ok(Some(Texels {
        channels: [Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha].map(channel),
        ..texels
    }))
}

/// A resolve: a draw that averages samples instead of shading. [R5xx 10.8.2]
#[derive(Clone, Debug, PartialEq)]
pub struct Resolve {
    /// The samples.
    pub from: Target,
    /// Where the averages go.
    pub base: u64,
    /// How they lie there.
    pub to: Surface,
    /// The average is of the light that encoded numbers stand for.
    pub gamma: bool,
    /// Alpha is an average too, not that of sample 0.
    pub averages_alpha: bool,
}

/// The resolve of a draw that reaches down to a row; none when the registers ask for none.
pub fn resolve(
    registers: &RegisterFile,
    height: u32,
    samples: u32,
) -> Result<Option<Resolve>, String> {
    use RB3D_AARESOLVE_CTL::*;
    if !AARESOLVE_MODE.on(registers) {
        return Ok(None);
    }
    check(registers, &UNEXECUTED)?;
    let from = target(registers, (0, 0), height, samples)?;
    let from = Target {
        format: formats::unencoded(from.format),
        ..from
    };
    let bytes = from.format.size_bytes();
    let gamma = AARESOLVE_GAMMA.on(registers);
    let is_byte = |channel: &silicon::texture::format::Channel| channel.bits == 8;
    if gamma && !from.format.channels().iter().all(is_byte) {
        let format = from.format;
        return Err(format!(
            "RB3D_AARESOLVE_CTL.AARESOLVE_GAMMA 1 of {format:?} is not executed"
        ));
    }
    let pitch = 2 * RB3D_AARESOLVE_PITCH::AARESOLVE_PITCH.read(registers);
    // The tiling of the samples' buffer is that of what they are resolved to.
    let to = Surface::new(from.surface.tiling, bytes, [pitch, height], 1)?;
    Ok(Some(Resolve {
        base: u64::from(RB3D_AARESOLVE_OFFSET.read(registers, 0) & !31),
        to,
        gamma,
        averages_alpha: AARESOLVE_ALPHA.on(registers),
        from,
    }))
}

/// The components of a buffer that are written: blue, green, red and alpha, a bit each.
fn mask(registers: &RegisterFile, n: u32) -> u32 {
    let own = RB3D_CCTL::INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE.on(registers);
    let first = if own { 4 * n } else { 0 };
    RB3D_COLOR_CHANNEL_MASK.read(registers, 0) >> first & 15
}

/// Buffer `n`, which takes an output of the fragment program.
fn target(
    registers: &RegisterFile,
    (n, from): (u32, u32),
    height: u32,
    samples: u32,
) -> Result<Target, String> {
    let of = |field: Field, independent: bool| match independent {
        true => field.nth(registers, n),
        false => field.nth(registers, 0),
    };
    let own_format = RB3D_CCTL::INDEPENDENT_COLORFORMAT_ENABLE.on(registers);
    let code = of(RB3D_COLORPITCH::COLORFORMAT, own_format);
    let output = US_OUT_FMT::OUT_FMT.nth(registers, from);
    let signs = US_OUT_FMT::OUT_SIGN.nth(registers, from);
    let format = formats::target(code, output, signs).map_err(|missing| missing.to_string())?;
    let micro = RB3D_COLORPITCH::COLORMICROTILE.nth(registers, n);
    let tiling = Tiling::new(RB3D_COLORPITCH::COLORTILE.nth(registers, n) != 0, micro)
        .ok_or_else(|| format!("RB3D_COLORPITCH{n}.COLORMICROTILE {micro} is reserved"))?;
    if US_OUT_FMT::ROUND_ADJ.nth(registers, from) != 0 {
        return Err(format!("US_OUT_FMT{from}.ROUND_ADJ 1 is not executed"));
    }
    let pitch = 2 * RB3D_COLORPITCH::COLORPITCH.nth(registers, n);
    let components = formats::target_components(format);
    let selects = [
        US_OUT_FMT::C0_SEL,
        US_OUT_FMT::C1_SEL,
        US_OUT_FMT::C2_SEL,
        US_OUT_FMT::C3_SEL,
    ];
    let masks = mask(registers, n);
    let write = (0..).zip(components).map(|(place, component)| {
        let on = component.is_some_and(|c| masks >> c & 1 == 1);
        u8::from(on) << place
    });
    let sources = components.map(|component| {
        let field = selects[usize::from(component?)];
        Some(match field.nth(registers, from) {
            0 => Channel::Alpha,
            1 => Channel::Red,
            2 => Channel::Green,
            _ => Channel::Blue,
        })
    });
    let logic = RB3D_ROPCNTL::ROP_ENABLE
        .on(registers)
        .then(|| logic(RB3D_ROPCNTL::ROP.read(registers)));
    Ok(Target {
        buffer: n,
        output: from,
        format,
        sources,
        blend: Blend {
            write: write.sum(),
            ..blend(registers, format, components)?
        },
        logic,
        cut: cut(registers, format, output)?,
        base: u64::from(RB3D_COLOROFFSET.read(registers, n) & !31),
        surface: Surface::new(tiling, format.size_bytes(), [pitch, height], samples)?,
    })
}

/// How channels of fewer than eight bits are made of an output's: its lowest bits are dropped, or it is rounded. The table of
/// the dither pattern is not in the manual. [R5xx RB3D_DITHER_CTL]
fn cut(registers: &RegisterFile, format: Format, output: u32) -> Result<Option<Cut>, String> {
    let wide = match output {
        out_fmt::C4_8 => 8,
        out_fmt::C4_10 => 10,
        _ => return Ok(None),
    };
    let [color, alpha] = [
        RB3D_DITHER_CTL::DITHER_MODE,
        RB3D_DITHER_CTL::ALPHA_DITHER_MODE,
    ];
    let mut bits = [None; 4];
    for (n, (bits, read)) in bits.iter_mut().zip(format.row().reads).enumerate() {
        let Read::Channel(channel) = read else {
            continue;
        };
        if format.channels()[usize::from(channel)].bits >= 8 {
            continue;
        }
        let field = if n == 3 { alpha } else { color };
        *bits = match field.read(registers) {
            0 => Some(wide),
            1 => None,
            2 => {
                return Err(format!(
                    "RB3D_DITHER_CTL.{} 2: the table is not given",
                    field.name
                ));
            }
            other => {
                return Err(format!(
                    "RB3D_DITHER_CTL.{} {other} is reserved",
                    field.name
                ));
            }
        };
    }
    Ok(Cut::new(format, bits))
}

/// Blending of a target; the write mask is the caller's.
fn blend(
    registers: &RegisterFile,
    format: Format,
    components: [Option<u8>; 4],
) -> Result<Blend, String> {
    use RB3D_BLENDCNTL::*;
    let range = match format.class() {
        Class::Float => Range::Float,
        Class::Snorm => Range::Snorm,
        _ => Range::Unorm,
    };
    let opaque = Blend::opaque(range);
    if !ALPHA_BLEND_ENABLE.on(registers) {
        return Ok(opaque);
    }
    let color = RB3D_BLENDCNTL.read(registers, 0);
    let alpha = match SEPARATE_ALPHA_ENABLE.on(registers) {
        true => RB3D_ABLENDCNTL.read(registers, 0),
        false => color,
    };
    // Constants in the order of the bits.
    let [ar, gb] = [RB3D_CONSTANT_COLOR_AR, RB3D_CONSTANT_COLOR_GB].map(|r| r.read(registers, 0));
    let number = |bits: u32| match range {
        Range::Float => f32::from_bits(float::from_f16(bits & 0xffff)),
        _ => (bits & 0x3ff) as f32 / 1023.0,
    };
    let constants = [gb, gb >> 16, ar, ar >> 16].map(number);
    // Fixed-point numbers are clamped anyway.
    let clamps = [color, alpha].map(|word| matches!(COMB_FCN.get(word), 0 | 2 | 6));
    let range = match (range, clamps) {
        (Range::Float, [true, true]) => Range::Saturated,
        (Range::Float, [false, false]) => range,
        (Range::Float, _) => {
            return Err(
                "RB3D_BLENDCNTL.COMB_FCN clamps colour or alpha of floats alone, which is not executed"
                    .into(),
            );
        }
        _ => range,
    };
    Ok(Blend {
        range,
        color: equation(color)?,
        alpha: equation(alpha)?,
        constant: components.map(|c| c.map_or(0.0, |c| constants[usize::from(c & 3)])),
        ..opaque
    })
}

fn equation(word: u32) -> Result<Equation, String> {
    use RB3D_BLENDCNTL::*;
    let function = COMB_FCN.get(word);
    let codes = [SRCBLEND, DESTBLEND].map(|field| field.get(word));
    let (src, dst) = match codes {
        // Of the source alone; the destination's factor is the other.
        [12, _] => (Factor::SrcAlpha, Factor::OneMinusSrcAlpha),
        [13, _] => (Factor::OneMinusSrcAlpha, Factor::SrcAlpha),
        [src, dst] => {
            let factor = |field: Field, code: u32| {
                factor(code)
                    .ok_or_else(|| format!("RB3D_BLENDCNTL.{} {code} is reserved", field.name))
            };
            (factor(SRCBLEND, src)?, factor(DESTBLEND, dst)?)
        }
    };
    let op = match function {
        0 | 1 => Operation::Add,
        2 | 3 => Operation::Subtract,
        4 => Operation::Min,
        5 => Operation::Max,
        _ => Operation::ReverseSubtract,
    };
    Ok(Equation { src, dst, op })
}

/// A factor: the codes of Direct3D up to 11, those of OpenGL from 32 on.
fn factor(code: u32) -> Option<Factor> {
    Some(match code {
        1 | 32 => Factor::Zero,
        2 | 33 => Factor::One,
        3 | 34 => Factor::SrcColor,
        4 | 35 => Factor::OneMinusSrcColor,
        5 | 38 => Factor::SrcAlpha,
        6 | 39 => Factor::OneMinusSrcAlpha,
        7 | 40 => Factor::DstAlpha,
        8 | 41 => Factor::OneMinusDstAlpha,
        9 | 36 => Factor::DstColor,
        10 | 37 => Factor::OneMinusDstColor,
        11 | 42 => Factor::SrcAlphaSaturate,
        43 => Factor::ConstantColor,
        44 => Factor::OneMinusConstantColor,
        45 => Factor::ConstantAlpha,
        46 => Factor::OneMinusConstantAlpha,
        _ => return None,
    })
}

/// A raster operation: bit `2 * source + destination` of the code is the result.
fn logic(code: u32) -> Logic {
    match code & 15 {
        0x0 => Logic::Clear,
        0x1 => Logic::Nor,
        0x2 => Logic::AndInverted,
        0x3 => Logic::CopyInverted,
        0x4 => Logic::AndReverse,
        0x5 => Logic::Invert,
        0x6 => Logic::Xor,
        0x7 => Logic::Nand,
        0x8 => Logic::And,
        0x9 => Logic::Equivalent,
        0xa => Logic::NoOp,
        0xb => Logic::OrInverted,
        0xc => Logic::Copy,
        0xd => Logic::OrReverse,
        0xe => Logic::Or,
        _ => Logic::Set,
    }
}
