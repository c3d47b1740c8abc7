//! What ATI and AMD chips share: PM4 framing and the register file; and in [`r6xx`] what R600 and later share.

pub mod packets;
pub mod r6xx;
pub mod registers;
