//! Registers to the state of a draw: what both phases need of it.

mod depth;

use std::sync::Arc;

use lanes::DefaultEngine;
use silicon::Memory;
use silicon::exports::PARAMETERS;
use silicon::fragment::depth::DepthFormat;
use silicon::fragment::stencil::DepthStencil;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{
    Assembly, Borders, FaceMode, Fill, Outlined, Positions, guard_band,
};
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{Bias, BiasUnit, Grid, LineShape, Setup, Viewport, Winding};
use silicon::geometry::stipple::Stipple;

use crate::geometry::GeometryState;
use crate::pds::{self, Attributes};
use crate::regs::{self, *};
use crate::unexecuted;
use crate::usc::{Program, Programs};
use depth::{looking, tests};

pub use depth::{ZlsFormat, depth_format};

/// Vertices have eight bits below the pixel. [Rogue 15.2]
pub const GRID: Grid = Grid::new(8);

/// Where an input of a pixel program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Parameter of the vertices.
    pub parameter: usize,
    /// How it is interpolated: [`regs::source`].
    pub source: u8,
}

/// What the pixel phase needs of a draw.
pub struct PixelState {
    /// Kind of the object: [`pass_type`].
    pub pass_type: u8,
    /// The program; none where only depth and stencil are drawn.
    pub program: Option<Arc<Program>>,
    /// Shared registers.
    pub shared: Vec<u32>,
    /// Inputs of the program.
    pub inputs: Vec<Input>,
    /// Tests of each viewport.
    pub tests: Vec<DepthStencil>,
    /// What of them rejects pixels before a program that has its say, without a trace.
    pub looks: Vec<DepthStencil>,
    /// Scissors, one for each viewport.
    pub scissors: Vec<Rect>,
    /// Pattern along lines.
    pub stipple: Option<Stipple>,
    /// Samples that are drawn.
    pub sample_mask: u32,
    /// The program runs once a sample.
    pub per_sample: bool,
    /// It does so by itself, and not because it reads what the samples hold: it sees its sample alone.
    pub at_samples: bool,
    /// Where samples that pass are counted.
    pub visibility: Option<u64>,
    /// Where the draw counts what it does: [`counter`].
    pub statistics: Option<u64>,
    /// Address of the border colours in memory.
    pub borders: u64,
    /// Words of a vertex in primitive blocks.
    pub stride: usize,
    /// Lines are rectangles, triangles and points are not lines: what is front is clockwise.
    pub front_clockwise: bool,
    /// Waves run in submission order, on one thread.
    pub side_effects: bool,
}

/// What the geometry phase needs of a draw.
pub struct VertexState {
    /// The program.
    pub program: Arc<Program>,
    /// Shared registers, those of the draw itself apart.
    pub shared: Vec<u32>,
    /// Attributes.
    pub attributes: Attributes,
    /// What makes other primitives of its vertices.
    pub geometry: Option<GeometryState>,
    /// Parameters that a vertex of a primitive that is drawn has.
    pub parameters: usize,
    /// What vertices have behind them.
    pub outputs: OutputSel,
    /// It stores to memory, or a geometry program does.
    pub side_effects: bool,
    /// Address of the border colours in memory.
    pub borders: u64,
    /// Pattern along lines.
    pub stipple: Option<Stipple>,
    /// Clipping and set-up.
    pub assembly: Assembly,
}

fn stipple(registers: &Registers) -> Option<Stipple> {
    let word = LineStipple::from_word(registers.get(LINE_STIPPLE));
    word.enable.then(|| Stipple {
        pattern: word.pattern,
        repeat: u32::from(word.repeat) + 1,
        restarts: word.restarts,
    })
}

fn viewports(registers: &Registers, count: u32) -> Vec<Viewport> {
    let viewport = |n: u32| {
        let value = |k: u32| registers.float(VIEWPORT + n * VIEWPORT_STRIDE + k);
        Viewport {
            offset: [value(0), value(2), value(4)],
            scale: [value(1), value(3), value(5)],
            z_is_w: false,
        }
    };
    (0..count).map(viewport).collect()
}

fn scissors(registers: &Registers, count: u32) -> Vec<Rect> {
    let everywhere = Rect::new(0, 0, i32::MAX, i32::MAX);
    if !IspCtl::from_word(registers.get(ISPCTL)).scenable {
        return vec![everywhere; count as usize];
    }
    let scissor = |n: u32| {
        let [x, y] =
            [SCISSOR_X, SCISSOR_Y].map(|first| Scissor::from_word(registers.get(first + n)));
        Rect {
            x0: x.first.into(),
            y0: y.first.into(),
            x1: x.end.into(),
            y1: y.end.into(),
        }
    };
    (0..count).map(scissor).collect()
}

fn viewport_count(registers: &Registers) -> u32 {
    match OutputSel::from_word(registers.get(OUTPUT_SEL)).vpt_tgt {
        true => VIEWPORTS,
        false => 1,
    }
}

fn assembly(registers: &Registers, area: Rect, multisampled: bool) -> Result<Assembly, String> {
    let control = PppCtrl::from_word(registers.get(PPP_CTRL));
    let raster = Raster::from_word(registers.get(RASTER));
    let outputs = OutputSel::from_word(registers.get(OUTPUT_SEL));
    let viewports = viewports(registers, viewport_count(registers));
    let front = match raster.back_clockwise {
        true => Winding::CounterClockwise,
        false => Winding::Clockwise,
    };
    let culled = match control.cullmode {
        cullmode::NONE => None,
        cullmode::CLOCKWISE => Some(Winding::Clockwise),
        cullmode::COUNTER_CLOCKWISE => Some(Winding::CounterClockwise),
        other => return Err(format!("PPP_CTRL.cullmode {other}")),
    };
    let enabled = IspCtl::from_word(registers.get(ISPCTL)).dbenable;
    let bias = enabled.then(|| Bias {
        constant: registers.float(BIAS_CONSTANT),
        slope: registers.float(BIAS_SLOPE),
        clamp: registers.float(BIAS_CLAMP),
        unit: match ZlsFormat::new(registers).depth {
            Some(DepthFormat::Unorm16) => BiasUnit::Unorm(16),
            Some(DepthFormat::Unorm24 | DepthFormat::Counted16 { .. }) => BiasUnit::Unorm(24),
            _ => BiasUnit::Float,
        },
    });
    let setup = Setup {
        grid: GRID,
        front,
        cull_front: culled == Some(front),
        cull_back: culled.is_some_and(|culled| culled != front),
        bias,
        multisampled,
        scissor: area,
    };
    let width = registers.float(LINE_WIDTH);
    let size = registers.float(POINT_SIZE);
    let guard = guard_band(GRID, &viewports, [0.0; 2]);
    Ok(Assembly {
        viewports,
        volume: Volume {
            depth: DepthRange::ZeroToOne,
            near: control.clip_mode != 0 && !raster.depth_clamp,
            far: control.clip_mode != 0 && !raster.depth_clamp,
            guard,
            clip_distances: outputs.plane,
            cull_distances: outputs.cullplane,
        },
        front: setup,
        back: setup,
        vertex_layers: outputs.render_tgt,
        fill: match raster.fill {
            fill::SOLID => Fill::Solid,
            fill::LINES => Fill::Modes([FaceMode::Lines; 2]),
            fill::POINTS => Fill::Modes([FaceMode::Points; 2]),
            other => return Err(format!("RASTER.fill {other}")),
        },
        line_width: width,
        line_shape: match width <= 1.0 && !raster.rectangular_lines {
            true => LineShape::Thin,
            false => LineShape::Rectangle,
        },
        last_provokes: VdmControl::from_word(registers.get(VDM_CONTROL)).provoking_last,
        biases_parallelograms: false,
        keeps_lines: stipple(registers).is_some(),
        positions: Positions::default(),
        user_planes: Vec::new(),
        borders: Borders::default(),
        sprites: false,
        outlined: Outlined::default(),
        point_size: [size; 2],
        vertex_point_size: outputs.psprite_size.then_some([1.0, 8191.875]),
        draws: !raster.discards,
    })
}

/// What decoding a draw takes beside its registers.
pub struct Sources<'a> {
    /// Runs programs.
    pub engine: &'a DefaultEngine,
    /// Video memory.
    pub memory: &'a Memory,
    /// Programs met before.
    pub programs: &'a mut Programs,
    /// Pixels of the render.
    pub area: Rect,
}

/// The states of a draw, or why it cannot be drawn.
pub fn decode(
    registers: &Registers,
    sources: Sources<'_>,
) -> Result<(VertexState, PixelState), String> {
    let Sources {
        engine,
        memory,
        programs,
        area,
    } = sources;
    unexecuted::check(registers)?;
    let samples = CrRender::from_word(registers.get(CR_RENDER)).samples;
    let vs = VsControl::from_word(registers.get(USC_VS_CONTROL));
    let fs = FsControl::from_word(registers.get(USC_FS_CONTROL));
    let words = registers.get(USC_VS_CODE_WORDS);
    let vertex = programs.get(engine, memory, registers.address(USC_VS_CODE_LO), words)?;
    let geometry = match GeometryState::is_on(registers) {
        true => {
            let sources = (engine, memory);
            Some(GeometryState::new(registers, sources, programs, &vertex)?)
        }
        false => None,
    };
    let parameters = geometry.as_ref().map_or(vs.parameters, |g| g.parameters);
    if usize::from(parameters) > PARAMETERS {
        return Err(format!("{parameters} parameters of a vertex"));
    }
    let tag = !IspCtl::from_word(registers.get(ISPCTL)).tag_write_disable;
    let program = match tag && !fs.disabled {
        true => {
            let words = registers.get(USC_FS_CODE_WORDS);
            Some(programs.get(engine, memory, registers.address(USC_FS_CODE_LO), words)?)
        }
        false => None,
    };
    let count = registers.get(TSP_INPUTS);
    if count > INPUTS {
        return Err(format!("{count} inputs of a pixel program"));
    }
    let input = |n: u32| {
        let input = TspInput::from_word(registers.get(TSP_INPUT + n));
        match input.parameter < parameters || input.source == source::POINT {
            true => Ok(Input {
                parameter: input.parameter.into(),
                source: input.source,
            }),
            false => Err(format!(
                "input {n} is parameter {} of {parameters}",
                input.parameter
            )),
        }
    };
    let viewport_count = viewport_count(registers);
    let tests = tests(registers, &viewports(registers, viewport_count));
    let raster = Raster::from_word(registers.get(RASTER));
    let kind = IspA::from_word(registers.get(ISPA_FRONT))
        .passtype
        .max(fs.pass_type);
    if !matches!(kind, 0..=2 | 5) {
        return Err(format!("pass type {kind} is not executed"));
    }
    let reads = program
        .as_ref()
        .is_some_and(|program| program.reads_outputs());
    let pixel = PixelState {
        // A program with feedback is waited for, unless tests come first by force.
        pass_type: match (program.as_ref(), fs.early_depth) {
            (_, true) => pass_type::TRANSLUCENT,
            (Some(program), _) if program.lifted.layout.depth.is_some() => {
                pass_type::DEPTH_FEEDBACK
            }
            (Some(program), _) if program.lifted.kills || program.lifted.layout.mask.is_some() => {
                kind.max(pass_type::PUNCH_THROUGH)
            }
            _ => kind,
        },
        shared: match program {
            Some(_) => pds::PIXEL.load(registers, memory)?,
            None => Vec::new(),
        },
        program,
        inputs: (0..count).map(input).collect::<Result<_, _>>()?,
        looks: tests.iter().map(looking).collect(),
        tests,
        scissors: scissors(registers, viewport_count),
        stipple: stipple(registers),
        sample_mask: registers.get(SAMPLE_MASK),
        // What is read differs from sample to sample.
        per_sample: (fs.per_sample || reads) && samples > 0,
        at_samples: fs.per_sample,
        visibility: Some(registers.address(VISIBILITY_LO)).filter(|at| *at != 0),
        statistics: Some(registers.address(STATISTICS_LO)).filter(|at| *at != 0),
        borders: registers.address(TPU_BORDERS_LO),
        stride: 4 * usize::from(parameters),
        front_clockwise: !raster.back_clockwise,
        side_effects: fs.side_effects,
    };
    let vertex = VertexState {
        program: vertex,
        shared: pds::VERTEX.load(registers, memory)?,
        attributes: Attributes::new(registers, memory)?,
        parameters: parameters.into(),
        outputs: OutputSel::from_word(registers.get(OUTPUT_SEL)),
        side_effects: vs.side_effects || geometry.as_ref().is_some_and(|g| g.side_effects),
        geometry,
        borders: registers.address(TPU_BORDERS_LO),
        stipple: stipple(registers),
        assembly: assembly(registers, area, samples > 0)?,
    };
    Ok((vertex, pixel))
}

/// The pixels of a render.
pub fn area(registers: &Registers) -> Rect {
    let size = CrSize::from_word(registers.get(regs::CR_SIZE));
    Rect::new(0, 0, i32::from(size.width) + 1, i32::from(size.height) + 1)
}
