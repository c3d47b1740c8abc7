//! Blending, logic operations and resolves into one bound target.

mod cut;
mod packing;
mod tiles;

pub use cut::Cut;
pub use packing::{PackedField, Packing};
pub use tiles::TileBatch;

use std::ops::Range;
use std::sync::Arc;

use super::bytes::Bytes;
use super::components::Components;
use crate::fragment::blend::{self, Blend, Color, Factor, Logic, Plan, Source};
use crate::fragment::mask::{merge, ones};
use crate::fragment::resolve::{ResolveMode, resolve};
use crate::fragment::scan::MAX_BATCH;
use crate::fragment::surface::{LanePixels, Plane, Texels, TileRows, Traffic, Words};
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
    cut: Option<Cut>,
    plane: Plane,
}

/// What is done to the texels.
#[derive(Clone, Debug)]
enum Work {
    /// The export is blended, row after row where there is no faster way.
    Blend(Plan, Option<Way>),
    /// The export is packed, and these bits of the words are combined with what is there.
    Logic {
        /// How the export is made fit.
        plan: Plan,
        op: Logic,
        bits: [u32; 4],
    },
    /// Resolves another surface; the shader exports nothing.
    Resolve { from: Plane, mode: ResolveMode },
    /// Takes these bits of a sample of another surface; the shader exports nothing.
    Copy {
        from: Plane,
        sample: usize,
        bits: [u32; 4],
        /// How much higher the first word goes: words, and bits of a word.
        higher: (usize, u32),
    },
}

impl Work {
    /// The shader's colours count.
    fn takes_exports(&self) -> bool {
        matches!(self, Work::Blend(..) | Work::Logic { .. })
    }
}

/// How packed texels are blended.
#[derive(Clone, Debug)]
enum Way {
    /// All components of a texel in one pass.
    Bytes(Bytes),
    /// A component after the other.
    Components(Arc<Components>),
}

impl Way {
    fn new(format: Format, plan: &Plan) -> Option<Way> {
        match Bytes::new(format, plan) {
            Some(bytes) => Some(Way::Bytes(bytes)),
            None => Components::new(format, plan).map(|way| Way::Components(Arc::new(way))),
        }
    }

    /// A full mask overwrites every old texel.
    fn replaces(&self) -> bool {
        match self {
            Way::Bytes(bytes) => bytes.replaces(),
            Way::Components(components) => components.replaces(),
        }
    }

    /// See [`Components::plain_words`].
    fn plain_words(&self) -> Option<[Option<usize>; 4]> {
        match self {
            Way::Bytes(_) => None,
            Way::Components(components) => components.plain_words(),
        }
    }

    /// Whether [`Way::write_tiles`] leaves the other lanes of masks as they are.
    fn merges(&self) -> bool {
        matches!(self, Way::Bytes(_))
    }

    /// Blends sources, and second ones, into a row of texels each: into all of them, or the lanes of these masks and
    /// maybe others.
    fn write_tiles(
        &self,
        level: SimdLevel,
        (sources, second): (&[Source], Option<&[Source]>),
        masks: Option<&[u64]>,
        texels: &mut TileRows,
    ) {
        match self {
            Way::Bytes(bytes) => {
                bytes.write_tiles(level, sources, masks, &mut texels[0][..sources.len()]);
            }
            Way::Components(components) => {
                components.write_tiles(level, (sources, second), texels);
            }
        }
    }

    /// Blends a source into the texels of `mask`; others stay.
    fn write(
        &self,
        level: SimdLevel,
        (source, second): (Source, Option<Source>),
        mask: u64,
        texels: &mut Words,
    ) {
        match self {
            Way::Bytes(bytes) => bytes.write(level, source, mask, &mut texels[0]),
            Way::Components(components) => {
                let mut old = [[0; 64]; 4];
                for (old, row) in old.iter_mut().zip(&*texels) {
                    merge(level, !0, row, old);
                }
                let second = second.as_ref().map(std::slice::from_ref);
                let mut rows = texels.each_mut().map(std::slice::from_mut);
                components.write_tiles(level, (&[source], second), &mut rows);
                for (new, old) in texels.iter_mut().zip(&old) {
                    merge(level, !mask, old, new);
                }
            }
        }
    }
}

/// Rows that blending works on.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct ColorRows {
    color: Color,
    words: Words,
    /// Texels of several tiles, by word.
    tiles: [[Lanes; MAX_BATCH]; 4],
    /// What they were, where some lanes keep it.
    old: [[Lanes; MAX_BATCH]; 4],
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
            tiles: [[[0; 64]; MAX_BATCH]; 4],
            old: [[[0; 64]; MAX_BATCH]; 4],
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
            work: Work::Blend(state.plan(), Way::new(format, &state.plan())),
            cut: None,
            plane,
        }
    }

    /// Some texel may change.
    pub(crate) fn writes(&self) -> bool {
        match &self.work {
            Work::Blend(plan, _) => plan.writes(),
            Work::Logic { bits, .. } | Work::Copy { bits, .. } => *bits != [0; 4],
            Work::Resolve { .. } => true,
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

    /// The same where what is blended loses its lowest bits, not the nearest number being stored.
    pub fn with_cut(mut self, cut: Cut) -> ColorOutput {
        self.cut = Some(cut);
        if let Work::Blend(_, way) = &mut self.work {
            *way = None;
        }
        self
    }

    /// A resolve target for another surface of the format.
    pub fn resolving(format: Format, mode: ResolveMode, from: Plane, plane: Plane) -> ColorOutput {
        ColorOutput {
            index: 0,
            second: None,
            format,
            work: Work::Resolve { from, mode },
            cut: None,
            plane,
        }
    }

    /// A target that takes `bits` of the words of a sample of another surface, whose texels are as large.
    pub fn copying(
        format: Format,
        (from, sample): (Plane, usize),
        bits: [u32; 4],
        plane: Plane,
    ) -> ColorOutput {
        ColorOutput {
            index: 0,
            second: None,
            format,
            work: Work::Copy {
                from,
                sample,
                bits,
                higher: (0, 0),
            },
            cut: None,
            plane,
        }
    }

    /// The same, where a word of the other surface goes higher up in the texels: by words, and bits of a word.
    pub fn higher(mut self, words: usize, shift: u32) -> ColorOutput {
        if let Work::Copy { higher, .. } = &mut self.work {
            *higher = (words, shift);
        }
        self
    }

    /// Where it lies.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Writes the exports of a wave: `masks` are the lanes of each sample.
    pub fn write_samples<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        place: LanePixels,
        masks: &[u64],
        (exported, color_of): (u8, impl Fn(usize) -> Source<'a>),
        rows: &mut ColorRows,
    ) {
        let texels = |sample: usize| Texels {
            place,
            sample,
            mask: masks[sample],
        };
        let alike = masks.len() > 1 && masks.iter().all(|mask| *mask == masks[0]);
        if let LanePixels::Tile(x, y) = place
            && let Work::Blend(_, Some(way)) = &self.work
            && alike
            && self.plane.has_sample_tiles()
            && (way.replaces() && masks[0] == u64::MAX
                || self.plane.samples_agree(level, memory, [x, y]))
        {
            let samples = 0..masks.len();
            self.write_to(
                (level, memory),
                &texels(0),
                samples,
                (exported, color_of),
                rows,
            );
            return;
        }
        if let Work::Blend(_, Some(way)) = &self.work
            && way.replaces()
            && self.plane.has_rows()
        {
            if exported >> self.index & 1 != 0 {
                let source = color_of(self.index);
                self.replace((level, memory), (way, source), (place, masks), rows);
            }
            return;
        }
        for sample in 0..masks.len() {
            let (samples, colors) = (sample..sample + 1, (exported, &color_of));
            self.write_to((level, memory), &texels(sample), samples, colors, rows);
        }
    }

    /// Writes a source that takes the place of texels, packed once for all samples.
    fn replace(
        &self,
        (level, memory): (SimdLevel, &Memory),
        (way, source): (&Way, Source),
        (place, masks): (LanePixels, &[u64]),
        rows: &mut ColorRows,
    ) {
        let ColorRows {
            words,
            color: old,
            traffic,
            ..
        } = rows;
        way.write(level, (source, None), u64::MAX, words);
        if let LanePixels::Quads(quads) = place {
            let lanes = masks.iter().map(|mask| ones(*mask)).sum::<u64>();
            traffic.written += lanes * self.plane.texel_bytes();
            self.plane.write_quads(memory, quads, (0, masks), &words[0]);
            return;
        }
        for (sample, mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            let texels = Texels {
                place,
                sample,
                mask: *mask,
            };
            let kept = *mask != u64::MAX;
            traffic.written += self.plane.bytes_written(&texels, kept);
            if kept {
                traffic.read += self.plane.bytes_read(&texels);
                self.plane.read(memory, &texels, old);
                merge(level, *mask, &words[0], &mut old[0]);
                self.plane.write(memory, &texels, true, old);
            } else {
                self.plane.write(memory, &texels, false, words);
            }
        }
    }

    /// Writes the exports of a wave to these texels: the colours of `exported`, from `color_of`.
    pub fn write<'a>(
        &self,
        level: SimdLevel,
        memory: &Memory,
        texels: &Texels,
        colors: (u8, impl Fn(usize) -> Source<'a>),
        rows: &mut ColorRows,
    ) {
        let samples = texels.sample..texels.sample + 1;
        self.write_to((level, memory), texels, samples, colors, rows);
    }

    /// The same to several samples, which hold what the one of `texels` does.
    fn write_to<'a>(
        &self,
        (level, memory): (SimdLevel, &Memory),
        texels: &Texels,
        stored: Range<usize>,
        (exported, color_of): (u8, impl Fn(usize) -> Source<'a>),
        rows: &mut ColorRows,
    ) {
        let mask = texels.mask;
        let reads = match &self.work {
            Work::Blend(plan, _) => plan.reads_destination(),
            Work::Logic { .. } | Work::Copy { .. } => true,
            Work::Resolve { .. } => false,
        };
        if !self.writes()
            || mask == 0
            || self.work.takes_exports() && exported >> self.index & 1 == 0
        {
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
        let count = stored.len() as u64;
        traffic.written += count * self.plane.bytes_written(texels, kept);
        if reads || kept {
            traffic.read += count * self.plane.bytes_read(texels);
            self.plane.read(memory, texels, words);
        }
        let second = |color_of: &dyn Fn(usize) -> Source<'a>| {
            let index = self.second.filter(|index| *index < 8);
            index.map(color_of)
        };
        match &self.work {
            Work::Blend(_, Some(way)) => {
                let sources = (color_of(self.index), second(&color_of));
                way.write(level, sources, mask, words);
            }
            Work::Blend(plan, None) => {
                let old = *words;
                if reads {
                    texel::unpack_row(level, self.format, words, color);
                }
                let (source, second) = (color_of(self.index), second(&color_of));
                blend::blend(level, plan, source, second, mask, color);
                if let Some(cut) = &self.cut {
                    cut.apply(color);
                }
                texel::pack_row(level, self.format, color, words);
                keep(level, (mask, kept), &old, words);
            }
            Work::Logic { plan, op, bits } => {
                let source = color_of(self.index);
                blend::blend(level, plan, source, None, mask, color);
                if let Some(cut) = &self.cut {
                    cut.apply(color);
                }
                let mut packed = [[0; 64]; 4];
                texel::pack_row(level, self.format, color, &mut packed);
                for (n, word) in words.iter_mut().enumerate() {
                    blend::logic(level, *op, bits[n], &packed[n], mask, word);
                }
            }
            Work::Resolve { from, mode } => {
                let old = *words;
                samples.resize(from.samples(), [[0; 64]; 4]);
                traffic.read += from.bytes_read(texels) * samples.len() as u64;
                for (sample, row) in samples.iter_mut().enumerate() {
                    from.read(memory, &Texels { sample, ..*texels }, row);
                }
                resolve(level, self.format, *mode, samples, words);
                keep(level, (mask, kept), &old, words);
            }
            Work::Copy {
                from,
                sample,
                bits,
                higher,
            } => {
                let old = *words;
                let mut new = [[0; 64]; 4];
                traffic.read += from.bytes_read(texels);
                let texels = Texels {
                    sample: *sample,
                    ..*texels
                };
                from.read(memory, &texels, &mut new);
                if *higher != (0, 0) {
                    let (word, shift) = *higher;
                    let [first, ..] = std::mem::replace(&mut new, [[0; 64]; 4]);
                    new[word & 3] = first.map(|value| value << shift);
                }
                for ((word, new), bits) in words.iter_mut().zip(&new).zip(bits) {
                    for (word, new) in word.iter_mut().zip(new) {
                        *word = *word & !bits | new & bits;
                    }
                }
                keep(level, (mask, kept), &old, words);
            }
        }
        for sample in stored {
            let texels = Texels { sample, ..*texels };
            self.plane.write(memory, &texels, kept, words);
        }
    }
}

/// Where a full tile is stored, the lanes outside `mask` keep what they had.
fn keep(level: SimdLevel, (mask, kept): (u64, bool), old: &Words, words: &mut Words) {
    if kept {
        for (word, old) in words.iter_mut().zip(old) {
            merge(level, !mask, old, word);
        }
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
