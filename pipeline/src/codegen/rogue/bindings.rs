//! What shaders find in shared registers: addresses, and the tables of loads.

use ::rogue::regs::{
    PDS_ATTRIBUTES_LO, PDS_FS_LOADS_LO, PDS_GS_LOADS_LO, PDS_VS_LOADS_LO, USC_FS_SHARED,
    USC_GS_SHARED, USC_VS_SHARED,
};
use silicon::Addr;

use super::CONSTANTS;
use super::packets::{Stream, address};
use super::state::SCRATCH_AT;
use crate::codegen::{Binary, Bound, ConstantSource};
use crate::encode::Encoder;
use crate::ir::ResourceKind;
use crate::targets::{Bindings, Put, UserData};
use crate::upload::Result;

/// First shared register of the address of scratch memory.
const SCRATCH: u32 = 16;
/// Shared registers of descriptors.
const RESOURCE_WORDS: u32 = 8;
const SAMPLER_WORDS: u32 = 4;

/// A load: from where, first register and how many, whether a descriptor says where.
fn load(at: Addr, first: u32, count: u32, through: bool) -> [u32; 4] {
    let [low, high] = address(at);
    [low, high, first | count << 16, u32::from(through)]
}

/// Words of a uniform buffer that a program has in shared registers.
fn bank_words(binary: &Binary, bound: &Bound) -> u32 {
    match binary
        .interface
        .resources
        .get(bound.resource as usize)
        .map(|found| &found.kind)
    {
        Some(ResourceKind::Uniform { min_bytes }) => min_bytes.div_ceil(4).next_multiple_of(4),
        _ => 0,
    }
}

/// Sets what the stages of draws find.
pub(super) fn set(bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
    let [vertex, fragment] = bound.shaders;
    let geometry = bound.geometry.map(|geometry| &geometry.shader);
    let stages = [
        (Some(vertex), (USC_VS_SHARED, PDS_VS_LOADS_LO)),
        (geometry, (USC_GS_SHARED, PDS_GS_LOADS_LO)),
        (Some(fragment), (USC_FS_SHARED, PDS_FS_LOADS_LO)),
    ];
    for (binary, places) in stages {
        let Some(binary) = binary else { continue };
        let mut words = std::mem::take(&mut out.words);
        let mut put = |bytes: &[u8], align: u64| out.put(bytes, align);
        let done = stage((binary, &bound.data), places, &mut put, &mut words);
        out.words = words;
        done?;
    }
    let attributes = address(bound.data.attributes);
    Stream(&mut out.words).set(PDS_ATTRIBUTES_LO, &attributes);
    Ok(())
}

/// Sets what a stage finds: its first shared registers and the table of loads to the others have registers at `places`.
pub(super) fn stage(
    (binary, data): (&Binary, &UserData),
    (shared, loads): (u32, u32),
    put: &mut Put<'_>,
    out: &mut Vec<u32>,
) -> Result<()> {
    let table = table(data, binary, put)?;
    let words: Vec<u8> = table
        .as_flattened()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let at = match table.is_empty() {
        true => Addr(0),
        false => put(&words, 16)?,
    };
    let sets: Vec<u32> = data.sets.iter().flat_map(|set| address(*set)).collect();
    let [low, high] = address(at);
    let out = &mut Stream(out);
    out.set(shared + 4, &address(data.push_constants));
    out.set(shared + 8, &sets);
    out.set(loads, &[low, high, table.len() as u32]);
    Ok(())
}

fn table(data: &UserData, binary: &Binary, put: &mut Put<'_>) -> Result<Vec<[u32; 4]>> {
    let slots = &binary.slots;
    let place = |found: &Bound| Addr(data.sets[found.set as usize].0 + u64::from(found.offset));
    let mut table = Vec::new();
    let words = slots.constants.iter().flatten().map(|source| match source {
        Some(ConstantSource::Immediate(bits)) => *bits,
        _ => 0,
    });
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    if !bytes.is_empty() {
        let count = bytes.len() as u32 / 4;
        table.push(load(put(&bytes, 16)?, CONSTANTS.into(), count, false));
    }
    if binary.scratch_bytes > 0 {
        let at = Addr(data.push_constants.0 + SCRATCH_AT);
        table.push(load(at, SCRATCH, 2, false));
    }
    table.extend(
        slots
            .resources
            .iter()
            .map(|found| load(place(found), found.slot, RESOURCE_WORDS, false)),
    );
    table.extend(
        slots
            .samplers
            .iter()
            .map(|found| load(place(found), found.slot, SAMPLER_WORDS, false)),
    );
    table.extend(
        slots
            .banks
            .iter()
            .map(|found| load(place(found), found.slot, bank_words(binary, found), true)),
    );
    Ok(table)
}
