#![allow(clippy::unwrap_used)]

use super::super::assemble;
use super::*;

fn check(text: &str) -> Result<(), Rule> {
    let words: Vec<u32> = assemble(text).unwrap().concat();
    check_timing(&words).map_err(|hazard| hazard.rule)
}

#[test]
fn loads_are_waited_for() {
    let load = "s_load_dwordx4 s[4:7], s[0:1], 0x0\n";
    let early = check(&format!("{load} s_mov_b32 s8, s5\n s_endpgm"));
    assert_eq!(early, Err(Rule::ScalarPending { register: 5 }));
    assert_eq!(
        check(&format!(
            "{load} s_waitcnt lgkmcnt(0)\n s_mov_b32 s8, s5\n s_endpgm"
        )),
        Ok(())
    );
    // Scalar loads return out of order: a count above zero says nothing.
    let two = format!(
        "{load} s_load_dword s8, s[0:1], 0x4\n s_waitcnt lgkmcnt(1)\n s_mov_b32 s9, s4\n s_endpgm"
    );
    assert_eq!(check(&two), Err(Rule::ScalarPending { register: 4 }));
}

#[test]
fn vector_loads_return_in_order() {
    let text = |wait: &str| {
        format!(
            "buffer_load_dword v1, v0, s[4:7], 0 offen\n buffer_load_dword v2, v0, s[4:7], 0 offen offset:4\n\
             s_waitcnt vmcnt({wait})\n v_mov_b32 v3, v1\n v_mov_b32 v0, 0\n s_endpgm"
        )
    };
    assert_eq!(check(&text("1")), Ok(()));
    assert_eq!(
        check(&text("2")),
        Err(Rule::VectorPending {
            register: 1,
            counter: "vmcnt"
        })
    );
}

#[test]
fn sources_of_stores_and_exports_stay_until_read() {
    let store = "buffer_store_dword v1, v0, s[4:7], 0 offen\n v_mov_b32 v0, 1\n";
    assert_eq!(
        check(&format!("{store} v_mov_b32 v1, 0\n s_endpgm")),
        Err(Rule::Overwritten { register: 1 })
    );
    assert_eq!(
        check(&format!(
            "{store} s_waitcnt expcnt(0)\n v_mov_b32 v1, 0\n s_endpgm"
        )),
        Ok(())
    );
    let export = "exp mrt0 v0, v1, v2, v3 done vm\n s_mov_b64 exec, 0\n s_endpgm";
    assert_eq!(check(export), Err(Rule::ExecPending));
}

#[test]
fn every_path_into_a_join_counts() {
    let text = |wait: &str| {
        format!(
            "s_cbranch_scc0 skip\n ds_read_b32 v1, v0\n {wait}\n skip:\n v_mov_b32 v2, v1\n s_endpgm"
        )
    };
    assert_eq!(
        check(&text("")),
        Err(Rule::VectorPending {
            register: 1,
            counter: "lgkmcnt"
        })
    );
    assert_eq!(check(&text("s_waitcnt lgkmcnt(0)")), Ok(()));
}

#[test]
fn wait_states_of_the_table() {
    let lane = |nop: &str| {
        check(&format!(
            "v_readfirstlane_b32 s4, v0\n {nop}\n v_readlane_b32 s5, v1, s4\n s_endpgm"
        ))
    };
    let too_early = |found| {
        Err(Rule::WaitStates {
            first: "a vector instruction that writes a scalar",
            second: "taking a lane number from it",
            needed: 4,
            found,
        })
    };
    assert_eq!(lane(""), too_early(0));
    assert_eq!(lane("s_nop 2"), too_early(3));
    assert_eq!(lane("s_nop 3"), Ok(()));
    let fmas = |nop: &str| {
        check(&format!(
            "v_cmp_lt_f32 vcc, v0, v1\n {nop}\n v_div_fmas_f32 v2, v0, v1, v2\n s_endpgm"
        ))
    };
    assert!(fmas("s_nop 2").is_err());
    assert_eq!(fmas("s_nop 3"), Ok(()));
    let twice = check(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n s_endpgm",
    );
    assert!(twice.is_err());
}
