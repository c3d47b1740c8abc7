//! Lane operations per second, per operation and level; then a whole shader.
//!
//! `cargo bench -p girih-lanes --bench ops -- --quick`

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use std::ops::Range;

use lanes::{
    Batch, Builder, Engine, Interpreter, LANES, LaneOp, PortFault, Ports, Program, Row, SimdLevel,
    Src, Step, Wave,
};

/// Scalar pair of the execution mask.
const EXEC: u16 = 0;
/// Steps of a program that repeats one operation.
const STEPS: u32 = 100;
/// Rows of every program.
const ROWS: u16 = 32;

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _batch: Batch<'_>) -> Result<(), PortFault> {
        panic!("call of ports {ports:?}");
    }
}

fn wave(exec: u64) -> Wave {
    let mut wave = Wave::new(ROWS.into(), 16);
    for (at, row) in wave.rows.iter_mut().enumerate() {
        *row = Row(std::array::from_fn(|lane| {
            (0.3 + 0.07 * at as f32 + 0.013 * lane as f32).to_bits()
        }));
    }
    wave.set_mask(EXEC, exec);
    wave
}

/// One operation again and again, from rows that do not change.
fn repeat(op: LaneOp, last: Src) -> Program {
    let mut b = Builder::new(EXEC);
    let count = op.params().len();
    for step in 0..STEPS as u16 {
        let mut src: Vec<Src> = (0..count as u16)
            .map(|index| Src::Row(8 + (step * 5 + index * 7) % 24))
            .collect();
        if last != Src::Row(0) {
            src[count - 1] = last;
        }
        b.alu(op, step % 8, &src);
    }
    b.finish(ROWS, 16)
}

fn compare(op: LaneOp) -> Program {
    let mut b = Builder::new(EXEC);
    for step in 0..STEPS as u16 {
        let src = [Src::Row(step % 24), Src::Row(7 + step % 24), Src::Const(0)];
        b.push(Step::Compare { op, dst: 4, src });
    }
    b.finish(ROWS, 16)
}

fn select() -> Program {
    let mut b = Builder::new(EXEC);
    for step in 0..STEPS as u16 {
        b.push(Step::Select {
            dst: step % 8,
            mask: 4,
            no: Src::Row(8 + step % 24),
            yes: Src::Row(8 + (step + 5) % 24),
        });
    }
    b.finish(ROWS, 16)
}

/// 200 steps as a compiler writes them: lighting, clamping, comparing, a little integer work.
fn shader() -> Program {
    let mut b = Builder::new(EXEC);
    let (row, scalar, float) = (Src::Row, Src::Scalar, |x: f32| Src::Const(x.to_bits()));
    for part in 0..10u16 {
        let at = |index: u16| 8 + (part * 3 + index) % 24;
        // A dot product and a reciprocal length.
        b.alu(LaneOp::FMul, 0, &[row(at(0)), row(at(0))]);
        b.alu(LaneOp::FMad, 0, &[row(at(1)), row(at(1)), row(0)]);
        b.alu(LaneOp::FMad, 0, &[row(at(2)), row(at(2)), row(0)]);
        b.alu(LaneOp::FRsq, 1, &[row(0)]);
        b.alu(LaneOp::FMul, 2, &[row(at(0)), row(1)]);
        b.alu(LaneOp::FMul, 3, &[row(at(1)), row(1)]);
        b.alu(LaneOp::FMul, 4, &[row(at(2)), row(1)]);
        // A light from a uniform direction.
        b.alu(LaneOp::FMul, 5, &[row(2), scalar(4)]);
        b.alu(LaneOp::FMad, 5, &[row(3), scalar(5), row(5)]);
        b.alu(LaneOp::FMad, 5, &[row(4), scalar(6), row(5)]);
        b.alu(LaneOp::FMax, 5, &[float(0.0), row(5)]);
        b.alu(LaneOp::FMin, 5, &[float(1.0), row(5)]);
        b.alu(LaneOp::FMad, 6, &[row(5), float(0.8), float(0.2)]);
        b.alu(LaneOp::FAdd, 7, &[row(6), row(at(3))]);
        let src = [row(7), float(0.5), Src::Const(0)];
        b.push(Step::Compare {
            op: LaneOp::FLt,
            dst: 8,
            src,
        });
        b.push(Step::Select {
            dst: 7,
            mask: 8,
            no: row(7),
            yes: row(6),
        });
        b.alu(LaneOp::IAdd, at(4), &[row(at(4)), Src::Const(3)]);
        b.alu(LaneOp::And, 1, &[row(at(4)), Src::Const(0x3fff_ffff)]);
        b.alu(LaneOp::FSub, 1, &[row(7), row(1)]);
        b.alu(LaneOp::FFma, at(5), &[row(1), float(0.25), row(6)]);
    }
    b.finish(ROWS, 16)
}

fn bench(c: &mut Criterion) {
    let levels = SimdLevel::available();
    for engine in levels.into_iter().map(Interpreter::at) {
        let level = engine.level().name();
        let mut group = c.benchmark_group(format!("lanes/{level}"));
        group.measurement_time(Duration::from_millis(300));
        group.warm_up_time(Duration::from_millis(50));
        group.sample_size(10);
        let mut run = |name: &str, program: &Program, steps: u32, exec: u64| {
            let prepared = engine.prepare(program).expect("the program is valid");
            let mut wave = wave(black_box(exec));
            group.throughput(Throughput::Elements(u64::from(steps) * LANES as u64));
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| engine.run(&prepared, &mut wave, &mut NoPorts))
            });
        };
        use LaneOp::*;
        let ops = [
            Mov,
            FAdd,
            FMul,
            FMad,
            FFma,
            FMin,
            FMed3,
            FSat,
            IAdd,
            IMul,
            Shl,
            BfeU,
            FFloor,
            FFract,
            FRcp,
            FRsq,
            FSqrt,
            FDiv,
            FExp2,
            FLog2,
            FSinTurns,
            FLdexp,
            F32ToF16,
            F16ToF32,
            F32ToI32,
            U32ToF32,
            CubeId,
            FClass,
            UDiv,
            PackHalfZero,
        ];
        for op in ops {
            run(op.name(), &repeat(op, Src::Row(0)), STEPS, u64::MAX);
        }
        let half = Src::Const(0.5f32.to_bits());
        for op in [Mov, FAdd, FMul, FMad] {
            let name = format!("{}-const", op.name());
            run(&name, &repeat(op, half), STEPS, u64::MAX);
        }
        for op in [FAdd, FMad, FMin, FExp2] {
            let name = format!("{}-masked", op.name());
            run(
                &name,
                &repeat(op, Src::Row(0)),
                STEPS,
                0x7fff_ffff_ffff_fffe,
            );
        }
        run("Compare-FLt", &compare(FLt), STEPS, u64::MAX);
        run("Select", &select(), STEPS, u64::MAX);
        run("shader", &shader(), 200, u64::MAX);
        run("shader-masked", &shader(), 200, 0x7fff_ffff_ffff_fffe);
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion);
    criterion.final_summary();
}
