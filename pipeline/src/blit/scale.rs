//! Scaled copies: which texels of the source a texel of the target is made of, and what it becomes.
//!
//! Places are whole numbers over a common denominator, so nothing is rounded before the filter; weights and sums are in
//! double precision in a fixed order and rounded to single precision once. [VULKAN Image copies with scaling]

use silicon::texture::format::{Class, Format};
use silicon::texture::sample::Filter;

/// One axis of a scaled copy. Places are edges of texels; a pair that runs backwards turns the picture around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// From edge to edge of the source.
    pub from: [u32; 2],
    /// From edge to edge of the target.
    pub to: [u32; 2],
    /// Texels of the source level; what the filter wants outside is the texel at the edge.
    pub size: u32,
}

/// The texels of one axis that make up a texel of the target, and the weight of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taps {
    /// Their numbers.
    pub at: [u32; 2],
    /// Of the second texel, 0 to 1.
    pub weight: f64,
}

impl Axis {
    /// Texels of the target, in memory order.
    pub fn target(&self) -> std::ops::Range<u32> {
        let [a, b] = self.to;
        a.min(b)..a.max(b)
    }

    /// What texel `i` of the target is made of.
    pub fn taps(&self, filter: Filter, i: u32) -> Taps {
        let [from, from_end] = self.from.map(i64::from);
        let [to, to_end] = self.to.map(i64::from);
        let i = i64::from(i);
        // Steps of the target from its first edge to the texel's centre, in halves.
        let (count, half_steps) = match to < to_end {
            true => (to_end - to, 2 * (i - to) + 1),
            false => (to - to_end, 2 * (to - i) - 1),
        };
        let denominator = 2 * count.max(1);
        let place = from * denominator + (from_end - from) * half_steps;
        let inside = |n: i64| n.clamp(0, i64::from(self.size) - 1) as u32;
        if filter == Filter::Nearest {
            let at = inside(place.div_euclid(denominator));
            return Taps {
                at: [at; 2],
                weight: 0.0,
            };
        }
        // Centres of the source are half a texel in.
        let place = place - count.max(1);
        let first = place.div_euclid(denominator);
        Taps {
            at: [inside(first), inside(first + 1)],
            weight: place.rem_euclid(denominator) as f64 / denominator as f64,
        }
    }
}

/// Whether values of one format can become texels of another: numbers that shaders see as floats to such, integers to
/// integers of the same kind.
pub fn converts(from: Format, to: Format) -> bool {
    let kind = |format: Format| match format.class() {
        Class::Uint => 1,
        Class::Sint => 2,
        _ => 0,
    };
    kind(from) == kind(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(from: [u32; 2], to: [u32; 2]) -> Vec<u32> {
        let axis = Axis { from, to, size: 8 };
        let taps = |i| axis.taps(Filter::Nearest, i);
        axis.target().map(|i| taps(i).at[0]).collect()
    }

    #[test]
    fn the_nearest_texel_holds_the_centre() {
        assert_eq!(nearest([0, 4], [0, 4]), [0, 1, 2, 3]);
        assert_eq!(nearest([2, 4], [3, 7]), [2, 2, 3, 3]);
        assert_eq!(nearest([0, 8], [0, 4]), [1, 3, 5, 7]);
        assert_eq!(nearest([0, 3], [0, 2]), [0, 2]);
        assert_eq!(nearest([0, 2], [0, 3]), [0, 1, 1]);
    }

    #[test]
    fn pairs_that_run_backwards_turn_around() {
        assert_eq!(nearest([4, 0], [0, 4]), [3, 2, 1, 0]);
        assert_eq!(nearest([0, 4], [4, 0]), [3, 2, 1, 0]);
        assert_eq!(nearest([4, 0], [4, 0]), [0, 1, 2, 3]);
    }

    #[test]
    fn linear_weights_are_exact() {
        let axis = Axis {
            from: [0, 2],
            to: [0, 4],
            size: 2,
        };
        let taps: Vec<_> = axis
            .target()
            .map(|i| axis.taps(Filter::Linear, i))
            .collect();
        let expected = [
            ([0, 0], 0.75),
            ([0, 1], 0.25),
            ([0, 1], 0.75),
            ([1, 1], 0.25),
        ];
        assert_eq!(taps, expected.map(|(at, weight)| Taps { at, weight }));
        // Halving takes both neighbours equally; no scale takes the texel itself.
        let half = Axis { to: [0, 1], ..axis };
        assert_eq!(
            half.taps(Filter::Linear, 0),
            Taps {
                at: [0, 1],
                weight: 0.5
            }
        );
        let same = Axis { to: [0, 2], ..axis };
        assert_eq!(
            same.taps(Filter::Linear, 1),
            Taps {
                at: [1, 1],
                weight: 0.0
            }
        );
    }

    #[test]
    fn integers_stay_integers() {
        assert!(converts(Format::R8Unorm, Format::R32G32B32A32Float));
        assert!(converts(Format::Bc7RgbaSrgb, Format::R8G8B8A8Snorm));
        assert!(converts(Format::R8Uint, Format::R32Uint));
        assert!(!converts(Format::R8Uint, Format::R8Sint));
        assert!(!converts(Format::R8Uint, Format::R8Unorm));
    }
}
