//! Rows of inputs of fully covered tiles of a primitive, at pixel centres or one sample of each pixel, several tiles at
//! once. Same bits as the functions of [`super`] give for each.

use super::{CENTRES, CHUNK, Coefficients, Plane, Planes, SamplePositions, ScreenPlane};
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::tile::{LANE_X, LANE_Y};
use crate::texture::float::canonical;
use host::{Kernel, Rounding, SimdLevel};

/// Kinds of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Of attributes that are linear in space.
    Perspective,
    /// Of attributes that are linear on the screen.
    Linear,
}

/// Most tiles that [`tile_weights`] takes.
type TileRows<'a> = [Option<[&'a mut [u32; 64]; 2]>; MAX_BATCH];

struct TileWeights<'a, 'b> {
    planes: [&'a ScreenPlane; 3],
    places: &'a SamplePositions,
    weights: Weights,
    at: &'a [[i32; 2]],
    rows: &'a mut TileRows<'b>,
}

impl Kernel for TileWeights<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let [i, j, inv_w] = self.planes;
        for (&[x, y], rows) in self.at.iter().zip(self.rows) {
            let Some([out_i, out_j]) = rows else {
                continue;
            };
            let w = inv_w.tile(x, y);
            let (i, j) = (i.tile(x, y), j.tile(x, y));
            if self.weights == Weights::Linear || (&w).is_one() {
                // Quotients by 1 are the numerators.
                plane_row(i, self.places, out_i);
                plane_row(j, self.places, out_j);
            } else {
                quotient_rows([i, j, w], self.places, [out_i, out_j]);
            }
        }
    }
}

/// A plane at one place of each pixel of a tile: column and line terms apart, shared by its 4x4 blocks.
#[inline(always)]
fn across_and_down(plane: Plane, places: &SamplePositions) -> [[[f32; CHUNK]; 2]; 2] {
    let mut across = [[0.0; CHUNK]; 2];
    let mut down = [[0.0; CHUNK]; 2];
    for half in 0..2 {
        for lane in 0..CHUNK {
            across[half][lane] = plane.base + plane.dx * places.x[CHUNK * half + lane];
            down[half][lane] = plane.dy * places.y[2 * CHUNK * half + lane];
        }
    }
    [across, down]
}

/// Whether no sum of these can be NaN.
#[inline(always)]
fn is_tame(plane: Plane) -> bool {
    const FAR: f32 = 1e30;
    (plane.base.abs() < FAR) & (plane.dx.abs() < FAR) & (plane.dy.abs() < FAR)
}

#[inline(always)]
fn plane_row(plane: Plane, places: &SamplePositions, out: &mut [u32; 64]) {
    let [across, down] = across_and_down(plane, places);
    if is_tame(plane) {
        for block in 0..4 {
            let mut bits = [0; CHUNK];
            for lane in 0..CHUNK {
                bits[lane] = (across[block % 2][lane] + down[block / 2][lane]).to_bits();
            }
            out[CHUNK * block..][..CHUNK].copy_from_slice(&bits);
        }
    } else {
        for block in 0..4 {
            let mut bits = [0; CHUNK];
            for lane in 0..CHUNK {
                bits[lane] = canonical(across[block % 2][lane] + down[block / 2][lane]);
            }
            out[CHUNK * block..][..CHUNK].copy_from_slice(&bits);
        }
    }
}

#[inline(always)]
fn quotient_rows(
    [i, j, w]: [Plane; 3],
    places: &SamplePositions,
    [out_i, out_j]: [&mut [u32; 64]; 2],
) {
    let (i, j) = (across_and_down(i, places), across_and_down(j, places));
    let w = across_and_down(w, places);
    for block in 0..4 {
        let mut bits = [[0; CHUNK]; 2];
        for lane in 0..CHUNK {
            let w = w[0][block % 2][lane] + w[1][block / 2][lane];
            let i = i[0][block % 2][lane] + i[1][block / 2][lane];
            let j = j[0][block % 2][lane] + j[1][block / 2][lane];
            bits[0][lane] = canonical(i / w);
            bits[1][lane] = canonical(j / w);
        }
        out_i[CHUNK * block..][..CHUNK].copy_from_slice(&bits[0]);
        out_j[CHUNK * block..][..CHUNK].copy_from_slice(&bits[1]);
    }
}

/// i and j at one place of each pixel of several tiles of a primitive, as bit patterns: what `perspective` and `bits`
/// give.
#[inline]
pub fn tile_weights(
    level: SimdLevel,
    weights: Weights,
    planes: &Planes,
    (at, places): (&[[i32; 2]], &SamplePositions),
    rows: &mut TileRows,
) {
    let [i, j] = match weights {
        Weights::Perspective => [&planes.i_w, &planes.j_w],
        Weights::Linear => [&planes.i, &planes.j],
    };
    level.run(TileWeights {
        planes: [i, j, &planes.inv_w],
        places,
        weights,
        at,
        rows,
    });
}

/// A row of each of several waves.
pub type BatchRows<'a> = [Option<&'a mut [u32; 64]>; MAX_BATCH];

/// What [`tile_values`] gives of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Its value.
    Own,
    /// One over it.
    Reciprocal,
}

struct TileValues<'a, 'b> {
    plane: &'a ScreenPlane,
    places: &'a SamplePositions,
    value: Value,
    at: &'a [[i32; 2]],
    rows: &'a mut BatchRows<'b>,
}

impl Kernel for TileValues<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (&[x, y], out) in self.at.iter().zip(self.rows) {
            let Some(out) = out else { continue };
            let plane = self.plane.tile(x, y);
            match self.value {
                Value::Own => plane_row(plane, self.places, out),
                Value::Reciprocal => reciprocal_row(plane, self.places, out),
            }
        }
    }
}

#[inline(always)]
fn reciprocal_row(plane: Plane, places: &SamplePositions, out: &mut [u32; 64]) {
    let [across, down] = across_and_down(plane, places);
    for block in 0..4 {
        let mut bits = [0; CHUNK];
        for lane in 0..CHUNK {
            bits[lane] = canonical(1.0 / (across[block % 2][lane] + down[block / 2][lane]));
        }
        out[CHUNK * block..][..CHUNK].copy_from_slice(&bits);
    }
}

/// A plane at one place of each pixel of several tiles, as bit patterns.
#[inline]
pub fn tile_values(
    level: SimdLevel,
    value: Value,
    plane: &ScreenPlane,
    (at, places): (&[[i32; 2]], &SamplePositions),
    rows: &mut BatchRows,
) {
    level.run(TileValues {
        plane,
        places,
        value,
        at,
        rows,
    });
}

struct TilePositions<'a, 'b> {
    axis: usize,
    offset: f32,
    at: &'a [[i32; 2]],
    rows: &'a mut BatchRows<'b>,
}

impl Kernel for TilePositions<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let table = [&LANE_X, &LANE_Y][self.axis];
        for (at, out) in self.at.iter().zip(self.rows) {
            let Some(out) = out else { continue };
            let first = at[self.axis];
            for chunk in (0..64).step_by(CHUNK) {
                let mut bits = [0; CHUNK];
                for lane in 0..CHUNK {
                    let pixel = first + table[chunk + lane];
                    bits[lane] = (pixel as f32 + self.offset).to_bits();
                }
                out[chunk..chunk + CHUNK].copy_from_slice(&bits);
            }
        }
    }
}

/// Columns (axis 0) or lines (axis 1) of one place of each pixel of several tiles as float bits: `offset` from corners to
/// centres, plus that of the place.
#[inline]
pub fn tile_positions(
    level: SimdLevel,
    axis: usize,
    offset: f32,
    (at, places): (&[[i32; 2]], &SamplePositions),
    rows: &mut BatchRows,
) {
    let (place, centre) = match axis {
        0 => (places.x[0], CENTRES.x[0]),
        _ => (places.y[0], CENTRES.y[0]),
    };
    level.run(TilePositions {
        axis: axis.min(1),
        // In this order: what `position` does for each lane.
        offset: offset + (place - centre),
        at,
        rows,
    });
}
