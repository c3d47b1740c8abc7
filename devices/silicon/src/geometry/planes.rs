//! Clip planes that registers hold: distances of clip positions from them, in the place of those that vertices export.

/// A plane that takes the place of one of the eight distances of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserPlane {
    /// Number of the distance.
    pub number: u8,
    /// Factors of x, y, z and w; the sum is positive inside.
    pub factors: [f32; 4],
}

impl UserPlane {
    /// The distance of a clip position.
    pub fn distance(&self, [x, y, z, w]: [f32; 4]) -> f32 {
        let [a, b, c, d] = self.factors;
        a * x + b * y + c * z + d * w
    }

    /// Planes in places that exported distances leave free, in order. `exported`: a bit for each distance that is in use.
    /// None where they are too few.
    pub fn beside(
        exported: u8,
        planes: impl IntoIterator<Item = [f32; 4]>,
    ) -> Option<Vec<UserPlane>> {
        let mut free = (0..8).filter(|n| exported >> n & 1 == 0);
        let planes = planes.into_iter().map(|factors| {
            let number = free.next()?;
            Some(UserPlane { number, factors })
        });
        planes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_take_what_is_free() {
        let planes = [[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 4.0, 8.0]];
        let placed = UserPlane::beside(0b101, planes).expect("six are free");
        assert_eq!(
            placed.iter().map(|plane| plane.number).collect::<Vec<_>>(),
            [1, 3]
        );
        assert_eq!(placed[1].distance([9.0, 0.5, -1.0, 0.25]), -1.0);
        assert_eq!(UserPlane::beside(0x7f, planes), None);
    }
}
