//! Filters a wave: positions, texels, weights and sums, mip level by mip level.

use super::footprint::Source;
use super::pairs::Grid;
use super::positions::{Place, Slices};
use super::room::{Reader, Room};
use super::stages::{self, AxisRule};
use super::sums::Share;
use super::{
    Address, Dim, Filter, LANES, Lanes, MipFilter, PreparedSampler, PreparedTexture, Reduction,
};
use crate::memory::Memory;
use host::SimdLevel;

/// Wave-uniform state across mip levels and probes.
pub(super) struct Wave<'a> {
    pub level: SimdLevel,
    pub memory: &'a Memory,
    pub texture: &'a PreparedTexture,
    pub sampler: &'a PreparedSampler,
    pub exec: u64,
    pub filter: Filter,
    /// Layer, or 6 * cube + face; `None` where all are 0 or the shape has none.
    pub slice: Option<Lanes>,
    pub offsets: Option<&'a Lanes>,
    pub reference: Option<Lanes>,
    /// Unpacked components that the result needs.
    pub needed: [bool; 4],
    /// On which axes texels may be outside, and what they are then.
    pub borders: [bool; 3],
    pub border: [u32; 4],
    /// Neighbour tables, if they apply.
    pub grid: Option<&'a Grid<'a>>,
}

/// What distinguishes one mip level of a wave.
#[derive(Clone, Copy)]
struct At<'a> {
    /// Level of each lane, and of all where it is the same.
    index: &'a [i32; LANES],
    uniform: Option<i32>,
    share: Share<'a>,
}

/// Address mode of an axis.
pub(super) fn mode(texture: &PreparedTexture, sampler: &PreparedSampler, axis: usize) -> Address {
    match texture.dim {
        Dim::Cube => Address::ClampToEdge,
        _ => sampler.sampler.address[axis],
    }
}

/// On which axes texels may be outside.
pub(super) fn borders(texture: &PreparedTexture, sampler: &PreparedSampler) -> [bool; 3] {
    use Address::{Border, HalfBorder, MirrorBorder, MirrorHalfBorder};
    [0, 1, 2].map(|axis| {
        axis < texture.dim.axes()
            && matches!(
                mode(texture, sampler, axis),
                Border | MirrorBorder | HalfBorder | MirrorHalfBorder
            )
    })
}

impl Wave<'_> {
    /// The component that gives result component `c`.
    pub fn source(&self, c: usize) -> usize {
        match self.reference {
            Some(_) => usize::from(self.texture.reads_second()),
            None => c,
        }
    }

    /// What reading takes.
    pub fn reader(&self) -> Reader<'_> {
        let mut words = [false; 4];
        for c in 0..4 {
            if self.needed[c]
                && let Some(word) = self.texture.decoder.word(self.source(c))
            {
                words[word & 3] = true;
            }
        }
        Reader {
            level: self.level,
            memory: self.memory,
            texture: self.texture,
            exec: self.exec,
            words,
        }
    }

    fn rule(&self, axis: usize) -> AxisRule {
        let sampler = &self.sampler.sampler;
        let blends = self.filter == Filter::Linear;
        let linear = match (axis, sampler.slices) {
            (2, Some(filter)) => filter == Filter::Linear,
            _ => blends,
        };
        AxisRule {
            mode: mode(self.texture, self.sampler, axis),
            linear,
            blends,
            weight_bits: self.sampler.precision.weight_bits,
            unnormalized: sampler.unnormalized,
        }
    }

    fn axis(&self, room: &mut Room, axis: usize, coords: &Lanes) {
        let rule = self.rule(axis);
        let (size_f, size) = (&room.levels.size_f[axis], &room.levels.size[axis]);
        let out = &mut room.axes[axis];
        if self.offsets.is_none() && !rule.unnormalized {
            stages::axis(self.level, rule, coords, size_f, size, out);
        } else {
            let rows = (coords, self.offsets, axis);
            stages::axis_general(self.level, rule, rows, size_f, size, out);
        }
    }

    /// Whether a wave's footprints are one texel.
    pub fn is_point(&self) -> bool {
        let slices = self.sampler.sampler.slices;
        let deep = self.texture.dim == Dim::D3 && slices == Some(Filter::Linear);
        self.filter == Filter::Nearest && !deep
    }

    /// Whether the result is a smallest or largest texel.
    pub fn reduces(&self) -> bool {
        self.sampler.sampler.reduction != Reduction::Average && self.reference.is_none()
    }

    /// Whether bytes are averaged.
    pub fn averages_bytes(&self) -> bool {
        self.texture.averages_bytes()
            && self.reference.is_none()
            && self.sampler.sampler.reduction == Reduction::Average
    }

    /// Filters one mip level whose texels a grid finds.
    fn grid_values(
        &self,
        grid: &Grid,
        coords: [&Lanes; 3],
        at: At,
        room: &mut Room,
        out: &mut [Lanes; 4],
    ) {
        let Room {
            extents,
            positions,
            axes,
            ..
        } = room;
        let extent;
        let source = match at.uniform {
            Some(index) => {
                extent = grid.extent(index);
                Source::Level(&extent)
            }
            None => {
                extents.fill(grid, at.index, 0);
                positions.carry(extents.carries());
                Source::Rows(extents)
            }
        };
        let count = self.texture.dim.axes();
        for number in 0..3 {
            let at = positions.cut(&grid.plane, number);
            if number < count {
                self.level.run(Place {
                    rule: self.rule(number),
                    number,
                    coords: coords[number],
                    offsets: self.offsets,
                    source,
                    at,
                    axis: &mut axes[number],
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
        room.flatten(count);
        let [across, down, slices] = room.axes.each_ref().map(|axis| axis.count);
        for k in 0..slices {
            let count = across * down;
            let (positions, words) = (&room.positions, &mut room.words);
            let plane = grid.plane_of(at.uniform);
            plane.rows(positions, k, count == 1, words);
            self.sum(room, count, k, at.share, out);
        }
    }

    /// Filters one mip level; `out` holds zeros, or the extremes so far.
    fn level_values(&self, coords: [&Lanes; 3], at: At, room: &mut Room, out: &mut [Lanes; 4]) {
        if let Some(grid) = self.grid {
            self.grid_values(grid, coords, at, room, out);
            return;
        }
        room.levels.fill(self.texture, at.index, at.uniform);
        for (axis, coords) in coords.into_iter().enumerate().take(self.texture.dim.axes()) {
            self.axis(room, axis, coords);
        }
        let reader = self.reader();
        room.look_up(reader, self.slice.as_ref());
        for k in 0..room.axes[2].count {
            let count = room.read(reader, k);
            self.sum(room, count, k, at.share, out);
        }
    }

    /// One filtered value per lane, as unpacked components.
    pub fn filtered(
        &self,
        coords: [&Lanes; 3],
        first: &[i32; LANES],
        mix: &Lanes,
        uniform: Option<i32>,
        room: &mut Room,
        out: &mut [Lanes; 4],
    ) {
        let beyond = self.beyond_faces(coords, first, mix, uniform);
        if self.exec != beyond {
            self.filter_inside(coords, first, mix, uniform, room, out);
        }
        if beyond != 0 {
            self.filter_beyond(beyond, coords, first, mix, room, out);
        }
    }

    /// The same for footprints that stay on their slice.
    fn filter_inside(
        &self,
        coords: [&Lanes; 3],
        first: &[i32; LANES],
        mix: &Lanes,
        uniform: Option<i32>,
        room: &mut Room,
        out: &mut [Lanes; 4],
    ) {
        let texture = self.texture;
        let last = texture.last_level;
        let mixes = mix.map(|m| m as i32);
        let mixed = self.sampler.sampler.mip == MipFilter::Linear
            && !stages::all_equal(self.level, self.exec, &mixes, 0);
        let mut near = [[0; LANES]; 4];
        let at = At {
            index: first,
            uniform,
            share: Share {
                mix: &[1; LANES],
                first: true,
            },
        };
        self.level_values(coords, at, room, &mut near);
        let mut far = None;
        if mixed {
            let at = At {
                index: &first.map(|l| (l + 1).min(last)),
                uniform: uniform.map(|l| (l + 1).min(last)),
                share: Share { mix, first: false },
            };
            if self.reduces() {
                self.level_values(coords, at, room, &mut near);
            } else {
                let values = far.insert([[0; LANES]; 4]);
                self.level_values(coords, at, room, values);
            }
        }
        self.finish(&near, far.as_ref(), mix, out);
    }

    /// Levels to values.
    pub fn finish(
        &self,
        near: &[Lanes; 4],
        far: Option<&[Lanes; 4]>,
        mix: &Lanes,
        out: &mut [Lanes; 4],
    ) {
        let exact = self.reduces() || self.is_point() && self.reference.is_none();
        for c in (0..4).filter(|&c| self.needed[c]) {
            if self.averages_bytes() {
                let byte = self.texture.byte_of(c);
                match far {
                    None => stages::finish_bytes(self.level, &near[byte], &mut out[c]),
                    Some(far) => {
                        let (near, far) = (&near[byte], &far[byte]);
                        stages::finish_byte_levels(self.level, near, far, mix, &mut out[c]);
                    }
                }
            } else {
                let far = far.map(|far| &far[c]);
                stages::finish_levels(self.level, &near[c], far, mix, exact, &mut out[c]);
            }
        }
    }
}
