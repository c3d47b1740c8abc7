//! What the drivers of ATI and AMD chips share: packets, for all of them; in [`r6xx`] state, queries and
//! surfaces, for R600 and later.

pub mod packets;
pub mod r6xx;
