//! Blending, logic operations and resolves into one bound target.

use super::bytes::Bytes;
use crate::fragment::blend::{self, Blend, Color, Factor, Logic, Plan, Source};
use crate::fragment::resolve::{ResolveMode, resolve};
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::surface::{LanePixels, Plane, Texels, Traffic, Words};
use crate::memory::Memory;
use crate::texture::format::{Format, Read};
use crate::texture::sample::Lanes;
use crate::texture::texel;
use host::SimdLevel;

/// One bound target.
#[derive(Clone, Debug)]
pub struct ColorOutput {
    /// Which export it takes.
    index: usize,
    /// The export that is the second source of blending.
    second: Option<usize>,
    format: Format,
    work: Work,
    plane: Plane,
}

/// What is done to the texels.
#[derive(Clone, Debug)]
enum Work {
    /// The export is blended.
    Blend(Plan),
    /// The same in one pass over packed texels, where format and plan allow it.
    Bytes(Plan, Bytes),
    /// The export is packed, and these bits of the words are combined with what is there.
    Logic {
        /// How the export is made fit.
        plan: Plan,
        op: Logic,
        bits: [u32; 4],
    },
    /// Resolves another surface; the shader exports nothing.
    Resolve { from: Plane, mode: ResolveMode },
}

/// Rows that blending works on.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct ColorRows {
    color: Color,
    words: Words,
    /// Texels of several tiles.
    tiles: [Lanes; MAX_BATCH],
    /// Of the surface that is resolved.
    samples: Vec<Words>,
    /// Bytes moved.
    pub(crate) traffic: Traffic,
}

impl Default for ColorRows {
    fn default() -> ColorRows {
        ColorRows {
            color: [[0; 64]; 4],
            words: [[0; 64]; 4],
            tiles: [[0; 64]; MAX_BATCH],
            samples: Vec::new(),
            traffic: Traffic::default(),
        }
    }
}

fn is_second(factor: Factor) -> bool {
    matches!(
        factor,
        Factor::Src1Color
            | Factor::OneMinusSrc1Color
            | Factor::Src1Alpha
            | Factor::OneMinusSrc1Alpha
    )
}

impl ColorOutput {
    /// The target that takes export `index`; the second source of blending is the export after it.
    pub fn new(index: usize, format: Format, state: &Blend, plane: Plane) -> ColorOutput {
        let factors = [state.color, state.alpha].map(|e| is_second(e.src) || is_second(e.dst));
        ColorOutput {
            index,
            second: (factors != [false; 2]).then_some(index + 1),
            format,
            work: match Bytes::new(format, &state.plan()) {
                Some(bytes) => Work::Bytes(state.plan(), bytes),
                None => Work::Blend(state.plan()),
            },
            plane,
        }
    }

    /// The same with a logic operation instead of blending; `write` masks components.
    pub fn with_logic(mut self, op: Logic, state: &Blend) -> ColorOutput {
        let whole = Blend {
            write: 15,
            ..Blend::opaque(state.range)
        };
        self.second = None;
        self.work = Work::Logic {
            plan: whole.plan(),
            op,
            bits: component_bits(self.format, state.write),
        };
        self
    }

    /// A resolve target for another surface of the format.
    pub fn resolving(format: Format, mode: ResolveMode, from: Plane, plane: Plane) -> ColorOutput {
        ColorOutput {
            index: 0,
            second: None,
            format,
            work: Work::Resolve { from, mode },
            plane,
        }
    }

    /// Where it lies.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Writes the exports of fully covered tiles, at most [`MAX_BATCH`], to one sample: the exported colours of each,
    /// and their source.
    pub fn write_tiles<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        (tiles, sample): (&[[i32; 2]], usize),
        (exported, color_of): (impl Fn(usize) -> u8, impl Fn(usize, usize) -> Source<'a>),
        rows: &mut ColorRows,
    ) {
        let all = (0..tiles.len()).all(|n| exported(n) >> self.index & 1 != 0);
        if let Work::Bytes(_, bytes) = &self.work
            && all
            && self.plane.has_rows()
            && let Some(texels) = rows.tiles.get_mut(..tiles.len())
        {
            let moved = tiles.len() as u64 * self.plane.bytes_of(u64::MAX);
            rows.traffic.written += moved;
            if !bytes.replaces() {
                rows.traffic.read += moved;
                self.plane
                    .read_tiles(level, memory, (tiles, sample), texels);
            }
            let mut sources = [color_of(0, self.index); MAX_BATCH];
            for (n, source) in sources[..tiles.len()].iter_mut().enumerate().skip(1) {
                *source = color_of(n, self.index);
            }
            bytes.write_tiles(level, &sources[..tiles.len()], texels);
            self.plane
                .write_tiles(level, memory, (tiles, sample), texels);
            return;
        }
        for (n, &[x, y]) in tiles.iter().enumerate() {
            let texels = Texels {
                place: LanePixels::Tile(x, y),
                sample,
                mask: u64::MAX,
            };
            let colors = (exported(n), |target| color_of(n, target));
            self.write(level, memory, &texels, colors, rows);
        }
    }

    /// Writes the exports of a wave to these texels: the colours of `exported`, from `color_of`.
    pub fn write<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        texels: &Texels,
        (exported, color_of): (u8, impl Fn(usize) -> Source<'a>),
        rows: &mut ColorRows,
    ) {
        let mask = texels.mask;
        let (writes, reads) = match &self.work {
            Work::Blend(plan) | Work::Bytes(plan, _) => (plan.writes(), plan.reads_destination()),
            Work::Logic { bits, .. } => (*bits != [0; 4], true),
            Work::Resolve { .. } => (true, false),
        };
        let needed = !matches!(self.work, Work::Resolve { .. });
        if !writes || mask == 0 || needed && exported >> self.index & 1 == 0 {
            return;
        }
        let ColorRows {
            color,
            words,
            samples,
            traffic,
            ..
        } = rows;
        // A full tile is stored whole: unwritten lanes keep their old texels.
        let kept = mask != u64::MAX && matches!(texels.place, LanePixels::Tile(..));
        traffic.written += self.plane.bytes_written(texels, kept);
        if reads || kept {
            traffic.read += self.plane.bytes_read(texels);
            self.plane.read(memory, texels, words);
        }
        if let Work::Bytes(_, bytes) = &self.work {
            bytes.write(level, color_of(self.index), mask, &mut words[0]);
            self.plane.write(memory, texels, kept, words);
            return;
        }
        let old = if kept { Some(*words) } else { None };
        match &self.work {
            Work::Blend(plan) => {
                if reads {
                    texel::unpack_row(level, self.format, words, color);
                }
                let second = self.second.filter(|n| *n < 8).map(&color_of);
                let source = color_of(self.index);
                blend::blend(level, plan, source, second, mask, color);
                texel::pack_row(level, self.format, color, words);
            }
            // Done before.
            Work::Bytes(..) => {}
            Work::Logic { plan, op, bits } => {
                let source = color_of(self.index);
                blend::blend(level, plan, source, None, mask, color);
                let mut packed = [[0; 64]; 4];
                texel::pack_row(level, self.format, color, &mut packed);
                for (n, word) in words.iter_mut().enumerate() {
                    blend::logic(level, *op, bits[n], &packed[n], mask, word);
                }
            }
            Work::Resolve { from, mode } => {
                samples.resize(from.samples(), [[0; 64]; 4]);
                traffic.read += from.bytes_read(texels) * samples.len() as u64;
                for (sample, row) in samples.iter_mut().enumerate() {
                    from.read(memory, &Texels { sample, ..*texels }, row);
                }
                resolve(level, self.format, *mode, samples, words);
            }
        }
        if let Some(old) = old {
            for (word, old) in words.iter_mut().zip(&old) {
                for lane in 0..64 {
                    word[lane] = if mask >> lane & 1 != 0 {
                        word[lane]
                    } else {
                        old[lane]
                    };
                }
            }
        }
        self.plane.write(memory, texels, kept, words);
    }
}

/// The bits of a packed texel that hold the components of `write`.
fn component_bits(format: Format, write: u8) -> [u32; 4] {
    let mut bits = [0; 4];
    let mut at = 0;
    for (index, channel) in format.channels().iter().enumerate() {
        let width = u32::from(channel.bits);
        let written = (0..4).any(|component| {
            write >> component & 1 != 0
                && format.row().reads[component] == Read::Channel(index as u8)
        });
        if written {
            bits[at as usize / 32] |= (u32::MAX >> (32 - width)) << (at % 32);
        }
        at += width;
    }
    bits
}
