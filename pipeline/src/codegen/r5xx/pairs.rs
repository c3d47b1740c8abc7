//! Work for colour and work for alpha in one instruction. [R5XX 8.4]
//!
//! An instruction with a free half takes the work of a later one, if nothing between them depends on it and the sources of
//! both find room.

use std::collections::BTreeSet;

use r5xx::isa::us::codes::{Modifier, Presubtract, Select, Swizzle};
use r5xx::isa::us::ops::{AlphaOp, AluSem, RgbOp, TexOp};
use r5xx::isa::us::{Alu, Body, Half, Input, Inst, Source, Sources};

use crate::ir::Origin;

/// Instructions that are looked at behind one.
const WINDOW: usize = 12;

/// Pairs up the instructions of a block.
pub fn pair(insts: &mut Vec<Inst>, origins: &mut Vec<Origin>) {
    let mut at = 0;
    while at < insts.len() {
        if let Some((with, both)) = partner(insts, at) {
            insts[at].body = Body::Alu(both);
            insts.remove(with);
            origins.remove(with);
        }
        at += 1;
    }
}

/// An instruction that can join the one at an address, and both as one.
fn partner(insts: &[Inst], at: usize) -> Option<(usize, Alu)> {
    let first = alone(&insts[at])?;
    let mut between = Access::default();
    for with in at + 1..insts.len().min(at + 1 + WINDOW) {
        let access = Access::of(&insts[with]);
        if let Some(second) = alone(&insts[with])
            && !between.hinders(&access)
            && Access::of(&insts[at]).runs_with(&access)
            && let Some(both) = merged(first, second)
        {
            return Some((with, both));
        }
        if matches!(insts[with].body, Body::Fc(_)) || insts[with].nop || derivative(&insts[with]) {
            return None;
        }
        between.add(access);
    }
    None
}

/// An instruction of one half that nothing else is bound to.
fn alone(inst: &Inst) -> Option<&Alu> {
    let Body::Alu(alu) = &inst.body else {
        return None;
    };
    let free = !inst.nop && !alu.out && !derivative(inst);
    let one = alu.writes_rgb() != alu.writes_alpha();
    (free && one && !crosses(alu)).then_some(alu)
}

/// One half computes what the other writes.
fn crosses(alu: &Alu) -> bool {
    match alu.writes_rgb() {
        true => matches!(alu.rgb.op, RgbOp::SOP | RgbOp::DP4),
        false => alu.alpha.op == AlphaOp::DP,
    }
}

fn derivative(inst: &Inst) -> bool {
    matches!(&inst.body, Body::Alu(alu) if matches!(alu.rgb.op.sem(), AluSem::Derivative(_)))
}

/// Channels of temporaries.
#[derive(Default)]
struct Access {
    reads: BTreeSet<(u8, u8)>,
    writes: BTreeSet<(u8, u8)>,
}

impl Access {
    fn of(inst: &Inst) -> Access {
        let mut access = Access::default();
        match &inst.body {
            Body::Alu(alu) => {
                // What no half reads is there too; it only makes pairs fewer.
                for source in alu.rgb.sources.src.iter().chain(&alu.alpha.sources.src) {
                    if let Source::Temp { at, .. } = source {
                        access.reads.extend((0..4).map(|channel| (*at, channel)));
                    }
                }
                let colors = (0..3).filter(|channel| alu.rgb.wmask >> channel & 1 == 1);
                access
                    .writes
                    .extend(colors.map(|channel| (alu.rgb.dst.at, channel)));
                if alu.alpha.wmask != 0 {
                    access.writes.insert((alu.alpha.dst.at, 3));
                }
                access.narrow(alu);
            }
            Body::Tex(tex) => {
                let kills = tex.op == TexOp::TEXKILL;
                for register in [tex.src, tex.gradients[0], tex.gradients[1]] {
                    access
                        .reads
                        .extend((0..4).map(|channel| (register.at, channel)));
                }
                let written = (0..4).filter(|_| !kills);
                access
                    .writes
                    .extend(written.map(|channel| (tex.dst.at, channel)));
            }
            Body::Fc(_) => {}
        }
        access
    }

    /// Only the channels that inputs name.
    fn narrow(&mut self, alu: &Alu) {
        let mut named = BTreeSet::new();
        let mut note = |select: Select, swizzle: Swizzle| {
            let Some(channel) = channel(swizzle) else {
                return;
            };
            let sources = &half(alu, channel).src;
            let read = match select {
                Select::Srcp => &sources[..2],
                select => &sources[select as usize..][..1],
            };
            for source in read {
                if let Source::Temp { at, .. } = source {
                    named.insert((*at, channel));
                }
            }
        };
        for input in &alu.rgb.inputs {
            input
                .swizzle
                .iter()
                .for_each(|swizzle| note(input.select, *swizzle));
        }
        for input in &alu.alpha.inputs {
            note(input.select, input.swizzle[0]);
        }
        if !matches!(alu.rgb.op.sem(), AluSem::Derivative(_)) {
            self.reads = named;
        }
    }

    fn add(&mut self, other: Access) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
    }

    /// An instruction with this access cannot move before those of `self`.
    fn hinders(&self, later: &Access) -> bool {
        !self.writes.is_disjoint(&later.reads)
            || !self.writes.is_disjoint(&later.writes)
            || !self.reads.is_disjoint(&later.writes)
    }

    /// One with this access may run at the same time: it reads before anything is written.
    fn runs_with(&self, later: &Access) -> bool {
        self.writes.is_disjoint(&later.reads) && self.writes.is_disjoint(&later.writes)
    }
}

/// The channel that a swizzle names.
fn channel(swizzle: Swizzle) -> Option<u8> {
    match swizzle {
        Swizzle::R | Swizzle::G | Swizzle::B | Swizzle::A => Some(swizzle.code()),
        _ => None,
    }
}

/// The sources that a channel comes from.
fn half(alu: &Alu, channel: u8) -> &Sources {
    match channel {
        3 => &alu.alpha.sources,
        _ => &alu.rgb.sources,
    }
}

/// A sum before the operation: what it is, and its sources.
type Presum = (Presubtract, [Option<Source>; 2]);

/// Sources of both halves as far as they are taken.
#[derive(Clone, Copy, Default)]
struct Slots {
    /// By half, then slot.
    taken: [[Option<Source>; 3]; 2],
    presums: [Option<Presum>; 2],
}

impl Slots {
    /// Keeps the first slots for the sums that the inputs of a half take.
    fn keep<Op, const N: usize>(
        &mut self,
        of: &Alu,
        inputs: &Half<Op, N>,
        sem: AluSem,
    ) -> Option<()> {
        let read = inputs.inputs.iter().zip(sem.operands());
        let summed = read.filter(|(input, read)| *read && input.select == Select::Srcp);
        for swizzle in summed.flat_map(|(input, _)| input.swizzle) {
            let Some(channel) = channel(swizzle) else {
                continue;
            };
            let sources = half(of, channel);
            let two = matches!(sources.srcp, Presubtract::Sub | Presubtract::Add);
            let summed = [Some(sources.src[0]), two.then_some(sources.src[1])];
            let at = usize::from(channel == 3);
            let wanted = (sources.srcp, summed);
            match self.presums[at] {
                Some(other) if other != wanted => return None,
                _ => self.presums[at] = Some(wanted),
            }
            self.taken[at][..2].copy_from_slice(&summed);
        }
        Some(())
    }

    /// Takes the sources that an input needs in the first slot that has or may have both; gives the slot.
    fn take(&mut self, wanted: [Option<Source>; 2]) -> Option<usize> {
        let halves = |at: usize| (0..2).map(move |half| (half, at));
        let known = |at: &usize| {
            halves(*at).all(|(h, at)| wanted[h].is_none() || self.taken[h][at] == wanted[h])
        };
        let free = |at: &usize| {
            halves(*at).all(|(h, at)| {
                let taken = self.taken[h][at];
                wanted[h].is_none() || taken.is_none() || taken == wanted[h]
            })
        };
        let at = (0..3).find(known).or((0..3).find(free))?;
        for (taken, wanted) in self.taken.iter_mut().zip(wanted) {
            taken[at] = taken[at].or(wanted);
        }
        Some(at)
    }
}

/// Both instructions as one.
fn merged(a: &Alu, b: &Alu) -> Option<Alu> {
    let (color, alpha) = match (a.writes_rgb(), b.writes_rgb()) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return None,
    };
    let mut slots = Slots::default();
    let mut both = Alu {
        rgb: color.rgb,
        alpha: alpha.alpha,
        result: color.result.or(alpha.result),
        ..*color
    };
    slots.keep(color, &color.rgb, color.rgb.op.sem())?;
    slots.keep(alpha, &alpha.alpha, alpha.alpha.op.sem())?;
    inputs(color, &mut both.rgb, color.rgb.op.sem(), &mut slots)?;
    inputs(alpha, &mut both.alpha, alpha.alpha.op.sem(), &mut slots)?;
    let spare = Source::Constant {
        at: 0,
        relative: false,
    };
    let [rgb, of_alpha] = slots
        .taken
        .map(|half| half.map(|source| source.unwrap_or(spare)));
    (both.rgb.sources.src, both.alpha.sources.src) = (rgb, of_alpha);
    let [rgb, of_alpha] = slots
        .presums
        .map(|sum| sum.map_or(Presubtract::default(), |sum| sum.0));
    (both.rgb.sources.srcp, both.alpha.sources.srcp) = (rgb, of_alpha);
    Some(both)
}

/// Gives the inputs of a half new slots.
fn inputs<Op, const N: usize>(
    of: &Alu,
    half: &mut Half<Op, N>,
    sem: AluSem,
    slots: &mut Slots,
) -> Option<()> {
    for (input, read) in half.inputs.iter_mut().zip(sem.operands()) {
        if !read {
            *input = Input {
                select: Select::Src0,
                swizzle: [Swizzle::Unused; N],
                modifier: Modifier::None,
            };
            continue;
        }
        if input.select == Select::Srcp {
            continue;
        }
        let mut wanted = [None; 2];
        for channel in input.swizzle.into_iter().filter_map(channel) {
            let sources = self::half(of, channel);
            wanted[usize::from(channel == 3)] = Some(sources.src[input.select as usize]);
        }
        let at = slots.take(wanted)?;
        input.select = [Select::Src0, Select::Src1, Select::Src2][at];
    }
    Some(())
}
