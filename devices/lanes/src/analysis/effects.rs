//! The registers that a port reads and writes, as data.

/// Registers that a port reads and writes: a contract between lifter and device. A port missing from
/// [`crate::Program::ports`] may do anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortEffects {
    /// Rows that it may read.
    pub reads_rows: Vec<u16>,
    /// Rows that it may write.
    pub writes_rows: Vec<u16>,
    /// Scalars that it may read, the execution mask among them.
    pub reads_scalars: Vec<u16>,
    /// Scalars that it may write.
    pub writes_scalars: Vec<u16>,
    /// On success it writes all its scalars, and all enabled lanes of its rows.
    pub overwrites: bool,
    /// Touches no rows and overwrites its scalars from its scalar inputs and wave-uniform state only: one call serves a
    /// batch.
    pub wave_uniform: bool,
    /// It may stop the wave.
    pub may_fail: bool,
    /// It neither charges the wave nor reads its counters.
    pub uncounted: bool,
    /// It does not read the wave's counters, though it may charge the wave.
    pub blind: bool,
    /// What a call costs a wave, beside what the device charges with [`crate::Wave::charge`] while it runs.
    pub cost: u32,
}
