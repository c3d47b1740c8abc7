//! Loads against texels that are unpacked one by one.

use super::*;
use crate::texture::block;

/// The texel of a lane, unpacked; zeros where there is none.
fn texel(memory: &Memory, texture: &PreparedTexture, access: &Access, lane: usize) -> [u32; 4] {
    let Some(address) = access::address(texture, access, lane) else {
        return [0; 4];
    };
    let words = [0, 1, 2, 3].map(|word| {
        let bytes = [0, 1, 2, 3].map(|byte| {
            let byte = 4 * word + byte;
            let inside = byte < u64::from(texture.element_bytes);
            inside.then(|| memory.load_byte(address + byte).unwrap())
        });
        u32::from_le_bytes(bytes.map(|byte| byte.unwrap_or(0)))
    });
    let y = match texture.dim {
        Dim::D1 => 0,
        _ => access.y[lane],
    };
    let (width, height) = texture.block;
    let values = match texture.format.is_block() {
        true => block::value(texture.format, words, access.x[lane] % width, y % height),
        false => texture.format.unpack_words_as(texture.reading, words),
    };
    texture.outputs.map(|read| match read {
        Read::Channel(c) => values[c as usize],
        Read::Zero => 0,
        Read::One => texture.class.one(),
    })
}

/// Compares a load at all SIMD levels, of all components and of some.
pub(super) fn check(
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
    scratch: &mut Scratch,
) {
    for level in SimdLevel::available() {
        for wanted in [0b1111, 0b1010] {
            let mut got = [[7; LANES]; 4];
            let mut rows = got.each_mut().map(Some);
            let absent = (0..4).filter(|c| wanted >> c & 1 == 0);
            absent.for_each(|c| rows[c] = None);
            let loading = begin_load(level, scratch, memory, texture, access);
            loading.finish(scratch, texture, rows);
            for lane in 0..LANES {
                let texel = match access.exec >> lane & 1 {
                    1 => texel(memory, texture, access, lane),
                    _ => [7; 4],
                };
                for (c, (row, value)) in got.iter().zip(texel).enumerate() {
                    let expected = if wanted >> c & 1 == 1 { value } else { 7 };
                    assert_eq!(
                        row[lane],
                        expected,
                        "component {c} of lane {lane} at {} of {texture:?} {access:?}",
                        level.name()
                    );
                }
            }
        }
    }
}
