//! Filter4: four by four texels of one component, weighed by a kernel that streams load. [R5XX TX_FILTER4]
//!
//! The kernel is separable. A coordinate is rounded to sixteenths of a texel, its phase; phases 9 to 15 are those below 8
//! from the other side. Only one level, of a flat texture of bytes.

use silicon::Memory;
use silicon::texture::fixed;
use silicon::texture::format::{Class, Read};

use super::{TextureError, Unit};
use crate::formats;
use crate::regs::{TX_FILTER0, TX_FILTER4, TX_FORMAT1, TX_FORMAT2};
use crate::tiling::Surface;

/// Phases that are loaded.
const PHASES: usize = 9;
/// Sixteenths of a texel.
const STEPS: i64 = 16;
/// Ones of a weight: it has nine bits behind the point.
const UNIT: f32 = 512.0;
/// MAG_FILTER and MIN_FILTER.
const FILTER4: u32 = 0;

/// Weights of each phase, across and down; texels from the left or from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights([[[f32; 4]; PHASES]; 2]);

impl Weights {
    /// A word of TX_FILTER4.
    pub fn load(&mut self, word: u32) -> Result<(), String> {
        use TX_FILTER4::*;
        let phase = PHASE.get(word) as usize;
        let weights = self.0[DIRECTION.get(word) as usize].get_mut(phase);
        let weights = weights.ok_or_else(|| {
            format!("TX_FILTER4.PHASE {phase} is behind the {PHASES} of a kernel")
        })?;
        let first = 2 * WEIGHT_PAIR.get(word) as usize;
        let pair = [WEIGHT_0.signed(word), WEIGHT_1.signed(word)];
        for (to, weight) in weights[first..].iter_mut().zip(pair) {
            *to = weight as f32 / UNIT;
        }
        Ok(())
    }

    /// The weights of a phase, 0 to 15.
    fn of(&self, direction: usize, phase: usize) -> [f32; 4] {
        let phases = &self.0[direction];
        match phases.get(phase) {
            Some(weights) => *weights,
            None => {
                let [a, b, c, d] = phases[STEPS as usize - phase];
                [d, c, b, a]
            }
        }
    }
}

/// A component of a texture, and how it is weighed.
pub(crate) struct Filtered {
    weights: Weights,
    size: [u32; 2],
    clamps: [u32; 2],
    /// Address of the component's byte in texel 0.
    base: u64,
    surface: Surface,
    border: f32,
    /// What channels are that are not the component.
    select: [Read; 4],
}

/// The texel of a coordinate along an axis; none is the border.
fn texel(clamp: u32, at: i64, size: u32) -> Option<u32> {
    let size = i64::from(size);
    let mirrored = if at < 0 { -1 - at } else { at };
    let at = match clamp {
        0 => at.rem_euclid(size),
        1 => {
            let at = at.rem_euclid(2 * size);
            at.min(2 * size - 1 - at)
        }
        2 => at.clamp(0, size - 1),
        3 => mirrored.min(size - 1),
        4 | 6 => at,
        _ => mirrored,
    };
    u32::try_from(at).ok().filter(|at| i64::from(*at) < size)
}

impl Filtered {
    /// The first texel of four along an axis, and the phase.
    fn place(&self, axis: usize, coordinate: f32) -> (i64, usize) {
        let size = self.size[axis] as f32;
        let coordinate = match self.clamps[axis] {
            4 => coordinate.clamp(0.0, 1.0),
            5 => coordinate.clamp(-1.0, 1.0),
            _ => coordinate,
        };
        // Saturates: far away all texels are the same, or the coordinate says nothing.
        let steps = ((coordinate * size - 0.5) * STEPS as f32).round_ties_even() as i64;
        let steps = steps.clamp(-1 << 40, 1 << 40);
        let (at, phase) = (steps.div_euclid(STEPS), steps.rem_euclid(STEPS));
        (at - 1, phase as usize)
    }

    /// Whether texels are weighed so.
    pub(crate) fn has(&self, weights: &Weights) -> bool {
        self.weights == *weights
    }

    /// The component of a texel, from 0 to 1.
    fn load(&self, memory: &Memory, x: u32, y: u32) -> f32 {
        let byte = memory.load_byte(self.base + self.surface.offset(x, y, 0, 0));
        // The texture lies inside of the memory.
        fixed::from_unorm(byte.unwrap_or_default().into(), 8)
    }

    /// Red, green, blue and alpha at a place from 0 to 1.
    pub(crate) fn sample(&self, memory: &Memory, place: [f32; 2]) -> [u32; 4] {
        let [(x, across), (y, down)] = [0, 1].map(|axis| self.place(axis, place[axis]));
        let [across, down] = [self.weights.of(0, across), self.weights.of(1, down)];
        let columns: [Option<u32>; 4] =
            std::array::from_fn(|n| texel(self.clamps[0], x + n as i64, self.size[0]));
        let mut sum = 0.0;
        for (n, weight) in (0..).zip(down) {
            let line = texel(self.clamps[1], y + n, self.size[1]);
            let value = |column: Option<u32>| match (column, line) {
                (Some(column), Some(line)) => self.load(memory, column, line),
                _ => self.border,
            };
            let of_line = columns.iter().zip(across);
            let line: f32 =
                of_line.fold(0.0, |sum, (column, weight)| sum + value(*column) * weight);
            sum += line * weight;
        }
        let value = sum.clamp(0.0, 1.0).to_bits();
        self.select.map(|read| match read {
            Read::Channel(_) => value,
            Read::Zero => 0,
            Read::One => 1f32.to_bits(),
        })
    }
}

impl Unit<'_> {
    /// Whether both filters are Filter4.
    pub(super) fn has_kernel(&self) -> bool {
        let filters = [TX_FILTER0::MAG_FILTER, TX_FILTER0::MIN_FILTER];
        filters.iter().all(|field| self.get(*field) == FILTER4)
    }

    /// The component that the kernel weighs, where the filter is Filter4.
    pub(crate) fn filtered(
        &self,
        memory: &Memory,
        weights: &Weights,
    ) -> Result<Option<Filtered>, TextureError> {
        if !self.has_kernel() {
            return Ok(None);
        }
        for field in [TX_FILTER0::MIP_FILTER, TX_FILTER0::MAX_MIP_LEVEL] {
            if self.get(field) != 0 {
                return Err(self.refuse("TX_FILTER0", field));
            }
        }
        if self.get(TX_FORMAT1::TEX_COORD_TYPE) != 0 {
            return Err(self.refuse("TX_FORMAT1", TX_FORMAT1::TEX_COORD_TYPE));
        }
        let format = self.format()?;
        let component = match formats::component(format, self.get(TX_FORMAT2::SEL_FILTER4) as u8) {
            Read::Channel(component) => usize::from(component),
            _ => return Err(self.refuse("TX_FORMAT2", TX_FORMAT2::SEL_FILTER4)),
        };
        let mut channels = format.channels().iter();
        if channels.len() == 0
            || channels.any(|channel| channel.bits != 8)
            || format.class() != Class::Unorm
            || self.is_converted()
        {
            return Err(self.refuse("TX_FILTER0", TX_FILTER0::MAG_FILTER));
        }
        let [width, height, _] = self.size();
        let (address, levels) = self.levels(memory)?;
        let byte = (0..format.size_bytes()).find(|byte| {
            let texel = format.unpack_words([0xff << (8 * byte), 0, 0, 0]);
            texel[component] != 0
        });
        let byte = byte.ok_or_else(|| self.refuse("TX_FORMAT2", TX_FORMAT2::SEL_FILTER4))?;
        let border = f32::from_bits(self.border_texel(format)[component]);
        let clamps = [TX_FILTER0::CLAMP_S, TX_FILTER0::CLAMP_T];
        Ok(Some(Filtered {
            weights: *weights,
            size: [width, height],
            clamps: clamps.map(|field| self.get(field)),
            base: address + levels[0].offset + u64::from(byte),
            surface: levels[0].surface,
            border,
            select: self.select(format)?,
        }))
    }
}
