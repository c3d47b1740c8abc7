//! Pixel programs: branches, loops, calls, the loop variable, kills, textures, pixels that are done.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, ExecOutput, LaneValue};
use r5xx::exec::exec;
use r5xx::isa::us::assemble;

const END: &str = "OUT.wait.last MAX_raw A.rgb = src0.rgb, src0.rgb / MAX_raw A.a = src0.a, src0.a";

/// Adds 1 to channels of T0.
fn add(channel: &str) -> String {
    format!("ALU MAD T0.{channel} = src0.rgb, src0.111, src0.111 / MAD =")
}

/// Whether T1.r is below a number that inline constant K is, as the ALU result.
fn below(constant: u8) -> String {
    format!("ALU.redlt MAD = src0.rrr, src0.111, -src1.rrr [T1, K{constant}] / MAD =")
}

/// The same as predicate R.
fn predicate_below(constant: u8) -> String {
    format!("ALU MAD Plt.r = src0.rrr, src0.111, -src1.rrr [T1, K{constant}] / MAD =")
}

fn run(text: &str, registers: &[(&str, LaneValue)]) -> Result<ExecOutput, String> {
    let words: Vec<u32> = assemble(text).unwrap().concat();
    let mut input = ExecInput::default();
    // T1.r is the lane's number.
    let lanes = (0..64)
        .map(|lane| [(lane as f32).to_bits(), 0, 0, 0])
        .collect();
    input
        .registers
        .insert("T1".to_owned(), LaneValue::Vectors(lanes));
    for (name, value) in registers {
        input.registers.insert((*name).to_owned(), value.clone());
    }
    exec("fragment", &words, &input).map_err(|error| error.to_string())
}

fn out(output: &ExecOutput) -> Vec<Option<[f32; 4]>> {
    let export = output.exports.iter().find(|export| export.target == "OUT0");
    let lanes = export.unwrap().lanes.iter();
    lanes
        .map(|lane| lane.map(|vector| vector.map(f32::from_bits)))
        .collect()
}

/// Runs a program and compares R, G, B of every lane.
fn check(
    lines: &[&str],
    registers: &[(&str, LaneValue)],
    wanted: impl Fn(u32) -> [f32; 3],
) -> ExecOutput {
    let text = [lines, &[END]].concat().join("\n");
    let output = run(&text, registers).unwrap();
    for (lane, found) in out(&output).iter().enumerate() {
        let found = found.unwrap();
        assert_eq!(found[..3], wanted(lane as u32), "lane {lane} of\n{text}");
    }
    output
}

fn ints(values: [u32; 3]) -> LaneValue {
    LaneValue::Lanes(values.to_vec())
}

fn of(set: bool) -> f32 {
    f32::from(u8::from(set))
}

const IF: &str = "FC JUMP func 0x0f, stay incr, jump incr, to";
const IF_ONLY: &str = "FC JUMP func 0x0f, stay incr, to";
const ELSE: &str = "FC JUMP func 0x00, else, jump decr, count 1, to";
const ENDIF: &str = "FC JUMP func 0x00, any, stay decr, count 1";

#[test]
fn branches_on_the_alu_result() {
    // K94 is 28, K104 is 64, K0 is close to 0: some, all, one of the pixels.
    for (constant, limit) in [(94, 28), (104, 64), (0, 1)] {
        let [r, g, b] = ["r", "g", "b"].map(add);
        let [test, jump, other] = [
            below(constant),
            format!("{IF} else"),
            format!("{ELSE} endif"),
        ];
        let other = format!("{other}\nelse: {g}\nendif: {ENDIF}");
        // The jump of ELSE goes behind ENDIF.
        let other = other.replace("to endif", "to after");
        let b = format!("after: {b}");
        let wanted = |lane| [of(lane < limit), of(lane >= limit), 1.0];
        check(&[&test, &jump, &r, &other, &b], &[], wanted);
    }
}

#[test]
fn branches_on_predicates_and_booleans() {
    let [r, g] = ["r", "g"].map(add);
    let test = predicate_below(94);
    let lines = [
        &test,
        "FC JUMP func 0x33, stay incr, to after ?r",
        &r,
        ENDIF,
    ];
    let after = format!("after: {g}");
    check(&[&lines[..], &[&after]].concat(), &[], |lane| {
        [of(lane < 28), 1.0, 0.0]
    });
    // Inverted.
    let lines = [
        &test,
        "FC JUMP func 0x33, stay incr, to after ?!r",
        &r,
        ENDIF,
    ];
    check(&[&lines[..], &[&after]].concat(), &[], |lane| {
        [of(lane >= 28), 1.0, 0.0]
    });
    for bits in [0, 1 << 5] {
        let lines = [
            "FC JUMP func 0x55, bool 5, to else",
            &r,
            "FC JUMP func 0xff, to after",
        ];
        let rest = [&format!("else: {g}"), &format!("after: {}", add("b"))];
        let lines = [&lines[..], &rest.map(String::as_str)].concat();
        let set = bits != 0;
        check(&lines, &[("B", LaneValue::One(bits))], |_| {
            [of(set), of(!set), 1.0]
        });
    }
}

#[test]
fn nested_branches() {
    let [r, g, b] = ["r", "g", "b"].map(add);
    // if x < 28 { r; if x < 14 { g } else { g; g } b } else { if x < 56 { b; b } }
    let lines = [
        &below(94),
        &format!("{IF} outer_else"),
        &r,
        &below(86),
        &format!("{IF} inner_else"),
        &g,
        &format!("{ELSE} inner_after"),
        &format!("inner_else: {g}"),
        &g,
        ENDIF,
        &format!("inner_after: {b}"),
        &format!("{ELSE} after"),
        &format!("outer_else: {}", below(102)),
        &format!("{IF_ONLY} last_after"),
        &b,
        &b,
        ENDIF,
        &format!("last_after: {ENDIF}"),
        "after: TEX NOP T0._ = t0.rgba, T0.rgba",
    ];
    let wanted = |lane| match lane {
        0..14 => [1.0, 1.0, 1.0],
        14..28 => [1.0, 2.0, 1.0],
        28..56 => [0.0, 0.0, 2.0],
        _ => [0.0; 3],
    };
    check(&lines, &[], wanted);
    // Partial flow control has four levels, enough here.
    check(&lines, &[("FC_CTRL", LaneValue::Lanes(vec![0]))], wanted);
}

#[test]
fn branches_have_a_depth() {
    let nest = |depth: usize| {
        let begin = format!("{}\n{IF_ONLY} end", below(0)).repeat(1);
        let mut lines = vec![begin; depth];
        lines.push(add("r"));
        lines.push(format!("FC JUMP func 0x00, any, stay decr, count {depth}"));
        lines.push(format!("end: {}", add("g")));
        lines.push(END.to_owned());
        lines.join("\n")
    };
    for (depth, full) in [(4, 0), (31, 1)] {
        let output = run(&nest(depth), &[("FC_CTRL", LaneValue::Lanes(vec![full]))]).unwrap();
        assert_eq!(out(&output)[0].unwrap()[..2], [1.0, 1.0]);
        assert_eq!(out(&output)[1].unwrap()[..2], [0.0, 1.0]);
    }
    let error = run(&nest(5), &[("FC_CTRL", LaneValue::Lanes(vec![0]))]).unwrap_err();
    assert!(
        error.contains("branches are nested deeper than 4"),
        "{error}"
    );
}

#[test]
fn loops_and_the_loop_variable() {
    let text = [
        "FC LOOP func 0x00, int 3, to after",
        "ALU MAD T0.r = src0.rgb, src0.111, src1.rgb [T0, C[10+aL]] / MAD =",
        "FC ENDLOOP func 0xff, any, int 3, to 1",
    ];
    let constants: Vec<[u32; 4]> = (0..256).map(|n| [(n as f32).to_bits(); 4]).collect();
    let g = format!("after: {}", add("g"));
    let lines = [&text[..], &[&g]].concat();
    let registers = |ints: LaneValue| [("C", LaneValue::Vectors(constants.clone())), ("L3", ints)];
    check(&lines, &registers(ints([3, 7, 2])), |_| {
        [17.0 + 19.0 + 21.0, 1.0, 0.0]
    });
    let down = ints([4, 2, -4i32 as u32]);
    check(&lines, &registers(down), |_| {
        [12.0 + 8.0 + 4.0 + 0.0, 1.0, 0.0]
    });
    check(&lines, &registers(ints([0, 7, 2])), |_| [0.0, 1.0, 0.0]);
    // The variable is an index of temporaries too, read and written.
    let text = [
        "FC LOOP func 0x00, int 3, to after",
        "ALU MAX T[4+aL].rg = src0.rrr, src0.rrr [T[2+aL]] / MAX T[4+aL].a = src0.1, src0.1 ?!a",
        "FC ENDLOOP func 0xff, any, int 3, to 1",
        "after: ALU MAX T0.rgb = src0.rgb, src0.rgb [T7] / MAX =",
    ];
    let given = [
        ("L3", ints([5, 0, 1])),
        ("T3", LaneValue::Lanes(vec![5f32.to_bits(); 4])),
    ];
    let output = check(&text, &given, |_| [5.0, 5.0, 0.0]);
    assert!(output.registers.contains_key("T7"));
}

#[test]
fn repetitions_see_the_outer_variable() {
    let lines = [
        "FC LOOP func 0x00, int 1, to after",
        "FC REP func 0x00, int 2, to 4",
        "ALU MAD T0.r = src0.rgb, src0.111, src1.rgb [T0, C[0+aL]] / MAD =",
        "FC ENDREP func 0xff, any, int 2, to 2",
        "ALU MAD T0.g = src0.rgb, src0.111, src1.rgb [T0, C[0+aL]] / MAD =",
        "FC ENDLOOP func 0xff, any, int 1, to 1",
    ];
    let after = format!("after: {}", add("b"));
    let constants: Vec<[u32; 4]> = (0..256).map(|n| [(n as f32).to_bits(); 4]).collect();
    let registers = [
        ("C", LaneValue::Vectors(constants)),
        ("L1", ints([2, 5, 1])),
        ("L2", ints([3, 100, 1])),
    ];
    check(&[&lines[..], &[&after]].concat(), &registers, |_| {
        [3.0 * 11.0, 11.0, 1.0]
    });
}

/// The number of iterations differs by lane.
#[test]
fn breaks() {
    for (jump, set) in [("0xf0", true), ("0x0f", false)] {
        // Leaves when T0.r - T1.r is not below zero.
        let test = match set {
            true => "ALU.redge MAD = src0.rrr, src0.111, -src1.rrr [T0, T1] / MAD =",
            false => "ALU.redlt MAD = src0.rrr, src0.111, -src1.rrr [T0, T1] / MAD =",
        };
        let leave = format!("FC BREAKLOOP func {jump}, to after");
        let lines = [
            "FC LOOP func 0x00, int 0, to after",
            test,
            &leave,
            &add("r"),
            &add("g"),
            "FC ENDLOOP func 0xff, any, int 0, to 1",
        ];
        let after = format!("after: {}", add("b"));
        let wanted = |lane: u32| [lane.min(40) as f32, lane.min(40) as f32, 1.0];
        check(
            &[&lines[..], &[&after]].concat(),
            &[("L0", ints([40, 0, 0]))],
            wanted,
        );
        // With a limit that nobody reaches the loop ends with the last pixel.
        let wanted = |lane: u32| [lane as f32, lane as f32, 1.0];
        let output = check(
            &[&lines[..], &[&after]].concat(),
            &[("L0", ints([255, 0, 0]))],
            wanted,
        );
        assert!(output.instructions < 64 * 6 + 8, "{}", output.instructions);
    }
}

#[test]
fn breaks_and_continues_inside_branches() {
    // for 10: r; if x < 28 { if x < 14 { break } continue } g
    let lines = [
        "FC REP func 0x00, int 0, to after",
        &add("r"),
        &below(94),
        &format!("{IF_ONLY} endif"),
        &below(86),
        &format!("{IF_ONLY} inner"),
        "FC BREAKREP func 0xff, jump decr, count 2, to after",
        ENDIF,
        "inner: FC CONTINUE func 0xff, jump decr, count 1, to end",
        ENDIF,
        &format!("endif: {}", add("g")),
        "end: FC ENDREP func 0xff, any, int 0, to 1",
        &format!("after: {}", add("b")),
    ];
    let wanted = |lane| match lane {
        0..14 => [1.0, 0.0, 1.0],
        14..28 => [10.0, 0.0, 1.0],
        _ => [10.0, 10.0, 1.0],
    };
    check(&lines, &[("L0", ints([10, 0, 0]))], wanted);
    // Every pixel continues: the jump is taken.
    let lines = [
        "FC REP func 0x00, int 0, to after",
        &add("r"),
        "FC CONTINUE func 0xff, to end",
        &add("g"),
        "end: FC ENDREP func 0xff, any, int 0, to 1",
        &format!("after: {}", add("b")),
    ];
    let output = check(&lines, &[("L0", ints([10, 0, 0]))], |_| [10.0, 0.0, 1.0]);
    assert_eq!(output.instructions, 1 + 3 * 10 + 2);
}

#[test]
fn calls() {
    // A call of all, one of some pixels, one within another.
    let lines = [
        "FC JUMP func 0xff, any, push, jump incr, to one",
        &below(94),
        "FC JUMP func 0xf0, any, push, jump incr, to one",
        &add("b"),
        "FC JUMP func 0xff, to end",
        &format!("one: {}", add("r")),
        "FC JUMP func 0xff, any, push, jump incr, to two",
        "FC JUMP func 0xff, pop, jump decr, count 1",
        &format!("two: {}", add("g")),
        "FC JUMP func 0xff, pop, jump decr, count 1",
        "end: TEX NOP T0._ = t0.rgba, T0.rgba",
    ];
    check(&lines, &[], |lane| {
        let calls = 1.0 + of(lane < 28);
        [calls, calls, 1.0]
    });
}

/// A loop without counters: back while a pixel wants to, with predicated writes. [R5XX 8.6.5]
#[test]
fn backward_jumps() {
    let lines = [
        "ALU MAD Plt.r = src0.rrr, src0.111, -src1.rrr [T0, T1] / MAD =",
        "ALU MAD T0.r = src0.rgb, src0.111, src0.111 ?r / MAD =",
        "FC JUMP func 0xcc, any, to 0 ?r",
    ];
    check(&lines, &[], |lane| [lane as f32, 0.0, 0.0]);
}

#[test]
fn inactive_pixels_may_write() {
    let lines = [
        &below(94),
        &format!("{IF_ONLY} after"),
        &add("r"),
        &add("g").replace("ALU", "ALU.inactive"),
        ENDIF,
        "after: TEX NOP T0._ = t0.rgba, T0.rgba",
    ];
    check(&lines, &[], |lane| [of(lane < 28), 1.0, 0.0]);
}

#[test]
fn uncovered_pixels_may_have_no_vote() {
    // Uncovered pixels alone want into the branch; without a vote of theirs it is jumped over.
    let covered = ("covered", LaneValue::Text("0xfffffffff0000000".into()));
    let lines = |mark: &str| {
        let jump = format!("FC JUMP func 0x0f{mark}, to after");
        [below(94), jump, add("r"), format!("after: {}", add("g"))].join("\n")
    };
    let count = |mark: &str| {
        let text = format!("{}\n{END}", lines(mark));
        let output = run(&text, std::slice::from_ref(&covered)).unwrap();
        let found = out(&output);
        assert!(found[27].is_none() && found[28].is_some());
        output.instructions
    };
    assert_eq!(count("") - count(", uncovered"), 1);
}

/// As Mesa's driver marks its loops: all covered pixels break in the first iteration, and the others do not keep them.
#[test]
fn uncovered_pixels_do_not_hold_up_a_break() {
    let covered = ("covered", LaneValue::Text("0xfffffffff0000000".into()));
    let lines = |mark: &str| {
        [
            format!("FC LOOP func 0x00{mark}, int 0, to end"),
            add("r"),
            below(94).replace("redlt", "redge"),
            format!("FC JUMP func 0x0f, stay incr{mark}, to endif"),
            format!("FC BREAKLOOP func 0xff, jump decr, count 1{mark}, to after"),
            ENDIF.to_owned(),
            format!("endif: {}", add("g")),
            format!("end: FC ENDLOOP func 0xff, any{mark}, int 0, to 1"),
            format!("after: {END}"),
        ]
        .join("\n")
    };
    let registers = [covered, ("L0", ints([3, 0, 0]))];
    let count = |mark: &str| {
        let output = run(&lines(mark), &registers).unwrap();
        assert_eq!(out(&output)[40].unwrap()[..2], [1.0, 0.0]);
        output.instructions
    };
    assert_eq!(count(", uncovered"), 6);
    assert!(count("") > 3 * 6);
}

#[test]
fn kills_uncover_pixels_that_run_on() {
    let vector = |x: f32, y: f32| [x.to_bits(), y.to_bits(), 0, 0x8000_0001];
    let lanes = (0..64)
        .map(|lane| vector(lane as f32 - 10.0, 40.0 - lane as f32))
        .collect();
    let given = [("T5", LaneValue::Vectors(lanes))];
    // Alpha is a negative denormal: zero.
    let text = format!("TEX TEXKILL T0.ra = t0.rgba, T5.gggg\n{}\n{END}", add("r"));
    let output = run(&text, &given).unwrap();
    for (lane, found) in out(&output).into_iter().enumerate() {
        assert_eq!(found.is_some(), lane >= 10, "{lane}");
    }
    let LaneValue::Vectors(counted) = &output.registers["T0"] else {
        panic!();
    };
    assert_eq!(counted[3][0], 1f32.to_bits(), "helpers run on");
    // A predicate limits the channels.
    let text = format!(
        "{}\nTEX TEXKILL T0.rg = t0.rgba, T5.rgba ?r\n{END}",
        predicate_below(86)
    );
    let output = run(&text, &given).unwrap();
    for (lane, found) in out(&output).into_iter().enumerate() {
        assert_eq!(found.is_some(), lane >= 10, "{lane}");
    }
}

#[test]
fn textures() {
    let vector = |x: [f32; 4]| LaneValue::Lanes(x.map(f32::to_bits).to_vec());
    let given = [
        ("T5", vector([1.0, 2.0, 3.0, 4.0])),
        ("T6", vector([f32::NAN, -0.5, 6.0, 7.0])),
        ("TEX3", vector([0.1, 0.2, 0.3, 0.4])),
        ("covered", LaneValue::Text("0xff".into())),
    ];
    let lookup = |line: &str| run(&format!("{line}\n{END}"), &given).unwrap();
    let of = |output: &ExecOutput, target: &str, lane: usize| {
        let export = output.exports.iter().find(|export| export.target == target);
        export.unwrap().lanes[lane].map(|v| v.map(f32::from_bits))
    };
    let output = lookup(
        "TEX LD T0.rga = t3.bgra, T5.wzyx"
            .replace("wzyx", "abgr")
            .as_str(),
    );
    assert_eq!(of(&output, "TEX3", 60), Some([4.0, 3.0, 2.0, 1.0]));
    assert_eq!(of(&output, "OUT0", 0), Some([0.3, 0.2, 0.0, 0.4]));
    let output = lookup("TEX PROJ_uncovered T0.rgba = t3.rgba, T5.rgba");
    assert_eq!(of(&output, "TEX3", 0), Some([0.25, 0.5, 0.75, 4.0]));
    assert_eq!(of(&output, "TEX3", 8), None, "uncovered");
    for op in ["LODBIAS", "LOD"] {
        let output = lookup(&format!("TEX {op} T0.rgba = t3.rgba, T6.rgba"));
        assert_eq!(
            of(&output, "TEX3", 0),
            Some([f32::INFINITY, -0.5, 6.0, 7.0]),
            "{op}"
        );
    }
    let output = lookup("TEX DXDY T0.rgba = t3.rgba, T5.rgba, T6.gggg, T5.bbbb");
    assert_eq!(of(&output, "DX3", 0), Some([-0.5; 4]));
    assert_eq!(of(&output, "DY3", 0), Some([3.0; 4]));
    // Predicates of colour and alpha.
    let text = format!(
        "{}\nTEX LD T0.rgba = t3.rgba, T5.rgba ?r a?!r\n{END}",
        predicate_below(66)
    );
    let output = run(&text, &given).unwrap();
    assert_eq!(of(&output, "OUT0", 0), Some([0.1, 0.2, 0.3, 0.0]));
    assert_eq!(of(&output, "OUT0", 7), Some([0.0, 0.0, 0.0, 0.4]));
    let error = run(&format!("TEX LD T0.rgba = t4.rgba, T5.rgba\n{END}"), &given).unwrap_err();
    assert!(error.contains("neither TEX4 nor UNIT4 is given"), "{error}");
}

#[test]
fn pixels_that_are_done_do_nothing_more() {
    // Those below 28 end in the branch, the others behind it.
    let lines = [
        below(94),
        format!("{IF_ONLY} after"),
        END.to_owned(),
        ENDIF.to_owned(),
        format!("after: {}", add("r")),
        END.to_owned(),
    ];
    let output = run(&lines.join("\n"), &[]).unwrap();
    for (lane, found) in out(&output).into_iter().enumerate() {
        assert_eq!(found.unwrap()[0], of(lane >= 28), "{lane}");
    }
    // When all are done, the wave ends.
    let output = run(&[END, &add("r"), END].join("\n"), &[]).unwrap();
    assert_eq!(output.instructions, 1);
}

/// Lines, registers, and what the error says.
type Case = (
    Vec<&'static str>,
    Vec<(&'static str, LaneValue)>,
    &'static str,
);

#[test]
fn what_the_hardware_cannot_do_is_an_error() {
    let partial = ("FC_CTRL", LaneValue::Lanes(vec![0]));
    let push = "FC JUMP func 0xff, any, push, to 0";
    let begin = "FC LOOP func 0x00, int 0, to 0";
    let cases: Vec<Case> = vec![
        (
            vec![begin, END],
            vec![partial.clone()],
            "LOOP: loops and calls need full flow control",
        ),
        (
            vec![push, END],
            vec![partial],
            "JUMP: loops and calls need full flow control",
        ),
        (
            vec![push, END],
            vec![],
            "JUMP: calls are nested deeper than 4",
        ),
        (
            vec!["FC JUMP func 0xff, pop", END],
            vec![],
            "JUMP: the address stack is empty",
        ),
        (
            vec!["FC BREAKLOOP func 0xff, to 1", END],
            vec![],
            "BREAKLOOP: there is no loop",
        ),
        (
            vec!["FC CONTINUE func 0xff, to 1", END],
            vec![],
            "CONTINUE: there is no loop",
        ),
        (
            vec![begin, "FC ENDREP func 0xff, any, to 1", END],
            vec![("L0", ints([2, 0, 0]))],
            "ENDREP: the innermost loop is a Loop",
        ),
        (
            vec![begin, begin, begin, begin, begin, END],
            vec![("L0", ints([2, 0, 0]))],
            "LOOP: loops are nested deeper than 4",
        ),
        (
            vec!["ALU MAD T[0+aL].r = / MAD =", END],
            vec![],
            "the loop variable is read outside of a LOOP",
        ),
        (
            vec!["ALU MAD T9.r = / MAD =", END],
            vec![("PIXSIZE", LaneValue::Lanes(vec![9]))],
            "instruction 0 uses temporary 9 of 9",
        ),
        (
            vec!["ALU MAD T0.r = src0.rgb [T9] / MAD =", END],
            vec![("PIXSIZE", LaneValue::Lanes(vec![9]))],
            "uses temporary 9 of 9",
        ),
        (
            vec!["ALU MAD T0.r = / MAD ="],
            vec![],
            "the last instruction, 0, is not OUT",
        ),
        (
            vec!["FC JUMP func 0xff, to 9", END],
            vec![],
            "control reaches instruction 9 of 2",
        ),
        (
            vec!["FC JUMP func 0xff, to 0", END],
            vec![],
            "without ending",
        ),
    ];
    for (lines, registers, reason) in cases {
        let error = run(&lines.join("\n"), &registers).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    // An index that leaves the registers.
    let lines = [
        begin,
        "ALU MAD T0.r = src0.rgb, src0.111 [C[250+aL]] / MAD =",
        "FC ENDLOOP func 0xff, any, int 0, to 1",
        END,
    ];
    let error = run(&lines.join("\n"), &[("L0", ints([4, 4, 1]))]).unwrap_err();
    assert!(
        error.contains("250 + aL is none of 256 registers"),
        "{error}"
    );
}

#[test]
fn targets_move_with_the_program_unless_they_are_global() {
    let text = |global: &str, to: u16| {
        let jump = format!("FC JUMP func 0xff, to {to}{global}");
        format!(
            "TEX NOP T0._ = t0.rgba, T0.rgba\n{jump}\n{}\n{END}",
            add("r")
        )
    };
    let code = [
        ("CODE", LaneValue::Lanes(vec![1, 3])),
        ("OFFSET", LaneValue::Lanes(vec![1])),
    ];
    for text in [text("", 2), text(", global", 3)] {
        let output = run(&text, &code).unwrap();
        assert_eq!(out(&output)[0].unwrap()[0], 0.0, "{text}");
    }
}
