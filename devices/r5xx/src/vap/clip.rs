//! Clipping and the viewport transform. [R5xx VAP_CLIP_CNTL, VAP_VTE_CNTL]
//!
//! silicon divides by w and clips to it. Positions of other kinds are brought there by [`PositionFormat::homogeneous`]:
//! multiplied by w where the program divided, and scaled by a power of two where nothing is clipped, so that window
//! coordinates count as inside.

use radeon::registers::RegisterFile;
use silicon::geometry::assembly::guard_band;
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{Grid, Viewport};

use crate::cp::State;
use crate::ga::subpixels;
use crate::regs::*;

/// Window coordinates that are not clipped lie within this.
const UNCLIPPED: f32 = 32768.0;

/// What the program's position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionFormat {
    /// x and y are divided by w.
    xy_divided: bool,
    /// z is.
    z_divided: bool,
    /// w is 1 / w.
    inverse_w: bool,
    /// Of x and y.
    scale: f32,
    /// Scale and offset to window depths that GA keeps between 0 and 1.
    clamped: Option<[f32; 2]>,
}

impl PositionFormat {
    /// That of a draw.
    pub fn new(registers: &RegisterFile) -> PositionFormat {
        PositionFormat {
            xy_divided: VAP_VTE_CNTL::VTX_XY_FMT.on(registers),
            z_divided: VAP_VTE_CNTL::VTX_Z_FMT.on(registers),
            inverse_w: !VAP_VTE_CNTL::VTX_W0_FMT.on(registers),
            scale: match VAP_CLIP_CNTL::CLIP_DISABLE.on(registers) {
                true => 1.0 / UNCLIPPED,
                false => 1.0,
            },
            clamped: clamped(registers),
        }
    }

    /// The clip position that silicon takes.
    #[inline]
    pub fn homogeneous(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let w = if self.inverse_w { 1.0 / w } else { w };
        let xy = if self.xy_divided { w } else { 1.0 } * self.scale;
        let z = if self.z_divided { z * w } else { z };
        let z = match self.clamped {
            None => z,
            Some([scale, offset]) => {
                let window = z / w * scale + offset;
                match window.clamp(0.0, 1.0) {
                    kept if kept == window || window.is_nan() => z,
                    bound => (bound - offset) / scale * w,
                }
            }
        };
        [x * xy, y * xy, z, w]
    }
}

/// Scale and offset of depths that stop at 0 and 1 at the vertices: all but those of the extended range, which stop there
/// at pixels. What is clipped lies between anyway. [R5xx GB_TILE_CONFIG.Z_EXTENDED]
fn clamped(registers: &RegisterFile) -> Option<[f32; 2]> {
    use VAP_VTE_CNTL::*;
    let clips = !VAP_CLIP_CNTL::CLIP_DISABLE.on(registers);
    if clips || GB_TILE_CONFIG::Z_EXTENDED.on(registers) {
        return None;
    }
    let scale = match VPORT_Z_SCALE_ENA.on(registers) {
        true => VAP_VPORT_ZSCALE.float(registers),
        false => 1.0,
    };
    let offset = match VPORT_Z_OFFSET_ENA.on(registers) {
        true => VAP_VPORT_ZOFFSET.float(registers),
        false => 0.0,
    };
    (scale != 0.0).then_some([scale, offset])
}

/// The viewport, as positions of this draw's format need it.
fn viewport(registers: &RegisterFile) -> Viewport {
    use VAP_VTE_CNTL::*;
    let value = |enable: Field, register: Register, otherwise: f32| match enable.on(registers) {
        true => register.float(registers),
        false => otherwise,
    };
    let scale = 1.0 / PositionFormat::new(registers).scale;
    // GA moves vertices that are on its grid: as far from the viewport is the same.
    let moved = |field: Field| {
        let word = GA_OFFSET.read(registers, 0);
        field.signed(word) as f32 / subpixels(registers) as f32
    };
    // GA passes on W in place of what the viewport made. [R5xx GB_SELECT.DEPTH_SELECT]
    let z_is_w = GB_SELECT::DEPTH_SELECT.on(registers);
    let z = match z_is_w {
        true => [1.0, 0.0],
        false => [
            value(VPORT_Z_SCALE_ENA, VAP_VPORT_ZSCALE, 1.0),
            value(VPORT_Z_OFFSET_ENA, VAP_VPORT_ZOFFSET, 0.0),
        ],
    };
    Viewport {
        scale: [
            scale * value(VPORT_X_SCALE_ENA, VAP_VPORT_XSCALE, 1.0),
            scale * value(VPORT_Y_SCALE_ENA, VAP_VPORT_YSCALE, 1.0),
            z[0],
        ],
        offset: [
            value(VPORT_X_OFFSET_ENA, VAP_VPORT_XOFFSET, 0.0) + moved(GA_OFFSET::X_OFFSET),
            value(VPORT_Y_OFFSET_ENA, VAP_VPORT_YOFFSET, 0.0) + moved(GA_OFFSET::Y_OFFSET),
            z[1],
        ],
        z_is_w,
    }
}

/// The user planes that are on, a bit each.
pub fn planes(registers: &RegisterFile) -> u8 {
    (VAP_CLIP_CNTL.read(registers, 0) & 0x3f) as u8
}

/// Distances of a clip position from the user planes that are on, for silicon; zero from the others.
pub fn distances(state: &State, position: [f32; 4]) -> [f32; 8] {
    let on = planes(&state.registers);
    let mut distances = [0.0; 8];
    for n in (0..6).filter(|n| on >> n & 1 == 1) {
        let plane = state.vectors[crate::cp::CLIP_PLANES + n].map(f32::from_bits);
        let terms = plane.iter().zip(position).map(|(a, b)| a * b);
        distances[n] = terms.sum();
    }
    distances
}

/// The distances of silicon that say how far inside the bounds of their discard the centres of points are.
pub const POINT_DISTANCES: u8 = 0xc0;

/// Bounds of |x / w| and |y / w| that centres of points have to keep; none where nothing is clipped, and where they are
/// below 1, which is no guard band. [R5xx VAP_GB_HORZ_DISC_ADJ, VAP_GB_VERT_DISC_ADJ]
pub fn point_bounds(registers: &RegisterFile) -> Option<[f32; 2]> {
    let clips = !VAP_CLIP_CNTL::CLIP_DISABLE.on(registers);
    let bounds = [VAP_GB_HORZ_DISC_ADJ, VAP_GB_VERT_DISC_ADJ].map(|r| r.float(registers));
    (clips && bounds.iter().all(|bound| *bound >= 1.0)).then_some(bounds)
}

/// Viewport and clip volume of a draw on a grid, or what of them is not executed.
pub fn clip(registers: &RegisterFile, grid: Grid) -> Result<(Viewport, Volume), String> {
    use VAP_CLIP_CNTL::*;
    if BOUNDARY_EDGE_FLAG_ENA.on(registers) {
        return Err("VAP_CLIP_CNTL.BOUNDARY_EDGE_FLAG_ENA 1 is not executed".into());
    }
    let viewport = viewport(registers);
    let clips = !CLIP_DISABLE.on(registers);
    let user = if clips { planes(registers) } else { 0 };
    let culls = UCP_CULL_ONLY_ENA.on(registers);
    let wanted = [VAP_GB_HORZ_CLIP_ADJ, VAP_GB_VERT_CLIP_ADJ].map(|r| r.float(registers));
    let volume = Volume {
        depth: match VAP_CNTL::DX_CLIP_SPACE_DEF.on(registers) {
            true => DepthRange::ZeroToOne,
            false => DepthRange::MinusOneToOne,
        },
        near: clips,
        far: clips,
        guard: guard_band(grid, &[viewport], wanted),
        clip_distances: if culls { 0 } else { user },
        cull_distances: if culls { user } else { 0 },
    };
    Ok((viewport, volume))
}
