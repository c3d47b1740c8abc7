//! Rules of the hardware that only `strict` knows.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, LaneValue, Tools};
use r5xx::TOOLS;

/// What is wrong with a program, if anything is; without `strict` nothing is.
fn check(stage: &str, text: &str) -> Option<String> {
    let words = TOOLS.assemble(Some(stage), text).unwrap().concat();
    let mut input = ExecInput::default();
    if stage == "fragment" {
        input
            .registers
            .insert("TEX1".into(), LaneValue::Lanes(vec![0; 4]));
    }
    TOOLS.exec(stage, &words, &input).unwrap();
    input.strict = true;
    let found = TOOLS.exec(stage, &words, &input);
    found.err().map(|error| error.to_string())
}

#[test]
fn vertex_ports() {
    let good = [
        "VE_MULTIPLY_ADD T0, T1, T2, C3",
        "VE_MULTIPLY_ADD T0, T1, C3.xxxx, C3",
        "PVS_MACRO_OP_2CLK_MADD T0, T1, T2, T3",
        "VE_ADD T0, I1, C2 + ME_RECIP_DX AT0.x, T1.xy",
        "VE_ADD T0, C[1+A0.x], C[1+A0.x]",
        "ME_SIN T0, C1",
    ];
    for text in good {
        assert_eq!(check("vertex", text), None, "{text}");
    }
    let bad = [
        (
            "VE_MULTIPLY_ADD T0, T1, T2, T3",
            "instruction 0 reads 3 temporaries, 2 are possible",
        ),
        (
            "VE_ADD T0, C1, C2",
            "instruction 0 reads 2 constants, 1 are possible",
        ),
        (
            "VECTOR_NO_OP\nVE_ADD T0, I1, I2",
            "instruction 1 reads 2 inputs, 1 are possible",
        ),
        (
            "VE_ADD T0, AT1, AT2",
            "instruction 0 reads 2 alternate temporaries, 1 are possible",
        ),
        (
            "VE_ADD T0, C1, T2 + ME_RECIP_DX AT0.x, C2.xy",
            "reads 2 constants",
        ),
        (
            "VE_ADD AT1, C1, T2 + ME_RECIP_DX AT0.x, T2.xy",
            "both operations of instruction 0 write alternate temporaries",
        ),
    ];
    for (text, reason) in bad {
        let error = check("vertex", text);
        assert!(
            error.as_ref().is_some_and(|error| error.contains(reason)),
            "{text}: {error:?}"
        );
    }
}

const LOOK_UP: &str = "TEX.wait LD_acquire T1.rgba = t1.rgba, T0.rgba";
const FREE: &str = "TEX LD T2.rgba = t1.rgba, T0.rgba";
const END: &str =
    "OUT.wait.last MAX A.rgb = src0.rgb, src0.rgb [T1] / MAX A.a = src0.a, src0.a [T1]";
const WRITE: &str = "ALU MAD T3.rgb = src0.111, src0.111, src0.111 / MAD =";

#[test]
fn pixel_hazards() {
    let srcp = "ALU MAX T4.rgb = srcp.rgb, srcp.rgb [T3] / MAD =";
    let quad = "ALU MDH T4.rgb = src0.rgb, src0.rgb, src0.rgb [T3] / MAD =";
    let bubble = WRITE.replace("ALU", "ALU.nop");
    let use_free = "ALU MAX T4.rgb = src0.rgb, src0.rgb [T2] / MAD =";
    let use_held = use_free.replace("ALU", "ALU.wait");
    let good = [
        vec![END],
        vec![LOOK_UP, END],
        vec![FREE, LOOK_UP, END, &use_held, END],
        vec![WRITE, WRITE, &bubble, srcp, END],
        vec![&bubble, quad, END],
        vec![WRITE, FREE, srcp, END],
    ];
    for lines in good {
        assert_eq!(check("fragment", &lines.join("\n")), None, "{lines:?}");
    }
    let early_end = END.replace(".wait", "");
    let bad = [
        (
            vec![LOOK_UP, &early_end],
            "instruction 1 uses temporary 1 before it has waited",
        ),
        (
            vec![LOOK_UP, FREE, use_free, END],
            "instruction 2 uses temporary 2 before it has waited",
        ),
        (
            vec![LOOK_UP, "TEX LD T3.rgba = t1.rgba, T1.rgba", END],
            "instruction 1 uses temporary 1",
        ),
        (
            vec!["TEX LD_acquire T1.rgba = t1.rgba, T0.rgba", END],
            "instruction 0 acquires the texture semaphore",
        ),
        (vec![&early_end], "the last instruction, 0, does not wait"),
        (
            vec![WRITE, srcp, END],
            "instruction 1 needs temporary 3 a cycle early",
        ),
        (
            vec![WRITE, quad, END],
            "instruction 1 needs temporary 3 a cycle early",
        ),
        (
            vec![
                "ALU MAD_raw T3.rgb = src0.111, src0.111, src0.111 / MAD =",
                END,
            ],
            "instruction 0: MAD has no `_raw`",
        ),
    ];
    for (lines, reason) in bad {
        let error = check("fragment", &lines.join("\n"));
        assert!(
            error.as_ref().is_some_and(|error| error.contains(reason)),
            "{lines:?}: {error:?}"
        );
    }
}
