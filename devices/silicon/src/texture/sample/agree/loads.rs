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

/// The rows of the components in a mask.
fn rows_of(rows: &mut [Lanes; 4], wanted: u32) -> Out<'_> {
    let mut out = rows.each_mut().map(Some);
    let absent = (0..4).filter(|c| wanted >> c & 1 == 0);
    absent.for_each(|c| out[c] = None);
    out
}

/// Compares addresses and a load at all SIMD levels, of all components and of some.
pub(super) fn check(
    memory: &Memory,
    texture: &PreparedTexture,
    access: &Access,
    scratch: &mut Scratch,
) {
    for level in SimdLevel::available() {
        let numbered = Numbered::new(level, memory, texture);
        let mut at = [0; LANES];
        let found = numbered.addresses(access, &mut at);
        for lane in reference::lanes(access.exec) {
            let got = (found >> lane & 1 != 0).then_some(at[lane]);
            assert_eq!(got, access::address(texture, access, lane), "{access:?}");
        }
        assert_eq!(found & !access.exec, 0);
        for wanted in [0b1111, 0b1010] {
            let mut got = [[7; LANES]; 4];
            let loading = numbered.begin(scratch, access);
            loading.finish(scratch, texture, rows_of(&mut got, wanted));
            // In one go, where that is possible.
            let mut at_once = [[7; LANES]; 4];
            let mut rows = rows_of(&mut at_once, wanted);
            if numbered.rows(access, &mut rows) {
                assert_eq!(at_once, got, "{} {texture:?} {access:?}", level.name());
            }
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

/// Numbers of samples, of layers, of slices and of faces, inside and beyond the last.
#[test]
fn samples_and_slices() {
    let (mut random, mut scratch) = (Random(3), Scratch::default());
    let shapes = [
        (Dim::D2, [24, 21, 1], 1, 1),
        (Dim::D2, [24, 21, 1], 1, 4),
        (Dim::D2, [24, 21, 1], 3, 1),
        (Dim::D3, [24, 21, 5], 1, 1),
        (Dim::Cube, [22, 22, 1], 1, 1),
    ];
    let formats = [
        Format::R8Unorm,
        Format::R8G8B8A8Unorm,
        Format::R16G16B16A16Float,
        Format::R32G32B32A32Float,
    ];
    let all = formats.map(|format| shapes.map(|shape| (format, shape)));
    for (format, (dim, size, layers, samples)) in all.into_iter().flatten() {
        let memory = Memory::new(1 << 18);
        for at in 0..1 << 18 {
            memory.store_byte(at, random.below(256) as u8).unwrap();
        }
        let mut byte = || random.below(256) as u8;
        let mut t = texture(&memory, dim, format, size, layers, 1, &mut byte);
        if samples > 1 {
            let bytes = format.size_bytes();
            t.samples = samples;
            let [width, height, _] = size;
            let at = |x: u32, y: u32, _: u32, s: u32| ((y * width + x) * samples + s) * bytes;
            t.levels[0].axes = Axes::new([width, height, 1, samples], 0, at);
        }
        let texture = PreparedTexture::new(&t).unwrap();
        let deep = matches!(dim, Dim::D3 | Dim::Cube) || layers > 1;
        let most = if samples > 1 { samples } else { 6 };
        for round in 0..24 {
            let mut x: Lanes = std::array::from_fn(|_| random.below(size[0] + 2));
            let mut y: Lanes = std::array::from_fn(|_| random.below(size[1] + 2));
            let mut third: Lanes = std::array::from_fn(|_| random.below(most + 1));
            if round % 2 == 0 {
                third = [third[0]; LANES];
            }
            if round % 3 > 0 {
                // A block of 4x4 or 4x4x4, of which some reach across edges.
                let block = |axis: [u32; LANES], bit: u32| {
                    std::array::from_fn(|l| axis[0] + (l as u32 >> bit & 3))
                };
                (x, y) = (block(x, 0), block(y, 2));
                if round % 2 == 1 {
                    third = block([third[0].min(most / 2); LANES], 4);
                }
            }
            let access = Access {
                exec: [u64::MAX, 0xffff_0ff1_8421_7777][round / 2 % 2],
                x: &x,
                y: &y,
                slice: deep.then_some(&third),
                level: None,
                sample: (samples > 1).then_some(&third),
            };
            check(&memory, &texture, &access, &mut scratch);
        }
    }
}

/// Tiles of texels, of which some reach across edges, in two levels.
#[test]
fn tiles() {
    let (mut random, mut scratch) = (Random(29), Scratch::default());
    let formats = [
        Format::R8Unorm,
        Format::R8G8Snorm,
        Format::R8G8B8A8Unorm,
        Format::R10G10B10A2Unorm,
        Format::R16G16B16A16Float,
        Format::R32G32B32A32Uint,
    ];
    for format in formats {
        let memory = Memory::new(1 << 16);
        let mut byte = || random.below(256) as u8;
        let t = texture(&memory, Dim::D2, format, [40, 33, 1], 1, 2, &mut byte);
        let texture = PreparedTexture::new(&t).unwrap();
        for round in 0..40 {
            let from = [40, 33].map(|size| random.below(size));
            let [x, y]: [Lanes; 2] = [0, 1].map(|axis| {
                std::array::from_fn(|l| {
                    let quad = [l & 1 | l >> 1 & 6, l >> 1 & 1 | l >> 3 & 6];
                    from[axis] + quad[axis] as u32
                })
            });
            let level = [random.below(2); LANES];
            let access = Access {
                exec: [u64::MAX, 0xffff_0ff1_8421_7777][round / 2 % 2],
                x: &x,
                y: &y,
                slice: None,
                level: (round % 3 == 0).then_some(&level),
                sample: None,
            };
            check(&memory, &texture, &access, &mut scratch);
        }
    }
}
