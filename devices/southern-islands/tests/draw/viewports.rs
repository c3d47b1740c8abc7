//! Several viewports: which one a primitive is seen through, and what each of them bounds.

use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

/// A vertex shader as [`code::vertex`] that exports the colour as misc vector, too: the low bits of alpha are the
/// number of the viewport.
fn choosing() -> Vec<u32> {
    let mut words = vec![code::load4(4, 0, 0), code::WAIT];
    words.extend(code::fetch(4, 0, 4, 0));
    words.extend(code::fetch(8, 0, 4, 16));
    words.push(code::WAIT);
    words.extend(code::export(12, 15, 4, false, false));
    words.extend(code::export(13, 8, 8, true, false));
    words.extend(code::export(32, 15, 8, false, false));
    words.push(code::END);
    words
}

/// One, nearly, with a number in its lowest bits.
fn one_with(number: u32) -> f32 {
    f32::from_bits(1f32.to_bits() | number)
}

fn rig(vertices: &[Vertex]) -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(vertices, &code::pixel(), ImageKind::Color);
    rig.words(VERTEX_CODE, &choosing());
    let outputs = PaClVsOutCntl {
        use_vtx_viewport_indx: true,
        vs_out_misc_vec_ena: true,
        ..PaClVsOutCntl::from_word(0)
    };
    rig.set(PA_CL_VS_OUT_CNTL, outputs.pack());
    let mode = PaScModeCntl0 {
        vport_scissor_enable: true,
        ..PaScModeCntl0::from_word(0)
    };
    rig.set(PA_SC_MODE_CNTL_0, mode.pack());
    // A grid of four by four.
    let (w, h) = (WIDTH / 4, HEIGHT / 4);
    for n in 0..16 {
        place(&mut rig, n, [n % 4 * w, n / 4 * h, w, h], [0.0, 1.0]);
    }
    rig
}

/// Viewport and scissor `n`.
fn place(rig: &mut Rig, n: u32, [x, y, width, height]: [u32; 4], [near, far]: [f32; 2]) {
    let (w, h) = (width as f32 / 2.0, height as f32 / 2.0);
    let scale = [w, x as f32 + w, -h, y as f32 + h, far - near, near];
    for (k, value) in (0..).zip(scale) {
        let register = PA_CL_VPORT_XSCALE_0 + n * VPORT_STRIDE + 4 * k;
        rig.set(register, value.to_bits());
    }
    rig.set(PA_SC_VPORT_SCISSOR_0_TL + 8 * n, x | y << 16);
    let end = (x + width) | (y + height) << 16;
    rig.set(PA_SC_VPORT_SCISSOR_0_BR + 8 * n, end);
    rig.set(PA_SC_VPORT_ZMIN_0 + 8 * n, near.to_bits());
    rig.set(PA_SC_VPORT_ZMAX_0 + 8 * n, far.to_bits());
}

/// A triangle over all of a viewport; `numbers` are those of its vertices.
fn cover(numbers: [u32; 3], z: f32, [r, g, b]: [f32; 3]) -> [Vertex; 3] {
    let corners = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)];
    std::array::from_fn(|k| {
        let (x, y) = corners[k];
        [x, y, z, 1.0, r, g, b, one_with(numbers[k])]
    })
}

#[test]
fn sixteen_viewports_take_a_triangle_each() {
    let shade = |n: u32| n as f32 / 15.0;
    let mut vertices = Vec::new();
    for n in 0..16 {
        vertices.extend(cover([n; 3], 0.5, [shade(n), 1.0 - shade(n), 1.0]));
    }
    let mut rig = rig(&vertices);
    // The scissor of one is smaller than its viewport.
    let [x, y] = [2 * WIDTH / 4, HEIGHT / 4];
    rig.set(PA_SC_VPORT_SCISSOR_0_TL + 8 * 6, (x + 10) | y << 16);
    rig.draw(48);
    let stats = rig.run().unwrap();
    assert_eq!(
        stats.samples_passed,
        u64::from(WIDTH * HEIGHT - 10 * HEIGHT / 4)
    );
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let n = x / (WIDTH / 4) + 4 * (y / (HEIGHT / 4));
            let level = n * 17;
            let expected = match (n, x % (WIDTH / 4)) {
                (6, 0..10) => 0,
                _ => level | (255 - level) << 8 | 0xffff << 16,
            };
            assert_eq!(rig.pixel(x, y), expected, "({x}, {y})");
        }
    }
}

#[test]
fn the_provoking_vertex_decides_for_the_whole_primitive() {
    for (last, expected) in [(false, 3), (true, 9)] {
        let mut rig = rig(&cover([3, 5, 9], 0.5, [1.0; 3]));
        let mode = PaSuScModeCntl {
            provoking_vtx_last: last,
            ..PaSuScModeCntl::from_word(0)
        };
        rig.set(PA_SU_SC_MODE_CNTL, mode.pack());
        rig.draw(3);
        rig.run().unwrap();
        for n in 0..16 {
            let (x, y) = (n % 4 * (WIDTH / 4) + 20, n / 4 * (HEIGHT / 4) + 20);
            assert_eq!(rig.pixel(x, y) != 0, n == expected, "{last}, viewport {n}");
        }
    }
}

/// Clipped triangles go through the viewport of their provoking vertex as well.
#[test]
fn clipped_triangles_stay_in_their_viewport() {
    let mut vertices = cover([10, 0, 0], 0.5, [1.0; 3]);
    vertices[2][2] = 3.0;
    let mut rig = rig(&vertices);
    rig.draw(3);
    let stats = rig.run().unwrap();
    let area = u64::from(WIDTH / 4 * HEIGHT / 4);
    assert!((1..area).contains(&stats.samples_passed));
    for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        let inside = x / (WIDTH / 4) == 2 && y / (HEIGHT / 4) == 2;
        assert!(inside || rig.pixel(x, y) == 0, "({x}, {y})");
    }
}

#[test]
fn depth_is_limited_to_the_range_of_each_viewport() {
    // What the shader exports or not is the same, early and late; late tests take other paths.
    for late in [false, true] {
        let mut vertices = Vec::new();
        vertices.extend(cover([0; 3], 2.0, [1.0; 3]));
        vertices.extend(cover([1; 3], 2.0, [1.0; 3]));
        vertices.extend(cover([2; 3], -1.0, [1.0; 3]));
        let mut rig = rig(&vertices);
        let (w, h) = (WIDTH / 4, HEIGHT / 4);
        for (n, range) in [[0.0, 0.25], [0.0, 0.5], [0.125, 0.5]]
            .into_iter()
            .enumerate()
        {
            place(&mut rig, n as u32, [n as u32 * w, 0, w, h], range);
        }
        let clip = PaClClipCntl {
            dx_clip_space_def: true,
            zclip_near_disable: true,
            zclip_far_disable: true,
            ..PaClClipCntl::from_word(0)
        };
        rig.set(PA_CL_CLIP_CNTL, clip.pack());
        rig.depth(compare::LESS, true);
        if late {
            rig.words(PIXEL_CODE, &code::pixel_kill());
            rig.set(DB_SHADER_CONTROL, 1 << 6);
            let red = 0.25f32;
            for vertex in 0..9 {
                rig.words(VERTICES + 32 * vertex + 16, &[red.to_bits()]);
            }
        }
        rig.draw(9);
        rig.run().unwrap();
        let depth = layout(ImageKind::Depth, [WIDTH, HEIGHT]).levels[0].surface;
        for (x, expected) in [
            (5, 0.25),
            (w + 5, 0.5),
            (2 * w + 5, 0.125),
            (3 * w + 5, 1.0),
        ] {
            let z = rig.memory.load(DEPTH + depth.offset(x, 7, 0, 0)).unwrap();
            assert_eq!(f32::from_bits(z), expected, "late {late}, column {x}");
        }
    }
}
