//! The state of one wave and its way out.

use crate::step::Src;

/// Lanes run together.
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
    pub rows: Vec<Row>,
    /// Scalar registers.
    pub scalars: Vec<u32>,
    /// Instructions executed so far, counted by [`crate::Step::Tick`].
    pub instructions: u64,
    /// The wave is stopped with [`Fault::Runaway`] when `instructions` passes this.
    pub limit: u64,
    /// Where engines keep an execution mask as one word a lane.
    pub(crate) enabled: Box<Enabled>,
}

/// A mask, and the same as one word a lane: all ones where it is set.
#[derive(Clone, Debug)]
pub(crate) struct Enabled {
    pub(crate) mask: u64,
    pub(crate) lanes: Row,
}

impl Wave {
    /// A wave of zeroed registers.
    pub fn new(rows: usize, scalars: usize) -> Wave {
        Wave {
            rows: vec![Row::ZERO; rows],
            scalars: vec![0; scalars],
            instructions: 0,
            limit: u64::MAX,
            enabled: Box::new(Enabled {
                mask: 0,
                lanes: Row::ZERO,
            }),
        }
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
    /// The watchdog: too many instructions in one wave.
    #[error("the wave ran {limit} instructions without ending")]
    Runaway {
        /// Instructions allowed.
        limit: u64,
    },
    /// A jump to an address that is no instruction of the program.
    #[error("jump to {target:#x}, which is no instruction of the program")]
    WildJump {
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

/// The only way out of a wave: memory, textures, messages and exports are the device's business.
pub trait Ports {
    /// Performs port `port` of the program (an index that only lifter and device understand) on the wave.
    ///
    /// Reads and writes the wave's registers directly and honours its execution mask.
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault>;

    /// Performs `count` ports from `first` on, one after the other, as [`Ports::call`] does. A fault comes with the
    /// number of ports that were done before. Devices that can do several at once faster do so here.
    fn call_run(&mut self, first: u32, count: u32, wave: &mut Wave) -> Result<(), (u32, Fault)> {
        (0..count).try_for_each(|done| self.call(first + done, wave).map_err(|fault| (done, fault)))
    }
}
