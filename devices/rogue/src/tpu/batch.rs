//! Samples of a batch of waves: silicon takes the texels of all of them, straight into their registers.

use lanes::{Fault, LANES, Src, Wave};
use silicon::Memory;
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::sample::{self, Dim, Lanes, Lod, MAX_WAVES, Plain, Repeats, to_faces};

use super::{Tpu, shared};
use crate::isa::backend::{Bypass, LodMode};
use crate::lift::{ACTIVE, SampleOf};

static ZERO: Lanes = [0; LANES];

/// Rows that follow from the operands of each wave of a batch: place on a face and its number, layer.
pub struct Placed(Box<[[Lanes; 4]; MAX_WAVES]>);

impl Default for Placed {
    fn default() -> Placed {
        Placed(Box::new([[ZERO; 4]; MAX_WAVES]))
    }
}

/// Whether a sample filters texels of the image that is bound, and gives floats.
fn is_plain(of: &SampleOf) -> bool {
    let flags = of.sample.flags;
    let operands = of.address.is_none() && of.lookup.is_none() && of.data.is_none();
    operands && of.sample.bypass == Bypass::NONE && !flags.integer && !flags.f16
}

/// An operand that is a row, or zero.
fn row(wave: &Wave, source: Src) -> Option<&Lanes> {
    match source {
        Src::Row(at) => Some(&wave.rows[usize::from(at)].0),
        Src::Const(0) => Some(&ZERO),
        _ => None,
    }
}

/// An operand that may be missing; none if it is no row.
fn optional(wave: &Wave, source: Option<Src>) -> Option<Option<&Lanes>> {
    match source {
        Some(source) => row(wave, source).map(Some),
        None => Some(None),
    }
}

/// Derivatives of the coordinates; none if one is no row.
fn gradients<'a>(of: &SampleOf, wave: &'a Wave) -> Option<Lod<'a>> {
    let Some([x, y, z]) = of.gradients else {
        return Some(Lod::Implicit);
    };
    let along = |side: usize| -> Option<[&'a Lanes; 3]> {
        Some([
            row(wave, x[side])?,
            row(wave, y[side])?,
            row(wave, z[side])?,
        ])
    };
    Some(Lod::Gradient {
        dx: along(0)?,
        dy: along(1)?,
    })
}

/// Numbers of layers as floats.
struct Floats<'a>(&'a Lanes, &'a mut Lanes);

impl Kernel for Floats<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for (out, n) in self.1.iter_mut().zip(self.0) {
            *out = (*n as f32).to_bits();
        }
    }
}

/// The request of a wave; `placed` are rows to fill.
fn plain<'a>(
    (level, of, cube): (SimdLevel, &SampleOf, bool),
    wave: &'a Wave,
    placed: &'a mut [Lanes; 4],
) -> Option<Plain<'a>> {
    let [x, y, z] = of.coordinates.map(|source| row(wave, source));
    let mut coords = [x?, y?, z?];
    let [s, t, face, layer] = placed;
    if let Some(source) = of.layer {
        match source {
            Src::Row(at) => level.run(Floats(&wave.rows[usize::from(at)].0, layer)),
            other => layer.fill((wave.uniform(other) as f32).to_bits()),
        }
    }
    if cube {
        to_faces(level, coords, [&mut *s, &mut *t, &mut *face]);
        coords = [s, t, face];
    }
    Some(Plain {
        exec: wave.mask(ACTIVE),
        coords,
        layer: of.layer.map(|_| &*layer),
        reference: optional(wave, of.reference)?,
        lod: match of.sample.lod {
            LodMode::BIAS => optional(wave, of.lod)?.map_or(Lod::Implicit, Lod::Bias),
            LodMode::REPLACE => optional(wave, of.lod)?.map_or(Lod::Implicit, Lod::Explicit),
            LodMode::GRADIENT => gradients(of, wave)?,
            _ => Lod::Implicit,
        },
        ..Plain::NONE
    })
}

impl Tpu {
    /// Samples for several waves at once. False, and nothing is done, where they are to be sampled one by one.
    pub fn sample_all(
        &mut self,
        level: SimdLevel,
        memory: &Memory,
        of: &SampleOf,
        waves: &mut [Wave],
    ) -> Result<bool, Fault> {
        let Some(first) = waves.first().filter(|_| is_plain(of)) else {
            return Ok(false);
        };
        let state = |wave: &Wave| -> ([u32; 6], [u32; 4]) {
            (shared(wave, of.texture), shared(wave, of.sampler))
        };
        let (words, sampler) = state(first);
        if waves.len() > MAX_WAVES || waves.iter().any(|wave| state(wave) != (words, sampler)) {
            return Ok(false);
        }
        let flags = of.sample.flags;
        let texture = self.texture(memory, words, flags.fcnorm)?;
        let sampler = self.sampler(memory, sampler, flags.nncoords)?;
        let how = (level, of, texture.dim == Dim::Cube);
        let mut requests = [Plain::NONE; MAX_WAVES];
        let placed = self.placed.0.iter_mut();
        for ((request, wave), placed) in requests.iter_mut().zip(&*waves).zip(placed) {
            match plain(how, wave, placed) {
                Some(found) => *request = found,
                None => return Ok(false),
            }
        }
        let count = waves.len();
        let texture = &texture.prepared;
        let scratch = &mut self.scratch;
        let requests = &requests[..count];
        let sampling = scratch.begin_all(
            level,
            memory,
            texture,
            &sampler,
            requests,
            Repeats::default(),
        );
        let Some(sampling) = sampling else {
            return Ok(false);
        };
        let cost = sample::cost(texture, &sampler);
        let texels = sample::texels(texture, &sampler);
        let channels = usize::from(of.sample.channels.min(of.count as u8));
        let mut outs = [const { [None, None, None, None] }; MAX_WAVES];
        for (out, wave) in outs.iter_mut().zip(waves) {
            wave.charge(cost);
            self.texels += u64::from(wave.mask(ACTIVE).count_ones()) * texels;
            let rows = &mut wave.rows[usize::from(of.first)..][..channels];
            for (out, row) in out.iter_mut().zip(rows) {
                *out = Some(&mut row.0);
            }
        }
        sampling.finish_all(scratch, &mut outs[..count]);
        Ok(true)
    }
}
