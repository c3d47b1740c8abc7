//! Registers that enable what is not executed stop the draw by their names.

use radeon::r6xx::unexecuted::{Field, INPUT, SHARED};
use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;
use southern_islands::unexecuted::{ATTRIBUTE, DEPTH, DRAW, TARGET};

use super::code;
use super::rig::*;

/// A triangle with depth and colour tests.
fn rig() -> Rig {
    let corners = [(-1., -1.), (1., -1.), (-1., 1.)];
    let vertices = corners.map(|(x, y)| [x, y, 0.5, 1.0, 1.0, 0.0, 0.0, 1.0]);
    let mut rig = Rig::new(1);
    rig.setup(&vertices, &code::pixel(), ImageKind::Color);
    rig.depth(compare::LESS, true);
    rig
}

fn written(rig: &Rig, register: u32) -> Option<u32> {
    let spaces = [
        (packets::SET_CONTEXT_REG, CONTEXT),
        (packets::SET_SH_REG, SH),
        (packets::SET_CONFIG_REG, CONFIG),
    ];
    let mut spaces = spaces.into_iter();
    let (opcode, space) = spaces.find(|(_, space)| space.contains(&register))?;
    rig.written((opcode, space.start), register)
}

#[test]
fn every_field_stops_the_draw_by_its_name() {
    let tables: [&[Field]; 6] = [SHARED, INPUT, DRAW, ATTRIBUTE, TARGET, DEPTH];
    for (table, field) in tables.iter().flat_map(|t| t.iter().map(move |f| (t, f))) {
        let mut rig = rig();
        let value = enabled(table, field, written(&rig, field.register));
        rig.set(field.register, value);
        rig.draw(3);
        let trap = rig.run().unwrap_err();
        let reason = format!("{} {:#x} is not executed", field.name, field.neutral ^ 1);
        assert!(trap.reason.ends_with(&reason), "{reason}: {trap}");
        assert_eq!(trap.word >> 30, 3, "the packet's header");
    }
    let mut rig = rig();
    rig.draw(3);
    assert!(rig.run().unwrap().samples_passed > 0);
}

/// What nothing draws to may be in any state.
#[test]
fn surfaces_that_are_not_used_stop_nothing() {
    let mut rig = rig();
    rig.set(DB_DEPTH_CONTROL, 0);
    rig.set(DB_Z_INFO, 3 | 1 << 29);
    rig.set(CB_COLOR0_INFO + CB_COLOR_STRIDE, 10 << 2 | 1 << 13);
    rig.draw(3);
    rig.run().unwrap();
}

#[test]
fn fragments_are_as_many_as_samples() {
    let mut rig = rig();
    let attrib = written(&rig, CB_COLOR0_ATTRIB).unwrap();
    rig.set(CB_COLOR0_ATTRIB, attrib | 1 << 15);
    rig.draw(3);
    let trap = rig.run().unwrap_err();
    assert!(trap.reason.contains("NUM_FRAGMENTS 1"), "{trap}");
}

/// BLEND_BYPASS writes what the shader exports.
#[test]
fn targets_that_bypass_blending_do_not_blend() {
    let picture = |bypass: bool| {
        let mut rig = rig();
        let info = written(&rig, CB_COLOR0_INFO).unwrap();
        rig.set(CB_COLOR0_INFO, info | u32::from(bypass) << 16);
        // The colour times the texel, which is zero.
        let control = CbBlendControl {
            enable: true,
            color_srcblend: blend::DST_COLOR,
            ..CbBlendControl::from_word(0)
        };
        rig.set(CB_BLEND0_CONTROL, control.pack());
        rig.draw(3);
        rig.run().unwrap();
        rig.pixel(10, 100) & 0xff
    };
    assert_eq!((picture(false), picture(true)), (0, 0xff));
}

/// FORCE_DST_ALPHA_1: factors take 1 for the alpha of the texel, which is 0.
#[test]
fn targets_may_have_an_alpha_of_one() {
    let red = |opaque: u32, color_srcblend: u8| {
        let mut rig = rig();
        let attrib = written(&rig, CB_COLOR0_ATTRIB).unwrap();
        rig.set(CB_COLOR0_ATTRIB, attrib | opaque << 17);
        let control = CbBlendControl {
            enable: true,
            color_srcblend,
            ..CbBlendControl::from_word(0)
        };
        rig.set(CB_BLEND0_CONTROL, control.pack());
        rig.draw(3);
        rig.run().unwrap();
        rig.pixel(10, 100) & 0xff
    };
    for (factor, stored, one) in [
        (blend::DST_ALPHA, 0, 0xff),
        (blend::ONE_MINUS_DST_ALPHA, 0xff, 0),
        (blend::SRC_ALPHA_SATURATE, 0xff, 0),
        (blend::ONE, 0xff, 0xff),
    ] {
        assert_eq!((red(0, factor), red(1, factor)), (stored, one), "{factor}");
    }
}

#[test]
fn samples_are_not_counted_where_that_is_disabled() {
    for (disabled, counted) in [(0, true), (1, false)] {
        let mut rig = rig();
        rig.set(DB_COUNT_CONTROL, disabled);
        rig.draw(3);
        assert_eq!(rig.run().unwrap().samples_passed > 0, counted);
    }
}

#[test]
fn draws_and_indices_of_other_kinds_are_named() {
    let cases = [
        (packets::INDEX_TYPE, [4, 0], "little-endian"),
        (
            packets::DRAW_INDEX_AUTO,
            [3, 2 | 1 << 6],
            "VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE",
        ),
        (packets::DRAW_INDEX_AUTO, [3, 2 | 1 << 2], "MAJOR_MODE"),
        (packets::DRAW_INDEX_AUTO, [3, 2 | 1 << 4], "SPRITE_EN"),
    ];
    for (opcode, payload, reason) in cases {
        let mut rig = rig();
        rig.packet(opcode, &payload);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains(reason), "{trap}");
    }
}
