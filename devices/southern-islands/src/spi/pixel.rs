//! Inputs of pixel waves: which ones SPI_PS_INPUT_ENA asks for, and the registers that they fill. [STAGES]

use lanes::{Row, Wave};
use radeon::registers::RegisterFile;
use silicon::fragment::interpolate::{
    self, BatchRows, CENTRES, Coefficients, SamplePositions, Value, Wanted, Weights,
};
use silicon::fragment::mask::expand;
use silicon::fragment::scan::{
    AnyWave, FullTiles, MAX_BATCH, PixelWave, PixelWaves, WavePlanes, WaveRows,
};
use silicon::host::SimdLevel;

use super::{Launch, StartScalars};
use crate::regs;
use crate::sq::Shader;

/// Inputs of SPI_PS_INPUT_ENA by bit.
mod input {
    pub(super) const PERSP_SAMPLE: u32 = 0;
    pub(super) const PERSP_CENTER: u32 = 1;
    pub(super) const PERSP_CENTROID: u32 = 2;
    pub(super) const PERSP_PULL_MODEL: u32 = 3;
    pub(super) const LINEAR_SAMPLE: u32 = 4;
    pub(super) const LINEAR_CENTER: u32 = 5;
    pub(super) const LINEAR_CENTROID: u32 = 6;
    pub(super) const POS_X: u32 = 8;
    pub(super) const POS_Y: u32 = 9;
    pub(super) const POS_Z: u32 = 10;
    pub(super) const POS_W: u32 = 11;
    pub(super) const FRONT_FACE: u32 = 12;
    pub(super) const ANCILLARY: u32 = 13;
    pub(super) const COVERAGE: u32 = 14;
    pub(super) const POS_FIXED: u32 = 15;
    /// VGPRs of each input.
    pub(super) const SIZES: [usize; 16] = [2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1];
}

/// Which inputs a pixel wave gets, and in which VGPRs.
#[derive(Clone)]
pub(crate) struct PixelInputs {
    /// Bit of the input and its first VGPR: of any wave, and of one whose lanes are all enabled.
    lists: [Vec<(u32, usize)>; 2],
    enabled: u32,
    front_face_all_bits: bool,
    upper_left: bool,
    /// Positions are those of the sample that is shaded. Where whole pixels are, drivers that ask for it get the centre.
    /// (ERRATA 57)
    at_sample: bool,
    /// The layer that is drawn to.
    pub(crate) layer: u32,
}

impl PixelInputs {
    pub(crate) fn new(registers: &RegisterFile) -> PixelInputs {
        let enabled = registers.get(regs::SPI_PS_INPUT_ENA);
        let placed = registers.get(regs::SPI_PS_INPUT_ADDR) | enabled;
        let baryc = regs::SpiBarycCntl::from_word(registers.get(regs::SPI_BARYC_CNTL));
        let walk = regs::PaScModeCntl1::from_word(registers.get(regs::PA_SC_MODE_CNTL_1));
        let mut list = Vec::new();
        let mut register = 0;
        for (bit, size) in input::SIZES.iter().enumerate() {
            if placed >> bit & 1 != 0 {
                if enabled >> bit & 1 != 0 {
                    list.push((bit as u32, register));
                }
                register += size;
            }
        }
        PixelInputs {
            lists: [list.clone(), list],
            enabled,
            front_face_all_bits: baryc.front_face_all_bits,
            upper_left: baryc.pos_float_ulc,
            at_sample: baryc.pos_float_location == 2 && walk.ps_iter_sample,
            layer: 0,
        }
    }

    /// Leaves out those whose registers the shader does not read, or, where all lanes are enabled, writes before.
    pub(crate) fn keep_read(&mut self, shader: &Shader) {
        let live = |register: usize| shader.live.rows.get(register);
        let read = |register: usize| live(register).is_none_or(|row| row.read);
        let kept =
            |register: usize| live(register).is_none_or(|row| row.read && !row.written_first);
        let [all, full] = &mut self.lists;
        let enabled = &mut self.enabled;
        all.retain(|(bit, first)| {
            let kept = (*first..first + input::SIZES[*bit as usize]).any(read);
            *enabled &= !(u32::from(!kept) << bit);
            kept
        });
        full.retain(|(bit, first)| (*first..first + input::SIZES[*bit as usize]).any(kept));
    }

    /// Whether a VGPR is one of theirs.
    pub(super) fn fills(&self, vgpr: usize) -> bool {
        let holds = |(bit, first): &(u32, usize)| {
            (*first..first + input::SIZES[*bit as usize]).contains(&vgpr)
        };
        self.lists[0].iter().any(holds)
    }

    /// Whether the shader wants the pixel's position.
    pub(crate) fn needs_position(&self) -> bool {
        const POSITIONS: u32 = 1 << input::POS_X | 1 << input::POS_Y | 1 << input::POS_FIXED;
        self.enabled & POSITIONS != 0
    }

    /// Whether places other than the pixel centre matter.
    pub(crate) fn needs_places(&self) -> bool {
        const PLACES: u32 = 1 << input::PERSP_SAMPLE
            | 1 << input::PERSP_CENTROID
            | 1 << input::LINEAR_SAMPLE
            | 1 << input::LINEAR_CENTROID;
        self.enabled & PLACES != 0
    }

    /// Whether the shader wants the covered samples.
    pub(crate) fn needs_coverage(&self) -> bool {
        self.enabled & 1 << input::COVERAGE != 0
    }

    /// Planes that inputs are made from, besides those of perspective.
    pub(crate) fn needs_planes(&self) -> Wanted {
        const LINEAR: u32 =
            1 << input::LINEAR_SAMPLE | 1 << input::LINEAR_CENTER | 1 << input::LINEAR_CENTROID;
        Wanted {
            z: self.enabled & 1 << input::POS_Z != 0,
            linear: self.enabled & LINEAR != 0,
        }
    }

    /// Starts a wave of pixels.
    pub(crate) fn start<P: Coefficients>(
        &self,
        level: SimdLevel,
        (launch, scalars): (&Launch, &mut StartScalars),
        pixel: &PixelWave<P>,
        wave: &mut Wave,
        limit: u64,
    ) {
        launch.restart(wave, scalars, (pixel.exec, pixel.starts), limit);
        for (bit, register) in &self.lists[usize::from(pixel.exec == u64::MAX)] {
            let size = input::SIZES[*bit as usize];
            if let Some(rows) = wave.rows.get_mut(*register..*register + size) {
                self.fill(level, *bit, pixel, rows);
            }
        }
    }

    /// Starts a batch of waves.
    pub(crate) fn start_batch(
        &self,
        level: SimdLevel,
        (launch, scalars): (&Launch, &mut StartScalars),
        waves: &PixelWaves,
        registers: &mut [Wave],
        limit: u64,
        rows: &mut WaveRows,
    ) {
        if let Some(tiles) = waves.full_tiles() {
            let start = (launch, scalars);
            return self.start_tiles(level, start, (waves, tiles), registers, limit);
        }
        for (n, wave) in registers.iter_mut().enumerate() {
            let start = (launch, &mut *scalars);
            match waves.wave(n, rows) {
                AnyWave::Tile(pixel) => self.start(level, start, &pixel, wave, limit),
                AnyWave::Quads(pixel) => self.start(level, start, &pixel, wave, limit),
            }
        }
    }

    /// Starts waves of fully covered tiles, input by input.
    fn start_tiles(
        &self,
        level: SimdLevel,
        (launch, scalars): (&Launch, &mut StartScalars),
        (waves, tiles): (&PixelWaves, &FullTiles),
        registers: &mut [Wave],
        limit: u64,
    ) {
        launch.restart_tiles(registers, scalars, limit);
        for (bit, register) in &self.lists[1] {
            let offset = if self.upper_left { 0.0 } else { 0.5 };
            let planes = tiles.planes;
            let at = (
                tiles.at,
                self.places(*bit, [&CENTRES, tiles.samples, tiles.samples]),
            );
            let weights = match *bit {
                input::PERSP_SAMPLE..=input::PERSP_CENTROID => Weights::Perspective,
                input::LINEAR_SAMPLE..=input::LINEAR_CENTROID => Weights::Linear,
                input::POS_X | input::POS_Y => {
                    let axis = usize::from(*bit == input::POS_Y);
                    let rows = &mut rows_of(registers, *register);
                    interpolate::tile_positions(level, axis, offset, at, rows);
                    continue;
                }
                input::POS_Z => {
                    let rows = &mut rows_of(registers, *register);
                    interpolate::tile_values(level, Value::Own, &planes.z, at, rows);
                    continue;
                }
                input::POS_W => {
                    let rows = &mut rows_of(registers, *register);
                    interpolate::tile_values(level, Value::Reciprocal, &planes.inv_w, at, rows);
                    continue;
                }
                _ => {
                    self.fill_batch(level, (*bit, *register), waves, registers);
                    continue;
                }
            };
            let mut rows = [const { None }; MAX_BATCH];
            for (rows, wave) in rows.iter_mut().zip(&mut *registers) {
                if let Some([i, j]) = wave.rows.get_mut(*register..*register + 2) {
                    *rows = Some([&mut i.0, &mut j.0]);
                }
            }
            interpolate::tile_weights(level, weights, planes, at, &mut rows);
        }
    }

    /// Fills the registers of one input of several waves.
    fn fill_batch(
        &self,
        level: SimdLevel,
        (bit, register): (u32, usize),
        waves: &PixelWaves,
        registers: &mut [Wave],
    ) {
        let size = input::SIZES[bit as usize];
        let mut own = WaveRows::default();
        for (n, wave) in registers.iter_mut().enumerate() {
            let Some(rows) = wave.rows.get_mut(register..register + size) else {
                continue;
            };
            match waves.wave(n, &mut own) {
                AnyWave::Tile(pixel) => self.fill(level, bit, &pixel, rows),
                AnyWave::Quads(pixel) => self.fill(level, bit, &pixel, rows),
            }
        }
    }

    /// Where an input is taken, of pixel centres, samples and centroids.
    fn places<'a>(
        &self,
        bit: u32,
        [centres, samples, centroids]: [&'a SamplePositions; 3],
    ) -> &'a SamplePositions {
        match bit {
            input::PERSP_SAMPLE | input::LINEAR_SAMPLE => samples,
            input::PERSP_CENTROID | input::LINEAR_CENTROID => centroids,
            input::POS_X..=input::POS_W if self.at_sample => samples,
            _ => centres,
        }
    }

    /// Fills the registers of one input. Not inlined, as what only some of them need is not to be done for all.
    #[inline(never)]
    fn fill<P: Coefficients>(
        &self,
        level: SimdLevel,
        bit: u32,
        pixel: &PixelWave<P>,
        rows: &mut [Row],
    ) {
        let planes: &WavePlanes<P> = &pixel.planes;
        let sample_positions = self.places(bit, [pixel.centres, pixel.samples, pixel.centroids]);
        let offset = if self.upper_left { 0.0 } else { 0.5 };
        match (bit, rows) {
            (input::PERSP_SAMPLE | input::PERSP_CENTER | input::PERSP_CENTROID, [i, j]) => {
                let from = [planes.i_w, planes.j_w, planes.inv_w];
                interpolate::perspective(level, from, sample_positions, &mut i.0, &mut j.0);
            }
            (input::LINEAR_SAMPLE | input::LINEAR_CENTER | input::LINEAR_CENTROID, [i, j]) => {
                interpolate::bits(level, planes.i, sample_positions, &mut i.0);
                interpolate::bits(level, planes.j, sample_positions, &mut j.0);
            }
            (input::PERSP_PULL_MODEL, [i, j, w]) => {
                interpolate::bits(level, planes.i_w, sample_positions, &mut i.0);
                interpolate::bits(level, planes.j_w, sample_positions, &mut j.0);
                interpolate::bits(level, planes.inv_w, sample_positions, &mut w.0);
            }
            (input::POS_X, [row]) => {
                let place = [&sample_positions.x, &pixel.centres.x];
                interpolate::position(pixel.position[0], offset, place, &mut row.0);
            }
            (input::POS_Y, [row]) => {
                let place = [&sample_positions.y, &pixel.centres.y];
                interpolate::position(pixel.position[1], offset, place, &mut row.0);
            }
            (input::POS_Z, [row]) => {
                interpolate::bits(level, planes.z, sample_positions, &mut row.0)
            }
            // w itself: drivers let shaders take its reciprocal. [INPUTS]
            (input::POS_W, [row]) => {
                interpolate::reciprocals(level, planes.inv_w, sample_positions, &mut row.0);
            }
            (input::FRONT_FACE, [row]) => {
                let [front, back] = if self.front_face_all_bits {
                    [u32::MAX, 0]
                } else {
                    [1f32.to_bits(), (-1f32).to_bits()]
                };
                expand(level, pixel.front, [back, front], &mut row.0);
            }
            (input::ANCILLARY, [row]) => {
                row.0.fill(self.layer << 16 | pixel.sample << 8);
            }
            (input::COVERAGE, [row]) => match pixel.coverage {
                Some(coverage) => row.0 = *coverage,
                None => expand(level, pixel.exec, [0, 1], &mut row.0),
            },
            (input::POS_FIXED, [row]) => {
                for (lane, value) in row.0.iter_mut().enumerate() {
                    let [x, y] = pixel.position.map(|p| p[lane] as u32 & 0xffff);
                    *value = x | y << 16;
                }
            }
            _ => {}
        }
    }
}

/// A row of each wave.
fn rows_of(waves: &mut [Wave], row: usize) -> BatchRows<'_> {
    let mut rows = [const { None }; MAX_BATCH];
    for (rows, wave) in rows.iter_mut().zip(waves) {
        *rows = wave.rows.get_mut(row).map(|row| &mut row.0);
    }
    rows
}
