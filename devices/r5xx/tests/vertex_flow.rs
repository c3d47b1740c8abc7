//! Vertex programs: addressing with A0 and the loop index, slots, limits.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, ExecOutput, LaneValue};
use r5xx::exec::exec;
use r5xx::isa::pvs::{FlowSlot, assemble};

fn words(vector: [f32; 4]) -> LaneValue {
    LaneValue::Lanes(vector.map(f32::to_bits).to_vec())
}

/// Runs text with slots as text.
fn run(text: &str, slots: &[&str], registers: &[(&str, LaneValue)]) -> Result<ExecOutput, String> {
    let code: Vec<u32> = assemble(text).unwrap().concat();
    let mut input = ExecInput::default();
    for (name, value) in registers {
        input.registers.insert((*name).to_owned(), value.clone());
    }
    for (at, slot) in slots.iter().enumerate() {
        let slot: FlowSlot = slot.parse().unwrap();
        let [low, high, index] = slot.words();
        let value = LaneValue::Lanes(vec![slot.op.code().into(), low, high, index]);
        input.registers.insert(format!("FLOW{at}"), value);
    }
    exec("vertex", &code, &input).map_err(|error| error.to_string())
}

fn out(output: &ExecOutput, target: &str, lane: usize) -> [f32; 4] {
    let export = output.exports.iter().find(|export| export.target == target);
    export.unwrap().lanes[lane].unwrap().map(f32::from_bits)
}

/// C n is n in every component.
fn ramp() -> Vec<(&'static str, LaneValue)> {
    let list = (0..=255).map(|n| [(n as f32).to_bits(); 4]).collect();
    vec![("C", LaneValue::Vectors(list))]
}

const MOV: &str = "VE_ADD OUT0, T0, T0.0000";

#[test]
fn loops_run_as_often_as_their_count() {
    let text = format!("VECTOR_NO_OP\nVE_ADD T0, T0, T0.1111\n{MOV}");
    let slot = ["PVS_FC_LOOP act 0, count 5, last 1, rtn 1, init 0, step 1"];
    let output = run(&text, &slot, &[]).unwrap();
    assert_eq!(out(&output, "OUT0", 0), [5.0; 4]);
    assert_eq!(output.instructions, 1 + 5 + 1);
}

#[test]
fn nested_loops_and_their_indices() {
    // The sum of C[index] of the inner loop, 10 + 8 + 6, twice; then of the outer one, 3 + 4.
    let text = format!(
        "VECTOR_NO_OP\nVECTOR_NO_OP\nVE_ADD T0.x, T0, C[0+aL]\nVE_ADD T0.y, T0, C[0+aL]\nVECTOR_NO_OP\n{MOV}"
    );
    let slots = [
        "PVS_FC_LOOP act 0, count 2, last 3, rtn 1, init 3, step 1",
        "PVS_FC_LOOP act 1, count 3, last 2, rtn 2, init 10, step -2",
    ];
    let output = run(&text, &slots, &ramp()).unwrap();
    assert_eq!(out(&output, "OUT0", 7), [48.0, 7.0, 0.0, 0.0]);
}

#[test]
fn a_loop_may_inherit_the_index() {
    let text = format!(
        "VECTOR_NO_OP\nVECTOR_NO_OP\nVE_ADD T0.x, T0, C[0+aL]\nVE_ADD T0.y, T0, C[0+aL]\n{MOV}"
    );
    let slots = [
        "PVS_FC_LOOP act 0, count 2, last 3, rtn 1, init 5, step 2",
        "PVS_FC_LOOP act 1, count 3, last 2, rtn 2, inherit, step 1",
    ];
    let output = run(&text, &slots, &ramp()).unwrap();
    // 5 + 6 + 7 and 7 + 8 + 9; after the inner loop the outer index is as before.
    assert_eq!(out(&output, "OUT0", 0), [42.0, 12.0, 0.0, 0.0]);
}

/// The clamp of the vector engine applies to the address register, which has integers. [R5XX PVS_DST_VE_SAT]
#[test]
fn addresses_are_clamped() {
    let lanes: Vec<[u32; 4]> = (0..64)
        .map(|lane| [(lane as f32 * 0.25 - 8.0).to_bits(), 0, 0, 0])
        .collect();
    let text = "VE_FLT2FIX_DX_SAT A0.x, I0.xxxx\nVE_FLT2FIX_DX_RND_SAT A0.z, I0.xxxx\n\
                VE_ADD OUT0, C[4+A0.x], I0.0000\nVE_ADD OUT1, C[4+A0.z], I0.0000";
    let mut registers = ramp();
    registers.push(("I0", LaneValue::Vectors(lanes)));
    let output = run(text, &[], &registers).unwrap();
    for lane in 0..64 {
        let x = lane as f32 * 0.25 - 8.0;
        let clamped = |x: f32| 4.0 + x.clamp(0.0, 1.0);
        assert_eq!(out(&output, "OUT0", lane), [clamped(x.floor()); 4], "{x}");
        assert_eq!(
            out(&output, "OUT1", lane),
            [clamped((x + 0.5).floor()); 4],
            "{x}"
        );
    }
}

#[test]
fn two_loops_may_end_at_one_instruction() {
    let text = format!("VECTOR_NO_OP\nVECTOR_NO_OP\nVE_ADD T0, T0, T0.1111\n{MOV}");
    let slots = [
        "PVS_FC_LOOP act 0, count 4, last 2, rtn 1, init 0, step 0",
        "PVS_FC_LOOP act 1, count 3, last 2, rtn 2, init 0, step 0",
    ];
    let output = run(&text, &slots, &[]).unwrap();
    assert_eq!(out(&output, "OUT0", 0), [12.0; 4]);
}

#[test]
fn jumps_and_calls() {
    // 0: call 4..5, 1: jump to 3, 3: the end, 4..5: the subroutine behind the program.
    let text = format!(
        "VECTOR_NO_OP\nVE_ADD T0, T0, T0.1111\nVE_ADD T0, T0, C100\n{MOV}\nVE_ADD T0, T0, C10\nVE_ADD T0, T0, C20"
    );
    let slots = [
        "PVS_FC_JSR act 0, target 4, last 5, rtn 1",
        "PVS_FC_JUMP act 1, target 3",
    ];
    let mut registers = ramp();
    registers.push(("CODE", LaneValue::Lanes(vec![0, 3])));
    let output = run(&text, &slots, &registers).unwrap();
    assert_eq!(out(&output, "OUT0", 0), [31.0; 4]);
    assert_eq!(output.instructions, 5);
}

#[test]
fn a_subroutine_sees_the_index_of_its_caller() {
    let text = format!("VECTOR_NO_OP\nVECTOR_NO_OP\nVECTOR_NO_OP\n{MOV}\nVE_ADD T0, T0, C[1+aL]");
    let slots = [
        "PVS_FC_LOOP act 0, count 3, last 2, rtn 1, init 0, step 4",
        "PVS_FC_JSR act 1, target 4, last 4, rtn 2",
    ];
    let mut registers = ramp();
    registers.push(("CODE", LaneValue::Lanes(vec![0, 3])));
    let output = run(&text, &slots, &registers).unwrap();
    assert_eq!(out(&output, "OUT0", 0), [1.0 + 5.0 + 9.0; 4]);
}

#[test]
fn addresses_differ_by_lane_and_stop_at_the_last_constant() {
    let lanes: Vec<[u32; 4]> = (0..64)
        .map(|lane| {
            [
                (lane as f32 - 8.6).to_bits(),
                (lane as f32 * 100.0).to_bits(),
                0,
                0,
            ]
        })
        .collect();
    let text = "VE_FLT2FIX_DX A0.x, I0.xxxx\nVE_FLT2FIX_DX_RND A0.y, I0\nVE_ADD OUT0, C[4+A0.x], I0.0000\n\
                VE_ADD OUT1, C[0+A0.y], I0.0000\nVE_ADD OUT2, T[2+A0.x], I0.0000";
    let mut registers = ramp();
    registers.extend([
        ("I0", LaneValue::Vectors(lanes)),
        ("CONST", LaneValue::Lanes(vec![0, 40])),
        ("T3", words([7.0; 4])),
    ]);
    let output = run(text, &[], &registers).unwrap();
    for lane in 0..64i32 {
        let at = 4 + lane - 9;
        let wanted = if (0..=40).contains(&at) {
            at as f32
        } else {
            0.0
        };
        assert_eq!(out(&output, "OUT0", lane as usize), [wanted; 4], "{lane}");
        assert_eq!(out(&output, "OUT1", lane as usize), [0.0; 4], "{lane}");
        let wanted = if lane == 10 { 7.0 } else { 0.0 };
        assert_eq!(out(&output, "OUT2", lane as usize), [wanted; 4], "{lane}");
    }
    let LaneValue::Vectors(address) = &output.registers["A0"] else {
        panic!();
    };
    assert_eq!(address[63][1], 255, "the address register ends at 255");
    assert_eq!(address[0][0] as i32, -9);
}

#[test]
fn constants_have_a_base() {
    let mut registers = ramp();
    registers.push(("CONST", LaneValue::Lanes(vec![250, 9])));
    let text = "VE_ADD OUT0, C3, C3.0000\nVE_ADD OUT1, C8, C8.0000\nVE_ADD OUT2, C10, C10.0000\nVE_ADD OUT3, C[7+A0.x], C7.0000";
    let output = run(text, &[], &registers).unwrap();
    assert_eq!(out(&output, "OUT0", 0), [253.0; 4]);
    assert_eq!(out(&output, "OUT1", 0), [2.0; 4], "the memory wraps");
    assert_eq!(out(&output, "OUT2", 0), [0.0; 4], "beyond the highest");
    assert_eq!(out(&output, "OUT3", 0), [1.0; 4]);
}

#[test]
fn writes_with_an_index() {
    let lanes: Vec<[u32; 4]> = (0..64)
        .map(|lane| [(lane as f32).to_bits(), 0, 0, 0])
        .collect();
    let text = "VE_FLT2FIX_DX A0.x, I0.xxxx\nME_PRED_SET_NEQ T9.w, I0.xxxx\n\
                (P) VE_ADD T[30+A0.x].xy, I0.1111, I0.0000\nVE_COND_WRITE_EQ OUT[1+A0.x], I0.0x00, I0.1111\n\
                VE_ADD OUT0, T31, T31.0000";
    let output = run(text, &[], &[("I0", LaneValue::Vectors(lanes))]).unwrap();
    assert_eq!(out(&output, "OUT0", 1), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(
        out(&output, "OUT0", 0),
        [0.0; 4],
        "its predicate is not set"
    );
    assert_eq!(out(&output, "OUT1", 0), [1.0; 4]);
    assert_eq!(out(&output, "OUT4", 3), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(out(&output, "OUT31", 40), [0.0; 4], "there is no output 41");
}

#[test]
fn what_the_hardware_cannot_do_is_an_error() {
    let nested: Vec<String> = (0..9)
        .map(|at| {
            format!(
                "PVS_FC_LOOP act {at}, count 2, last 9, rtn {}, init 0, step 0",
                at + 1
            )
        })
        .collect();
    let nested: Vec<&str> = nested.iter().map(String::as_str).collect();
    let nops = ["VECTOR_NO_OP"; 10].join("\n");
    let cases: [(&str, &[&str], &str); 6] = [
        (
            &nops,
            &nested,
            "slot 8, after instruction 8, nests loops and calls deeper than 8",
        ),
        (
            "VECTOR_NO_OP\nVECTOR_NO_OP",
            &["PVS_FC_LOOP act 0, count 0, last 1, rtn 1"],
            "slot 0 loops 0 times",
        ),
        (
            "VECTOR_NO_OP\nVECTOR_NO_OP",
            &["PVS_FC_LOOP act 0, count 256, last 1, rtn 1"],
            "slot 0 loops 256 times",
        ),
        (
            "VECTOR_NO_OP",
            &["PVS_FC_JUMP act 0, target 9"],
            "control reaches instruction 9 of 1",
        ),
        (
            "VE_ADD T0, T32, T1",
            &[],
            "instruction 0 uses vector 32 of 32 temporaries",
        ),
        (
            "VECTOR_NO_OP\nVE_ADD OUT32, T3, T1",
            &[],
            "instruction 1 uses vector 32 of 32 outputs",
        ),
    ];
    for (text, slots, reason) in cases {
        let error = run(text, slots, &[]).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    let error = run(
        "VECTOR_NO_OP\nVECTOR_NO_OP",
        &["PVS_FC_JUMP act 0, target 0"],
        &[],
    )
    .unwrap_err();
    assert!(error.contains("without ending"), "{error}");
    for (name, value) in [
        ("T32", words([0.0; 4])),
        ("Q", words([0.0; 4])),
        ("C0", LaneValue::One(1)),
    ] {
        assert!(
            run("VECTOR_NO_OP", &[], &[(name, value)])
                .unwrap_err()
                .starts_with(name)
        );
    }
}
