//! What the lanes of a wave tell each other, lane by lane.

use lanes::{LANES, Row};

use crate::ir::{SubgroupOp, exclusive_start, identity};

/// An operation of the lanes of `exec`, of which those of `writers` are no helpers.
pub(super) fn run(kind: SubgroupOp, args: &[Row], results: &mut [Row], [exec, writers]: [u64; 2]) {
    let part = if writers == 0 { exec } else { writers };
    let of = |lane: usize, mask: u64| match lane < LANES && mask >> lane & 1 == 1 {
        true => args[0].0[lane],
        false => 0,
    };
    let each = |value: &dyn Fn(usize) -> u32| Row(std::array::from_fn(value));
    match kind {
        SubgroupOp::Ballot => {
            let bits = (0..LANES).fold(0, |bits, lane| {
                bits | u64::from(of(lane, part) != 0) << lane
            });
            results[0] = Row::splat(bits as u32);
            results[1] = Row::splat((bits >> 32) as u32);
        }
        SubgroupOp::First => results[0] = Row::splat(of(part.trailing_zeros() as usize, part)),
        SubgroupOp::Shuffle => results[0] = each(&|lane| of(args[1].0[lane] as usize, part)),
        SubgroupOp::Quad(pattern) => {
            results[0] = each(&|lane| of(lane & !3 | usize::from(pattern[lane & 3]), exec));
        }
        SubgroupOp::Reduce(op) | SubgroupOp::Inclusive(op) | SubgroupOp::Exclusive(op) => {
            let none = identity(op).unwrap_or(0);
            let mut sums: [u32; LANES] = std::array::from_fn(|lane| match part >> lane & 1 {
                1 => args[0].0[lane],
                _ => none,
            });
            let mut before = [exclusive_start(op); LANES];
            let combine = |a: u32, b: u32| op.eval([a, b, 0]);
            for step in 0..LANES.ilog2() {
                // Upper halves of runs of lanes take what their lower half comes to.
                let old = sums;
                for lane in (0..LANES).filter(|lane| lane >> step & 1 == 1) {
                    let lower = old[(lane >> step << step) - 1];
                    sums[lane] = combine(lower, old[lane]);
                    before[lane] = combine(lower, before[lane]);
                }
            }
            results[0] = match kind {
                SubgroupOp::Inclusive(_) => Row(sums),
                SubgroupOp::Exclusive(_) => Row(before),
                _ => Row::splat(sums[LANES - 1]),
            };
        }
    }
}
