//! What the drivers of the ATI chips share: packets, queries, codes of the fixed-function parts.

pub mod codes;
pub mod constants;
pub mod packets;
pub mod queries;
pub mod samples;
pub mod viewports;
