//! What the drivers of ATI and AMD chips share: packets and viewports, for all of them; in [`r6xx`] state, queries and
//! surfaces, for R600 and later.

pub mod packets;
pub mod r6xx;
pub mod viewports;
