//! Which rows and scalars each kind of step reads and writes, as a program's liveness says.
#![allow(clippy::unwrap_used)]

use lanes::{LaneOp, Liveness, Move, Origin, Program, RegisterUse, Src, Step, Swizzle, WideOp};

const NONE: Src = Src::Const(0);
/// Scalar pair of the execution mask, which every program reads.
const EXEC: u16 = 10;

fn liveness(step: Step) -> Liveness {
    Liveness::new(&Program {
        steps: vec![step, Step::End],
        origins: vec![Origin::default(); 2],
        exec: EXEC,
        rows: 10,
        scalars: 12,
        ..Program::default()
    })
}

fn numbers(file: &[RegisterUse], holds: impl Fn(&RegisterUse) -> bool) -> Vec<u16> {
    let numbered = (0..EXEC).zip(file);
    let found = numbered.filter(|(_, register)| holds(register));
    found.map(|(at, _)| at).collect()
}

/// Rows read and written, scalars read and written.
type Uses = [&'static [u16]; 4];

fn check(step: Step, [rows_read, rows_written, scalars_read, scalars_written]: Uses) {
    let Liveness { rows, scalars } = liveness(step);
    let read = |register: &RegisterUse| register.read;
    let written = |register: &RegisterUse| register.written;
    assert_eq!(numbers(&rows, read), rows_read, "{step:?} reads rows");
    assert_eq!(
        numbers(&rows, written),
        rows_written,
        "{step:?} writes rows"
    );
    assert_eq!(
        numbers(&scalars, read),
        scalars_read,
        "{step:?} reads scalars"
    );
    assert_eq!(
        numbers(&scalars, written),
        scalars_written,
        "{step:?} writes scalars"
    );
}

#[test]
fn operations() {
    let src = [Src::Row(3), Src::Scalar(5), Src::Row(7)];
    let dst = 1;
    let mad = LaneOp::FMad;
    check(Step::Alu { op: mad, dst, src }, [&[3, 7], &[1], &[5], &[]]);
    // Operands that the operation does not have are not read.
    let op = LaneOp::FAdd;
    check(Step::Alu { op, dst, src }, [&[3], &[1], &[5], &[]]);
    let op = LaneOp::FLt;
    check(Step::Compare { op, dst, src }, [&[3], &[], &[5], &[1, 2]]);
    let op = WideOp::DAdd;
    let pairs = [Src::Row(3), Src::Row(7), NONE];
    check(
        Step::Wide {
            op,
            dst,
            src: pairs,
        },
        [&[3, 4, 7, 8], &[1, 2], &[], &[]],
    );
    let src = [Src::Scalar(3), Src::Scalar(6), NONE];
    let op = LaneOp::IAdd;
    check(Step::Uniform { op, dst, src }, [&[], &[], &[3, 6], &[1]]);
    let op = WideOp::And64;
    check(
        Step::UniformWide { op, dst, src },
        [&[], &[], &[3, 4, 6, 7], &[1, 2]],
    );
}

/// A choice reads both of what it chooses from.
#[test]
fn choices() {
    let choice = |no, yes| Step::Select {
        dst: 1,
        mask: 8,
        no,
        yes,
    };
    let both = choice(Src::Row(4), Src::Row(6));
    check(both, [&[4, 6], &[1], &[8, 9], &[]]);
    check(choice(Src::Row(4), NONE), [&[4], &[1], &[8, 9], &[]]);
    check(choice(NONE, Src::Row(6)), [&[6], &[1], &[8, 9], &[]]);
    let scalars = choice(Src::Scalar(2), Src::Scalar(3));
    check(scalars, [&[], &[1], &[2, 3, 8, 9], &[]]);
    // What is chosen from and written is not dead at the start.
    for step in [choice(Src::Row(1), NONE), choice(NONE, Src::Row(1))] {
        assert!(!liveness(step).rows[1].written_first, "{step:?}");
    }
    assert!(liveness(both).rows[1].written_first);
}

#[test]
fn moves() {
    let (dst, src) = (1, 3);
    let lane = Src::Scalar(5);
    check(Step::ReadLane { dst, src, lane }, [&[3], &[], &[5], &[1]]);
    check(Step::ReadFirstLane { dst, src }, [&[3], &[], &[], &[1]]);
    let value = Src::Scalar(7);
    check(
        Step::WriteLane { dst, value, lane },
        [&[], &[1], &[5, 7], &[]],
    );
    check(Step::LaneId { dst }, [&[], &[1], &[], &[]]);
    let pattern = Swizzle::Quad([1, 0, 3, 2]);
    check(Step::Swizzle { dst, src, pattern }, [&[3], &[1], &[], &[]]);
    let moved = |kind| Step::Relative {
        kind,
        dst,
        base: 3,
        index: Src::Scalar(8),
        end: 6,
    };
    let all: &[u16] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    check(moved(Move::FromRow), [all, &[1], &[8], &[]]);
    check(moved(Move::ToRow), [all, &[1, 2, 3, 4, 5], &[8], &[]]);
    check(moved(Move::ToScalar), [&[], &[], &[3, 8], &[1, 2, 3, 4, 5]]);
    check(moved(Move::FromScalar), [&[], &[], &[3, 4, 5, 8], &[1]]);
}
