//! Lane masks and rows: one bit per lane against one value per lane.

/// Bit `i` is set where `keep(i)` is.
#[inline(always)]
pub(crate) fn collect(keep: impl Fn(usize) -> bool) -> u64 {
    let mut flags = [0u8; 64];
    for (i, flag) in flags.iter_mut().enumerate() {
        *flag = u8::from(keep(i));
    }
    let mut mask = 0;
    for (i, eight) in flags.chunks_exact(8).enumerate() {
        let bytes: [u8; 8] = std::array::from_fn(|k| eight[k]);
        // Gathers bit 0 of every byte into the top byte.
        let bits = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * i);
    }
    mask
}

/// Bit of lane `i` in its half of a mask.
const BIT: [u32; 32] = {
    let mut bits = [0; 32];
    let mut i = 0;
    while i < 32 {
        bits[i] = 1 << i;
        i += 1;
    }
    bits
};

/// Replaces `old[i]` by `new(i)` where the mask is set.
#[inline(always)]
pub(crate) fn replace<T: Copy>(mask: u64, old: &mut [T; 64], new: impl Fn(usize) -> T) {
    for (half, word) in [mask as u32, (mask >> 32) as u32].into_iter().enumerate() {
        for (i, bit) in BIT.iter().enumerate() {
            let lane = half * 32 + i;
            let value = new(lane);
            old[lane] = if word & bit != 0 { value } else { old[lane] };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for mask in [0, 1, 1 << 63, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(collect(|i| mask >> i & 1 != 0), mask);
            let mut row = [7u32; 64];
            replace(mask, &mut row, |i| i as u32 + 100);
            for (i, v) in row.iter().enumerate() {
                let expected = if mask >> i & 1 != 0 {
                    i as u32 + 100
                } else {
                    7
                };
                assert_eq!(*v, expected);
            }
        }
    }
}
