//! Who waits for texels. The last lookup before a texel is used holds the semaphore, and its user waits. [R5XX 8.5.2]

use std::collections::BTreeSet;

use r5xx::isa::us::codes::Select;
use r5xx::isa::us::ops::AluSem;
use r5xx::isa::us::{Alu, Body, Inst, Source};

/// Texels on their way.
#[derive(Default)]
struct Flight {
    /// Temporaries of lookups since one held the semaphore, and the last lookup.
    free: BTreeSet<u8>,
    last: usize,
    /// Temporaries that the semaphore is held for.
    held: BTreeSet<u8>,
}

/// Marks lookups and waits.
pub fn mark(insts: &mut [Inst]) {
    let mut flight = Flight::default();
    for at in 0..insts.len() {
        let used = used(&insts[at]);
        let ends = at + 1 == insts.len();
        // Behind a jump back the program goes on somewhere else.
        let leaves = insts
            .get(at + 1)
            .is_some_and(|next| matches!(next.body, Body::Fc(_)));
        let all = ends || leaves;
        if all && !flight.free.is_empty() || used.iter().any(|temp| flight.free.contains(temp)) {
            let last = &mut insts[flight.last];
            last.sem_wait = true;
            if let Body::Tex(tex) = &mut last.body {
                tex.acquire = true;
            }
            flight.held = std::mem::take(&mut flight.free);
        }
        let waits =
            all && !flight.held.is_empty() || used.iter().any(|temp| flight.held.contains(temp));
        if waits || ends {
            insts[at].sem_wait = true;
            flight.held.clear();
        }
        if let Body::Tex(tex) = &insts[at].body
            && tex.op != r5xx::isa::us::ops::TexOp::TEXKILL
        {
            flight.free.insert(tex.dst.at);
            flight.last = at;
        }
    }
}

/// Marks instructions whose results the next one needs a cycle early: for a sum before its operation, or as a derivative.
/// [R5XX 8.4.2, 8.4.5.1]
pub fn bubble(insts: &mut [Inst]) {
    for at in 1..insts.len() {
        let (before, after) = insts.split_at_mut(at);
        let (Some(before), Body::Alu(alu)) = (before.last_mut(), &after[0].body) else {
            continue;
        };
        let Body::Alu(writer) = &before.body else {
            continue;
        };
        let written = [
            (writer.rgb.wmask != 0).then_some(writer.rgb.dst.at),
            (writer.alpha.wmask != 0).then_some(writer.alpha.dst.at),
        ];
        let late = |source: &Source| matches!(source, Source::Temp { at, .. } if written.contains(&Some(*at)));
        let early = alu.rgb.sources.src[..2]
            .iter()
            .chain(&alu.alpha.sources.src[..2]);
        before.nop |= reads_early(alu) && early.into_iter().any(late);
    }
}

fn reads_early(alu: &Alu) -> bool {
    let derivative = |sem| matches!(sem, AluSem::Derivative(_));
    let summed = |select: Select| select == Select::Srcp;
    derivative(alu.rgb.op.sem())
        || derivative(alu.alpha.op.sem())
        || alu.rgb.inputs.iter().any(|input| summed(input.select))
        || alu.alpha.inputs.iter().any(|input| summed(input.select))
}

/// Temporaries that an instruction reads or writes.
fn used(inst: &Inst) -> Vec<u8> {
    match &inst.body {
        Body::Alu(alu) => {
            let sources = alu.rgb.sources.src.iter().chain(&alu.alpha.sources.src);
            let mut found: Vec<u8> = sources
                .filter_map(|source| match source {
                    Source::Temp { at, .. } => Some(*at),
                    _ => None,
                })
                .collect();
            if alu.rgb.wmask != 0 {
                found.push(alu.rgb.dst.at);
            }
            if alu.alpha.wmask != 0 {
                found.push(alu.alpha.dst.at);
            }
            found
        }
        Body::Tex(tex) => {
            let gradients = tex.gradients.iter().map(|register| register.at);
            gradients.chain([tex.src.at, tex.dst.at]).collect()
        }
        Body::Fc(_) => Vec::new(),
    }
}
