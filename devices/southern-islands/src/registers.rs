//! The register file: what the command processor writes and a draw reads.

use crate::regs::{self, CONFIG, CONTEXT, SH};

/// All registers of the three spaces.
#[derive(Clone)]
pub(crate) struct Registers {
    config: Vec<u32>,
    sh: Vec<u32>,
    context: Vec<u32>,
}

impl Registers {
    /// The state after power-on.
    pub(crate) fn new() -> Registers {
        let words = |range: &std::ops::Range<u32>| vec![0; (range.len()) / 4];
        let mut registers = Registers {
            config: words(&CONFIG),
            sh: words(&SH),
            context: words(&CONTEXT),
        };
        registers.set(regs::GB_ADDR_CONFIG, regs::TAHITI_ADDR_CONFIG);
        for (n, word) in crate::tiling::TAHITI.iter().enumerate() {
            registers.set(regs::GB_TILE_MODE0 + 4 * n as u32, *word);
        }
        registers.clear_context();
        registers
    }

    /// CLEAR_STATE: context registers that must not be zero to draw get their neutral values.
    pub(crate) fn clear_context(&mut self) {
        self.context.fill(0);
        const WHOLE: u32 = 0x4000_4000;
        for register in [
            regs::PA_SC_SCREEN_SCISSOR_BR,
            regs::PA_SC_WINDOW_SCISSOR_BR,
            regs::PA_SC_GENERIC_SCISSOR_BR,
        ] {
            self.set(register, WHOLE);
        }
        for n in 0..16 {
            self.set(regs::PA_SC_VPORT_SCISSOR_0_BR + 8 * n, WHOLE);
            self.set(regs::PA_SC_VPORT_ZMAX_0 + 8 * n, 1f32.to_bits());
        }
        self.set(regs::PA_SC_CLIPRECT_RULE, 0xffff);
        self.set(regs::PA_SC_EDGERULE, 0xaaaa_aaaa);
        self.set(regs::PA_SC_AA_MASK_X0Y0_X1Y0, u32::MAX);
        self.set(regs::PA_SC_AA_MASK_X0Y1_X1Y1, u32::MAX);
        self.set(regs::VGT_MAX_VTX_INDX, u32::MAX);
        for register in [
            regs::PA_CL_GB_VERT_CLIP_ADJ,
            regs::PA_CL_GB_VERT_DISC_ADJ,
            regs::PA_CL_GB_HORZ_CLIP_ADJ,
            regs::PA_CL_GB_HORZ_DISC_ADJ,
        ] {
            self.set(register, 1f32.to_bits());
        }
    }

    fn slot(&mut self, address: u32) -> Option<&mut u32> {
        let (space, words) = if CONTEXT.contains(&address) {
            (&CONTEXT, &mut self.context)
        } else if SH.contains(&address) {
            (&SH, &mut self.sh)
        } else if CONFIG.contains(&address) {
            (&CONFIG, &mut self.config)
        } else {
            return None;
        };
        words.get_mut(((address - space.start) / 4) as usize)
    }

    /// Writes a register; false when there is none at the address.
    pub(crate) fn set(&mut self, address: u32, value: u32) -> bool {
        self.slot(address).map(|slot| *slot = value).is_some()
    }

    /// The value of a register; 0 where there is none.
    pub(crate) fn get(&self, address: u32) -> u32 {
        let (space, words) = if CONTEXT.contains(&address) {
            (&CONTEXT, &self.context)
        } else if SH.contains(&address) {
            (&SH, &self.sh)
        } else {
            (&CONFIG, &self.config)
        };
        address
            .checked_sub(space.start)
            .and_then(|offset| words.get((offset / 4) as usize))
            .copied()
            .unwrap_or(0)
    }

    /// The value of a register as a float.
    pub(crate) fn float(&self, address: u32) -> f32 {
        f32::from_bits(self.get(address))
    }

    /// A program address from its LO and HI registers.
    pub(crate) fn program(&self, lo: u32) -> u64 {
        u64::from(self.get(lo)) << 8 | u64::from(self.get(lo + 4) & 0xff) << 40
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_mix() {
        let mut registers = Registers::new();
        assert!(registers.set(regs::VGT_PRIMITIVE_TYPE, 4));
        assert!(registers.set(regs::SPI_SHADER_PGM_LO_VS, 0x1234));
        assert!(registers.set(regs::DB_DEPTH_CONTROL, 7));
        assert!(!registers.set(0x7000, 1));
        assert!(!registers.set(0x2_9000, 1));
        assert_eq!(registers.get(regs::VGT_PRIMITIVE_TYPE), 4);
        assert_eq!(registers.program(regs::SPI_SHADER_PGM_LO_VS), 0x12_3400);
        assert_eq!(registers.get(regs::DB_DEPTH_CONTROL), 7);
        assert_eq!(registers.get(0x7000), 0);
        registers.clear_context();
        assert_eq!(registers.get(regs::DB_DEPTH_CONTROL), 0);
        assert_eq!(registers.get(regs::VGT_PRIMITIVE_TYPE), 4);
    }
}
