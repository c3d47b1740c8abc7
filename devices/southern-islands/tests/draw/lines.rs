//! Lines: stipple patterns, and what the provoking vertex leaves alone.

use southern_islands::regs::{stipple_reset as reset, *};
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

/// Clip coordinates of a place in pixels.
fn at(x: f32, y: f32) -> Vertex {
    let (w, h) = (WIDTH as f32 / 2.0, HEIGHT as f32 / 2.0);
    [x / w - 1.0, 1.0 - y / h, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0]
}

fn stippled(topology: u32, reset: u8, pattern: u16, repeat: u8, points: &[Vertex]) -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(points, &code::pixel(), ImageKind::Color);
    rig.set(VGT_PRIMITIVE_TYPE, topology);
    rig.set(PA_SU_LINE_CNTL, 8);
    let mode = PaScModeCntl0 {
        line_stipple_enable: true,
        ..PaScModeCntl0::from_word(0)
    };
    rig.set(PA_SC_MODE_CNTL_0, mode.pack());
    let line = PaScLineStipple {
        auto_reset_cntl: reset,
        repeat_count: repeat - 1,
        line_pattern: pattern,
        ..PaScLineStipple::from_word(0)
    };
    rig.set(PA_SC_LINE_STIPPLE, line.pack());
    rig
}

fn row(rig: &Rig, y: u32, columns: std::ops::Range<u32>) -> String {
    let pixel = |x| if rig.pixel(x, y) == 0 { '.' } else { '#' };
    columns.map(pixel).collect()
}

#[test]
fn the_pattern_runs_from_the_first_vertex() {
    // Lowest bit first.
    let pattern = 0b0000_0001_0011_0111;
    let forward = [at(10.5, 5.5), at(42.5, 5.5)];
    let mut rig = stippled(prim_type::LINELIST, reset::PRIMITIVE, pattern, 1, &forward);
    rig.draw(2);
    rig.run().unwrap();
    assert_eq!(row(&rig, 5, 10..43), "###.##..#.......###.##..#........");
    let backward = [at(42.5, 5.5), at(10.5, 5.5)];
    let mut rig = stippled(prim_type::LINELIST, reset::PRIMITIVE, pattern, 2, &backward);
    rig.draw(2);
    rig.run().unwrap();
    assert_eq!(row(&rig, 5, 10..43), "...............##....####..######");
}

#[test]
fn strips_go_on_and_lists_start_anew() {
    let points = [at(10.5, 5.5), at(15.5, 5.5), at(15.5, 5.5), at(25.5, 5.5)];
    let pattern = 0b0000_0000_0111_1110;
    let mut rig = stippled(prim_type::LINELIST, reset::PRIMITIVE, pattern, 1, &points);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(row(&rig, 5, 10..26), ".####.######....");
    let points = [at(10.5, 5.5), at(15.5, 5.5), at(25.5, 5.5)];
    let mut rig = stippled(prim_type::LINESTRIP, reset::PACKET, pattern, 1, &points);
    rig.draw(3);
    rig.run().unwrap();
    assert_eq!(row(&rig, 5, 10..26), ".######.........");
    // A line to the left of the picture counts as any other.
    let points = [at(-20.5, 5.5), at(-4.5, 5.5), at(3.5, 5.5), at(25.5, 5.5)];
    let mut rig = stippled(prim_type::LINESTRIP, reset::PACKET, pattern, 1, &points);
    rig.draw(4);
    rig.run().unwrap();
    // 16 pixels, then 8 of which the sixth is the first inside.
    assert_eq!(row(&rig, 5, 0..20), "##..........######..");
}

#[test]
fn rectangular_lines_are_cut_where_the_distance_says() {
    let points = [at(10.0, 8.0), at(26.0, 8.0), at(26.0, 24.0)];
    let mut rig = stippled(prim_type::LINESTRIP, reset::PACKET, 0x0f0f, 1, &points);
    // Four pixels wide.
    rig.set(PA_SU_LINE_CNTL, 32);
    rig.draw(3);
    rig.run().unwrap();
    for y in 6..10 {
        assert_eq!(row(&rig, y, 8..24), "..####....####..", "line {y}");
    }
    let column: String = (8..24).map(|y| row(&rig, y, 25..26)).collect();
    assert_eq!(column, "####....####....");
}

#[test]
fn patterns_never_reset_are_refused() {
    let points = [at(10.0, 8.0), at(26.0, 8.0)];
    let mut rig = stippled(prim_type::LINELIST, 0, 0x0f0f, 1, &points);
    rig.draw(2);
    let trap = rig.run().unwrap_err();
    let reason = "PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL 0 is not executed";
    assert_eq!(trap.reason, reason);
}

/// The last pixel of a line is not drawn, whichever vertex gives the flat attributes.
#[test]
fn the_provoking_vertex_does_not_turn_lines() {
    for last in [false, true] {
        let mut points = [at(10.5, 5.5), at(20.5, 5.5)];
        points[0][5] = 0.0;
        let mut rig = Rig::new(1);
        rig.setup(&points, &code::pixel(), ImageKind::Color);
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::LINELIST);
        rig.set(PA_SU_LINE_CNTL, 8);
        let mode = PaSuScModeCntl {
            provoking_vtx_last: last,
            ..PaSuScModeCntl::from_word(0)
        };
        rig.set(PA_SU_SC_MODE_CNTL, mode.pack());
        rig.draw(2);
        rig.run().unwrap();
        assert_eq!(row(&rig, 5, 9..22), ".##########..", "last {last}");
        // Green rises from the first vertex to the second.
        let green = |x: u32| rig.pixel(x, 5) >> 8 & 255;
        assert_eq!([green(10), green(12)], [0, 51], "last {last}");
    }
}
