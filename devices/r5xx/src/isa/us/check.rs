//! What the pixel unit does not wait for by itself. Programs that break this run here, but not on the hardware.
//! Instructions are taken in the order of their addresses. [R5XX 8.4.2, 8.4.4, 8.4.5.1, 8.5.2]

use std::collections::BTreeSet;

use super::codes::{Omod, Select};
use super::inst::{Alu, Body, Half, Inst, Source, Tex};
use super::lift::Setup;
use super::ops::{AluSem, TexSem};

/// A rule that a program breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// A texel that may not be there yet.
    #[error("instruction {pc} uses temporary {at} before it has waited for the texel in it")]
    Texel {
        /// Its address.
        pc: usize,
        /// Temporary.
        at: u8,
    },
    /// Two holders of the semaphore.
    #[error("instruction {pc} acquires the texture semaphore without waiting for it")]
    Acquire {
        /// Its address.
        pc: usize,
    },
    /// The end does not wait.
    #[error("the last instruction, {pc}, does not wait for the texture semaphore")]
    End {
        /// Its address.
        pc: usize,
    },
    /// A result that arrives a cycle late.
    #[error(
        "instruction {pc} needs temporary {at} a cycle early, so the one before it must be followed by a bubble"
    )]
    Bubble {
        /// Its address.
        pc: usize,
        /// Temporary.
        at: u8,
    },
    /// A modifier that an operation does not have.
    #[error("instruction {pc}: {op} has no `_raw`")]
    Raw {
        /// Its address.
        pc: usize,
        /// Mnemonic.
        op: &'static str,
    },
}

/// Texels on their way.
#[derive(Default)]
struct Flight {
    /// Destinations that nothing holds the semaphore for.
    free: BTreeSet<u8>,
    /// Destinations that are there once the semaphore is.
    held: BTreeSet<u8>,
}

/// The first rule that a program breaks.
pub fn check(insts: &[Inst], setup: &Setup) -> Result<(), RuleError> {
    let mut flight = Flight::default();
    let mut before: Option<&Alu> = None;
    for (pc, inst) in insts.iter().enumerate() {
        if inst.sem_wait {
            flight.held.clear();
        }
        let used = match &inst.body {
            Body::Alu(alu) => temporaries(alu),
            Body::Tex(tex) => sources(tex),
            Body::Fc(_) => Vec::new(),
        };
        let waits = |at: &&u8| flight.free.contains(*at) || flight.held.contains(*at);
        if let Some(at) = used.iter().find(waits) {
            return Err(RuleError::Texel { pc, at: *at });
        }
        match &inst.body {
            Body::Alu(alu) => check_alu(pc, alu, before)?,
            Body::Tex(tex) => {
                if tex.acquire && !inst.sem_wait {
                    return Err(RuleError::Acquire { pc });
                }
                if !matches!(tex.op.sem(), TexSem::Nop | TexSem::Kill) && tex.wmask != 0 {
                    flight.free.insert(tex.dst.at);
                }
                if tex.acquire {
                    flight.held.append(&mut flight.free);
                }
            }
            Body::Fc(_) => {}
        }
        before = match &inst.body {
            Body::Alu(alu) if !inst.nop => Some(alu),
            _ => None,
        };
        if pc == usize::from(setup.end) && !inst.sem_wait {
            return Err(RuleError::End { pc });
        }
    }
    Ok(())
}

fn check_alu(pc: usize, alu: &Alu, before: Option<&Alu>) -> Result<(), RuleError> {
    let halves = [
        (alu.rgb.op.name(), alu.rgb.op.sem(), alu.rgb.omod),
        (alu.alpha.op.name(), alu.alpha.op.sem(), alu.alpha.omod),
    ];
    for (op, sem, omod) in halves {
        let moves = matches!(sem, AluSem::Min | AluSem::Max | AluSem::Cnd | AluSem::Cmp);
        if omod == Omod::Raw && !moves {
            return Err(RuleError::Raw { pc, op });
        }
    }
    let Some(before) = before else { return Ok(()) };
    let written = [
        (before.rgb.wmask != 0).then_some(before.rgb.dst.at),
        (before.alpha.wmask != 0).then_some(before.alpha.dst.at),
    ];
    let mut early = Vec::new();
    if uses_srcp(&alu.rgb, alu.rgb.op.sem()) || uses_srcp(&alu.alpha, alu.alpha.op.sem()) {
        for sources in [&alu.rgb.sources, &alu.alpha.sources] {
            let both = matches!(sources.srcp.text(), "sub" | "add");
            early.extend(&sources.src[..if both { 2 } else { 1 }]);
        }
    }
    let derivative = |sem| matches!(sem, AluSem::Derivative(_));
    if derivative(alu.rgb.op.sem()) {
        early.push(alu.rgb.sources.src[0]);
    }
    if derivative(alu.alpha.op.sem()) {
        early.push(alu.alpha.sources.src[0]);
    }
    let late = early.iter().find_map(|source| match source {
        Source::Temp { at, .. } if written.contains(&Some(*at)) => Some(*at),
        _ => None,
    });
    match late {
        Some(at) => Err(RuleError::Bubble { pc, at }),
        None => Ok(()),
    }
}

/// A half reads the presubtract result.
fn uses_srcp<Op, const N: usize>(half: &Half<Op, N>, sem: AluSem) -> bool {
    let read = half.inputs.iter().zip(sem.operands());
    let mut read = read.filter(|(_, read)| *read);
    read.any(|(input, _)| input.select == Select::Srcp)
}

/// Temporaries that an ALU instruction reads or writes.
fn temporaries(alu: &Alu) -> Vec<u8> {
    let mut used = Vec::new();
    let mut half = |sources: &[Source; 3], selects: Vec<Select>, dst: u8, wmask: u8| {
        for select in selects {
            let of = match select {
                Select::Srcp => &sources[..2],
                select => &sources[select as usize..][..1],
            };
            used.extend(of.iter().filter_map(|source| match source {
                Source::Temp { at, .. } => Some(*at),
                Source::Constant { .. } | Source::Inline(_) => None,
            }));
        }
        if wmask != 0 {
            used.push(dst);
        }
    };
    let (rgb, alpha) = (
        selects(&alu.rgb, alu.rgb.op.sem()),
        selects(&alu.alpha, alu.alpha.op.sem()),
    );
    half(&alu.rgb.sources.src, rgb, alu.rgb.dst.at, alu.rgb.wmask);
    half(
        &alu.alpha.sources.src,
        alpha,
        alu.alpha.dst.at,
        alu.alpha.wmask,
    );
    used
}

fn selects<Op, const N: usize>(half: &Half<Op, N>, sem: AluSem) -> Vec<Select> {
    if half.wmask == 0 && half.omask == 0 {
        return Vec::new();
    }
    let read = half.inputs.iter().zip(sem.operands());
    let read = read.filter(|(_, read)| *read);
    read.map(|(input, _)| input.select).collect()
}

/// Temporaries that a TEX instruction reads.
fn sources(tex: &Tex) -> Vec<u8> {
    match tex.op.sem() {
        TexSem::Nop | TexSem::Reserved => Vec::new(),
        TexSem::Gradients => {
            let [dx, dy] = tex.gradients;
            vec![tex.src.at, dx.at, dy.at]
        }
        _ => vec![tex.src.at],
    }
}
