//! What PDS programs do, from tables in memory: shared registers before a draw, attributes before a vertex task.
//!
//! PDS programs are not in the manual. A load is four words: address low and high, `first | count << 16` in shared
//! registers, and 1 where the address is that of a buffer descriptor. An attribute descriptor is eight words of which
//! four count: address low, address high with the number of silicon's format in bits 31:16, stride, bytes.

use silicon::fragment::mask::merge;
use silicon::geometry::vertices::VertexInput;
use silicon::texture::sample::Lanes;
use silicon::texture::texel;
use silicon::{Format, Memory, SimdLevel};

use crate::regs::{self, Push, Registers};

/// Shared registers of a program, at most.
pub const SHARED: usize = 4096;
/// Loads of a table, at most.
const MOST_LOADS: u32 = 1024;
/// Bytes of an attribute descriptor.
const ATTRIBUTE_BYTES: u64 = 32;

/// A stage's registers of shared data.
#[derive(Clone, Copy, Debug)]
pub struct SharedPlace {
    /// First of the driver's words; those of the push constants' address are 4 and 5.
    pub driver: u32,
    /// Table of loads: low address, high address, length.
    pub loads: u32,
    /// Push constants.
    pub push: u32,
}

/// Of vertex programs.
pub const VERTEX: SharedPlace = SharedPlace {
    driver: regs::USC_VS_SHARED,
    loads: regs::PDS_VS_LOADS_LO,
    push: regs::USC_VS_PUSH,
};

/// Of geometry programs.
pub const GEOMETRY: SharedPlace = SharedPlace {
    driver: regs::USC_GS_SHARED,
    loads: regs::PDS_GS_LOADS_LO,
    push: regs::USC_GS_PUSH,
};

/// Of pixel programs.
pub const PIXEL: SharedPlace = SharedPlace {
    driver: regs::USC_FS_SHARED,
    loads: regs::PDS_FS_LOADS_LO,
    push: regs::USC_FS_PUSH,
};

/// Of compute programs.
pub const COMPUTE: SharedPlace = SharedPlace {
    driver: regs::USC_CS_SHARED,
    loads: regs::PDS_CS_LOADS_LO,
    push: regs::USC_CS_PUSH,
};

impl SharedPlace {
    /// The shared registers that a stage starts with. Words that are nowhere in memory are zero.
    pub fn load(&self, registers: &Registers, memory: &Memory) -> Result<Vec<u32>, String> {
        let mut shared: Vec<u32> = (0..regs::DRIVER_SHARED)
            .map(|n| registers.get(self.driver + n))
            .collect();
        let push = Push::from_word(registers.get(self.push));
        let constants = registers.address(self.driver + 4);
        put(&mut shared, push.first.into(), push.count.into(), |n| {
            memory.load(constants + 4 * n).unwrap_or(0)
        })?;
        let table = registers.address(self.loads);
        let count = registers.get(self.loads + 2);
        if count > MOST_LOADS {
            return Err(format!(
                "{count} loads to shared registers, more than {MOST_LOADS}"
            ));
        }
        for n in 0..u64::from(count) {
            let mut load = [0; 4];
            memory.load_words(table + 16 * n, &mut load);
            let at = u64::from(load[0]) | u64::from(load[1]) << 32;
            let (first, count) = (load[2] & 0xffff, load[2] >> 16);
            match load[3] {
                0 => put(&mut shared, first, count, |n| {
                    memory.load(at + 4 * n).unwrap_or(0)
                })?,
                _ => {
                    let mut buffer = [0; 4];
                    memory.load_words(at, &mut buffer);
                    let base = u64::from(buffer[0]) | u64::from(buffer[1]) << 32;
                    let bytes = u64::from(buffer[2]);
                    put(&mut shared, first, count, |n| match 4 * n + 4 <= bytes {
                        true => memory.load(base + 4 * n).unwrap_or(0),
                        false => 0,
                    })?;
                }
            }
        }
        Ok(shared)
    }
}

/// Puts words into registers.
fn put(
    shared: &mut Vec<u32>,
    first: u32,
    count: u32,
    word: impl Fn(u64) -> u32,
) -> Result<(), String> {
    let end = (first + count) as usize;
    if end > SHARED {
        return Err(format!("shared registers {first} to {end} of {SHARED}"));
    }
    if count > 0 && shared.len() < end {
        shared.resize(end, 0);
    }
    for n in 0..count {
        shared[(first + n) as usize] = word(n.into());
    }
    Ok(())
}

/// An attribute of a draw.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    base: u64,
    format: Format,
    stride: u64,
    bytes: u64,
    instanced: bool,
}

/// The attributes of a draw, in the order of the vertex inputs.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<Attribute>);

impl Attributes {
    /// From registers and their table.
    pub fn new(registers: &Registers, memory: &Memory) -> Result<Attributes, String> {
        let table = registers.address(regs::PDS_ATTRIBUTES_LO);
        let steps = registers.get(regs::PDS_ATTRIBUTE_STEP);
        let count = registers.get(regs::PDS_ATTRIBUTE_COUNT);
        if count > regs::ATTRIBUTES {
            return Err(format!("{count} attributes"));
        }
        let attribute = |n: u32| {
            let location = registers.get(regs::PDS_ATTRIBUTE_LOCATION + n) % regs::ATTRIBUTES;
            let mut words = [0; 4];
            memory.load_words(table + ATTRIBUTE_BYTES * u64::from(location), &mut words);
            let number = (words[1] >> 16) as usize;
            let format = Format::ALL.get(number).copied();
            let format = format.filter(|format| {
                !format.is_block() && format.planes().is_empty() && format.size_bytes() <= 16
            });
            Ok(Attribute {
                base: u64::from(words[0]) | u64::from(words[1] & 0xffff) << 32,
                format: format
                    .ok_or_else(|| format!("attribute {location} has format {number}"))?,
                stride: words[2].into(),
                bytes: words[3].into(),
                instanced: steps >> location & 1 == 1,
            })
        };
        (0..count)
            .map(attribute)
            .collect::<Result<_, _>>()
            .map(Attributes)
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Fetches attribute `n` of some vertices. Elements that are not wholly in the buffer read zero.
    pub fn fetch(
        &self,
        level: SimdLevel,
        memory: &Memory,
        n: usize,
        (vertices, first_instance): (&[VertexInput], u32),
        out: &mut [Lanes; 4],
    ) {
        let attribute = &self.0[n];
        let size = u64::from(attribute.format.size_bytes());
        let mut offsets = [0; 64];
        let mut inside = 0;
        for (lane, vertex) in vertices.iter().take(64).enumerate() {
            let number = match attribute.instanced {
                true => first_instance.wrapping_add(vertex.instance),
                false => vertex.index,
            };
            let offset = u64::from(number) * attribute.stride;
            if offset + size <= attribute.bytes {
                offsets[lane] = offset as u32;
                inside |= 1 << lane;
            }
        }
        let mut words = [[0; 64]; 4];
        memory.elements(attribute.base, size as u32, &offsets, words.each_mut());
        let mut values = [[0; 64]; 4];
        texel::unpack_row(level, attribute.format, &words, &mut values);
        for (row, values) in out.iter_mut().zip(&values) {
            *row = [0; 64];
            merge(level, inside, values, row);
        }
    }
}
