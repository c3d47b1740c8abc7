//! The register spaces that packets write, and loads of registers from memory.

use ::r600::{packets, regs};
use silicon::Addr;

pub(super) use crate::codegen::radeon::packets::Packets;
use crate::codegen::radeon::packets::Space;
use crate::codegen::radeon::r6xx::Family;

use super::state::R600;

impl Family for R600 {
    const SPACES: &'static [Space] = &[
        (regs::CONTEXT, packets::SET_CONTEXT_REG),
        (regs::CONFIG, packets::SET_CONFIG_REG),
        (regs::RESOURCE, packets::SET_RESOURCE),
        (regs::SAMPLER, packets::SET_SAMPLER),
        (regs::CTL_CONST, packets::SET_CTL_CONST),
    ];
}

/// Starts a stream.
pub(super) fn start(out: &mut Packets<'_>) {
    out.packet(packets::CONTEXT_CONTROL, &[1 << 31, 1 << 31]);
    out.packet(packets::START_3D_CMDBUF, &[0]);
}

/// Loads consecutive registers from memory, where they are in the same order.
pub(super) fn load(out: &mut Packets<'_>, register: u32, count: u32, from: Addr) {
    let found = R600::SPACES
        .iter()
        .find(|(space, _)| space.contains(&register));
    let Some((space, set)) = found else {
        debug_assert!(false, "{register:#x} is no register");
        return;
    };
    let opcode = set - packets::SET_CONFIG_REG + packets::LOAD_CONFIG_REG;
    let first = (register - space.start) / 4;
    // Memory is taken as a picture of the whole space.
    let base = from.0.wrapping_sub(u64::from(register - space.start));
    let payload = [base as u32, (base >> 32) as u32, first, count];
    out.packet(opcode, &payload);
}
