//! The driver's part of the compute stage: pipelines to registers, dispatches to packets. [PM4 DISPATCH; STAGES, CS]

use ::southern_islands::{packets, regs};
use radeon::packets::payload_words;
use silicon::Addr;

use super::packets::Packets;
use super::state::{SouthernIslands, addresses, scratch_ring};
use crate::codegen::radeon::r6xx::Family;
use crate::targets::{Compute, ComputeBindings, ComputeParts, Dispatch, Put};
use crate::upload::Result;

/// The bit of a packet's header that says that it is one of compute.
const SHADER_TYPE: u32 = 2;

impl Compute for SouthernIslands {
    fn pipeline(&self, parts: &ComputeParts<'_>, out: &mut Vec<u32>) {
        let (shader, Addr(code)) = parts.shader;
        packets_of_compute(out, |out| {
            out.set(
                regs::COMPUTE_PGM_LO,
                &[(code >> 8) as u32, (code >> 40) as u32],
            );
            for (register, value) in &shader.registers {
                out.set(*register, &[*value]);
            }
            if shader.scratch_bytes > 0 {
                let ring = scratch_ring(shader.scratch_bytes);
                out.set(regs::COMPUTE_TMPRING_SIZE, &[ring]);
            }
        });
    }

    fn dispatch(
        &self,
        dispatch: Dispatch,
        bound: &ComputeBindings<'_>,
        _: &mut Put<'_>,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let (mut user, count) = (addresses(bound.data), bound.count);
        user.extend([count.0 as u32, (count.0 >> 32) as u32]);
        let initiator = regs::ComputeDispatchInitiator {
            compute_shader_en: true,
            force_start_at_000: true,
            ..regs::ComputeDispatchInitiator::from_word(0)
        };
        let initiator = initiator.pack();
        packets_of_compute(out, |out| {
            out.set(regs::COMPUTE_USER_DATA_0, &user);
            match dispatch {
                Dispatch::Direct([x, y, z]) => {
                    out.packet(packets::DISPATCH_DIRECT, &[x, y, z, initiator]);
                }
                Dispatch::Indirect(Addr(at)) => {
                    let (base, offset) = (at & !0xff, at as u32 & 0xff);
                    let base = [1, base as u32, (base >> 32) as u32];
                    out.packet(packets::SET_BASE, &base);
                    out.packet(packets::DISPATCH_INDIRECT, &[offset, initiator]);
                }
            }
        });
        Ok(())
    }
}

/// Writes packets that have the bit of compute in their headers.
fn packets_of_compute(out: &mut Vec<u32>, write: impl FnOnce(&mut Packets<'_>)) {
    let mut at = out.len();
    write(&mut SouthernIslands::packets(out));
    while let Some(header) = out.get_mut(at) {
        *header |= SHADER_TYPE;
        at += 1 + payload_words(*header) as usize;
    }
}
