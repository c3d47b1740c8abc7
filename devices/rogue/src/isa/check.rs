//! Rules that groups obey beside having a binary form. [Rogue 2.3, 4.4, 10.2, 11.3, 12.3]

use std::ops::RangeInclusive;

use super::alu::{Alu, Narrow, Single};
use super::backend::{Amount, Backend, LodMode, PhaseSetup};
use super::bitwise::Logical;
use super::control::Control;
use super::phase2::{Feed, Phase2};
use super::register::{Bank, IndexedBank, Register, Special, special};
use super::{Body, Group, Main};

/// A rule that a group breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// An operation reads a source that the maps do not name.
    #[error("S{0} is read, and no map names it")]
    Unnamed(u8),
    /// A register where its kind cannot stand.
    #[error("S{slot} cannot be {register}: {rule}")]
    Slot {
        /// Source.
        slot: u8,
        /// Register.
        register: Register,
        /// Where such registers stand.
        rule: &'static str,
    },
    /// MOVC takes its choice from a test.
    #[error("MOVC needs a TST in its group")]
    MovcWithoutTst,
    /// An operation that takes the whole ALU beside another.
    #[error("{0} takes phase 1, too")]
    WholeAlu(&'static str),
    /// FRED beside another operation.
    #[error("FRED stands alone")]
    FredAlone,
    /// A repeat count that the group cannot have.
    #[error("repeated {count} times: {rule}")]
    Repeat {
        /// Times.
        count: u8,
        /// What may repeat.
        rule: &'static str,
    },
    /// UNPCK of one component names it, of several does not.
    #[error("UNPCK names element {0} and repeats")]
    Element(u8),
    /// Pixel outputs without their lock.
    #[error("{0} needs the output lock")]
    OutputLock(&'static str),
    /// A destination of a fence that has to be a temporary.
    #[error("iterated values go to temporaries, not to {0}")]
    IteratedTo(Register),
    /// A state word of ATST elsewhere.
    #[error("the state word of ATST is a constant or a shared register, not {0}")]
    AtstState(Register),
    /// A level for each pixel without a use for it.
    #[error("PPLOD stands beside BIAS or REPLACE")]
    Pplod,
}

/// Tells the first rule that a group breaks.
pub fn check(group: &Group) -> Result<(), RuleError> {
    for slot in 0..6 {
        let register = source(group, slot);
        if register.is_none() && reads(group, slot) {
            return Err(RuleError::Unnamed(slot));
        }
        if let Some(register) = register {
            place(slot, register)?;
        }
    }
    if let Body::Main(main) = &group.body {
        phases(main)?;
        if let Some(backend) = &main.backend {
            operands(group, backend)?;
        }
    }
    repeat(group)?;
    output_lock(group)
}

/// The register of a slot.
fn source(group: &Group, slot: u8) -> Option<Register> {
    let (map, at) = match slot {
        0..=2 => (&group.lower, slot),
        _ => (&group.upper, slot - 3),
    };
    map.get(usize::from(at)).copied()
}

fn is_output(register: Register) -> bool {
    match register {
        Register::Plain(Bank::SPECIAL, number) => matches!(special(number), Special::Output(_)),
        Register::Indexed(IndexedBank::PIXEL_OUTPUT, ..) => true,
        _ => false,
    }
}

fn is_special_register(register: Register) -> bool {
    let Register::Plain(Bank::SPECIAL, number) = register else {
        return false;
    };
    matches!(special(number), Special::Register(_))
}

fn place(slot: u8, register: Register) -> Result<(), RuleError> {
    let rule = match register {
        _ if is_special_register(register) => {
            (!matches!(slot, 1 | 2 | 4)).then_some("special registers stand in S1, S2 and S4")
        }
        Register::Plain(Bank::TEMPORARY | Bank::VERTEX_INPUT, _) => None,
        Register::Plain(Bank::SPECIAL, _) if !is_output(register) => None,
        _ => (!matches!(slot, 0 | 2 | 3)).then_some(
            "coefficients, shared, index and indexed registers and pixel outputs stand in S0, S2 and S3",
        ),
    };
    match rule {
        Some(rule) => Err(RuleError::Slot {
            slot,
            register,
            rule,
        }),
        None => Ok(()),
    }
}

/// Whether an operation of the group reads a slot.
fn reads(group: &Group, slot: u8) -> bool {
    match &group.body {
        Body::Main(main) => {
            let count = |alu: &Option<Alu>| alu.as_ref().map_or(0, sources);
            let (p0, p1) = (count(&main.p0), count(&main.p1));
            let fred = matches!(main.p0, Some(Alu::Fred { .. }));
            slot < p0
                || slot >= 3 && slot - 3 < p1
                || fred && slot == 3
                || uses_is0(main) && main.selectors.is0 == slot
                || main.p2.pck.is_some() && main.selectors.is3 == Feed::FT2 && slot == 2
                || main
                    .backend
                    .is_some_and(|backend| backend_reads(&backend, slot))
        }
        // Units that a phase does not need read c0, which no map has to name.
        Body::Bitwise(bitwise) => match slot {
            3 => bitwise.p1.is_some_and(|p1| p1.op != Logical::BYP),
            4 => bitwise.p2.is_some(),
            _ => false,
        },
        Body::Control(Control::Cnd { op, .. }) => slot == 0 || slot == 2 && op.reads_s2(),
        Body::Control(_) => false,
    }
}

/// Sources of an operation, from the first of its phase on.
fn sources(alu: &Alu) -> u8 {
    match alu {
        Alu::Float2 { .. } => 2,
        Alu::Fmad { .. } | Alu::Wide { .. } => 3,
        Alu::Narrow { op, .. } => 2 + u8::from(*op == Narrow::MAD),
        Alu::Single { .. } | Alu::Gamma { .. } | Alu::Fred { .. } | Alu::Unpack { .. } => 1,
    }
}

/// Whether FTE, and with it IS0, goes anywhere.
fn uses_is0(main: &Main) -> bool {
    let s = &main.selectors;
    let Phase2 { mov, tst, pck } = &main.p2;
    let wide = matches!(
        main.p0,
        Some(Alu::Wide {
            op: super::alu::Wide::ADD64 | super::alu::Wide::MADD64,
            ..
        })
    );
    let moved = mov.is_some_and(|mov| mov.w0 == Feed::FTE || mov.w1 == Feed::FTE);
    wide || moved
        || tst.is_some_and(|tst| tst.op.sem() > 0 && s.is1_fte || tst.op.sem() > 1 && s.is2_fte)
        || pck.is_some_and(|pck| pck.format.reads() && s.is3 == Feed::FTE)
}

fn backend_reads(backend: &Backend, slot: u8) -> bool {
    let amount = |amount: Amount| amount == Amount::Slot(slot);
    match *backend {
        Backend::Uvsw { address, .. } => address.is_some_and(amount),
        Backend::Movmsk { sm } => sm == Some(slot),
        Backend::Phas { address, setup, .. } => address == slot || setup == PhaseSetup::Slot(slot),
        Backend::Atst { .. } => slot < 3,
        Backend::Fitr { perspective, .. } => matches!(slot, 0 | 3) || perspective && slot == 2,
        Backend::Emitpix { .. } => matches!(slot, 0 | 2),
        Backend::Idf { slot: of, .. } => of == slot,
        Backend::Ld { burst, address, .. } => slot == 3 || address == slot || amount(burst),
        Backend::St {
            data,
            burst,
            address,
            mask,
            ..
        } => data == slot || address == slot || mask == Some(slot) || amount(burst),
        Backend::Smp(_) => matches!(slot, 0..=2 | 4),
        Backend::Atom {
            source,
            destination,
            ..
        } => source == slot || destination == slot,
        Backend::Savmsk { .. } | Backend::Setl { .. } | Backend::Depthf => false,
    }
}

/// The name of an operation that leaves nothing of the ALU to phase 1.
fn whole_alu(alu: &Alu) -> Option<&'static str> {
    match alu {
        Alu::Single { op, .. } => match op {
            Single::MBYP | Single::FDSX | Single::FDSY | Single::FDSXF | Single::FDSYF => None,
            op => Some(op.name()),
        },
        Alu::Gamma { .. } => Some("gamma"),
        Alu::Wide { op, .. } => Some(op.name()),
        _ => None,
    }
}

fn phases(main: &Main) -> Result<(), RuleError> {
    if main.p2.mov.is_some_and(|mov| mov.conditional) && main.p2.tst.is_none() {
        return Err(RuleError::MovcWithoutTst);
    }
    let alone = main.p1.is_none() && !main.p2.is_present() && main.backend.is_none();
    if matches!(main.p0, Some(Alu::Fred { .. })) && !alone {
        return Err(RuleError::FredAlone);
    }
    let both = main.p0.iter().zip(&main.p1).flat_map(|(a, b)| [a, b]);
    match both.filter_map(whole_alu).next() {
        Some(name) => Err(RuleError::WholeAlu(name)),
        None => Ok(()),
    }
}

fn operands(group: &Group, backend: &Backend) -> Result<(), RuleError> {
    let named = |slot| source(group, slot).unwrap_or(Register::ZERO);
    match backend {
        Backend::Fitr { .. } => match named(3) {
            Register::Plain(Bank::TEMPORARY, _) | Register::Indexed(IndexedBank::TEMPORARY, ..) => {
                Ok(())
            }
            other => Err(RuleError::IteratedTo(other)),
        },
        Backend::Atst { .. } => {
            let state = named(2);
            let constant = matches!(state, Register::Plain(Bank::SPECIAL, number)
                if matches!(special(number), Special::Constant(_)));
            match state {
                _ if constant => Ok(()),
                Register::Plain(Bank::SHARED, _) => Ok(()),
                other => Err(RuleError::AtstState(other)),
            }
        }
        Backend::Smp(sample) if sample.flags.pplod => match sample.lod {
            LodMode::BIAS | LodMode::REPLACE => Ok(()),
            _ => Err(RuleError::Pplod),
        },
        _ => Ok(()),
    }
}

fn repeat(group: &Group) -> Result<(), RuleError> {
    let count = group.repeat;
    let refused = |rule| Err(RuleError::Repeat { count, rule });
    if count == 1 {
        return Ok(());
    }
    let Body::Main(main) = &group.body else {
        return refused("only PCK and UNPCK repeat");
    };
    let unpacked = match main.p0 {
        Some(Alu::Unpack {
            format, element, ..
        }) => {
            if element != 0 {
                return Err(RuleError::Element(element));
            }
            Some(format)
        }
        _ => None,
    };
    let Some(format) = main.p2.pck.map(|pck| pck.format).or(unpacked) else {
        return refused("only PCK and UNPCK repeat");
    };
    if count > format.max_repeat() {
        return refused("the format has fewer components");
    }
    let named = group.lower.iter().chain(&group.upper).copied();
    match named.chain(group.w.into_iter().flatten()).any(is_output) {
        true => refused("pixel outputs do not count on"),
        false => Ok(()),
    }
}

/// Special registers of the partition and of tiled loads and stores.
const LOCKED: [RangeInclusive<u16>; 3] = [46..=46, 54..=61, 119..=126];

fn output_lock(group: &Group) -> Result<(), RuleError> {
    if group.output_lock {
        return Ok(());
    }
    let backend = match &group.body {
        Body::Main(main) => main.backend,
        _ => None,
    };
    let sources = group.lower.iter().chain(&group.upper);
    let locked = |register: &&Register| {
        matches!(register, Register::Plain(Bank::SPECIAL, number)
            if LOCKED.iter().any(|numbers| numbers.contains(number)) && is_special_register(**register))
    };
    let needed = match backend {
        Some(Backend::Atst { .. }) => Some("ATST"),
        Some(Backend::Depthf) => Some("DEPTHF"),
        Some(Backend::Movmsk { .. }) => Some("MOVMSK"),
        Some(Backend::St { tiled: true, .. }) => Some("a store in tiles"),
        _ if group.w.into_iter().flatten().any(is_output) => Some("a pixel output"),
        _ if sources.into_iter().any(|register| locked(&register)) => {
            Some("a special register of the partition")
        }
        _ => None,
    };
    needed.map_or(Ok(()), |what| Err(RuleError::OutputLock(what)))
}
