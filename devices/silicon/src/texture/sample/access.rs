//! Loads and stores by texel number, without a sampler.

use super::prepared::LevelInfo;
use super::reference::lanes;
use super::stages;
use super::{Dim, LANES, Lanes, PreparedTexture, Taps};
use crate::memory::{Memory, look_up};
use crate::texture::block;
use crate::texture::format::Read;
use crate::texture::texel::{pack_row_as, unpack_row_as};
use host::{SimdLevel, per_level};

/// Texels of one load, store or atomic of a wave. Numbers are unsigned; missing rows are zero; out-of-range texels are
/// not touched.
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

/// Byte address of the texel or block of one lane, if there is one.
pub(super) fn address(texture: &PreparedTexture, access: &Access, lane: usize) -> Option<u64> {
    let number = |row: Option<&Lanes>| row.map_or(0, |row| row[lane]);
    let index = number(access.level);
    if index > texture.last_level as u32 {
        return None;
    }
    let level = &texture.levels[index as usize];
    let y = match texture.dim {
        Dim::D1 => 0,
        _ => access.y[lane],
    };
    let at = [access.x[lane], y, number(access.slice)];
    let sample = number(access.sample);
    let inside = at[0] < level.size[0] as u32
        && at[1] < level.size[1] as u32
        && at[2] < slices(texture, level)
        && sample < texture.samples;
    let block = [at[0] / texture.block.0, at[1] / texture.block.1, at[2]];
    inside.then(|| texture.address(level, block, sample))
}

/// Slices, layers or faces of a level.
fn slices(texture: &PreparedTexture, level: &LevelInfo) -> u32 {
    match texture.dim {
        Dim::D3 => level.size[2] as u32,
        Dim::Cube => 6 * texture.layers,
        _ => texture.layers,
    }
}

/// Byte addresses of texels (of blocks, when compressed). Returns the lanes whose texel exists; the others get the base
/// of the texture.
pub fn addresses(texture: &PreparedTexture, access: &Access, addresses: &mut [u64; LANES]) -> u64 {
    let mut at = [0; LANES];
    let found = offsets(texture, access, &mut at);
    for (address, offset) in addresses.iter_mut().zip(&at) {
        *address = texture.base + u64::from(*offset);
    }
    found
}

/// The same as offsets from the base of the texture.
fn offsets(texture: &PreparedTexture, access: &Access, out: &mut Lanes) -> u64 {
    let uniform = match access.level {
        None => Some(0),
        Some(row) => {
            let first = row[access.exec.trailing_zeros() as usize % LANES];
            let same = lanes(access.exec).all(|lane| row[lane] == first);
            (same && first <= texture.last_level as u32).then_some(first)
        }
    };
    if let (Some(index), (1, 1)) = (uniform, texture.block) {
        return access.exec & offsets_in(texture, access, index as usize, out);
    }
    *out = [0; LANES];
    let mut found = 0;
    for lane in lanes(access.exec) {
        if let Some(address) = address(texture, access, lane) {
            out[lane] = (address - texture.base) as u32;
            found |= 1 << lane;
        }
    }
    found
}

/// The same for one level of an uncompressed texture; lanes whose texel exists, enabled or not.
fn offsets_in(texture: &PreparedTexture, access: &Access, index: usize, out: &mut Lanes) -> u64 {
    const NONE: &Lanes = &[0; LANES];
    let level = SimdLevel::current();
    let info = &texture.levels[index % texture.levels.len()];
    let y = match texture.dim {
        Dim::D1 => NONE,
        _ => access.y,
    };
    let [tx, ty, tz] = &texture.tables;
    let [sx, sy, sz] = info.start;
    let [width, height, _] = info.size.map(|size| size as u32);
    // Numbers, how many there are, and where their table begins; slice and sample 0 of one add nothing unless tables
    // say so.
    let axes = [
        (access.x, width, tx, sx),
        (y, height, ty, sy),
        (access.slice.unwrap_or(NONE), slices(texture, info), tz, sz),
        (
            access.sample.unwrap_or(NONE),
            texture.samples,
            &texture.sample_table,
            info.start_sample,
        ),
    ];
    let mut outside = [0; LANES];
    let mut entries = [[0; LANES]; 2];
    let xor = [info.xor; LANES];
    for (axis, (row, count, table, start)) in axes.into_iter().enumerate() {
        let mut at = [0; LANES];
        within(level, row, count, start, &mut at, &mut outside);
        match axis {
            0 | 1 => look_up(table, &at, &mut entries[axis]),
            _ => {
                let mut entry = [0; LANES];
                look_up(table, &at, &mut entry);
                stages::join(level, &entry, &xor, &mut entries[1]);
            }
        }
    }
    let base = [info.base; LANES];
    stages::combine(level, &entries[0], &entries[1], &base, &xor, out);
    inside(level, &outside, out)
}

per_level! {
    /// Maps numbers to entries of a table at `start`; numbers from `count` on go to its start and are marked.
    fn within<'a>(row: &'a Lanes, count: u32, start: u32, at: &'a mut Lanes, outside: &'a mut Lanes) {
        for l in 0..LANES {
            let exists = row[l] < count;
            at[l] = start + if exists { row[l] } else { 0 };
            outside[l] |= u32::from(!exists);
        }
    }

    /// Lanes that were not marked; the others get offset 0.
    fn inside<'a>(outside: &'a Lanes, offsets: &'a mut Lanes) -> u64 {
        let mut found = 0u64;
        for l in 0..LANES {
            offsets[l] = if outside[l] == 0 { offsets[l] } else { 0 };
            found |= u64::from(outside[l] == 0) << l;
        }
        found
    }
}

/// Reads texels; lanes outside the texture get zeros.
pub fn load(memory: &Memory, texture: &PreparedTexture, access: &Access, out: &mut [Lanes; 4]) {
    let level = SimdLevel::current();
    let mut at = [0; LANES];
    let found = offsets(texture, access, &mut at);
    let mut words = [[0; LANES]; 4];
    gather_words(memory, texture, found, &at, &mut words);
    let mut values = [[0; LANES]; 4];
    if let Taps::Block(_) | Taps::BlockBytes(_) = texture.taps {
        let (bw, bh) = texture.block;
        let mut recent = block::Recent::default();
        for lane in lanes(found) {
            let words = [0, 1, 2, 3].map(|w: usize| words[w][lane]);
            let (x, y) = (access.x[lane] % bw, access.y[lane] % bh);
            let value = match texture.block {
                (4, 4) => {
                    let decode = || block::all_values(texture.format, words);
                    let texels = recent.block(at[lane], texture.element_bytes, decode);
                    texels[(4 * y + x) as usize]
                }
                _ => block::value(texture.format, words, x, y),
            };
            for c in 0..4 {
                values[c][lane] = value[c];
            }
        }
    } else {
        unpack_row_as(level, texture.format, texture.reading, &words, &mut values);
    }
    let one = [texture.class.one(); LANES];
    for (out, read) in out.iter_mut().zip(texture.outputs) {
        let row = match read {
            Read::Channel(c) => &values[c as usize & 3],
            Read::Zero => &[0; LANES],
            Read::One => &one,
        };
        stages::merge(level, access.exec & found, row, out);
        if access.exec & !found != 0 {
            stages::merge(level, access.exec & !found, &[0; LANES], out);
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
    let found = offsets(texture, access, &mut at);
    let mut words = [[0; LANES]; 4];
    gather_words(memory, texture, found, &at, &mut words);
    for lane in lanes(access.exec) {
        for (o, w) in out.iter_mut().zip(&words) {
            o[lane] = if found >> lane & 1 != 0 { w[lane] } else { 0 };
        }
    }
}

/// Writes texels of a format without blocks, in lane order; lanes outside the texture write nothing.
pub fn store(memory: &Memory, texture: &PreparedTexture, access: &Access, values: &[Lanes; 4]) {
    if texture.format.is_block() {
        return;
    }
    let mut words = [[0; LANES]; 4];
    let level = SimdLevel::current();
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

/// Reads elements at offsets from the base. Outside memory they are zero; outside `mask` undefined.
fn gather_words(
    memory: &Memory,
    texture: &PreparedTexture,
    mask: u64,
    at: &Lanes,
    words: &mut [Lanes; 4],
) {
    let bytes = texture.element_bytes;
    if bytes == 4 {
        memory.gather(texture.base, at, &mut words[0]);
        return;
    }
    for lane in lanes(mask) {
        let address = texture.base + u64::from(at[lane]);
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
