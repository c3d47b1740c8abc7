//! The manual's own examples assemble and do what it says; listings in its syntax assemble to what they were made from.
#![allow(clippy::unwrap_used)]

mod run;

use rogue::isa::{Group, assemble, disassemble_as_manual};
use run::{Run, float};

/// Examples of the manual with a register that they leave, and its value from `sh4` = 3, `sh5` = 5 and the like.
const EXAMPLES: [(&str, &str, u32); 24] = [
    (
        "2 : fmad ft0, sh5, i3, sh9\nfmad ft1, sh4, i1, i0\nmov r0, ft1; mov r1, ft0;",
        "r1",
        0x41f0_0000,
    ),
    (
        "1 : fmad ft0, sh4, c64, sh0 fadd ft1, sh5, i0 mov r0, ft0; mov r1, ft1;",
        "r1",
        0x40c0_0000,
    ),
    (
        "1 : fmul ft0, sh4, i1 fmul ft1, sh5, i0 mov r0, ft0; mov r1, ft1;",
        "r0",
        0x40c0_0000,
    ),
    ("0 : frcp r0, sh1", "r0", 0x3f00_0000),
    ("0 : flog r0, sh8", "r0", 0x4040_0000),
    ("0 : fexp r0, sh4", "r0", 0x4100_0000),
    (
        "0 : mov ft0, sh0 mov r0.e0.e1.e2.e3, ft0 mov r1, sh1;",
        "r1",
        0x4000_0000,
    ),
    (
        "0 : mov ft0, c64 # c64 = 1.0\n mov r0.e0.e1.e2.e3, ft0\n mov r1, c64;",
        "r1",
        0x3f80_0000,
    ),
    (
        "0 : mov ft0, sh0.neg mov ft1, sh1.abs mov r0, ft0; mov r1, ft1;",
        "r0",
        0xbf80_0000,
    ),
    (
        "0 : fadd ft0, sh0.flr, c0 fadd ft1, sh1.flr, c0 mov r0, ft0; mov r1, ft1;",
        "r1",
        0x4000_0000,
    ),
    (
        "5 : { farctanc i0, c0 }\n6 : mov ft0, i0\nmov r0, ft0",
        "r0",
        0x3f80_0000,
    ),
    (
        "0 : fred.sin i1, i0, _, 0, c94, 1 : fred.sin.partb i0, ft0, _, 0, c94, i0 2 : fsinc r0, p0, i0",
        "r0",
        0x3f80_0000,
    ),
    (
        "0 : pck.s32.rndzero ft2, sh4 mov i0, ft2; \n1 : unpck.s32 ft0, i0.e0 mov r0.e0.e1.e2.e3, ft0 mov r1, ft0;",
        "r0",
        0x4040_0000,
    ),
    (
        "0 : unpack.s1616 ft0, c7.e0 mov r0.e0.e1.e2.e3, ft0 mov r1, ft0;",
        "r1",
        0x40e0_0000,
    ),
    (
        "1 : uadd8 ft0, sh20.e0, i7.e0 mov i0, ft0;\n2 : mov ft0, i0\nmov r0, ft0",
        "r0",
        7,
    ),
    (
        "1 : umad16 ft0, sh20.e0, i7.e0, sh21.e0 mov r0, ft0;",
        "r0",
        7,
    ),
    ("1 : umadd32 ft0, sh20, i7, sh21, mov r0, ft0;", "r0", 7),
    (
        "0 : mov ft0, sh20 mov ft1, sh21 tstz.s32 ftt, _, sh22 mov r0.e0.e1.e2.e3, ft1, ftt, ft0, ft1",
        "r0",
        7,
    ),
    (
        "0 : mov ft0, sh20 mov ft1, sh21 tstl.s32 ftt, _, ft0, ft1 mov r0.e0.e1.e2.e3, ft1, ftt, ft0, ft1",
        "r0",
        0,
    ),
    (
        "0 : mov ft0, ft1, c0, c0 mov ft2, sh20 cbs ft3, sh20 and ft4, _, ft2, _, c5 lsl ft5, ft4, c0 mov r0, ft5;",
        "r0",
        5,
    ),
    (
        "1 : mov ft0, ft1, c0, c0 mov ft2, sh20 cbs ft3, sh20 or ft4, _, ft2, _, c0 asr.twb ft5, ft4, c1 mov r0, ft5;",
        "r0",
        3,
    ),
    (
        "0 : mov ft0, c7 mov ft0.e0.e1.e2.e3, ft0 uvsw.write ft0, 3;",
        "VO3",
        7,
    ),
    (
        "0 : fitr.pixel r0, drc0, cf4, cf0, 2;\n1 : wdf drc0",
        "r1",
        0x4000_0000,
    ),
    (
        "3 : smp2d.fcnorm drc0, sh4, r1, sh0, _, r0, 4;\n4 : wdf drc0",
        "r3",
        4,
    ),
];

#[test]
fn the_examples_of_the_manual_assemble_and_run() {
    for (text, name, value) in EXAMPLES {
        // The manual numbers groups at the starts of lines.
        let text = text.replace(" 1 : ", "\n1 : ").replace(" 2 : ", "\n2 : ");
        let mut run = Run::new(&format!("{text}\ncontrol {{ nop.end }} [] pad2"));
        for (register, number) in [
            (0, 1.0f32),
            (1, 2.0),
            (4, 3.0),
            (5, 5.0),
            (8, 8.0),
            (9, 20.0),
        ] {
            run = run.set(&format!("sh{register}"), float(number));
        }
        for (register, number) in [
            ("i0", 1.0f32),
            ("i1", 2.0),
            ("i3", 2.0),
            ("cf2", 0.5),
            ("cf10", 1.0),
        ] {
            run = run.set(register, float(number));
        }
        run = run.set("i7", 1).set("sh20", 7).set("r1", 0);
        run.input
            .registers
            .insert("TEX4".into(), isa::LaneValue::Lanes(vec![1, 2, 3, 4]));
        let run = if name.starts_with("VO") {
            run
        } else {
            run.set("sh21", 0)
        };
        let found = run.go();
        let result = match name.starts_with("VO") {
            true => found.export(name, 0).unwrap(),
            false => found.lane(name, 0),
        };
        // umad and uadd count the elements of sh20, i7 and sh21.
        let value = if text.contains("uadd8") {
            value + 1
        } else {
            value
        };
        assert_eq!(format!("{result:08x}"), format!("{value:08x}"), "{text}");
    }
}

#[test]
fn the_syntax_of_the_manual_prints_and_assembles() {
    for (text, manual) in [
        (
            "main { fmul ft0, s0, s1; fadd.sat ft1, s3, s4 } [s0=sh7, s1=r2, s3=r3, s4=c64, is0=s0, is1=ft0, is2=ft1, is3=ft0, \
             is4=ft0, is5=ft1, w0=r20, w1=r21]",
            "0 : fmul ft0, sh7, r2; fadd.sat ft1, r3, c64; mov r20, ft0; mov r21, ft1",
        ),
        (
            "if(p0) main { mbyp ft0, s0.neg } [s0=vi9, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=vi10]",
            "0 : if(p0) mov ft0, vi9.neg; mov vi10, ft0",
        ),
        (
            "main { frcp w0, s0 } [s0=sh0, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=r0]",
            "0 : frcp r0, sh0",
        ),
        (
            "main { fitrp.pixel s3, drc0, s0, s2, 2 } [s0=cf4, s1=c0, s2=cf0, s3=r0, is0=s0, is1=ft0, is2=ft1, is3=ft0, \
             is4=ft0, is5=ft0]",
            "0 : fitrp.pixel r0, drc0, cf4, cf0, 2",
        ),
        (
            "bitwise { byp ft0, ft1, s0, s1; byp ft2, s2; cbs ft3, s2; or ft4, _, ft2, _, s3; shr ft5, ft4, s4 } [s0=c0, \
             s1=c0, s2=r11, s3=c0, s4=c12, w0=r12]",
            "0 : mov ft0, ft1, c0, c0; mov ft2, r11; cbs ft3, r11; or ft4, _, ft2, _, c0; shr ft5, ft4, c12; mov r12, ft5",
        ),
        (
            "(ignorepe) control { cndst if(p0), w0, s0, 1 } [s0=r40, s3=c0, w0=r40]",
            "0 : (ignorepe) cndst if(p0), r40, r40, 1",
        ),
        ("control { wdf drc1 } []", "0 : wdf drc1"),
    ] {
        let group: Group = text.parse().unwrap();
        let mut bytes = Vec::new();
        group.encode(&mut bytes).unwrap();
        let lines = disassemble_as_manual(&bytes).unwrap();
        assert_eq!(lines[0].text, manual);
        assert_eq!(assemble(manual).unwrap().concat(), bytes, "{manual}");
    }
}

#[test]
fn errors_have_the_line() {
    let error = assemble("0 : fadd ft0, r0, r1\nmov r0, ft0\n1 : fsqrt r0, sh0")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 3:"), "{error}");
    let error = assemble("0 : mov ft0, sh0\nmov ft1, r1\nmov r0, sh1\nmov r1, sh2")
        .unwrap_err()
        .to_string();
    assert!(error.contains("sh2 is the second"), "{error}");
}

/// The manual begins lines that go on with a colon, some of its listings have them in one line.
#[test]
fn colons_go_on() {
    let expected =
        assemble("0 : mov ft0, sh1 mov ft1, sh2 tstgez.s32 ftt, _, sh0 mov i0, ft1, ftt, ft0, ft1");
    for text in [
        "0 : mov ft0, sh1\n  : mov ft1, sh2\n  : tstgez.s32 ftt, _, sh0\n  : mov i0.e0.e1.e2.e3, ft1, ftt,\n  : ft0, ft1",
        "0 : mov ft0, sh1 : mov ft1, sh2 : tstgez.s32 ftt, _, sh0 : mov i0.e0.e1.e2.e3, ft1, ftt, : ft0, ft1",
    ] {
        assert_eq!(assemble(text).unwrap(), expected.clone().unwrap(), "{text}");
    }
}

#[test]
fn what_has_no_public_form_is_said() {
    for (text, name) in [
        ("0 : fsqrt r0, sh0", "fsqrt"),
        ("2 : sop r0.joutj, sh4, i3, add, sh8, 0.oneminus", "sop"),
    ] {
        let error = assemble(text).unwrap_err().to_string();
        let reason = format!("the binary form of `{name}` is not public");
        assert!(error.contains(&reason), "{error}");
    }
}
