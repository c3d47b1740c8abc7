//! Pixel tasks: waves of pixels from what is seen to output registers. [Rogue 12.2, 15.6]

use std::ops::Range;

use lanes::{Batch, DefaultEngine, LANES, PortFault, Ports, Wave};
use silicon::fragment::interpolate::lanes;
use silicon::fragment::scan::MAX_BATCH;
use silicon::host::SimdLevel;
use silicon::{Memory, Trap};

use crate::isa::backend::IterMode;
use crate::lift::{COVERED, Input, Iterate, Port, SampleOf, SpecialRegister};
use crate::lot::{Abc, Evaluate, EvaluateAll, Lot, Places, Plane, Reciprocals};
use crate::render::Render;
use crate::state::PixelState;
use crate::tile::{Region, TileMemory};
use crate::tile_buffer::{Stored, offset};
use crate::tpu::Tpu;
use crate::tsp::Object;
use crate::usc::Program;

/// Waves of a batch, at most.
pub const BATCH: usize = MAX_BATCH;

/// What a thread keeps to run waves.
#[derive(Default)]
pub struct Shader {
    waves: Vec<Wave>,
    /// Places of the lanes of each wave: centre, sample, centroid.
    places: Vec<[Places; 3]>,
    rows: Rows,
    /// Words of pixels that each wave has stored.
    stored: Vec<Stored>,
    /// Textures.
    pub tpu: Tpu,
    /// Number of the thread.
    pub slot: usize,
}

/// Rows that iterations work on.
#[derive(Default)]
struct Rows {
    plane: Abc,
    factor: Factor,
}

struct Factor([f32; 64]);

impl Default for Factor {
    fn default() -> Factor {
        Factor([0.0; 64])
    }
}

/// Numbers of the lanes of a thread's wave among all that run at once.
pub fn numbers(slot: usize) -> [u32; 64] {
    std::array::from_fn(|lane| (64 * slot + lane) as u32)
}

impl Shader {
    /// Runs a batch of waves of one state; returns how many ended, and the trap of the next one.
    pub fn run(
        &mut self,
        (render, memory, state): (&Render, &Memory, &PixelState),
        (objects, coefficients): (&[Object], &[u32]),
        (lots, tile): (&[Lot], &TileMemory),
        region: Region,
    ) -> (usize, Result<(), Trap>) {
        let Some(program) = &state.program else {
            return (lots.len(), Ok(()));
        };
        if self.waves.len() < lots.len() {
            self.waves.resize_with(lots.len(), || Wave::new(0, 0));
            self.places.resize_with(lots.len(), Default::default);
            self.stored.resize_with(lots.len(), Default::default);
        }
        self.stored.iter_mut().for_each(Stored::begin);
        let samples = &render.places.samples;
        let slot = self.slot;
        self.tpu.borders = state.borders;
        for (n, lot) in lots.iter().enumerate() {
            let [centre, sample, centroid] = &mut self.places[n];
            if samples.count() > 1 || !lot.whole {
                centre.centres(lot);
            }
            if samples.count() > 1 {
                sample.clone_from(centre);
                centroid.clone_from(centre);
                sample.move_to_sample(samples, lot.sample.unwrap_or(0).into());
                match lot.sample.filter(|_| state.at_samples) {
                    Some(number) => centroid.move_to_sample(samples, number.into()),
                    None => centroid.move_to_centroids(samples, lot),
                }
            }
            let centre = Places::of_part(lot).unwrap_or(centre);
            let places = match samples.count() {
                1 => [centre; 2],
                _ => [centre, &*sample],
            };
            let wave = &mut self.waves[n];
            program.start(wave, &state.shared, [lot.lanes(), lot.exec], render.limit);
            let layout = &program.lifted.layout;
            for (register, row) in layout.outputs.iter().enumerate() {
                if let (Some(row), true) = (row, layout.reads_outputs[register]) {
                    let row = &mut wave.rows[usize::from(*row)].0;
                    render.read((lot, tile), register, row);
                }
            }
            for (input, row) in &layout.inputs {
                let row = &mut wave.rows[usize::from(*row)].0;
                fill(
                    *input,
                    row,
                    (state, lot),
                    (objects, coefficients),
                    (places, region),
                );
                if *input == Input::Special(SpecialRegister::LOCAL_ADDR_INST_NUM.code()) {
                    *row = numbers(slot);
                }
            }
        }
        let Shader {
            waves,
            places,
            rows,
            stored,
            tpu,
            ..
        } = self;
        let mut ports = Pixels {
            program,
            render,
            level: render.level,
            multisampled: samples.count() > 1,
            memory,
            lots,
            objects,
            coefficients,
            places,
            rows,
            tile,
            stored,
            tpu,
        };
        let engine: &DefaultEngine = &render.engine;
        program.run(engine, &mut waves[..lots.len()], &mut ports)
    }

    /// Instructions that a wave of the last batch ran.
    pub fn instructions(&self, wave: usize) -> u64 {
        self.waves[wave].instructions
    }

    /// Takes off the lanes of each sample that a program killed or does not cover.
    pub fn cut(&self, state: &PixelState, wave: usize, lot: &Lot, masks: &mut [u64]) {
        let Some(program) = &state.program else {
            return;
        };
        let wave = &self.waves[wave];
        let alive = wave.mask(COVERED) & lot.exec;
        let row = program
            .lifted
            .layout
            .mask
            .map(|row| &wave.rows[usize::from(row)].0);
        for (sample, mask) in masks.iter_mut().enumerate() {
            *mask &= alive;
            if let Some(row) = row {
                for lane in lanes(*mask) {
                    *mask &= !(u64::from(row[lane] >> sample & 1 == 0) << lane);
                }
            }
        }
    }

    /// Depths that a program hands over.
    pub fn depths(&self, state: &PixelState, wave: usize) -> Option<[u32; 64]> {
        let program = state.program.as_ref()?;
        let row = program.lifted.layout.depth?;
        Some(self.waves[wave].rows[usize::from(row)].0)
    }

    /// Hands output registers over in the lanes of each sample.
    pub fn hand_over(
        &self,
        (level, state): (SimdLevel, &PixelState),
        wave: usize,
        lot: &Lot,
        masks: &[u64],
        tile: &mut TileMemory,
    ) {
        let Some(program) = &state.program else {
            return;
        };
        let layout = &program.lifted.layout;
        for (register, row) in layout.outputs.iter().enumerate().take(tile.registers()) {
            if let (Some(row), true) = (row, layout.writes_outputs[register]) {
                let row = &self.waves[wave].rows[usize::from(*row)].0;
                lot.write(level, tile, register, masks, row);
            }
        }
        if program.stores_pixels() {
            self.stored[wave].hand_over(level, lot, masks, tile);
        }
    }
}

/// Fills a register of each lane.
fn fill(
    input: Input,
    row: &mut [u32; 64],
    (state, lot): (&PixelState, &Lot),
    (objects, coefficients): (&[Object], &[u32]),
    ([centre, sample], region): ([&Places; 2], Region),
) {
    match input {
        Input::Coefficient(number) => lot.spread(row, |object| {
            let first = objects[object as usize].coefficients.unwrap_or(0) as usize;
            let value = coefficients.get(first + usize::from(number)).copied();
            value.unwrap_or(0)
        }),
        Input::CoefficientAlt(_) => row.fill(0),
        Input::Coverage => lot.coverage(row),
        Input::Special(number) => match SpecialRegister::from_code(number) {
            Some(SpecialRegister::FACE_ORIENT) => lot.spread(row, |object| {
                let front = objects[object as usize].stored.primitive.front;
                u32::from(front != state.front_clockwise)
            }),
            Some(SpecialRegister::TILE_X_PIX) => row.fill(region.at[0] as u32),
            Some(SpecialRegister::TILE_Y_PIX) => row.fill(region.at[1] as u32),
            Some(SpecialRegister::RENDER_TGT_ID) => row.fill(region.layer as u32),
            Some(SpecialRegister::INST_NUM) => {
                (0..).zip(row).for_each(|(lane, value)| *value = lane & 31)
            }
            Some(register) if offset(register).is_some() => {
                row.fill(offset(register).unwrap_or(0));
            }
            Some(SpecialRegister::SAMP_NUM) => row.fill(lot.sample.unwrap_or(0).into()),
            Some(SpecialRegister::INST_VALID) => row.fill(1),
            Some(
                found @ (SpecialRegister::X_P
                | SpecialRegister::X_S
                | SpecialRegister::Y_P
                | SpecialRegister::Y_S),
            ) => {
                let is_sample = matches!(found, SpecialRegister::X_S | SpecialRegister::Y_S);
                let from = if is_sample { sample } else { centre };
                let (values, first) = match found {
                    SpecialRegister::X_P | SpecialRegister::X_S => (&from.x, region.at[0]),
                    _ => (&from.y, region.at[1]),
                };
                for (row, value) in row.iter_mut().zip(values) {
                    *row = (value + first as f32).to_bits();
                }
            }
            _ => row.fill(0),
        },
    }
}

/// The blocks around a batch of pixel waves.
struct Pixels<'a> {
    program: &'a Program,
    render: &'a Render,
    level: SimdLevel,
    multisampled: bool,
    memory: &'a Memory,
    lots: &'a [Lot],
    objects: &'a [Object],
    coefficients: &'a [u32],
    places: &'a [[Places; 3]],
    rows: &'a mut Rows,
    tile: &'a TileMemory,
    stored: &'a mut [Stored],
    tpu: &'a mut Tpu,
}

impl Ports for Pixels<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let first = batch.first;
        let count = batch.waves.len();
        for port in ports {
            let found = self.program.lifted.ports.get(port as usize);
            match found {
                Some(Port::Iterate(iterate)) => {
                    for n in 0..count {
                        self.iterate(iterate, first + n, &mut batch.waves[n]);
                    }
                }
                Some(Port::Sample(sample))
                    if count > 1 && self.sample(port, sample, batch.waves)? => {}
                found => {
                    for (n, wave) in batch.waves.iter_mut().enumerate() {
                        let done = match found {
                            Some(Port::Sample(sample)) => {
                                self.tpu.sample(self.level, self.memory, sample, wave)
                            }
                            Some(Port::Emit { .. }) => Ok(()),
                            Some(found) if self.tile_buffer(found, first + n, wave) => Ok(()),
                            _ => self
                                .program
                                .lifted
                                .serve(port, wave, self.memory)
                                .map(|_| ()),
                        };
                        done.map_err(|fault| PortFault {
                            port,
                            wave: n,
                            fault,
                        })?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Pixels<'_> {
    /// Serves words of the pixels of a wave; false for ports of other things.
    fn tile_buffer(&mut self, port: &Port, number: usize, wave: &mut Wave) -> bool {
        let pixels = (&self.lots[number], self.tile);
        self.stored[number].serve(self.render, port, wave, pixels)
    }

    /// Samples for all waves at once, if that is possible.
    fn sample(
        &mut self,
        port: u32,
        sample: &SampleOf,
        waves: &mut [Wave],
    ) -> Result<bool, PortFault> {
        let sampled = self.tpu.sample_all(self.level, self.memory, sample, waves);
        sampled.map_err(|fault| PortFault {
            port,
            wave: 0,
            fault,
        })
    }

    fn iterate(&mut self, iterate: &Iterate, number: usize, wave: &mut Wave) {
        let lot = &self.lots[number];
        let [centre, sample, centroid] = &self.places[number];
        let places = match iterate.mode {
            IterMode::SAMPLE if self.multisampled => sample,
            IterMode::CENTROID if self.multisampled => centroid,
            _ => Places::of_part(lot).unwrap_or(centre),
        };
        let Rows { plane, factor } = &mut *self.rows;
        let given = (self.objects, self.coefficients);
        let mut perspective = false;
        if let Some(number) = iterate.perspective {
            let plane = plane.load(lot, given.0, given.1, number.into());
            // Where 1/w is 1 all over, products with its reciprocal are what they were.
            perspective = !matches!(plane, Plane::One([0.0, 0.0, 1.0]));
            if perspective {
                self.level.run(Reciprocals {
                    plane,
                    places,
                    out: &mut factor.0,
                });
            }
        }
        let mask = wave.mask(crate::lift::ACTIVE);
        let factor = perspective.then_some(&factor.0);
        let (first, count) = (usize::from(iterate.first), usize::from(iterate.count));
        let rows = &mut wave.rows[first..first + count];
        let from = usize::from(iterate.coefficient);
        if let (Some(object), u64::MAX) = (lot.object(), mask) {
            let base = given.0[object as usize].coefficients.unwrap_or(0) as usize;
            if let Some(planes) = given.1.get(base + from..base + from + 4 * count) {
                let out = rows;
                return self.level.run(EvaluateAll {
                    planes,
                    places,
                    factor,
                    saturated: iterate.sat,
                    out,
                });
            }
        }
        for (n, row) in rows.iter_mut().enumerate() {
            let plane = plane.load(lot, given.0, given.1, from + 4 * n);
            let evaluate = |out: &mut [u32; LANES]| {
                self.level.run(Evaluate {
                    plane,
                    places,
                    factor,
                    saturated: iterate.sat,
                    out,
                });
            };
            if mask == u64::MAX {
                evaluate(&mut row.0);
            } else {
                let mut values = [0; LANES];
                evaluate(&mut values);
                silicon::fragment::mask::merge(self.level, mask, &values, &mut row.0);
            }
        }
    }
}
