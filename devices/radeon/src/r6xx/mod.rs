//! What R600 and its successors share: codes of registers and the registers of viewports.

pub mod codes;
pub mod viewports;
