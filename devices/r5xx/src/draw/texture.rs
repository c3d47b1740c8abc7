//! Lookups of pixel programs in the texture units of a draw.

use lanes::{LANES, Wave};
use radeon::registers::RegisterFile;
use silicon::texture::sample::{
    self, Lanes, Lod, PreparedSampler, PreparedTexture, Request, Scratch, faces,
};
use silicon::{Memory, SimdLevel};

use crate::isa::us::ops::TexSem;
use crate::isa::us::{Port, flushed};
use crate::tx::{self, TextureError, UNITS, Unit};

const ONE: u32 = 1f32.to_bits();

/// What a unit looks up in.
pub(super) struct Bound {
    texture: PreparedTexture,
    sampler: PreparedSampler,
    /// Texels along each axis.
    size: [u32; 3],
    is_cube: bool,
    cost: u64,
    texels: u64,
}

/// The units of a draw that its program names; none of those that are off.
pub(super) fn bind(
    registers: &RegisterFile,
    memory: &Memory,
    ports: &[Port],
) -> Result<Vec<Option<Bound>>, TextureError> {
    let mut bound: Vec<Option<Bound>> = (0..UNITS).map(|_| None).collect();
    let named = |unit: &Unit| ports.iter().any(|p| u32::from(p.tex.unit) == unit.number);
    for unit in tx::units(registers).filter(named) {
        let (texture, sampler) = (unit.texture(memory)?, unit.sampler()?);
        bound[unit.number as usize] = Some(Bound {
            cost: sample::cost(&texture, &sampler),
            texels: sample::texels(&texture, &sampler),
            texture,
            sampler,
            size: unit.size(),
            is_cube: unit.shape()?.cube,
        });
    }
    Ok(bound)
}

/// What lookups reach beside the registers.
pub(super) struct Reach<'a> {
    pub(super) memory: &'a Memory,
    pub(super) level: SimdLevel,
    pub(super) scratch: &'a mut Scratch,
    /// Texels read: see [`silicon::Stats`].
    pub(super) texels: &'a mut u64,
}

/// Runs a lookup of a wave.
pub(super) fn look_up(bound: Option<&Bound>, port: &Port, reach: &mut Reach, wave: &mut Wave) {
    let [a, b] = port.masks();
    let exec = wave.mask(a) & wave.mask(b);
    let mut out = [[0; LANES]; 4];
    match bound {
        None => out[3] = [ONE; LANES],
        Some(bound) => {
            wave.charge(bound.cost);
            *reach.texels += u64::from(exec.count_ones()) * bound.texels;
            bound.sample(port, reach, exec, wave, &mut out);
        }
    }
    for (channel, values) in out.iter().enumerate() {
        let row = &mut wave.rows[usize::from(port.result) + channel].0;
        for (lane, value) in values.iter().enumerate() {
            let texel = flushed(*value);
            row[lane] = if exec >> lane & 1 == 1 {
                texel
            } else {
                row[lane]
            };
        }
    }
}

impl Bound {
    fn sample(&self, port: &Port, reach: &mut Reach, exec: u64, wave: &Wave, out: &mut [Lanes; 4]) {
        let rows = |rows: [u16; 4]| rows.map(|row| wave.rows[usize::from(row)].0);
        let [s, t, r, q] = rows(port.coordinates);
        let mut coords = [s, t, r];
        if port.tex.unscaled {
            for (row, size) in coords.iter_mut().zip(self.size) {
                *row = row.map(|at| (f32::from_bits(at) / size as f32).to_bits());
            }
        }
        if self.is_cube {
            faces(&mut coords);
        }
        let [dx, dy] = port.gradients.map(rows);
        let lod = match port.tex.op.sem() {
            TexSem::Bias => Lod::Bias(&q),
            TexSem::Level => Lod::Explicit(&q),
            TexSem::Gradients => Lod::Gradient {
                dx: [&dx[0], &dx[1], &dx[2]],
                dy: [&dy[0], &dy[1], &dy[2]],
            },
            _ => Lod::Implicit,
        };
        let request = Request {
            exec,
            coords: coords.each_ref(),
            layer: None,
            lod,
            lod_clamp: None,
            reference: None,
            offsets: None,
        };
        let Reach {
            memory,
            level,
            scratch,
            ..
        } = reach;
        let sampling = scratch.begin(*level, memory, &self.texture, &self.sampler, &request);
        sampling.finish(scratch, out.each_mut().map(Some));
    }
}
