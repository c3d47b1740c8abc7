//! Depth and stencil tests of a draw on their surfaces, before or after the pixel shader.

use crate::coarse::Coarse;
use crate::depth::{self, Depth, DepthFormat};
use crate::level::Level;
use crate::memory::Memory;
use crate::stencil::DepthStencil;
use crate::surface::{Place, Plane, Texels, Words};

/// Where stencil values lie.
#[derive(Clone, Debug)]
pub enum StencilPlace {
    /// In a surface of their own, a byte each.
    Own(Plane),
    /// In a byte of the depth surface's texels.
    WithDepth {
        /// Word of the texel.
        word: usize,
        /// Lowest bit of the byte.
        shift: u32,
    },
}

/// State of one draw.
#[derive(Clone, Debug, Default)]
pub struct DepthOutput {
    /// The tests; those without a surface are off.
    pub test: DepthStencil,
    /// The surface of depths; also bound when only the stencil values in it are tested.
    pub depth: Option<Plane>,
    /// Stencil values, if they are tested.
    pub stencil: Option<StencilPlace>,
    /// The tests run before the pixel shader.
    pub early: bool,
    /// Samples count as passed when the tests have run, not when the shader has kept them.
    pub counts_early: bool,
    /// The shader gives the depth.
    pub exports_depth: bool,
    /// The shader gives the sample mask.
    pub exports_mask: bool,
    /// Tiles may be ruled out by bounds of their depths. No shader stores to memory while it draws.
    pub coarse: bool,
}

/// Rows that a test works on.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct DepthRows {
    new: [u32; 64],
    /// As stored, when the test has run.
    pub(crate) depth: Words,
    stencil: Words,
}

impl Default for DepthRows {
    fn default() -> DepthRows {
        DepthRows {
            new: [0; 64],
            depth: [[0; 64]; 4],
            stencil: [[0; 64]; 4],
        }
    }
}

impl DepthOutput {
    /// Whether there is anything to test.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.test.depth.is_some() || self.test.stencil.is_some()
    }

    /// The depth test, if tiles can be ruled out by bounds before it: it alone decides, and whole tiles are read.
    #[inline]
    pub(crate) fn coarse_test(&self) -> Option<&Depth> {
        let plain = self.coarse && self.stencil.is_none() && self.test.stencil.is_none();
        let whole = plain && self.depth.as_ref().is_some_and(Plane::reads_tiles);
        let state = self.test.depth.as_ref().filter(|_| whole);
        state.filter(|state| Coarse::helps(state))
    }

    /// The planes bound.
    pub fn planes(&self) -> impl Iterator<Item = &Plane> {
        let own = match &self.stencil {
            Some(StencilPlace::Own(plane)) => Some(plane),
            _ => None,
        };
        self.depth.iter().chain(own)
    }

    /// Tests texels, updates memory, and returns those that pass. `front` are the lanes of front faces.
    pub fn run(
        &self,
        level: Level,
        memory: &Memory,
        texels: &Texels,
        front: u64,
        z: &[f32; 64],
        rows: &mut DepthRows,
    ) -> u64 {
        if let Some(StencilPlace::WithDepth { word, shift }) = self.stencil {
            return self.run_together(level, memory, texels, (front, z), rows, (word, shift));
        }
        let mut bytes = [0; 64];
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth) {
            depth::encode(level, state, z, &mut rows.new);
            plane.read(memory, texels, &mut rows.depth);
            if state.format == DepthFormat::Unorm24 {
                for value in &mut rows.depth[0] {
                    *value &= 0xff_ffff;
                }
            }
        }
        if let Some(StencilPlace::Own(plane)) = &self.stencil {
            plane.read(memory, texels, &mut rows.stencil);
            bytes = rows.stencil[0].map(|word| word as u8);
        }
        let passed = self.test.run(
            level,
            texels.mask,
            front,
            &rows.new,
            &mut rows.depth[0],
            &mut bytes,
        );
        // A tile read whole is written whole, if only one thread can be at it: tiles belong to bins.
        let kept = matches!(texels.place, Place::Tile(..));
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth)
            && state.write
            && passed != 0
        {
            let written = Texels {
                mask: passed,
                ..*texels
            };
            plane.write(memory, &written, kept, &rows.depth);
        }
        if let Some(StencilPlace::Own(plane)) = &self.stencil {
            rows.stencil[0] = bytes.map(u32::from);
            plane.write(memory, texels, kept, &rows.stencil);
        }
        passed
    }

    /// The same where both lie in one surface.
    fn run_together(
        &self,
        level: Level,
        memory: &Memory,
        texels: &Texels,
        (front, z): (u64, &[f32; 64]),
        rows: &mut DepthRows,
        (word, shift): (usize, u32),
    ) -> u64 {
        let Some(plane) = &self.depth else {
            return texels.mask;
        };
        let word = word & 3;
        plane.read(memory, texels, &mut rows.depth);
        let mut bytes = rows.depth[word].map(|value| (value >> shift) as u8);
        let mut depths = rows.depth[0];
        let bits = match &self.test.depth {
            Some(state) => {
                depth::encode(level, state, z, &mut rows.new);
                match state.format {
                    DepthFormat::Unorm16 => 0xffff,
                    DepthFormat::Unorm24 => 0xff_ffff,
                    DepthFormat::Float32 => u32::MAX,
                }
            }
            None => 0,
        };
        for value in &mut depths {
            *value &= bits;
        }
        let passed = self.test.run(
            level,
            texels.mask,
            front,
            &rows.new,
            &mut depths,
            &mut bytes,
        );
        for (row, value) in rows.depth[0].iter_mut().zip(&depths) {
            *row = *row & !bits | value;
        }
        for (row, byte) in rows.depth[word].iter_mut().zip(&bytes) {
            *row = *row & !(0xff << shift) | u32::from(*byte) << shift;
        }
        let kept = matches!(texels.place, Place::Tile(..));
        plane.write(memory, texels, kept, &rows.depth);
        passed
    }
}
