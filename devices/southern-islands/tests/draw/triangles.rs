//! Triangles: coverage, interpolation, order, depth, tilings, threads, traps.

use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

pub const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
pub const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

pub fn vertex(x: f32, y: f32, z: f32, [r, g, b, a]: [f32; 4]) -> Vertex {
    [x, y, z, 1.0, r, g, b, a]
}

/// Two triangles that cover the whole picture.
pub fn screen(z: f32, color: [f32; 4]) -> [Vertex; 6] {
    [
        (-1., -1.),
        (1., -1.),
        (-1., 1.),
        (-1., 1.),
        (1., -1.),
        (1., 1.),
    ]
    .map(|(x, y)| vertex(x, y, z, color))
}

#[test]
fn a_screen_of_one_colour_in_every_tiling() {
    for kind in [ImageKind::Color, ImageKind::Linear, ImageKind::Depth] {
        let mut rig = Rig::new(1);
        rig.setup(&screen(0.5, RED), &code::pixel(), kind);
        rig.draw(6);
        let stats = rig.run().unwrap();
        assert!(rig.picture().iter().all(|p| *p == 0xff00_00ff), "{kind:?}");
        assert_eq!(stats.draws, 1);
        assert_eq!(stats.primitives, 2);
        assert_eq!(stats.vertex_lanes, 6);
        assert_eq!(stats.fragment_lanes, u64::from(WIDTH * HEIGHT));
        assert_eq!(stats.samples_passed, u64::from(WIDTH * HEIGHT));
    }
}

/// Planes in registers cut what lies behind them, or drop primitives that lie there whole.
#[test]
fn user_planes_cut_or_cull() {
    let run = |planes: &[(u32, [f32; 4])], other: u32| {
        let mut rig = Rig::new(1);
        rig.setup(&screen(0.5, RED), &code::pixel(), ImageKind::Color);
        let mut clip = other | 1 << 19;
        for (n, factors) in planes {
            clip |= 1 << n;
            for (c, factor) in (0..).zip(factors) {
                rig.set(PA_CL_UCP_0_X + 16 * n + 4 * c, factor.to_bits());
            }
        }
        rig.set(PA_CL_CLIP_CNTL, clip);
        rig.set(PA_CL_POINT_X_RAD, 1.0f32.to_bits());
        rig.draw(6);
        let result = rig.run();
        (rig, result)
    };
    let right_of = |x: f32| [2.0, 0.0, 0.0, -2.0 * x];
    let (rig, result) = run(&[(3, right_of(0.0)), (5, [0.0, -1.0, 0.0, 0.0])], 0);
    result.unwrap();
    for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        let kept = x >= WIDTH / 2 && y >= HEIGHT / 2;
        assert_eq!(rig.pixel(x, y) != 0, kept, "{x}, {y}");
    }
    const CULL_ONLY: u32 = 1 << 17;
    let drawn = |x: f32, other: u32| run(&[(0, right_of(x))], other).1.unwrap().samples_passed;
    let all = u64::from(WIDTH * HEIGHT);
    assert_eq!(drawn(0.5, CULL_ONLY), all);
    assert_eq!(drawn(1.5, CULL_ONLY), 0);
    const CLIP_DISABLE: u32 = 1 << 16;
    assert_eq!(drawn(0.5, CLIP_DISABLE), all);
    // Points that are cut where their corners lie.
    let trap = run(&[(0, right_of(0.0))], 3 << 14).1.unwrap_err();
    assert!(trap.reason.contains("PS_UCP_MODE 3"), "{trap}");
}

#[test]
fn half_a_screen_and_its_gradient() {
    let mut rig = Rig::new(1);
    let mut vertices = screen(0.5, RED)[..3].to_vec();
    vertices[1][4] = 0.0;
    rig.setup(&vertices, &code::pixel(), ImageKind::Color);
    rig.draw(3);
    rig.run().unwrap();
    // The lower left half is covered; red falls from left to right.
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (fx, fy) = (
                (x as f32 + 0.5) / WIDTH as f32,
                (y as f32 + 0.5) / HEIGHT as f32,
            );
            let pixel = rig.pixel(x, y);
            if fx < fy - 0.01 {
                let expected = (255.0 * (1.0 - fx)).round() as i32;
                assert!(
                    (pixel as i32 & 255).abs_diff(expected) <= 1,
                    "({x}, {y}) {pixel:#x}"
                );
                assert_eq!(pixel >> 24, 255);
            } else if fx > fy + 0.01 {
                assert_eq!(pixel, 0, "({x}, {y})");
            }
        }
    }
}

#[test]
fn depth_decides_in_either_order() {
    for order in [[0.3, 0.6], [0.6, 0.3]] {
        let mut rig = Rig::new(1);
        let mut vertices = Vec::new();
        for z in order {
            vertices.extend(screen(z, if z < 0.5 { GREEN } else { RED }));
        }
        rig.setup(&vertices, &code::pixel(), ImageKind::Color);
        rig.depth(compare::LESS, true);
        rig.draw(12);
        let stats = rig.run().unwrap();
        assert!(rig.picture().iter().all(|p| *p == 0xff00_ff00), "{order:?}");
        let screens = if order[0] < order[1] { 1 } else { 2 };
        assert_eq!(stats.samples_passed, screens * u64::from(WIDTH * HEIGHT));
    }
}

#[test]
fn discarded_pixels_leave_colour_and_depth() {
    let mut rig = Rig::new(1);
    let mut vertices = screen(0.5, RED).to_vec();
    for v in &mut vertices {
        v[4] = if v[0] < 0.0 { 0.0 } else { 1.0 };
    }
    rig.setup(&vertices, &code::pixel_kill(), ImageKind::Color);
    rig.depth(compare::LESS, true);
    rig.set(DB_SHADER_CONTROL, 1 << 6);
    rig.draw(6);
    let stats = rig.run().unwrap();
    assert_eq!(stats.samples_passed, u64::from(WIDTH * HEIGHT / 2));
    let depth = layout(ImageKind::Depth, [WIDTH, HEIGHT]).levels[0].surface;
    for (x, y) in [(3, 5), (99, 60), (100, 60), (190, 110)] {
        let drawn = x < WIDTH / 2;
        assert_eq!(rig.pixel(x, y) != 0, drawn, "({x}, {y})");
        let z = rig.memory.load(DEPTH + depth.offset(x, y, 0, 0)).unwrap();
        assert_eq!(f32::from_bits(z), if drawn { 0.5 } else { 1.0 });
    }
}

/// Many small overlapping blended triangles: order matters, and neither threads nor packing may change it.
#[test]
fn threads_do_not_change_the_picture() {
    let mut seed = 1u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    let mut vertices = Vec::new();
    for _ in 0..1000 {
        let (x, y, size) = (random() * 2.2 - 1.1, random() * 2.2 - 1.1, random() * 0.3);
        let color = [random(), random(), random(), 0.5];
        for _ in 0..3 {
            let corner = [x + size * (random() - 0.5), y + size * (random() - 0.5)];
            vertices.push(vertex(corner[0], corner[1], random(), color));
        }
    }
    let picture = |threads: usize| {
        let mut rig = Rig::new(threads);
        rig.setup(&vertices, &code::pixel(), ImageKind::Color);
        rig.blend_over();
        rig.draw(3000);
        let stats = rig.run().unwrap();
        (rig.picture(), stats)
    };
    let (one, stats) = picture(1);
    assert_eq!((one.clone(), stats), picture(2));
    assert_eq!((one.clone(), stats), picture(7));
    assert!(one.iter().filter(|p| **p != 0).count() > 5000);
    // Quads of several triangles share waves: alone, every triangle would have one at least.
    assert!(stats.waves() < 500, "{stats:?}");
}

#[test]
fn shared_vertices_are_shaded_once() {
    let mut rig = Rig::new(1);
    let corners = [(-1., -1.), (1., -1.), (-1., 1.), (1., 1.)].map(|(x, y)| vertex(x, y, 0.5, RED));
    rig.setup(&corners, &code::pixel(), ImageKind::Color);
    rig.words(INDICES, &[0x0001_0000, 0x0002_0002, 0x0003_0001]);
    rig.packet(packets::INDEX_TYPE, &[0]);
    rig.packet(
        packets::DRAW_INDEX_2,
        &[6, INDICES as u32, 0, 6, packets::source::DMA],
    );
    let stats = rig.run().unwrap();
    assert_eq!(stats.vertex_lanes, 4);
    assert_eq!(stats.fragment_lanes, u64::from(WIDTH * HEIGHT));
    assert!(rig.picture().iter().all(|p| *p == 0xff00_00ff));
}

#[test]
fn flat_attributes_come_from_the_provoking_vertex() {
    for (last, expected) in [(false, 0xff00_00ff), (true, 0xff00_ff00)] {
        let mut rig = Rig::new(1);
        let mut vertices = screen(0.5, RED)[..3].to_vec();
        vertices[2] = vertex(-1.0, 1.0, 0.5, GREEN);
        rig.setup(&vertices, &code::pixel_flat(), ImageKind::Color);
        rig.set(
            PA_SU_SC_MODE_CNTL,
            PaSuScModeCntl {
                provoking_vtx_last: last,
                ..PaSuScModeCntl::from_word(0)
            }
            .pack(),
        );
        rig.draw(3);
        rig.run().unwrap();
        assert_eq!(rig.pixel(10, 100), expected);
    }
}

/// Every topology covers what it should.
#[test]
fn topologies() {
    let square = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)];
    let strip = [(-1., -1.), (1., -1.), (-1., 1.), (1., 1.)];
    let all = u64::from(WIDTH * HEIGHT);
    for (topology, corners, expected) in [
        (prim_type::TRISTRIP, &strip[..], all),
        (prim_type::TRIFAN, &square[..], all),
        (prim_type::POLYGON, &square[..], all),
        (prim_type::QUADLIST, &square[..], all),
        (prim_type::QUADSTRIP, &strip[..], all),
        (
            prim_type::RECTLIST,
            &[(-1., -1.), (1., -1.), (-1., 1.)],
            all,
        ),
        (prim_type::POINTLIST, &[(-0.5, 0.5), (0.5, 0.0)], 2),
        (prim_type::TRILIST, &square[..2], 0),
    ] {
        let mut rig = Rig::new(1);
        let vertices: Vec<_> = corners
            .iter()
            .map(|(x, y)| vertex(*x, *y, 0.5, RED))
            .collect();
        rig.setup(&vertices, &code::pixel(), ImageKind::Color);
        rig.set(PA_SU_POINT_SIZE, 8 | 8 << 16);
        rig.set(VGT_PRIMITIVE_TYPE, topology);
        rig.draw(vertices.len() as u32);
        let stats = rig.run().unwrap();
        assert_eq!(stats.fragment_lanes, expected, "topology {topology}");
    }
}

/// The fourth corner is opposite the first, whichever provokes, and attributes go on to it.
#[test]
fn rectangles_are_whole_whichever_vertex_provokes() {
    let corners = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.5), (-0.5, 0.5, 0.5)];
    let pictures = [false, true].map(|last| {
        let vertices = corners.map(|(x, y, red)| vertex(x, y, 0.5, [red, 0.0, 1.0, 1.0]));
        let mut rig = Rig::new(1);
        rig.setup(&vertices, &code::pixel(), ImageKind::Color);
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::RECTLIST);
        rig.set(PA_SU_SC_MODE_CNTL, u32::from(last) << 19);
        rig.draw(3);
        let stats = rig.run().unwrap();
        assert_eq!(stats.fragment_lanes, u64::from(WIDTH / 2 * HEIGHT / 2));
        rig.picture()
    });
    for (first, last) in pictures[0].iter().zip(&pictures[1]) {
        assert_eq!(first & 0xffff_ff00, last & 0xffff_ff00);
        assert!((first & 0xff).abs_diff(last & 0xff) <= 1);
    }
    // The fourth corner is red.
    let fourth = pictures[1][(HEIGHT / 4 * WIDTH + 3 * WIDTH / 4 - 1) as usize];
    assert!(fourth & 0xff > 250, "{fourth:#x}");
}

#[test]
fn lines_are_connected() {
    let mut rig = Rig::new(1);
    let vertices = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9)].map(|(x, y)| vertex(x, y, 0.5, RED));
    rig.setup(&vertices, &code::pixel(), ImageKind::Color);
    rig.set(PA_SU_LINE_CNTL, 8);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::LINESTRIP);
    rig.draw(3);
    let stats = rig.run().unwrap();
    // 180 columns, then 108 lines; the joint is drawn once, the end is not.
    assert_eq!(stats.fragment_lanes, 180 + 108);
}

#[test]
fn wrong_programs_and_packets_are_traps() {
    let run = |change: &dyn Fn(&mut Rig)| {
        let mut rig = Rig::new(1);
        rig.setup(&screen(0.5, RED), &code::pixel(), ImageKind::Color);
        change(&mut rig);
        rig.draw(6);
        rig.run().unwrap_err()
    };
    let trap = run(&|rig| rig.words(PIXEL_CODE + 4, &[0xcc00_0000]));
    assert_eq!((trap.address, trap.word), (PIXEL_CODE + 4, 0xcc00_0000));
    // S_BRANCH to itself.
    let trap = run(&|rig| rig.words(PIXEL_CODE, &[0xbf82_ffff]));
    assert!(trap.reason.contains("without ending"), "{trap}");
    let trap = run(&|rig| rig.packet(0x5a, &[0]));
    assert!(trap.reason.contains("0x5a"), "{trap}");
    let trap = run(&|rig| rig.stream.push(1 << 30));
    assert!(trap.reason.contains("type 1"), "{trap}");
    let trap = run(&|rig| rig.set(CB_COLOR0_BASE, 0xff_ffff));
    assert!(trap.reason.contains("video memory"), "{trap}");
    let trap = run(&|rig| rig.set(VGT_PRIMITIVE_TYPE, 63));
    assert!(trap.reason.contains("63"), "{trap}");
    let trap = run(&|rig| rig.words(TABLE, &[0, 0x0020_ffff, 6, 0x0007_7fac]));
    assert!(trap.reason.contains("lane 0"), "{trap}");
}
