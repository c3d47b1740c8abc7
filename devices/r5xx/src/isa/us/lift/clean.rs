//! Which channels of temporaries never hold a denormal or a NaN that is not the chip's.

use std::collections::BTreeMap;

use super::super::codes::{Omod, Select, Swizzle};
use super::super::inst::{Alu, Body, Half, Inst, Source};
use super::super::ops::{AluSem, TexSem};
use super::Setup;

/// Channels of temporaries, 4 * register + channel: whether all writes to them are flushed.
pub(super) fn clean_channels(insts: &BTreeMap<u16, Inst>, setup: &Setup) -> Vec<bool> {
    let mut clean = vec![!setup.raw_inputs; 512];
    if setup.raw_inputs {
        // What holds at the start cannot be told from what is written.
        return clean;
    }
    loop {
        let before = clean.clone();
        for inst in insts.values() {
            match &inst.body {
                Body::Alu(alu) => writes(alu, &mut clean),
                // Textures return flushed channels.
                Body::Tex(tex) => debug_assert!(tex.op.sem() != TexSem::Reserved),
                Body::Fc(_) => {}
            }
        }
        if clean == before {
            return clean;
        }
    }
}

/// Moves that keep bits carry what their sources hold.
fn writes(alu: &Alu, clean: &mut [bool]) {
    for channel in 0..3 {
        half(alu, &alu.rgb, channel, channel, clean);
    }
    half(alu, &alu.alpha, 3, 0, clean);
}

fn half<Op: Copy, const N: usize>(
    alu: &Alu,
    half: &Half<Op, N>,
    channel: usize,
    at: usize,
    clean: &mut [bool],
) {
    if half.omod != Omod::Raw || half.wmask >> at & 1 == 0 {
        return;
    }
    let flushed = half.inputs[..2].iter().all(|input| {
        let (sources, of) = match input.swizzle[at] {
            Swizzle::R => (&alu.rgb.sources, 0),
            Swizzle::G => (&alu.rgb.sources, 1),
            Swizzle::B => (&alu.rgb.sources, 2),
            Swizzle::A => (&alu.alpha.sources, 3),
            Swizzle::Zero | Swizzle::Half | Swizzle::One | Swizzle::Unused => return true,
        };
        let source = match input.select {
            Select::Srcp => return true,
            select => sources.src[select as usize],
        };
        match source {
            Source::Temp {
                at,
                relative: false,
            } => clean[4 * usize::from(at) + of],
            Source::Temp { .. } => (of..512).step_by(4).all(|row| clean[row]),
            Source::Constant { .. } => false,
            Source::Inline(_) => true,
        }
    });
    if flushed {
        return;
    }
    match half.dst.relative {
        true => (channel..512).step_by(4).for_each(|row| clean[row] = false),
        false => clean[4 * usize::from(half.dst.at) + channel] = false,
    }
}

/// Operations that give one of their operands.
pub(super) fn selects(sem: AluSem) -> bool {
    matches!(sem, AluSem::Min | AluSem::Max | AluSem::Cnd | AluSem::Cmp)
}
