//! Gathers 64 lanes at a time: the same bits as [`super::reference::gather`].

use super::corners::{self, Corner};
use super::footprint::Source;
use super::pairs::Grid;
use super::positions::Slices;
use super::room::{Bound, Room};
use super::rows::{clamped_references, details, slices};
use super::stages::{self, Axis, AxisRule};
use super::wave::{Wave, borders, mode};
use super::{Filter, LANES, Lanes, Lod, MipFilter, Request};
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// Gathers component `component` at a SIMD level.
pub(super) fn gather(
    level: SimdLevel,
    room: &mut Room,
    bound: Bound,
    request: &Request,
    component: usize,
    out: &mut [Lanes; 4],
) {
    let Bound {
        memory,
        texture,
        sampler,
    } = bound;
    let s = &sampler.sampler;
    let compared = request.reference.is_some();
    let one = match compared {
        true => Class::Float,
        false => texture.class,
    };
    let source = match texture.outputs[component & 3] {
        Read::Channel(_) if compared => usize::from(texture.reads_second()),
        Read::Channel(c) => c as usize,
        constant => {
            let value = if constant == Read::One { one.one() } else { 0 };
            for out in out {
                stages::merge(level, request.exec, &[value; LANES], out);
            }
            return;
        }
    };
    let mut needed = [false; 4];
    needed[source] = true;
    room.blocks.start();
    let grid = Grid::new(memory, texture, sampler);
    let wave = Wave {
        level,
        memory,
        texture,
        sampler,
        exec: request.exec,
        filter: Filter::Linear,
        slice: slices(level, texture, request),
        offsets: request.offsets,
        reference: clamped_references(level, texture, request),
        needed,
        borders: borders(texture, sampler),
        border: texture.border(s.border),
        grid: grid.as_ref(),
    };
    let mut index = [0; LANES];
    let mipped = s.mip != MipFilter::None && !matches!(request.lod, Lod::Zero);
    if mipped && let Some(details) = details(level, texture, sampler, request) {
        let (mip, last) = (MipFilter::Nearest, texture.last_level);
        stages::select_levels(level, mip, &details.lod, last, &mut index, &mut [0; LANES]);
    }
    let lead = index[request.exec.trailing_zeros() as usize % LANES];
    let same = stages::all_equal(level, request.exec, &index, lead);
    let uniform = same.then_some(lead);
    let beyond = wave.beyond_faces(request.coords, &index, &[0; LANES], uniform);
    if beyond != request.exec {
        wave.gather_inside(room, request, source, (&index, uniform), out);
    }
    if beyond != 0 {
        wave.gather_beyond(beyond, request.coords, &index, room, source, out);
    }
}

impl Wave<'_> {
    /// Gathers texels of the slice of each lane.
    fn gather_inside(
        &self,
        room: &mut Room,
        request: &Request,
        source: usize,
        (index, uniform): (&[i32; LANES], Option<i32>),
        out: &mut [Lanes; 4],
    ) {
        let count = match self.grid {
            Some(grid) => self.corners_by_tables(grid, room, request, (index, uniform)),
            None => self.corners(room, request, (index, uniform)),
        };
        self.texels(room, source);
        // (0, 1), (1, 1), (1, 0), (0, 0)
        for (out, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
            stages::merge(self.level, request.exec, &room.values[tap % count], out);
        }
    }

    /// How an axis of texels is addressed.
    fn corner_rule(&self, axis: usize) -> AxisRule {
        AxisRule {
            mode: mode(self.texture, self.sampler, axis),
            linear: true,
            blends: true,
            weight_bits: 0,
            unnormalized: self.sampler.sampler.unnormalized,
        }
    }

    /// Reads the texels that neighbour tables find; returns how many there are.
    fn corners_by_tables(
        &self,
        grid: &Grid,
        room: &mut Room,
        request: &Request,
        (index, uniform): (&[i32; LANES], Option<i32>),
    ) -> usize {
        let Room {
            extents,
            positions,
            axes,
            words,
            ..
        } = room;
        let extent;
        let source = match uniform {
            Some(index) => {
                extent = grid.extent(index);
                Source::Level(&extent)
            }
            None => {
                extents.fill(grid, index, 0);
                positions.carry(extents.carries());
                Source::Rows(extents)
            }
        };
        // A slice of a box is its first.
        let count = self.texture.dim.axes().min(2);
        for (number, axis) in axes.iter_mut().enumerate() {
            let at = positions.cut(&grid.plane, number);
            if number < count {
                self.level.run(Corner {
                    rule: self.corner_rule(number),
                    number,
                    coords: request.coords[number],
                    offsets: request.offsets,
                    source,
                    at,
                    axis,
                });
            } else if number < 2 || grid.plane.is_deep() {
                self.level.run(Slices {
                    number,
                    slice: self.slice.as_ref().filter(|_| number == 2),
                    source,
                    at,
                });
            }
        }
        corners::read(self.level, &grid.plane_of(uniform), positions, words);
        let bound = Bound {
            memory: self.memory,
            texture: self.texture,
            sampler: self.sampler,
        };
        room.decode(self.level, bound, 4);
        room.flatten(count);
        4
    }

    /// Reads the texels whose addresses are computed; returns how many there are.
    fn corners(
        &self,
        room: &mut Room,
        request: &Request,
        (index, uniform): (&[i32; LANES], Option<i32>),
    ) -> usize {
        let (level, texture) = (self.level, self.texture);
        room.levels.fill(texture, index, uniform);
        for axis in 0..texture.dim.axes().min(2) {
            let rule = self.corner_rule(axis);
            let (size_f, size) = (&room.levels.size_f[axis], &room.levels.size[axis]);
            let rows = (request.coords[axis], request.offsets, axis);
            stages::gather_axis(level, rule, rows, (size_f, size), &mut room.axes[axis]);
        }
        room.axes[2] = Axis::UNIT;
        let reader = self.reader();
        room.look_up(reader, self.slice.as_ref());
        room.read(reader, 0)
    }
}
