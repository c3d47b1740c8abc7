//! What R600 and its successors share, block by block; codes and words of registers that R5xx has otherwise.

pub mod cb;
pub mod codes;
pub mod cp;
pub mod db;
pub mod pa;
pub mod packets;
pub mod power;
pub mod programs;
pub mod regs;
pub mod tiling;
pub mod vgt;
pub mod viewports;
pub mod waves;
