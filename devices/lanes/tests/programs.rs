//! Programs that no engine can run are refused with the number of the step.
#![allow(clippy::unwrap_used)]

use lanes::{
    DefaultEngine, Engine, LaneOp, Move, Origin, PortEffects, Program, ProgramError, Src, Step,
    Swizzle, When, WideOp,
};

const NONE: Src = Src::Const(0);

fn program(step: Step) -> Program {
    Program {
        steps: vec![step, Step::End],
        origins: vec![Origin::default(); 2],
        rows: 4,
        scalars: 8,
        ..Program::default()
    }
}

fn refuse(program: &Program) -> ProgramError {
    DefaultEngine::new().prepare(program).unwrap_err()
}

#[test]
fn rows() {
    let row = |row| ProgramError::Row {
        step: 0,
        row,
        rows: 4,
    };
    let alu = |dst, src| Step::Alu {
        op: LaneOp::FAdd,
        dst,
        src,
    };
    assert_eq!(refuse(&program(alu(4, [NONE; 3]))), row(4));
    assert_eq!(refuse(&program(alu(0, [NONE, Src::Row(9), NONE]))), row(9));
    let wide = |dst, src| Step::Wide {
        op: WideOp::DAdd,
        dst,
        src,
    };
    assert_eq!(refuse(&program(wide(3, [NONE; 3]))), row(4));
    assert_eq!(refuse(&program(wide(0, [Src::Row(3), NONE, NONE]))), row(4));
    assert_eq!(refuse(&program(wide(u16::MAX, [NONE; 3]))), row(65536));
    assert_eq!(refuse(&program(Step::LaneId { dst: 7 })), row(7));
    let relative = |kind, end| Step::Relative {
        kind,
        dst: 0,
        base: 1,
        index: NONE,
        end,
    };
    assert_eq!(refuse(&program(relative(Move::FromRow, 6))), row(5));
    let scalar = ProgramError::Scalar {
        step: 0,
        scalar: 8,
        scalars: 8,
    };
    assert_eq!(refuse(&program(relative(Move::ToScalar, 9))), scalar);
}

#[test]
fn scalars() {
    let scalar = |scalar| ProgramError::Scalar {
        step: 0,
        scalar,
        scalars: 8,
    };
    let uniform = |dst, src| Step::Uniform {
        op: LaneOp::IAdd,
        dst,
        src,
    };
    assert_eq!(refuse(&program(uniform(8, [NONE; 3]))), scalar(8));
    let src = [NONE, Src::Scalar(100), NONE];
    assert_eq!(refuse(&program(uniform(0, src))), scalar(100));
    let compare = Step::Compare {
        op: LaneOp::FEq,
        dst: 7,
        src: [NONE; 3],
    };
    assert_eq!(refuse(&program(compare)), scalar(8));
    let select = Step::Select {
        dst: 0,
        mask: 7,
        no: NONE,
        yes: NONE,
    };
    assert_eq!(refuse(&program(select)), scalar(8));
    let when = When::MaskZero(7);
    assert_eq!(refuse(&program(Step::Branch { when, to: 0 })), scalar(8));
    let operand = Src::Row(1);
    let vector = ProgramError::VectorOperand { step: 0, operand };
    assert_eq!(refuse(&program(uniform(0, [operand, NONE, NONE]))), vector);
    let write = Step::WriteLane {
        dst: 0,
        value: operand,
        lane: NONE,
    };
    assert_eq!(refuse(&program(write)), vector);
}

#[test]
fn ports() {
    let with = |port: PortEffects| Program {
        ports: vec![PortEffects::default(), port],
        ..program(Step::Port { port: 1 })
    };
    let (port, row, rows) = (1, 4, 4);
    let bad = with(PortEffects {
        writes_rows: vec![0, row],
        ..PortEffects::default()
    });
    assert_eq!(refuse(&bad), ProgramError::PortRow { port, row, rows });
    let (scalar, scalars) = (9, 8);
    let bad = with(PortEffects {
        reads_scalars: vec![scalar],
        ..PortEffects::default()
    });
    let expected = ProgramError::PortScalar {
        port,
        scalar,
        scalars,
    };
    assert_eq!(refuse(&bad), expected);
    let uniform = |reads_rows, overwrites| {
        with(PortEffects {
            reads_rows,
            overwrites,
            wave_uniform: true,
            ..PortEffects::default()
        })
    };
    let expected = ProgramError::PortUniform { port };
    assert_eq!(refuse(&uniform(vec![0], true)), expected);
    assert_eq!(refuse(&uniform(vec![], false)), expected);
    let bad = Program {
        per_wave: vec![0, scalar],
        ..program(Step::End)
    };
    assert_eq!(refuse(&bad), ProgramError::PerWave { scalar, scalars });
}

#[test]
fn structure() {
    let mut bad = program(Step::End);
    bad.exec = 7;
    let expected = ProgramError::Exec {
        exec: 7,
        scalars: 8,
    };
    assert_eq!(refuse(&bad), expected);

    let branch = Step::Branch {
        when: When::Always,
        to: 2,
    };
    let expected = ProgramError::Branch {
        step: 0,
        to: 2,
        steps: 2,
    };
    assert_eq!(refuse(&program(branch)), expected);

    let mut bad = program(Step::End);
    bad.entries = vec![(0x10, 5)];
    let (address, to, steps) = (0x10, 5, 2);
    assert_eq!(refuse(&bad), ProgramError::Entry { address, to, steps });
    bad.entries = vec![(0x10, 0), (0x10, 1)];
    assert_eq!(refuse(&bad), ProgramError::EntryOrder { address });

    let expected = ProgramError::Reason {
        step: 0,
        reason: 0,
        reasons: 0,
    };
    assert_eq!(refuse(&program(Step::Trap { reason: 0 })), expected);

    let pattern = Swizzle::Quad([0, 1, 2, 4]);
    let swizzle = Step::Swizzle {
        dst: 0,
        src: 0,
        pattern,
    };
    assert_eq!(
        refuse(&program(swizzle)),
        ProgramError::Swizzle { step: 0, pattern }
    );

    let mut bad = program(Step::End);
    bad.steps.pop();
    let expected = ProgramError::Origins {
        steps: 1,
        origins: 2,
    };
    assert_eq!(refuse(&bad), expected);

    let mut bad = program(Step::End);
    bad.steps.swap(0, 1);
    bad.steps[1] = Step::Tick { instructions: 1 };
    assert_eq!(refuse(&bad), ProgramError::Unterminated { steps: 2 });
    assert_eq!(
        refuse(&Program {
            scalars: 2,
            ..Program::default()
        }),
        ProgramError::Unterminated { steps: 0 }
    );
}

/// Which registers a step reads and writes: what engines order and analyses follow.
#[test]
fn registers_of_steps() {
    let row = Src::Row;
    let alu = |op| Step::Alu {
        op,
        dst: 9,
        src: [row(1), row(2), row(3)],
    };
    // Operands that the operation does not have are not read.
    assert_eq!(alu(LaneOp::Mov).read_rows().unwrap(), [1..2, 2..2, 3..3]);
    assert_eq!(alu(LaneOp::FAdd).read_rows().unwrap(), [1..2, 2..3, 3..3]);
    assert_eq!(alu(LaneOp::FFma).read_rows().unwrap(), [1..2, 2..3, 3..4]);
    assert_eq!(alu(LaneOp::FAdd).written_rows(), 9..10);
    assert_eq!(alu(LaneOp::FAdd).written_scalars(), 0..0);
    let wide = |op| Step::Wide {
        op,
        dst: 10,
        src: [row(2), row(4), row(6)],
    };
    assert_eq!(wide(WideOp::DFma).read_rows().unwrap(), [2..4, 4..6, 6..8]);
    assert_eq!(
        wide(WideOp::DLdexp).read_rows().unwrap(),
        [2..4, 4..5, 6..6]
    );
    assert_eq!(wide(WideOp::DFma).written_rows(), 10..12);
    assert_eq!(wide(WideOp::F64ToI32).written_rows(), 10..11);
    let select = Step::Select {
        dst: 5,
        mask: 2,
        no: row(7),
        yes: row(8),
    };
    assert_eq!(select.read_rows().unwrap(), [7..8, 8..9, 0..0]);
    assert_eq!(select.read_scalars(), [2..4, 0..0, 0..0]);
    assert_eq!(
        (select.written_rows(), select.written_scalars()),
        (5..6, 0..0)
    );
    let compare = Step::Compare {
        op: LaneOp::FLt,
        dst: 4,
        src: [row(1), Src::Scalar(3), NONE],
    };
    assert_eq!(compare.read_scalars(), [0..0, 3..4, 0..0]);
    assert_eq!(
        (compare.written_rows(), compare.written_scalars()),
        (0..0, 4..6)
    );
    let uniform = Step::UniformWide {
        op: WideOp::Shl64,
        dst: 6,
        src: [Src::Scalar(2), Src::Scalar(4), NONE],
    };
    assert_eq!(uniform.read_scalars(), [2..4, 4..5, 0..0]);
    assert_eq!(uniform.written_scalars(), 6..8);
    let relative = |kind| Step::Relative {
        kind,
        dst: 2,
        base: 4,
        index: Src::Scalar(1),
        end: 6,
    };
    assert_eq!(relative(Move::FromRow).read_rows(), None);
    assert_eq!(relative(Move::FromRow).written_rows(), 2..3);
    assert_eq!(relative(Move::ToRow).written_rows(), 2..6);
    let scalars = relative(Move::FromScalar);
    assert_eq!(scalars.read_scalars(), [1..2, 4..6, 0..0]);
    assert_eq!(scalars.written_scalars(), 2..3);
    let scalars = relative(Move::ToScalar);
    assert_eq!(scalars.read_scalars(), [1..2, 4..5, 0..0]);
    assert_eq!(scalars.written_scalars(), 2..6);
    let branch = |when| Step::Branch { when, to: 0 }.read_scalars()[0].clone();
    assert_eq!(branch(When::Always), 0..0);
    assert_eq!(branch(When::NonZero(3)), 3..4);
    assert_eq!(branch(When::MaskZero(3)), 3..5);
}
