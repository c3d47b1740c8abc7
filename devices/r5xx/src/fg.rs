//! Fog and alpha test. [R5xx 13.2 "FG"]
//!
//! The alpha test compares what the fragment program gives its first target; alpha to coverage and fog, whose functions
//! the manual does not give, are errors.

use radeon::registers::RegisterFile;
use silicon::fragment::depth::Compare;
use silicon::texture::float;

use crate::regs::*;
use crate::zb::check;

/// Fields that enable what is not executed: all must be zero.
pub const UNEXECUTED: [(&str, Field); 4] = [
    ("FG_FOG_BLEND", FG_FOG_BLEND::ENABLE),
    ("FG_ALPHA_FUNC", FG_ALPHA_FUNC::AM_EN),
    ("FG_ALPHA_FUNC", FG_ALPHA_FUNC::DITH_EN),
    ("FG_ALPHA_FUNC", FG_ALPHA_FUNC::ALP_OFF_EN),
];

/// An alpha test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaTest {
    /// Alpha on the left.
    pub compare: Compare,
    /// What it is compared with.
    reference: Reference,
}

/// The reference, and the numbers that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reference {
    /// Fractions of the largest number of so many bits, alpha rounded to nearest.
    Fixed { bits: u32, value: u32 },
    /// Half floats.
    Half(f32),
}

impl AlphaTest {
    /// Whether a pixel with this alpha passes.
    #[inline]
    pub fn passes(&self, alpha: f32) -> bool {
        match self.reference {
            Reference::Fixed { bits, value } => {
                let alpha = silicon::texture::fixed::to_unorm(alpha, bits);
                self.compare.holds(alpha, value)
            }
            Reference::Half(value) => {
                let alpha = float::from_f16(float::to_f16(alpha.to_bits()));
                self.compare.holds(f32::from_bits(alpha), value)
            }
        }
    }

    /// The lanes of a mask that pass.
    pub fn lanes(&self, mask: u64, alpha: &[u32; 64]) -> u64 {
        let passes = |lane: &usize| self.passes(f32::from_bits(alpha[*lane]));
        let lanes = (0..64).filter(|lane| mask >> lane & 1 == 1);
        lanes.filter(passes).fold(0, |all, lane| all | 1 << lane)
    }
}

/// The alpha test of a draw; none when it is off.
pub fn alpha_test(registers: &RegisterFile) -> Result<Option<AlphaTest>, String> {
    use FG_ALPHA_FUNC::*;
    check(registers, &UNEXECUTED)?;
    if !AF_EN.on(registers) {
        return Ok(None);
    }
    let wide = FG_ALPHA_VALUE::AF_VAL.read(registers);
    let reference = match (AF_EN_8BIT.on(registers), FP16_ENABLE.on(registers)) {
        (true, _) => Reference::Fixed {
            bits: 8,
            value: AF_VAL.read(registers),
        },
        (false, false) => Reference::Fixed {
            bits: 10,
            value: wide & 0x3ff,
        },
        (false, true) => Reference::Half(f32::from_bits(float::from_f16(wide))),
    };
    Ok(Some(AlphaTest {
        // In the order of Vulkan, which is not that of the depth block.
        compare: Compare::ALL[AF_FUNC.read(registers) as usize],
        reference,
    }))
}
