//! Listings: text to words, words to text, and what is refused.
#![allow(clippy::unwrap_used)]

use r600::isa::{Program, assemble, disassemble, parse};

fn text_of(words: &[u32]) -> String {
    let lines = disassemble(words).unwrap();
    lines.into_iter().map(|line| line.text + "\n").collect()
}

/// Printed and parsed again, words stay what they are.
fn survives(words: &[u32]) {
    let text = text_of(words);
    let parsed = match parse(&text) {
        Ok(parsed) => parsed.program,
        Err(error) => panic!("{error}\n{text}"),
    };
    assert_eq!(parsed.encode().unwrap(), words, "{text}");
    let program = Program::decode(words).unwrap();
    assert_eq!(parsed.numbering, program.numbering);
}

#[test]
fn programs_of_another_compiler_survive() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "hex") {
            let text = std::fs::read_to_string(&path).unwrap();
            let words = text.split_whitespace();
            let words: Vec<u32> = words.map(|w| u32::from_str_radix(w, 16).unwrap()).collect();
            survives(&words);
            // They break no rule that the assembler knows.
            let again = assemble(&text_of(&words));
            assert_eq!(
                again.map(|lines| lines.concat()),
                Ok(words),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn clauses_are_placed() {
    let text = "
        ALU_PUSH_BEFORE: KCACHE0(CB1:16-31)
            0 x: MOV R1.x, KC0[3].y
              y: MUL_e R1.y, R0.x, 2.5    // a literal without a place
            1 x: PRED_SETGT ____.x, PV.y, 0.0 UPDATE_EXEC_MASK
        JUMP: ADDR(after)
        TEX:
            SAMPLE R2.xyzw, R1.xy00, t0, s0
      after:
        POP: POP_CNT(1)
        EXP_DONE: PIX0, R1.xy01 END_OF_PROGRAM";
    let lines = assemble(text).unwrap();
    let words = lines.concat();
    // Five of control flow, four ALU slots with a literal, a fetch on 16 bytes.
    assert_eq!(words.len(), 2 * 5 + 2 * 4 + 2 + 4);
    assert_eq!(words[1] >> 18 & 127, 3);
    assert_eq!((words[2], words[4]), (3, 10));
    let shown = text_of(&words);
    assert!(shown.contains("KCACHE0(CB1:16-31)"), "{shown}");
    assert!(shown.contains("(0x40200000, 2.5).x"), "{shown}");
    survives(&words);
}

#[test]
fn read_ports_are_found() {
    // Three registers of one element in cycles 0 of three slots: not without other bank swizzles.
    let text = "
        ALU:
            0 x: ADD R0.x, R1.x, R2.x
              y: ADD R0.y, R2.x, R3.x
              z: ADD R0.z, R3.x, R1.x
        NOP: END_OF_PROGRAM";
    let words = assemble(text).unwrap().concat();
    assert!(text_of(&words).contains("VEC_"), "{}", text_of(&words));
    survives(&words);
}

fn refused(text: &str, rule: &str) {
    let error = assemble(text).unwrap_err().to_string();
    assert!(error.contains(rule), "`{error}` does not say `{rule}`");
}

#[test]
fn broken_rules_are_named() {
    let clause = |lines: &str| format!("ALU:\n{lines}\nNOP: END_OF_PROGRAM");
    let cases = [
        // Four registers of one element, three cycles.
        (
            "0 x: ADD R0.x, R1.x, R2.x\n y: ADD R0.y, R3.x, R4.x",
            "both read in cycle",
        ),
        (
            "0 x: ADD R0.x, R1.x, R2.x VEC_012\n y: ADD R0.y, R3.x, R2.y VEC_012",
            "both read in cycle 0",
        ),
        (
            "0 x: MULADD R0.x, C[1].x, C[2].x, C[3].x\n y: ADD R0.y, C[4].x, C[5].x",
            "more than 4 different constants",
        ),
        (
            "0 t: MUL_LIT R0.x, 1.0, 0.5, 2.0",
            "slot t reads 3 constants",
        ),
        (
            "0 t: MUL_LIT R0.x, 1.0, 0.5, R1.x SCL_210",
            "in cycle 0, which its 2 constants take",
        ),
        ("0 x: MOV R0.x, KC0[3].x", "not locked"),
        ("0 x: MOV R0.x, PV.x", "first group"),
        ("0 x: MOV R0.x, R[1+AR.x].x", "before the clause writes it"),
        ("0 x: MOVA_INT ____.x, R0.x", "USES_WATERFALL"),
        (
            "0 x: PRED_SETE ____.x, R0.x, R1.x UPDATE_PRED\n y: KILLE ____.y, R0.y, 0.0",
            "2 instructions",
        ),
        (
            "0 x: KILLE ____.x, R0.x, 0.0\n1 x: MOV R0.x, 0.0",
            "last group",
        ),
        ("0 x: ADD R0.x, R1.x, R2.x UPDATE_PRED", "sets no predicate"),
        ("0 x: DOT4 R0.x, R1.x, R2.x", "all four vector slots"),
        ("0 x: AND_INT R0.x, R1.x, R2.x CLAMP", "no float"),
        (
            "0 x: RECIP_IEEE R0.x, R1.x\n t: SIN R0.y, R1.y",
            "Trans only",
        ),
        ("0 t: ADD R0.x, R1.x, R2.x", "would run in slot x"),
        (
            "0 x: MOV R0.x, 2.0\n y: MOV R0.y, 3.0\n z: MOV R0.z, 4.0\n w: MOV R0.w, 5.0\n t: MOV R1.x, 6.0",
            "four literals",
        ),
        ("0 y: MOV R0.y, R1.y\n x: MOV R0.x, R1.x", "too late"),
        ("0 t: MOVA_INT ____.x, R0.x", "would run in slot x"),
    ];
    for (lines, rule) in cases {
        refused(&clause(lines), rule);
    }
    let cases = [
        ("POP: POP_CNT(1)\nNOP: END_OF_PROGRAM", "pops more"),
        ("LOOP_START_DX10: ADDR(2)\nNOP: END_OF_PROGRAM", "1 entries"),
        ("LOOP_END: ADDR(0)\nNOP: END_OF_PROGRAM", "no loop"),
        ("LOOP_BREAK: ADDR(1)\nNOP: END_OF_PROGRAM", "no loop"),
        ("ELSE: ADDR(1)\nNOP: END_OF_PROGRAM", "no pushed lane state"),
        ("RETURN:\nNOP: END_OF_PROGRAM", "no call"),
        (
            "PUSH: ADDR(1)\nPOP: POP_CNT(1)\nNOP: END_OF_PROGRAM",
            "depending on the way",
        ),
        ("NOP: WQM VPM END_OF_PROGRAM", "exclude each other"),
        ("NOP: COND(BOOL) END_OF_PROGRAM", "does not branch"),
        ("EXP_DONE: PIX8, R0 END_OF_PROGRAM", "PIX target 8"),
        (
            "MEM_RING: READ(0), R0 ELEM_SIZE(4) END_OF_PROGRAM",
            "cannot read",
        ),
        (
            "MEM_SCRATCH: WRITE(0), R0 ELEM_SIZE(1) END_OF_PROGRAM",
            "ELEM_SIZE = 3",
        ),
        ("TEX:\nNOP: END_OF_PROGRAM", "0 instructions"),
        ("JUMP: ADDR(nowhere)", "no label `nowhere`"),
        ("FLY: ADDR(1)", "no control-flow instruction `FLY`"),
        (
            "ALU: ADDR(0)\n0 x: MOV R0.x, R1.x\nNOP: END_OF_PROGRAM",
            "over other words",
        ),
        (
            "TEX: ADDR(3)\nLD R0, R1, t0, s0\nNOP: END_OF_PROGRAM",
            "not aligned",
        ),
    ];
    for (text, rule) in cases {
        refused(text, rule);
    }
    let long: String = (0..129)
        .map(|n| format!("{n} x: MOV R0.x, R1.x\n"))
        .collect();
    refused(&clause(&long), "129 slots");
    let long = "LD R0, R1, t0, s0\n".repeat(9);
    refused(
        &format!("TEX:\n{long}NOP: END_OF_PROGRAM"),
        "9 instructions",
    );
}
