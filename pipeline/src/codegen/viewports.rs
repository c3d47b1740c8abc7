//! Viewports and scissors as registers take them.

use crate::state::{DynamicState, GraphicsState, MAX_VIEWPORTS, Rect, Viewport};

/// Largest coordinate of a scissor rectangle.
pub const SCISSOR_MAX: u32 = 16384;
/// How far from the window's origin a vertex may lie before the triangle is clipped.
const GUARD_BAND: f32 = 32767.0;

/// The viewports that a pipeline draws through.
pub struct Viewports {
    /// Of each: scale and offset of x, y, z in turn.
    pub transforms: Vec<u32>,
    /// Of each: least and greatest depth.
    pub depths: Vec<u32>,
    /// Of each: the pixels that may be drawn.
    pub scissors: Vec<Rect>,
    /// Guard band factors: vertical, for clipping and discarding, and horizontal.
    pub guard_band: [u32; 4],
}

/// One viewport, or all if the vertex shader chooses.
pub fn viewports(dynamic: &DynamicState, state: &GraphicsState) -> Viewports {
    let count = match state.chooses_viewport() {
        true => MAX_VIEWPORTS,
        false => 1,
    };
    let viewports = &dynamic.viewports[..count];
    let bits = |floats: &[f32]| floats.iter().map(|v| v.to_bits()).collect::<Vec<u32>>();
    let band = |axis: usize| {
        let room = |v: &Viewport| {
            let [scale, offset] = transform(v)[axis];
            (GUARD_BAND - offset.abs()) / scale.abs()
        };
        let least = viewports.iter().map(room).fold(f32::INFINITY, f32::min);
        least.max(1.0).to_bits()
    };
    let one = 1f32.to_bits();
    Viewports {
        transforms: (viewports.iter())
            .flat_map(|v| bits(transform(v).as_flattened()))
            .collect(),
        depths: (viewports.iter())
            .flat_map(|v| bits(&[v.min_depth.min(v.max_depth), v.min_depth.max(v.max_depth)]))
            .collect(),
        scissors: (viewports.iter().zip(&dynamic.scissors))
            .map(|(viewport, scissor)| intersect(bounds(viewport), *scissor))
            .collect(),
        guard_band: [band(1), one, band(0), one],
    }
}

/// Scale and offset from clip space, whose y points up, to the window, whose y points down.
fn transform(v: &Viewport) -> [[f32; 2]; 3] {
    [
        [v.width / 2.0, v.x + v.width / 2.0],
        [-v.height / 2.0, v.y + v.height / 2.0],
        [v.max_depth - v.min_depth, v.min_depth],
    ]
}

/// The pixels of a viewport. Triangles are clipped at the guard band only, so the scissor has to cut at its edges.
fn bounds(v: &Viewport) -> Rect {
    let edge = |n: f32| n.clamp(0.0, SCISSOR_MAX as f32) as u32;
    let top = v.y.min(v.y + v.height);
    let bottom = v.y.max(v.y + v.height);
    let (x, y) = (edge(v.x.floor()), edge(top.floor()));
    Rect {
        x,
        y,
        width: edge((v.x + v.width).ceil()) - x,
        height: edge(bottom.ceil()) - y,
    }
}

fn intersect(a: Rect, b: Rect) -> Rect {
    let axis = |a: [u32; 2], b: [u32; 2]| {
        let end = (a[0] + a[1]).min(b[0] + b[1]);
        // Where they do not meet, nothing at a place that both hold: a viewport may lie beyond all coordinates.
        let start = a[0].max(b[0]).min(end);
        (start, end - start)
    };
    let (x, width) = axis([a.x, a.width], [b.x, b.width]);
    let (y, height) = axis([a.y, a.height], [b.y, b.height]);
    Rect {
        x,
        y,
        width,
        height,
    }
}
