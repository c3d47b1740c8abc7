//! Clears by registers: colours by masks of tiles, depths and stencil values by draws.

use silicon::Addr;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;
use super::triangles::{GREEN, RED, screen};

/// Behind everything else.
const MASK: u64 = 0x3f_0000;

/// A target whose tiles have the clear colour where its mask, of one block of 128x128 pixels, is 0.
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
    rig.set(CB_COLOR0_CMASK_SLICE, 0);
    rig.set(CB_COLOR0_CLEAR_WORD0, 0x1122_3344);
    rig.memory.fill(Addr(MASK), 32, mask).unwrap();
    rig
}

#[test]
fn masks_of_zeros_are_the_clear_colour() {
    let mut rig = cleared(0);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(rig.pixel(0, HEIGHT - 1), 0xff00_00ff);
    assert_eq!(rig.pixel(WIDTH - 1, 0), 0x1122_3344);
    for word in 0..32 {
        assert_eq!(rig.memory.load(MASK + 4 * word), Some(0xcccc_cccc));
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
    let mut rig = cleared(0xcccc_0ccc);
    rig.draw(3);
    let trap = rig.run().unwrap_err();
    assert!(trap.reason.contains("slice 0 is cleared in part"), "{trap}");
}

/// The samples of target 0 are averaged into target 1 at the rate of its pixels, whatever PA_SC_AA_CONFIG says.
#[test]
fn samples_are_resolved() {
    const RESOLVED: u64 = 0xc0_0000;
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
    assert!(rgba.chunks(4).all(|pixel| pixel == [255, 0, 0, 255]));
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
