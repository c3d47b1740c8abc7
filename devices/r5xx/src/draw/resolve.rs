//! Resolves: pixels of a draw become the mean of their samples; what its program gives does not count. [R5xx 10.8.2]
//!
//! Means of fixed-point numbers are rounded to nearest, halves up. Gamma 2.2 is the curve of sRGB, as that of textures
//! and outputs is.

use silicon::draw::Finished;
use silicon::fragment::blend::Source;
use silicon::fragment::output::PixelExports;
use silicon::fragment::scan::{AnyWave, PixelShader, PixelWaves};
use silicon::fragment::surface::{LanePixels, Plane, Texels, Words};
use silicon::texture::float;
use silicon::texture::format::{Channel, Kind, Read};
use silicon::texture::sample::Lanes;
use silicon::texture::{fixed, srgb};
use silicon::{Format, Memory, Trap};

use super::WaveWorker;
use crate::cb;

/// Waves of a batch.
const BATCH: usize = 8;

/// The pixel half of a resolve.
pub(super) struct Resolve {
    memory: Memory,
    from: Plane,
    format: Format,
    gamma: bool,
    averages_alpha: bool,
}

/// What a thread keeps to resolve.
#[derive(Default)]
pub(super) struct Room {
    /// Of each wave of a batch.
    waves: Vec<PixelExports>,
    /// Of each sample.
    samples: Vec<Words>,
}

impl Resolve {
    pub(super) fn new(memory: &Memory, from: Plane, resolve: &cb::Resolve) -> Resolve {
        Resolve {
            memory: memory.clone(),
            from,
            format: resolve.from.format,
            gamma: resolve.gamma,
            averages_alpha: resolve.averages_alpha,
        }
    }

    /// The means at some pixels.
    fn average(
        &self,
        place: [&[i32; 64]; 2],
        mask: u64,
        samples: &mut Vec<Words>,
        out: &mut [Lanes; 4],
    ) {
        samples.resize(self.from.samples(), [[0; 64]; 4]);
        // Four lanes are a quad.
        let [x, y] = place.map(|row| std::array::from_fn(|quad| row[4 * quad]));
        for (sample, words) in samples.iter_mut().enumerate() {
            let place = LanePixels::Quads([&x, &y]);
            let texels = Texels {
                place,
                sample,
                mask,
            };
            self.from.read(&self.memory, &texels, words);
        }
        let mut first = 0;
        for (n, channel) in self.format.channels().iter().enumerate() {
            let reads = self.format.row().reads;
            let component = reads
                .iter()
                .position(|read| *read == Read::Channel(n as u8));
            if let Some(component) = component {
                let is_alpha = n == 3;
                let count = match is_alpha && !self.averages_alpha {
                    true => 1,
                    false => samples.len(),
                };
                let mean = Mean {
                    channel: *channel,
                    gamma: self.gamma && !is_alpha,
                };
                for (lane, out) in out[component].iter_mut().enumerate() {
                    let raw = |words: &Words| mean.raw(first, words, lane);
                    *out = mean.of(samples[..count].iter().map(raw)).to_bits();
                }
            }
            first += u32::from(channel.bits);
        }
    }
}

/// How the numbers of a channel are averaged.
#[derive(Clone, Copy)]
struct Mean {
    channel: Channel,
    gamma: bool,
}

impl Mean {
    /// The stored bits of a channel from a bit of the texel on.
    fn raw(&self, first: u32, words: &Words, lane: usize) -> u32 {
        let mask = u32::MAX >> (32 - u32::from(self.channel.bits));
        words[first as usize / 32][lane] >> (first % 32) & mask
    }

    /// The mean of stored numbers, which a target of the same format stores exactly.
    fn of(&self, raw: impl ExactSizeIterator<Item = u32>) -> f32 {
        let (count, bits) = (raw.len() as i64, u32::from(self.channel.bits));
        let rounded = |sum: i64| (2 * sum + count).div_euclid(2 * count);
        match self.channel.kind {
            Kind::Float => {
                let value = |raw: u32| match bits {
                    16 => f32::from_bits(float::from_f16(raw)),
                    _ => f32::from_bits(raw),
                };
                let sum: f64 = raw.map(|raw| f64::from(value(raw))).sum();
                (sum / count as f64) as f32
            }
            Kind::Snorm => {
                let extended = |raw: u32| i64::from((raw << (32 - bits)) as i32 >> (32 - bits));
                fixed::from_snorm(rounded(raw.map(extended).sum()) as i32, bits)
            }
            _ if self.gamma => {
                let sum: f64 = raw.map(|raw| f64::from(srgb::to_linear(raw as u8))).sum();
                let mean = srgb::from_linear((sum / count as f64) as f32);
                fixed::from_unorm(mean.into(), bits)
            }
            _ => fixed::from_unorm(rounded(raw.map(i64::from).sum()) as u32, bits),
        }
    }
}

impl PixelShader for Resolve {
    type Worker = WaveWorker;
    type Draw = ();
    type Stores = ();

    fn begin(&self, worker: &mut WaveWorker, (): &()) {
        worker
            .resolve
            .waves
            .resize_with(BATCH, PixelExports::default);
    }

    fn block(&self, _: [&[u32]; 3], _: &mut Vec<u32>) {}

    fn batch(&self, _: &()) -> usize {
        BATCH
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        let WaveWorker { resolve, rows, .. } = worker;
        let Room {
            waves: exports,
            samples,
        } = resolve;
        for (n, exports) in exports.iter_mut().enumerate().take(waves.count()) {
            let (exec, place) = match waves.wave(n, rows) {
                AnyWave::Tile(pixel) => (pixel.exec, pixel.position),
                AnyWave::Quads(pixel) => (pixel.exec, pixel.position),
            };
            exports.clear();
            exports.valid = exec;
            exports.color_mask = 1;
            self.average(place, exec, samples, &mut exports.colors[0]);
        }
        (waves.count(), Ok(()))
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        Finished {
            instructions: 0,
            exports: &worker.resolve.waves[wave],
        }
    }

    fn color(worker: &WaveWorker, wave: usize, _: usize) -> Source<'_> {
        worker.resolve.waves[wave].colors[0].each_ref()
    }
}
