//! Clears by registers: colours by masks of tiles, depths and stencil values by draws.

use silicon::Addr;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;
use super::triangles::{GREEN, RED, screen};

/// Behind everything else.
const MASK: u64 = 0x3f_0000;

/// A target whose tiles have the clear colour where its mask, of one block of 512x256 pixels, is 0.
fn cleared(mask: u32) -> Rig {
    let mut rig = Rig::new(1);
    let half = &screen(0.5, RED)[..3];
    rig.setup(half, &code::pixel(), ImageKind::Color);
    let info = CbColorInfo {
        format: color_format::C_8_8_8_8,
        number_type: number_type::UNORM,
        comp_swap: comp_swap::STD,
        fast_clear: true,
        ..CbColorInfo::from_word(0)
    };
    rig.set(CB_COLOR0_INFO, info.pack());
    rig.set(CB_COLOR0_CMASK, (MASK >> 8) as u32);
    rig.set(CB_COLOR0_CMASK_SLICE, 7);
    rig.set(CB_COLOR0_CLEAR_WORD0, 0x1122_3344);
    rig.memory.fill(Addr(MASK), 512, mask).unwrap();
    rig
}

#[test]
fn masks_of_zeros_are_the_clear_colour() {
    let mut rig = cleared(0);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(rig.pixel(0, HEIGHT - 1), 0xff00_00ff);
    assert_eq!(rig.pixel(WIDTH - 1, 0), 0x1122_3344);
    for word in 0..512 {
        // The second half of what each of the eight pipes has is the next block's.
        let expected = if word % 64 < 32 { 0xcccc_cccc } else { 0 };
        assert_eq!(rig.memory.load(MASK + 4 * word), Some(expected));
    }
    // The pass that eliminates them finds texels.
    rig.set(
        CB_COLOR_CONTROL,
        0xcc << 16 | u32::from(cb_mode::ELIMINATE_FAST_CLEAR) << 4,
    );
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(rig.pixel(0, HEIGHT - 1), 0xff00_00ff);
}

#[test]
fn other_masks_keep_the_texels() {
    let mut rig = cleared(0xcccc_cccc);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(rig.pixel(WIDTH - 1, 0), 0);
}

/// Pixels of the upper right half, which the draw leaves, that have the clear colour.
fn clear_pixels(rig: &Rig) -> Vec<(u32, u32)> {
    let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    all.filter(|(x, y)| rig.pixel(*x, *y) == 0x1122_3344)
        .collect()
}

#[test]
fn single_tiles_have_the_clear_colour() {
    // The tile at (48, 8): group 1 of pipe 5.
    let mut rig = cleared(0xcccc_cccc);
    rig.memory.store(MASK + 256 * 5, 0xcccc_0ccc).unwrap();
    rig.draw(3);
    rig.run().unwrap();
    let clear = clear_pixels(&rig);
    assert_eq!(clear.len(), 64);
    let [left, top] = [clear[0].0, clear[0].1];
    assert!(left % 8 == 0 && top % 8 == 0, "{left}, {top}");
    let tile = |(x, y): &(u32, u32)| (left..left + 8).contains(x) && (top..top + 8).contains(y);
    assert!(clear.iter().all(tile));
    assert_eq!(rig.memory.load(MASK + 256 * 5), Some(0xcccc_cccc));
    let mut rig = cleared(0xcccc_cccc);
    let info = rig
        .written(
            (southern_islands::packets::SET_CONTEXT_REG, CONTEXT.start),
            CB_COLOR0_INFO,
        )
        .unwrap();
    rig.set(CB_COLOR0_INFO, info | 1 << 19);
    rig.memory.store(MASK + 256 * 5, 0xcccc_0ccc).unwrap();
    rig.draw(3);
    let trap = rig.run().unwrap_err();
    assert!(trap.reason.contains("CMASK_IS_LINEAR"), "{trap}");
}

/// The samples of target 0 are averaged into target 1 at the rate of its pixels, whatever PA_SC_AA_CONFIG says. Draws of one
/// sample a pixel write all of them.
#[test]
fn samples_are_resolved() {
    const RESOLVED: u64 = 0xc0_0000;
    for msaa_enable in [true, false] {
        let mut rig = Rig::new(1);
        rig.setup(&screen(0.5, RED), &code::pixel(), ImageKind::Color);
        let whole = layout(ImageKind::Color, [WIDTH, HEIGHT]);
        let attrib = CbColorAttrib {
            num_samples: 2,
            num_fragments: 2,
            tile_mode_index: whole.levels[0].mode,
            ..CbColorAttrib::from_word(0)
        };
        rig.set(CB_COLOR0_ATTRIB, attrib.pack());
        let mode = PaScModeCntl0 {
            msaa_enable,
            ..PaScModeCntl0::from_word(0)
        };
        rig.set(PA_SC_MODE_CNTL_0, mode.pack());
        rig.set(PA_SC_AA_CONFIG, 2);
        rig.draw(6);
        rig.run().unwrap();
        rig.target(1, RESOLVED, &whole);
        rig.set(
            CB_COLOR_CONTROL,
            0xcc << 16 | u32::from(cb_mode::RESOLVE) << 4,
        );
        rig.draw(6);
        let stats = rig.run().unwrap();
        assert_eq!(stats.samples_passed, 0);
        let target = rig.gpu.target().unwrap().unwrap();
        assert_eq!((target.width, target.height), (WIDTH, HEIGHT));
        let rgba = target.rgba().unwrap();
        let other = rgba.chunks(4).find(|pixel| *pixel != [255, 0, 0, 255]);
        assert_eq!(other, None);
    }
}

#[test]
fn draws_clear_depths() {
    let mut rig = Rig::new(1);
    let mut vertices = screen(0.9, GREEN)[..3].to_vec();
    vertices.extend(screen(0.5, RED));
    rig.setup(&vertices, &code::pixel(), ImageKind::Color);
    rig.depth(compare::LESS, true);
    // Half of the depths become 0.25; the depths of the triangle and the comparison do not count.
    rig.set(DB_RENDER_CONTROL, 1);
    rig.set(DB_DEPTH_CLEAR, 0.25f32.to_bits());
    rig.draw(3);
    rig.set(DB_RENDER_CONTROL, 0);
    rig.set(VGT_INDX_OFFSET, 3);
    rig.draw(6);
    rig.run().unwrap();
    assert_eq!(rig.pixel(0, HEIGHT - 1), 0xff00_ff00);
    assert_eq!(rig.pixel(WIDTH - 1, 0), 0xff00_00ff);
}

/// DB_RENDER_CONTROL copies depths and stencil values to where they lie in the texels of target 0.
#[test]
fn depths_and_stencil_values_are_copied() {
    const STENCIL: u64 = 0xc0_0000;
    const CENTROID: u32 = 1 << 7;
    let run = |copies: &[(u32, u8)]| {
        let mut rig = Rig::new(1);
        let mut vertices = screen(0.5, RED)[..3].to_vec();
        vertices.extend(screen(0.25, GREEN));
        rig.setup(&vertices, &code::pixel(), ImageKind::Color);
        rig.depth(compare::LESS, true);
        rig.draw(3);
        rig.set(DB_DEPTH_CONTROL, 0);
        rig.set(DB_Z_READ_BASE, (DEPTH >> 8) as u32);
        rig.set(DB_STENCIL_INFO, 1 << 29 | 1);
        rig.set(DB_STENCIL_READ_BASE, (STENCIL >> 8) as u32);
        rig.memory
            .fill(Addr(STENCIL), u64::from(WIDTH * HEIGHT), 0x5a5a_5a5a)
            .unwrap();
        rig.set(VGT_INDX_OFFSET, 3);
        for (copy, format) in copies {
            rig.set(DB_RENDER_CONTROL, copy | CENTROID);
            let info = CbColorInfo {
                format: *format,
                number_type: number_type::UINT,
                ..CbColorInfo::from_word(0)
            };
            rig.set(CB_COLOR0_INFO, info.pack());
            rig.draw(6);
        }
        let result = rig.run();
        (rig, result)
    };
    let corners = |rig: &Rig| [rig.pixel(0, HEIGHT - 1), rig.pixel(WIDTH - 1, 0)];
    const DEPTH_COPY: u32 = 1 << 2;
    const STENCIL_COPY: u32 = 1 << 3;
    let depths = (DEPTH_COPY, color_format::C_32);
    let (rig, result) = run(&[depths]);
    result.unwrap();
    assert_eq!(corners(&rig), [0.5f32, 1.0].map(f32::to_bits));
    let (rig, result) = run(&[depths, (STENCIL_COPY, color_format::C_8_24)]);
    result.unwrap();
    assert_eq!(corners(&rig), [0x5a00_0000, 0x5a80_0000]);
    let (rig, result) = run(&[depths, (STENCIL_COPY, color_format::C_24_8)]);
    result.unwrap();
    assert_eq!(corners(&rig), [0x3f00_005a, 0x3f80_005a]);
    let trap = run(&[(DEPTH_COPY, color_format::C_16)]).1.unwrap_err();
    let expected = "DEPTH_COPY of DB_Z_INFO.FORMAT 3 to CB_COLOR0_INFO.FORMAT 2";
    assert!(trap.reason.contains(expected), "{trap}");
}

/// Depths of the rig whose words of HTILE, one block of 512x512 pixels, are all this one; drawn over by what is nearer.
fn tiled(word: u32, prepare: impl FnOnce(&mut Rig)) -> Result<Rig, silicon::Trap> {
    let mut rig = Rig::new(1);
    rig.setup(&screen(0.5, RED), &code::pixel(), ImageKind::Color);
    rig.depth(compare::LESS, true);
    let info = DbZInfo {
        format: z_format::Z_32_FLOAT,
        tile_surface_enable: true,
        ..DbZInfo::from_word(
            rig.written(
                (southern_islands::packets::SET_CONTEXT_REG, CONTEXT.start),
                DB_Z_INFO,
            )
            .unwrap(),
        )
    };
    rig.set(DB_Z_INFO, info.pack());
    rig.set(DB_HTILE_DATA_BASE, (MASK >> 8) as u32);
    rig.set(DB_DEPTH_CLEAR, 0.25f32.to_bits());
    rig.set(DB_STENCIL_INFO, 1 << 29);
    rig.memory.fill(Addr(MASK), 4096, word).unwrap();
    prepare(&mut rig);
    rig.draw(6);
    rig.run()?;
    Ok(rig)
}

#[test]
fn tiles_of_zeros_have_the_clear_depth() {
    // All is behind the clear depth, or before it.
    let passed = |clear: f32| {
        let rig = tiled(0x1234_5670, |rig| rig.set(DB_DEPTH_CLEAR, clear.to_bits())).unwrap();
        for tile in [0, 63, 64, 4095] {
            assert_eq!(
                rig.memory.load(MASK + 4 * tile),
                Some(0xfffc_567f | 0x1234_0000)
            );
        }
        rig.pixel(100, 60) != 0
    };
    assert_eq!((passed(0.25), passed(0.75)), (false, true));
    // The depths count: they are 1.
    let rig = tiled(0xf, |_| ()).unwrap();
    assert_ne!(rig.pixel(100, 60), 0);
    assert_eq!(rig.memory.load(MASK), Some(0xf));
    // Nothing asks for depths.
    let rig = tiled(0, |rig| rig.set(DB_DEPTH_CONTROL, 0)).unwrap();
    assert_eq!(rig.memory.load(MASK), Some(0));
    // The first tile is.
    let rig = tiled(0xf, |rig| rig.memory.store(MASK, 0).unwrap()).unwrap();
    assert_eq!(rig.pixel(7, 7), 0);
    assert!(rig.pixel(8, 7) != 0 && rig.pixel(7, 8) != 0);
    let trap = tiled(0, |rig| rig.set(DB_HTILE_DATA_BASE, u32::MAX))
        .err()
        .unwrap();
    assert!(trap.reason.contains("outside memory"), "{trap}");
}

#[test]
fn tiles_know_stencil_values_where_they_are_asked_to() {
    const STENCIL: u64 = 0xc0_0000;
    let stencil = |word: u32| {
        tiled(word, |rig| {
            rig.set(DB_STENCIL_INFO, 1);
            rig.set(DB_STENCIL_WRITE_BASE, (STENCIL >> 8) as u32);
            rig.set(DB_STENCIL_CLEAR, 0x5a);
        })
        .unwrap()
    };
    let rig = stencil(0xf);
    assert_eq!(rig.memory.load(STENCIL), Some(0x5a5a_5a5a));
    assert_eq!(rig.memory.load(MASK), Some(0x30f));
    let rig = stencil(0x30f);
    assert_eq!(rig.memory.load(STENCIL), Some(0));
    let rig = stencil(0x300);
    assert_eq!(rig.memory.load(MASK), Some(0xffff_f30f));
}

/// Samples have colours of their own, and FMASK says so.
#[test]
fn samples_do_not_share_colors() {
    const COLORS: u64 = 0x3e_0000;
    let run = |samples: u8| {
        let mut rig = cleared(0);
        let info = CbColorInfo {
            format: color_format::C_8_8_8_8,
            number_type: number_type::UNORM,
            fast_clear: true,
            compression: true,
            ..CbColorInfo::from_word(0)
        };
        rig.set(CB_COLOR0_INFO, info.pack());
        // Pipe 5, which moves nothing of what is filled.
        rig.set(CB_COLOR0_FMASK, (COLORS >> 8) as u32 | 5);
        rig.set(CB_COLOR0_FMASK_SLICE, 3);
        let space = (southern_islands::packets::SET_CONTEXT_REG, CONTEXT.start);
        let attrib = CbColorAttrib {
            num_samples: samples,
            num_fragments: samples.min(3),
            ..CbColorAttrib::from_word(rig.written(space, CB_COLOR0_ATTRIB).unwrap())
        };
        rig.set(CB_COLOR0_ATTRIB, attrib.pack());
        rig.set(CB_COLOR_CONTROL, u32::from(cb_mode::FMASK_DECOMPRESS) << 4);
        rig.draw(3);
        let result = rig.run();
        (rig, result)
    };
    for (samples, word, bytes) in [
        (1, 0x0202_0202, 256),
        (2, 0xe4e4_e4e4, 256),
        (3, 0x7654_3210, 1024),
    ] {
        let (rig, result) = run(samples);
        result.unwrap();
        let found = [0, bytes - 4, bytes].map(|at| rig.memory.load(COLORS + at).unwrap());
        assert_eq!(found, [word, word, 0]);
    }
    let trap = run(4).1.unwrap_err();
    assert!(
        trap.reason.contains("COMPRESSION with NUM_SAMPLES 4"),
        "{trap}"
    );
}
