//! Control flow, predicates, indices, exports and memory of small programs.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, ExecOutput, LaneValue, MemoryBlock};
use r600::exec::exec;
use r600::isa::assemble;

type Vector = [u32; 4];

/// R0.x is the lane as a float, R0.y as an integer, R0.z the lane modulo 4 as a float.
fn lanes() -> LaneValue {
    let lane = |n: u32| [(n as f32).to_bits(), n, ((n % 4) as f32).to_bits(), 0];
    LaneValue::Vectors((0..64).map(lane).collect())
}

fn input(more: &[(&str, LaneValue)]) -> ExecInput {
    let mut input = ExecInput::default();
    input.registers.insert("R0".into(), lanes());
    for (name, value) in more {
        input.registers.insert((*name).into(), value.clone());
    }
    input
}

fn run_stage(stage: &str, text: &str, input: &ExecInput) -> ExecOutput {
    let words = match assemble(text) {
        Ok(lines) => lines.concat(),
        Err(error) => panic!("{error}\n{text}"),
    };
    exec(stage, &words, input).unwrap()
}

fn run(text: &str, input: &ExecInput) -> ExecOutput {
    run_stage("fragment", text, input)
}

fn lane_values(output: &ExecOutput, at: usize) -> Vec<Option<Vector>> {
    output.exports[at].lanes.clone()
}

/// Runs a program that exports R1 and compares element X with the expectation of each lane.
fn check(text: &str, input: &ExecInput, want: impl Fn(usize) -> u32) {
    let output = run(text, input);
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        assert_eq!(found.unwrap()[0], want(lane), "lane {lane}\n{text}");
    }
}

/// `if R0.x > limit`, as a clause that pushes.
fn push_if_above(limit: &str) -> String {
    format!("ALU_PUSH_BEFORE:\n0 x: PRED_SETGT ____.x, R0.x, {limit} UPDATE_EXEC_MASK\n")
}

#[test]
fn both_sides_of_a_branch() {
    // Targets at ELSE and POP, then behind them with entries popped by the jump: both mean the same.
    for (jump, pop, target, end) in [
        (
            "JUMP: ADDR(else)",
            "ELSE: ADDR(end)",
            "else:",
            "end:\nPOP: POP_CNT(1)",
        ),
        (
            "JUMP: ADDR(else)",
            "ELSE: POP_CNT(1) ADDR(end)",
            "else:",
            "POP: POP_CNT(1)\nend:",
        ),
    ] {
        for limit in ["31.5", "100.0", "-1.5"] {
            let text = format!(
                "{}{jump}\nALU:\n0 x: MOV R1.x, 10\n{target}\n{pop}\nALU:\n0 x: MOV R1.x, 20\n{end}\n\
                 EXP_DONE: PIX0, R1 END_OF_PROGRAM",
                push_if_above(limit)
            );
            let limit: f32 = limit.parse().unwrap();
            check(&text, &input(&[]), |lane| {
                if lane as f32 > limit { 10 } else { 20 }
            });
        }
    }
}

#[test]
fn nested_branches_restore_their_lanes() {
    let text = format!(
        "{}JUMP: POP_CNT(1) ADDR(out)\n{}JUMP: POP_CNT(1) ADDR(in)\n\
         ALU_POP_AFTER:\n0 x: ADD_INT R1.x, R1.x, 1\nin:\n\
         ALU_POP_AFTER:\n0 x: ADD_INT R1.x, R1.x, 10\nout:\n\
         ALU:\n0 x: ADD_INT R1.x, R1.x, 100\nEXP_DONE: PIX0, R1 END_OF_PROGRAM",
        push_if_above("9.5"),
        push_if_above("39.5")
    );
    check(&text, &input(&[]), |lane| match lane {
        40.. => 111,
        10.. => 110,
        _ => 100,
    });
    // Both levels at once.
    let text = format!(
        "{}{}ALU_POP2_AFTER:\n0 x: ADD_INT R1.x, R1.x, 1\nALU:\n0 x: ADD_INT R1.x, R1.x, 100\n\
         EXP_DONE: PIX0, R1 END_OF_PROGRAM",
        push_if_above("9.5"),
        push_if_above("39.5")
    );
    check(
        &text,
        &input(&[]),
        |lane| if lane >= 40 { 101 } else { 100 },
    );
}

#[test]
fn push_and_else_with_conditions() {
    // Booleans decide for the whole wave.
    for (bits, want) in [(1u32 << 5, 10), (0, 20)] {
        let text = "
            PUSH: COND(BOOL) CONST(5) ADDR(no)
            ALU:
                0 x: MOV R1.x, 10
            POP: POP_CNT(1)
            JUMP: COND(FALSE) ADDR(end)
          no:
            ALU:
                0 x: MOV R1.x, 20
          end:
            EXP_DONE: PIX0, R1 END_OF_PROGRAM";
        check(text, &input(&[("B", LaneValue::One(bits))]), |_| want);
    }
    let text = "
        JUMP: COND(NOT_BOOL) CONST(3) ADDR(end)
        ALU:
            0 x: MOV R1.x, 10
      end:
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    check(text, &input(&[("B", LaneValue::One(0))]), |_| 10);
    check(text, &input(&[("B", LaneValue::One(8))]), |_| 0);
}

#[test]
fn else_after_swaps_sides() {
    let text = "
        ALU_ELSE_AFTER:
            0 x: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_EXEC_MASK
        ALU_POP_AFTER:
            0 x: MOV R1.x, 7
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    check(text, &input(&[]), |lane| if lane > 31 { 0 } else { 7 });
}

/// Adds until `R0.x` rounds are done; lanes break on their own.
#[test]
fn lanes_break_on_their_own() {
    let text = "
        LOOP_START_DX10: ADDR(after)
      body:
        ALU_PUSH_BEFORE:
            0 x: PRED_SETGE_INT ____.x, R1.y, R0.y UPDATE_EXEC_MASK
        JUMP: ADDR(go)
        LOOP_BREAK: POP_CNT(1) ADDR(end)
      go:
        POP: POP_CNT(1)
        ALU:
            0 x: ADD_INT R1.x, R1.x, 3
              y: ADD_INT R1.y, R1.y, 1
      end:
        LOOP_END: ADDR(body)
      after:
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    check(text, &input(&[]), |lane| 3 * lane as u32);
    // The start may also name LOOP_END itself.
    check(
        &text.replace("ADDR(after)", "ADDR(end)"),
        &input(&[]),
        |lane| 3 * lane as u32,
    );
}

#[test]
fn lanes_continue_and_wait_in_else() {
    // Five rounds; odd lanes skip the rest of a round through an else, others add twice.
    let text = "
        LOOP_START_NO_AL: CONST(1) ADDR(after)
      body:
        ALU_PUSH_BEFORE:
            0 x: AND_INT R2.x, R0.y, 1i
            1 x: PRED_SETE_INT ____.x, R2.x, 0.0 UPDATE_EXEC_MASK
        ALU:
            0 x: ADD_INT R1.x, R1.x, 100
        ELSE: ADDR(join)
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1
        LOOP_CONTINUE: POP_CNT(1) ADDR(end)
      join:
        POP: POP_CNT(1)
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1000
      end:
        LOOP_END: CONST(1) ADDR(body)
      after:
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let constants = [("I1", LaneValue::Lanes(vec![5, 0, 0]))];
    check(text, &input(&constants), |lane| {
        if lane % 2 == 0 { 5500 } else { 5 }
    });
    // No rounds at all.
    let constants = [("I1", LaneValue::Lanes(vec![0, 0, 0]))];
    check(text, &input(&constants), |_| 0);
}

#[test]
fn clauses_that_break_and_continue() {
    // Lanes that fail the predicate leave.
    let text = |op: &str| {
        format!(
            "LOOP_START_NO_AL: ADDR(after)\nbody:\n{op}:\n0 x: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_EXEC_MASK\n\
             y: ADD_INT R1.y, R1.y, 1\nALU:\n0 x: ADD_INT R1.x, R1.x, 1\nend:\nLOOP_END: ADDR(body)\nafter:\n\
             EXP_DONE: PIX0, R1 END_OF_PROGRAM"
        )
    };
    let constants = [("I0", LaneValue::Lanes(vec![4, 0, 0]))];
    for (op, rounds) in [("ALU_BREAK", 1), ("ALU_CONTINUE", 4)] {
        let output = run(&text(op), &input(&constants));
        for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
            let want = if lane > 31 { [4, 4] } else { [0, rounds] };
            assert_eq!(found.unwrap()[..2], want, "{op} lane {lane}");
        }
    }
}

#[test]
fn the_loop_index_names_registers_and_constants() {
    let text = "
        LOOP_START: CONST(2) ADDR(after)
      outer:
        LOOP_START_NO_AL: CONST(3) ADDR(inner_end)
      inner:
        ALU: KCACHE1(CB2:16-31)
            0 x: ADD_INT R1.x, R1.x, R[10+AL].x
            1 x: ADD_INT R1.x, R1.x, KC1[1+AL].y
            2 x: ADD_INT R1.x, R1.x, C[4+AL].z
            3 w: MOV R[20+AL].w, R1.x
      inner_end:
        LOOP_END: CONST(3) ADDR(inner)
        LOOP_END: CONST(2) ADDR(outer)
      after:
        EXP: PIX0, R1
        EXP_DONE: PIX1, R[20+AL].w000 END_OF_PROGRAM";
    // First index 0, step 2, three rounds: 0, 2, 4; two inner rounds each.
    let vector = |n: u32| LaneValue::Lanes(vec![n; 4]);
    let mut more = vec![
        ("I2", LaneValue::Lanes(vec![3, 0, 2])),
        ("I3", LaneValue::Lanes(vec![2, 9, 9])),
        ("R10", vector(1)),
        ("R12", vector(20)),
        ("R14", vector(300)),
    ];
    more.push((
        "KC2",
        LaneValue::Vectors((0..32).map(|n| [n * 1000; 4]).collect()),
    ));
    more.push((
        "C",
        LaneValue::Vectors((0..16).map(|n| [n * 100_000; 4]).collect()),
    ));
    let output = run(text, &input(&more));
    let registers = 2 * 321;
    let buffers = 2 * (17 + 19 + 21) * 1000;
    let file = 2 * (4 + 6 + 8) * 100_000;
    for found in lane_values(&output, 0) {
        assert_eq!(found.unwrap()[0], registers + buffers + file);
    }
    // Outside the loop the index counts as 0.
    let written = &output.registers["R24"];
    let LaneValue::Vectors(written) = written else {
        panic!()
    };
    assert_eq!(written[0][3], registers + buffers + file);
}

#[test]
fn constants_outside_their_range() {
    let text = "
        LOOP_START: CONST(0) ADDR(after)
      body:
        ALU: KCACHE0(CB0:0-15)
            0 x: MOV R1.x, KC0[0+AL].x
              y: MOV R1.y, C[250+AL].x
      end:
        LOOP_END: ADDR(body)
      after:
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let more = [
        ("I0", LaneValue::Lanes(vec![1, 16, 1])),
        ("KC0", LaneValue::Vectors(vec![[5; 4]; 64])),
    ];
    for found in lane_values(&run(text, &input(&more)), 0) {
        assert_eq!(found.unwrap()[..2], [0x7fff_ffff, 0x7fff_ffff]);
    }
}

#[test]
fn subroutines() {
    let text = "
        CALL: CALL_CNT(1) ADDR(twice)
        CALL: CALL_CNT(1) ADDR(add)
        CALL: CALL_CNT(33) ADDR(add)
        EXP_DONE: PIX0, R1 END_OF_PROGRAM
      twice:
        CALL: CALL_CNT(1) ADDR(add)
        CALL: CALL_CNT(32) ADDR(add)
        CALL: CALL_CNT(1) ADDR(add)
        RETURN:
      add:
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1
        RETURN:";
    // A call that would nest deeper than 32 is passed over.
    check(text, &input(&[]), |_| 3);
}

#[test]
fn predicates() {
    // The result is inverted, the bit acts on the next group, and lanes that it leaves out keep PV.
    let text = "
        ALU:
            0 x: MOV R2.x, 5
            1 x: PRED_SETGT R1.x, R0.x, 31.5 UPDATE_PRED
              y: MOV R1.y, 7 PRED_SEL_ONE
            2 x: MOV R1.z, 1i PRED_SEL_ZERO
              w: MOV R1.w, PV.x PRED_SEL_ONE
        EXP_DONE: PIX0, R1 END_OF_PROGRAM"
        .replace("x: MOV R1.z", "z: MOV R1.z");
    let output = run(&text, &input(&[]));
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        let want = match lane {
            32.. => [0, 7, 0, 0],
            _ => [1f32.to_bits(), 7, 1, 0],
        };
        assert_eq!(found.unwrap(), want, "lane {lane}");
    }
}

#[test]
fn results_of_lanes_left_out_stay_in_pv() {
    let text = "
        ALU:
            0 x: MOV ____.x, 100
              t: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_PRED
            1 x: ADD_INT ____.x, PV.x, 1 PRED_SEL_ONE
            2 x: MOV R1.x, PV.x
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    check(text, &input(&[]), |lane| if lane > 31 { 101 } else { 100 });
}

#[test]
fn a_group_reads_before_it_writes() {
    // A swap, PV of what is overwritten, and Trans winning over a vector unit.
    let text = "
        ALU:
            0 x: MOV R1.x, 1i
              y: MOV R1.y, 2
            1 x: MOV R1.x, R1.y
              y: MOV R1.y, R1.x
            2 x: MOV R1.x, 9
              z: ADD_INT R1.z, R1.x, PV.y
            3 w: MOV R1.w, 5
              t: MOV R1.w, 6
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input(&[]));
    for found in lane_values(&output, 0) {
        assert_eq!(found.unwrap(), [9, 1, 3, 6]);
    }
    // PV of a register that the group after overwrites, read one group later still.
    let text = "
        ALU:
            0 x: MOV R1.x, 41
            1 y: MOV R1.y, 1i
            2 x: MOV R1.x, 7
            3 z: MOV R1.z, PV.x
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    for found in lane_values(&run(text, &input(&[])), 0) {
        assert_eq!(found.unwrap(), [7, 1, 7, 0]);
    }
    let text = "
        ALU:
            0 x: MOV R1.x, 41
            1 y: MOV R1.y, R1.x
              t: MOV R1.x, 3
            2 z: MOV R1.z, PV.x
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let text = text.replace("t: MOV R1.x, 3", "t: MULLO_INT R1.x, 3, 1i");
    for found in lane_values(&run(&text, &input(&[])), 0) {
        // Trans also leaves its product where an idle vector unit would.
        assert_eq!(found.unwrap(), [3, 41, 3, 0]);
    }
}

#[test]
fn the_execute_mask_changes_after_the_clause() {
    let text = "
        ALU:
            0 x: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_EXEC_MASK
            1 x: MOV R1.x, 5
        ALU:
            0 y: MOV R1.y, 6
        EXP: PIX0, R1
        EXP_DONE: PARAM0, R1 END_OF_PROGRAM";
    let output = run(text, &input(&[]));
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        assert_eq!(found, (lane > 31).then_some([5, 6, 0, 0]));
    }
    let LaneValue::Vectors(kept) = &output.registers["R1"] else {
        panic!()
    };
    assert_eq!(kept[3], [5, 0, 0, 0]);
}

#[test]
fn indexed_registers() {
    let text = "
        ALU: WATERFALL
            0 x: MOVA_INT ____.x, R0.y
              y: MOVA_INT ____.y, 3
            1 x: MOV R[100+AR.x].x, R0.x
            2 x: MOV R1.x, R[100+AR.x].x
              y: MOV R1.y, R[0+AR.y].y
              z: MOV R1.z, C[0+AR.y].x
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let more = [(
        "C",
        LaneValue::Vectors((0..8).map(|n| [n + 50; 4]).collect()),
    )];
    let output = run(text, &input(&more));
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        let found = found.unwrap();
        // R128 and beyond are not there: writes vanish, reads give R0.
        assert_eq!(found[0], (lane as f32).to_bits(), "lane {lane}");
        // Registers are indexed by AR.x whatever the mode says, constants by the element it names.
        assert_eq!(found[2], 53, "lane {lane}");
        if lane == 0 {
            assert_eq!(found[1], 0);
        }
    }
}

/// A group reads before it writes, also where one of its slots writes with an index: what another slot reads is the
/// register of before, whichever comes first. The next group reads what was written. [ERRATA 32]
#[test]
fn reads_beside_an_indexed_write() {
    let text = "
        ALU: WATERFALL
            0 x: MOV R2.x, 10
              y: MOV R2.y, 11
            1 x: MOV R3.x, 20
              y: MOV R3.y, 21
            2 x: MOVA_INT ____.x, 1
            3 x: MOV R[2+AR.x].x, 30
              y: MOV R1.y, R3.x
              z: MOV R1.z, R[2+AR.x].x
            4 x: MOV R1.x, PV.x
              w: MOV R1.w, R3.x
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input(&[]));
    for found in lane_values(&output, 0) {
        assert_eq!(found, Some([30, 20, 20, 30]));
    }
}

#[test]
fn kills() {
    // A killed lane runs on and is not exported as a pixel; VALID_PIXEL_MODE on a POP drops it.
    let text = "
        ALU:
            0 x: KILLGT R1.x, R0.x, 9.5
        ALU_PUSH_BEFORE:
            0 x: PRED_SETGT ____.x, R0.x, -1.5 UPDATE_EXEC_MASK
        ALU:
            0 y: MOV R1.y, 5
        POP: POP_CNT(1) VPM
        ALU:
            0 z: MOV R1.z, 6
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input(&[]));
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        assert_eq!(found, (lane < 10).then_some([0, 5, 6, 0]), "lane {lane}");
    }
    let LaneValue::Vectors(kept) = &output.registers["R1"] else {
        panic!()
    };
    assert_eq!(kept[20], [1f32.to_bits(), 5, 0, 0]);
    assert_eq!(output.registers["valid"], LaneValue::Text("0x3ff".into()));
    // KILL takes those that pass, and goes on where all are gone.
    let text = "
        KILL: ADDR(end)
        ALU:
            0 x: MOV R1.x, 5
      end:
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input(&[]));
    assert!(output.exports[0].lanes.iter().all(Option::is_none));
    assert_eq!(
        output.registers.get("R1"),
        Some(&LaneValue::Vectors(vec![[0; 4]; 64]))
    );
}

#[test]
fn whole_quads() {
    // Lanes 0, 5 and 8 to 10 are active; a clause in whole-quad mode runs for lanes 0 to 11.
    let mut input = input(&[]);
    let mask = LaneValue::Text("0x721".into());
    input.registers.insert("active".into(), mask.clone());
    input.registers.insert("valid".into(), mask);
    let text = "
        ALU: WQM
            0 x: MOV R1.x, 5
        ALU:
            0 y: MOV R1.y, 6
        EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let output = run(text, &input);
    let LaneValue::Vectors(kept) = &output.registers["R1"] else {
        panic!()
    };
    for (lane, kept) in kept.iter().enumerate() {
        let active = 0x721u64 >> lane & 1 == 1;
        let want = [if lane < 12 { 5 } else { 0 }, if active { 6 } else { 0 }];
        assert_eq!(kept[..2], want, "lane {lane}");
        assert_eq!(output.exports[0].lanes[lane].is_some(), active);
    }
}

#[test]
fn exports_are_swizzled_and_in_bursts() {
    let text = "
        EXP: PIX61, R0.y___
        EXP: PIX2, R4.wz10 BURST_CNT(3)
        EXP_DONE: PIX7, R4._x_y END_OF_PROGRAM";
    let vector = |n: u32| LaneValue::Lanes(vec![n, n + 1, n + 2, n + 3]);
    let more = [("R4", vector(40)), ("R5", vector(50)), ("R6", vector(60))];
    let output = run(text, &input(&more));
    let names: Vec<_> = output.exports.iter().map(|e| e.target.as_str()).collect();
    assert_eq!(names, ["PIXEL61", "PIXEL2", "PIXEL3", "PIXEL4", "PIXEL7"]);
    assert_eq!(output.exports[0].lanes[9].unwrap(), [9, 0, 0, 0]);
    assert_eq!(
        output.exports[2].lanes[9].unwrap(),
        [53, 52, 1f32.to_bits(), 0]
    );
    assert_eq!(output.exports[4].lanes[9].unwrap(), [0, 40, 0, 41]);
}

#[test]
fn scratch_is_a_lane_s_own() {
    let text = "
        MEM_SCRATCH: WRITE_IND(2+R2), R0.xyzw SIZE(64) ELEM_SIZE(4)
        MEM_SCRATCH: READ_IND(2+R2), R1.____ SIZE(64) ELEM_SIZE(4)
        MEM_SCRATCH: READ(2), R3.____ SIZE(64) ELEM_SIZE(4)
        EXP: PIX0, R1
        EXP_DONE: PIX1, R3 END_OF_PROGRAM";
    let index = LaneValue::Vectors((0..64).map(|n| [n * 2; 4]).collect());
    let output = run(text, &input(&[("R2", index)]));
    for lane in 0..64 {
        let own = [
            (lane as f32).to_bits(),
            lane as u32,
            ((lane % 4) as f32).to_bits(),
            0,
        ];
        // Indices of the upper half lie outside the array: nothing is written and zero read.
        let want = if lane < 32 { own } else { [0; 4] };
        assert_eq!(output.exports[0].lanes[lane], Some(want), "lane {lane}");
        let first = if lane == 0 { own } else { [0; 4] };
        assert_eq!(output.exports[1].lanes[lane], Some(first), "lane {lane}");
    }
}

#[test]
fn streams_rings_and_reduction_are_memory() {
    let text = "
        MEM_STREAM1: WRITE(1), R0.xy__ SIZE(16) ELEM_SIZE(4)
        MEM_STREAM1: WRITE(9), R0._y__ SIZE(16) ELEM_SIZE(1)
        MEM_RING: WRITE(0), R0._y__ SIZE(16) ELEM_SIZE(4)
        MEM_REDUCTION: READ(1), R1.____ SIZE(4) ELEM_SIZE(4)
        EXP_DONE: POS60, R1 END_OF_PROGRAM";
    let mut input = input(&[
        ("STREAM1", LaneValue::Lanes(vec![0x100, 16])),
        ("RING", LaneValue::Lanes(vec![0x800, 16])),
        ("REDUCTION", LaneValue::Lanes(vec![0x1000])),
    ]);
    input.lanes = Some(2);
    input.memory = vec![
        MemoryBlock::new(0x100, &[0; 96]),
        MemoryBlock::new(0x800, &[0xee; 32]),
        MemoryBlock::new(0x1010, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]),
    ];
    let output = run_stage("vertex", text, &input);
    assert_eq!(output.exports[0].lanes[1], Some([1, 2, 3, 4]));
    let word = |block: usize, at: usize| &output.memory[block].hex[8 * at..8 * at + 8];
    // Element 0 of lane 1 lies one record and one word further.
    assert_eq!((word(0, 5), word(0, 6)), ("0000803f", "01000000"));
    // Component 1 behind element 9 of lane 1. (ERRATA 43)
    assert_eq!((word(0, 13), word(0, 14)), ("00000000", "01000000"));
    assert_eq!(
        (word(1, 0), word(1, 1), word(1, 5)),
        ("eeeeeeee", "00000000", "01000000")
    );
}

#[test]
fn emitted_vertices_are_recorded() {
    let text = "
        EMIT_VERTEX:
        EMIT_CUT_VERTEX:
        CUT_VERTEX: END_OF_PROGRAM";
    let mut input = input(&[]);
    input.lanes = Some(3);
    let output = run_stage("geometry", text, &input);
    let names: Vec<_> = output.exports.iter().map(|e| e.target.as_str()).collect();
    assert_eq!(names, ["EMIT_VERTEX", "EMIT_CUT_VERTEX", "CUT_VERTEX"]);
    let lanes = output.exports[0].lanes.iter().flatten().count();
    assert_eq!(lanes, 3);
}

/// As floats 0x80000000 and 0 are equal; as integers the first is the lesser.
#[test]
fn kills_by_integers() {
    for (name, kept) in [("KILLNE_INT", 0), ("KILLGE_INT", 1)] {
        let text = format!(
            "ALU:
                0 t: LSHL_INT R2.x, R0.y, 31
            ALU:
                0 x: {name} ____.x, R2.x, 0.0
            EXP_DONE: PIX0, R2 END_OF_PROGRAM"
        );
        let output = run(&text, &input(&[]));
        for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
            assert_eq!(found.is_some(), lane % 2 == kept, "{name}, lane {lane}");
        }
    }
}

#[test]
fn wrong_programs_stop_with_a_reason() {
    let stop = |text: &str| {
        let parsed = r600::isa::parse(text).unwrap();
        let words = parsed.program.encode().unwrap();
        exec("fragment", &words, &input(&[]))
            .unwrap_err()
            .to_string()
    };
    let cases = [
        ("NOP:", "ran past its last instruction"),
        ("POP: POP_CNT(1)\nNOP: END_OF_PROGRAM", "empty stack"),
        ("RETURN:\nNOP: END_OF_PROGRAM", "outside a subroutine"),
        ("LOOP_END: ADDR(0)\nNOP: END_OF_PROGRAM", "no loop"),
        ("LOOP_BREAK: ADDR(0)\nNOP: END_OF_PROGRAM", "outside a loop"),
        ("ELSE: ADDR(1)\nNOP: END_OF_PROGRAM", "no pushed lane state"),
        (
            "LOOP_START_DX10: ADDR(2)\nLOOP_END: ADDR(1)\nNOP: END_OF_PROGRAM",
            "without ending",
        ),
        (
            "JUMP: COND(FALSE) ADDR(0)\nNOP: END_OF_PROGRAM",
            "without ending",
        ),
        (
            "EMIT_VERTEX:\nNOP: END_OF_PROGRAM",
            "outside a geometry program",
        ),
        (
            "PUSH: ADDR(0)\nJUMP: COND(FALSE) ADDR(0)\nNOP: END_OF_PROGRAM",
            "stack has more",
        ),
        (
            "EXP_DONE: PIX9, R0 END_OF_PROGRAM",
            "PIX target 9 does not exist",
        ),
        (
            "ALU:\n0 x: DOT4 R0.x, R1.x, R2.x\nNOP: END_OF_PROGRAM",
            "all four vector slots",
        ),
    ];
    for (text, reason) in cases {
        let found = stop(text);
        assert!(found.contains(reason), "`{found}` does not say `{reason}`");
    }
}

#[test]
fn strict_runs_refuse_what_the_hardware_cannot_do() {
    // Two registers of one element in the same cycle.
    let text = "ALU:\n0 x: ADD R1.x, R0.x, R0.y VEC_012\ny: ADD R1.y, R2.x, R0.x VEC_012\nEXP_DONE: PIX0, R1 END_OF_PROGRAM";
    let words = r600::isa::parse(text).unwrap().program.encode().unwrap();
    let mut input = input(&[]);
    assert!(exec("fragment", &words, &input).is_ok());
    input.strict = true;
    let error = exec("fragment", &words, &input).unwrap_err().to_string();
    assert!(error.contains("both read in cycle 0"), "{error}");
}

#[test]
fn unused_operands_bring_literals() {
    // MOV reads one operand; its second field selects a literal all the same, so the slot after it is none.
    let words = [
        0x0000_0002,
        0xa008_0000,
        0x0000_8000,
        0x9420_0688, //
        0x8000_0000 | 0xfd << 13,
        0x0020_1910,
        0x8000_0001,
        0x0020_0010,
        0x8000_0000,
        0x0020_1910,
    ];
    let output = exec("fragment", &words, &input(&[])).unwrap();
    for (lane, found) in lane_values(&output, 0).into_iter().enumerate() {
        assert_eq!(found.unwrap()[0], (lane as f32).to_bits());
    }
}
