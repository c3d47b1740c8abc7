//! Where the samples of a pixel are.

/// Sample positions of a pixel in sixteenths, from its upper left corner; the centre is (8, 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    positions: [(u8, u8); 16],
    count: u8,
}

impl Samples {
    /// One sample in the centre.
    pub const ONE: Samples = Samples::standard(1);

    /// The standard positions of Direct3D and Vulkan for 1, 2, 4, 8 or 16 samples; any other count gives one sample.
    /// [VULKAN Standard Sample Locations]
    pub const fn standard(count: u32) -> Samples {
        match count {
            2 => Samples::at(&[(12, 12), (4, 4)]),
            4 => Samples::at(&[(6, 2), (14, 6), (2, 10), (10, 14)]),
            8 => Samples::at(&[
                (9, 5),
                (7, 11),
                (13, 9),
                (5, 3),
                (3, 13),
                (1, 7),
                (11, 15),
                (15, 1),
            ]),
            16 => Samples::at(&[
                (9, 9),
                (7, 5),
                (5, 10),
                (12, 7),
                (3, 6),
                (10, 13),
                (13, 11),
                (11, 3),
                (6, 14),
                (8, 1),
                (4, 2),
                (2, 12),
                (0, 8),
                (15, 4),
                (14, 15),
                (1, 0),
            ]),
            _ => Samples::at(&[(8, 8)]),
        }
    }

    /// At positions of the caller's, at most 16, each coordinate below 16.
    pub const fn at(positions: &[(u8, u8)]) -> Samples {
        let mut out = Samples {
            positions: [(8, 8); 16],
            count: if positions.len() < 16 {
                positions.len() as u8
            } else {
                16
            },
        };
        let mut i = 0;
        while i < out.count as usize {
            out.positions[i] = (positions[i].0 & 15, positions[i].1 & 15);
            i += 1;
        }
        out
    }

    /// Samples per pixel.
    #[inline(always)]
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Positions.
    #[inline(always)]
    pub fn positions(&self) -> &[(u8, u8)] {
        &self.positions[..self.count as usize]
    }

    /// Offset of a sample from the pixel centre, in pixels.
    #[inline(always)]
    pub fn offset(&self, sample: usize) -> (f32, f32) {
        let (x, y) = self.positions[sample & 15];
        ((f32::from(x) - 8.0) / 16.0, (f32::from(y) - 8.0) / 16.0)
    }

    /// Whether the only sample is the pixel centre.
    #[inline(always)]
    pub fn is_centre(&self) -> bool {
        self.count == 1 && self.positions[0] == (8, 8)
    }
}
