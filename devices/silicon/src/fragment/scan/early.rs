//! Depth and stencil tests before the pixel shader.

use super::{Drawn, MAX_BATCH, PixelShader, PixelStage, PixelWorker, Scan};
use crate::fragment::depth::{self, Depth};
use crate::fragment::hi_z::{self, Tile};
use crate::fragment::interpolate::{self, Coefficients, InTile};
use crate::fragment::output::{DepthOutput, Depths, TestedTiles, TileDepths, TileTest};
use crate::fragment::raster::Covered;
use crate::fragment::stencil::Facing;
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
    /// Several tiles in one pass.
    tiles: bool,
    /// They only reject, and others run after the shader.
    pub(super) rejects: bool,
    /// Those take over what these find of tiles.
    pub(super) holds: bool,
}

impl<'a> EarlyTests<'a> {
    /// Those of a draw, if there are any.
    pub(super) fn new<S>(stage: &'a PixelStage<S>) -> Option<EarlyTests<'a>> {
        let late = stage.tests_late() && stage.shader.is_some();
        let output = match late {
            true => stage.depth.rejecting.as_deref(),
            false => Some(&stage.depth).filter(|depth| depth.is_active()),
        };
        let one = stage.sample_positions.len() == 1;
        output.map(|output| {
            let tile = output.tile_test();
            let after = stage.late_tiles().filter(|_| late);
            let both = after.zip(tile);
            EarlyTests {
                output,
                lanes: output.depth_test(),
                tile,
                tiles: one && stage.viewports.is_empty() && tile.is_some_and(|t| t.takes_tiles()),
                hi_z: output.hi_z_test(),
                rejects: late,
                holds: both.is_some_and(|(after, tile)| after.takes_over(&tile)),
            }
        })
    }
}

impl<S: PixelShader> Scan<'_, S> {
    /// Tests the covered lanes of tiles of a primitive; the masks keep the lanes that pass, sample by sample of each.
    pub(super) fn early_tests(
        &mut self,
        tests: &EarlyTests,
        of: &Drawn,
        tiles: &[Covered],
        masks: &mut [u64],
    ) {
        self.pixels.depth_rows.let_go();
        let test = tests.tile.filter(|_| tests.tiles && tiles.len() > 1);
        let Some(test) = test else {
            let count = self.stage.sample_positions.len();
            for (tile, masks) in tiles.iter().zip(masks.chunks_exact_mut(count)) {
                self.early_depth(tests, of, [tile.x, tile.y], masks);
            }
            return;
        };
        let mut tested = TestedTiles::default();
        let mut numbers = [0; MAX_BATCH];
        for (n, (tile, mask)) in tiles.iter().zip(&mut *masks).enumerate() {
            let at = [tile.x, tile.y];
            if *mask == 0 {
                continue;
            }
            if let Some(few) = tests.lanes.filter(|_| DepthOutput::are_few(*mask)) {
                *mask = self.early_few(few, of, at, (0, *mask));
            } else if tests
                .hi_z
                .is_some_and(|state| self.is_hidden(state, of, at, 0))
            {
                *mask = 0;
            } else {
                numbers[tested.at().len()] = n;
                tested.add(at, *mask);
            }
        }
        let stage = self.stage;
        let PixelWorker {
            hi_z, depth_rows, ..
        } = &mut *self.pixels;
        let depths = TileDepths::Plane(&of.planes.z, &stage.sample_positions[0]);
        let (level, memory) = (stage.level, &stage.memory);
        let lanes = (&mut tested, of.front);
        match tests.holds {
            true => test.hold_tiles(level, memory, depths, lanes, depth_rows),
            false => test.run_tiles(level, memory, depths, lanes, depth_rows),
        }
        for (n, (at, passed)) in tested.at().iter().zip(tested.masks()).enumerate() {
            masks[numbers[n]] = *passed;
            if let Some(state) = tests.hi_z
                && *passed == 0
            {
                let tile = Tile { at: *at, sample: 0 };
                hi_z.learn(state, tile, depth_rows.of_tile(n));
            }
        }
    }

    /// Whether Hi-Z hides a sample of a tile.
    fn is_hidden(&mut self, state: &Depth, of: &Drawn, at: [i32; 2], sample: usize) -> bool {
        let bounds = &mut self.pixels.hi_z;
        let tile = Tile { at, sample };
        if !bounds.knows(tile) {
            return false;
        }
        let plane = of.planes.z.tile(at[0], at[1]);
        let positions = &self.stage.sample_positions[sample];
        let z = |lane: usize| {
            <&interpolate::Plane>::at(plane, lane, positions.x[lane], positions.y[lane])
        };
        let corners = hi_z::corners(z);
        let limited = match self.stage.depth_range(of.viewport) {
            Some(range) => corners.map(|z| depth::limit(z, range)),
            None => corners,
        };
        let hidden = hi_z::tame(corners) && bounds.hides(state, tile, limited);
        self.stats.tiles_rejected += u64::from(hidden);
        hidden
    }

    /// Tests the covered lanes of each sample; the masks keep the lanes that pass.
    fn early_depth(&mut self, tests: &EarlyTests, of: &Drawn, at: [i32; 2], masks: &mut [u64]) {
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
        let facing = Facing::of(front);
        let passed = output.run(level, memory, &texels, facing, z, depth_rows);
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
        let mut tested = 0u32;
        for (sample, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 {
                continue;
            }
            if hi_z.is_some_and(|state| self.is_hidden(state, of, at, sample)) {
                *mask = 0;
                continue;
            }
            tested |= 1 << sample;
        }
        if tested == 0 {
            return;
        }
        let PixelWorker {
            hi_z: bounds,
            depth_rows,
            ..
        } = &mut *self.pixels;
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
