//! Geometry assembly: points, lines, polygon modes, the vertex grid and sample positions. [R5xx 10 "GA", 11.4]
//!
//! Half sizes and sample positions count subpixels: twelfths or sixteenths of a pixel. silicon's grid has sixteenths, so a
//! draw on the grid of twelfths is snapped to sixteenths, and its sizes and sample positions are the nearest ones. [`stipple`] counts along
//! lines.

pub mod stipple;

use radeon::registers::RegisterFile;
use silicon::fragment::multisample::Samples;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{Assembly, Borders, FaceMode, Fill, Outlined, Positions};
use silicon::geometry::setup::{Grid, LineShape, Snap};
use silicon::geometry::topology::Topology;

use crate::regs::*;
use crate::vap::{self, Output};
use crate::{sc, su};

/// Bits of the fraction of a pixel.
const BITS: u32 = 4;

/// The grid that vertices are snapped to, the nearest points or those towards 0. [R5xx GA_ROUND_MODE.GEOMETRY_ROUND]
pub fn grid(registers: &RegisterFile) -> Result<Grid, String> {
    let snap = match GA_ROUND_MODE::GEOMETRY_ROUND.read(registers) {
        0 => Snap::Truncated,
        1 => Snap::Nearest,
        other => {
            return Err(format!("GA_ROUND_MODE.GEOMETRY_ROUND {other} is reserved"));
        }
    };
    Ok(Grid { bits: BITS, snap })
}

/// Subpixels of a pixel.
pub fn subpixels(registers: &RegisterFile) -> u32 {
    match GB_TILE_CONFIG::SUBPIXEL.on(registers) {
        true => 16,
        false => 12,
    }
}

/// The first field that enables what is not executed.
fn check(registers: &RegisterFile) -> Result<(), String> {
    let zero = [("GA_ROUND_MODE", GA_ROUND_MODE::GEOMETRY_MASK)];
    crate::zb::check(registers, &zero)
}

/// How many samples the pixels of the targets have.
pub fn sample_count(registers: &RegisterFile) -> u32 {
    let count = [2, 3, 4, 6][GB_AA_CONFIG::NUM_AA_SUBSAMPLES.read(registers) as usize];
    match GB_AA_CONFIG::AA_ENABLE.on(registers) || RB3D_AARESOLVE_CTL::AARESOLVE_MODE.on(registers)
    {
        true => count,
        false => 1,
    }
}

/// The samples of a pixel where coverage is tested: a resolve takes whole pixels.
pub fn samples(registers: &RegisterFile) -> Samples {
    let sixteenths = |bits: u32| {
        let unit = subpixels(registers);
        ((bits * 16 + unit / 2) / unit).min(15) as u8
    };
    // Positions of samples 0 to 2, then of 3 to 5: x and y in four bits each.
    let words = [GB_MSPOS0, GB_MSPOS1].map(|register| register.read(registers, 0));
    let position = |n: usize| {
        let byte = words[n / 3] >> (8 * (n % 3));
        (sixteenths(byte & 15), sixteenths(byte >> 4 & 15))
    };
    if RB3D_AARESOLVE_CTL::AARESOLVE_MODE.on(registers) {
        return Samples::ONE;
    }
    let count = sample_count(registers) as usize;
    let positions: Vec<(u8, u8)> = (0..count).map(position).collect();
    Samples::at(&positions)
}

/// Clipping, set-up and the area of a draw, or what of them is not executed.
pub fn assembly(registers: &RegisterFile) -> Result<(Assembly, Rect), String> {
    check(registers)?;
    let scissor = sc::area(registers)?;
    let grid = grid(registers)?;
    let (mut viewport, volume) = vap::clip(registers, grid)?;
    su::scale_depth(registers, &mut viewport);
    let samples = samples(registers);
    let multisampled = !samples.is_centre();
    let setup = |side| su::setup(registers, side, grid, multisampled, scissor);
    // Halves, in points of the grid.
    let (unit, points) = (subpixels(registers), 1 << BITS);
    let size = |half: u32| ((2 * half * points + unit / 2) / unit) as f32 / points as f32;
    let point = [GA_POINT_SIZE::WIDTH, GA_POINT_SIZE::HEIGHT].map(|field| field.read(registers));
    let sized = vap::outputs(registers)?.contains(&Output::PointSize);
    let limits = [GA_POINT_MINMAX::MIN_SIZE, GA_POINT_MINMAX::MAX_SIZE];
    let line_width = size(GA_LINE_CNTL::WIDTH.read(registers));
    let assembly = Assembly {
        viewports: vec![viewport],
        volume,
        front: setup(su::Side::Front),
        back: setup(su::Side::Back),
        vertex_layers: false,
        fill: fill(registers)?,
        line_width,
        line_shape: match GA_LINE_CNTL::END_TYPE.read(registers) {
            0 => LineShape::Level,
            1 => LineShape::Upright,
            2 => LineShape::BySlope,
            _ if line_width <= 1.0 && !multisampled => LineShape::Thin,
            _ => LineShape::Rectangle,
        },
        last_provokes: provokes_last(registers)?,
        biases_parallelograms: false,
        keeps_lines: false,
        positions: Positions::default(),
        user_planes: Vec::new(),
        borders: Borders::default(),
        sprites: false,
        outlined: Outlined::default(),
        point_size: point.map(size),
        vertex_point_size: sized.then(|| limits.map(|field| size(field.read(registers)))),
        draws: !VAP_CNTL::VAP_NO_RENDER.on(registers)
            && sc::mask(registers, samples.count() as u32)? != 0,
    };
    Ok((assembly, scissor))
}

/// Whether silicon takes the flat attributes that the register asks for from this topology: the second vertex leads in fans,
/// the first everywhere else.
pub fn check_fan(registers: &RegisterFile, topology: Topology) -> Result<(), String> {
    let second = GA_COLOR_CONTROL::PROVOKING_VERTEX.read(registers) == 1;
    match second && topology != Topology::TriangleFan {
        true => Err(format!(
            "GA_COLOR_CONTROL.PROVOKING_VERTEX 1 of {topology:?} is not executed"
        )),
        false => Ok(()),
    }
}

/// What triangles of a topology are parts of; those of polygons are not told apart.
pub fn outlined(topology: Topology) -> Outlined {
    match topology {
        Topology::Quads | Topology::QuadStrip => Outlined::Quads,
        _ => Outlined::Triangles,
    }
}

/// What triangles are drawn as.
fn fill(registers: &RegisterFile) -> Result<Fill, String> {
    use GA_POLY_MODE::*;
    let mode = |field: Field| match field.read(registers) {
        0 => Ok(FaceMode::Points),
        1 => Ok(FaceMode::Lines),
        2 => Ok(FaceMode::Solid),
        other => Err(format!("GA_POLY_MODE.{} {other} is reserved", field.name)),
    };
    match POLY_MODE.read(registers) {
        0 => Ok(Fill::Solid),
        1 => Ok(Fill::Modes([mode(FRONT_PTYPE)?, mode(BACK_PTYPE)?])),
        other => Err(format!("GA_POLY_MODE.POLY_MODE {other} is reserved")),
    }
}

/// Whether flat attributes are those of the last vertex. The second one is that of a fan's triangles, see [`check_fan()`].
pub fn provokes_last(registers: &RegisterFile) -> Result<bool, String> {
    match GA_COLOR_CONTROL::PROVOKING_VERTEX.read(registers) {
        0 | 1 => Ok(false),
        3 => Ok(true),
        other => Err(format!(
            "GA_COLOR_CONTROL.PROVOKING_VERTEX {other} is not executed"
        )),
    }
}
