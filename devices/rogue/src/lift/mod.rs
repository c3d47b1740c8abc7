//! Machine code to lane programs.
//!
//! In come the groups of a program and how its tasks are set up; out comes a [`lanes::Program`], the ports that the device
//! has to serve, and where registers are. Groups keep their order; within one, every source is read before anything is
//! written.
//!
//! **Tasks and waves.** A task is 32 instances with one program counter; a wave of `lanes` has 64 lanes. Two tasks share a
//! wave, instances 0 to 31 in each half, as half-empty rows would cost as much as full ones. What a task decides as one,
//! branches and the reduction of CNDLT, each half decides for itself: where the halves disagree about a branch, one waits at
//! the higher address until the other arrives there or ends. So no program can tell that it has company. Programs that use
//! the link register keep it in one place for the wave; [`Lifted::tasks`] is 1 for them, and the upper half stays empty.
//!
//! **Masks.** [`ACTIVE`] are the lanes with Pe, helpers among them; at the start all lanes of the tasks. [`COVERED`] are the
//! lanes that cover a sample and that no `atst.ifb` has killed; at the start the device says which. Only those write memory
//! and hand over pixels. Quads are lanes `4n` to `4n + 3`: top left, top right, bottom left, bottom right.
//!
//! **Registers.** [`Layout`] has a row for each register of a lane and a scalar for each shared register. The device fills
//! what [`Layout::inputs`] lists, shared registers, and the pixel outputs that a program reads; all else starts as zero.
//! Coefficients of iterations are no rows: a [`Port::Iterate`] names them by number.
//!
//! **Denormals** are zero of their sign in float arithmetic, as operands and as results. Bits that are only moved stay.

mod access;
mod backend;
mod bitwise;
mod condition;
mod constants;
mod counter;
mod emit;
mod float;
mod flow;
mod flushed;
mod group;
mod halves;
mod integer;
mod itrsmp;
mod layout;
mod local;
pub(crate) mod memory;
mod network;
mod pack;
mod port;
mod sample;
mod scan;
mod test;
mod unpack;
mod writes;

pub use constants::{SpecialRegister, constant};
pub use layout::{Input, Layout};
pub use local::Local;
pub(crate) use local::{each, value};
pub use port::{Amount, File, Iterate, Load, Port, SampleOf, Store, VertexEnd, iterated, plane};

use std::collections::BTreeSet;

use lanes::Program as Steps;

use crate::isa::{Placed, Register};

/// Scalar pair of the lanes with Pe that run, the execution mask. At the start: all lanes of the tasks.
pub const ACTIVE: u16 = 0;
/// Scalar pair of the lanes that cover a sample and are not killed.
pub const COVERED: u16 = 2;
/// Scalar pair: P0.
pub const PREDICATE: u16 = 4;
/// Scalar pair: all lanes of the tasks.
const VALID: u16 = 6;
/// Scalar pair: Pe of all lanes.
const ENABLED: u16 = 8;
/// Scalar pair: lanes of the halves that run.
const RUNNING: u16 = 10;
/// Scalar pair: lanes of the half that waits, zero where none does.
const WAITING: u16 = 12;
/// Scalar pair: where that half waits, an entry.
const WAIT_AT: u16 = 14;
/// Scalar pair: the link address in bytes.
const LINK: u16 = 16;
/// Scalar pair: the execution mask while a group runs in other lanes.
const SAVED: u16 = 18;
/// Eight scalar pairs for values within a group.
const TEMP: u16 = 20;
/// First of the shared registers.
pub const SHARED: u16 = 36;

/// Rounds of assumptions about denormals.
const ROUNDS: usize = 8;

/// Lanes of a task.
pub const TASK: u32 = 32;

/// How tasks of a program are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Temporaries of an instance, up to 248.
    pub temporaries: u16,
    /// Vertex inputs of an instance, up to 248.
    pub vertex_inputs: u16,
    /// Shared registers, up to 4096.
    pub shared: u16,
    /// Byte address of the program from the start of the code, which absolute branches count from.
    pub address: u32,
    /// P0 is as the wave has it at the start, not zero.
    pub predicate: bool,
    /// Temporaries are as the wave has them at the start, not zero.
    pub preset: bool,
    /// The tasks are those of a geometry stage: vertices and strips end where `uvsw` says so.
    pub geometry: bool,
}

/// The most that a program may have.
pub const WHOLE: Setup = Setup {
    temporaries: 248,
    vertex_inputs: 248,
    shared: 4096,
    address: 0,
    predicate: false,
    preset: false,
    geometry: false,
};

impl Setup {
    /// Just the registers that a program names, or all of a bank that it names with an index.
    pub fn named(groups: &[Placed]) -> Setup {
        scan::named(groups)
    }
}

/// A program ready for an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The steps. [`ACTIVE`] and [`COVERED`] may differ between the waves of a batch.
    pub program: Steps,
    /// What `Step::Port { port }` means.
    pub ports: Vec<Port>,
    /// Where registers are.
    pub layout: Layout,
    /// Tasks that a wave may hold: 1 or 2.
    pub tasks: u8,
    /// `atst.ifb` may kill pixels: the object is punch-through or has depth feedback.
    pub kills: bool,
    /// A mutex keeps tasks apart: they have to run one by one.
    pub locks: bool,
    /// Of each port, whether a mutex is locked where it is: what it does there is done by nobody else meanwhile.
    pub locked: Vec<bool>,
    /// Groups that a task executes at most once: all of them, without padding.
    pub groups: u32,
}

/// A program that cannot be lifted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// Control reaches an address at which no group starts.
    #[error("control reaches {pc:#x}, where no group starts")]
    Target {
        /// Byte offset in the program.
        pc: i64,
    },
    /// A register that the task does not have.
    #[error("the group at {pc:#x} names {register}, and the task has {count} of these")]
    Register {
        /// Byte offset of the group.
        pc: u32,
        /// Register.
        register: Register,
        /// How many there are.
        count: u16,
    },
    /// A register that cannot be written.
    #[error("the group at {pc:#x} writes {register}")]
    Written {
        /// Byte offset of the group.
        pc: u32,
        /// Register.
        register: Register,
    },
    /// Something that no machine does.
    #[error("the group at {pc:#x}: {what}")]
    Meaning {
        /// Byte offset of the group.
        pc: u32,
        /// What has no meaning.
        what: &'static str,
    },
    /// Too many ways through the program.
    #[error("the program has more than {limit} pairs of a group and register bases")]
    TooLarge {
        /// Pairs that are possible.
        limit: usize,
    },
    /// More registers than an instance can have.
    #[error("{count} {what} are more than {limit}")]
    Setup {
        /// Registers.
        what: &'static str,
        /// How many.
        count: u16,
        /// How many are possible.
        limit: u16,
    },
}

/// Lifts a program of groups at their addresses.
pub fn lift(groups: &[Placed], setup: &Setup) -> Result<Lifted, LiftError> {
    let limits = [
        ("temporaries", setup.temporaries, WHOLE.temporaries),
        ("vertex inputs", setup.vertex_inputs, WHOLE.vertex_inputs),
        ("shared registers", setup.shared, WHOLE.shared),
    ];
    for (what, count, limit) in limits {
        if count > limit {
            return Err(LiftError::Setup { what, count, limit });
        }
    }
    let mut assumed = None;
    for _ in 0..ROUNDS {
        let (lifted, instead) = flow::Lifter::new(groups, setup, assumed)?.run()?;
        let Some(instead) = instead else {
            return Ok(lifted);
        };
        assumed = Some(instead);
    }
    // What holds nowhere needs no proof.
    let nothing = flushed::Assumed {
        rows: BTreeSet::new(),
        ..assumed.unwrap_or_default()
    };
    let (lifted, _) = flow::Lifter::new(groups, setup, Some(nothing))?.run()?;
    Ok(lifted)
}
