//! Memory, iteration, textures, masks and what they leave; registers that lanes share; loops and calls.
#![allow(clippy::unwrap_used)]

mod run;

use isa::{LaneValue, MemoryBlock};
use run::{Run, float};

const END: &str = "control { nop.end } [] pad2";
const SELECT: &str = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";

fn run(text: &str) -> Run {
    Run::new(&format!("{text}\n{END}"))
}

fn memory(mut run: Run, address: u64, words: &[u32]) -> Run {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    run.input.memory.push(MemoryBlock::new(address, &bytes));
    run
}

fn words(found: &run::Found) -> Vec<u32> {
    let bytes = found.0.memory[0].bytes(1 << 32).unwrap();
    bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

#[test]
fn loads_and_stores_of_lanes() {
    let text = format!(
        "main {{ ld s3, drc0, 2, s0 }} [s0=r0, s3=r4, {SELECT}]\ncontrol {{ wdf drc0 }} []\n\
         main {{ st s0, 2, drc0, 2, s3, _ }} [s0=r4, s3=r2, {SELECT}]"
    );
    let block: Vec<u32> = (0..256).collect();
    let found = memory(run(&text), 4096, &block)
        .lanes("r0", |lane| 4096 + 8 * lane)
        .lanes("r2", |lane| 4096 + 512 + 8 * (31 - lane % 32))
        .go();
    assert_eq!((found.lane("r4", 3), found.lane("r5", 3)), (6, 7));
    let found = words(&found);
    assert_eq!(found[128..132], [62, 63, 60, 61]);
    // Bytes and halves; uncovered lanes store nothing.
    for (size, expected) in [(0, 0x0000_0201), (1, 0x0002_0001)] {
        let text = format!("main {{ st s0, {size}, drc0, 2, s3, _ }} [s0=r4, s3=r2, {SELECT}]");
        let mut run = memory(run(&text), 256, &[0; 4])
            .set("r2", 256)
            .set("r4", 1)
            .set("r5", 2);
        run.input
            .registers
            .insert("covered".into(), LaneValue::One(2));
        assert_eq!(words(&run.go())[0], expected);
    }
    let text = format!("main {{ st s0, 2, drc0, 1, s3, s1 }} [s0=r4, s1=r6, s3=r2, {SELECT}]");
    let found = memory(run(&text), 0, &[0; 32])
        .lanes("r2", |lane| 4 * lane)
        .set("r4", 9);
    let found = words(&found.lanes("r6", |lane| lane & 1).go());
    assert_eq!(found[..4], [0, 9, 0, 9]);
}

#[test]
fn what_is_loaded_comes_behind_w0() {
    // The old value of the register goes to another; and the load wins where both write one.
    for (source, destination, expected) in [("r4", "r6", [7, 1]), ("r5", "r4", [7, 0])] {
        let text = format!(
            "main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; ld s3, drc0, 1, s4 }} \
             [s0={source}, s3=r4, s4=r0, {SELECT}, w0={destination}]"
        );
        let found = memory(run(&text), 64, &[7])
            .set("r0", 64)
            .set("r4", 1)
            .set("r5", 2)
            .go();
        assert_eq!([found.all("r4"), found.all("r6")], expected, "{source}");
    }
}

#[test]
fn addresses_outside_memory_stop_the_task() {
    let text = format!("main {{ ld s3, drc0, 1, s0 }} [s0=r0, s3=r4, {SELECT}]");
    let error = memory(run(&text), 0, &[0; 8]).set("r0", 4096).error();
    assert!(
        error.contains("rogue at 0x0") && error.contains("0x1000"),
        "{error}"
    );
    let error = memory(run(&text), 0, &[0; 8]).set("r0", 2).error();
    assert!(error.contains("misaligned"), "{error}");
}

#[test]
fn shared_registers_load_and_change() {
    let text = format!(
        "main {{ ld s3, drc0, 3, s0 }} [s0=sh0, s3=sh8, {SELECT}]\ncontrol {{ wdf drc0 }} []\n\
         main {{ mbyp ft0, s0 }} [s0=r1, s3=c0, {SELECT}, w0=sh9]\nmain {{ mbyp ft0, s0 }} [s0=sh9, s3=c0, {SELECT}, w0=r2]"
    );
    let found = memory(run(&text), 64, &[5, 6, 7])
        .set("sh0", 64)
        .lanes("r1", |lane| lane + 100)
        .go();
    assert_eq!((found.lane("sh8", 0), found.lane("sh10", 0)), (5, 7));
    assert_eq!(found.all("r2"), 131);
}

#[test]
fn atomic_operations_in_the_order_of_lanes() {
    type Model = fn(u32, u32) -> u32;
    let ops: [(&str, Model); 10] = [
        ("add", u32::wrapping_add),
        ("sub", u32::wrapping_sub),
        ("xchg", |_, b| b),
        ("umin", u32::min),
        ("imin", |a, b| (a as i32).min(b as i32) as u32),
        ("umax", u32::max),
        ("imax", |a, b| (a as i32).max(b as i32) as u32),
        ("and", |a, b| a & b),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
    ];
    for (name, op) in ops {
        let text = format!("main {{ atom.{name} s3, drc0, s0 }} [s0=r0, s3=r4, {SELECT}]");
        let value = |lane: u32| (lane % 32).wrapping_mul(0x1357_9bdf) ^ 0x8000_0000;
        let found = memory(run(&text), 8, &[77])
            .set("r0", 8)
            .lanes("r2", value)
            .go();
        let mut cell = 77;
        for lane in 0..32 {
            assert_eq!(found.lane("r4", lane as usize), cell, "{name}");
            cell = op(cell, value(lane));
        }
        assert_eq!(words(&found)[0], cell, "{name}");
    }
}

#[test]
fn planes_iterate_with_and_without_perspective() {
    let text = format!(
        "main {{ fitr.pixel s3, drc0, s0, 2 }} [s0=cf4, s3=r0, {SELECT}]\n\
         main {{ fitrp.pixel.sat s3, drc1, s0, s2, 1 }} [s0=cf4, s1=c0, s2=cf0, s3=r2, {SELECT}]\n\
         control {{ wdf drc0 }} []\ncontrol {{ ditr.pixel r4, drc0, cf4, 1, iter_mul, cf0 }} []\n\
         main {{ mbyp ft0, s0 }} [s0=cf10, s3=c0, {SELECT}, w0=r5]"
    );
    let found = run(&text)
        .set("cf2", float(4.0))
        .set("cf4", float(1.0))
        .set("cf5", float(10.0))
        .set("cf6", float(0.25))
        .set("cf10", float(-7.0))
        .go();
    // Lane 6 is the third pixel of the second quad: x 2.5, y 1.5.
    assert_eq!(f32::from_bits(found.lane("r0", 6)), 2.5 + 15.0 + 0.25);
    assert_eq!(f32::from_bits(found.lane("r1", 6)), -7.0);
    assert_eq!(found.lane("r2", 6), float(1.0));
    assert_eq!(f32::from_bits(found.lane("r4", 6)), 17.75 / 4.0);
    assert_eq!(f32::from_bits(found.lane("r5", 6)), -7.0);
}

#[test]
fn samples_take_their_operands_in_order() {
    let text = format!(
        "main {{ smp2d.fcnorm.proj.bias.pplod.array drc0, s0, s1, s2, s3, s4, 2 }} \
         [s0=sh4, s1=r0, s2=sh8, s3=c0, s4=r10, {SELECT}]\n\
         main {{ smp2d.fcnorm.f16 drc0, s0, s1, s2, s3, s4, 3 }} [s0=sh4, s1=r0, s2=sh8, s3=c0, s4=r20, {SELECT}]"
    );
    let mut run = run(&text)
        .set("r0", float(3.0))
        .set("r1", float(5.0))
        .set("r2", float(2.0));
    run = run.set("r3", 9).set("r4", float(-1.0));
    let texel = [1.0f32, 0.5, -2.0, 4.0].map(f32::to_bits).to_vec();
    run.input
        .registers
        .insert("TEX4".into(), LaneValue::Lanes(texel));
    let found = run.go();
    let export = &found.0.exports[0];
    assert_eq!(export.target, "TEX4");
    assert_eq!(
        export.lanes[5],
        Some([float(1.5), float(2.5), 0, float(-1.0)])
    );
    assert_eq!(
        (found.all("r10"), found.all("r11")),
        (float(1.0), float(0.5))
    );
    assert_eq!((found.all("r20"), found.all("r21")), (0x3800_3c00, 0xc000));
}

#[test]
fn iteration_and_sample_in_one() {
    let text = "control { itrsmp2d.pixel.proj.fcnorm r8, none, drc0, cf4, sh4, sh8, 4, 3, cf0 } []";
    let mut run = run(text)
        .set("cf6", float(3.0))
        .set("cf10", float(4.0))
        .set("cf14", float(2.0));
    run.input
        .registers
        .insert("TEX4".into(), LaneValue::Lanes(vec![1, 2, 3, 4]));
    let found = run.go();
    assert_eq!(
        found.0.exports[0].lanes[0],
        Some([float(1.5), float(2.0), 0, 0])
    );
    assert_eq!((found.all("r8"), found.all("r11")), (1, 4));
}

#[test]
fn the_alpha_test_kills_and_depth_goes_back() {
    for (mode, less, equal, greater) in [
        (0, false, false, false),
        (1, true, false, false),
        (2, false, true, false),
        (3, true, true, false),
        (4, false, false, true),
        (5, true, false, true),
        (6, false, true, true),
        (7, true, true, true),
    ] {
        for state in [format!("c{mode}"), "sh3".to_owned()] {
            let text = format!(
                "olchk main {{ atst.ifb p0, s0, s1, s2 }} [s0=r0, s1=r1, s2={state}, s3=c0, {SELECT}]"
            );
            let found = run(&text)
                .set("sh3", mode)
                .set("r0", 1)
                .lanes("r1", |lane| lane % 3)
                .go();
            let expected = (0..32).fold(0u64, |mask, lane| {
                mask | u64::from([less, equal, greater][lane % 3]) << lane
            });
            assert_eq!(found.mask("covered"), expected, "{mode}");
            assert_eq!(found.mask("p0"), expected, "{mode}");
        }
    }
    let text = format!(
        "olchk main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; depthf w0 }} [s0=r0, s3=c0, {SELECT}]\n\
         main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; savmsk.vm w0, w1 }} [s0=c0, s3=c0, {SELECT}, w0=r1, w1=r2]"
    );
    let mut run = run(&text).set("r0", float(0.5));
    run.input
        .registers
        .insert("covered".into(), LaneValue::One(0xf0));
    let found = run.go();
    assert_eq!(found.export("DEPTH", 4), Some(float(0.5)));
    assert_eq!(found.export("DEPTH", 0), None);
    assert_eq!((found.lane("r1", 4), found.lane("r2", 0)), (1, 0));
}

#[test]
fn index_registers_reach_into_banks() {
    let text = format!(
        "main {{ mbyp ft0, s0 }} [s0=r0, s3=c0, {SELECT}, w0=idx0]\n\
         main {{ mbyp ft0, s0; mbyp ft1, s3 }} [s0=r8[idx0], s3=sh4[idx0], is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, \
         is5=ft1, w0=r1, w1=r2]\nmain {{ mbyp ft0, s0 }} [s0=r0, s3=c0, {SELECT}, w0=vi2[idx0]]"
    );
    let found = run(&text)
        .lanes("r0", |lane| lane % 4)
        .set("r9", 90)
        .set("r11", 110)
        .set("sh7", 70)
        .go();
    assert_eq!((found.lane("r1", 5), found.lane("r1", 7)), (90, 110));
    assert_eq!((found.lane("r2", 7), found.lane("r2", 6)), (70, 0));
    assert_eq!((found.lane("vi5", 3), found.lane("vi5", 2)), (3, 0));
    // Beyond the bank: its last register.
    let found = run(&text)
        .set("r0", 5000)
        .set("r247", 4)
        .set("sh4095", 6)
        .go();
    assert_eq!((found.all("r1"), found.all("r2")), (4, 6));
}

#[test]
fn lanes_predicated_off_keep_everything() {
    let text = format!(
        "if(p0) main {{ fadd ft0, s0, s1; tstz.f32 ftt, p0, is1 }} [s0=r0, s1=r1, s3=c0, {SELECT}, w0=r2]\n\
         if(!p0) main {{ mbyp ft0, s0; uvsw.write w0, 1 }} [s0=r0, s3=c0, {SELECT}]"
    )
    .replace("uvsw", "mov w0.e0.e1.e2.e3, ft0; uvsw");
    let mut run = run(&text)
        .lanes("r0", |lane| float(lane as f32))
        .set("r1", float(-3.0))
        .set("r2", 55);
    run.input
        .registers
        .insert("p0".into(), LaneValue::One(0xff));
    let found = run.go();
    assert_eq!(
        (
            found.lane("r2", 3),
            found.lane("r2", 7),
            found.lane("r2", 9)
        ),
        (0, float(4.0), 55)
    );
    assert_eq!(found.mask("p0"), 1 << 3);
    assert_eq!(
        (found.export("VO1", 3), found.export("VO1", 5)),
        (Some(0), Some(float(5.0)))
    );
}

/// Nested loops with break and continue, as compilers write them, beside a loop of one lane.
#[test]
fn loops_with_breaks_and_continues() {
    let add = |to: u8, what: &str| {
        format!(
            "main {{ smadd32 ft0, s0, s1, s2, _ }} [s0=r{to}, s1=c1, s2={what}, s3=c0, {SELECT}, w0=r{to}]"
        )
    };
    let compare = |op: &str, left: &str, right: &str| {
        format!(
            "main {{ mbyp ft0, s0; mbyp ft1, s3; tst{op}.u32 ftt, p0, is1, is2 }} [s0={left}, s3={right}, {SELECT}]"
        )
    };
    let set = |value: &str| {
        format!(
            "(ignorepe) control {{ cndsm if(p0), w0, s0, s2 }} [s0=r40, s1=c0, s2={value}, s3=c0, w0=r40]"
        )
    };
    let cnd = |op: &str| format!("(ignorepe) control {{ {op} }} [s0=r40, s3=c0, w0=r40]");
    let text = [
        "(ignorepe) control { cndst if(1), w0, s0, 1 } [s0=c0, s3=c0, w0=r40]".to_owned(),
        cnd("cndst if(1), w0, s0, 2"),
        "control { br.allinst end } []".to_owned(),
        format!("body: {}", add(1, "c1")),
        // if (r1 == r0) break; if (r1 & 1) continue; r2 += r1; if (r2 > 20) break;
        compare("e", "r1", "r0"),
        set("c2"),
        "bitwise { byp ft0, ft1, s0, s1; byp ft2, s2; cbs ft3, s2; and ft4, _, ft2, _, s3; lsl ft5, ft4, s4; \
         tnz p0, ft5 } [s0=c0, s1=c0, s2=r1, s3=c1, s4=c0]"
            .to_owned(),
        set("c1"),
        add(2, "r1"),
        compare("g", "r2", "c20"),
        set("c2"),
        cnd("cndend w0, s0, 1"),
        cnd("cndst if(1), w0, s0, 1"),
        "end: (ignorepe) control { cndlt if(1), w0, p0, s0, 2 } [s0=r40, s3=c0, w0=r40]".to_owned(),
        "if(p0) control { br body } []".to_owned(),
        add(3, "r2"),
    ]
    .join("\n");
    let limit = |lane: u32| lane % 13 + 1;
    let found = run(&text).tasks(2).lanes("r0", limit).go();
    for lane in 0..64 {
        let (mut count, mut sum) = (0, 0);
        loop {
            count += 1;
            if count == limit(lane) {
                break;
            }
            if count % 2 == 1 {
                continue;
            }
            sum += count;
            if sum > 20 {
                break;
            }
        }
        let lane = lane as usize;
        assert_eq!(
            (found.lane("r1", lane), found.lane("r2", lane)),
            (count, sum),
            "{lane}"
        );
        assert_eq!(found.lane("r3", lane), sum, "{lane}");
        assert_eq!(found.lane("r40", lane), 0, "{lane}");
    }
}

#[test]
fn calls_return_to_the_group_behind() {
    let text = format!(
        "control {{ br start }} []\n\
         callee: main {{ smadd32 ft0, s0, s1, s2, _ }} [s0=r1, s1=c1, s2=c5, s3=c0, {SELECT}, w0=r1]\n\
         control {{ lapc }} []\n\
         start: control {{ brl callee }} []\n\
         control {{ savl w0 }} [w0=r2]\n\
         control {{ brl callee }} []"
    );
    let found = run(&text).go();
    assert_eq!(found.all("r1"), 10);
    // The first return address in units of two bytes: a branch of 8, the callee, LAPC, a branch of 8.
    let bytes = rogue::isa::assemble(&text).unwrap();
    let address: usize = bytes[..4].iter().map(Vec::len).sum();
    assert_eq!(found.all("r2") as usize, address / 2);
}

#[test]
fn bases_move_register_numbers() {
    let text = format!(
        "control {{ sbo.shared 16 }} []\nmain {{ mbyp ft0, s0 }} [s0=sh4, s3=c0, {SELECT}, w0=r0]\n\
         control {{ sbo.shared 0 }} []\nmain {{ mbyp ft0, s0 }} [s0=sh4, s3=c0, {SELECT}, w0=r1]"
    );
    let found = run(&text).set("sh20", 1).set("sh4", 2).go();
    assert_eq!((found.all("r0"), found.all("r1")), (1, 2));
}

#[test]
fn what_has_no_meaning_is_refused_by_name() {
    for (text, reason) in [
        (
            "control { br 4 } []".to_owned(),
            "0x4, where no group starts",
        ),
        (
            format!("main {{ mbyp ft0, s0 }} [s0=r0, s3=c0, {SELECT}, w0=c3]"),
            "writes c3",
        ),
        (
            format!("main {{ mbyp ft0, s0 }} [s0=r300, s3=c0, {SELECT}, w0=r3]"),
            "more than 248",
        ),
        (
            format!(
                "main {{ mbyp ft0, s0; movc w0.e0.e1.e2.e3, w1, ftt, ft0, ft0 }} [s0=r0, s3=c0, {SELECT}, w0=r3]"
            ),
            "MOVC without a test",
        ),
        (
            format!("main {{ st.tiled s0, 2, drc0, 1, s3, s1 }} [s0=r0, s1=r1, s3=r2, {SELECT}]"),
            "tiled store",
        ),
    ] {
        let error = run(&text).error();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let end = Run::new(&format!(
        "main {{ mbyp ft0, s0 }} [s0=r0, s3=c0, {SELECT}, w0=r3]"
    ))
    .error();
    assert!(end.contains("where no group starts"), "{end}");
    let again = "again: control { br again } []";
    let error = run(again).error();
    assert!(error.contains("without ending"), "{error}");
}

#[test]
fn strict_runs_obey_the_rules_of_groups() {
    let text = format!("main {{ mbyp ft0, s0 }} [s0=r0, s3=c0, {SELECT}, w0=o0]");
    let mut run = run(&text).set("r0", 3);
    run.input.strict = true;
    assert!(run.error().contains("output lock"));
}
