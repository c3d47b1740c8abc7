//! Waves of pixels: what they start from, the program, the alpha test, and where their results are.

use std::ops::Range;
use std::sync::Arc;

use lanes::{Batch, DefaultEngine, LANES, PortFault, Ports, Wave};
use silicon::draw::Finished;
use silicon::fragment::blend::Source;
use silicon::fragment::interpolate::Coefficients;
use silicon::fragment::output::PixelExports;
use silicon::fragment::quads::QuadTable;
use silicon::fragment::scan::{
    AnyWave, MAX_BATCH, PixelShader, PixelWave, PixelWaves, WaveRows, batch_of,
};
use silicon::geometry::attributes::AttributeMap;
use silicon::geometry::binning::BinnedPrimitive;
use silicon::host::SimdLevel;
use silicon::texture::sample::Lanes;
use silicon::{Trap, WAVE_COST};

use super::changes::Changes;
use super::inputs::{PixelInputs, TileWeights};
use super::programs::Shader;
use super::texture::{Reach, Units, look_up, look_up_square};
use super::{Unit, WaveState, WaveWorker};
use crate::cb::{Channel, Target};
use crate::fg::{AlphaTest, Fog};
use crate::isa::us::{self, ACTIVE, COVERED};
use crate::us::DepthSource;

/// The pixel program of a draw.
pub(super) type Program = Shader<us::Lifted, 6>;

/// Rows of what each of a target's components takes.
pub(super) type Places = [[Option<u16>; 4]; 4];

static ZEROS: Lanes = [0; LANES];

/// The output of what the depth block clears, behind those of the program.
pub(super) const CLEARED: usize = 4;

/// The pixel half of a draw.
pub(super) struct Pixel {
    pub(super) engine: Arc<DefaultEngine>,
    pub(super) program: Arc<Program>,
    pub(super) scalars: Vec<u32>,
    /// Rows that waves start with as zeros.
    pub(super) cleared: Vec<u16>,
    pub(super) inputs: PixelInputs,
    pub(super) map: Arc<AttributeMap>,
    pub(super) changes: Changes,
    pub(super) textures: Units,
    pub(super) alpha_test: Option<AlphaTest>,
    pub(super) fog: Option<Fog>,
    /// Where depths come from that planes do not give.
    pub(super) depth: Option<DepthSource>,
    /// The word of texels that the depth block clears.
    pub(super) clear: Option<u32>,
    pub(super) places: Places,
    pub(super) level: SimdLevel,
    pub(super) limit: u64,
}

/// Where the components of targets are in waves of a program.
pub(super) fn places(program: &Program, targets: &[Target]) -> Places {
    let mut places = Places::default();
    for target in targets {
        let output = target.output as usize;
        let Some(first) = program.lifted.layout.targets[output] else {
            continue;
        };
        places[output] = target.sources.map(|channel| {
            Some(program.result(match channel? {
                Channel::Red => first,
                Channel::Green => first + 1,
                Channel::Blue => first + 2,
                Channel::Alpha => first + 3,
            }))
        });
    }
    places
}

/// All lanes of quads with a lane in the mask.
fn whole_quads(lanes: u64) -> u64 {
    let pairs = lanes | lanes >> 1;
    ((pairs | pairs >> 2) & 0x1111_1111_1111_1111) * 15
}

impl Pixel {
    /// Prepares a wave for some pixels.
    fn clear(&self, wave: &mut Wave, exec: u64) {
        let Pixel {
            program,
            cleared,
            scalars,
            ..
        } = self;
        program.start(wave, cleared, scalars, exec, self.limit);
        // The others of a quad run too, for derivatives.
        wave.set_mask(ACTIVE, whole_quads(exec));
    }

    fn start<P: Coefficients>(
        &self,
        pixel: &PixelWave<P>,
        wave: &mut Wave,
        (exports, table): (&mut PixelExports, &mut QuadTable),
    ) {
        self.clear(wave, pixel.exec);
        let rows = &mut wave.rows[..];
        self.inputs.start(self.level, pixel, (rows, &mut *table));
        if self.fog.is_some() {
            // Colours are rows of the wave: the room of one is for fog.
            let fog = &mut exports.colors[0][0];
            self.inputs.fog(self.level, pixel, (fog, &mut *table));
        }
        let depth = &mut exports.depth[0];
        self.inputs.depth(self.level, pixel, (depth, table));
    }

    /// Gives the waves of a batch what they start with.
    fn start_all(
        &self,
        waves: &PixelWaves,
        (rows, weights, table): (&mut WaveRows, &mut TileWeights, &mut QuadTable),
        (registers, states): (&mut [Wave], &mut [WaveState]),
    ) {
        if let Some(tiles) = waves.full_tiles()
            && self.fog.is_none()
            && !self.inputs.is_two_sided()
            && !self.inputs.makes_depths()
        {
            for wave in &mut *registers {
                self.clear(wave, u64::MAX);
            }
            let waves = (waves, tiles);
            let room = (rows, weights);
            return self.inputs.start_tiles(self.level, waves, room, registers);
        }
        for (n, (wave, state)) in registers.iter_mut().zip(states).enumerate() {
            let room = (&mut state.pixel, &mut *table);
            match waves.wave(n, rows) {
                AnyWave::Tile(pixel) => self.start(&pixel, wave, room),
                AnyWave::Quads(pixel) => self.start(&pixel, wave, room),
            }
        }
    }

    /// Blends what goes to the first target with fog, by its coordinates.
    fn blend_fog(&self, fog: &Fog, coordinates: &Lanes, wave: &mut Wave) {
        let Some(first) = self.program.lifted.layout.targets[0] else {
            return;
        };
        let factors = coordinates.map(|at| fog.factor(f32::from_bits(at)));
        for component in 0..3 {
            let row = self.program.result(first + component as u16);
            let row = &mut wave.rows[usize::from(row)].0;
            for (value, factor) in row.iter_mut().zip(factors) {
                *value = fog
                    .blend(component, f32::from_bits(*value), factor)
                    .to_bits();
            }
        }
    }

    /// What a wave that has ended, or was stopped, leaves.
    fn export(&self, wave: &Wave, exports: &mut PixelExports) {
        let layout = &self.program.lifted.layout;
        exports.clear();
        exports.valid = wave.mask(COVERED);
        for (n, target) in layout.targets.iter().enumerate() {
            exports.color_mask |= u8::from(target.is_some()) << n;
        }
        if let Some(word) = self.clear {
            exports.color_mask |= 1 << CLEARED;
            for (row, byte) in exports.colors[CLEARED].iter_mut().zip(word.to_le_bytes()) {
                *row = [(f32::from(byte) / 255.0).to_bits(); LANES];
            }
        }
        if let Some(test) = &self.alpha_test {
            let alpha = |first: u16| usize::from(self.program.result(first + 3));
            let row = layout.targets[0].map(alpha);
            let alpha = row.map_or(&ZEROS, |row| &wave.rows[row].0);
            exports.valid = test.lanes(exports.valid, alpha);
        }
        exports.has_depth = self.depth.is_some();
        match self.depth {
            // Those of the rasteriser are there from the start.
            None | Some(DepthSource::Rasteriser) => {}
            Some(DepthSource::Zero) => exports.depth[0] = ZEROS,
            Some(DepthSource::Program) => {
                let row = layout
                    .depth
                    .map(|row| usize::from(self.program.result(row)));
                exports.depth[0] = row.map_or(ZEROS, |row| wave.rows[row].0);
            }
        }
    }
}

impl PixelShader for Pixel {
    type Worker = WaveWorker;
    type Draw = ();
    type Stores = ();

    fn may_fail(&self) -> bool {
        // Code memory is too short for a program without loops to reach the usual limit.
        self.program.may_stop || self.limit < WAVE_COST
    }

    fn begin(&self, worker: &mut WaveWorker, draw: &()) {
        worker.slots.bind(self.batch(draw), &self.program.loaded);
        worker.places = self.places;
    }

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        self.map.block(self.level, vertices, out);
    }

    fn piece_block(&self, piece: &BinnedPrimitive<'_>, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        let first = out.len();
        self.block(vertices, out);
        self.changes
            .apply(&self.map, piece, vertices, &mut out[first..]);
    }

    fn batch(&self, _: &()) -> usize {
        // Colours and depth lie in rows of their own, which count as well.
        batch_of(self.program.read.len()).min(MAX_BATCH / 2)
    }

    fn run(&self, worker: &mut WaveWorker, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        let WaveWorker {
            slots,
            unit,
            rows,
            quads,
            weights,
            ..
        } = worker;
        let (registers, states) = slots.batch(waves.count());
        self.start_all(
            waves,
            (rows, weights, quads),
            (&mut *registers, &mut *states),
        );
        let mut lookups = Lookups { pixel: self, unit };
        let loaded = &self.program.loaded;
        let result = loaded.run(&self.engine, registers, &mut lookups);
        for (wave, state) in registers.iter_mut().zip(states) {
            if let Some(fog) = &self.fog {
                self.blend_fog(fog, &state.pixel.colors[0][0], wave);
            }
            self.export(wave, &mut state.pixel);
        }
        result
    }

    fn finished(worker: &WaveWorker, wave: usize) -> Finished<'_, PixelExports> {
        worker.slots.finished(wave, |state| &state.pixel)
    }

    fn color(worker: &WaveWorker, wave: usize, target: usize) -> Source<'_> {
        if target == CLEARED {
            return worker.slots.states[wave].pixel.colors[CLEARED].each_ref();
        }
        let rows = &worker.slots.waves[wave].rows;
        worker.places[target].map(|row| row.map_or(&ZEROS, |row| &rows[usize::from(row)].0))
    }
}

/// The texture units of a draw.
struct Lookups<'a> {
    pixel: &'a Pixel,
    unit: &'a mut Unit,
}

impl Ports for Lookups<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        let Lookups { pixel, unit } = self;
        let mut reach = Reach {
            memory: &unit.memory,
            level: unit.level,
            scratch: &mut unit.scratch,
            texels: &mut unit.texels,
        };
        let all = &pixel.program.lifted.ports;
        let end = all.len().min(ports.end as usize);
        let mut rest = all.get(ports.start as usize..end).unwrap_or_default();
        while let [port, others @ ..] = rest {
            let bound = pixel.textures.get(usize::from(port.tex.unit));
            let bound = bound.and_then(Option::as_deref);
            if let (true, Some((square, behind))) = (port.square, rest.split_first_chunk())
                && look_up_square(bound, square, &mut reach, &mut *batch.waves)
            {
                rest = behind;
                continue;
            }
            look_up(bound, port, &mut reach, &mut *batch.waves);
            rest = others;
        }
        Ok(())
    }
}
