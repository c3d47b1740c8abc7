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
        // No closures: those that are not inlined have only the host's least instructions.
        let [i, j, w] = self.planes;
        let i = InTiles::new(i, self.places, self.at);
        let j = InTiles::new(j, self.places, self.at);
        let w = InTiles::new(w, self.places, self.at);
        for (tile, rows) in self.rows.iter_mut().take(self.at.len()).enumerate() {
            let Some([out_i, out_j]) = rows else {
                continue;
            };
            if self.weights == Weights::Linear || w.is_one(tile) {
                // Quotients by 1 are the numerators.
                i.row(tile, out_i);
                j.row(tile, out_j);
            } else {
                quotient_rows([&i, &j, &w], tile, [out_i, out_j]);
            }
        }
    }
}

/// A plane at one place of each pixel of several tiles: what tiles have in common is worked out once.
struct InTiles {
    /// At the centre of the first pixel of each tile.
    base: [f32; MAX_BATCH],
    /// Steps per column and line.
    steps: [f32; 2],
    /// Column terms without the base, and line terms, shared by the 4x4 blocks of a tile.
    across: [[f32; CHUNK]; 2],
    down: [[f32; CHUNK]; 2],
    /// No sum of these can be NaN.
    tame: bool,
}

impl InTiles {
    #[inline(always)]
    fn new(plane: &ScreenPlane, places: &SamplePositions, at: &[[i32; 2]]) -> InTiles {
        const FAR: f32 = 1e30;
        let steps = [plane.dx as f32, plane.dy as f32];
        let mut tiles = InTiles {
            base: [0.0; MAX_BATCH],
            steps,
            across: [[0.0; CHUNK]; 2],
            down: [[0.0; CHUNK]; 2],
            tame: (steps[0].abs() < FAR) & (steps[1].abs() < FAR),
        };
        for (base, &[x, y]) in tiles.base.iter_mut().zip(at) {
            *base = plane.tile(x, y).base;
        }
        let mut far = 0;
        for base in &tiles.base {
            // NaN as well.
            far |= u32::from(base.abs().to_bits() >= FAR.to_bits());
        }
        tiles.tame &= far == 0;
        for half in 0..2 {
            for lane in 0..CHUNK {
                tiles.across[half][lane] = steps[0] * places.x[CHUNK * half + lane];
                tiles.down[half][lane] = steps[1] * places.y[2 * CHUNK * half + lane];
            }
        }
        tiles
    }

    /// Whether the plane is 1 all over a tile.
    #[inline(always)]
    fn is_one(&self, tile: usize) -> bool {
        let [dx, dy] = self.steps;
        let base = self.base[tile];
        (&Plane { base, dx, dy }).is_one()
    }

    /// Column terms of a tile.
    #[inline(always)]
    fn columns(&self, tile: usize) -> [[f32; CHUNK]; 2] {
        let mut across = self.across;
        for half in &mut across {
            for term in half {
                *term += self.base[tile];
            }
        }
        across
    }

    /// Its values in a tile.
    #[inline(always)]
    fn row(&self, tile: usize, out: &mut [u32; 64]) {
        let (across, down) = (self.columns(tile), &self.down);
        if self.tame {
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

    /// One over them.
    #[inline(always)]
    fn reciprocals(&self, tile: usize, out: &mut [u32; 64]) {
        let (across, down) = (self.columns(tile), &self.down);
        for block in 0..4 {
            let mut bits = [0; CHUNK];
            for lane in 0..CHUNK {
                bits[lane] = canonical(1.0 / (across[block % 2][lane] + down[block / 2][lane]));
            }
            out[CHUNK * block..][..CHUNK].copy_from_slice(&bits);
        }
    }
}

/// Quotients of the first two planes and the third one in a tile.
#[inline(always)]
fn quotient_rows([i, j, w]: [&InTiles; 3], tile: usize, [out_i, out_j]: [&mut [u32; 64]; 2]) {
    let (i, i_down) = (i.columns(tile), &i.down);
    let (j, j_down) = (j.columns(tile), &j.down);
    let (w, w_down) = (w.columns(tile), &w.down);
    for block in 0..4 {
        let mut bits = [[0; CHUNK]; 2];
        for lane in 0..CHUNK {
            let w = w[block % 2][lane] + w_down[block / 2][lane];
            let i = i[block % 2][lane] + i_down[block / 2][lane];
            let j = j[block % 2][lane] + j_down[block / 2][lane];
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
        let plane = InTiles::new(self.plane, self.places, self.at);
        for (tile, out) in self.rows.iter_mut().take(self.at.len()).enumerate() {
            let Some(out) = out else { continue };
            match self.value {
                Value::Own => plane.row(tile, out),
                Value::Reciprocal => plane.reciprocals(tile, out),
            }
        }
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
