//! A device of its own for tests of whole draws: surfaces, a vertex shader that is a function, a pixel shader that gives
//! the provoking vertex's colour.
#![allow(clippy::unwrap_used, dead_code)]

use silicon::draw::{Finished, Worker};
use silicon::exports::VertexExports;
use silicon::fragment::bins::Threads;
use silicon::fragment::blend::{Blend, Equation, Factor, Operation, Range, Source};
use silicon::fragment::depth::{Compare, Depth, DepthFormat};
use silicon::fragment::interpolate::{CENTRES, Wanted};
use silicon::fragment::multisample::Samples;
use silicon::fragment::output::{ColorOutput, DepthOutput, PixelExports};
use silicon::fragment::scan::{
    AnyWave, MAX_BATCH, PixelShader, PixelStage, PixelWaves, WaveRows, batch_of,
};
use silicon::fragment::stencil::DepthStencil;
use silicon::fragment::surface::{Cache, Extent, Layout, Plane};
use silicon::fragment::tile::{Rect, lane};
use silicon::geometry::assembly::{Assembly, Borders, Fill, Outlined, Positions};
use silicon::geometry::binning::VertexShader;
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{Grid, LineShape, Setup, Viewport, Winding};
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::{InputAssembler, VertexInput};
use silicon::{Format, Memory, SimdLevel, Trap};

pub const SIZE: u32 = 256;
pub const COLOR: u64 = 0;
pub const DEPTH: u64 = 0x4_0000;
pub const BYTES: u64 = 0x8_0000;
pub const GRID: Grid = Grid::new(8);

/// A wave with this fails: as the last component of a colour in a pixel, or of a position of a vertex.
pub const FAILS: f32 = 77.0;
/// What its trap says.
pub const REASON: &str = "a wave that fails";

fn failure() -> Trap {
    Trap::new("test", 0, 0, REASON)
}

/// Tiles of 64 words, line by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiled;

impl Layout for Tiled {
    fn extent(&self) -> Extent {
        Extent {
            pitch: SIZE,
            height: SIZE,
            samples: 1,
            element_bytes: 4,
        }
    }
    fn bytes(&self, slices: u32) -> u64 {
        u64::from(4 * SIZE * SIZE * slices)
    }
    fn xor_bits(&self) -> u64 {
        0
    }
    fn offset(&self, x: u32, y: u32, _slice: u32, _sample: u32) -> u64 {
        u64::from(4 * ((x / 8 + y / 8 * (SIZE / 8)) * 64 + lane(x % 8, y % 8)))
    }
}

/// A float from 0 to 1 of a number.
pub fn noise(n: u32) -> f32 {
    let n = (n ^ 0x9e37).wrapping_mul(0x85eb_ca6b);
    ((n ^ n >> 13).wrapping_mul(0xc2b2_ae35) >> 8) as f32 / (1 << 24) as f32
}

/// What a thread keeps: exports of both stages.
pub struct Exports {
    vertex: VertexExports,
    pixels: Vec<PixelExports>,
}

impl Default for Exports {
    fn default() -> Exports {
        Exports {
            vertex: VertexExports::default(),
            pixels: vec![PixelExports::default(); MAX_BATCH],
        }
    }
}

/// A vertex shader that is a function of the draw's seed and the vertex: position and colour.
pub type VertexFunction = fn(u32, &VertexInput) -> ([f32; 4], [f32; 4]);

/// Colours go through the last parameter; those before it hold other numbers.
#[derive(Clone, Copy)]
pub struct Shader {
    pub seed: u32,
    pub params: usize,
    pub vertex: VertexFunction,
}

/// Triangles anywhere, each in a colour of its own.
pub fn anywhere(seed: u32, input: &VertexInput) -> ([f32; 4], [f32; 4]) {
    let at = |k: u32| noise(8 * (input.index + 1000 * seed) + k);
    // The corners of a triangle are near each other, but some are large.
    let centre = |k: u32| 2.0 * noise(77 * (input.index / 3) + k + seed) - 1.0;
    let reach = if (input.index / 3).is_multiple_of(8) {
        1.5
    } else {
        0.2
    };
    let position = [
        centre(0) + reach * (at(0) - 0.5),
        centre(1) + reach * (at(1) - 0.5),
        at(2),
        1.0,
    ];
    let color = std::array::from_fn(|k| noise(5 * (input.index / 3) + k as u32));
    (position, color)
}

impl VertexShader for Shader {
    type Worker = Exports;

    fn run(&self, worker: &mut Exports, inputs: &[VertexInput]) -> Result<(), Trap> {
        let out = &mut worker.vertex;
        out.clear();
        (out.position_mask, out.param_mask) = (1, (1 << self.params) - 1);
        for (lane, input) in inputs.iter().enumerate() {
            let (position, color) = (self.vertex)(self.seed, input);
            if position[3] == FAILS {
                return Err(failure());
            }
            for (component, value) in position.into_iter().enumerate() {
                out.positions[0][component][lane] = value.to_bits();
                for param in 0..self.params {
                    out.params[param][component][lane] = !(param as u32);
                }
                out.params[self.params - 1][component][lane] = color[component].to_bits();
            }
        }
        Ok(())
    }

    fn finished(worker: &Exports) -> Finished<'_, VertexExports> {
        Finished {
            instructions: 1,
            exports: &worker.vertex,
        }
    }
}

impl PixelShader for Shader {
    type Worker = Exports;
    type Draw = ();
    type Stores = ();

    fn begin(&self, _worker: &mut Exports, (): &()) {}

    fn block(&self, vertices: [&[u32]; 3], out: &mut Vec<u32>) {
        out.extend(&vertices[0][4 * (self.params - 1)..4 * self.params]);
    }

    fn batch(&self, _: &()) -> usize {
        batch_of(1)
    }

    fn run(&self, worker: &mut Exports, waves: &PixelWaves) -> (usize, Result<(), Trap>) {
        for number in 0..waves.count() {
            let mut rows = WaveRows::default();
            let (exec, starts) = match waves.wave(number, &mut rows) {
                AnyWave::Tile(wave) => (wave.exec, wave.starts),
                AnyWave::Quads(wave) => (wave.exec, wave.starts),
            };
            let primitives = waves.primitives(number);
            let mut ordinal = 0;
            let out = &mut worker.pixels[number];
            out.clear();
            (out.color_mask, out.valid) = (1, exec);
            for lane in 0..64 {
                ordinal += usize::from(lane % 4 == 0 && starts >> (lane / 4) & 1 == 1);
                let block = &waves.blocks()[primitives[ordinal] as usize..];
                if exec >> lane & 1 == 1 && block[3] == FAILS.to_bits() {
                    return (number, Err(failure()));
                }
                for (component, word) in block[..4].iter().enumerate() {
                    out.colors[0][component][lane] = *word;
                }
            }
        }
        (waves.count(), Ok(()))
    }

    fn finished(worker: &Exports, wave: usize) -> Finished<'_, PixelExports> {
        Finished {
            instructions: 1,
            exports: &worker.pixels[wave],
        }
    }

    fn color(worker: &Exports, wave: usize, target: usize) -> Source<'_> {
        worker.pixels[wave].colors[target].each_ref()
    }
}

/// Everything that the draws of a pass share.
pub struct Pass {
    pub memory: Memory,
    pub threads: Threads,
    pub color: Plane,
    pub depth: Plane,
}

impl Pass {
    pub fn new(threads: usize) -> Pass {
        let memory = Memory::new(BYTES);
        memory
            .fill(silicon::Addr(DEPTH), u64::from(SIZE * SIZE), 1f32.to_bits())
            .unwrap();
        let mut cache = Cache::default();
        let mut plane = |base| cache.plane(&memory, Tiled, base, 0).unwrap();
        Pass {
            color: plane(COLOR),
            depth: plane(DEPTH),
            threads: Threads::new(threads),
            memory,
        }
    }

    pub fn stage(&self, seed: u32) -> PixelStage<Shader> {
        let over = Equation {
            src: Factor::SrcAlpha,
            dst: Factor::OneMinusSrcAlpha,
            op: Operation::Add,
        };
        let blend = Blend {
            color: over,
            ..Blend::opaque(Range::Unorm)
        };
        PixelStage {
            memory: self.memory.clone(),
            level: SimdLevel::current(),
            grid: GRID,
            shader: Some(Shader {
                seed,
                params: 1,
                vertex: anywhere,
            }),
            colors: vec![ColorOutput::new(
                0,
                Format::R8G8B8A8Unorm,
                &blend,
                self.color.clone(),
            )],
            packed: Vec::new(),
            depth: DepthOutput {
                test: DepthStencil {
                    depth: Some(Depth {
                        format: DepthFormat::Float32,
                        compare: Compare::LessEqual,
                        write: seed.is_multiple_of(2),
                        clamp: None,
                        bounds: None,
                    }),
                    stencil: None,
                },
                depth: Some(self.depth.clone()),
                early: true,
                hi_z: true,
                ..DepthOutput::default()
            },
            samples: Samples::ONE,
            sample_positions: vec![CENTRES],
            sample_mask: 1,
            per_sample: false,
            alpha_to_mask: None,
            area: self.area(seed),
            viewports: Vec::new(),
            stipple: None,
            packs: true,
            needs_position: false,
            needs_places: false,
            needs_coverage: false,
            needs_planes: Wanted::default(),
            others: Vec::new(),
        }
    }

    /// Draws have scissors of their own.
    pub fn area(&self, seed: u32) -> Rect {
        let edge = 20 * seed as i32;
        Rect::new(edge, edge / 2, SIZE as i32 - 2 * edge, SIZE as i32 - edge)
    }

    pub fn input_assembler() -> InputAssembler {
        InputAssembler {
            topology: Topology::Triangles,
            restart: None,
            range: [0, u32::MAX],
            provoking_last: false,
            reuse: true,
            gathers: None,
        }
    }

    pub fn assembly(&self, seed: u32) -> Assembly {
        let side = Setup {
            grid: GRID,
            front: Winding::Clockwise,
            cull_front: false,
            cull_back: false,
            bias: None,
            multisampled: false,
            scissor: self.area(seed),
        };
        let half = SIZE as f32 / 2.0;
        Assembly {
            viewports: vec![Viewport {
                scale: [half, half, 1.0],
                offset: [half, half, 0.0],
                z_is_w: false,
            }],
            volume: Volume {
                depth: DepthRange::ZeroToOne,
                near: true,
                far: true,
                guard: [4.0; 2],
                clip_distances: 0,
                cull_distances: 0,
            },
            front: side,
            back: side,
            vertex_layers: false,
            fill: Fill::Solid,
            line_width: 1.0,
            line_shape: LineShape::Thin,
            last_provokes: false,
            biases_parallelograms: false,
            keeps_lines: false,
            positions: Positions::default(),
            user_planes: Vec::new(),
            borders: Borders::default(),
            sprites: false,
            outlined: Outlined::default(),
            point_size: [1.0; 2],
            vertex_point_size: None,
            draws: true,
        }
    }

    pub fn workers(&self) -> Vec<Worker<Exports>> {
        self.threads.workers(|| Worker::new(Exports::default()))
    }

    pub fn words(&self) -> Vec<u32> {
        (0..BYTES / 4)
            .map(|n| self.memory.load(4 * n).unwrap())
            .collect()
    }
}
