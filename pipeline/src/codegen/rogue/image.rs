//! Texture operations. [Rogue 11.3]
//!
//! Data lie in consecutive registers: coordinates, layer, reference, level or gradients, offsets, texels to write.

use ::rogue::isa::backend::{Backend, Bypass, LoadCache, LodMode, Sample, SampleFlags};
use ::rogue::isa::bitwise::{Logical, Shift2};
use ::rogue::isa::phase2::{Test, TestType};
use ::rogue::isa::{Condition, Format};
use lanes::LaneOp;

use super::machine::{
    Access as Slot, Back, Body, Dst, Effect, Inst, Main, ONE, Operand, TRUE, Unit, ZERO, constant,
};
use super::select::{Select, Source};
use crate::codegen::Result;
use crate::ir::{Dim, ImageKind, ImageOp, Inst as IrInst, Lod, ResourceKind, Scalar, Value};

/// Words of a texture's descriptor behind the state: width, height, depth or layers, levels and samples.
const SIZE: u16 = 4;
const DEPTH: u16 = 6;
const LEVELS: u16 = 7;
/// Words of a texel buffer's descriptor behind the number of its texels: logarithm and mask of a row's texels, last texel.
const TEXEL_SHIFT: u16 = 5;
const TEXEL_MASK: u16 = 6;
const TEXEL_LAST: u16 = 7;

/// A lookup word with constant offsets: six bits, six bits, four bits.
fn offsets(offset: [i8; 3]) -> u32 {
    let [u, v, w] = offset.map(|by| by as u32);
    u & 63 | (v & 63) << 6 | (w & 15) << 12
}

/// What a sample is made of.
struct Request {
    words: Vec<Operand>,
    lod: LodMode,
    bypass: Bypass,
    flags: SampleFlags,
    channels: u8,
}

impl Select<'_> {
    /// Selects a texture operation.
    pub(super) fn image(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        match &image.kind {
            ImageKind::Sample { least: true, .. } => {
                Err(self.unsupported("the least level of a sample"))
            }
            ImageKind::Sample {
                lod,
                compare,
                offset,
                ..
            } => self.sample(image, inst, *lod, *compare, *offset),
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => self.gather(image, inst, *component, *compare, *offset),
            ImageKind::Load { level } => self.image_load(image, inst, *level),
            ImageKind::Store => self.image_store(image, inst),
            ImageKind::Atomic(_) => Err(self.unsupported("atomics on textures")),
            ImageKind::Size { level } => self.image_size(image, inst, *level),
            ImageKind::Levels => {
                let levels = self.levels(image)?;
                self.define(inst.results[0], levels);
                Ok(())
            }
            ImageKind::Layers => {
                let layers = self.described(image.texture, DEPTH)?;
                self.define(inst.results[0], layers);
                Ok(())
            }
            ImageKind::QueryLod => Err(self.unsupported("the level that a sample would take")),
            ImageKind::Samples => {
                let word = self.described(image.texture, LEVELS)?;
                let samples = self.shifted_by(Shift2::SHR, word, 8);
                self.define(inst.results[0], samples);
                Ok(())
            }
        }
    }

    fn levels(&mut self, image: &ImageOp) -> Result<Operand> {
        let word = self.described(image.texture, LEVELS)?;
        let low = self.constant(255);
        Ok(self.logic(Logical::AND, word, low))
    }

    fn words_of(&mut self, values: &[Value]) -> Vec<Operand> {
        values.iter().map(|&value| self.word(value)).collect()
    }

    /// Whether texels are floats.
    fn floats(&self, image: &ImageOp) -> bool {
        use ResourceKind::{StorageTexture, Texture};
        match self.function.interface.resources[image.texture.resource as usize].kind {
            Texture { scalar, .. } => scalar == Scalar::Float,
            StorageTexture { format, .. } => format.scalar() == Scalar::Float,
            _ => true,
        }
    }

    /// Words side by side in new units.
    pub(super) fn row_of(&mut self, words: &[Operand]) -> Unit {
        let row = self.code.row(words.len() as u32);
        for (unit, &word) in (row..).zip(words) {
            self.move_to(unit, word);
        }
        row
    }

    /// A sample; the first unit of its results.
    fn request(&mut self, image: &ImageOp, request: Request, effect: Effect) -> Result<Unit> {
        let count = request.words.len() as u32;
        let row = self.row_of(&request.words);
        let texture = self.described(image.texture, 0)?;
        let sampler = match image.sampler {
            Some(sampler) => self.sampler(sampler)?,
            // A state that is there.
            None => texture,
        };
        let results = match request.bypass {
            Bypass::DATA => 4 * u32::from(request.channels),
            _ => u32::from(request.channels),
        };
        let writes = request.flags.wrt;
        let to = if writes { row } else { self.code.row(results) };
        let fcnorm = self.floats(image);
        let op = Backend::Smp(Sample {
            dimensions: match image.shape.dim {
                // Rows of texels.
                Dim::Buffer => 2,
                _ => image.shape.coordinates() as u8,
            },
            drc: 1,
            channels: request.channels,
            lod: request.lod,
            bypass: request.bypass,
            cache: LoadCache::NORMAL,
            slc: 0,
            flags: SampleFlags {
                fcnorm,
                array: image.shape.arrayed,
                ..request.flags
            },
        });
        let mut slots = vec![
            (0, Slot::Value(texture)),
            (1, Slot::Reads(row, count)),
            (2, Slot::Value(sampler)),
        ];
        // What is written has no results, but S4 names a register all the same.
        slots.push(match writes {
            true => (4, Slot::Value(Operand::Unit(row))),
            false => (4, Slot::Writes(to, results)),
        });
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        }));
        inst.effect = effect;
        if let (true, Some(alive)) = (writes, self.entry.alive) {
            self.test_word(Operand::Unit(alive));
            inst.condition = Condition::NOT_P0;
        }
        self.push(inst);
        Ok(to)
    }

    fn last_used(&self, results: &[Value]) -> Option<u8> {
        let last = results.iter().rposition(|&result| self.is_used(result))?;
        Some(last as u8 + 1)
    }

    fn sample(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        lod: Lod,
        compare: bool,
        offset: [i8; 3],
    ) -> Result<()> {
        let Some(channels) = self.last_used(&inst.results) else {
            return Ok(());
        };
        let dims = image.shape.coordinates();
        let body = dims + usize::from(image.shape.arrayed);
        let (coordinates, rest) = inst.args.split_at(body);
        let count = match lod {
            Lod::Implicit | Lod::Zero => 0,
            Lod::Bias | Lod::Level => 1,
            Lod::Gradient => 2 * dims,
        };
        let (lod_args, reference) = rest.split_at(count);
        let mut words = self.words_of(coordinates);
        if compare {
            words.push(self.word(reference[0]));
        }
        let (mode, pplod) = match lod {
            Lod::Implicit => (LodMode::NORMAL, false),
            Lod::Bias => (LodMode::BIAS, true),
            Lod::Level | Lod::Zero => (LodMode::REPLACE, true),
            Lod::Gradient => (LodMode::GRADIENT, false),
        };
        match lod {
            Lod::Zero => words.push(ZERO),
            Lod::Gradient => {
                // Of each coordinate along x, then along y.
                for at in 0..dims {
                    words.push(self.word(lod_args[at]));
                    words.push(self.word(lod_args[dims + at]));
                }
            }
            _ => words.extend(self.words_of(lod_args)),
        }
        let soo = offset != [0; 3];
        if soo {
            words.push(self.constant(offsets(offset)));
        }
        let request = Request {
            words,
            lod: mode,
            bypass: Bypass::NONE,
            flags: SampleFlags {
                pplod,
                soo,
                comparison: compare,
                ..SampleFlags::default()
            },
            channels,
        };
        let row = self.request(image, request, Effect::None)?;
        for (unit, &result) in (row..).zip(&inst.results) {
            self.define(result, Operand::Unit(unit));
        }
        Ok(())
    }

    fn gather(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        component: u8,
        compare: bool,
        offset: [i8; 3],
    ) -> Result<()> {
        if self.last_used(&inst.results).is_none() {
            return Ok(());
        }
        let body = image.shape.coordinates() + usize::from(image.shape.arrayed);
        let (coordinates, reference) = inst.args.split_at(body);
        let mut words = self.words_of(coordinates);
        if compare {
            words.push(self.word(reference[0]));
        }
        words.push(ZERO);
        let soo = offset != [0; 3];
        if soo {
            words.push(self.constant(offsets(offset)));
        }
        let component = if compare { 0 } else { component };
        let channels = component + 1;
        let request = Request {
            words,
            lod: LodMode::REPLACE,
            bypass: Bypass::DATA,
            flags: SampleFlags {
                pplod: true,
                soo,
                comparison: compare,
                ..SampleFlags::default()
            },
            channels,
        };
        let row = self.request(image, request, Effect::None)?;
        // Taps come row by row from the top left. [Rogue 11.3]
        for (tap, &result) in [2, 3, 1, 0].into_iter().zip(&inst.results) {
            let unit = row + tap * u32::from(channels) + u32::from(component);
            self.define(result, Operand::Unit(unit));
        }
        Ok(())
    }

    fn image_load(&mut self, image: &ImageOp, inst: &IrInst, level: bool) -> Result<()> {
        let Some(channels) = self.last_used(&inst.results) else {
            return Ok(());
        };
        let mut words = self.words_of(&inst.args);
        let body = image.shape.coordinates() + usize::from(image.shape.arrayed);
        let rest = words.split_off(body);
        self.rows_of_texels(image, &mut words)?;
        let mut rest = rest.into_iter();
        let sample = rest.next().filter(|_| image.shape.multisampled);
        let mut flags = SampleFlags {
            integer: true,
            pplod: true,
            ..SampleFlags::default()
        };
        let last = inst.args.last().copied();
        // The unit takes the level as a float, as it does for samples.
        let level = match (level, last) {
            (true, Some(last)) => match self.defs.constant(last) {
                Some(level) => self.constant(LaneOp::U32ToF32.eval([level, 0, 0])),
                None => self.unpacked(last, Format::U32),
            },
            _ => ZERO,
        };
        words.push(level);
        if let Some(sample) = sample {
            flags.sno = true;
            // Numbers that no texture has stay outside of what it has.
            let most = self.code.unit();
            self.limited(Dst::Unit(most), sample, constant(7), constant(7));
            words.push(self.shifted_by(Shift2::LSL, Operand::Unit(most), 16));
        }
        let request = Request {
            words,
            lod: LodMode::REPLACE,
            bypass: Bypass::NONE,
            flags,
            channels,
        };
        let effect = match self.function.interface.resources[image.texture.resource as usize].kind {
            ResourceKind::StorageTexture { write: true, .. } => Effect::Read,
            _ => Effect::None,
        };
        let row = self.request(image, request, effect)?;
        for (unit, &result) in (row..).zip(&inst.results) {
            self.define(result, Operand::Unit(unit));
        }
        Ok(())
    }

    fn image_store(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        let mut words = self.words_of(&inst.args);
        self.rows_of_texels(image, &mut words)?;
        let request = Request {
            words,
            lod: LodMode::NORMAL,
            bypass: Bypass::NONE,
            flags: SampleFlags {
                integer: true,
                wrt: true,
                ..SampleFlags::default()
            },
            channels: 4,
        };
        self.request(image, request, Effect::Write)?;
        Ok(())
    }

    /// The number of a texel in a buffer becomes its place in rows: what is beyond the last one is outside of all rows.
    fn rows_of_texels(&mut self, image: &ImageOp, words: &mut Vec<Operand>) -> Result<()> {
        if image.shape.dim != Dim::Buffer {
            return Ok(());
        }
        let [shift, mask, last] = [TEXEL_SHIFT, TEXEL_MASK, TEXEL_LAST];
        let last = self.described(image.texture, last)?;
        let number = self.code.unit();
        self.limited(Dst::Unit(number), words[0], last, TRUE);
        let number = Operand::Unit(number);
        let mask = self.described(image.texture, mask)?;
        words[0] = self.logic(Logical::AND, number, mask);
        let shift = self.described(image.texture, shift)?;
        words.insert(1, self.shifted(Shift2::SHR, number, shift));
        Ok(())
    }

    fn image_size(&mut self, image: &ImageOp, inst: &IrInst, level: bool) -> Result<()> {
        let level = level.then(|| self.word(inst.args[0]));
        // Levels that do not exist have no size.
        let level = match level.filter(|level| *level != ZERO) {
            Some(level) => Some((level, self.levels(image)?)),
            None => None,
        };
        for (n, &result) in (0..).zip(&inst.results) {
            if !self.is_used(result) {
                continue;
            }
            let size = self.described(image.texture, SIZE + n)?;
            let found = match level {
                None => size,
                Some((level, levels)) => {
                    let small = self.shifted(Shift2::SHR, size, level);
                    let sources = [small, ONE].map(Source::plain);
                    let found = self.either(sources, (Test::TSTG, TestType::U32));
                    let unit = self.code.unit();
                    self.within(Dst::Unit(unit), level, levels, found);
                    Operand::Unit(unit)
                }
            };
            self.define(result, found);
        }
        Ok(())
    }
}
