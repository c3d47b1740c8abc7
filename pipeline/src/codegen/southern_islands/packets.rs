//! The register spaces that packets write.

use ::southern_islands::{packets, regs};

pub(super) use crate::codegen::radeon::packets::Packets;
use crate::codegen::radeon::packets::Space;
use crate::codegen::radeon::r6xx::Family;

use super::state::SouthernIslands;

impl Family for SouthernIslands {
    const SPACES: &'static [Space] = &[
        (regs::CONTEXT, packets::SET_CONTEXT_REG),
        (regs::SH, packets::SET_SH_REG),
        (regs::CONFIG, packets::SET_CONFIG_REG),
    ];
}

/// Starts a stream with default state.
pub(super) fn start(out: &mut Packets<'_>) {
    out.packet(packets::CONTEXT_CONTROL, &[1 << 31, 1 << 31]);
    out.packet(packets::CLEAR_STATE, &[0]);
}
