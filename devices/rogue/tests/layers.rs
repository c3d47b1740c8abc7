//! Renders of several layers by streams written by hand: vertices choose, and each layer has tiles of its own.
#![allow(clippy::unwrap_used)]
#![allow(dead_code, reason = "the rig is that of other tests, too")]

mod rig;

use rig::*;
use rogue::regs::*;
use rogue::stream::job;
use silicon::{Addr, SimdLevel};

const SELECT: &str = "s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";
const LAYER_CODE: u64 = CODE + 0x800;
/// The layer that is drawn to.
const LAYER: &str = "olchk main { mbyp ft0, s0 } [s0=sr118, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, \
                     w0=o0]\n";

/// The position, its third word as a colour, and the colour word as the layer, behind the point size where there is one.
fn program(point_size: bool) -> Vec<u32> {
    let layer = if point_size { 9 } else { 8 };
    let places = [(0, 0), (1, 1), (2, 2), (3, 3), (2, 4), (4, layer)];
    let write = |(from, to): (u32, u32)| {
        format!(
            "main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; uvsw.write w0, {to} }} [s0=vi{from}, {SELECT}]\n"
        )
    };
    words(&(places.map(write).concat() + END))
}

/// Draws with that program; what chooses layers is on or off.
fn vertices(rig: &mut Rig, chooses: bool, point_size: bool) {
    let code = program(point_size);
    rig.memory.write_words(Addr(LAYER_CODE), &code).unwrap();
    let control = VsControl {
        parameters: 1,
        ..VsControl::from_word(0)
    };
    rig.set(USC_VS_CODE_LO, &[LAYER_CODE as u32, 0, control.pack()]);
    rig.set(USC_VS_CODE_WORDS, &[code.len() as u32]);
    let outputs = OutputSel {
        render_tgt: chooses,
        psprite_size: point_size,
        ..OutputSel::from_word(0)
    };
    rig.set(OUTPUT_SEL, &[outputs.pack()]);
}

/// Triangles all over the picture, each for one of five layers.
fn corners(count: u32) -> Vec<Corner> {
    let mut state = 5u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let corner = |n: u32| ([next(), next(), next() * 0.5 + 0.5, 1.0], n / 3 * 7 % 5);
    (0..3 * count).map(corner).collect()
}

#[test]
fn each_layer_has_the_primitives_that_choose_it() {
    const LAYERS: u32 = 4;
    let all = corners(400);
    let alone = |layer: u32| {
        let mut rig = Rig::new(SimdLevel::current(), 1);
        rig.begin(600, load::CLEAR, 1);
        vertices(&mut rig, false, false);
        rig.object(PLAIN, pass_type::OPAQUE, 1, false);
        let of_layer = all.iter().filter(|corner| corner.1 == layer);
        rig.draw(&of_layer.copied().collect::<Vec<_>>());
        rig.job(job::KICK, &[]);
        rig.go().unwrap();
        rig.picture(TARGET)
    };
    let expected: Vec<_> = (0..LAYERS).map(alone).collect();
    for threads in [1, 2, 7] {
        // A full parameter buffer makes a partial render of all layers.
        for (pages, point_size) in [(600, false), (600, true), (11, false)] {
            let mut rig = Rig::new(SimdLevel::current(), threads);
            rig.layers = LAYERS;
            rig.begin(pages, load::CLEAR, 1);
            vertices(&mut rig, true, point_size);
            rig.object(PLAIN, pass_type::OPAQUE, 1, false);
            all.chunks(90).for_each(|some| rig.draw(some));
            rig.job(job::KICK, &[]);
            rig.go().unwrap();
            assert_eq!(rig.device.partial_renders() > 0, pages == 11);
            for (layer, expected) in (0..).zip(&expected) {
                let found = rig.picture(TARGET + layer * u64::from(LAYER_BYTES));
                assert!(
                    found == *expected,
                    "{threads} threads, {pages} pages, layer {layer}"
                );
            }
            // What chose the fifth is nowhere.
            let behind = rig.picture(TARGET + u64::from(LAYERS * LAYER_BYTES));
            assert!(behind.iter().all(|texel| *texel == 0));
        }
    }
}

#[test]
fn programs_see_the_layer_of_their_tile() {
    let mut rig = Rig::new(SimdLevel::current(), 2);
    rig.layers = 3;
    rig.begin(64, load::CLEAR, 4);
    vertices(&mut rig, true, false);
    rig.object(LAYER, pass_type::OPAQUE, 7, true);
    for layer in [2, 1] {
        let all = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)];
        rig.draw(&all.map(|(x, y)| ([x, y, 0.5, 1.0], layer)));
    }
    rig.job(job::KICK, &[]);
    let stats = rig.go().unwrap();
    for layer in 0..3 {
        // What four samples hold is resolved, layer by layer.
        let picture = rig.picture(RESOLVED + u64::from(layer * LAYER_BYTES));
        assert!(picture.iter().all(|texel| *texel == layer), "{layer}");
    }
    assert_eq!(stats.fragment_lanes, u64::from(2 * EDGE * EDGE));
}

#[test]
fn layers_lie_in_memory() {
    let begin = |layers: u32, first: u32, words: &[u32]| {
        let mut rig = Rig::new(SimdLevel::current(), 1);
        rig.layers = layers;
        rig.begin(64, load::CLEAR, 1);
        rig.set(first, words);
        rig.job(job::BEGIN, &[]);
        rig.job(job::KICK, &[]);
        rig.go().map_err(|trap| trap.reason)
    };
    assert!(begin(4, PBE_LAYER_BYTES, &[LAYER_BYTES]).is_ok());
    let outside = begin(4, PBE_LAYER_BYTES, &[4 << 20]).unwrap_err();
    assert!(outside.contains("beyond video memory"), "{outside}");
    // Without a target a render is as large as it says.
    let size = (1 << 15) - 1;
    let mut rig = Rig::new(SimdLevel::current(), 1);
    rig.layers = 5;
    rig.begin(64, load::CLEAR, 1);
    rig.set(CR_SIZE, &[size << 16 | size]);
    rig.set(PBE_CONTROL0, &[0]);
    rig.job(job::BEGIN, &[]);
    let many = rig.go().unwrap_err().reason;
    assert!(many.contains("a render of 5242880 tiles"), "{many}");
}
