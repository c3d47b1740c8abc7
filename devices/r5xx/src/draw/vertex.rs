//! Waves of vertices: vectors from streams, the program, and what its output vectors are.

use std::ops::Range;
use std::sync::Arc;

use lanes::{Batch, DefaultEngine, LANES, LaneOp, PortFault, Ports, Wave, first_lanes};
use silicon::draw::Finished;
use silicon::exports::VertexExports;
use silicon::fragment::scan::Parameters;
use silicon::geometry::binning::VertexShader;
use silicon::geometry::setup::Viewport;
use silicon::geometry::vertices::VertexInput;
use silicon::texture::sample::Lanes;
use silicon::{Memory, Trap};

use super::WaveWorker;
use super::programs::Shader;
use crate::CHIP;
use crate::cp::{Source, State};
use crate::ga::stipple::Counter;
use crate::isa::pvs;
use crate::pvs::constant;
use crate::regs::GA_ROUND_MODE;
use crate::vap::{self, Output, PositionFormat, Stream};

/// The vertex program of a draw.
pub(super) type Program = Shader<pvs::Lifted, 4>;

/// What a draw wants of vertices beside its registers.
#[derive(Clone, Copy)]
pub(super) struct Wants<'a> {
    pub(super) outputs: &'a [Output],
    /// What centres of points have to keep of |x / w| and |y / w|.
    pub(super) point_bounds: Option<[f32; 2]>,
    /// Where they are on the screen, as one more parameter.
    pub(super) places: Option<Viewport>,
    /// What counts the lines that they make.
    pub(super) counter: Option<&'a Counter>,
}

/// The vertex half of a draw.
pub(super) struct Vertex<'a> {
    engine: Arc<DefaultEngine>,
    program: Arc<Program>,
    scalars: Vec<u32>,
    memory: &'a Memory,
    stream: Stream,
    source: &'a Source,
    state: &'a State,
    format: PositionFormat,
    /// User planes are on.
    planes: bool,
    wants: Wants<'a>,
    /// Colours are kept between 0 and 1, a bit each channel.
    clamps: u8,
    limit: u64,
}

impl<'a> Vertex<'a> {
    /// Of a draw.
    pub(super) fn new(
        engine: Arc<DefaultEngine>,
        program: Arc<Program>,
        (memory, state, source): (&'a Memory, &'a State, &'a Source),
        wants: Wants<'a>,
        limit: u64,
    ) -> Result<Vertex<'a>, String> {
        let registers = &state.registers;
        let stream = Stream::new(registers, source).map_err(|error| error.to_string())?;
        let constants = &program.lifted.constants;
        let scalars = program.scalars(constants, |at| constant(&state.vectors, at));
        let rgb = if GA_ROUND_MODE::RGB_CLAMP.on(registers) {
            0
        } else {
            7
        };
        let alpha = if GA_ROUND_MODE::ALPHA_CLAMP.on(registers) {
            0
        } else {
            8
        };
        Ok(Vertex {
            engine,
            scalars,
            memory,
            stream,
            source,
            state,
            wants,
            format: PositionFormat::new(registers),
            planes: vap::planes(registers) != 0,
            clamps: rgb | alpha,
            limit,
            program,
        })
    }

    /// Output vector `n` of a wave; components that the program has not are zero.
    fn output<'w>(&self, wave: &'w Wave, n: usize) -> [&'w Lanes; 4] {
        let outputs = &self.program.lifted.layout.outputs;
        [0, 1, 2, 3].map(|component| {
            let row = usize::from(outputs.start) + 4 * n + component;
            match row < usize::from(outputs.end) {
                true => &wave.rows[row].0,
                false => &ZEROS,
            }
        })
    }

    fn export(&self, wave: &Wave, exports: &mut VertexExports) {
        exports.clear();
        exports.position_mask = 1;
        let mut param = 0;
        for (n, output) in self.wants.outputs.iter().enumerate() {
            let rows = self.output(wave, n);
            match output {
                Output::Position => self.positions(rows, exports),
                Output::PointSize => exports.positions[1][0] = *rows[0],
                Output::Color(_) | Output::Texture { .. } => {
                    let to = &mut exports.params[param];
                    for (component, (to, from)) in to.iter_mut().zip(rows).enumerate() {
                        *to = *from;
                        let clamps = self.clamps >> component & 1 == 1;
                        if clamps && matches!(output, Output::Color(_)) {
                            to.iter_mut()
                                .for_each(|value| *value = LaneOp::FSat.eval([*value, 0, 0]));
                        }
                    }
                    exports.param_mask |= 1 << param;
                    param += 1;
                }
            }
        }
        if let Some(viewport) = &self.wants.places {
            exports.param_mask |= 1 << param;
            let [x, y, _, w] = exports.positions[0];
            for (axis, from) in [x, y].iter().enumerate() {
                let (scale, offset) = (viewport.scale[axis], viewport.offset[axis]);
                let of = from.iter().zip(w);
                for (to, (from, w)) in exports.params[param][axis].iter_mut().zip(of) {
                    let place = f32::from_bits(*from) / f32::from_bits(w) * scale + offset;
                    *to = place.to_bits();
                }
            }
        }
    }

    fn positions(&self, rows: [&Lanes; 4], exports: &mut VertexExports) {
        for lane in 0..LANES {
            let position = rows.map(|row| f32::from_bits(row[lane]));
            let position = self.format.homogeneous(position);
            for (row, value) in exports.positions[0].iter_mut().zip(position) {
                row[lane] = value.to_bits();
            }
            if self.planes || self.wants.point_bounds.is_some() {
                let mut distances = vap::distances(self.state, position);
                if let Some(bounds) = self.wants.point_bounds {
                    let [x, y, _, w] = position;
                    distances[6] = bounds[0] * w - x.abs();
                    distances[7] = bounds[1] * w - y.abs();
                }
                for (n, distance) in distances.into_iter().enumerate() {
                    exports.positions[2 + n / 4][n % 4][lane] = distance.to_bits();
                }
            }
        }
    }
}

static ZEROS: Lanes = [0; LANES];

impl VertexShader for Vertex<'_> {
    type Worker = WaveWorker;

    fn run(&self, worker: &mut WaveWorker, inputs: &[VertexInput]) -> Result<(), Trap> {
        let (program, WaveWorker { slots, fetch, .. }) = (&self.program, worker);
        slots.bind(1, &program.loaded);
        let (waves, states) = slots.batch(1);
        let wave = &mut waves[0];
        program.start(
            wave,
            &program.cleared,
            &self.scalars,
            first_lanes(inputs.len()),
            self.limit,
        );
        let vectors = self.stream.vectors();
        let written = (0..vap::INPUTS).filter(|n| vectors >> n & 1 == 1);
        for vector in written.clone() {
            fetch.vectors[vector] = [[0; LANES]; 4];
        }
        self.stream
            .load(
                self.memory,
                self.source,
                inputs,
                &mut fetch.words,
                &mut fetch.vectors,
            )
            .map_err(|error| Trap::new(CHIP, u64::MAX, 0, error.to_string()))?;
        let rows = &program.lifted.layout.inputs;
        for vector in written {
            let first = usize::from(rows.start) + 4 * vector;
            for (row, values) in (first..usize::from(rows.end)).zip(&fetch.vectors[vector]) {
                wave.rows[row].0 = *values;
            }
        }
        let mut accesses = Accesses(&program.lifted.ports);
        program.loaded.run(&self.engine, waves, &mut accesses).1?;
        self.export(&waves[0], &mut states[0].vertex);
        Ok(())
    }

    fn count(&self, batch: Parameters<'_>, counters: &mut Vec<u64>) -> bool {
        match self.wants.counter {
            Some(counter) => {
                counter.count(batch, counters);
                true
            }
            None => false,
        }
    }

    fn finished(worker: &WaveWorker) -> Finished<'_, VertexExports> {
        worker.slots.finished(0, |state| &state.vertex)
    }
}

/// Registers that are chosen by an index.
struct Accesses<'a>(&'a [pvs::Port]);

impl Ports for Accesses<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            if let Some(port) = self.0.get(port as usize) {
                port.run(wave);
            }
            Ok(())
        })
    }
}
