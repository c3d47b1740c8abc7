//! What ATI and AMD chips share, in two rooms.
//!
//! | Module | Holds | Chips |
//! |---|---|---|
//! | [`mod@packets`] | PM4 framing, and running a stream of packets | R5xx, R600, Southern Islands |
//! | [`mod@registers`] | the register file, and names of registers | R5xx, R600, Southern Islands |
//! | [`exec`] | memory and lanes of raw execution | all that have it |
//! | [`r6xx`] | codes, events, register words, and what blocks make of them | R600, Southern Islands |
//!
//! [`r6xx::regs`] has the registers at one address on R600 and Southern Islands, each chip's `regs` the others; a chip's
//! block file fills plain structs ([`r6xx::pa::Primitives`]) or a small trait ([`r6xx::cb::ColorBlock`],
//! [`r6xx::cp::CommandProcessor`]). R5xx encodes primitive types and comparisons differently: no [`r6xx`] for it.
#![forbid(unsafe_code)]

pub mod exec;
pub mod packets;
pub mod r6xx;
pub mod registers;
