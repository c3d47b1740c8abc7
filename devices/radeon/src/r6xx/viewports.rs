//! Viewport registers: sixteen transforms, scissors and depth ranges.

use super::regs::{self, VPORT_STRIDE};
use crate::registers::RegisterFile;
use silicon::fragment::scan::ViewportBounds;
use silicon::fragment::tile::Rect;
use silicon::geometry::setup::Viewport;

/// Viewports, each with registers of its own.
pub const VIEWPORTS: u32 = 16;

/// The viewports of one draw.
#[derive(Clone, Copy, Debug)]
pub struct Viewports<'a> {
    /// The registers.
    pub registers: &'a RegisterFile,
    /// Vertices select their viewport; otherwise the first.
    pub chosen: bool,
    /// Scissors count.
    pub scissors: bool,
    /// Depths are limited to the ranges.
    pub limits_depth: bool,
}

impl Viewports<'_> {
    /// Those in use.
    fn numbers(&self) -> std::ops::Range<u32> {
        0..if self.chosen { VIEWPORTS } else { 1 }
    }

    /// Transforms of the viewports in use. `enabled` masks scale and offset terms; `shift` (half a pixel) is added for
    /// centre addressing.
    pub fn transforms(&self, enabled: u8, shift: f32) -> Vec<Viewport> {
        let transform = |n: u32| {
            let first = regs::PA_CL_VPORT_XSCALE_0 + VPORT_STRIDE * n;
            let values = std::array::from_fn(|k| self.registers.float(first + 4 * k as u32));
            viewport(values, enabled, shift)
        };
        self.numbers().map(transform).collect()
    }

    /// The scissor that holds for all primitives, where there is only one viewport.
    pub fn common_scissor(&self) -> Option<Rect> {
        (self.scissors && !self.chosen).then(|| self.scissor(0))
    }

    /// Scissor and depth range per viewport; empty if vertices do not choose.
    pub fn bounds(&self) -> Vec<ViewportBounds> {
        let bounds = |n| ViewportBounds {
            area: match self.scissors {
                true => self.scissor(n),
                false => Rect::ALL,
            },
            depth: self.limits_depth.then(|| self.depth(n)),
        };
        match self.chosen {
            true => self.numbers().map(bounds).collect(),
            false => Vec::new(),
        }
    }

    /// The range of the depths of all viewports in use, where depths are limited.
    pub fn depth_limits(&self) -> Option<[f32; 2]> {
        let ranges = self.numbers().map(|n| self.depth(n));
        let all = ranges.reduce(|all, one| [all[0].min(one[0]), all[1].max(one[1])]);
        all.filter(|_| self.limits_depth)
    }

    fn depth(&self, n: u32) -> [f32; 2] {
        [0, 4].map(|end| self.registers.float(regs::PA_SC_VPORT_ZMIN_0 + 8 * n + end))
    }

    fn scissor(&self, n: u32) -> Rect {
        let corner = |end: u32| {
            let word = self
                .registers
                .get(regs::PA_SC_VPORT_SCISSOR_0_TL + 8 * n + end);
            [(word & 0x7fff) as i32, (word >> 16 & 0x7fff) as i32]
        };
        let ([x0, y0], [x1, y1]) = (corner(0), corner(4));
        Rect { x0, y0, x1, y1 }
    }
}

/// A viewport from scale and offset of x, y, z in turn, of which only those with their bit in `enabled` count.
fn viewport(values: [f32; 6], enabled: u8, shift: f32) -> Viewport {
    let value = |n: usize, neutral: f32| match enabled >> n & 1 {
        0 => neutral,
        _ => values[n],
    };
    Viewport {
        scale: [value(0, 1.0), value(2, 1.0), value(4, 1.0)],
        offset: [value(1, 0.0) + shift, value(3, 0.0) + shift, value(5, 0.0)],
        z_is_w: false,
    }
}
