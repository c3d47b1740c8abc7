//! PPP state blocks: a header of presence bits, then the words in their order. [Rogue 15.2]

use crate::regs;

/// Presence bits of STATE_HEADER.
pub mod header {
    /// ISPCTL.
    pub const ISPCTL: u32 = 1;
    /// ISPA of front faces.
    pub const FA: u32 = 1 << 1;
    /// ISPB of front faces.
    pub const FB: u32 = 1 << 2;
    /// ISPA of back faces.
    pub const BA: u32 = 1 << 3;
    /// ISPB of back faces.
    pub const BB: u32 = 1 << 4;
    /// Viewports; bits 15:12 are how many, less one.
    pub const VIEWPORT: u32 = 1 << 11;
    /// OUTPUT_SEL.
    pub const OUTSELECTS: u32 = 1 << 17;
    /// PPP_CTRL.
    pub const PPP_CTRL: u32 = 1 << 21;
    /// All that are executed.
    pub const KNOWN: u32 =
        ISPCTL | FA | FB | BA | BB | VIEWPORT | 0xf << 12 | OUTSELECTS | PPP_CTRL;
}

/// A block that cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PppError {
    /// Words that are not executed.
    #[error("a PPP block with the words {0:#010x} of its header is not executed")]
    Unknown(u32),
    /// The header says otherwise.
    #[error("a PPP block has {found} words and needs {needed}")]
    Length {
        /// Words there are.
        found: usize,
        /// Words that the header says.
        needed: usize,
    },
}

/// Registers and values of a block.
pub fn fields(words: &[u32]) -> Result<Vec<(u32, u32)>, PppError> {
    let Some((head, rest)) = words.split_first() else {
        return Err(PppError::Length {
            found: 0,
            needed: 1,
        });
    };
    if head & !header::KNOWN != 0 {
        return Err(PppError::Unknown(head & !header::KNOWN));
    }
    let viewport_words = (1 + (head >> 12 & 0xf)) * regs::VIEWPORT_STRIDE;
    let parts = [
        (header::ISPCTL, regs::ISPCTL, 1),
        (header::FA, regs::ISPA_FRONT, 1),
        (header::FB, regs::ISPB_FRONT, 1),
        (header::BA, regs::ISPA_BACK, 1),
        (header::BB, regs::ISPB_BACK, 1),
        (header::VIEWPORT, regs::VIEWPORT, viewport_words),
        (header::OUTSELECTS, regs::OUTPUT_SEL, 1),
        (header::PPP_CTRL, regs::PPP_CTRL, 1),
    ];
    let present = parts.into_iter().filter(|(bit, ..)| head & bit != 0);
    let numbers = present.flat_map(|(_, first, count)| first..first + count);
    let numbers: Vec<u32> = numbers.collect();
    if numbers.len() != rest.len() {
        return Err(PppError::Length {
            found: words.len(),
            needed: 1 + numbers.len(),
        });
    }
    Ok(numbers.into_iter().zip(rest.iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_in_the_order_of_the_header() {
        let head = header::PPP_CTRL | header::FA | header::VIEWPORT;
        let words = [head, 7, 1, 2, 3, 4, 5, 6, 9];
        let found = fields(&words).map(|list| [list[0], list[1], list[6], list[7]]);
        let view = regs::VIEWPORT;
        assert_eq!(
            found,
            Ok([
                (regs::ISPA_FRONT, 7),
                (view, 1),
                (view + 5, 6),
                (regs::PPP_CTRL, 9)
            ])
        );
    }

    #[test]
    fn other_words_are_refused_by_name() {
        assert_eq!(fields(&[1 << 22]), Err(PppError::Unknown(1 << 22)));
        assert_eq!(
            fields(&[header::FA]),
            Err(PppError::Length {
                found: 1,
                needed: 2
            })
        );
        assert_eq!(
            fields(&[]),
            Err(PppError::Length {
                found: 0,
                needed: 1
            })
        );
    }
}
