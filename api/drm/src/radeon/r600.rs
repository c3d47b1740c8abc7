//! Relocations in the streams of R600 and R700: addresses get the base of the buffer that the next NOP packet names.

use super::submit::{Named, Relocations};
use crate::errno::{Answer, Errno};

const NOP: u32 = 0x10;

/// Whether a register holds an address, in units of 256 bytes, that a NOP packet belongs to. [R6xx registers]
fn has_address(register: u32) -> bool {
    matches!(register,
        // CB_COLOR*_BASE, TILE, FRAG.
        0x28040..0x28060 | 0x280c0..0x28100
        // DB_DEPTH_BASE, DB_HTILE_DATA_BASE.
        | 0x2800c | 0x28014
        // SQ_PGM_START_* and SQ_PGM_START_FS.
        | 0x28840 | 0x28858 | 0x2886c | 0x28880 | 0x28894
        // SQ_ALU_CONST_CACHE_*.
        | 0x28940..0x28a00
        // VGT_STRMOUT_BUFFER_BASE_*.
        | 0x28ad8 | 0x28ae8 | 0x28af8 | 0x28b08
        // SQ_ESGS_RING_BASE, SQ_GSVS_RING_BASE, SX_MEMORY_EXPORT_BASE.
        | 0x8c40 | 0x8c48 | 0x9010)
}

/// A stream being patched, with the place of the next relocation.
struct Patch<'a> {
    words: &'a mut [u32],
    relocations: &'a Relocations,
    /// Behind the packet, and behind the NOP packets that were taken.
    at: usize,
}

impl<'a> Patch<'a> {
    fn next(&mut self) -> Answer<&'a Named> {
        match self.words.get(self.at..self.at + 2) {
            Some([header, named]) if header & 0xffff_ff00 == 0xc000_0000 | NOP << 8 => {
                self.at += 2;
                self.relocations.named(*named)
            }
            _ => Err(Errno::INVALID),
        }
    }

    /// A byte address.
    fn bytes(&mut self, place: usize) -> Answer {
        let named = self.next()?;
        let word = self.words.get_mut(place).ok_or(Errno::INVALID)?;
        if u64::from(*word) > named.size {
            return Err(Errno::INVALID);
        }
        *word += named.address as u32;
        Ok(())
    }

    /// An address in units of 256 bytes.
    fn units(&mut self, place: usize) -> Answer {
        let named = self.next()?;
        let word = self.words.get_mut(place).ok_or(Errno::INVALID)?;
        if u64::from(*word) << 8 > named.size {
            return Err(Errno::INVALID);
        }
        *word += (named.address >> 8) as u32;
        Ok(())
    }
}

/// Packets with addresses.
mod packet {
    pub(super) const SET_PREDICATION: u32 = 0x20;
    pub(super) const DRAW_INDEX: u32 = 0x2b;
    pub(super) const STRMOUT_BUFFER_UPDATE: u32 = 0x34;
    pub(super) const WAIT_REG_MEM: u32 = 0x3c;
    pub(super) const COPY_DW: u32 = 0x3b;
    pub(super) const MEM_WRITE: u32 = 0x3d;
    pub(super) const CP_DMA: u32 = 0x41;
    pub(super) const SURFACE_SYNC: u32 = 0x43;
    pub(super) const EVENT_WRITE: u32 = 0x46;
    pub(super) const EVENT_WRITE_EOP: u32 = 0x47;
    pub(super) const SET_CONFIG_REG: u32 = 0x68;
    pub(super) const SET_CONTEXT_REG: u32 = 0x69;
    pub(super) const SET_RESOURCE: u32 = 0x6d;
    pub(super) const STRMOUT_BASE_UPDATE: u32 = 0x72;
}

/// Adds the bases of buffers to the addresses of a stream.
///
/// Errors: EINVAL for packets that reach out of the stream, and for addresses without a buffer or outside of it.
pub(super) fn patch(words: &mut [u32], relocations: &Relocations) -> Answer {
    let mut patch = Patch {
        words,
        relocations,
        at: 0,
    };
    while patch.at < patch.words.len() {
        let header = patch.words[patch.at];
        let (kind, count) = (header >> 30, (header >> 16 & 0x3fff) as usize + 1);
        let payload = patch.at + 1;
        if kind == 2 {
            patch.at = payload;
            continue;
        }
        patch.at = payload + count;
        if kind == 1 || patch.at > patch.words.len() {
            return Err(Errno::INVALID);
        }
        if kind == 3 {
            packet(&mut patch, header >> 8 & 0xff, payload, count)?;
        }
    }
    Ok(())
}

fn packet(patch: &mut Patch, opcode: u32, payload: usize, count: usize) -> Answer {
    let word = |patch: &Patch, n: usize| {
        let inside = n < count;
        inside
            .then(|| patch.words[payload + n])
            .ok_or(Errno::INVALID)
    };
    match opcode {
        packet::SET_CONFIG_REG | packet::SET_CONTEXT_REG => {
            let config = opcode == packet::SET_CONFIG_REG;
            let first = if config { 0x8000 } else { 0x2_8000 } + 4 * (word(patch, 0)? & 0xffff);
            for n in 1..count {
                if has_address(first + 4 * (n as u32 - 1)) {
                    patch.units(payload + n)?;
                }
            }
        }
        packet::SET_RESOURCE => {
            for first in (1..count).step_by(7) {
                match word(patch, first + 6)? >> 30 {
                    // A texture: its base and that of its levels.
                    2 => {
                        patch.units(payload + first + 2)?;
                        patch.units(payload + first + 3)?;
                    }
                    // A buffer.
                    3 => patch.bytes(payload + first)?,
                    _ => {}
                }
            }
        }
        packet::DRAW_INDEX | packet::MEM_WRITE => patch.bytes(payload)?,
        packet::WAIT_REG_MEM if word(patch, 0)? & 0x10 != 0 => patch.bytes(payload + 1)?,
        packet::CP_DMA => {
            // A source that is data has no buffer.
            if word(patch, 1)? >> 29 & 3 == 0 {
                patch.bytes(payload)?;
            }
            patch.bytes(payload + 2)?;
        }
        packet::SURFACE_SYNC if word(patch, 1)? != u32::MAX || word(patch, 2)? != 0 => {
            patch.units(payload + 2)?;
        }
        packet::EVENT_WRITE if count > 1 => patch.bytes(payload + 1)?,
        packet::EVENT_WRITE_EOP => patch.bytes(payload + 1)?,
        packet::SET_PREDICATION if word(patch, 1)? >> 16 & 7 != 0 => patch.bytes(payload)?,
        packet::COPY_DW => {
            let control = word(patch, 0)?;
            if control & 1 != 0 {
                patch.bytes(payload + 1)?;
            }
            if control & 2 != 0 {
                patch.bytes(payload + 3)?;
            }
        }
        packet::STRMOUT_BUFFER_UPDATE => {
            let control = word(patch, 0)?;
            if control & 1 != 0 {
                patch.bytes(payload + 1)?;
            }
            if control >> 1 & 3 == 2 {
                patch.bytes(payload + 3)?;
            }
        }
        packet::STRMOUT_BASE_UPDATE => patch.units(payload + 1)?,
        _ => {}
    }
    Ok(())
}
