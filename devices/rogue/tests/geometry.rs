//! Geometry programs written by hand: what they emit is drawn in order, whatever the store and the parameter buffer hold.
#![allow(clippy::unwrap_used)]
#![allow(dead_code, reason = "the rig is that of other tests, too")]

mod rig;

use isa::{ExecInput, LaneValue, Tools};
use rig::*;
use rogue::TOOLS;
use rogue::regs::*;
use rogue::stream::job;
use silicon::{Addr, SimdLevel};

const GEOMETRY_CODE: u64 = 0x5800;
/// The unified vertex store: vertices, and what is emitted.
const STORE: [u64; 2] = [0xa00000, 0xb00000];
const SELECT: &str = "s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";

fn write(from: &str, word: u32) -> String {
    format!(
        "main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; uvsw.write w0, {word} }} [s0={from}, {SELECT}]\n"
    )
}

fn end(how: &str) -> String {
    format!("main {{ uvsw.{how} }} [s0=c0, {SELECT}]\n")
}

/// Emits the vertices of a triangle as they are, five words each.
fn copies(last: &str) -> String {
    let mut text = String::new();
    for vertex in 0..3 {
        for word in 0..5 {
            text += &write(&format!("vi{}", 5 * vertex + word), word);
        }
        text += &end(if vertex < 2 { "emit" } else { last });
    }
    text
}

/// Turns the stage on, with so many bytes in both parts of the store.
fn stage(rig: &mut Rig, text: &str, bytes: [u32; 2]) {
    let code = words(&(text.to_owned() + END));
    rig.memory.write_words(Addr(GEOMETRY_CODE), &code).unwrap();
    let control = GsControl {
        max_vertices: 3,
        parameters: 1,
        ..GsControl::from_word(0)
    };
    let place = [GEOMETRY_CODE as u32, 0, code.len() as u32, control.pack()];
    rig.set(USC_GS_CODE_LO, &place);
    rig.set(PDS_GS_INPUTS, &[5]);
    rig.set(PDS_GS_INPUT_WORD, &[0x03020100, 4]);
    rig.set(UVS_VERTICES_LO, &[STORE[0] as u32, 0, bytes[0]]);
    rig.set(UVS_EMITTED_LO, &[STORE[1] as u32, 0, bytes[1]]);
    let ppp = PppCtrl {
        clip_mode: 1,
        gs_topology: gs_topology::TRIANGLE_STRIP,
        ..PppCtrl::from_word(0)
    };
    rig.set(PPP_CTRL, &[ppp.pack()]);
}

/// Some triangles all over the picture, one over the other.
fn corners(count: u32) -> Vec<Corner> {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let corner = |n: u32| {
        (
            [next(), next(), next() * 0.5 + 0.5, 1.0],
            (n / 3 + 1) * 0x10307,
        )
    };
    (0..3 * count).map(corner).collect()
}

/// A wave of 64 vertices of five words, and one of 64 instances that emit three of them.
const WAVES: [u32; 2] = [64 * 5 * 4, 64 * 5 * 4 * 3];

#[test]
fn copies_are_what_they_are_copies_of() {
    let corners = corners(500);
    let draw = |geometry: Option<([u32; 2], &str)>, pages: u32, threads: usize| {
        let mut rig = Rig::new(SimdLevel::current(), threads);
        rig.begin(pages, load::CLEAR, 1);
        rig.object(PLAIN, pass_type::OPAQUE, 1, false);
        if let Some((bytes, last)) = geometry {
            stage(&mut rig, &copies(last), bytes);
        }
        rig.draw(&corners);
        rig.job(job::KICK, &[]);
        let stats = rig.go().unwrap();
        (rig.picture(TARGET), stats, rig.device.partial_renders())
    };
    let (plain, direct, partial) = draw(None, 600, 1);
    assert_eq!(partial, 0);
    for threads in [1, 2, 7] {
        // A batch of one wave, and of all.
        for waves in [1, 16] {
            let bytes = WAVES.map(|bytes| bytes * waves);
            for (pages, last) in [(600, "emit"), (600, "emitcut"), (9, "emit")] {
                let (picture, stats, partial) = draw(Some((bytes, last)), pages, threads);
                assert!(
                    picture == plain,
                    "{threads} threads, {waves} waves, {pages} pages"
                );
                assert_eq!(partial > 0, pages == 9);
                let invocations = [stats.geometry_lanes, stats.geometry_primitives];
                assert_eq!(invocations, [500; 2]);
                assert_eq!(stats.vertex_lanes, direct.vertex_lanes);
                assert_eq!(stats.samples_passed, direct.samples_passed);
            }
        }
    }
}

#[test]
fn what_does_not_run_is_a_trap_by_name() {
    let trap = |text: &str, bytes: [u32; 2]| {
        let mut rig = Rig::new(SimdLevel::current(), 1);
        rig.begin(64, load::CLEAR, 1);
        stage(&mut rig, text, bytes);
        rig.draw(&corners(1));
        rig.go().unwrap_err().reason
    };
    let text = copies("emit");
    let small = trap(&text, [WAVES[0] - 1, WAVES[1]]);
    assert!(
        small.contains("UVS_VERTICES_BYTES is 1279 bytes"),
        "{small}"
    );
    let small = trap(&text, [WAVES[0], WAVES[1] - 1]);
    assert!(small.contains("needs 3840"), "{small}");
    let stream = trap(&end("emit.stream1"), WAVES);
    assert!(stream.contains("another stream"), "{stream}");
    let outside = trap(&text, [1 << 30, WAVES[1]]);
    assert!(outside.contains("unified vertex store"), "{outside}");

    // A vertex task has one vertex.
    let mut rig = Rig::new(SimdLevel::current(), 1);
    let code = words(&(end("emit") + END));
    rig.memory.write_words(Addr(CODE), &code).unwrap();
    rig.begin(64, load::CLEAR, 1);
    rig.set(USC_VS_CODE_WORDS, &[code.len() as u32]);
    rig.draw(&corners(1));
    let reason = rig.go().unwrap_err().reason;
    assert!(reason.contains("within a vertex task"), "{reason}");
}

#[test]
fn a_lone_wave_says_what_it_emits() {
    let text = write("vi0", 0)
        + &end("emit")
        + &write("vi1", 0)
        + &end("emitcut")
        + &end("cut")
        + &format!(
            "main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; uvsw.writeemitendtask w0, 0 }} [s0=c7, {SELECT}]\n"
        )
        + END;
    let program = words(&text);
    let mut input = ExecInput {
        lanes: Some(2),
        ..ExecInput::default()
    };
    input
        .registers
        .insert("vi0".into(), LaneValue::Lanes(vec![10, 11]));
    input
        .registers
        .insert("vi1".into(), LaneValue::Lanes(vec![20, 21]));
    let output = TOOLS.exec("geometry", &program, &input).unwrap();
    let found: Vec<(String, Vec<u32>)> = output
        .exports
        .iter()
        .map(|export| {
            let lanes = export.lanes.iter().take(2).flatten();
            (export.target.clone(), lanes.map(|lane| lane[0]).collect())
        })
        .collect();
    let expected = [
        ("EMIT.VO0", vec![10, 11]),
        ("EMIT.VO0", vec![20, 21]),
        ("CUT", vec![0, 0]),
        ("CUT", vec![0, 0]),
        ("EMIT.VO0", vec![7, 7]),
        ("VO0", vec![7, 7]),
    ];
    let expected = expected.map(|(name, lanes)| (name.to_owned(), lanes));
    assert_eq!(found, expected);
}
