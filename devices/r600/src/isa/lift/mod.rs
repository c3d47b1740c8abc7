//! Machine code to lane programs.
//!
//! In comes a program, how many registers its waves have and which kind of shader it is; out comes a
//! [`lanes::Program`], the list of instructions that the device has to execute itself, and the constants it has to
//! put into scalars before a wave starts.
//!
//! Lane state is a set of masks in scalars: the lanes that are active (the execution mask of the lane program), valid,
//! gone from the loop, gone from the iteration. What the stack holds at an instruction is known when the program is
//! lifted: an instruction is lifted once for each shape of the stack that it can be reached with, so that a push is a
//! copy of masks to fixed scalars. [R600 3.5, 3.6]
//!
//! A group reads everything before it writes anything. Slots that read a register come before the one that writes it;
//! where they read each other's, results wait. PV and PS are names for those registers as long as they hold.

mod branch;
mod clause;
mod derivative;
mod effects;
mod flow;
mod local;
mod operation;
mod simplify;

use std::collections::BTreeMap;

use lanes::Program as Steps;

use super::export::{Export, Memory};
use super::fetch::{Tex, Vtx};
use super::program::{Cf, Program};
use super::words::Elem;
use super::{cf::CfSem, group::Source};
pub use local::{Constants, Index, Local, OUT_OF_RANGE};

/// Scalar pair of the active lanes, the execution mask.
pub const ACTIVE: u16 = 0;
/// Scalar pair of the valid lanes: those that no kill has hit.
pub const VALID: u16 = 2;
/// Scalar pair: lanes that left the innermost loop.
const BROKEN: u16 = 4;
/// Scalar pair: lanes that left the iteration.
const CONTINUED: u16 = 6;
/// Scalar pair: predicates.
const PREDICATE: u16 = 8;
/// Scalar pair: lanes whose predicate the clause will turn off.
const FAILED: u16 = 10;
/// Scalar pair: lanes of the running clause.
const CLAUSE: u16 = 12;
/// Scalar pair: active lanes while a clause runs with others.
const SAVED: u16 = 14;
/// Scalar pairs for values within one instruction.
const TEMP: u16 = 16;
/// Scalar pairs of predicates that a group computes.
const GROUP_PREDICATES: u16 = 24;
/// Scalar pairs of the lanes that masks in rows are made of, each used in turn.
const LANES: u16 = 34;
/// How many there are.
const LANE_PAIRS: u16 = 16;
/// First scalar of the constants; the levels of the stack follow them.
pub const CONSTANTS: u16 = LANES + 2 * LANE_PAIRS;
/// Scalars of a level of the stack.
const LEVEL: u16 = 10;
/// Rows beside the registers: PV, PS, AR, values within one group.
const EXTRA_ROWS: u16 = 9 + 40;
/// Pairs of instruction and stack shape that one program may have.
const MAX_STATES: usize = 1 << 14;
/// Entries that a stack may have.
const MAX_DEPTH: usize = 256;

/// What kind of shader a program is. It decides what kills, exports and emits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// VS, ES, DC.
    Vertex,
    /// GS.
    Geometry,
    /// PS.
    Pixel,
}

/// How waves of a program are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup<'a> {
    /// The kind of shader.
    pub kind: Kind,
    /// Registers of a lane, 1..=128: R0 and up.
    pub gprs: u8,
    /// Registers that live in one ALU clause: R127 and down. With `gprs` at most 128.
    pub clause_temps: u8,
    /// The program that CALL_FS runs; without one CALL_FS does nothing.
    pub fetch: Option<&'a Program>,
}

impl Setup<'_> {
    /// Every register, no fetch program.
    pub fn all(kind: Kind) -> Setup<'static> {
        Setup {
            kind,
            gprs: 128,
            clause_temps: 0,
            fetch: None,
        }
    }

    /// Row of a register's element; none for a register that is not allocated.
    pub fn row(&self, gpr: u8, elem: Elem) -> Option<u16> {
        let temps = 128 - u16::from(self.clause_temps);
        let gpr = u16::from(gpr);
        let at = match gpr {
            n if n < u16::from(self.gprs) => n,
            n if n >= temps => u16::from(self.gprs) + n - temps,
            _ => return None,
        };
        Some(4 * at + elem as u16)
    }

    /// Rows that registers take.
    fn rows(&self) -> u16 {
        4 * (u16::from(self.gprs) + u16::from(self.clause_temps))
    }
}

/// Something that stays the same while a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// Element of a constant of a constant buffer.
    Kcache {
        /// Buffer, 0..15.
        bank: u8,
        /// Constant, 0..4095.
        index: u16,
        /// Element.
        elem: Elem,
    },
    /// Element of the constant file.
    File {
        /// Constant.
        index: u8,
        /// Element.
        elem: Elem,
    },
    /// Part of a loop constant: 0 trip count, 1 first index, 2 step.
    Loop {
        /// Constant, 0..31.
        index: u8,
        /// Part.
        part: u8,
    },
    /// Boolean constant 0..31: zero or not.
    Bool(u8),
}

/// What the device does at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A vertex fetch by the active lanes.
    Vtx(Vtx),
    /// A texture instruction by the active lanes.
    Tex(Tex),
    /// The end of a texture clause that sets gradients: they are forgotten.
    EndTexClause,
    /// An export by the active lanes; of pixels, by those that are also valid.
    Export(Export),
    /// A memory access by the active lanes.
    Memory(Memory),
    /// A vertex or a strip is complete in the active lanes.
    Emit {
        /// A vertex is complete.
        vertex: bool,
        /// The strip ends.
        cut: bool,
    },
    /// A move with an index: see [`Local::run`].
    Local(Local),
}

/// A place where a lane program leaves to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// What is to be done.
    pub action: Action,
    /// Scalar of the loop index that is visible there; none outside loops that have one, where it counts as 0.
    pub loop_index: Option<u16>,
    /// Byte offset of the instruction in its program.
    pub pc: u32,
    /// Its first word.
    pub word: u32,
}

/// A program ready for an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The steps. Row `4 * n + e` is element `e` of register `n` below `Setup::gprs`.
    pub program: Steps,
    /// What `Step::Port { port }` means.
    pub ports: Vec<Port>,
    /// What has to be in which scalar when a wave starts.
    pub constants: Vec<(Constant, u16)>,
}

/// A program that cannot be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// Too many ways through the program.
    #[error("the program has more than {limit} reachable pairs of instruction and stack contents")]
    TooLarge {
        /// Pairs that are possible.
        limit: usize,
    },
    /// More registers than a lane can have.
    #[error("{gprs} registers and {clause_temps} clause temporaries are not 1 to 128 registers")]
    Registers {
        /// Registers asked for.
        gprs: u8,
        /// Clause temporaries asked for.
        clause_temps: u8,
    },
    /// More constants than scalars.
    #[error("the program reads {count} different constants, {limit} are possible")]
    Constants {
        /// Constants read.
        count: usize,
        /// Constants that are possible.
        limit: usize,
    },
}

/// Lifts a program.
pub fn lift(program: &Program, setup: &Setup<'_>) -> Result<Lifted, LiftError> {
    let (gprs, clause_temps) = (setup.gprs, setup.clause_temps);
    if gprs == 0 || u16::from(gprs) + u16::from(clause_temps) > 128 {
        return Err(LiftError::Registers { gprs, clause_temps });
    }
    let constants = constants(program, setup.fetch);
    const LIMIT: usize = 32768;
    if constants.len() > LIMIT {
        return Err(LiftError::Constants {
            count: constants.len(),
            limit: LIMIT,
        });
    }
    flow::Lifter::new(program, setup, constants).run()
}

/// The constants that a program can read, with their scalars.
fn constants(program: &Program, fetch: Option<&Program>) -> BTreeMap<Constant, u16> {
    let mut found = BTreeMap::new();
    let mut note = |constant| {
        found.insert(constant, 0);
    };
    for cf in program.cf.iter().chain(fetch.iter().flat_map(|f| &f.cf)) {
        match cf {
            Cf::Flow(inst) => {
                note(Constant::Bool(inst.cf_const));
                if matches!(inst.op.sem(), CfSem::LoopStart(_) | CfSem::LoopEnd) {
                    for part in 0..3 {
                        note(Constant::Loop {
                            index: inst.cf_const,
                            part,
                        });
                    }
                }
            }
            Cf::Fetch { head, .. } => note(Constant::Bool(head.cf_const)),
            Cf::Alu { head, groups } => {
                let insts = groups.iter().flat_map(|group| group.insts());
                let operands = insts.flat_map(|(_, inst)| inst.sources());
                for operand in operands.filter(|operand| !operand.rel) {
                    let elem = operand.elem;
                    match operand.source() {
                        Some(Source::Kcache { group, index }) => {
                            let lock = head.locks()[usize::from(group)];
                            if let Some(constant) = clause::locked(lock, index, elem) {
                                note(constant);
                            }
                        }
                        Some(Source::File(index)) => note(Constant::File { index, elem }),
                        _ => {}
                    }
                }
            }
            Cf::Export(_) | Cf::Memory(_) => {}
        }
    }
    for (slot, (_, scalar)) in found.iter_mut().enumerate() {
        *scalar = CONSTANTS + slot as u16;
    }
    found
}
