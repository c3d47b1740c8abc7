//! What R600 and its successors share, a module per hardware block. R5xx has other codes and other registers.

pub mod cb;
pub mod codes;
pub mod cp;
pub mod db;
pub mod draws;
pub mod forms;
pub mod pa;
pub mod packets;
pub mod packing;
pub mod power;
pub mod predication;
pub mod programs;
pub mod regs;
pub mod rings;
pub mod states;
pub mod stream;
pub mod texture;
pub mod tiling;
pub mod unexecuted;
pub mod vgt;
pub mod viewports;
pub mod waves;
