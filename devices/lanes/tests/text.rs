//! Programs print and parse back; wrong text is an error; names are unique.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use lanes::{LaneOp, Move, Origin, PortEffects, Program, Src, Step, Swizzle, When, WideOp};
use proptest::prelude::*;

fn source() -> impl Strategy<Value = Src> {
    prop_oneof![
        any::<u16>().prop_map(Src::Row),
        any::<u16>().prop_map(Src::Scalar),
        any::<u32>().prop_map(Src::Const),
    ]
}

/// As many sources as an operation has; the others are zero.
fn cut(src: [Src; 3], count: usize) -> [Src; 3] {
    std::array::from_fn(|i| if i < count { src[i] } else { Src::Const(0) })
}

fn operation_step() -> impl Strategy<Value = Step> {
    let src = [source(), source(), source()];
    let lane = prop::sample::select(LaneOp::ALL);
    let wide = prop::sample::select(WideOp::ALL);
    (0..6, lane, wide, any::<u16>(), src).prop_map(|(kind, lane, wide, dst, src)| {
        let narrow = cut(src, lane.params().len());
        let pairs = cut(src, wide.params().len());
        match kind {
            0 => Step::Alu {
                op: lane,
                dst,
                src: narrow,
            },
            1 => Step::Uniform {
                op: lane,
                dst,
                src: narrow,
            },
            2 => Step::Compare {
                op: lane,
                dst,
                src: narrow,
            },
            3 => Step::Wide {
                op: wide,
                dst,
                src: pairs,
            },
            4 => Step::UniformWide {
                op: wide,
                dst,
                src: pairs,
            },
            _ => Step::CompareWide {
                op: wide,
                dst,
                src: pairs,
            },
        }
    })
}

fn other_step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        Just(Move::FromRow),
        Just(Move::ToRow),
        Just(Move::FromScalar),
        Just(Move::ToScalar),
    ];
    let registers = any::<[u16; 3]>();
    (0..15, registers, source(), source(), any::<u32>(), kind).prop_map(
        |(choice, [a, b, c], x, y, number, kind)| {
            let when = [
                When::Always,
                When::Zero(a),
                When::NonZero(a),
                When::MaskZero(a),
                When::MaskNonZero(a),
            ][number as usize % 5];
            let [p, q, r, s] = number.to_le_bytes();
            match choice {
                0 => Step::Select {
                    dst: a,
                    mask: b,
                    no: x,
                    yes: y,
                },
                1 => Step::ReadLane {
                    dst: a,
                    src: b,
                    lane: x,
                },
                2 => Step::ReadFirstLane { dst: a, src: b },
                3 => Step::WriteLane {
                    dst: a,
                    value: x,
                    lane: y,
                },
                4 => Step::LaneId { dst: a },
                5 => Step::Relative {
                    kind,
                    dst: a,
                    base: b,
                    index: x,
                    end: c,
                },
                6 => Step::Swizzle {
                    dst: a,
                    src: b,
                    pattern: Swizzle::Quad([p, q, r, s]),
                },
                7 => Step::Swizzle {
                    dst: a,
                    src: b,
                    pattern: Swizzle::Bits {
                        and: p,
                        or: q,
                        xor: r,
                    },
                },
                8 => Step::Branch { when, to: number },
                9 => Step::Indirect { target: a },
                10 => Step::Tick {
                    instructions: number,
                },
                11 => Step::Port { port: number },
                12 => Step::End,
                13 => Step::Barrier,
                _ => Step::Trap { reason: number },
            }
        },
    )
}

fn registers() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..3)
}

fn effects() -> impl Strategy<Value = PortEffects> {
    let lists = [registers(), registers(), registers(), registers()];
    let rest = (any::<[bool; 5]>(), any::<u32>());
    (lists, rest).prop_map(
        |(lists, ([overwrites, wave_uniform, uncounted, blind, may_fail], cost))| {
            let [reads_rows, writes_rows, reads_scalars, writes_scalars] = lists;
            PortEffects {
                reads_rows,
                writes_rows,
                reads_scalars,
                writes_scalars,
                overwrites,
                wave_uniform,
                uncounted,
                blind,
                may_fail,
                cost,
            }
        },
    )
}

fn program() -> impl Strategy<Value = Program> {
    let step = prop_oneof![operation_step(), other_step()];
    let origin = any::<(u32, u32)>().prop_map(|(pc, word)| Origin { pc, word });
    let steps = prop::collection::vec((step, origin), 0..40);
    let entries = prop::collection::vec(any::<(u64, u32)>(), 0..4);
    // Text at the ends of a line is trimmed, so that reasons do not begin or end with space.
    let reasons = prop::collection::vec("[!-~]([ -~\n\t\u{e9}]*[!-~])?", 0..4);
    let ports = prop::collection::vec(effects(), 0..4);
    let rest = (any::<[u16; 4]>(), ports, registers());
    (steps, entries, reasons, rest).prop_map(|(steps, entries, reasons, rest)| {
        let (steps, origins) = steps.into_iter().unzip();
        let ([rows, temporaries, scalars, exec], ports, per_wave) = rest;
        Program {
            steps,
            origins,
            rows,
            temporaries,
            scalars,
            exec,
            entries,
            reasons,
            ports,
            per_wave,
        }
    })
}

proptest! {
    #[test]
    fn round_trip(program in program()) {
        let text = program.to_string();
        prop_assert_eq!(text.parse::<Program>().unwrap(), program, "{}", text);
    }

    #[test]
    fn any_text_is_an_error_or_a_program(text in "\\PC*") {
        let _ = text.parse::<Program>();
    }
}

#[test]
fn form() {
    let text = "rows 8\nscalars 16\nexec s0\nentry 0x40 @2\nreason no opcode 127\n\
        port 0 reads v1 s2 writes s4 s5 overwrites fails\n\
        port 1\nper_wave s2 s3\n\
        0: v3 = FAdd v1, 0x3f800000 ; 0x0 0x06060280\n\
        1: branch @3 if s2 != 0 ; 0x4 0xbf850001\n\
        2: trap 0 ; 0x8 0x00000000\n\
        3: end ; 0xc 0xbf810000\n";
    let program: Program = text.parse().unwrap();
    assert_eq!(program.to_string(), text);
    assert_eq!(program.entries, [(0x40, 2)]);
    assert_eq!(program.reasons, ["no opcode 127"]);
    assert_eq!(program.ports[0].writes_scalars, [4, 5]);
    assert_eq!(program.ports[1], PortEffects::default());
    assert_eq!(program.per_wave, [2, 3]);
    assert_eq!(
        program.steps[1],
        Step::Branch {
            when: When::NonZero(2),
            to: 3
        }
    );
}

#[test]
fn errors() {
    let wrong = [
        ("0: v3 = FAdd v1 ; 0x0 0x0", "`,`"),
        ("0: v3 = Fadd v1, v2 ; 0x0 0x0", "an operation"),
        ("1: end ; 0x0 0x0", "the number of the next step"),
        ("0: end", "`;`"),
        ("0: end ; 0x0 0x0 0x0", "the end of the line"),
        ("0: v70000 = lane_id ; 0x0 0x0", "a row"),
        ("rows 65536", "a number in range"),
        ("port 1", "the number of the next port"),
        ("port 0 reads x1", "a number in range"),
        ("port 0 writes fails s1", "the end of the line"),
        ("per_wave s1 v0", "scalars"),
        ("per_wave 10", "a register"),
        ("nonsense", "a number in range"),
    ];
    for (text, expected) in wrong {
        let error = format!("\n{text}").parse::<Program>().unwrap_err();
        assert_eq!((error.expected, error.line), (expected, 2), "{text}");
    }
}

#[test]
fn names_are_unique() {
    let lane = LaneOp::ALL.iter().map(|op| op.name());
    let wide = WideOp::ALL.iter().map(|op| op.name());
    let names: HashSet<&str> = lane.chain(wide).collect();
    assert_eq!(names.len(), LaneOp::ALL.len() + WideOp::ALL.len());
}
