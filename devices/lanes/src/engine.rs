//! The engine interface: prepare a program once per bound shader, then run wave batches.

use crate::step::{Origin, Program, Src};
use crate::wave::{Fault, Ports, Wave};

/// Runs lane programs. Engines differ in speed only: same bytes from interpreter and JIT.
pub trait Engine: Send + Sync {
    /// A prepared program, shared by threads.
    type Prepared: Send + Sync;

    /// Validates and compiles a program: once per bound shader, never per wave.
    fn prepare(&self, program: &Program) -> Result<Self::Prepared, ProgramError>;

    /// Runs a wave batch to its end. Each wave ends in the state that it reaches alone, but for scalars that no step reads
    /// behind the last port; waves end or stop in order.
    ///
    /// A wave needs at least the registers that the program names. Every scalar that the program reads before writing
    /// must be equal in all waves, except [`Program::per_wave`].
    fn run_batch(
        &self,
        prepared: &Self::Prepared,
        waves: &mut [Wave],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop>;

    /// Runs waves from where they stand to their next barrier or their end, each in the state that it reaches alone, in
    /// order. `stands` has one entry for each wave. At the start scalars are equal as for [`Engine::run_batch`];
    /// behind a barrier, scalars that no step reads any more are undefined.
    ///
    /// The waves are whole groups: all that wait for each other at barriers are here.
    fn advance(
        &self,
        prepared: &Self::Prepared,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop>;

    /// Runs waves of whole groups to their ends, from barrier to barrier: [`Engine::advance`] until all have ended.
    fn run_groups(
        &self,
        prepared: &Self::Prepared,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        stands.fill(Resume::START);
        while !stands.iter().all(|stand| stand.has_ended()) {
            self.advance(prepared, waves, stands, ports)?;
        }
        Ok(())
    }

    /// Runs a wave to its end. On an error the wave holds what the steps before the failing one left, but for rows that no
    /// step behind it reads: those are undefined.
    fn run(
        &self,
        prepared: &Self::Prepared,
        wave: &mut Wave,
        ports: &mut dyn Ports,
    ) -> Result<(), Stop> {
        self.run_batch(prepared, std::slice::from_mut(wave), ports)
            .map_err(|stopped| stopped.stop)
    }
}

/// Where a wave stands that [`Engine::advance`] has run: at its start, behind a barrier, or at its end. With the wave's
/// registers it is all that any engine needs to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume(pub(crate) Stand);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Start,
    /// Behind the barrier that is this step.
    Behind(u32),
    End,
}

impl Resume {
    /// A wave that has not run yet.
    pub const START: Resume = Resume(Stand::Start);

    /// Whether the wave has ended.
    pub fn has_ended(self) -> bool {
        self.0 == Stand::End
    }

    /// The step that is the barrier, if the wave waits at one.
    pub fn barrier(self) -> Option<u32> {
        match self.0 {
            Stand::Behind(step) => Some(step),
            Stand::Start | Stand::End => None,
        }
    }
}

/// A batch stopped. Waves before the stopped one have ended; registers of later ones are undefined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wave {wave}: {stop}")]
pub struct BatchStop {
    /// The wave that stopped.
    pub wave: usize,
    /// What stopped it.
    pub stop: Stop,
}

impl BatchStop {
    /// The same where so many waves are before these.
    pub(crate) fn behind(self, waves: usize) -> BatchStop {
        BatchStop {
            wave: waves + self.wave,
            ..self
        }
    }
}

/// A wave stopped before its end: why, and at which step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault} (at {:#x}, word {:#010x})", origin.pc, origin.word)]
pub struct Stop {
    /// Why.
    pub fault: Fault,
    /// Index of the step that failed.
    pub step: u32,
    /// The instruction that the step was made from.
    pub origin: Origin,
}

/// A program that no engine can run: the lifter's mistake, found before any wave runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// A step names a row that the program does not declare.
    #[error("step {step} uses row {row} of {rows}")]
    Row {
        /// Step index.
        step: u32,
        /// Row named.
        row: u32,
        /// Rows declared.
        rows: u16,
    },
    /// A step names a scalar that the program does not declare.
    #[error("step {step} uses scalar {scalar} of {scalars}")]
    Scalar {
        /// Step index.
        step: u32,
        /// Scalar named.
        scalar: u32,
        /// Scalars declared.
        scalars: u16,
    },
    /// The execution mask does not lie inside the declared scalars.
    #[error("the execution mask is scalar pair {exec} of {scalars} scalars")]
    Exec {
        /// First scalar of the pair.
        exec: u16,
        /// Scalars declared.
        scalars: u16,
    },
    /// A step of the scalar unit reads a row.
    #[error("step {step} runs once per wave but reads {operand:?}")]
    VectorOperand {
        /// Step index.
        step: u32,
        /// The operand.
        operand: Src,
    },
    /// A branch leaves the program.
    #[error("step {step} branches to step {to} of {steps}")]
    Branch {
        /// Step index.
        step: u32,
        /// Its target.
        to: u32,
        /// Number of steps.
        steps: u32,
    },
    /// An entry for indirect jumps leaves the program.
    #[error("the entry for address {address:#x} is step {to} of {steps}")]
    Entry {
        /// Byte address.
        address: u64,
        /// Its step.
        to: u32,
        /// Number of steps.
        steps: u32,
    },
    /// The entries are not in strictly ascending order of address.
    #[error("the entry for address {address:#x} is out of order or doubled")]
    EntryOrder {
        /// Byte address.
        address: u64,
    },
    /// A trap names a reason that the program does not have.
    #[error("step {step} stops with reason {reason} of {reasons}")]
    Reason {
        /// Step index.
        step: u32,
        /// Reason named.
        reason: u32,
        /// Reasons of the program.
        reasons: u32,
    },
    /// A port is said to read or write a row that the program does not declare.
    #[error("port {port} uses row {row} of {rows}")]
    PortRow {
        /// Number of the port.
        port: u32,
        /// Row named.
        row: u16,
        /// Rows declared.
        rows: u16,
    },
    /// A port is said to read or write a scalar that the program does not declare.
    #[error("port {port} uses scalar {scalar} of {scalars}")]
    PortScalar {
        /// Number of the port.
        port: u32,
        /// Scalar named.
        scalar: u16,
        /// Scalars declared.
        scalars: u16,
    },
    /// A port that is said to be wave-uniform uses rows or leaves scalars as they are.
    #[error("port {port} is wave-uniform and uses rows or does not overwrite its scalars")]
    PortUniform {
        /// Number of the port.
        port: u32,
    },
    /// A per-wave scalar is not declared.
    #[error("waves start with scalar {scalar} of {scalars} for themselves")]
    PerWave {
        /// Scalar named.
        scalar: u16,
        /// Scalars declared.
        scalars: u16,
    },
    /// A swizzle takes from a lane outside its group.
    #[error("step {step} has the swizzle pattern {pattern:?}")]
    Swizzle {
        /// Step index.
        step: u32,
        /// The pattern.
        pattern: crate::step::Swizzle,
    },
    /// The last step can be passed.
    #[error("the last of {steps} steps does not end, trap or jump")]
    Unterminated {
        /// Number of steps.
        steps: u32,
    },
    /// Steps and origins differ in number.
    #[error("{steps} steps have {origins} origins")]
    Origins {
        /// Number of steps.
        steps: u32,
        /// Number of origins.
        origins: u32,
    },
}
