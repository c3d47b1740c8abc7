//! Instruction groups over virtual registers.
//!
//! A *unit* is a temporary of a lane that has no number yet; wide ones are consecutive units. P0, the index register and
//! the counter of the execution mask are units, too, with places of their own, so that the order of their writes and reads
//! is the order of every other register's. Branches stand at the ends of blocks.

use std::ops::Range;

use ::rogue::isa::alu::{Alu, Modifiers, Single};
use ::rogue::isa::backend::Backend;
use ::rogue::isa::bitwise::Bitwise;
use ::rogue::isa::control::{Cnd, CndIf, Mutex};
use ::rogue::isa::phase2::{Mov, Pck, Selectors, Tst};
use ::rogue::isa::{Condition, Register};

pub use super::blocks::{Block, Branch, Code, When};
pub use super::network::fed;
pub use super::operand::{
    Class, MINUS_ZERO, ONE, Operand, TRUE, UNIT, ZERO, constant, shared, shared_element,
};
use crate::codegen::regalloc::Instruction;
pub use crate::codegen::regalloc::Unit;
use crate::ir::Origin;

/// The predicate.
pub const P0: Unit = 0;
/// Index register 0.
pub const INDEX: Unit = 1;
/// The counter of the execution mask: temporary 0.
pub const COUNTER: Unit = 2;
/// The first unit that gets a register from the allocator.
pub const FIRST: Unit = 3;

/// Temporaries of a lane. [Rogue 5]
pub const TEMPORARIES: u16 = 248;

/// Where a result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dst {
    /// A unit.
    Unit(Unit),
    /// A register with a number.
    Register(Register),
    /// The element of an array at the index register.
    Element(Unit, u32),
}

pub(super) fn one(unit: Unit) -> Range<Unit> {
    unit..unit + 1
}

/// An operation of phase 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// The operation with its modifiers.
    pub alu: Alu,
    /// Its sources.
    pub src: Vec<Operand>,
}

/// What a backend operation has in a source slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Access {
    /// A value.
    Value(Operand),
    /// The first of registers that are read.
    Reads(Unit, u32),
    /// The first of registers that are written.
    Writes(Unit, u32),
}

/// A backend operation and its slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Back {
    /// The operation.
    pub op: Backend,
    /// Slots and what they hold.
    pub slots: Vec<(u8, Access)>,
}

/// A main group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Main {
    /// Phase 0.
    pub p0: Option<Phase>,
    /// Phase 1.
    pub p1: Option<Phase>,
    /// PCK.
    pub pck: Option<Pck>,
    /// TST.
    pub tst: Option<Tst>,
    /// MOV or MOVC.
    pub mov: Option<Mov>,
    /// Internal sources; the slot of IS0 is found when the group is encoded.
    pub selectors: Selectors,
    /// What IS0 carries to FTE.
    pub extra: Option<Operand>,
    /// Backend.
    pub back: Option<Back>,
    /// Destinations of W0 and W1.
    pub w: [Option<Dst>; 2],
    /// Times that it runs.
    pub repeat: u8,
}

/// A bitwise group.
#[derive(Clone, Debug, PartialEq)]
pub struct Bits {
    /// Units at work.
    pub op: Bitwise,
    /// S0 to S4.
    pub src: [Option<Operand>; 5],
    /// Destinations of W0 and W1.
    pub w: [Option<Dst>; 2],
}

/// What an instruction is.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A main group.
    Main(Main),
    /// A bitwise group.
    Bits(Bits),
    /// An operation on the counter of the execution mask, and S2.
    Cnd(Cnd, CndIf, u8, Operand),
    /// A mutex is taken or released.
    Mutex(Mutex),
    /// The counter of the execution mask is zero, and all lanes run.
    Begin,
    /// A register has some value from here on; no code.
    Undefined(Unit),
}

/// How an instruction meets others that reach outside of the registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// It does not.
    #[default]
    None,
    /// It reads memory.
    Read,
    /// It writes memory or outputs: it keeps its place among all that reach outside.
    Write,
}

/// An instruction: one group.
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    /// What it does.
    pub body: Body,
    /// Lanes that execute it.
    pub condition: Condition,
    /// Order.
    pub effect: Effect,
    /// What it was made for.
    pub origin: Origin,
}

impl Inst {
    /// In all lanes with Pe.
    pub fn new(body: Body) -> Inst {
        Inst {
            body,
            condition: Condition::PE,
            effect: Effect::None,
            origin: Origin::default(),
        }
    }

    /// Whether lanes may be left out that have Pe.
    pub fn is_predicated(&self) -> bool {
        matches!(self.condition, Condition::P0 | Condition::NOT_P0)
    }

    /// The unit that a plain copy reads and the one it writes.
    pub fn copy(&self) -> Option<(Unit, Unit)> {
        match &self.body {
            Body::Main(main) if !self.is_predicated() => {
                let plain = main.is_simple();
                let phase = main.p0.as_ref().filter(|_| plain)?;
                match (&phase.alu, &phase.src[..], main.w) {
                    (
                        Alu::Single {
                            op: Single::MBYP,
                            mods,
                        },
                        &[Operand::Unit(from)],
                        [Some(Dst::Unit(to)), None],
                    ) if *mods == Modifiers::default() && from >= FIRST && to >= FIRST => {
                        Some((from, to))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Gives operands and results other units.
    pub fn rename(&mut self, name: impl Fn(Unit) -> Unit) {
        let operand = |operand: &mut Operand| match operand {
            Operand::Unit(unit) | Operand::Row(unit, _) | Operand::Element(unit, _) => {
                *unit = name(*unit);
            }
            Operand::Register(_) => {}
        };
        let (w, access): (&mut [Option<Dst>; 2], &mut [(u8, Access)]) = match &mut self.body {
            Body::Main(main) => {
                let phases = main.p0.iter_mut().chain(&mut main.p1);
                phases.flat_map(|phase| &mut phase.src).for_each(operand);
                main.extra.iter_mut().for_each(operand);
                let slots = main
                    .back
                    .as_mut()
                    .map_or(&mut [][..], |back| &mut back.slots[..]);
                (&mut main.w, slots)
            }
            Body::Bits(bits) => {
                bits.src.iter_mut().flatten().for_each(operand);
                (&mut bits.w, &mut [])
            }
            Body::Cnd(_, _, _, s2) => return operand(s2),
            Body::Undefined(unit) => {
                *unit = name(*unit);
                return;
            }
            Body::Begin | Body::Mutex(_) => return,
        };
        for (_, access) in access {
            match access {
                Access::Value(value) => operand(value),
                Access::Reads(unit, _) | Access::Writes(unit, _) => *unit = name(*unit),
            }
        }
        for dst in w.iter_mut().flatten() {
            if let Dst::Unit(unit) | Dst::Element(unit, _) = dst {
                *unit = name(*unit);
            }
        }
    }

    fn each_dst(&self, f: &mut dyn FnMut(Dst)) {
        match &self.body {
            Body::Main(Main { w, .. }) | Body::Bits(Bits { w, .. }) => {
                w.iter().flatten().for_each(|dst| f(*dst));
            }
            _ => {}
        }
    }

    /// Whether it leaves something in P0.
    pub fn writes_p0(&self) -> bool {
        match &self.body {
            Body::Main(main) => {
                let alu = matches!(
                    main.p0.as_ref().map(|phase| phase.alu),
                    Some(
                        Alu::Fred { p0: true, .. }
                            | Alu::Single {
                                op: Single::FSINC,
                                ..
                            }
                    )
                );
                let back = main
                    .back
                    .as_ref()
                    .is_some_and(|back| matches!(back.op, Backend::Atst { p0: true, .. }));
                alu || back || main.tst.is_some_and(|tst| tst.p0)
            }
            Body::Bits(bits) => bits.op.p2.is_some_and(|p2| p2.test.is_some()),
            Body::Cnd(op, ..) => *op == Cnd::CNDLT,
            _ => false,
        }
    }

    fn reads_p0(&self) -> bool {
        self.is_predicated() || matches!(self.body, Body::Cnd(_, CndIf::P0 | CndIf::NOT_P0, ..))
    }
}

impl Instruction for Inst {
    fn operands(&self, mut f: impl FnMut(Range<Unit>)) {
        match &self.body {
            Body::Main(main) => {
                main.sources().for_each(|operand| operand.read(&mut f));
                for (_, access) in main.back.iter().flat_map(|back| &back.slots) {
                    match *access {
                        Access::Value(operand) => operand.read(&mut f),
                        Access::Reads(unit, words) => f(unit..unit + words),
                        // Lanes that are left out keep what they have.
                        Access::Writes(unit, words) if self.is_predicated() => {
                            f(unit..unit + words)
                        }
                        Access::Writes(..) => {}
                    }
                }
            }
            Body::Bits(bits) => bits
                .src
                .iter()
                .flatten()
                .for_each(|operand| operand.read(&mut f)),
            Body::Cnd(_, _, _, s2) => {
                f(one(COUNTER));
                s2.read(&mut f);
            }
            Body::Begin | Body::Mutex(_) | Body::Undefined(_) => {}
        }
        if self.reads_p0() {
            f(one(P0));
        }
        // Elements that are not written stay, and so do lanes that are left out.
        self.each_dst(&mut |dst| match dst {
            Dst::Element(first, words) => {
                f(first..first + words);
                f(one(INDEX));
            }
            Dst::Unit(unit) if self.is_predicated() => f(one(unit)),
            _ => {}
        });
    }

    fn results(&self, mut f: impl FnMut(Range<Unit>)) {
        self.each_dst(&mut |dst| match dst {
            Dst::Unit(unit) => f(one(unit)),
            Dst::Element(first, words) => f(first..first + words),
            Dst::Register(Register::Index(_)) => f(one(INDEX)),
            Dst::Register(_) => {}
        });
        match &self.body {
            Body::Main(main) => {
                for (_, access) in main.back.iter().flat_map(|back| &back.slots) {
                    if let Access::Writes(unit, words) = *access {
                        f(unit..unit + words);
                    }
                }
            }
            Body::Cnd(..) | Body::Begin => f(one(COUNTER)),
            Body::Undefined(unit) => f(one(*unit)),
            _ => {}
        }
        if self.writes_p0() {
            f(one(P0));
        }
    }

    /// What a backend operation writes may be there before phases beside it have read their sources.
    fn is_early(&self) -> bool {
        let Body::Main(main) = &self.body else {
            return false;
        };
        let mut slots = main.back.iter().flat_map(|back| &back.slots);
        main.p0.is_some() && slots.any(|(_, access)| matches!(access, Access::Writes(..)))
    }

    fn is_copy(&self) -> bool {
        self.copy().is_some()
    }
}
