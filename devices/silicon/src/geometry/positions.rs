//! What vertex shaders export as positions. In: exported rows. Out: rows of clip space.

/// What the positions of vertices are; clip positions if nothing is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// x and y are divided by w.
    pub xy_divided: bool,
    /// z is.
    pub z_divided: bool,
    /// w is 1 / w.
    pub inverse_w: bool,
}

impl Positions {
    /// Brings them to clip space, where they are clipped.
    pub(super) fn clip(self, [x, y, z, w]: &mut [[f32; 64]; 4]) {
        if self.inverse_w {
            for w in &mut *w {
                *w = 1.0 / *w;
            }
        }
        let divided = [
            (x, self.xy_divided),
            (y, self.xy_divided),
            (z, self.z_divided),
        ];
        for (row, _) in divided.into_iter().filter(|(_, divided)| *divided) {
            for (value, w) in row.iter_mut().zip(&*w) {
                *value *= w;
            }
        }
    }
}
