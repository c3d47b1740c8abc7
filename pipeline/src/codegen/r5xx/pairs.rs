//! Work for colour and work for alpha in one instruction. [R5XX 8.4]
//!
//! An instruction with a free half takes the work of a later one, if nothing between them depends on it and the sources of
//! both find room.

use std::collections::BTreeSet;

use r5xx::isa::us::codes::{Modifier, Select, Swizzle};
use r5xx::isa::us::ops::{AlphaOp, AluSem, RgbOp};
use r5xx::isa::us::{Alu, Body, Half, Input, Inst, Source};

use crate::ir::Origin;

/// Instructions that are looked at behind one.
const WINDOW: usize = 12;

/// Pairs up instructions; those that jumps lead to stay where they are.
pub fn pair(insts: &mut Vec<Inst>, origins: &mut Vec<Origin>) {
    // Addresses of jumps would move.
    if insts.iter().any(|inst| matches!(inst.body, Body::Fc(_))) {
        return;
    }
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
            && !Access::of(&insts[at]).hinders(&access)
            && let Some(both) = merged(first, second)
        {
            return Some((with, both));
        }
        if !matches!(insts[with].body, Body::Alu(_)) || insts[with].nop || derivative(&insts[with])
        {
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
    let free = !inst.nop && !alu.out && alu.result.is_none() && !derivative(inst);
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
                for register in [tex.src, tex.gradients[0], tex.gradients[1]] {
                    access
                        .reads
                        .extend((0..4).map(|channel| (register.at, channel)));
                }
                access
                    .writes
                    .extend((0..4).map(|channel| (tex.dst.at, channel)));
            }
            Body::Fc(_) => {}
        }
        access
    }

    /// Only the channels that inputs name.
    fn narrow(&mut self, alu: &Alu) {
        let mut named = BTreeSet::new();
        let mut note = |select: Select, swizzle: Swizzle| {
            if let Some((channel, source)) = channel(alu, select, swizzle)
                && let Source::Temp { at, .. } = source
            {
                named.insert((at, channel));
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
}

/// The channel and source that a swizzle names.
fn channel(alu: &Alu, select: Select, swizzle: Swizzle) -> Option<(u8, Source)> {
    let channel = match swizzle {
        Swizzle::R | Swizzle::G | Swizzle::B | Swizzle::A => swizzle.code(),
        _ => return None,
    };
    let half = if channel < 3 {
        &alu.rgb.sources
    } else {
        &alu.alpha.sources
    };
    Some((channel, half.src[select as usize]))
}

/// Sources of both halves as far as they are taken.
#[derive(Clone, Copy, Default)]
struct Sources {
    rgb: [Option<Source>; 3],
    alpha: [Option<Source>; 3],
}

impl Sources {
    /// Takes the sources that an input needs in the first slot that has or may have both; gives the slot.
    fn take(&mut self, rgb: Option<Source>, alpha: Option<Source>) -> Option<usize> {
        let fits = |slot: Option<Source>, wanted: Option<Source>| {
            slot.is_none() || wanted.is_none() || slot == wanted
        };
        let known = |at: &usize| {
            (rgb.is_none() || self.rgb[*at] == rgb) && (alpha.is_none() || self.alpha[*at] == alpha)
        };
        let free = |at: &usize| fits(self.rgb[*at], rgb) && fits(self.alpha[*at], alpha);
        let at = (0..3).find(known).or((0..3).find(free))?;
        self.rgb[at] = self.rgb[at].or(rgb);
        self.alpha[at] = self.alpha[at].or(alpha);
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
    let mut sources = Sources::default();
    let mut both = Alu {
        rgb: color.rgb,
        alpha: alpha.alpha,
        ..*color
    };
    inputs(color, &mut both.rgb, color.rgb.op.sem(), &mut sources)?;
    inputs(alpha, &mut both.alpha, alpha.alpha.op.sem(), &mut sources)?;
    let spare = Source::Constant {
        at: 0,
        relative: false,
    };
    both.rgb.sources.src = sources.rgb.map(|source| source.unwrap_or(spare));
    both.alpha.sources.src = sources.alpha.map(|source| source.unwrap_or(spare));
    Some(both)
}

/// Gives the inputs of a half new slots.
fn inputs<Op, const N: usize>(
    of: &Alu,
    half: &mut Half<Op, N>,
    sem: AluSem,
    sources: &mut Sources,
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
        let (mut rgb, mut alpha) = (None, None);
        for swizzle in input.swizzle {
            match channel(of, input.select, swizzle) {
                Some((3, source)) => alpha = Some(source),
                Some((_, source)) => rgb = Some(source),
                None => {}
            }
        }
        let at = sources.take(rgb, alpha)?;
        input.select = [Select::Src0, Select::Src1, Select::Src2][at];
    }
    Some(())
}
