//! What is bound to registers: constants from uniform buffers, push constants and the driver; texture units from sets.
//!
//! Everything is read from memory when a draw is encoded, as the chip has neither descriptors nor constant buffers.
//! [R5XX 7.4, 8.10, 14]

use ::r5xx::cp::PVS_CODE;
use ::r5xx::regs::*;
use silicon::{Addr, Memory};

use super::images::{SamplerWords, TextureWords, border};
use super::interface::BYTES;
use super::packets::Packets;
use crate::codegen::{Binary, Bound, ConstantSource, DriverValue, Sampling};
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
    /// It takes the nearest texel, even if the sampler filters.
    is_nearest: bool,
    /// It has no level but the finest that the sampler takes.
    is_finest: bool,
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
            is_nearest: slots.nearest.contains(&texture.slot),
            is_finest: slots.finest.contains(&texture.slot),
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
        DriverValue::Sampling { unit, part } => {
            let found = units.iter().find(|found| found.number == unit);
            found.map_or(0.0, |unit| unit.sampling(part))
        }
        // Arguments in memory are refused, so every draw is the first of its command.
        DriverValue::DrawIndex => 0.0,
    }
}

impl Unit {
    /// The finest and the coarsest level that it takes.
    fn levels(&self) -> [u32; 2] {
        let last = TX_FORMAT0::NUM_LEVELS.get(self.texture.registers[0]);
        self.sampler.levels.map(|level| level.min(last))
    }

    /// A constant of a program: see [`Sampling`].
    fn sampling(&self, part: Sampling) -> f32 {
        let sampler = &self.sampler;
        let [less, equal, greater] = sampler.compares.map(|holds| f32::from(u8::from(holds)));
        let [finest, coarsest] = self.levels();
        let size = |axis: u8| (self.texture.size[usize::from(axis)] >> finest).max(1) as f32;
        let linear = |yes: bool| f32::from(u8::from(yes && !self.texture.is_float()));
        match part {
            Sampling::Less => less,
            Sampling::Equal => equal,
            Sampling::Greater => greater,
            Sampling::Linear => linear(sampler.is_linear()),
            Sampling::LinearLevels => linear(sampler.is_linear_between()),
            Sampling::Bias => sampler.bias(),
            Sampling::Finest => finest as f32,
            Sampling::Coarsest => coarsest as f32,
            Sampling::Levels => (TX_FORMAT0::NUM_LEVELS.get(self.texture.registers[0]) + 1) as f32,
            Sampling::Size(axis) => size(axis),
            Sampling::Texel(axis) => 1.0 / size(axis),
        }
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
    for unit in units {
        let (n, texture, sampler) = (unit.number, &unit.texture, &unit.sampler);
        enabled |= 1 << n;
        let [f0, f1, f2, offset] = texture.registers;
        let [finest, coarsest] = unit.levels();
        let limited = f0 & !TX_FORMAT0::NUM_LEVELS.bits(!0);
        let last = if unit.is_finest { finest } else { coarsest };
        let levels = TX_FORMAT0::NUM_LEVELS.bits(last);
        let [filter0, filter1] = match unit.is_nearest {
            true => sampler.nearest(),
            false => sampler.registers,
        };
        let filter = filter0 | TX_FILTER0::MAX_MIP_LEVEL.bits(finest) | TX_FILTER0::ID.bits(n);
        for (register, value) in [
            (TX_FILTER0, filter),
            (TX_FILTER1, filter1),
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
