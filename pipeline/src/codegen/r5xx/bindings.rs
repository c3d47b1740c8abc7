//! What is bound to registers: constants from uniform buffers, push constants and the driver; texture units from sets.
//!
//! Everything is read from memory when a draw is encoded, as the chip has neither descriptors nor constant buffers.
//! [R5XX 7.4, 8.10, 14]

use ::r5xx::cp::PVS_CODE;
use ::r5xx::regs::*;
use silicon::{Addr, Memory};

use super::images::{Comparing, SamplerWords, TextureWords, border};
use super::interface::BYTES;
use super::packets::Packets;
use crate::codegen::{Binary, Bound, Comparison, ConstantSource, DriverValue};
use crate::encode::Encoder;
use crate::state::Viewport;
use crate::targets::Bindings;
use crate::upload::Result;

/// Sets the constants of both stages and the texture units.
pub(super) fn set(bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
    let memory = out.memory();
    let [vertex, fragment] = bound.shaders;
    let units = units(bound, fragment, memory)?;
    let vectors = constants(bound, vertex, &[], memory)?;
    let colors = constants(bound, fragment, &units, memory)?;
    let mut out = Packets(&mut out.words);
    if !vectors.is_empty() {
        out.set(VAP_PVS_STATE_FLUSH_REG, 0);
        out.set(VAP_PVS_VECTOR_INDX_REG, PVS_CODE as u32);
        out.port(VAP_PVS_VECTOR_DATA_REG, &vectors);
    }
    if !colors.is_empty() {
        out.set(GA_US_VECTOR_INDEX, GA_US_VECTOR_INDEX::TYPE.bits(1));
        out.port(GA_US_VECTOR_DATA, &colors);
    }
    textures(&units, &mut out);
    Ok(())
}

/// A texture unit.
struct Unit {
    number: u32,
    texture: TextureWords,
    sampler: SamplerWords,
}

/// Words of a descriptor.
fn descriptor(bound: &Bindings<'_>, at: &Bound, bytes: u32, memory: &Memory) -> Result<Vec<u32>> {
    let set = bound.data.sets[at.set as usize];
    words(memory, Addr(set.0 + u64::from(at.offset)), bytes / 4)
}

/// Words of memory.
pub(super) fn words(memory: &Memory, at: Addr, count: u32) -> Result<Vec<u32>> {
    let mut bytes = vec![0; 4 * count as usize];
    memory.read(at, &mut bytes)?;
    let words = bytes.as_chunks().0.iter();
    Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
}

/// The textures that a shader names, each with its sampler.
fn units(bound: &Bindings<'_>, shader: &Binary, memory: &Memory) -> Result<Vec<Unit>> {
    let slots = &shader.slots;
    let mut units = Vec::new();
    for texture in &slots.resources {
        let words = descriptor(bound, texture, BYTES.texture, memory)?;
        let mut samplers = slots.samplers.iter();
        let sampler = match samplers.find(|sampler| sampler.slot == texture.slot) {
            Some(sampler) => {
                SamplerWords::unpack(&descriptor(bound, sampler, BYTES.sampler, memory)?)
            }
            None => SamplerWords::texels(),
        };
        units.push(Unit {
            number: texture.slot,
            texture: TextureWords::unpack(&words),
            sampler,
        });
    }
    Ok(units)
}

/// The components of a shader's constants, constant 0 on.
fn constants(
    bound: &Bindings<'_>,
    shader: &Binary,
    units: &[Unit],
    memory: &Memory,
) -> Result<Vec<u32>> {
    let mut banks = Vec::new();
    for bank in &shader.slots.banks {
        let words = descriptor(bound, bank, BYTES.buffer, memory)?;
        banks.push((bank.slot, u64::from(words[0]), u64::from(words[1])));
    }
    let load = |at: u64| memory.load(at).unwrap_or(0);
    let value = |source: &ConstantSource| match *source {
        ConstantSource::Immediate(bits) => bits,
        ConstantSource::Uniform {
            bank,
            offset,
            number,
        } => {
            let found = banks.iter().find(|(slot, ..)| *slot == bank);
            let inside = found.filter(|(.., bytes)| u64::from(offset) + 4 <= *bytes);
            number.to_float(inside.map_or(0, |(_, base, _)| load(base + u64::from(offset))))
        }
        ConstantSource::Push { offset, number } => {
            number.to_float(load(bound.data.push_constants.0 + u64::from(offset)))
        }
        ConstantSource::Driver(value) => driver_value(value, &bound.viewport, units).to_bits(),
    };
    let vectors = shader.slots.constants.as_flattened().iter();
    Ok(vectors
        .map(|source| source.as_ref().map_or(0, value))
        .collect())
}

fn driver_value(value: DriverValue, viewport: &Viewport, units: &[Unit]) -> f32 {
    let [scale, offset] = transform(viewport);
    match value {
        DriverValue::ViewportScale(n) => scale[usize::from(n)],
        DriverValue::ViewportOffset(n) => offset[usize::from(n)],
        DriverValue::TextureSize { unit, component } => {
            let found = units.iter().find(|found| found.number == unit);
            found.map_or(0.0, |unit| unit.texture.size[usize::from(component)] as f32)
        }
        DriverValue::Comparison { unit, part } => {
            let found = units.iter().find(|found| found.number == unit);
            found.map_or(0.0, |unit| comparison(part, unit))
        }
        // Arguments in memory are refused, so every draw is the first of its command.
        DriverValue::DrawIndex => 0.0,
    }
}

/// A constant of a program that compares: see [`Comparison`].
fn comparison(part: Comparison, unit: &Unit) -> f32 {
    let Some((Comparing { holds }, linear)) = unit.sampler.comparison else {
        return 0.0;
    };
    let [less, equal, greater] = holds.map(|holds| f32::from(u8::from(holds)));
    match part {
        Comparison::Always => less - equal + greater,
        Comparison::AtLeast => equal - less,
        Comparison::AtMost => equal - greater,
        Comparison::Linear => f32::from(u8::from(linear)),
        Comparison::Texel(axis) => 1.0 / unit.texture.size[usize::from(axis)].max(1) as f32,
    }
}

/// Scale and offset from clip space to the window.
fn transform(v: &Viewport) -> [[f32; 3]; 2] {
    [
        [v.width / 2.0, -v.height / 2.0, v.max_depth - v.min_depth],
        [v.x + v.width / 2.0, v.y + v.height / 2.0, v.min_depth],
    ]
}

/// Registers of the units; all others are off.
fn textures(units: &[Unit], out: &mut Packets<'_>) {
    let mut enabled = 0;
    for Unit {
        number,
        texture,
        sampler,
    } in units
    {
        let n = *number;
        enabled |= 1 << n;
        let [f0, f1, f2, offset] = texture.registers;
        let [finest, coarsest] = sampler.levels;
        let last = TX_FORMAT0::NUM_LEVELS.get(f0);
        let limited = f0 & !TX_FORMAT0::NUM_LEVELS.bits(!0);
        let levels = TX_FORMAT0::NUM_LEVELS.bits(last.min(coarsest));
        let filter = sampler.registers[0]
            | TX_FILTER0::MAX_MIP_LEVEL.bits(finest.min(last))
            | TX_FILTER0::ID.bits(n);
        for (register, value) in [
            (TX_FILTER0, filter),
            (TX_FILTER1, sampler.registers[1]),
            (TX_FORMAT0, limited | levels),
            (TX_FORMAT1, f1),
            (TX_FORMAT2, f2),
            (TX_OFFSET, offset),
            (TX_BORDER_COLOR, border(texture.format, sampler.border)),
            (US_FORMAT0, texture.scale),
        ] {
            out.at(register.at(n), &[value]);
        }
    }
    out.set(TX_ENABLE, enabled);
}
