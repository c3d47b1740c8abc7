//! Words of control streams.

use ::rogue::regs;
use ::rogue::stream::{INLINE, block, header, job};

/// Writes blocks to the end of a stream.
pub(super) struct Stream<'a>(pub &'a mut Vec<u32>);

impl Stream<'_> {
    /// Writes registers in a row.
    pub fn set(&mut self, first: u32, words: &[u32]) {
        let programs = regs::USC_VS_CODE_LO..regs::CR_SIZE;
        let vertices = regs::VDM_CONTROL..regs::USC_VS_CODE_LO;
        let count = words.len() as u32;
        let is_program = programs.contains(&first) || regs::GEOMETRY.contains(&first);
        let head = match first {
            _ if count < 256 && is_program => {
                block::PDS_STATE_UPDATE << 29 | first << 16 | count << 8
            }
            _ if count < 256 && vertices.contains(&first) => {
                block::VDM_STATE_UPDATE << 29 | first << 16 | count << 8
            }
            _ => block::JOB << 29 | job::REGISTERS << 24 | first << 12 | count,
        };
        self.0.push(head);
        self.0.extend_from_slice(words);
    }

    /// A PPP state block of words in the order of their bits.
    pub fn ppp(&mut self, bits: u32, words: &[u32]) {
        debug_assert!(bits & !header::KNOWN == 0, "the chip has these words");
        self.0
            .push(block::PPP_STATE_UPDATE << 29 | INLINE | (1 + words.len() as u32) << 8);
        self.0.push(bits);
        self.0.extend_from_slice(words);
    }

    /// A block of the tree's own.
    pub fn job(&mut self, job: u32, low: u32, words: &[u32]) {
        self.0.push(block::JOB << 29 | job << 24 | low);
        self.0.extend_from_slice(words);
    }
}

/// The words of an address.
pub(super) fn address(at: silicon::Addr) -> [u32; 2] {
    [at.0 as u32, (at.0 >> 32) as u32]
}
