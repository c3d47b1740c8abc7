//! Four nearest texels of each lane by four pairs of coordinates, for programs that compare or weigh texels themselves:
//! columns u0 and u1, lines v0 and v1 come in, one component of the texels comes out. They are read as the footprint of a
//! linear filter where the second column and line are those behind the first, in all lanes; else nothing is done.

use super::footprint::{Footprint, Rules, find_with};
use super::pairs::Grid;
use super::path::{Kind, Path, fast_path, rules};
use super::quads::Common;
use super::scratch::{MAX_WAVES, Plain, Scratch, WaveFootprint};
use super::values::{How, Rows};
use super::{Dim, Filter, LANES, Lanes, MipFilter, Out, PreparedSampler, PreparedTexture, wave};
use crate::fragment::mask;
use crate::memory::Memory;
use crate::memory::window::{Lookup, Window};
use crate::texture::format::Read;
use host::{Kernel, Rounding, SimdLevel};

/// Four lookups of a wave.
#[derive(Clone, Copy, Debug)]
pub struct Square<'a> {
    /// Lanes that want texels.
    pub exec: u64,
    /// Coordinates of both columns and both lines, from 0 to 1.
    pub coords: [[&'a Lanes; 2]; 2],
}

impl Square<'_> {
    /// Of no lane.
    pub const NONE: Square<'static> = Square {
        exec: 0,
        coords: [[&[0; LANES]; 2]; 2],
    };

    fn corner(&self, n: usize) -> Plain<'_> {
        let [[u0, u1], [v0, v1]] = self.coords;
        Plain {
            exec: self.exec,
            coords: [[u0, v0, v0], [u1, v1, v1]][n],
            ..Plain::NONE
        }
    }
}

/// Four lookups of a batch of waves that are half done.
pub struct Squares<'a> {
    level: SimdLevel,
    grid: Grid<'a>,
    texture: &'a PreparedTexture,
    sampler: &'a PreparedSampler,
    component: usize,
    count: usize,
}

impl Scratch {
    /// Finds component `select` of the texels of up to [`MAX_WAVES`] waves, at level 0 of a flat texture whose sampler takes
    /// the nearest texel. `None` if the lookups must be made one by one.
    pub fn begin_squares<'a>(
        &mut self,
        level: SimdLevel,
        memory: &'a Memory,
        (texture, sampler): (&'a PreparedTexture, &'a PreparedSampler),
        select: usize,
        waves: &[Square],
    ) -> Option<Squares<'a>> {
        let s = &sampler.sampler;
        let flat = texture.last_level == 0 || s.mip == MipFilter::None;
        let plain = flat
            && texture.dim == Dim::D2
            && s.min == Filter::Nearest
            && wave::borders(texture, sampler) == [false; 3]
            && fast_path(texture, sampler, false) == Path::Batch;
        let Read::Channel(component) = texture.outputs[select & 3] else {
            return None;
        };
        let grid = plain
            .then(|| Grid::new(memory, texture, sampler))
            .flatten()?;
        if grid.plane.is_blocks()
            || grid.plane.is_deep()
            || grid.varies()
            || waves.len() > MAX_WAVES
        {
            return None;
        }
        let rules = rules(&grid, sampler, Kind::Values { compares: false });
        self.forget();
        let found = level.run(Find {
            lookup: Lookup::of(level),
            grid: &grid,
            rules: &rules,
            waves,
            places: &mut self.places,
        });
        found.then_some(Squares {
            level,
            grid,
            texture,
            sampler,
            component: usize::from(component),
            count: waves.len(),
        })
    }
}

impl Squares<'_> {
    /// Writes the texels of enabled lanes: those of the first line, left to right, then those of the second.
    pub fn finish(self, scratch: &mut Scratch, outs: &mut [Out<'_>]) {
        let lookup = Lookup::of(self.level);
        let how = How::new(&self.grid, self.texture, self.sampler, lookup, false);
        self.level.run(Take {
            how: How { texels: 4, ..how },
            component: self.component,
            places: &scratch.places[..self.count],
            windows: &mut scratch.windows[0],
            rows: &mut scratch.rows,
            outs,
        });
    }
}

struct Find<'a, 'b> {
    lookup: Lookup,
    grid: &'a Grid<'a>,
    rules: &'a Rules,
    waves: &'a [Square<'b>],
    places: &'a mut [WaveFootprint; MAX_WAVES],
}

impl Kernel for Find<'_, '_> {
    type Output = bool;
    #[inline(always)]
    fn run<R: Rounding>(self) -> bool {
        let Find {
            lookup,
            grid,
            rules,
            waves,
            places,
        } = self;
        let extent = grid.extent(0);
        for (wave, place) in waves.iter().zip(places) {
            place.exec = wave.exec;
            place.found = Common::uniform(0, 0);
            place.beyond = 0;
            let [first, second] = &mut place.footprint;
            for (n, footprint) in [&mut *first, second].into_iter().enumerate() {
                find_with::<R, _>(grid, rules, &wave.corner(n), footprint, |axis: usize| {
                    let along = extent[axis];
                    move |_| along
                });
            }
            let [Footprint { at: first, .. }, Footprint { at: second, .. }] = &place.footprint;
            if second.not_behind(first) & wave.exec != 0 {
                return false;
            }
            let deep = grid.plane.is_deep();
            place.footprint[0].at.span(lookup, wave.exec, deep);
        }
        true
    }
}

struct Take<'a, 'o> {
    how: How<'a>,
    component: usize,
    places: &'a [WaveFootprint],
    windows: &'a mut [Window; 2],
    rows: &'a mut Rows,
    outs: &'a mut [Out<'o>],
}

impl Kernel for Take<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Take {
            how,
            component,
            places,
            windows,
            rows,
            outs,
        } = self;
        for (place, out) in places.iter().zip(outs) {
            if place.exec == 0 {
                continue;
            }
            let [found, _] = how.ahead(&mut None, place, place.exec, windows);
            let window = found.then_some(&windows[0]);
            let texels = how.neighbours::<R>(&mut None, window, place, component, rows);
            for (row, texels) in out.iter_mut().zip(texels) {
                let Some(row) = row else { continue };
                mask::replace(place.exec, row, |l| texels[l]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{PLAIN, PRECISION, texture};
    use super::super::*;
    use super::*;

    const SIZE: [u32; 2] = [29, 17];
    const EXEC: [u64; 3] = [u64::MAX, 0xffff_0ff1_8421_7777, 0];

    /// Numbers that look random.
    fn number(seed: &mut u32) -> u32 {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *seed >> 8
    }

    /// Centres of a row of texels and of those `step` texels on, from `first` on.
    fn centres(seed: &mut u32, size: u32, (first, most): (i32, u32), step: f32) -> [Lanes; 2] {
        let near: [f32; LANES] =
            std::array::from_fn(|_| (first + (number(seed) % most) as i32) as f32 + 0.5);
        let texel = 1.0 / size as f32;
        let row = |by: f32| near.map(|at| ((at + by) * texel).to_bits());
        [row(0.0), row(step)]
    }

    /// Both ways of four lookups in three waves; whether the texels were found at once.
    fn check(
        memory: &Memory,
        texture: &PreparedTexture,
        sampler: &PreparedSampler,
        (waves, select): (&[[[Lanes; 2]; 2]; 3], usize),
    ) -> bool {
        let mut found = false;
        for level in SimdLevel::available() {
            let mut scratch = Scratch::default();
            let requests: [Square; 3] = std::array::from_fn(|n| {
                let [[u0, u1], [v0, v1]] = &waves[n];
                Square {
                    exec: EXEC[n],
                    coords: [[u0, u1], [v0, v1]],
                }
            });
            let bound = (texture, sampler);
            let begun = scratch.begin_squares(level, memory, bound, select, &requests);
            let Some(begun) = begun else { continue };
            found = true;
            let mut got = [[[7; LANES]; 4]; 3];
            let mut outs: Vec<Out> = got.iter_mut().map(|got| got.each_mut().map(Some)).collect();
            begun.finish(&mut scratch, &mut outs);
            for ((got, request), exec) in got.iter().zip(&requests).zip(EXEC) {
                let [[u0, u1], [v0, v1]] = request.coords;
                let places = [[u0, v0], [u1, v0], [u0, v1], [u1, v1]];
                for (got, [u, v]) in got.iter().zip(places) {
                    let mut expected = [[7; LANES]; 4];
                    let request = Request {
                        exec,
                        coords: [u, v, v],
                        layer: None,
                        lod: Lod::Zero,
                        lod_clamp: None,
                        reference: None,
                        offsets: None,
                    };
                    reference::sample(memory, texture, sampler, &request, &mut expected);
                    assert_eq!(
                        *got,
                        expected[select],
                        "{:?} {}",
                        texture.format,
                        level.name()
                    );
                }
            }
        }
        found
    }

    fn nearest(mode: Address) -> PreparedSampler {
        let sampler = Sampler {
            address: [mode; 3],
            mag: Filter::Nearest,
            min: Filter::Nearest,
            ..PLAIN
        };
        PreparedSampler::new(sampler, PRECISION)
    }

    #[test]
    fn neighbours_are_four_lookups() {
        use crate::Format::*;
        let memory = Memory::new(1 << 18);
        let mut seed = 5;
        for format in [
            R8G8B8A8Unorm,
            R8Unorm,
            R16Unorm,
            R32Float,
            R16G16B16A16Float,
            D24UnormS8Uint,
        ] {
            let [width, height] = SIZE;
            let mut fill = || number(&mut seed) as u8;
            let t = texture(
                &memory,
                Dim::D2,
                format,
                [width, height, 1],
                1,
                1,
                &mut fill,
            );
            let texture = PreparedTexture::new(&t).unwrap();
            let select =
                (format.channels().len() - 1).min(1) * usize::from(format != D24UnormS8Uint);
            for mode in [Address::Repeat, Address::ClampToEdge, Address::Mirror] {
                // Close to each other, as a window has them, and anywhere.
                for most in [5, 15] {
                    let waves = std::array::from_fn(|_| {
                        [
                            centres(&mut seed, width, (3, most), 1.0),
                            centres(&mut seed, height, (1, most), 1.0),
                        ]
                    });
                    let at_once = check(&memory, &texture, &nearest(mode), (&waves, select));
                    assert!(at_once, "{format:?} {mode:?}");
                }
            }
        }
    }

    /// Columns that are apart, edges where both are one, borders and levels are looked up one by one.
    #[test]
    fn others_are_not() {
        let memory = Memory::new(1 << 18);
        let (mut seed, [width, height]) = (9, SIZE);
        let size = [width, height, 1];
        let mut fill = || 1;
        let t = texture(
            &memory,
            Dim::D2,
            crate::Format::R8Unorm,
            size,
            1,
            1,
            &mut fill,
        );
        let texture = PreparedTexture::new(&t).unwrap();
        let mut waves = |first: i32, step: f32| {
            std::array::from_fn(|_| {
                [
                    centres(&mut seed, width, (first, 9), step),
                    centres(&mut seed, height, (2, 9), 1.0),
                ]
            })
        };
        let clamp = nearest(Address::ClampToEdge);
        for (first, step) in [(3, 2.0), (3, 0.0), (3, -1.0), (width as i32 - 5, 1.0)] {
            let waves = waves(first, step);
            assert!(
                !check(&memory, &texture, &clamp, (&waves, 0)),
                "{first} {step}"
            );
        }
        let inside = waves(3, 1.0);
        assert!(check(&memory, &texture, &clamp, (&inside, 0)));
        assert!(!check(
            &memory,
            &texture,
            &nearest(Address::Border),
            (&inside, 0)
        ));
        // Green of one component is a constant.
        assert!(!check(&memory, &texture, &clamp, (&inside, 1)));
        let linear = PreparedSampler::new(PLAIN, PRECISION);
        assert!(!check(&memory, &texture, &linear, (&inside, 0)));
    }
}
