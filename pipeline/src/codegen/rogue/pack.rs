//! Groups that share a group.
//!
//! In: main groups of one operation or a few, in an order that is correct. Out: fewer groups. The earlier of two keeps its
//! place, and the later moves up to it where nothing between them minds.

use ::rogue::isa::alu::{Alu, Single};
use ::rogue::isa::phase2::{Feed, Mov};

use super::machine::{Body, Code, Effect, Inst, Main, Phase, Unit};
use crate::codegen::regalloc::Instruction;

/// How far a group is moved up.
const WINDOW: usize = 24;

/// Joins groups of every block.
pub(super) fn run(code: &mut Code) {
    for block in &mut code.blocks {
        let insts = std::mem::take(&mut block.insts);
        block.insts = pack(insts);
    }
}

/// What an instruction reads and writes.
struct Touches {
    reads: Vec<Unit>,
    writes: Vec<Unit>,
    effect: Effect,
    /// Nothing moves over it: lanes that run change.
    barrier: bool,
}

impl Touches {
    fn of(inst: &Inst) -> Touches {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        inst.each_read(|unit| reads.push(unit));
        inst.each_write(|unit| writes.push(unit));
        Touches {
            reads,
            writes,
            effect: inst.effect,
            barrier: !matches!(inst.body, Body::Main(_) | Body::Bits(_)),
        }
    }

    /// Whether `later` may not come before `self`.
    fn blocks(&self, later: &Touches) -> bool {
        let any = |a: &[Unit], b: &[Unit]| a.iter().any(|unit| b.contains(unit));
        self.barrier || self.feeds(later) || any(&self.reads, &later.writes) || self.ordered(later)
    }

    /// Whether `later` needs a result, or writes the same.
    fn feeds(&self, later: &Touches) -> bool {
        let any = |a: &[Unit], b: &[Unit]| a.iter().any(|unit| b.contains(unit));
        any(&self.writes, &later.reads) || any(&self.writes, &later.writes)
    }

    fn ordered(&self, later: &Touches) -> bool {
        use Effect::{None, Read};
        !matches!(
            (self.effect, later.effect),
            (None, _) | (_, None) | (Read, Read)
        )
    }
}

fn pack(insts: Vec<Inst>) -> Vec<Inst> {
    let touches: Vec<Touches> = insts.iter().map(Touches::of).collect();
    let mut insts: Vec<Option<Inst>> = insts.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(insts.len());
    for at in 0..insts.len() {
        let Some(mut first) = insts[at].take() else {
            continue;
        };
        if matches!(first.body, Body::Main(_)) {
            let mut between: Vec<usize> = Vec::new();
            for next in (at + 1..insts.len()).take(WINDOW) {
                let Some(other) = &insts[next] else { continue };
                let free = !touches[at].feeds(&touches[next])
                    && !touches[at].ordered(&touches[next])
                    && !between.iter().any(|&b| touches[b].blocks(&touches[next]));
                if free && let Some(joined) = join(&first, other) {
                    first = joined;
                    insts[next] = None;
                    break;
                }
                between.push(next);
            }
        }
        out.push(first);
    }
    out
}

/// Two groups as one; all sources are read before anything is written.
fn join(first: &Inst, second: &Inst) -> Option<Inst> {
    let (Body::Main(a), Body::Main(b)) = (&first.body, &second.body) else {
        return None;
    };
    let order = matches!((first.effect, second.effect), (Effect::Write, other) | (other, Effect::Write) if other != Effect::None);
    if first.condition != second.condition || order {
        return None;
    }
    let main = both(a, b).or_else(|| both(b, a))?;
    main.slots()?;
    let effect = match first.effect {
        Effect::None => second.effect,
        effect => effect,
    };
    Some(Inst {
        body: Body::Main(main),
        condition: first.condition,
        effect,
        origin: first.origin,
    })
}

/// A simple group beside another.
fn both(simple: &Main, other: &Main) -> Option<Main> {
    if !simple.is_simple() || simple.w[0].is_some() && other.w[1].is_some() {
        return None;
    }
    let phase = simple.p0.as_ref()?;
    if other.repeat > 1 || whole(&phase.alu) || other.p0.iter().any(|phase| whole(&phase.alu)) {
        return None;
    }
    if other.is_simple() {
        return two(phase, other.p0.as_ref()?, simple, other);
    }
    if other.p1.is_some() || other.tst.is_some() || other.w[1].is_some() {
        return None;
    }
    match (&other.p0, &other.back) {
        // PCK of the other's phase, which becomes phase 1.
        (Some(own), None) if other.pck.is_some() => {
            let moved = second_phase(own)?;
            let mut main = other.clone();
            main.p0 = Some(phase.clone());
            main.p1 = Some(moved);
            main.selectors.is3 = Feed::FT1;
            main.selectors.is5 = Feed::FT0;
            main.w[1] = simple.w[0];
            Some(main)
        }
        // A backend operation alone; what W0 carries for it, MOV takes from FTE.
        (None, Some(_)) if other.pck.is_none() && other.mov.is_none() => {
            let mut main = other.clone();
            main.p0 = Some(phase.clone());
            let carries = other.extra.is_some();
            main.mov = Some(Mov {
                conditional: false,
                mask: 15,
                w0: if carries { Feed::FTE } else { Feed::FT0 },
                w1: Feed::FT0,
            });
            let place = usize::from(carries);
            if main.w[0].is_some() {
                return None;
            }
            main.w[place] = simple.w[0];
            Some(main)
        }
        _ => None,
    }
}

/// Whether an operation leaves nothing to phase 1, or must stand alone.
pub(super) fn whole(alu: &Alu) -> bool {
    match alu {
        Alu::Single { op, .. } => !matches!(
            op,
            Single::MBYP | Single::FDSX | Single::FDSY | Single::FDSXF | Single::FDSYF
        ),
        Alu::Gamma { .. } | Alu::Wide { .. } | Alu::Fred { .. } | Alu::Narrow { .. } => true,
        Alu::Float2 { .. } | Alu::Fmad { .. } | Alu::Unpack { .. } => false,
    }
}

/// Two simple groups in phases 0 and 1, in whichever order fits.
fn two(a: &Phase, b: &Phase, first: &Main, second: &Main) -> Option<Main> {
    let join = |p0: &Phase, p1: Phase, w: [&Main; 2]| {
        let mut main = Main {
            p0: Some(p0.clone()),
            p1: Some(p1),
            w: [w[0].w[0], w[1].w[0]],
            ..Main::default()
        };
        main.selectors.is5 = Feed::FT1;
        Some(main)
    };
    let straight = second_phase(b).and_then(|moved| join(a, moved, [first, second]));
    straight.or_else(|| second_phase(a).and_then(|moved| join(b, moved, [second, first])))
}

/// An operation as phase 1 has it, where its sources fit there.
pub(super) fn second_phase(phase: &Phase) -> Option<Phase> {
    if matches!(
        phase.alu,
        Alu::Unpack { .. } | Alu::Wide { .. } | Alu::Fred { .. }
    ) {
        return None;
    }
    let mut sources = phase.src.iter().enumerate();
    sources
        .all(|(n, operand)| operand.fits(3 + n))
        .then(|| phase.clone())
}
