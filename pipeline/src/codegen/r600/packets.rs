//! The register spaces that packets write, and loads of registers from memory.

use ::r600::{pm4, regs};
use silicon::Addr;

pub(super) use crate::codegen::radeon::packets::Packets;
use crate::codegen::radeon::packets::Space;

const SPACES: &[Space] = &[
    (regs::CONTEXT, pm4::SET_CONTEXT_REG),
    (regs::CONFIG, pm4::SET_CONFIG_REG),
    (regs::RESOURCE, pm4::SET_RESOURCE),
    (regs::SAMPLER, pm4::SET_SAMPLER),
    (regs::CTL_CONST, pm4::SET_CTL_CONST),
];

/// Appends packets to words.
pub(super) fn packets(out: &mut Vec<u32>) -> Packets<'_> {
    let spaces = SPACES;
    Packets { out, spaces }
}

/// Starts a stream.
pub(super) fn start(out: &mut Packets<'_>) {
    out.packet(pm4::CONTEXT_CONTROL, &[1 << 31, 1 << 31]);
    out.packet(pm4::START_3D_CMDBUF, &[0]);
}

/// Loads consecutive registers from memory, where they are in the same order.
pub(super) fn load(out: &mut Packets<'_>, register: u32, count: u32, from: Addr) {
    let found = SPACES.iter().find(|(space, _)| space.contains(&register));
    let Some((space, set)) = found else {
        debug_assert!(false, "{register:#x} is no register");
        return;
    };
    let opcode = set - pm4::SET_CONFIG_REG + pm4::LOAD_CONFIG_REG;
    let first = (register - space.start) / 4;
    // Memory is taken as a picture of the whole space.
    let base = from.0.wrapping_sub(u64::from(register - space.start));
    let payload = [base as u32, (base >> 32) as u32, first, count];
    out.packet(opcode, &payload);
}
