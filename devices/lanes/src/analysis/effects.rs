//! The registers that a port reads and writes, as data.

/// Registers that a port reads and writes. The lifter knows them; the device keeps to them.
///
/// A port that has none in [`crate::Program::ports`] may do anything.
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
    /// Whenever it succeeds it writes every one of its scalars, and every enabled lane of its rows.
    pub overwrites: bool,
    /// It reads and writes no rows, overwrites its scalars and makes them from those that it reads and from what is
    /// the same for all waves: one call does for a whole batch.
    pub wave_uniform: bool,
    /// It may stop the wave.
    pub may_fail: bool,
}
