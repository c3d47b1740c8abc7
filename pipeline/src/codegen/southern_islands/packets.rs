//! The register spaces that packets write.

use ::southern_islands::{pm4, regs};

pub(super) use crate::codegen::radeon::packets::Packets;
use crate::codegen::radeon::packets::Space;

const SPACES: &[Space] = &[
    (regs::CONTEXT, pm4::SET_CONTEXT_REG),
    (regs::SH, pm4::SET_SH_REG),
    (regs::CONFIG, pm4::SET_CONFIG_REG),
];

/// Appends packets to words.
pub(super) fn packets(out: &mut Vec<u32>) -> Packets<'_> {
    let spaces = SPACES;
    Packets { out, spaces }
}

/// Starts a stream with default state.
pub(super) fn start(out: &mut Packets<'_>) {
    out.packet(pm4::CONTEXT_CONTROL, &[1 << 31, 1 << 31]);
    out.packet(pm4::CLEAR_STATE, &[0]);
}
