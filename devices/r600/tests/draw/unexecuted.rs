//! Registers that enable what is not executed stop the draw by their names.

use r600::packets;
use r600::regs::*;
use r600::unexecuted::{BLEND, DEPTH, DRAW, GEOMETRY, PLAIN, TARGET};
use radeon::r6xx::unexecuted::{Field, INPUT, SHARED};
use silicon::Format;

use super::code;
use super::rig::*;

/// A strip with depth and colour tests.
fn rig() -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, 0.5, [1.0; 4]), &code::pixel());
    rig.depth(
        Format::D32Float,
        1f32.to_bits(),
        depth_test(compare::LESS, true),
    );
    rig
}

fn written(rig: &Rig, register: u32) -> Option<u32> {
    let context = (packets::SET_CONTEXT_REG, CONTEXT.start);
    rig.written(context, register)
}

#[test]
fn every_field_stops_the_draw_by_its_name() {
    let tables: [&[Field]; 8] = [SHARED, INPUT, DRAW, PLAIN, GEOMETRY, TARGET, BLEND, DEPTH];
    for (table, field) in tables.iter().flat_map(|t| t.iter().map(move |f| (t, f))) {
        let mut rig = rig();
        if table
            .iter()
            .any(|field| field.register == SQ_PGM_RESOURCES_GS)
        {
            rig.set(VGT_GS_MODE, GS_SCENARIO_G.into());
        }
        let value = enabled(table, field, written(&rig, field.register));
        rig.set(field.register, value);
        if field.register == CB_BLEND_CONTROL {
            rig.set(CB_COLOR_CONTROL, u32::from(ROP3_COPY) << 16 | 1 << 8);
        }
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

/// What only goes to buffers is not rasterised. (ERRATA 42)
#[test]
fn multipass_lets_no_primitive_through() {
    let mut rig = rig();
    rig.set(SX_MISC, 1);
    rig.draw(3);
    let stats = rig.run().unwrap();
    assert_eq!((stats.samples_passed, stats.vertices), (0, 3));
}

/// What nothing draws to may be in any state.
#[test]
fn surfaces_that_are_not_used_stop_nothing() {
    let mut rig = rig();
    rig.set(DB_DEPTH_CONTROL, 0);
    rig.set(DB_DEPTH_INFO, 6 | 1 << 25);
    rig.set(CB_COLOR0_INFO + CB_COLOR_STRIDE, 26 << 2 | 1 << 18);
    rig.set(CB_BLEND_CONTROL, 1 << 13);
    rig.draw(3);
    rig.run().unwrap();
}
