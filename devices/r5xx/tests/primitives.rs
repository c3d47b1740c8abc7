//! GA, SU and SC registers to silicon's set-up state.

#![allow(clippy::unwrap_used)]

use r5xx::ga::{assembly, samples};
use r5xx::registers;
use r5xx::regs::*;
use radeon::registers::RegisterFile;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{FaceMode, Fill};
use silicon::geometry::setup::{Bias, BiasUnit, LineShape, Winding};

fn or(registers: &mut RegisterFile, fields: &[(Field, u32)]) {
    for (field, value) in fields {
        let word = registers.get(field.address) & !field.bits(!0);
        registers.set(field.address, word | field.bits(*value));
    }
}

/// What every draw needs: an area of 100 by 50 pixels, the rule of triangles, depths up to 1.
fn ready() -> RegisterFile {
    let mut registers = registers::power_on();
    let fields = [
        (SC_SCISSOR1::XS1, 99),
        (SC_SCISSOR1::YS1, 49),
        (SC_EDGERULE::ER_TRI, 5),
        (SC_CLIP_RULE::CLIP_RULE, 0xffff),
        (SC_SCREENDOOR::SCREENDOOR, 0xff_ffff),
        (GA_ROUND_MODE::GEOMETRY_ROUND, 1),
        (VAP_OUT_VTX_FMT_0::VTX_POS_PRESENT, 1),
        (GB_MSPOS0::MS_X0, 6),
        (GB_MSPOS0::MS_Y0, 6),
        (VAP_VTE_CNTL::VTX_W0_FMT, 1),
    ];
    or(&mut registers, &fields);
    registers.set(SU_DEPTH_SCALE.address, 16_777_215f32.to_bits());
    registers
}

#[test]
fn areas_include_their_last_pixels() {
    let mut registers = ready();
    let (state, area) = assembly(&registers).unwrap();
    assert_eq!(area, Rect::new(0, 0, 100, 50));
    assert!(state.draws && state.front.scissor == area);
    let fields = [
        (SC_SCISSOR0::XS0, 10),
        (SC_SCISSOR0::YS0, 5),
        (SC_CLIP_RULE::CLIP_RULE, 0xaaaa),
    ];
    or(&mut registers, &fields);
    or(
        &mut registers,
        &[
            (SC_CLIP_0_A::XS0, 20),
            (SC_CLIP_0_B::XS1, 29),
            (SC_CLIP_0_B::YS1, 200),
        ],
    );
    assert_eq!(assembly(&registers).unwrap().1, Rect::new(20, 5, 10, 45));
    or(&mut registers, &[(SC_SCREENDOOR::SCREENDOOR, 0)]);
    assert!(!assembly(&registers).unwrap().0.draws);
}

#[test]
fn faces_culls_and_offsets() {
    let mut registers = ready();
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!(state.front.front, Winding::CounterClockwise);
    assert_eq!(
        (state.front.cull_front, state.front.cull_back),
        (false, false)
    );
    assert_eq!((state.front.bias, state.back.bias), (None, None));
    let fields = [
        (SU_CULL_MODE::CULL_BACK, 1),
        (SU_CULL_MODE::FACE, 1),
        (SU_POLY_OFFSET_ENABLE::BACK_ENABLE, 1),
    ];
    or(&mut registers, &fields);
    registers.set(SU_POLY_OFFSET_BACK_SCALE.address, 24f32.to_bits());
    registers.set(SU_POLY_OFFSET_BACK_OFFSET.address, 3f32.to_bits());
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!(state.front.front, Winding::Clockwise);
    assert_eq!(
        (state.front.cull_front, state.front.cull_back),
        (false, true)
    );
    // A factor of 2 per pixel is 24 per twelfth.
    let bias = Bias {
        constant: 3.0,
        slope: 2.0,
        clamp: 0.0,
        unit: BiasUnit::Unorm(24),
    };
    assert_eq!((state.front.bias, state.back.bias), (None, Some(bias)));
}

#[test]
fn depths_are_scaled_to_one() {
    let mut registers = ready();
    let enables = [
        (VAP_VTE_CNTL::VPORT_Z_SCALE_ENA, 1),
        (VAP_VTE_CNTL::VPORT_Z_OFFSET_ENA, 1),
    ];
    or(&mut registers, &enables);
    registers.set(VAP_VPORT_ZSCALE.address, 0.5f32.to_bits());
    registers.set(VAP_VPORT_ZOFFSET.address, 0.25f32.to_bits());
    let viewport = assembly(&registers).unwrap().0.viewports[0];
    assert_eq!((viewport.scale[2], viewport.offset[2]), (0.5, 0.25));
    registers.set(SU_DEPTH_SCALE.address, (16_777_215f32 / 2.0).to_bits());
    registers.set(SU_DEPTH_OFFSET.address, (16_777_215f32 / 4.0).to_bits());
    let viewport = assembly(&registers).unwrap().0.viewports[0];
    assert_eq!((viewport.scale[2], viewport.offset[2]), (0.25, 0.375));
}

#[test]
fn points_and_lines_have_half_sizes() {
    let mut registers = ready();
    let fields = [
        (GA_POINT_SIZE::WIDTH, 96),
        (GA_POINT_SIZE::HEIGHT, 72),
        (GA_LINE_CNTL::WIDTH, 18),
        (GA_POINT_MINMAX::MIN_SIZE, 6),
        (GA_POINT_MINMAX::MAX_SIZE, 600),
    ];
    or(&mut registers, &fields);
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!(
        (state.point_size, state.line_width, state.line_shape),
        ([16.0, 12.0], 3.0, LineShape::Level)
    );
    assert_eq!(state.vertex_point_size, None);
    or(
        &mut registers,
        &[
            (VAP_OUT_VTX_FMT_0::VTX_PT_SIZE_PRESENT, 1),
            (GA_LINE_CNTL::WIDTH, 6),
        ],
    );
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!(state.vertex_point_size, Some([1.0, 100.0]));
    let shapes = [1, 2, 3].map(|ends| {
        or(&mut registers, &[(GA_LINE_CNTL::END_TYPE, ends)]);
        assembly(&registers).unwrap().0.line_shape
    });
    let expected = [LineShape::Upright, LineShape::BySlope, LineShape::Thin];
    assert_eq!(shapes, expected);
    or(&mut registers, &[(GA_LINE_CNTL::WIDTH, 7)]);
    let expected = [LineShape::Rectangle; 1];
    let shapes = [assembly(&registers).unwrap().0.line_shape];
    assert_eq!(shapes, expected);
    or(
        &mut registers,
        &[
            (GB_TILE_CONFIG::SUBPIXEL, 1),
            (GB_MSPOS0::MS_X0, 8),
            (GB_MSPOS0::MS_Y0, 8),
        ],
    );
    assert_eq!(assembly(&registers).unwrap().0.point_size, [12.0, 9.0]);
}

#[test]
fn polygons_have_modes_and_a_vertex_that_leads() {
    let mut registers = ready();
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!((state.fill, state.last_provokes), (Fill::Solid, false));
    let fields = [
        (GA_POLY_MODE::POLY_MODE, 1),
        (GA_POLY_MODE::FRONT_PTYPE, 1),
        (GA_POLY_MODE::BACK_PTYPE, 2),
        (GA_COLOR_CONTROL::PROVOKING_VERTEX, 3),
    ];
    or(&mut registers, &fields);
    let (state, _) = assembly(&registers).unwrap();
    assert_eq!(state.fill, Fill::Modes([FaceMode::Lines, FaceMode::Solid]));
    assert!(state.last_provokes);
}

#[test]
fn samples_lie_on_the_grid() {
    let mut registers = ready();
    assert!(samples(&registers).is_centre());
    // Positions of twelfths, six samples.
    registers.set(GB_MSPOS0.address, 0x0006_3b17);
    let fields = [
        (GB_AA_CONFIG::AA_ENABLE, 1),
        (GB_AA_CONFIG::NUM_AA_SUBSAMPLES, 3),
        (GB_MSPOS1::MS_X3, 3),
        (GB_MSPOS1::MS_Y3, 9),
    ];
    or(&mut registers, &fields);
    let found = samples(&registers);
    assert_eq!(found.count(), 6);
    assert_eq!(found.positions()[..4], [(9, 1), (15, 4), (8, 0), (4, 12)]);
    or(
        &mut registers,
        &[
            (GB_TILE_CONFIG::SUBPIXEL, 1),
            (GB_AA_CONFIG::NUM_AA_SUBSAMPLES, 0),
        ],
    );
    assert_eq!(samples(&registers).positions(), [(7, 1), (11, 3)]);
    // The reset position is the corner.
    assert_eq!(samples(&registers::power_on()).positions(), [(0, 0)]);
}

/// 3.7 sixteenths are 4, or 3 towards 0.
#[test]
fn vertices_go_to_the_grid_in_two_ways() {
    for (round, right, left) in [(1, 4, -4), (0, 3, -3)] {
        let mut registers = ready();
        or(&mut registers, &[(GA_ROUND_MODE::GEOMETRY_ROUND, round)]);
        let grid = assembly(&registers).unwrap().0.grid();
        assert_eq!(grid.snap(3.7 / 16.0), right);
        assert_eq!(grid.snap(-3.7 / 16.0), left);
    }
    // Sizes are those of the registers: 5 twelfths each way are 13.3 sixteenths.
    let mut registers = ready();
    or(
        &mut registers,
        &[
            (GA_ROUND_MODE::GEOMETRY_ROUND, 0),
            (GA_POINT_SIZE::WIDTH, 5),
        ],
    );
    assert_eq!(assembly(&registers).unwrap().0.point_size[0], 13.0 / 16.0);
}

/// W is a depth as it is, times the scale of depths, whatever the viewport does to Z.
#[test]
fn depths_are_w_on_demand() {
    let mut registers = ready();
    registers.set(VAP_VPORT_ZSCALE.address, 0.5f32.to_bits());
    or(&mut registers, &[(VAP_VTE_CNTL::VPORT_Z_SCALE_ENA, 1)]);
    let z = |registers: &RegisterFile| {
        let state = assembly(registers).unwrap().0;
        state.viewports[0]
            .project(state.grid(), [0.0, 0.0, 0.5, 0.25])
            .z
    };
    assert_eq!(z(&registers), 1.0);
    or(&mut registers, &[(GB_SELECT::DEPTH_SELECT, 1)]);
    assert_eq!(z(&registers), 0.25);
    registers.set(SU_DEPTH_SCALE.address, 8_388_607.5f32.to_bits());
    assert_eq!(z(&registers), 0.125);
}

#[test]
fn what_is_not_executed_stops_a_draw() {
    let cases = [
        (SC_EDGERULE::ER_TRI, 10, "SC_EDGERULE.ER_TRI 10"),
        (SC_SCREENDOOR::SCREENDOOR, 1, "SC_SCREENDOOR.SCREENDOOR 0x1"),
        (
            GA_ROUND_MODE::GEOMETRY_ROUND,
            2,
            "GA_ROUND_MODE.GEOMETRY_ROUND 2",
        ),
        (
            GA_ROUND_MODE::GEOMETRY_MASK,
            1,
            "GA_ROUND_MODE.GEOMETRY_MASK 0x1",
        ),
        (GA_POLY_MODE::POLY_MODE, 2, "GA_POLY_MODE.POLY_MODE 2"),
        (GA_COLOR_CONTROL::PROVOKING_VERTEX, 2, "PROVOKING_VERTEX 2"),
        (
            VAP_CLIP_CNTL::BOUNDARY_EDGE_FLAG_ENA,
            1,
            "BOUNDARY_EDGE_FLAG_ENA 1",
        ),
        (VAP_OUT_VTX_FMT_0::VTX_POS_PRESENT, 0, "no position"),
    ];
    for (field, value, reason) in cases {
        let mut registers = ready();
        or(&mut registers, &[(field, value)]);
        let error = assembly(&registers).map(|_| ()).unwrap_err();
        assert!(error.contains(reason), "{error} and not {reason}");
    }
}
