//! What ATI and AMD chips share, in two rooms.
//!
//! | Module | Holds | Chips |
//! |---|---|---|
//! | [`packets`] | PM4 framing, and running a stream of packets | R5xx, R600, Southern Islands |
//! | [`mod@registers`] | the register file, and names of registers | R5xx, R600, Southern Islands |
//! | [`exec`] | memory and lanes of raw execution | all that have it |
//! | [`r6xx`] | codes, events, register words, and what blocks make of them | R600, Southern Islands |
//!
//! Registers of R600 and later mean the same on all chips, but move and gain bits. So [`r6xx::regs`] has those that did not
//! move, each chip's `regs` the others, and the code is written once: it reads the shared registers itself and takes the
//! rest as plain structs ([`r6xx::pa::Primitives`]) or from a small trait ([`r6xx::cb::ColorBlock`],
//! [`r6xx::cp::CommandProcessor`]) that the chip's block file fills.
//!
//! R5xx has other codes for primitive types and comparisons, so nothing of [`r6xx`] is for it.
#![forbid(unsafe_code)]

pub mod exec;
pub mod packets;
pub mod r6xx;
pub mod registers;
