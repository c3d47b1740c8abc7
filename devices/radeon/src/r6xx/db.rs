//! The depth block: alpha to coverage.

use silicon::fragment::multisample::AlphaToMask;

use super::regs::DbAlphaToMask;

/// What DB_ALPHA_TO_MASK says. OFFSET_ROUND is not acted upon: the offsets alone say how alphas are rounded.
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
