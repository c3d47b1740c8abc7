//! Depth and stencil tests before the pixel shader.

use super::{Drawn, PixelShader, PixelStage, PixelWorker, Scan};
use crate::fragment::depth::{self, Depth};
use crate::fragment::hi_z::{self, Tile};
use crate::fragment::interpolate::{self, Coefficients, InTile};
use crate::fragment::output::{DepthOutput, Depths, TileTest};
use crate::fragment::surface::{LanePixels, Plane, Texels};

/// Tests before the shader, and the ways to run them that a draw allows.
#[derive(Clone, Copy)]
pub(super) struct EarlyTests<'a> {
    output: &'a DepthOutput,
    /// Lane by lane.
    lanes: Option<(&'a Plane, &'a Depth)>,
    /// A tile in one pass.
    tile: Option<TileTest<'a>>,
    /// By bounds of a tile's depths.
    hi_z: Option<&'a Depth>,
    /// They only reject, and others run after the shader.
    pub(super) rejects: bool,
}

impl<'a> EarlyTests<'a> {
    /// Those of a draw, if there are any.
    pub(super) fn new<S>(stage: &'a PixelStage<S>) -> Option<EarlyTests<'a>> {
        let late = stage.tests_late() && stage.shader.is_some();
        let output = match late {
            true => stage.depth.rejecting.as_deref(),
            false => Some(&stage.depth).filter(|depth| depth.is_active()),
        };
        output.map(|output| EarlyTests {
            output,
            lanes: output.depth_test(),
            tile: output.tile_test(),
            hi_z: output.hi_z_test(),
            rejects: late,
        })
    }
}

impl<S: PixelShader> Scan<'_, S> {
    /// Tests the covered lanes of each sample; the masks keep the lanes that pass.
    pub(super) fn early_depth(
        &mut self,
        tests: &EarlyTests,
        of: &Drawn,
        at: [i32; 2],
        masks: &mut [u64],
    ) {
        let many = |mask: &u64| !DepthOutput::are_few(*mask);
        if let Some(test) = tests.tile
            && (tests.lanes.is_none() || masks.iter().any(many))
        {
            self.early_tile((test, tests.hi_z), of, at, masks);
            return;
        }
        for (sample, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 {
                continue;
            }
            let lanes = (sample, *mask);
            *mask = if let Some(test) = tests.lanes.filter(|_| DepthOutput::are_few(*mask)) {
                self.early_few(test, of, at, lanes)
            } else {
                self.early_rows((tests.output, tests.hi_z), of, at, lanes)
            };
        }
    }

    /// Tests a sample of a tile, all of it at once.
    fn early_rows(
        &mut self,
        (output, hi_z): (&DepthOutput, Option<&Depth>),
        of: &Drawn,
        at @ [x, y]: [i32; 2],
        (sample, mask): (usize, u64),
    ) -> u64 {
        let stage = self.stage;
        let tile = Tile { at, sample };
        let PixelWorker {
            hi_z: bounds,
            z,
            depth_rows,
            ..
        } = &mut *self.pixels;
        let plane = InTile {
            plane: &of.planes.z,
            x,
            y,
        };
        interpolate::values(stage.level, plane, &stage.sample_positions[sample], z);
        let known = hi_z.filter(|_| bounds.knows(tile));
        let bounded = known.filter(|_| hi_z::tame(hi_z::corners(|lane| z[lane])));
        stage.limit_depths(of.viewport, z);
        let corners = hi_z::corners(|lane| z[lane]);
        if bounded.is_some_and(|state| bounds.hides(state, tile, corners)) {
            self.stats.tiles_rejected += 1;
            return 0;
        }
        let texels = Texels {
            place: LanePixels::Tile(x, y),
            sample,
            mask,
        };
        let front = if of.front { u64::MAX } else { 0 };
        let (level, memory) = (stage.level, &stage.memory);
        let passed = output.run(level, memory, &texels, front, z, depth_rows);
        if let Some(state) = hi_z
            && passed == 0
        {
            bounds.learn(state, tile, &output.stored(depth_rows));
        }
        passed
    }

    /// Tests all samples of a tile.
    #[inline]
    fn early_tile(
        &mut self,
        (test, hi_z): (TileTest, Option<&Depth>),
        of: &Drawn,
        at: [i32; 2],
        masks: &mut [u64],
    ) {
        let stage = self.stage;
        let range = stage.depth_range(of.viewport);
        let PixelWorker {
            hi_z: bounds,
            depth_rows,
            ..
        } = &mut *self.pixels;
        let mut tested = 0u32;
        for (sample, mask) in masks.iter_mut().enumerate() {
            let tile = Tile { at, sample };
            if *mask == 0 {
                continue;
            }
            if let Some(state) = hi_z
                && bounds.knows(tile)
            {
                let plane = of.planes.z.tile(at[0], at[1]);
                let positions = &stage.sample_positions[sample];
                let z = |lane: usize| {
                    <&interpolate::Plane>::at(plane, lane, positions.x[lane], positions.y[lane])
                };
                let corners = hi_z::corners(z);
                let limited = match range {
                    Some(range) => corners.map(|z| depth::limit(z, range)),
                    None => corners,
                };
                if hi_z::tame(corners) && bounds.hides(state, tile, limited) {
                    self.stats.tiles_rejected += 1;
                    *mask = 0;
                    continue;
                }
            }
            tested |= 1 << sample;
        }
        if tested == 0 {
            return;
        }
        let depths = Depths::Plane(&of.planes.z, &stage.sample_positions, range);
        let place = (at, of.front);
        test.run(stage.level, &stage.memory, place, depths, masks, depth_rows);
        if let Some(state) = hi_z {
            for (sample, mask) in masks.iter().enumerate() {
                if *mask == 0 && tested >> sample & 1 != 0 {
                    let stored = test.depths(stage.level, sample, depth_rows);
                    bounds.learn(state, Tile { at, sample }, stored);
                }
            }
        }
    }

    /// The same lane by lane.
    #[inline]
    fn early_few(
        &mut self,
        test: (&Plane, &Depth),
        of: &Drawn,
        [x, y]: [i32; 2],
        (sample, mask): (usize, u64),
    ) -> u64 {
        let stage = self.stage;
        let texels = Texels {
            place: LanePixels::Tile(x, y),
            sample,
            mask,
        };
        let plane = of.planes.z.tile(x, y);
        let sample_positions = &stage.sample_positions[sample];
        let range = stage.depth_range(of.viewport);
        let traffic = &mut self.pixels.depth_rows.traffic;
        DepthOutput::run_few(test, &stage.memory, &texels, traffic, |lane| {
            let z = <&interpolate::Plane>::at(
                plane,
                lane,
                sample_positions.x[lane],
                sample_positions.y[lane],
            );
            range.map_or(z, |range| depth::limit(z, range))
        })
    }
}
