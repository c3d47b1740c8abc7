//! Loads and stores by texel number, without a sampler.

use super::prepared::LevelInfo;
use super::reference::{lanes, output};
use super::{Dim, LANES, Lanes, PreparedTexture, Taps};
use crate::block;
use crate::level::Level;
use crate::memory::Memory;
use crate::texel::{pack_row_as, unpack_row_as};

/// Which texels one load, store or atomic instruction of a wave touches. Numbers are unsigned; rows left out count
/// as zero. What is out of range is not touched.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Lanes that take part.
    pub exec: u64,
    /// Column.
    pub x: &'a Lanes,
    /// Row; ignored by 1D textures.
    pub y: &'a Lanes,
    /// Slice of a 3D texture, layer of an array, 6 * layer + face of a cube.
    pub slice: Option<&'a Lanes>,
    /// Level, relative to the first of the view.
    pub level: Option<&'a Lanes>,
    /// Sample.
    pub sample: Option<&'a Lanes>,
}

struct Place<'a> {
    level: &'a LevelInfo,
    at: [u32; 3],
    sample: u32,
}

fn place<'a>(texture: &'a PreparedTexture, access: &Access, lane: usize) -> Option<Place<'a>> {
    let number = |row: Option<&Lanes>| row.map_or(0, |row| row[lane]);
    let index = number(access.level);
    if index > texture.last_level as u32 {
        return None;
    }
    let level = &texture.levels[index as usize];
    let y = if texture.dim == Dim::D1 {
        0
    } else {
        access.y[lane]
    };
    let at = [access.x[lane], y, number(access.slice)];
    let slices = match texture.dim {
        Dim::D3 => level.size[2] as u32,
        Dim::Cube => 6 * texture.layers,
        _ => texture.layers,
    };
    let sample = number(access.sample);
    let inside = at[0] < level.size[0] as u32
        && at[1] < level.size[1] as u32
        && at[2] < slices
        && sample < texture.samples;
    inside.then_some(Place { level, at, sample })
}

/// Byte addresses of texels (of blocks, when compressed). Returns the lanes whose texel exists; the others keep what
/// `addresses` holds.
pub fn addresses(texture: &PreparedTexture, access: &Access, addresses: &mut [u64; LANES]) -> u64 {
    let mut found = 0;
    for lane in lanes(access.exec) {
        if let Some(Place { level, at, sample }) = place(texture, access, lane) {
            let block = [at[0] / texture.block.0, at[1] / texture.block.1, at[2]];
            addresses[lane] = texture.address(level, block, sample);
            found |= 1 << lane;
        }
    }
    found
}

/// Reads texels; lanes outside the texture get zeros.
pub fn load(memory: &Memory, texture: &PreparedTexture, access: &Access, out: &mut [Lanes; 4]) {
    let mut at = [0; LANES];
    let found = addresses(texture, access, &mut at);
    let mut words = [[0; LANES]; 4];
    gather_words(memory, texture.element_bytes, found, &at, &mut words);
    let mut values = [[0; LANES]; 4];
    if let Taps::Block(_) | Taps::BlockBytes(_) = texture.taps {
        let (bw, bh) = texture.block;
        for lane in lanes(found) {
            let words = [0, 1, 2, 3].map(|w: usize| words[w][lane]);
            let (x, y) = (access.x[lane] % bw, access.y[lane] % bh);
            let value = block::value(texture.format, words, x, y);
            for c in 0..4 {
                values[c][lane] = value[c];
            }
        }
    } else {
        let level = Level::current();
        unpack_row_as(level, texture.format, texture.reading, &words, &mut values);
    }
    for lane in lanes(access.exec) {
        let inside = found >> lane & 1 != 0;
        let value = [0, 1, 2, 3].map(|c: usize| values[c][lane]);
        let result = if inside {
            output(texture, value, false)
        } else {
            [0; 4]
        };
        for c in 0..4 {
            out[c][lane] = result[c];
        }
    }
}

/// Reads the words of texels as they are stored, without conversion; lanes outside the texture get zeros.
pub fn load_words(
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
    out: &mut [Lanes; 4],
) {
    let mut at = [0; LANES];
    let found = addresses(texture, access, &mut at);
    let mut words = [[0; LANES]; 4];
    gather_words(memory, texture.element_bytes, found, &at, &mut words);
    for lane in lanes(access.exec) {
        for (o, w) in out.iter_mut().zip(&words) {
            o[lane] = w[lane];
        }
    }
}

/// Writes texels of a format without blocks, in lane order; lanes outside the texture write nothing.
pub fn store(memory: &Memory, texture: &PreparedTexture, access: &Access, values: &[Lanes; 4]) {
    if texture.format.is_block() {
        return;
    }
    let mut words = [[0; LANES]; 4];
    let level = Level::current();
    pack_row_as(level, texture.format, texture.reading, values, &mut words);
    store_words(memory, texture, access, &words);
}

/// Writes the words of texels as they are given, without conversion.
pub fn store_words(
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
    words: &[Lanes; 4],
) {
    let mut at = [0; LANES];
    let found = addresses(texture, access, &mut at);
    let bytes = texture.element_bytes;
    for lane in lanes(found) {
        let address = at[lane];
        // Outside video memory nothing is written.
        if bytes == 3 {
            // May lie in two words.
            for (address, byte) in (address..).zip(&words[0][lane].to_le_bytes()[..3]) {
                let _ = memory.store_byte(address, *byte);
            }
        } else if bytes < 4 {
            let shift = 8 * (address & 3);
            let mask = (1u32 << (8 * bytes)) - 1;
            let _ = memory.merge(address, mask << shift, (words[0][lane] & mask) << shift);
        } else {
            for (i, row) in words.iter().enumerate().take(bytes as usize / 4) {
                let _ = memory.store(address + 4 * i as u64, row[lane]);
            }
        }
    }
}

/// Reads elements of `bytes` bytes in the lanes of `mask`; what is outside memory reads as zero.
pub(super) fn gather_words(
    memory: &Memory,
    bytes: u32,
    mask: u64,
    at: &[u64; LANES],
    words: &mut [Lanes; 4],
) {
    for lane in lanes(mask) {
        let address = at[lane];
        if bytes == 3 {
            let byte = |n: u64| u32::from(memory.load_byte(address + n).unwrap_or(0));
            words[0][lane] = byte(0) | byte(1) << 8 | byte(2) << 16;
        } else if bytes < 4 {
            let word = memory.load(address).unwrap_or(0) >> (8 * (address & 3));
            words[0][lane] = word & ((1 << (8 * bytes)) - 1);
        } else {
            for (i, row) in words.iter_mut().enumerate().take(bytes as usize / 4) {
                row[lane] = memory.load(address + 4 * i as u64).unwrap_or(0);
            }
        }
    }
}
