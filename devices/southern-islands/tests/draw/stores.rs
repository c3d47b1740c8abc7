//! Pixel waves that store to memory: what they leave does not depend on threads.

use southern_islands::Start;
use southern_islands::isa::assemble;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::rig::*;
use super::triangles::vertex;

/// Where the programs store, and how many bytes.
const STORES: u64 = 0x200_0000;
const BYTES: u32 = 0x8_0000;
/// Behind a word for each pixel, 256 a line: words that all pixels share.
const SHARED: u32 = 0x4_0000;

/// v4, v5: column and line of the pixel. v7: byte offset of its word. v8: the primitive's red, as an integer. s[0:3] is the
/// buffer, s4 the offset of the shared words, and s5 holds a number for the program.
const START: &str = "s_mov_b32 m0, s6
v_cvt_u32_f32 v4, v2
v_cvt_u32_f32 v5, v3
v_lshlrev_b32 v6, 8, v5
v_add_i32 v6, vcc, v6, v4
v_lshlrev_b32 v7, 2, v6
v_interp_mov_f32 v8, p0, attr0.x
v_cvt_u32_f32 v8, v8
";
const END: &str = "v_mov_b32 v0, 1.0
exp mrt0 v0, v0, v0, v0 done vm
s_endpgm";

/// What a program leaves in memory and in the picture, how many bins were drawn to, and how it ended.
#[derive(Debug, PartialEq)]
struct Left {
    words: Vec<u32>,
    picture: Vec<u32>,
    bins: u64,
    reason: Option<String>,
}

/// Draws with a program between `START` and `END`.
fn left(threads: usize, vertices: &[Vertex], body: &str, number: u32) -> Left {
    let start = Start {
        threads: Some(threads),
        ..Start::default()
    };
    let mut rig = Rig::started(start, [WIDTH, HEIGHT]);
    let program = assemble(&format!("{START}{body}{END}")).unwrap().concat();
    rig.setup(vertices, &program, ImageKind::Color);
    // Dwords, as many as there are bytes: without a stride records are bytes.
    let buffer = [STORES as u32, 0, BYTES, 4 << 15 | 7 << 12 | 0xfac];
    let user = [&buffer[..], &[SHARED, number]].concat();
    for (n, word) in (0..).zip(user) {
        rig.set(SPI_SHADER_USER_DATA_PS_0 + 4 * n, word);
    }
    rig.set(SPI_SHADER_PGM_RSRC2_PS, 6 << 1);
    // i and j, then the pixel's place.
    rig.set(SPI_PS_INPUT_ENA, 0x302);
    rig.set(SPI_PS_INPUT_ADDR, 0x302);
    rig.draw(vertices.len() as u32);
    let ran = rig.run();
    let words = (0..u64::from(BYTES)).step_by(4);
    Left {
        words: words
            .map(|at| rig.memory.load(STORES + at).unwrap())
            .collect(),
        picture: rig.picture(),
        bins: ran.as_ref().map_or(0, |stats| stats.bins),
        reason: ran.err().map(|trap| trap.to_string()),
    }
}

/// Overlapping triangles of some hundred pixels, red from 1 on.
fn triangles() -> Vec<Vertex> {
    let mut seed = 7u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32
    };
    let mut vertices = Vec::new();
    for number in 0..200 {
        let (x, y) = (random() * 2.0 - 1.0, random() * 2.0 - 1.0);
        for corner in [[0.0, 0.0], [0.4, 0.1], [0.1, 0.6]] {
            let color = [number as f32 + 1.0, 0.0, 0.0, 1.0];
            vertices.push(vertex(x + corner[0], y + corner[1], 0.5, color));
        }
    }
    vertices
}

/// Each pixel's word is of the last triangle, sums and maxima of shared words are those of all, and words that the last wave
/// replaces are the same with any number of threads. A program whose atomic operation returns a value draws to one bin.
#[test]
fn threads_do_not_change_what_pixels_store() {
    let stores = "buffer_store_dword v8, v7, s[0:3], 0 offen
v_and_b32 v9, 12, v7
v_mov_b32 v10, 1
buffer_atomic_add v10, v9, s[0:3], s4 offen
buffer_atomic_umax v8, v9, s[0:3], s4 offen offset:64
v_add_i32 v11, vcc, v7, v8
buffer_atomic_swap v11, v9, s[0:3], s4 offen offset:128
";
    let returns = "v_mov_b32 v12, 0\nbuffer_atomic_add v12, v9, s[0:3], s4 offen offset:256 glc\n";
    let vertices = triangles();
    let later = left(1, &vertices, stores, 0);
    assert_eq!((later.bins > 4, &later.reason), (true, &None));
    for threads in [2, 7] {
        assert!(
            later == left(threads, &vertices, stores, 0),
            "{threads} threads"
        );
    }
    let in_order = left(2, &vertices, &format!("{stores}{returns}"), 0);
    assert_eq!((in_order.bins, &in_order.reason), (1, &None));
    let shared = SHARED as usize / 4;
    let swapped = shared + 32..shared + 36;
    for (at, (a, b)) in later.words.iter().zip(&in_order.words).enumerate() {
        assert!(a == b || swapped.contains(&at), "word {at}: {a} and {b}");
    }
    assert!(later.picture == in_order.picture);
    let drawn = later.picture.iter().filter(|texel| **texel != 0).count();
    let own = later.words[..shared].iter().filter(|word| **word != 0);
    assert_eq!((own.count(), drawn > 5000), (drawn, true));
    assert!(
        later.words[shared..shared + 4]
            .iter()
            .all(|sum| *sum > 1000)
    );
    assert!(later.words[swapped].iter().all(|word| *word != 0));
}

/// Waves whose stores no log has room for, alone or with those of other waves, store as others do.
#[test]
fn pixels_that_store_much_do_so_in_turn() {
    let body = "v_and_b32 v9, 0xfc, v7
buffer_store_dword v8, v7, s[0:3], 0 offen
v_add_i32 v8, vcc, v8, v7
buffer_atomic_swap v8, v9, s[0:3], s4 offen
s_sub_u32 s5, s5, 1
s_cmp_lg_u32 s5, 0
s_cbranch_scc1 0xfff7
";
    let vertices = &triangles()[..60];
    for number in [150, 9_000] {
        let vertices = &vertices[..if number > 1000 { 3 } else { 60 }];
        let one = left(1, vertices, body, number);
        let shared = SHARED as usize / 4;
        let stored = one.words[shared..shared + 64].iter();
        let stored = stored.filter(|word| **word != 0).count();
        assert_eq!((stored > 30, &one.reason), (true, &None));
        assert!(one == left(3, vertices, body, number), "{number} stores");
    }
}

/// Of a draw that fails the same is left with any number of threads.
#[test]
fn what_a_failed_draw_stores_does_not_depend_on_threads() {
    // Scalars of the last lines of triangle 100 are loaded from nowhere.
    let body = "buffer_store_dword v8, v7, s[0:3], 0 offen
v_readfirstlane_b32 s8, v8
s_mov_b32 s10, 0
s_mov_b32 s11, 0
s_cmp_lg_u32 s8, 100
s_cbranch_scc1 1
s_mov_b32 s11, 0xffff
s_load_dword s12, s[10:11], 0x0
buffer_store_dword v8, v7, s[0:3], s4 offen
";
    let one = left(1, &triangles(), body, 0);
    assert!(
        one.reason
            .as_deref()
            .is_some_and(|reason| reason.contains("0xffff")),
        "{:?}",
        one.reason
    );
    for threads in [2, 5] {
        let others = left(threads, &triangles(), body, 0);
        assert_eq!(
            (&one.reason, one.words == others.words),
            (&others.reason, true)
        );
    }
}
