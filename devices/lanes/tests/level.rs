//! Every level of this host leaves the same registers behind. Small enough for Miri, which has the baseline only.
#![allow(clippy::unwrap_used)]

use std::ops::Range;

use lanes::{
    Batch, Builder, Engine, Interpreter, LaneOp, PortFault, Ports, Row, SimdLevel, Src, Step,
    Swizzle, Wave, WideOp,
};

struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _batch: Batch<'_>) -> Result<(), PortFault> {
        panic!("call of ports {ports:?}");
    }
}

#[test]
fn levels_agree() {
    let (row, scalar) = (Src::Row, Src::Scalar);
    let mut b = Builder::new(0);
    b.push(Step::LaneId { dst: 0 });
    b.alu(LaneOp::U32ToF32, 1, &[row(0)]);
    b.alu(LaneOp::FFma, 2, &[row(1), scalar(4), row(1)]);
    b.alu(LaneOp::FMad, 2, &[row(2), row(1), row(2)]);
    let src = [row(2), Src::Const(100f32.to_bits()), Src::Const(0)];
    let (op, dst) = (LaneOp::FLt, 6);
    b.push(Step::Compare { op, dst, src });
    let (dst, no, yes) = (3, row(1), scalar(5));
    b.push(Step::Select {
        dst,
        mask: 6,
        no,
        yes,
    });
    let pattern = Swizzle::Quad([1, 0, 3, 2]);
    b.push(Step::Swizzle {
        dst: 4,
        src: 2,
        pattern,
    });
    let (op, dst, src) = (WideOp::F32ToF64, 5, [row(4), row(0), row(0)]);
    b.push(Step::Wide { op, dst, src });
    let program = b.finish(7, 8);

    let run = |level| {
        let engine = Interpreter::at(level);
        let prepared = engine.prepare(&program).unwrap();
        let mut wave = Wave::new(7, 8);
        wave.set_mask(0, 0xf0f0_ffff_1234_5678);
        wave.scalars[4] = 1.25f32.to_bits();
        wave.scalars[5] = 7;
        engine.run(&prepared, &mut wave, &mut NoPorts).unwrap();
        (wave.rows, wave.scalars)
    };
    let (rows, scalars) = run(SimdLevel::BASELINE);
    let x = |lane: usize| lane as f32 * 1.25 + lane as f32;
    assert_eq!(f32::from_bits(rows[2].0[3]), x(3) * 3.0 + x(3));
    assert_ne!(rows[6], Row::ZERO);
    for level in SimdLevel::available() {
        {
            let other = run(level);
            assert_eq!(other, (rows.clone(), scalars.clone()), "{level:?}");
        }
    }
}
