//! How colour and depth blocks reach the texels of a surface: whole 8x8 tiles, or one address per lane.
//!
//! Offsets along x and y are tables made once per shape of surface. In thin micro tiles the 64 texels of a tile lie
//! together in lane order, so a tile is a row of memory; other orders are gathered lane by lane.

use std::collections::HashMap;
use std::sync::Arc;

use silicon::Memory;
use silicon::interpolate::lanes;
use silicon::sample::Lanes;
use silicon::tile::{LANE_X, LANE_Y, Rect};

use crate::tiling::Surface;

/// Shapes that are kept.
const MAX_SHAPES: usize = 256;

/// Up to four words of every lane's texel.
pub(crate) type Words = [Lanes; 4];

/// The tables of surfaces seen so far.
#[derive(Default)]
pub(crate) struct Cache {
    axes: HashMap<Surface, Arc<Axes>>,
}

/// Byte offsets along the axes of one slice.
struct Axes {
    x: Vec<u32>,
    y: Vec<u32>,
    xor: u32,
    /// The texels of a tile lie together, in lane order.
    rows: bool,
}

impl Axes {
    fn new(surface: &Surface) -> Axes {
        let x = (0..surface.pitch).map(|x| surface.offset(x, 0, 0, 0) as u32);
        let y = (0..surface.height).map(|y| surface.offset(0, y, 0, 0) as u32);
        let mut axes = Axes {
            x: x.collect(),
            y: y.collect(),
            xor: surface.xor_bits() as u32,
            rows: false,
        };
        let whole = surface.pitch.is_multiple_of(8) && surface.height.is_multiple_of(8);
        axes.rows = whole
            && (0..64).all(|lane| {
                let (x, y) = (LANE_X[lane] as u32, LANE_Y[lane] as u32);
                let offset = surface.offset(x, y, 0, 0) - surface.offset(0, 0, 0, 0);
                offset == lane as u64 * u64::from(surface.element_bytes)
            });
        axes
    }

    /// Offsets along two axes put together.
    #[inline(always)]
    fn join(&self, a: u32, b: u32) -> u32 {
        ((a & !self.xor).wrapping_add(b & !self.xor)) | (a ^ b) & self.xor
    }
}

/// One slice of a surface in memory.
#[derive(Clone)]
pub(crate) struct Plane {
    axes: Arc<Axes>,
    base: u64,
    /// Offsets of the samples of the slice.
    samples: Vec<u32>,
    bytes: u32,
    /// Pixels that have texels.
    pub(crate) area: Rect,
}

/// Which texels are meant.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// The tile whose first pixel this is.
    Tile(i32, i32),
    /// Column and line of every lane.
    Lanes([&'a [i32; 64]; 2]),
}

/// Lanes of a place, in one sample.
#[derive(Clone, Copy)]
pub(crate) struct Texels<'a> {
    /// Where.
    pub(crate) place: Place<'a>,
    /// Sample number.
    pub(crate) sample: usize,
    /// Lanes.
    pub(crate) mask: u64,
}

impl Cache {
    /// A slice of a surface at `base`, or the reason why it is none.
    pub(crate) fn plane(
        &mut self,
        memory: &Memory,
        surface: Surface,
        base: u64,
        slice: u32,
    ) -> Result<Plane, String> {
        let end = base + surface.bytes(slice + 1);
        if end > memory.size() || surface.bytes(slice + 1) > u64::from(u32::MAX) {
            return Err(format!(
                "a surface of {} by {} texels at {base:#x} ends at {end:#x}, beyond video memory",
                surface.pitch, surface.height
            ));
        }
        if !base.is_multiple_of(256) {
            return Err(format!("a surface at {base:#x} is not a multiple of 256"));
        }
        if self.axes.len() >= MAX_SHAPES && !self.axes.contains_key(&surface) {
            self.axes.clear();
        }
        let axes = self
            .axes
            .entry(surface)
            .or_insert_with(|| Arc::new(Axes::new(&surface)))
            .clone();
        let samples = (0..surface.samples)
            .map(|sample| surface.offset(0, 0, slice, sample) as u32)
            .collect();
        Ok(Plane {
            axes,
            base,
            samples,
            bytes: surface.element_bytes,
            area: Rect::new(0, 0, surface.pitch as i32, surface.height as i32),
        })
    }
}

impl Plane {
    #[inline(always)]
    fn address(&self, x: i32, y: i32, sample: usize) -> u64 {
        let axes = &*self.axes;
        let at = axes.join(axes.x[x as usize], axes.y[y as usize]);
        self.base + u64::from(axes.join(at, self.samples[sample]))
    }

    /// Address of a tile whose texels lie together.
    #[inline(always)]
    fn row(&self, texels: Texels) -> Option<u64> {
        match texels.place {
            Place::Tile(x, y) if self.axes.rows => Some(self.address(x, y, texels.sample)),
            _ => None,
        }
    }

    #[inline(always)]
    fn each(&self, texels: Texels, mut run: impl FnMut(usize, u64)) {
        let Texels {
            place,
            sample,
            mask,
        } = texels;
        match place {
            Place::Tile(x, y) => {
                for lane in lanes(mask) {
                    run(
                        lane,
                        self.address(x + LANE_X[lane], y + LANE_Y[lane], sample),
                    );
                }
            }
            Place::Lanes([x, y]) => {
                for lane in lanes(mask) {
                    run(lane, self.address(x[lane], y[lane], sample));
                }
            }
        }
    }

    /// Reads at least these texels. The area was checked when the plane was made, so every address is inside.
    pub(crate) fn read(&self, memory: &Memory, texels: Texels, words: &mut Words) {
        if let Some(address) = self.row(texels) {
            match self.bytes {
                4 => {
                    let done = memory.load_row(address, &mut words[0]);
                    debug_assert!(done.is_ok(), "checked when the plane was made");
                    return;
                }
                8 => {
                    let mut block = [0; 128];
                    let done = memory.load_block(address, &mut block);
                    debug_assert!(done.is_ok(), "checked when the plane was made");
                    for lane in 0..64 {
                        words[0][lane] = block[2 * lane];
                        words[1][lane] = block[2 * lane + 1];
                    }
                    return;
                }
                1 | 2 => {
                    self.read_narrow(memory, address, words);
                    return;
                }
                _ => {}
            }
        }
        let count = self.bytes.div_ceil(4) as usize;
        self.each(texels, |lane, address| {
            let shift = 8 * (address & 3);
            for (n, words) in words.iter_mut().enumerate().take(count) {
                let word = memory.load(address + 4 * n as u64).unwrap_or(0);
                words[lane] = word >> shift;
            }
        });
    }

    /// A tile of texels of one or two bytes.
    fn read_narrow(&self, memory: &Memory, address: u64, words: &mut Words) {
        let per_word = 4 / self.bytes as usize;
        let bits = 8 * self.bytes;
        let mask = (1 << bits) - 1;
        let mut block = [0; 32];
        let used = 64 / per_word;
        for (n, word) in block.iter_mut().enumerate().take(used) {
            *word = memory.load(address + 4 * n as u64).unwrap_or(0);
        }
        for lane in 0..64 {
            words[0][lane] = block[lane / per_word] >> (bits * (lane % per_word) as u32) & mask;
        }
    }

    /// Writes these texels. `kept` says that `words` also holds what lies in the other lanes.
    pub(crate) fn write(&self, memory: &Memory, texels: Texels, kept: bool, words: &Words) {
        let whole = texels.mask == u64::MAX || kept;
        if let Some(address) = self.row(texels).filter(|_| whole) {
            match self.bytes {
                4 => {
                    let done = memory.store_row(address, &words[0]);
                    debug_assert!(done.is_ok(), "checked when the plane was made");
                    return;
                }
                8 => {
                    let block: [u32; 128] = std::array::from_fn(|n| words[n % 2][n / 2]);
                    let done = memory.store_block(address, &block);
                    debug_assert!(done.is_ok(), "checked when the plane was made");
                    return;
                }
                1 | 2 => {
                    let per_word = 4 / self.bytes as usize;
                    let bits = 8 * self.bytes;
                    let texel = (1 << bits) - 1;
                    for n in 0..64 / per_word {
                        let word = (0..per_word).fold(0, |word, k| {
                            word | (words[0][n * per_word + k] & texel) << (bits * k as u32)
                        });
                        let done = memory.store(address + 4 * n as u64, word);
                        debug_assert!(done.is_some(), "checked when the plane was made");
                    }
                    return;
                }
                _ => {}
            }
        }
        let count = self.bytes.div_ceil(4) as usize;
        self.each(texels, |lane, address| {
            let done = match self.bytes {
                1 => memory.store_byte(address, words[0][lane] as u8),
                2 => memory.store_half(address, words[0][lane] as u16),
                _ => (0..count)
                    .try_for_each(|n| memory.store(address + 4 * n as u64, words[n][lane])),
            };
            debug_assert!(done.is_some(), "checked when the plane was made");
        });
    }
}
