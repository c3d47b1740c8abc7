//! Gathers of a batch of waves: coordinates at level 0 come in, one component of the 2x2 texels around them comes out, from
//! the window around each wave where it has one. The same bits as [`super::gather`].

use super::corners::corner_of;
use super::footprint::other_axes;
use super::kept::{Again, Kept, Of};
use super::pairs::Grid;
use super::quads::Common;
use super::repeats::Repeats;
use super::room::{Blocks, Bound};
use super::rules::OUTSIDE;
use super::scratch::{MAX_WAVES, Plain, Scratch, WaveFootprint};
use super::stages::{Axis, AxisRule};
use super::values::{How, Rows};
use super::wave::{borders, mode};
use super::{Dim, LANES, Lanes, Lod, Out, PreparedSampler, PreparedTexture};
use crate::fragment::mask;
use crate::memory::Memory;
use crate::memory::window::{Lookup, Window};
use crate::texture::format::Read;
use host::{Kernel, Rounding, SimdLevel};

/// What an instruction gathers.
#[derive(Clone, Copy, Debug)]
pub struct Gather {
    /// Of texels, as instructions see them.
    pub component: usize,
    /// A number that this texture with this sampler has alone.
    pub name: u64,
    /// Which gathers before and behind this one are at the same places.
    pub repeats: Repeats,
}

/// Gathers of a batch of waves that are half done: registers of coordinates may be written.
pub struct Gathers<'a> {
    level: SimdLevel,
    bound: Bound<'a>,
    grid: Grid<'a>,
    /// The component of a texel, and its word.
    source: usize,
    word: usize,
    compares: bool,
    count: usize,
    /// Its texels are known from the gather before.
    known: bool,
    /// The next gather may take its texels.
    keeps: bool,
}

impl Scratch {
    /// Finds the texels that a batch of up to [`MAX_WAVES`] waves gathers at level 0, as [`super::gather`] does. `None` if the
    /// waves must gather one by one: where a cube is filtered across its edges, where the component is a constant, and where no
    /// tables find texels.
    ///
    /// [`Gather::repeats`] says of the gathers before and behind what it says of samples in [`Scratch::begin_all`].
    pub fn begin_gathers<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        (texture, sampler): (&'a PreparedTexture, &'a PreparedSampler),
        gather: Gather,
        waves: &[Plain],
    ) -> Option<Gathers<'a>> {
        let Gather {
            component,
            name,
            repeats,
        } = gather;
        let compares = waves.first()?.reference.is_some();
        let plain = |wave: &Plain| {
            let first_level = matches!(wave.lod, Lod::Zero) && wave.lod_clamp.is_none();
            wave.reference.is_some() == compares && wave.face_ids.is_none() && first_level
        };
        let source = match texture.outputs[component & 3] {
            Read::Channel(_) if compares => usize::from(texture.reads_second()),
            Read::Channel(c) => usize::from(c),
            Read::Zero | Read::One => return None,
        };
        let seams = texture.dim == Dim::Cube && sampler.sampler.seamless;
        if seams || waves.len() > MAX_WAVES || !waves.iter().all(plain) {
            return None;
        }
        let grid = Grid::new(memory, texture, sampler)?;
        let keeps = repeats.before || repeats.later;
        let now = keeps.then(|| Of {
            name,
            count: waves.len(),
            rows: Plain::ends(waves),
        });
        let word = texture.decoder.word(source).unwrap_or(0) & 3;
        let before = self.kept.as_mut().and_then(|kept| kept.of.take());
        let before = before.filter(|(before, _)| repeats.before && now.as_ref() == Some(before));
        self.forget();
        if let Some(now) = now {
            self.kept.get_or_insert_with(Kept::none).of = Some((now, word));
        }
        self.room.blocks.start();
        if before.is_none() {
            level.run(Find {
                lookup: Lookup::of(level),
                grid: &grid,
                rules: [0, 1].map(|axis| AxisRule {
                    mode: mode(texture, sampler, axis),
                    linear: true,
                    blends: true,
                    weight_bits: 0,
                    unnormalized: false,
                }),
                bordered: borders(texture, sampler),
                waves,
                places: &mut self.places,
                axis: &mut self.room.axes[0],
            });
        }
        self.compare_with(level, texture, waves);
        Some(Gathers {
            level,
            bound: Bound {
                memory,
                texture,
                sampler,
            },
            grid,
            source,
            word,
            compares,
            count: waves.len(),
            known: before.is_some_and(|(_, of)| of == word),
            keeps,
        })
    }
}

impl Gathers<'_> {
    /// Writes the texels of enabled lanes to the rows of each wave: (0, 1), (1, 1), (1, 0), (0, 0).
    pub fn finish_all(self, scratch: &mut Scratch, outs: &mut [Out<'_>]) {
        let Bound {
            texture, sampler, ..
        } = self.bound;
        let lookup = Lookup::of(self.level);
        // A slice of a box is its first.
        let how = How {
            texels: 4,
            slices: 1,
            ..How::new(&self.grid, texture, sampler, lookup, self.compares)
        };
        let words = match &mut scratch.kept {
            Some(kept) if self.keeps => Some(&mut kept.words),
            _ => None,
        };
        if let (true, Some(words)) = (self.known, &words) {
            self.level.run(Again {
                how,
                source: self.source,
                places: &scratch.places[..self.count],
                words: &words[..],
                rows: &mut scratch.rows,
                outs,
            });
            return;
        }
        self.level.run(Take {
            how,
            words: words.map(|words| (self.word, words)),
            source: self.source,
            places: &scratch.places[..self.count],
            blocks: Blocks::of(self.level, self.bound, &mut scratch.room.blocks),
            windows: &mut scratch.windows,
            rows: &mut scratch.rows,
            outs,
        });
    }
}

struct Find<'a, 'b> {
    lookup: Lookup,
    grid: &'a Grid<'a>,
    rules: [AxisRule; 2],
    /// On which axes texels may be outside.
    bordered: [bool; 3],
    waves: &'a [Plain<'b>],
    places: &'a mut [WaveFootprint; MAX_WAVES],
    /// Numbers of texels, for borders.
    axis: &'a mut Axis,
}

impl Kernel for Find<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Find {
            lookup,
            grid,
            rules,
            bordered,
            waves,
            places,
            axis: numbers,
        } = self;
        let extent = grid.extent(0);
        let dim = grid.dim();
        for (wave, place) in waves.iter().zip(places) {
            place.exec = wave.exec;
            place.found = Common::FIRST;
            place.beyond = 0;
            let [footprint, _] = &mut place.footprint;
            footprint.outside = [[0; 2]; 3];
            if grid.varies() {
                footprint.at.carry(&[grid.join(0).carries(); LANES]);
            }
            for (axis, rule) in rules.into_iter().enumerate().take(dim.axes()) {
                let at = footprint.at.cut(&grid.plane, axis);
                let along = extent[axis];
                let rows = (wave.coords[axis], wave.offsets, axis);
                corner_of::<R>(rule, rows, |_| along, at, numbers);
                if bordered[axis] {
                    let [first, next] = &numbers.i;
                    footprint.outside[axis] = [
                        mask::collect(|l| first[l] == OUTSIDE),
                        mask::collect(|l| next[l] == OUTSIDE),
                    ];
                }
            }
            if dim == Dim::D3 {
                let mut at = footprint.at.cut(&grid.plane, 2);
                (0..LANES).for_each(|l| at.put(l, extent[2].1));
            }
            other_axes(grid, wave, footprint, |axis: usize| {
                let along = extent[axis];
                move |_| along
            });
            let deep = grid.plane.is_deep();
            footprint.at.span(lookup, wave.exec, deep);
        }
    }
}

struct Take<'a, 'o> {
    how: How<'a>,
    /// Which words of texels are kept, and where.
    words: Option<(usize, &'a mut [[Lanes; 4]; MAX_WAVES])>,
    source: usize,
    places: &'a [WaveFootprint],
    blocks: Option<Blocks<'a>>,
    /// Those of this wave and the one before.
    windows: &'a mut [[Window; 2]; 2],
    rows: &'a mut Rows,
    outs: &'a mut [Out<'o>],
}

impl Kernel for Take<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Take {
            how,
            mut words,
            source,
            places,
            mut blocks,
            windows,
            rows,
            outs,
        } = self;
        let count = places.len().min(outs.len());
        let mut before = false;
        // Windows are read one wave ahead, as in samples.
        for wave in 0..=count {
            let mut now = false;
            if wave < count {
                let place = &places[wave];
                [now, _] = how.ahead(&mut blocks, place, place.exec, &mut windows[wave & 1]);
            }
            let found = std::mem::replace(&mut before, now);
            if wave == 0 || places[wave - 1].exec == 0 {
                continue;
            }
            let (place, out) = (&places[wave - 1], &mut outs[wave - 1]);
            let window = found.then_some(&windows[(wave - 1) & 1][0]);
            if let Some((word, words)) = &mut words {
                let kept = &mut words[wave - 1];
                how.words_of::<R>(&mut blocks, (window, place), *word, rows, kept);
                how.give::<R>(place, source, (kept, rows), out);
                continue;
            }
            let plain =
                place.exec == u64::MAX && how.compare.is_none() && !place.footprint[0].has_border();
            if let (true, Some(window), [Some(a), Some(b), Some(c), Some(d)]) =
                (plain, window, &mut *out)
            {
                how.neighbours_to::<R>(window, source, rows, [&mut **d, c, a, b]);
                continue;
            }
            let texels = how.neighbours::<R>(&mut blocks, window, place, source, rows);
            for (row, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
                let Some(row) = row else { continue };
                mask::replace(place.exec, row, |l| texels[tap][l]);
            }
        }
    }
}
