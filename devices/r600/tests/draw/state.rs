//! Fixed-function state: blending, masks, stencil, scissors, samples.

use r600::formats;
use r600::regs::*;
use r600::tiling::{self, ArrayMode, ImageShape, TileMode};
use silicon::Format;

use super::code;
use super::rig::*;

const ALL: u64 = (WIDTH * HEIGHT) as u64;

fn strip(color: [f32; 4]) -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, 0.5, color), &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig
}

fn color_control(per_target: bool) -> u32 {
    CbColorControl {
        target_blend_enable: 1,
        per_mrt_blend: per_target,
        rop3: ROP3_COPY,
        ..CbColorControl::from_word(0)
    }
    .pack()
}

#[test]
fn blending_adds_layers() {
    let add = CbBlendControl {
        color_srcblend: blend::ONE,
        color_destblend: blend::ONE,
        ..CbBlendControl::from_word(0)
    }
    .pack();
    for (per_target, register) in [(false, CB_BLEND_CONTROL), (true, CB_BLEND0_CONTROL)] {
        let mut rig = strip([0.25, 0.5, 0.0, 0.1]);
        rig.set(register, add);
        rig.set(CB_COLOR_CONTROL, color_control(per_target));
        rig.packet(r600::packets::NUM_INSTANCES, &[3]);
        rig.draw(4);
        rig.run().unwrap();
        // 0.25 three times, rounded to 64, 128 and 192 of 255 as they are stored.
        assert_eq!(rig.pixel(77, 33), 0x4e00_ffc0);
    }
}

#[test]
fn scissor_and_write_mask() {
    let mut rig = strip([1.0; 4]);
    rig.set(PA_SC_GENERIC_SCISSOR_TL, 10 | 20 << 16);
    rig.set(PA_SC_GENERIC_SCISSOR_BR, 13 | 25 << 16);
    rig.set(CB_TARGET_MASK, 0b0101);
    rig.draw(4);
    let stats = rig.run().unwrap();
    assert_eq!(stats.fragment_lanes, 15);
    assert_eq!(
        (rig.pixel(10, 20), rig.pixel(12, 24)),
        (0x00ff_00ff, 0x00ff_00ff)
    );
    assert_eq!((rig.pixel(9, 20), rig.pixel(13, 24)), (0, 0));
}

#[test]
fn stencil_beside_depth_counts_and_tests() {
    for (format, word) in [(Format::D24UnormS8Uint, 0), (Format::D32FloatS8Uint, 4)] {
        let mut rig = strip([1.0; 4]);
        let control = |function: u8| DbDepthControl {
            stencil_enable: true,
            stencilfunc: function,
            stencilzpass: stencil_op::INCR,
            ..DbDepthControl::from_word(0)
        };
        let depth = rig.depth(format, 0, control(compare::ALWAYS));
        let mask = DbStencilrefmask {
            stencilref: 2,
            stencilmask: 0xff,
            stencilwritemask: 0xff,
            ..DbStencilrefmask::from_word(0)
        };
        rig.set(DB_STENCILREFMASK, mask.pack());
        // Twice on the left, once everywhere.
        rig.set(PA_SC_GENERIC_SCISSOR_BR, 101 | HEIGHT << 16);
        rig.set(CB_TARGET_MASK, 0);
        rig.draw(4);
        rig.set(PA_SC_GENERIC_SCISSOR_BR, WIDTH | HEIGHT << 16);
        rig.draw(4);
        // Only where it counted to two.
        rig.set(CB_TARGET_MASK, 0xf);
        rig.set(DB_DEPTH_CONTROL, control(compare::EQUAL).pack());
        rig.draw(4);
        rig.run().unwrap();
        assert_ne!(rig.pixel(100, 50), 0, "{format:?}");
        assert_eq!(rig.pixel(101, 50), 0, "{format:?}");
        let at = DEPTH + depth.levels[0].surface.offset(3, 4, 0, 0) + word;
        let stencil = rig.memory.load(at).unwrap();
        let stencil = if word == 0 {
            stencil >> 24
        } else {
            stencil & 0xff
        };
        assert_eq!(stencil, 3, "{format:?}");
    }
}

/// An image of the target's size and one sample.
fn whole(element_bytes: u32) -> ImageShape {
    let mode = TileMode {
        array: ArrayMode::Tiled2dThin1,
        depth_order: false,
    };
    shape(mode, element_bytes, [WIDTH, HEIGHT])
}

/// A target of four samples; the left half is drawn, its edge half a pixel right of column 100's left border.
fn four_samples(alpha: f32) -> Rig {
    let mut rig = Rig::new(1);
    let half = [(-1.0, -1.0), (0.005, -1.0), (-1.0, 1.0), (0.005, 1.0)];
    rig.color = tiling::layout(&ImageShape {
        samples: 4,
        ..whole(4)
    });
    rig.setup(&corners(&half, 0.5, [1.0, 1.0, 1.0, alpha]), &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(PA_SC_MODE_CNTL, 1);
    rig.set(PA_SC_AA_CONFIG, 2);
    // Two samples on the left of the centre and two on the right.
    rig.set(PA_SC_AA_SAMPLE_LOCS_MCTX, 0x7644_cc9c);
    rig
}

#[test]
fn four_samples_have_their_own_texels() {
    let mut rig = four_samples(1.0);
    rig.draw(4);
    let stats = rig.run().unwrap();
    let surface = rig.color.levels[0].surface;
    let sample = |x, n| rig.memory.load(COLOR + surface.offset(x, 7, 0, n)).unwrap();
    let white = |x| [0, 1, 2, 3].map(|n| sample(x, n) == u32::MAX);
    assert_eq!(white(99), [true; 4]);
    assert_eq!(white(101), [false; 4]);
    assert_eq!(white(100), [true, true, false, false]);
    assert_eq!(stats.samples_passed, u64::from(HEIGHT) * (100 * 4 + 2));
}

/// Without MSAA_ENABLE a target keeps its samples, and all of them lie at the centre. (ERRATA 48)
#[test]
fn samples_may_lie_at_the_centre() {
    let mut rig = four_samples(1.0);
    rig.set(PA_SC_MODE_CNTL, 0);
    rig.draw(4);
    let stats = rig.run().unwrap();
    let surface = rig.color.levels[0].surface;
    let sample = |x, n| rig.memory.load(COLOR + surface.offset(x, 7, 0, n)).unwrap();
    let white = |x| [0, 1, 2, 3].map(|n| sample(x, n) == u32::MAX);
    assert_eq!([99, 100].map(white), [[true; 4], [false; 4]]);
    assert_eq!(stats.samples_passed, u64::from(HEIGHT) * 100 * 4);
}

/// Where the left edge of the samples of a pixel is in sixteenths from its centre; those left of it are covered.
#[test]
fn every_sample_is_covered_for_itself() {
    const X: [i8; 8] = [-7, 1, 5, -2, 7, -4, 3, -6];
    let half = [(-1.0, -1.0), (0.005, -1.0), (-1.0, 1.0), (0.005, 1.0)];
    for (log2, format) in [
        (1, Format::R8G8B8A8Unorm),
        (2, Format::R8Unorm),
        (3, Format::R8G8B8A8Unorm),
        (3, Format::R32G32B32A32Float),
    ] {
        let samples = 1 << log2;
        let bytes = format.size_bytes();
        let mut rig = Rig::new(1);
        rig.format = format;
        rig.color = tiling::layout(&ImageShape {
            samples,
            ..whole(bytes)
        });
        rig.setup(&corners(&half, 0.5, [1.0; 4]), &code::pixel());
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        rig.set(PA_SC_MODE_CNTL, 1);
        rig.set(PA_SC_AA_CONFIG, log2);
        let locations = |four: &[i8]| {
            let bytes = four.iter().map(|x| *x as u8 & 15).enumerate();
            bytes.fold(0, |word, (n, x)| word | u32::from(x) << (8 * n))
        };
        let words = [locations(&X[..4]), locations(&X[4..])];
        rig.set_all(PA_SC_AA_SAMPLE_LOCS_MCTX, &words);
        rig.draw(4);
        rig.run().unwrap();
        let surface = rig.color.levels[0].surface;
        for (y, x) in [(7, 99), (7, 100), (88, 100), (7, 101)] {
            for sample in 0..samples {
                let at = COLOR + surface.offset(x, y, 0, sample);
                let drawn = rig.memory.load_byte(at + u64::from(bytes) - 1) != Some(0);
                let wanted = x < 100 || x == 100 && X[sample as usize] < 0;
                assert_eq!(drawn, wanted, "{format:?} ({x}, {y}) {sample} of {samples}");
            }
        }
    }
}

#[test]
fn the_clip_space_ends_where_the_screen_does() {
    let mut rig = Rig::new(1);
    let far = [(-30.0, -30.0), (30.0, -30.0), (-30.0, 30.0), (30.0, 30.0)];
    rig.setup(&corners(&far, 0.5, [1.0; 4]), &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.draw(4);
    assert_eq!(rig.run().unwrap().fragment_lanes, ALL);
}

#[test]
fn what_is_not_executed_says_so() {
    let cases: [(&str, u32, u32); 4] = [
        ("VGT_PRIMITIVE_TYPE 7", VGT_PRIMITIVE_TYPE, 7),
        ("SPECIAL_OP 2", CB_COLOR_CONTROL, 2 << 4 | 0xcc << 16),
        (
            "needs colour targets",
            CB_COLOR_CONTROL,
            7 << 4 | 0xcc << 16,
        ),
        ("SQ_PGM_START_VS", SQ_PGM_START_VS, 0),
    ];
    for (reason, register, value) in cases {
        let mut rig = strip([1.0; 4]);
        rig.set(register, value);
        rig.draw(4);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains(reason), "{trap}");
        assert_eq!(trap.chip, "r600");
        assert_eq!(trap.word >> 30, 3, "the packet's header");
    }
}

#[test]
fn samples_are_resolved_and_shaded_one_by_one() {
    const RESOLVED: u64 = 0xc0_0000;
    for per_sample in [false, true] {
        let mut rig = four_samples(1.0);
        if per_sample {
            rig.set(PA_SC_MODE_CNTL, 1 | 1 << 17);
        }
        rig.draw(4);
        let shaded = rig.run().unwrap();
        let samples = u64::from(HEIGHT) * (100 * 4 + 2);
        assert_eq!(shaded.samples_passed, samples);
        if per_sample {
            assert_eq!(shaded.fragment_lanes, samples);
        } else {
            // Pixels on the diagonal belong to both triangles.
            let pixels = u64::from(HEIGHT) * 101;
            assert!((pixels..pixels + 2 * u64::from(WIDTH)).contains(&shaded.fragment_lanes));
        }
        let to = layout(ArrayMode::Tiled1dThin1, false, 4, [WIDTH, HEIGHT]);
        let surface = to.levels[0].surface;
        rig.set(CB_COLOR0_BASE + 4, (RESOLVED >> 8) as u32);
        rig.set(CB_COLOR0_SIZE + 4, size(surface.pitch, surface.height));
        let info = CbColorInfo {
            format: 26,
            array_mode: surface.mode.code(),
            ..CbColorInfo::from_word(0)
        };
        rig.set(CB_COLOR0_INFO + 4, info.pack());
        let control = CbColorControl {
            special_op: special_op::RESOLVE_BOX,
            rop3: ROP3_COPY,
            ..CbColorControl::from_word(0)
        };
        rig.set(CB_COLOR_CONTROL, control.pack());
        // Over the whole target.
        let whole = corners(&STRIP, 0.5, [0.0; 4]);
        let bits: Vec<u32> = whole.iter().flatten().map(|v| v.to_bits()).collect();
        rig.words(VERTICES, &bits);
        rig.draw(4);
        let stats = rig.run().unwrap();
        assert_eq!((stats.draws, stats.samples_passed), (1, 0));
        let texel = |x| {
            rig.memory
                .load(RESOLVED + surface.offset(x, 7, 0, 0))
                .unwrap()
        };
        assert_eq!((texel(99), texel(100)), (u32::MAX, 0x8080_8080));
    }
}

/// TILE_MODE 2 lets masks say which samples of a tile are equal. They are stored each for itself anyway, so the draws that
/// expand what masks stand for have nothing to write.
#[test]
fn samples_with_masks_are_stored_one_by_one() {
    let mut rig = four_samples(1.0);
    let info = CbColorInfo {
        format: 26,
        array_mode: rig.color.levels[0].surface.mode.code(),
        tile_mode: 2,
        ..CbColorInfo::from_word(0)
    };
    rig.set(CB_COLOR0_INFO, info.pack());
    rig.draw(4);
    rig.run().unwrap();
    let surface = rig.color.levels[0].surface;
    let samples = |rig: &Rig| {
        let sample = |n| rig.memory.load(COLOR + surface.offset(100, 7, 0, n));
        [0, 1, 2, 3].map(|n| sample(n) == Some(u32::MAX))
    };
    assert_eq!(samples(&rig), [true, true, false, false]);
    for special_op in 4..7 {
        let control = CbColorControl {
            special_op,
            rop3: ROP3_COPY,
            ..CbColorControl::from_word(0)
        };
        rig.set(CB_COLOR_CONTROL, control.pack());
        rig.draw(4);
        rig.run().unwrap();
        assert_eq!(samples(&rig), [true, true, false, false]);
    }
}

#[test]
fn alpha_covers_samples() {
    for (alpha, covered) in [(0.0, 0), (0.5, 2), (1.0, 4)] {
        let mut rig = four_samples(alpha);
        rig.set(DB_ALPHA_TO_MASK, 1 | 0xaa << 8);
        rig.draw(4);
        rig.run().unwrap();
        let surface = rig.color.levels[0].surface;
        let written = |n| rig.memory.load(COLOR + surface.offset(9, 7, 0, n)) != Some(0);
        assert_eq!(
            (0..4).filter(|n| written(*n)).count(),
            covered,
            "alpha {alpha}"
        );
    }
}

/// The depth block gives target 0 what it stores: depths, stencil values or both, as their bits are.
#[test]
fn depths_are_copied_to_colours() {
    const STORED: u32 = 0x5a12_3456;
    for (copies, bits) in [(1 << 2, 0x00ff_ffff), (1 << 3, 0xff00_0000), (3 << 2, !0)] {
        let mut rig = strip([1.0; 4]);
        rig.depth(Format::D24UnormS8Uint, STORED, DbDepthControl::from_word(0));
        let info = CbColorInfo {
            format: formats::data_format(Format::D24UnormS8Uint).unwrap(),
            array_mode: rig.color.levels[0].surface.mode.code(),
            ..CbColorInfo::from_word(0)
        };
        rig.set(CB_COLOR0_INFO, info.pack());
        rig.set(DB_RENDER_CONTROL, copies);
        rig.draw(4);
        rig.run().unwrap();
        assert_eq!(rig.pixel(77, 33), STORED & bits, "{copies:#x}");
        rig.set(CB_COLOR0_INFO, CbColorInfo { format: 26, ..info }.pack());
        rig.draw(4);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains("copies depths"), "{trap}");
    }
}

/// What the registers show after a stream: the target, inside of the scissors.
#[test]
fn the_target_is_shown() {
    let mut rig = strip([1.0, 0.0, 0.5, 1.0]);
    rig.set(PA_SC_GENERIC_SCISSOR_BR, 100 | 50 << 16);
    rig.draw(4);
    rig.run().unwrap();
    let target = rig.gpu.target().unwrap().unwrap();
    assert_eq!((target.width, target.height), (100, 50));
    let rgba = target.rgba().unwrap();
    assert!(rgba.chunks(4).all(|pixel| pixel == [255, 0, 128, 255]));
    rig.set(CB_COLOR0_INFO, 0);
    rig.run().unwrap();
    assert_eq!(rig.gpu.target(), Ok(None));
}

#[test]
fn logic_operations_work_on_texels() {
    let mut rig = strip([1.0, 0.0, 0.0, 1.0]);
    rig.draw(4);
    // XOR with itself, where red is written.
    rig.set(CB_COLOR_CONTROL, 0x66 << 16);
    rig.set(CB_TARGET_MASK, 0b0111);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(rig.pixel(77, 33), 0xff00_0000);
}

/// The place in a point, from its upper left corner.
#[test]
fn points_have_coordinates() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&[(0.0, 0.0)], 0.5, [1.0; 4]), &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::POINTLIST);
    // Half of 64 pixels in 12.4.
    rig.set(PA_SU_POINT_SIZE, 32 << 4 | 32 << 20);
    rig.set(SPI_PS_INPUT_CNTL_0, 1 | 1 << 17);
    let interp = SpiInterpControl0 {
        pnt_sprite_ena: true,
        pnt_sprite_ovrd_x: point_sprite::S,
        pnt_sprite_ovrd_y: point_sprite::T,
        pnt_sprite_ovrd_z: point_sprite::ZERO,
        pnt_sprite_ovrd_w: point_sprite::ONE,
        ..SpiInterpControl0::from_word(0)
    };
    rig.set(SPI_INTERP_CONTROL_0, interp.pack());
    rig.draw(1);
    let stats = rig.run().unwrap();
    assert_eq!(stats.fragment_lanes, 64 * 64);
    for (x, y) in [(0u32, 0u32), (63, 0), (16, 48)] {
        let texel = rig.pixel(100 - 32 + x, 60 - 32 + y);
        let place = |n: u32| (f64::from(n) + 0.5) / 64.0 * 255.0;
        let near = |found: u32, n| (f64::from(found & 255) - place(n)).abs() <= 0.6;
        assert!(
            near(texel, x) && near(texel >> 8, y),
            "({x}, {y}): {texel:#x}"
        );
        assert_eq!(texel >> 16, 0xff00);
    }
}
