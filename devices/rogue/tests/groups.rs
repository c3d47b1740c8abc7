//! Groups as they execute: the operand network, predicates, masks, branches, outputs.
#![allow(clippy::unwrap_used)]

mod run;

use run::{Run, float};

const END: &str = "control { nop.end } [] pad2";

fn run(text: &str) -> Run {
    Run::new(&format!("{text}\n{END}"))
}

#[test]
fn both_phases_read_before_anything_is_written() {
    let text = "main { mbyp ft0, s0; mbyp ft1, s3 } [s0=r1, s3=r0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft1, \
                w0=r0, w1=r1]";
    let found = run(text).set("r0", 7).set("r1", 9).go();
    assert_eq!((found.all("r0"), found.all("r1")), (9, 7));
}

#[test]
fn products_and_sums_round_twice_and_flush() {
    let mad = "main { fmad ft0, s0, s1, s2.neg; fadd ft1, s3.neg, s4.abs } [s0=r0, s1=r1, s2=r2, s3=r3, s4=r4, is0=s0, \
               is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft1, w0=r5, w1=r6]";
    let found = run(mad)
        .set("r0", float(3.0))
        .set("r1", float(0.1))
        .set("r2", float(0.25))
        .set("r3", float(1.5))
        .set("r4", float(-4.0))
        .go();
    assert_eq!(found.all("r5"), float(3.0f32 * 0.1 - 0.25));
    assert_eq!(found.all("r6"), float(2.5));
    // A denormal operand is zero; so is a denormal result.
    let found = run(mad)
        .set("r0", 1)
        .set("r1", float(f32::MAX))
        .set("r3", 0x0080_0001)
        .set("r4", 0x0080_0000)
        .go();
    assert_eq!(found.all("r5"), 0x8000_0000 ^ 0x8000_0000);
    assert_eq!(found.all("r6"), 0x8000_0000);
}

#[test]
fn a_move_takes_bytes() {
    let text = "main { mbyp ft0, s0; pck.const1 ft2; mov w0.e1, ft2 } [s0=r0, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, \
                is4=ft0, is5=ft0, w0=r1]";
    let found = run(text).set("r0", 0x1122_3344).go();
    assert_eq!(found.all("r1"), 0x1122_0044);
}

#[test]
fn vertex_words_and_pixels_come_out() {
    let text = "main { mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; uvsw.write w0, 3 } [s0=vi1, s3=c0, is0=s0, is1=ft0, \
                is2=ft1, is3=ft0, is4=ft0, is5=ft0]";
    let found = run(text).lanes("vi1", |lane| lane * 2).go();
    assert_eq!(found.export("VO3", 5), Some(10));
    let text = "olchk main { mbyp ft0, s0 } [s0=vi1, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=o2]";
    let found = run(text).set("vi1", 77).go();
    assert_eq!(found.export("O2", 31), Some(77));
}

#[test]
fn signed_maximum() {
    let text = "main { mbyp ft0, s0; mbyp ft1, s3; tstg.s32 ftt, _, is1, is2; movc w0.e0.e1.e2.e3, w1, ftt, ft0, ft0 } \
                [s0=r12, s3=r13, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft1, is5=ft0, w0=r14]";
    let found = run(text)
        .lanes("r12", |lane| lane.wrapping_sub(4))
        .set("r13", 1)
        .go();
    assert_eq!(found.lane("r14", 2), 1);
    assert_eq!(found.lane("r14", 20), 16);
}

const SPLIT: &str = "(ignorepe) control { cndst if(1), w0, s0, 1 } [s0=c0, s3=c0, w0=r40]
main { mbyp ft0, s0; tstz.u32 ftt, p0, is1 } [s0=r0, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0]
(ignorepe) control { cndst if(p0), w0, s0, 1 } [s0=r40, s3=c0, w0=r40]
control { br.allinst other } []
main { unpck.u32 ft0, s0.e0 } [s0=c5, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=r1]
other: (ignorepe) control { cndef if(1), w0, s0, 1 } [s0=r40, s3=c0, w0=r40]
control { br.allinst end } []
main { unpck.u32 ft0, s0.e0 } [s0=c6, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=r1]
end: (ignorepe) control { cndend w0, s0, 1 } [s0=r40, s3=c0, w0=r40]";

#[test]
fn lanes_take_their_branch() {
    let found = run(SPLIT).lanes("r0", |lane| lane % 3).go();
    for lane in 0..32 {
        let expected = if lane % 3 == 0 { 5.0 } else { 6.0 };
        assert_eq!(found.lane("r1", lane), float(expected), "{lane}");
    }
    assert_eq!(found.all("r40"), 0);
    // Nobody takes the first side, then nobody the second.
    for (value, expected) in [(1, 6.0), (0, 5.0)] {
        let found = run(SPLIT).set("r0", value).go();
        assert_eq!(found.all("r1"), float(expected));
    }
}

#[test]
fn tasks_of_a_wave_part_and_meet() {
    let found = run(SPLIT)
        .tasks(2)
        .lanes("r0", |lane| u32::from(lane < 32))
        .go();
    assert_eq!(found.lane("r1", 3), float(6.0));
    assert_eq!(found.lane("r1", 40), float(5.0));
    // The first task leaves its loop after three rounds, the second after seven.
    let text = "(ignorepe) control { cndst if(1), w0, s0, 1 } [s0=c0, s3=c0, w0=r40]
again: main { smadd32 ft0, s0, s1, s2, _ } [s0=r1, s1=c1, s2=c1, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, \
is5=ft0, w0=r1]
main { mbyp ft0, s0; mbyp ft1, s3; tstl.u32 ftt, p0, is1, is2 } [s0=r1, s3=r0, is0=s0, is1=ft0, is2=ft1, is3=ft0, \
is4=ft0, is5=ft0]
if(p0) control { br again } []
main { smadd32 ft0, s0, s1, s2, _ } [s0=r2, s1=c1, s2=c1, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, \
w0=r2]";
    let found = run(text)
        .tasks(2)
        .lanes("r0", |lane| if lane < 32 { 3 } else { 7 })
        .go();
    for (lane, rounds) in [(0, 3), (31, 3), (32, 7), (63, 7)] {
        assert_eq!(found.lane("r1", lane), rounds);
        assert_eq!(found.lane("r2", lane), 1);
    }
}
