//! Fills the per-axis address tables of a mip level.

use std::sync::Arc;

use super::Axes;

impl Axes {
    /// Tables for `size` elements along x, y, slice and sample, from the chip's address function. Bits in `xor` combine
    /// by exclusive or; in all others the axis shares must add up.
    pub fn new(size: [u32; 4], xor: u32, offset: impl Fn(u32, u32, u32, u32) -> u32) -> Axes {
        let origin = offset(0, 0, 0, 0);
        // The share of one coordinate; the x table carries the origin.
        let share = |at: u32| (at & !xor).wrapping_sub(origin & !xor) & !xor | (at ^ origin) & xor;
        Axes {
            x: (0..size[0]).map(|x| offset(x, 0, 0, 0)).collect(),
            y: (0..size[1]).map(|y| share(offset(0, y, 0, 0))).collect(),
            slice: (0..size[2]).map(|z| share(offset(0, 0, z, 0))).collect(),
            sample: (0..size[3]).map(|s| share(offset(0, 0, 0, s))).collect(),
            xor,
        }
    }

    /// Tables of rows of texels: `pitch` bytes from row to row, `slice` bytes from slice to slice.
    pub fn linear(size: [u32; 3], bytes: u32, pitch: u32, slice: u32) -> Axes {
        Axes {
            x: (0..size[0]).map(|x| x * bytes).collect(),
            y: (0..size[1]).map(|y| y * pitch).collect(),
            slice: (0..size[2]).map(|z| z.wrapping_mul(slice)).collect(),
            sample: Arc::new([0]),
            xor: 0,
        }
    }

    /// The offset of an element.
    pub fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u32 {
        let shares = [
            self.x[x as usize],
            self.y[y as usize],
            self.slice[slice as usize],
            self.sample[sample as usize],
        ];
        let sum = shares
            .iter()
            .fold(0u32, |sum, share| sum.wrapping_add(share & !self.xor));
        let xor = shares.iter().fold(0, |xor, share| xor ^ share) & self.xor;
        (sum & !self.xor) | xor
    }
}
