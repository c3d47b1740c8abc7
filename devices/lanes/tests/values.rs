//! Every lane operation on values worked out from the definition of its source, not from the code: IEEE 754 for
//! arithmetic, [SI chapter 12] and [R600 chapter 8] for the instructions that name an operation. The engine suite takes
//! `eval` for the truth; this test is why it may.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use lanes::LaneOp::{self, *};
use lanes::WideOp::{self, *};
use lanes::{DefaultEngine, Engine, Operand, Program, Row, Src, Step, Wave};

/// Bits of a number as text: `0x` for bits of any type, else a number of the operand's type.
fn bits(text: &str, operand: Operand) -> u64 {
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).unwrap();
    }
    match (operand, text) {
        (Operand::F32, "nan") => 0x7fc0_0000,
        (Operand::F64, "nan") => 0x7ff8_0000_0000_0000,
        (Operand::F32, _) => text.parse::<f32>().unwrap().to_bits().into(),
        (Operand::F64, _) => text.parse::<f64>().unwrap().to_bits(),
        (Operand::U64 | Operand::I64, _) => text.parse::<i128>().unwrap() as u64,
        _ => text.parse::<i64>().unwrap() as u32 as u64,
    }
}

/// A row of a table: the name of an operation, its operands, and the result.
struct Case {
    line: &'static str,
    name: &'static str,
    operands: Vec<&'static str>,
    result: &'static str,
}

fn cases(table: &'static str) -> Vec<Case> {
    let lines = table
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let (left, result) = line.split_once(" = ").unwrap();
            let mut words = left.split_whitespace();
            Case {
                line,
                name: words.next().unwrap(),
                operands: words.collect(),
                result: result.trim(),
            }
        })
        .collect()
}

fn arguments(case: &Case, params: &[Operand]) -> [u64; 3] {
    assert_eq!(case.operands.len(), params.len(), "{}", case.line);
    let mut args = [0; 3];
    for ((arg, text), operand) in args.iter_mut().zip(&case.operands).zip(params) {
        *arg = bits(text, *operand);
    }
    args
}

/// The operation on the engine, in all lanes but one.
fn run(op: LaneOp, args: [u32; 3]) -> u32 {
    let src = std::array::from_fn(|i| match i < op.params().len() {
        true => Src::Row(i as u16),
        false => Src::Const(0),
    });
    let program = Program {
        steps: vec![Step::Alu { op, dst: 3, src }, Step::End],
        origins: vec![Default::default(); 2],
        rows: 4,
        scalars: 2,
        ..Program::default()
    };
    let engine = DefaultEngine::new();
    let prepared = engine.prepare(&program).unwrap();
    let mut wave = Wave::new(4, 2);
    for (row, arg) in wave.rows.iter_mut().zip(args) {
        *row = Row::splat(arg);
    }
    wave.set_mask(program.exec, !(1 << 17));
    engine.run(&prepared, &mut wave, &mut NoPorts).unwrap();
    let result = wave.rows[3].0;
    assert_eq!(result[17], 0);
    assert!((0..64).all(|lane| lane == 17 || result[lane] == result[0]));
    result[0]
}

struct NoPorts;

impl lanes::Ports for NoPorts {
    fn call(
        &mut self,
        ports: std::ops::Range<u32>,
        _batch: lanes::Batch<'_>,
    ) -> Result<(), lanes::PortFault> {
        panic!("call of ports {ports:?}");
    }
}

#[test]
fn singles_and_words() {
    let mut rows: HashMap<LaneOp, usize> = HashMap::new();
    for case in cases(include_str!("values/lane.txt")) {
        let op = LaneOp::from_name(case.name).unwrap();
        let args = arguments(&case, op.params()).map(|arg| arg as u32);
        let expected = bits(case.result, op.result()) as u32;
        assert_eq!(
            op.eval(args),
            expected,
            "{}: {:#x}",
            case.line,
            op.eval(args)
        );
        assert_eq!(run(op, args), expected, "{} on the engine", case.line);
        *rows.entry(op).or_default() += 1;
    }
    for &op in LaneOp::ALL {
        let count = rows.get(&op).copied().unwrap_or(0);
        let compares = FLOAT_COMPARISONS.iter().any(|row| row.0 == op)
            || INTEGER_COMPARISONS.iter().any(|row| row.0 == op);
        let needed = if compares || op == FClass { 0 } else { 2 };
        assert!(count >= needed, "{op:?} has {count} values");
    }
}

#[test]
fn doubles_and_pairs() {
    let mut rows: HashMap<WideOp, usize> = HashMap::new();
    for case in cases(include_str!("values/wide.txt")) {
        let op = WideOp::from_name(case.name).unwrap();
        let args = arguments(&case, op.params());
        let expected = bits(case.result, op.result());
        assert_eq!(
            op.eval(args),
            expected,
            "{}: {:#x}",
            case.line,
            op.eval(args)
        );
        *rows.entry(op).or_default() += 1;
    }
    for &op in WideOp::ALL {
        let count = rows.get(&op).copied().unwrap_or(0);
        let compares = FLOAT_COMPARISONS.iter().any(|row| row.1 == op)
            || INTEGER_COMPARISONS.iter().any(|row| row.1 == op);
        let needed = if compares || op == DClass { 0 } else { 2 };
        assert!(count >= needed, "{op:?} has {count} values");
    }
}

/// Less, equal, greater, zeros of both signs, and unordered both ways.
const FLOATS: [[f32; 2]; 7] = [
    [1.0, 2.0],
    [2.0, 2.0],
    [2.0, 1.0],
    [-0.0, 0.0],
    [f32::NAN, 1.0],
    [1.0, f32::NAN],
    [f32::NAN, f32::NAN],
];

/// A one where the comparison holds, in the order of [`FLOATS`].
const FLOAT_COMPARISONS: [(LaneOp, WideOp, &str); 14] = [
    (FEq, DEq, "0101000"),
    (FNe, DNe, "1010111"),
    (FLt, DLt, "1000000"),
    (FLe, DLe, "1101000"),
    (FGt, DGt, "0010000"),
    (FGe, DGe, "0111000"),
    (FLg, DLg, "1010000"),
    (FOrdered, DOrdered, "1111000"),
    (FUnordered, DUnordered, "0000111"),
    (FNge, DNge, "1000111"),
    (FNlg, DNlg, "0101111"),
    (FNgt, DNgt, "1101111"),
    (FNle, DNle, "0010111"),
    (FNlt, DNlt, "0111111"),
];

/// Less, equal and greater for numbers without sign, then with both orders the other way round for signed ones.
const INTEGERS: [[i32; 2]; 5] = [[1, 2], [2, 2], [2, 1], [-1, 1], [1, -1]];

const INTEGER_COMPARISONS: [(LaneOp, WideOp, &str); 10] = [
    (IEq, IEq64, "01000"),
    (INe, INe64, "10111"),
    (ILt, ILt64, "10010"),
    (ILe, ILe64, "11010"),
    (IGt, IGt64, "00101"),
    (IGe, IGe64, "01101"),
    (ULt, ULt64, "10001"),
    (ULe, ULe64, "11001"),
    (UGt, UGt64, "00110"),
    (UGe, UGe64, "01110"),
];

#[test]
fn comparisons() {
    for (single, double, expected) in FLOAT_COMPARISONS {
        for ([a, b], expected) in FLOATS.into_iter().zip(expected.chars()) {
            let expected = u32::from(expected == '1');
            let args = [a.to_bits(), b.to_bits(), 0];
            assert_eq!(single.eval(args), expected, "{single:?} {a} {b}");
            assert_eq!(run(single, args), expected, "{single:?} {a} {b}");
            let args = [f64::from(a).to_bits(), f64::from(b).to_bits(), 0];
            assert_eq!(double.eval(args), expected.into(), "{double:?} {a} {b}");
        }
    }
    for (narrow, wide, expected) in INTEGER_COMPARISONS {
        for ([a, b], expected) in INTEGERS.into_iter().zip(expected.chars()) {
            let expected = u32::from(expected == '1');
            let args = [a as u32, b as u32, 0];
            assert_eq!(narrow.eval(args), expected, "{narrow:?} {a} {b}");
            assert_eq!(run(narrow, args), expected, "{narrow:?} {a} {b}");
            let args = [i64::from(a) as u64, i64::from(b) as u64, 0];
            assert_eq!(wide.eval(args), expected.into(), "{wide:?} {a} {b}");
        }
    }
}

/// One number of every class, in the order of the bits of V_CMP_CLASS_F32. [SI 12.10]
#[test]
fn classes() {
    let singles = [
        0x7f80_0001,
        0x7fc0_0000,
        0xff80_0000,
        0xbf80_0000,
        0x807f_ffff,
        0x8000_0000,
        0,
        0x007f_ffff,
        0x0080_0000,
        0x7f80_0000u32,
    ];
    let doubles = [
        0x7ff0_0000_0000_0001,
        0x7ff8_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0xbff0_0000_0000_0000,
        0x800f_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        0,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x7ff0_0000_0000_0000u64,
    ];
    for (class, (single, double)) in singles.into_iter().zip(doubles).enumerate() {
        for bit in 0..10 {
            let expected = u32::from(bit == class);
            assert_eq!(FClass.eval([single, 1 << bit, 0]), expected, "{single:#x}");
            let got = DClass.eval([double, 1 << bit, 0]);
            assert_eq!(got, expected.into(), "{double:#x}");
        }
    }
}
