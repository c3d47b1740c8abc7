//! Culls triangles before set-up, sixteen at a time: back faces, and those that miss every pixel centre. Conservative:
//! a culled triangle is never visible, by the exact numbers of set-up and rasteriser; one that passes may be.

use crate::geometry::setup::{Setup, Winding};
use host::per_level;

/// Triangles per culling step.
pub(crate) const SIEVED: usize = 16;

/// Extent in grid units below which products of coordinates fit 32 bits.
const SMALL: i32 = 1 << 13;

/// Corners of sixteen triangles, in grid units.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    /// Columns of the first, second and third corners.
    pub(crate) x: [[i32; SIEVED]; 3],
    /// Lines.
    pub(crate) y: [[i32; SIEVED]; 3],
}

/// Verdicts on sixteen triangles, mostly one bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sieved {
    /// Survivors, conservatively: front or kept face, with area, inside the scissor, on some pixel centre.
    pub(crate) passes: u32,
    /// Triangles whose verdict is exact: set-up keeps the survivors among them, so [`Setup::shown`] may take those.
    pub(crate) certain: u32,
    /// Front facing, valid for the certain ones.
    pub(crate) front: u32,
    /// As in [`crate::geometry::setup::Primitive`].
    pub(crate) coverage_2x2: [u8; SIEVED],
}

per_level! {
    /// Looks at sixteen triangles.
    pub(crate) fn cull<'a>(setup: &'a Setup, corners: &'a Corners, out: &'a mut Sieved) {
        let (bits, unit) = (setup.grid.bits, setup.grid.unit());
        let half = unit / 2;
        let (before, after) = if setup.multisampled { (0, 0) } else { (unit - 1 - half, half) };
        let clockwise = setup.front == Winding::Clockwise;
        // Of positive and of negative areas.
        let (culls_more, culls_less) = if clockwise {
            (setup.cull_front, setup.cull_back)
        } else {
            (setup.cull_back, setup.cull_front)
        };
        let scissor = setup.scissor;
        let Corners { x, y } = corners;
        let mut passes = [0u32; SIEVED];
        let mut certain = [0u32; SIEVED];
        let mut fronts = [0u32; SIEVED];
        let mut inside = [0u32; SIEVED];
        for i in 0..SIEVED {
            let (left, right) = (x[0][i].min(x[1][i]).min(x[2][i]), x[0][i].max(x[1][i]).max(x[2][i]));
            let (top, bottom) = (y[0][i].min(y[1][i]).min(y[2][i]), y[0][i].max(y[1][i]).max(y[2][i]));
            let small = (right.wrapping_sub(left) < SMALL) & (bottom.wrapping_sub(top) < SMALL);
            let (ax, ay) = (x[1][i].wrapping_sub(x[0][i]), y[1][i].wrapping_sub(y[0][i]));
            let (bx, by) = (x[2][i].wrapping_sub(x[0][i]), y[2][i].wrapping_sub(y[0][i]));
            let area = ax.wrapping_mul(by).wrapping_sub(bx.wrapping_mul(ay));
            let culled = (area == 0) | (culls_more & (area > 0)) | (culls_less & (area < 0));
            let x0 = left.wrapping_add(before) >> bits;
            let y0 = top.wrapping_add(before) >> bits;
            let x1 = (right.wrapping_sub(after) >> bits) + 1;
            let y1 = (bottom.wrapping_sub(after) >> bits) + 1;
            let outside = (x0.max(scissor.x0) >= x1.min(scissor.x1))
                | (y0.max(scissor.y0) >= y1.min(scissor.y1));
            // At most 2x2 pixel centres in the bounds; all others are outside.
            let few = (x1 - x0 <= 2) & (y1 - y0 <= 2) & !setup.multisampled;
            let sign = if area < 0 { -1 } else { 1 };
            let (px, py) = (x0.wrapping_mul(unit).wrapping_add(half), y0.wrapping_mul(unit).wrapping_add(half));
            let mut outs = [0i32; 4];
            for k in 0..3 {
                let (from, to) = ((k + 1) % 3, (k + 2) % 3);
                let a = y[from][i].wrapping_sub(y[to][i]).wrapping_mul(sign);
                let b = x[to][i].wrapping_sub(x[from][i]).wrapping_mul(sign);
                let owned = (a > 0) | ((a == 0) & (b > 0));
                let at = a
                    .wrapping_mul(px.wrapping_sub(x[from][i]))
                    .wrapping_add(b.wrapping_mul(py.wrapping_sub(y[from][i])))
                    .wrapping_sub(i32::from(!owned));
                let (across, down) = (a.wrapping_mul(unit), b.wrapping_mul(unit));
                outs[0] |= at;
                outs[1] |= at.wrapping_add(across);
                outs[2] |= at.wrapping_add(down);
                outs[3] |= at.wrapping_add(across).wrapping_add(down);
            }
            // Negative if one edge excludes all points.
            let between = few & (outs[0] & outs[1] & outs[2] & outs[3] < 0);
            passes[i] = u32::from(!small | !(culled | outside | between));
            certain[i] = u32::from(small);
            fronts[i] = u32::from((area > 0) == clockwise);
            let known = if small & few { 0xf } else { 0 };
            let bit = |k: usize| u32::from(outs[k] >= 0) << k;
            inside[i] = (bit(0) | bit(1) | bit(2) | bit(3)) & known;
        }
        for (coverage_2x2, inside) in out.coverage_2x2.iter_mut().zip(&inside) {
            *coverage_2x2 = *inside as u8;
        }
        let [mut set, mut sure, mut front] = [0; 3];
        for i in 0..SIEVED {
            set |= passes[i] << i;
            sure |= certain[i] << i;
            front |= fronts[i] << i;
        }
        out.passes = set;
        out.certain = sure;
        out.front = front;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::fragment::multisample::Samples;
    use crate::fragment::raster::{Coverage, rasterize};
    use crate::fragment::tile::Rect;
    use crate::geometry::setup::{Bias, BiasUnit, Grid, Primitive, Projected};
    use host::SimdLevel;
    use proptest::prelude::*;

    fn check(setup: &Setup, triangles: &[[(i32, i32); 3]; SIEVED]) {
        let mut corners = Corners {
            x: [[0; SIEVED]; 3],
            y: [[0; SIEVED]; 3],
        };
        for (i, triangle) in triangles.iter().enumerate() {
            for (k, (x, y)) in triangle.iter().enumerate() {
                (corners.x[k][i], corners.y[k][i]) = (*x, *y);
            }
        }
        for level in SimdLevel::available() {
            let mut sieved = Sieved::default();
            cull(level, setup, &corners, &mut sieved);
            for (i, triangle) in triangles.iter().enumerate() {
                let projected = triangle.map(|(x, y)| Projected {
                    x,
                    y,
                    z: 0.5,
                    inv_w: 1.0,
                });
                let primitive = setup.triangle(projected, 0);
                let mut coverage = Coverage::default();
                if let Some(primitive) = &primitive {
                    rasterize(
                        level,
                        setup.grid,
                        primitive,
                        setup.scissor,
                        &Samples::ONE,
                        &mut coverage,
                    );
                }
                let shows = match setup.multisampled {
                    true => primitive.is_some(),
                    false => !coverage.tiles.is_empty(),
                };
                let of = |set: u32| set >> i & 1 == 1;
                if of(sieved.passes & sieved.certain) {
                    let front = of(sieved.front);
                    let mut shown = Primitive::UNSET;
                    setup.show(&mut shown, projected.each_ref(), 0, front);
                    assert_eq!(primitive, Some(shown));
                }
                if let Some(mut primitive) = primitive
                    && sieved.coverage_2x2[i] != 0
                {
                    primitive.coverage_2x2 = sieved.coverage_2x2[i];
                    let mut by_dots = Coverage::default();
                    rasterize(
                        level,
                        setup.grid,
                        &primitive,
                        setup.scissor,
                        &Samples::ONE,
                        &mut by_dots,
                    );
                    assert_eq!(by_dots, coverage, "{triangle:?}");
                }
                let passes = of(sieved.passes);
                assert!(passes || !shows, "{triangle:?} shows something");
                // Small triangles: the answer is exact.
                let extent = |v: [i32; 3]| v.iter().max().unwrap() - v.iter().min().unwrap();
                let (width, height) =
                    (extent(triangle.map(|p| p.0)), extent(triangle.map(|p| p.1)));
                let unit = setup.grid.unit();
                if width.max(height) < unit && setup.scissor.x1 > 100 {
                    assert_eq!(passes, shows, "{triangle:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn only_what_shows_nothing_is_dropped(
            origin in proptest::array::uniform16((-2000i32..40_000, -2000i32..40_000)),
            corners in proptest::array::uniform16(proptest::array::uniform3((-700i32..700, -700i32..700))),
            zoom in 0u32..7,
            cull in 0u32..4,
            clockwise: bool,
            multisampled: bool,
            wide: bool,
            biased: bool,
            finer in prop_oneof![Just(0u32), Just(2), Just(4)],
        ) {
            let triangles = std::array::from_fn(|i| corners[i].map(|(x, y)| {
                let [x, y] = [x, y].map(|at| (at << finer) >> zoom);
                ((origin[i].0 << finer) + x, (origin[i].1 << finer) + y)
            }));
            let setup = Setup {
                grid: Grid::new(8 + finer),
                front: if clockwise { Winding::Clockwise } else { Winding::CounterClockwise },
                cull_front: cull & 1 != 0,
                cull_back: cull & 2 != 0,
                bias: biased.then_some(Bias {
                    constant: 3.0,
                    slope: 1.5,
                    clamp: 0.0,
                    unit: BiasUnit::Unorm(24),
                }),
                multisampled,
                scissor: if wide { Rect::new(-100, -100, 400, 400) } else { Rect::new(20, 30, 60, 50) },
            };
            check(&setup, &triangles);
        }
    }
}
