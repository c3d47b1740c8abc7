//! The registers of one wave, and its ports.

use std::ops::{Deref, DerefMut, Range};

use crate::batch::ResumePoint;
use crate::step::Src;

/// Lanes of a wave.
pub const LANES: usize = 64;

/// One register across a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [u32; LANES]);

impl Row {
    /// All lanes zero.
    pub const ZERO: Row = Row([0; LANES]);

    /// The same value in every lane.
    pub const fn splat(value: u32) -> Row {
        Row([value; LANES])
    }
}

/// Registers of one wave: rows (one value per lane) and scalars (one value per wave).
///
/// Masks are 64-bit lane sets in two consecutive scalars, low half first; bit `i` is lane `i`.
#[derive(Clone, Debug)]
pub struct Wave {
    /// Vector registers.
    pub rows: RegisterFile<Row>,
    /// Scalar registers.
    pub scalars: RegisterFile<u32>,
    /// Instructions executed so far, counted by [`crate::Step::Tick`].
    pub instructions: u64,
    /// What its steps cost so far, in units of [`crate::PortEffects::cost`]: about nanoseconds, the same on every host.
    pub cost: u64,
    /// The wave is stopped with [`Fault::Runaway`] when `cost` passes this.
    pub limit: u64,
    /// The expanded execution mask, cached by engines.
    pub(crate) enabled: Box<Enabled>,
    /// Where it is to run on, in an engine.
    pub(crate) place: ResumePoint,
}

/// Registers of one kind. The count changes only in [`Wave::resize`], never while a wave runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterFile<T>(Vec<T>);

impl<T> Deref for RegisterFile<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for RegisterFile<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// A mask, and its expansion: one word per lane, all ones where set.
#[derive(Clone, Debug)]
pub(crate) struct Enabled {
    pub(crate) mask: u64,
    pub(crate) lanes: Row,
}

impl Wave {
    /// A wave of zeroed registers.
    pub fn new(rows: usize, scalars: usize) -> Wave {
        Wave {
            rows: RegisterFile(vec![Row::ZERO; rows]),
            scalars: RegisterFile(vec![0; scalars]),
            instructions: 0,
            cost: 0,
            limit: u64::MAX,
            enabled: Box::new(Enabled {
                mask: 0,
                lanes: Row::ZERO,
            }),
            place: ResumePoint::default(),
        }
    }

    /// Begins counting anew.
    #[inline(always)]
    pub fn restart(&mut self, limit: u64) {
        (self.instructions, self.cost, self.limit) = (0, 0, limit);
    }

    /// Adds what a port cost that its [`crate::PortEffects`] do not say. Not for wave-uniform ports.
    #[inline(always)]
    pub fn charge(&mut self, cost: u64) {
        self.cost += cost;
    }

    /// Sets the register counts. Existing registers keep their values, new ones are zero.
    pub fn resize(&mut self, rows: usize, scalars: usize) {
        self.rows.0.resize(rows, Row::ZERO);
        self.scalars.0.resize(scalars, 0);
    }

    /// The 64-bit value in scalars `at` and `at + 1`.
    #[inline(always)]
    pub fn mask(&self, at: u16) -> u64 {
        u64::from(self.scalars[at as usize]) | u64::from(self.scalars[at as usize + 1]) << 32
    }

    /// Writes a 64-bit value to scalars `at` and `at + 1`.
    #[inline(always)]
    pub fn set_mask(&mut self, at: u16, value: u64) {
        // One store, as a load of both words would have to wait for two.
        let pair = &mut self.scalars[at as usize..][..2];
        pair[0] = value as u32;
        pair[1] = (value >> 32) as u32;
    }

    /// The value of a scalar or constant operand; lane 0 of a row.
    #[inline(always)]
    pub fn uniform(&self, src: Src) -> u32 {
        match src {
            Src::Const(value) => value,
            Src::Scalar(at) => self.scalars[at as usize],
            Src::Row(at) => self.rows[at as usize].0[0],
        }
    }
}

/// Why a wave stopped before its end. The device adds chip, address and word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The watchdog: one wave costs too much.
    #[error("the wave ran to a cost of {limit} without ending")]
    Runaway {
        /// Cost allowed.
        limit: u64,
    },
    /// A jump to an address that is no instruction of the program.
    #[error("jump to {target:#x}, which is no instruction of the program")]
    InvalidJumpTarget {
        /// Byte address jumped to.
        target: u64,
    },
    /// A step that the lifter marked as illegal.
    #[error("{reason}")]
    Illegal {
        /// What is wrong with the instruction.
        reason: String,
    },
    /// A wave with fewer registers than its program needs.
    #[error(
        "the wave has {rows} rows and {scalars} scalars, the program needs {needed_rows} and {needed_scalars}"
    )]
    Registers {
        /// Rows of the wave.
        rows: usize,
        /// Scalars of the wave.
        scalars: usize,
        /// Rows of the program.
        needed_rows: u16,
        /// Scalars of the program.
        needed_scalars: u16,
    },
    /// A memory access that the device refuses.
    #[error("lane {lane} accesses unmapped or misaligned address {address:#x}")]
    Address {
        /// Lane that made the access, or 64 for the scalar unit.
        lane: u32,
        /// Byte address.
        address: u64,
    },
}

/// The mask of the first `count` lanes, at most all.
pub const fn first_lanes(count: usize) -> u64 {
    match count {
        0 => 0,
        n if n >= LANES => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// The port handler: memory, textures, messages and exports of a wave, as the device implements them.
pub trait Ports {
    /// Runs ports in order, each in all waves before the next. Port numbers are a contract of lifter and device.
    ///
    /// Accesses wave registers as [`crate::PortEffects`] declare, under the execution mask. Register counts stay.
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault>;
}

/// The waves of a port call: a batch, its first wave for all, or one wave alone.
#[derive(Debug)]
pub struct Batch<'w> {
    /// Index of the first among the waves given to the engine.
    pub first: usize,
    /// The waves, in the engine's order.
    pub waves: &'w mut [Wave],
}

impl Batch<'_> {
    /// Calls a function for each port and wave, in the order of [`Ports::call`].
    pub fn each(
        self,
        ports: Range<u32>,
        mut call: impl FnMut(u32, &mut Wave) -> Result<(), Fault>,
    ) -> Result<(), PortFault> {
        for port in ports {
            for (wave, registers) in self.waves.iter_mut().enumerate() {
                call(port, registers).map_err(|fault| PortFault { port, wave, fault })?;
            }
        }
        Ok(())
    }
}

/// A port stopped a wave. Earlier ports are done in all waves, this one in the waves before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("port {port} of wave {wave}: {fault}")]
pub struct PortFault {
    /// The port.
    pub port: u32,
    /// The wave, as an index in [`Batch::waves`].
    pub wave: usize,
    /// Why.
    pub fault: Fault,
}
