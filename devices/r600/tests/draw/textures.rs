//! Textures: formats, array modes, filters, bindings.

use r600::isa::fetch::TexOp;
use r600::regs::*;
use r600::resource::{clamp, dim, xy_filter};
use r600::tiling::ArrayMode;
use silicon::Format;

use super::code;
use super::rig::*;

/// A strip whose colour is the coordinate: 0 to 1 over the target, from the upper left.
fn coordinates() -> Vec<Vertex> {
    STRIP
        .iter()
        .map(|(x, y)| [*x, *y, 0.5, 1.0, (x + 1.0) / 2.0, (1.0 - y) / 2.0, 0.0, 0.0])
        .collect()
}

fn rig() -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(&coordinates(), &code::pixel_texture(TexOp::SAMPLE));
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig
}

fn texel(x: u32, y: u32) -> u32 {
    0xff00_0000 | (x * 5) | (y * 9) << 8 | ((x ^ y) & 7) << 16
}

fn sampler(filter: u8, mode: u8) -> [u32; 3] {
    let (filter, mode) = (u32::from(filter), u32::from(mode));
    let word0 = mode | mode << 3 | mode << 6 | filter << 9 | filter << 12;
    [word0, 0x3ff << 10, 0]
}

/// Every texel of a texture of the target's size, in every array mode.
#[test]
fn textures_of_all_array_modes() {
    for mode in ArrayMode::ALL {
        // Thick modes need slices; one of them is stored thin.
        if mode.thickness() > 1 {
            continue;
        }
        let mut rig = rig();
        rig.set_all(
            sampler_at(SAMPLERS_PS),
            &sampler(xy_filter::POINT, clamp::WRAP),
        );
        rig.texture(mode, Format::R8G8B8A8Unorm, [WIDTH, HEIGHT], texel);
        rig.draw(4);
        rig.run().unwrap();
        for (x, y) in [
            (0, 0),
            (1, 0),
            (0, 1),
            (9, 17),
            (50, 50),
            (64, 33),
            (199, 119),
        ] {
            assert_eq!(rig.pixel(x, y), texel(x, y), "{mode:?} ({x}, {y})");
        }
    }
}

#[test]
fn orders_of_components() {
    let mut rig = rig();
    rig.set_all(
        sampler_at(SAMPLERS_PS),
        &sampler(xy_filter::POINT, clamp::WRAP),
    );
    let mode = ArrayMode::Tiled1dThin1;
    rig.texture(mode, Format::B8G8R8A8Unorm, [8, 8], |_, _| 0x8011_2233);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(5, 5), 0x8033_2211);
}

#[test]
fn bilinear_filters_and_edges() {
    let mut rig = rig();
    rig.set_all(
        sampler_at(SAMPLERS_PS),
        &sampler(xy_filter::BILINEAR, clamp::LAST_TEXEL),
    );
    // Black on the left, white on the right.
    let mode = ArrayMode::Tiled1dThin1;
    let half = |x, _| if x == 0 { 0xff00_0000 } else { 0xffff_ffff };
    rig.texture(mode, Format::R8G8B8A8Unorm, [2, 1], half);
    rig.draw(4);
    rig.run().unwrap();
    let red = |x| rig.pixel(x, 60) & 0xff;
    assert_eq!((red(0), red(199)), (0, 255));
    assert!(red(99).abs_diff(127) <= 2, "{}", red(99));
    assert!((0..199).all(|x| red(x) <= red(x + 1)));
}

/// Point samples half a texel away take the texels that a linear filter would: to the left of a texel's centre lie it and
/// its left neighbour.
#[test]
fn half_texels_reach_a_linear_footprint() {
    // The texture is shifted by a quarter of a texel.
    let mut shifted = coordinates();
    for vertex in &mut shifted {
        vertex[4] -= 0.25 / WIDTH as f32;
        vertex[5] += 0.25 / HEIGHT as f32;
    }
    for (half, [x, y]) in [
        ([-1, -1], [-1, 0]),
        ([1, -1], [0, 0]),
        ([-1, 1], [-1, 1]),
        ([1, 1], [0, 1]),
        ([3, -3], [1, -1]),
    ] {
        let mut rig = Rig::new(1);
        let program = code::pixel_texture_at(TexOp::SAMPLE_LZ, [half[0], half[1], 0]);
        rig.setup(&shifted, &program);
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        rig.set_all(
            sampler_at(SAMPLERS_PS),
            &sampler(xy_filter::POINT, clamp::WRAP),
        );
        let mode = ArrayMode::Tiled2dThin1;
        rig.texture(mode, Format::R8G8B8A8Unorm, [WIDTH, HEIGHT], texel);
        rig.draw(4);
        rig.run().unwrap();
        let wanted = texel((50 + x) as u32, (60 + y) as u32);
        assert_eq!(rig.pixel(50, 60), wanted, "{half:?}");
        rig.set_all(
            sampler_at(SAMPLERS_PS),
            &sampler(xy_filter::BILINEAR, clamp::WRAP),
        );
        rig.draw(4);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains("half texels"), "{trap}");
    }
}

#[test]
fn resources_come_from_memory_too() {
    let mut rig = rig();
    let words = rig.texture(
        ArrayMode::Tiled1dThin1,
        Format::R8G8B8A8Unorm,
        [8, 8],
        |_, _| 0xff12_3456,
    );
    // The picture of the resource space in memory has resource 3 at its own place.
    const TABLE: u64 = 0x6000;
    rig.words(TABLE + 3 * 28, &words);
    rig.packet(r600::packets::LOAD_RESOURCE, &[TABLE as u32, 0, 21, 7]);
    let mut program = code::pixel_texture(TexOp::SAMPLE_LZ);
    program[4] |= 3 << 8;
    rig.words(PIXEL_CODE, &program);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(5, 5), 0xff12_3456);
}

#[test]
fn unbound_textures_read_zero_and_bad_ones_stop_the_draw() {
    let mut rig = rig();
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(5, 5), 0);
    let mut words = rig.texture(
        ArrayMode::Tiled1dThin1,
        Format::R8G8B8A8Unorm,
        [8, 8],
        texel,
    );
    words[2] = (MEMORY >> 8) as u32;
    rig.set_all(resource_at(RESOURCES_PS), &words);
    rig.draw(4);
    let trap = rig.run().unwrap_err();
    assert!(trap.reason.contains("outside"), "{trap}");
}

/// Coordinates on the face of a cube go from 1 to 2, and the third is the face.
#[test]
fn faces_of_cubes_go_from_one_to_two() {
    for face in 0..6 {
        // 0 to 1 over the target, one further.
        let mut place = coordinates();
        for vertex in &mut place {
            vertex[4] += 1.0;
            vertex[5] += 1.0;
            vertex[6] = face as f32;
        }
        let mut rig = Rig::new(1);
        rig.setup(&place, &code::pixel_texture(TexOp::SAMPLE_LZ));
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        let edge = &sampler(xy_filter::POINT, clamp::LAST_TEXEL);
        rig.set_all(sampler_at(SAMPLERS_PS), edge);
        let mode = ArrayMode::Tiled1dThin1;
        let mut words = rig.texture(mode, Format::R8G8B8A8Unorm, [8, 8], |_, _| 0);
        // Six slices of 8x8 texels.
        words[0] = words[0] & !7 | u32::from(dim::CUBEMAP);
        words[5] = 5 << 17;
        let faces: Vec<u32> = (0..6 * 64)
            .map(|n| 0xff00_0000 | ((n / 64) << 8) | n)
            .collect();
        rig.words(TEXTURE, &faces);
        rig.set_all(resource_at(RESOURCES_PS), &words);
        rig.draw(4);
        rig.run().unwrap();
        // The first and the last texel of a tile are its corners.
        let first = 64 * face;
        for (x, y, n) in [(1, 1, first), (198, 118, first + 63)] {
            assert_eq!(rig.pixel(x, y), faces[n], "face {face}");
        }
    }
}
