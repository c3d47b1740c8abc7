//! The depth block: alpha to coverage.

use silicon::fragment::multisample::AlphaToMask;

use super::regs::DbAlphaToMask;

/// Decodes DB_ALPHA_TO_MASK. OFFSET_ROUND is ignored: the offsets alone decide rounding.
pub fn alpha_to_mask(word: u32) -> Option<AlphaToMask> {
    let control = DbAlphaToMask::from_word(word);
    control.alpha_to_mask_enable.then_some(AlphaToMask {
        offsets: [
            control.alpha_to_mask_offset0,
            control.alpha_to_mask_offset1,
            control.alpha_to_mask_offset2,
            control.alpha_to_mask_offset3,
        ],
    })
}
