//! Packs steps into codes: a kernel and its operands.

use host::SimdLevel;

use super::fuse::{Part, fuse};
use super::memory::{Code, Source};
use super::{scalar, swizzle, vector};
use crate::analysis::live::RegisterSet;
use crate::arithmetic::Kernel;
use crate::step::{Src, Step};

/// The code that expands the execution mask to one word per lane.
pub(super) fn expansion(level: SimdLevel) -> Code {
    code(vector::expansion(level), 0, [Src::Const(0); 3], 0)
}

/// Packs a straight run of steps that compute.
pub(super) fn pack_run(level: SimdLevel, run: &[Step], live: &RegisterSet, codes: &mut Vec<Code>) {
    for (step, part) in run.iter().zip(fuse(level, run, live)) {
        match (part, step) {
            (Part::First, _) => {}
            (Part::Second(fused), Step::Alu { dst, .. } | Step::Select { dst, .. }) => {
                codes.push(Code {
                    more: fused.more.map(Source::new),
                    ..code(fused.kernel, *dst, fused.src, 0)
                })
            }
            _ => codes.push(pack(level, step)),
        }
    }
}

/// Packs a step that computes.
fn pack(level: SimdLevel, step: &Step) -> Code {
    let none = Src::Const(0);
    match *step {
        Step::Alu { op, dst, src } => {
            let (kernel, src) = vector::alu(level, op, src);
            code(kernel, dst, src, 0)
        }
        Step::Wide { op, dst, src } => {
            let (kernel, extra) = vector::wide(level, op);
            code(kernel, dst, src, extra)
        }
        Step::Compare { op, dst, src } => {
            let (kernel, extra) = vector::compare(level, op, src);
            always(code(kernel, dst, src, extra))
        }
        Step::CompareWide { op, dst, src } => {
            let (kernel, extra) = vector::compare_wide(level, op);
            always(code(kernel, dst, src, extra))
        }
        Step::Select { dst, mask, no, yes } => {
            let kernel = vector::select(level, no, yes);
            code(kernel, dst, [no, yes, none], mask.into())
        }
        Step::Uniform { op, dst, src } => {
            let kernel = Kernel::plain(scalar::uniform(op));
            always(code(kernel, dst, src, 0))
        }
        Step::UniformWide { op, dst, src } => {
            let kernel = Kernel::plain(scalar::uniform_wide(op));
            always(code(kernel, dst, src, vector::wide_extra(op)))
        }
        Step::ReadLane { dst, src, lane } => {
            let kernel = Kernel::plain(scalar::read_lane);
            always(code(kernel, dst, [lane, none, none], src.into()))
        }
        Step::ReadFirstLane { dst, src } => {
            let kernel = Kernel::plain(scalar::read_first_lane);
            always(code(kernel, dst, [none; 3], src.into()))
        }
        Step::WriteLane { dst, value, lane } => {
            let kernel = Kernel::plain(scalar::write_lane);
            always(code(kernel, dst, [value, lane, none], 0))
        }
        Step::LaneId { dst } => code(Kernel::plain(scalar::lane_id), dst, [none; 3], 0),
        Step::Relative {
            kind,
            dst,
            base,
            index,
            end,
        } => {
            let kernel = Kernel::plain(scalar::relative(kind));
            let extra = u32::from(base) | u32::from(end) << 16;
            always(code(kernel, dst, [index, none, none], extra))
        }
        Step::Swizzle { dst, src, pattern } => {
            let (kernel, extra) = swizzle::swizzle(level, pattern);
            code(kernel, dst, [Src::Row(src), none, none], extra)
        }
        Step::Branch { .. }
        | Step::Indirect { .. }
        | Step::Tick { .. }
        | Step::Port { .. }
        | Step::Barrier
        | Step::End
        | Step::Trap { .. } => unreachable!("control steps end a block"),
    }
}

fn code(kernel: Kernel, dst: u16, src: [Src; 3], extra: u32) -> Code {
    Code {
        kernel,
        always: false,
        dst,
        src: src.map(Source::new),
        more: [Source::new(Src::Const(0)); 2],
        extra,
    }
}

fn always(code: Code) -> Code {
    Code {
        always: true,
        ..code
    }
}
