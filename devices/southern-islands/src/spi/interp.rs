//! V_INTERP: attributes of a wave's primitives. [SI 14]
//!
//! Attributes lie in parameter memory as one block per primitive: for every attribute P0, P10 and P20, four components
//! each. M0 has the byte offset of the first block in 15:0 and in 30:16, bit n, whether quad n + 1 begins the next
//! primitive.

use lanes::Wave;

use crate::isa::operand::{EXEC, M0};
use crate::isa::vector::VintrpOp;
use crate::isa::words::Vintrp;

/// Words of one attribute in a block.
pub(crate) const ATTRIBUTE_WORDS: usize = 12;

/// Parameter memory as a wave sees it.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'a> {
    /// Blocks of all primitives at hand.
    pub(crate) blocks: &'a [u32],
    /// First words of the blocks of the wave's primitives, in order.
    pub(crate) primitives: &'a [u32],
    /// Words of a block.
    pub(crate) block_words: usize,
}

impl Attributes<'_> {
    /// No attributes.
    pub(crate) const NONE: Attributes<'static> = Attributes {
        blocks: &[],
        primitives: &[],
        block_words: 0,
    };

    /// A word of the `ordinal`-th primitive's block; 0 outside.
    fn word(&self, offset: usize, ordinal: usize, word: usize) -> u32 {
        let at = if offset == 0 && word < self.block_words {
            (ordinal, word)
        } else if self.block_words == 0 {
            return 0;
        } else {
            // An offset that is not the wave's own reads what lies there.
            let linear = offset / 4 + ordinal * self.block_words + word;
            (linear / self.block_words, linear % self.block_words)
        };
        self.primitives
            .get(at.0)
            .and_then(|start| self.blocks.get(*start as usize + at.1))
            .copied()
            .unwrap_or(0)
    }
}

impl Attributes<'_> {
    /// Executes one V_INTERP.
    #[inline]
    pub(crate) fn interpolate(&self, inst: &Vintrp, wave: &mut Wave) {
        let m0 = wave.scalars[usize::from(M0)];
        let (offset, mask) = ((m0 & 0xffff) as usize, m0 >> 16 & 0x7fff);
        let exec = wave.mask(u16::from(EXEC));
        let base = usize::from(inst.attr) * ATTRIBUTE_WORDS + usize::from(inst.attrchan);
        let vdst = usize::from(inst.vdst);
        let (k, move_only) = match inst.op {
            VintrpOp::V_INTERP_P1_F32 => (1, false),
            VintrpOp::V_INTERP_P2_F32 => (2, false),
            VintrpOp::V_INTERP_MOV_F32 => (
                match inst.vsrc & 3 {
                    0 => 1,
                    1 => 2,
                    _ => 0,
                },
                true,
            ),
        };
        let (slope_at, base_at) = (base + 4 * k, base);
        let is_p2 = matches!(inst.op, VintrpOp::V_INTERP_P2_F32);
        let source = wave.rows[usize::from(inst.vsrc).min(wave.rows.len() - 1)];
        let Some(target) = wave.rows.get_mut(vdst) else {
            return;
        };
        let target = &mut target.0;
        let mut ordinal = 0;
        let mut lanes = 0..64usize;
        while !lanes.is_empty() {
            // A run of lanes of one primitive.
            let first_quad = lanes.start / 4;
            let rest = mask.checked_shr(first_quad as u32).unwrap_or(0);
            let end = if rest == 0 {
                64
            } else {
                (first_quad + 1 + rest.trailing_zeros() as usize) * 4
            };
            let slope = self.word(offset, ordinal, slope_at);
            let p0 = self.word(offset, ordinal, base_at);
            let run = lanes.start..end.min(64);
            let whole =
                exec >> run.start & (u64::MAX >> (64 - run.len())) == u64::MAX >> (64 - run.len());
            for lane in run.clone() {
                let weight = f32::from_bits(source.0[lane]);
                let value = if move_only {
                    slope
                } else {
                    let start = if is_p2 { target[lane] } else { p0 };
                    canonical(f32::from_bits(slope) * weight + f32::from_bits(start))
                };
                if whole || exec >> lane & 1 != 0 {
                    target[lane] = value;
                }
            }
            lanes.start = run.end;
            ordinal += 1;
        }
    }
}

/// The one NaN that arithmetic gives, on every host.
#[inline(always)]
pub(super) fn canonical(value: f32) -> u32 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        value.to_bits()
    }
}
