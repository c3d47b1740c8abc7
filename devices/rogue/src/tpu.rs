//! The texture unit: samples of waves. [Rogue 11.3]
//!
//! [`state`] turns texture and sampler words into silicon's textures and samplers; each is made once for its words.
//! Filtering is silicon's, with eight bits between texels and eight between levels.

mod batch;
pub mod state;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use lanes::{Fault, Src, Wave};
use silicon::Memory;
use silicon::fragment::mask::merge;
use silicon::host::SimdLevel;
use silicon::texture::float::to_f16;
use silicon::texture::sample::{
    self, Access, Dim, Lanes, Lod, Numbered, PreparedSampler, PreparedTexture, Request, Scratch,
    Sink, faces, rules::pack_offsets,
};

use crate::isa::backend::{Bypass, LodMode};
use crate::lift::{ACTIVE, COVERED, SHARED, SampleOf, each};
use state::{SamplerWords, TextureWords};

/// Textures and samplers that are kept; a full table is emptied.
const MOST: usize = 1024;

/// A texture made ready.
struct Texture {
    prepared: PreparedTexture,
    dim: Dim,
    /// Bytes of memory that its texels lie in.
    bytes: Range<u64>,
    /// Bytes of a texel.
    texel: u64,
}

/// The texture unit of a thread.
#[derive(Default)]
pub struct Tpu {
    textures: HashMap<([u32; 6], bool), Arc<Texture>>,
    samplers: HashMap<([u32; 4], [u32; 4], bool), Arc<PreparedSampler>>,
    scratch: Box<Scratch>,
    /// Places and layers of a batch of waves.
    placed: batch::Placed,
    /// Address of the border colours in memory.
    pub borders: u64,
    /// Texels read: see [`silicon::Stats`].
    pub texels: u64,
}

/// A source in every lane.
fn row(wave: &Wave, source: Src) -> Lanes {
    match source {
        Src::Row(at) => wave.rows[usize::from(at)].0,
        other => [wave.uniform(other); 64],
    }
}

/// Shared registers from one on.
fn shared<const N: usize>(wave: &Wave, first: u16) -> [u32; N] {
    let at = usize::from(SHARED) + usize::from(first);
    std::array::from_fn(|n| wave.scalars.get(at + n).copied().unwrap_or(0))
}

/// The texture state of a sample.
fn words(of: &SampleOf, wave: &Wave) -> [u32; 6] {
    let mut words: [u32; 6] = shared(wave, of.texture);
    if let Some(address) = of.address {
        let [low, high] = address.map(|source| wave.uniform(source));
        TextureWords::set_address(&mut words, u64::from(low) | u64::from(high) << 32);
    }
    words
}

/// A field of a lookup word, signed.
fn signed(word: u32, low: u32, bits: u32) -> u32 {
    ((word << (32 - low - bits)) as i32 >> (32 - bits)) as u32
}

impl Tpu {
    fn texture(
        &mut self,
        memory: &Memory,
        words: [u32; 6],
        normalized: bool,
    ) -> Result<Arc<Texture>, Fault> {
        if let Some(found) = self.textures.get(&(words, normalized)) {
            return Ok(found.clone());
        }
        let state = TextureWords(words);
        let illegal = |reason: String| Fault::Illegal { reason };
        let (texture, bytes) = state.texture(memory, normalized).map_err(illegal)?;
        let made = Arc::new(Texture {
            dim: texture.dim,
            texel: texture.format.size_bytes().into(),
            bytes,
            prepared: PreparedTexture::new(&texture).map_err(|error| illegal(error.to_string()))?,
        });
        if self.textures.len() >= MOST {
            self.textures.clear();
        }
        self.textures.insert((words, normalized), made.clone());
        Ok(made)
    }

    fn sampler(
        &mut self,
        memory: &Memory,
        words: [u32; 4],
        texels: bool,
    ) -> Result<Arc<PreparedSampler>, Fault> {
        let mut border = [0; 4];
        if let Some(entry) = SamplerWords(words).border_entry() {
            memory.load_words(self.borders + 16 * entry, &mut border);
        }
        if let Some(found) = self.samplers.get(&(words, border, texels)) {
            return Ok(found.clone());
        }
        let sampler = SamplerWords(words).sampler(texels, border);
        let sampler = sampler.map_err(|reason| Fault::Illegal { reason })?;
        let made = Arc::new(PreparedSampler::new(sampler, state::PRECISION));
        if self.samplers.len() >= MOST {
            self.samplers.clear();
        }
        self.samplers.insert((words, border, texels), made.clone());
        Ok(made)
    }

    /// The bytes that the texels of a sample's texture lie in; nothing where it cannot be read.
    pub fn bytes(&mut self, memory: &Memory, of: &SampleOf, wave: &Wave) -> Option<Range<u64>> {
        let texture = self.texture(memory, words(of, wave), of.sample.flags.fcnorm);
        texture.ok().map(|texture| texture.bytes.clone())
    }

    /// From the first to the last byte of the texels that a sample by whole texels reads.
    pub fn reach(&mut self, memory: &Memory, of: &SampleOf, wave: &Wave) -> Option<Range<u64>> {
        let texture = self.texture(memory, words(of, wave), of.sample.flags.fcnorm);
        let texture = texture.ok()?;
        let coords = of.coordinates.map(|source| row(wave, source));
        let access = integers(&texture, &coords, of, wave, wave.mask(ACTIVE));
        let mut at = [0; 64];
        let numbered = Numbered::new(SimdLevel::current(), memory, &texture.prepared);
        let found = numbered.addresses(&access.of(&coords), &mut at);
        let places = each(found).map(|lane| at[lane]);
        let ends = places.fold(None, |ends: Option<(u64, u64)>, at| {
            Some(ends.map_or((at, at), |(low, high)| (low.min(at), high.max(at))))
        });
        ends.map(|(low, high)| low..high + texture.texel)
    }

    /// Runs a sample of a wave.
    pub fn sample(
        &mut self,
        level: SimdLevel,
        memory: &Memory,
        of: &SampleOf,
        wave: &mut Wave,
    ) -> Result<(), Fault> {
        self.sample_or_store(level, memory, of, wave, &mut &*memory)
    }

    /// The same; the words of a store go to `sink`.
    pub fn sample_or_store(
        &mut self,
        level: SimdLevel,
        memory: &Memory,
        of: &SampleOf,
        wave: &mut Wave,
        sink: &mut impl Sink,
    ) -> Result<(), Fault> {
        let flags = of.sample.flags;
        let exec = wave.mask(ACTIVE);
        let words = words(of, wave);
        let float = flags.fcnorm || TextureWords(words).is_float();
        let texture = self.texture(memory, words, flags.fcnorm)?;
        let mut coords = of.coordinates.map(|source| row(wave, source));
        if let Some(data) = of.data {
            let sources = TextureWords(words).sources();
            let values = sources.map(|from| row(wave, data[from]));
            let access = integers(&texture, &coords, of, wave, exec & wave.mask(COVERED));
            let access = access.of(&coords);
            let numbered = Numbered::new(level, memory, &texture.prepared);
            numbered.store(&access, values.each_ref(), sink);
            return Ok(());
        }
        let mut out: [Lanes; 4] = [[0; 64]; 4];
        if flags.integer {
            let access = integers(&texture, &coords, of, wave, exec);
            let numbered = Numbered::new(level, memory, &texture.prepared);
            let loading = numbered.begin(&mut self.scratch, &access.of(&coords));
            loading.finish(
                &mut self.scratch,
                &texture.prepared,
                out.each_mut().map(Some),
            );
            self.texels += u64::from(exec.count_ones());
            finish(level, of, float, exec, &out, wave);
            return Ok(());
        }
        let sampler = self.sampler(memory, shared(wave, of.sampler), flags.nncoords)?;
        wave.charge(sample::cost(&texture.prepared, &sampler));
        self.texels += u64::from(exec.count_ones()) * sample::texels(&texture.prepared, &sampler);
        if texture.dim == Dim::Cube {
            faces(&mut coords);
        }
        let layer = of
            .layer
            .map(|source| row(wave, source).map(|n| (n as f32).to_bits()));
        let reference = of.reference.map(|source| row(wave, source));
        let lod = of.lod.map(|source| row(wave, source));
        let gradients = of
            .gradients
            .map(|all| [0, 1].map(|side| all.map(|pair| row(wave, pair[side]))));
        let lookup = of
            .lookup
            .filter(|_| flags.soo)
            .map(|source| row(wave, source));
        let offsets = lookup.map(|words| {
            words.map(|word| {
                let axes = [(0, 6), (6, 6), (12, 4)];
                pack_offsets(axes.map(|(low, bits)| signed(word, low, bits) as i32))
            })
        });
        let request = Request {
            exec,
            coords: coords.each_ref(),
            layer: layer.as_ref(),
            lod: match (of.sample.lod, &lod, &gradients) {
                (LodMode::BIAS, Some(bias), _) => Lod::Bias(bias),
                (LodMode::REPLACE, Some(level), _) => Lod::Explicit(level),
                (LodMode::GRADIENT, _, Some([dx, dy])) => Lod::Gradient {
                    dx: dx.each_ref(),
                    dy: dy.each_ref(),
                },
                _ => Lod::Implicit,
            },
            lod_clamp: None,
            reference: reference.as_ref(),
            offsets: offsets.as_ref(),
        };
        match of.sample.bypass {
            Bypass::NONE => {
                let scratch = &mut self.scratch;
                let sampling = scratch.begin(level, memory, &texture.prepared, &sampler, &request);
                sampling.finish(scratch, out.each_mut().map(Some));
                finish(level, of, float, exec, &out, wave);
            }
            Bypass::DATA => {
                let channels = usize::from(of.sample.channels);
                for channel in 0..channels {
                    let scratch = &mut self.scratch;
                    let (texture, sampler) = (&texture.prepared, &sampler);
                    sample::gather(
                        scratch, memory, texture, sampler, &request, channel, &mut out,
                    );
                    // The texels of a gather are 2, 3, 1, 0.
                    for (tap, values) in [2, 3, 1, 0].into_iter().zip(&out) {
                        let at = usize::from(of.first) + tap * channels + channel;
                        merge(level, exec, values, &mut wave.rows[at].0);
                    }
                }
            }
            Bypass::INFO | Bypass::BOTH => {
                let reason = "samples that return how they filter are not executed".to_owned();
                return Err(Fault::Illegal { reason });
            }
        }
        Ok(())
    }
}

/// Rows of an access by whole texels.
struct Integers {
    exec: u64,
    slice: Option<Lanes>,
    level: Option<Lanes>,
    sample: Option<Lanes>,
}

impl Integers {
    fn of<'a>(&'a self, coords: &'a [Lanes; 3]) -> Access<'a> {
        Access {
            exec: self.exec,
            x: &coords[0],
            y: &coords[1],
            slice: self.slice.as_ref(),
            level: self.level.as_ref(),
            sample: self.sample.as_ref(),
        }
    }
}

fn integers(
    texture: &Texture,
    coords: &[Lanes; 3],
    of: &SampleOf,
    wave: &Wave,
    exec: u64,
) -> Integers {
    let level = of.lod.filter(|_| of.sample.lod == LodMode::REPLACE);
    let lookup = of.lookup.filter(|_| of.sample.flags.sno);
    Integers {
        exec,
        slice: match (texture.dim, of.layer) {
            (Dim::D3, _) => Some(coords[2]),
            (_, Some(layer)) => Some(row(wave, layer)),
            _ => None,
        },
        // Levels come as floats.
        level: level.map(|source| {
            row(wave, source).map(|bits| {
                let level = f32::from_bits(bits);
                if level >= 0.0 { level as u32 } else { u32::MAX }
            })
        }),
        sample: lookup.map(|source| row(wave, source).map(|word| word >> 16 & 7)),
    }
}

/// Results to registers, packed where the instruction says so.
fn finish(
    level: SimdLevel,
    of: &SampleOf,
    float: bool,
    exec: u64,
    out: &[Lanes; 4],
    wave: &mut Wave,
) {
    let channels = usize::from(of.sample.channels);
    let first = usize::from(of.first);
    if of.sample.flags.f16 && float {
        for pair in 0..channels.div_ceil(2) {
            let half = |n: usize, lane: usize| match n < channels {
                true => to_f16(out[n][lane]),
                false => 0,
            };
            let packed =
                std::array::from_fn(|lane| half(2 * pair, lane) | half(2 * pair + 1, lane) << 16);
            merge(level, exec, &packed, &mut wave.rows[first + pair].0);
        }
        return;
    }
    for (n, values) in out
        .iter()
        .enumerate()
        .take(channels.min(usize::from(of.count)))
    {
        merge(level, exec, values, &mut wave.rows[first + n].0);
    }
}
