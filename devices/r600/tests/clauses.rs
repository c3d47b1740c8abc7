//! ALU clauses: constants of locked lines, results left in PV beside predicates, and sides of a branch that leave a round.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, LaneValue};
use r600::exec::exec;
use r600::isa::assemble;

type Vector = [u32; 4];

/// R0.x is the lane as a float.
fn input(more: &[(&str, LaneValue)]) -> ExecInput {
    let mut input = ExecInput::default();
    let lane = |n: u32| [(n as f32).to_bits(), n, 0, 0];
    let lanes = LaneValue::Vectors((0..64).map(lane).collect());
    input.registers.insert("R0".into(), lanes);
    for (name, value) in more {
        input.registers.insert((*name).into(), value.clone());
    }
    input
}

fn words(text: &str) -> Vec<u32> {
    match assemble(text) {
        Ok(lines) => lines.concat(),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// R1 of each lane, which the program exports.
fn run(words: &[u32], input: &ExecInput) -> Vec<Vector> {
    let output = exec("fragment", words, input).unwrap();
    let lanes = output.exports[0].lanes.iter();
    lanes.map(|lane| lane.unwrap()).collect()
}

/// A constant buffer whose constants hold their numbers.
fn numbered(count: u32) -> LaneValue {
    LaneValue::Vectors((0..count).map(|n| [n, n + 10_000, n, n]).collect())
}

/// The modes of a lock: bits 31:30 of the first word of the instruction that starts the clause. [R600 CF_ALU_DWORD0]
const MODE: u32 = 3 << 30;
const LOCK_1: u32 = 1 << 30;

#[test]
fn lines_from_first_to_last() {
    let buffer = [("KC3", numbered(4096))];
    for line in [0, 1, 126, 127, 128, 129, 200, 254, 255] {
        let first = 16 * line;
        for two in [false, true] {
            let count = if two && line < 255 { 32 } else { 16 };
            let text = |at: u32| {
                format!(
                    "ALU: KCACHE0(CB3:{first}-{})\n0 x: MOV R1.x, KC0[{at}].y\nEXP_DONE: PIX0, R1 END_OF_PROGRAM",
                    first + count - 1
                )
            };
            for at in [0, 7, 15, 16, 31].into_iter().filter(|at| *at < count) {
                for found in run(&words(&text(at)), &input(&buffer)) {
                    assert_eq!(found[0], first + at + 10_000, "line {line}, constant {at}");
                }
            }
        }
    }
}

/// One line has 16 constants: what is behind them is not locked and reads as zero.
#[test]
fn constants_behind_one_line() {
    let buffer = [("KC3", numbered(64))];
    for at in [0, 15, 16, 17, 31] {
        let text = format!(
            "ALU: KCACHE0(CB3:16-47)\n0 x: MOV R1.x, KC0[{at}].x\nEXP_DONE: PIX0, R1 END_OF_PROGRAM"
        );
        let mut words = words(&text);
        for found in run(&words, &input(&buffer)) {
            assert_eq!(found[0], 16 + at, "two lines, constant {at}");
        }
        words[0] = words[0] & !MODE | LOCK_1;
        let wanted = if at < 16 { 16 + at } else { 0 };
        for found in run(&words, &input(&buffer)) {
            assert_eq!(found[0], wanted, "one line, constant {at}");
        }
    }
}

/// Lanes that a predicate leaves out keep PV, also where PV stood for a register that is written meanwhile.
#[test]
fn predicated_results_over_forwarded_ones() {
    let start = "
        ALU:
            0 x: MOV R2.x, 41
              t: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_PRED";
    let end = "EXP_DONE: PIX0, R1 END_OF_PROGRAM";
    // What follows, and R1.x where the predicate holds and where it does not.
    let cases = [
        (
            "1 x: ADD_INT ____.x, PV.x, 1i PRED_SEL_ONE
               t: MULLO_INT R2.x, 3, 1i
             2 x: MOV R1.x, PV.x",
            [42, 41],
        ),
        (
            "1 x: ADD_INT R2.x, PV.x, 1i PRED_SEL_ONE
             2 x: MOV R1.x, PV.x",
            [42, 41],
        ),
        (
            "1 x: ADD_INT R2.x, R2.x, 1i PRED_SEL_ZERO
             2 y: MOV R1.y, 1i
               t: MULLO_INT R2.x, 3, 1i
             3 x: MOV R1.x, PV.x",
            [3, 3],
        ),
        (
            "1 x: ADD_INT ____.x, R2.x, 1i PRED_SEL_ONE
             2 y: ADD_INT ____.y, PV.x, 2
             3 x: MOV R2.x, 9
             4 x: ADD_INT ____.x, PV.x, 5 PRED_SEL_ZERO
             5 x: MOV R1.x, PV.x",
            [9, 14],
        ),
        (
            "1 x: ADD_INT ____.x, R2.x, 1i PRED_SEL_ONE
             2 y: MOV R2.y, PV.x
             3 x: ADD_INT R1.x, R2.y, 100",
            [142, 141],
        ),
    ];
    for (middle, [holds, fails]) in cases {
        let text = format!("{start}\n{middle}\n{end}");
        for (lane, found) in run(&words(&text), &input(&[])).into_iter().enumerate() {
            let wanted = if lane > 31 { holds } else { fails };
            assert_eq!(found[0], wanted, "lane {lane}\n{text}");
        }
    }
}

/// Lanes that left the round on the first side of a branch are on no other side of it.
#[test]
fn the_other_side_is_without_lanes_that_left() {
    for leave in ["LOOP_CONTINUE", "LOOP_BREAK"] {
        // The first side is that of lanes above 31; every fourth of them stays.
        let text = format!(
            "
            LOOP_START_NO_AL: CONST(1) ADDR(after)
          body:
            ALU_PUSH_BEFORE:
                0 x: PRED_SETGT ____.x, R0.x, 31.5 UPDATE_EXEC_MASK
            JUMP: ADDR(else)
            ALU_PUSH_BEFORE:
                0 x: AND_INT R2.x, R0.y, 3
                1 x: PRED_SETNE_INT ____.x, R2.x, 0.0 UPDATE_EXEC_MASK
            JUMP: ADDR(stay)
            {leave}: POP_CNT(2) ADDR(end)
          stay:
            POP: POP_CNT(1)
            ALU:
                0 z: ADD_INT R1.z, R1.z, 1i
          else:
            ELSE: ADDR(join)
            ALU:
                0 x: ADD_INT R1.x, R1.x, 1i
          join:
            POP: POP_CNT(1)
            ALU:
                0 y: ADD_INT R1.y, R1.y, 1i
          end:
            LOOP_END: CONST(1) ADDR(body)
          after:
            EXP_DONE: PIX0, R1 END_OF_PROGRAM"
        );
        let constants = [("I1", LaneValue::Lanes(vec![3, 0, 0]))];
        for (lane, found) in run(&words(&text), &input(&constants))
            .into_iter()
            .enumerate()
        {
            let wanted = match lane {
                0..32 => [3, 3, 0],
                _ if lane % 4 == 0 => [0, 3, 3],
                _ => [0; 3],
            };
            assert_eq!(found[..3], wanted, "{leave} lane {lane}");
        }
    }
}
