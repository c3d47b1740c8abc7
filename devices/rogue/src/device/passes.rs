//! Renders: how one begins, what clears it, its pixel phase.

use silicon::Trap;
use silicon::fragment::bins::Bins;
use silicon::fragment::tile::Rect;

use super::{MOST_ITEMS, Rogue};
use crate::CHIP;
use crate::isp::SamplePlaces;
use crate::pbe::Target;
use crate::regs::{self, CrRender};
use crate::render::{Item, Render};
use crate::state;
use crate::stream::Clear;
use crate::tile::{SHIFT, TileMemory};
use crate::tiler::{ParameterBuffer, Place};
use crate::zls::Zls;

/// Tiles of a render in all layers, at most: as many as the largest render of one layer has.
const MOST_TILES: usize = 1 << 22;

/// A render whose geometry phase runs.
pub(super) struct Open {
    pub(super) render: Render,
    pub(super) buffer: ParameterBuffer,
    pub(super) kept: Vec<Option<Box<TileMemory>>>,
}

impl Rogue {
    /// The geometry phase begins.
    pub(super) fn begin(&mut self) -> Result<(), String> {
        let registers = &self.registers;
        let (memory, surfaces) = (&self.memory, &mut self.surfaces);
        let control = CrRender::from_word(registers.get(regs::CR_RENDER));
        let places = SamplePlaces::new(1 << control.samples);
        let targets = (0..regs::TARGETS).map(|n| Target::new(registers, n, memory, surfaces));
        let targets: Vec<Option<Target>> = targets.collect::<Result<_, _>>()?;
        let zls = Zls::new(registers, memory, surfaces)?;
        let mut area = state::area(registers);
        let count = places.samples.count();
        for target in targets.iter().flatten() {
            if target.samples() != count {
                return Err(format!(
                    "{count} samples are drawn to a target of {}",
                    target.samples()
                ));
            }
            area = area.intersect(target.area());
        }
        for plane in zls.planes() {
            if plane.samples() != count {
                return Err(format!(
                    "{count} samples are tested in a surface of {}",
                    plane.samples()
                ));
            }
            area = area.intersect(plane.area);
        }
        let used = targets.iter().flatten();
        let registers_used = used.map(|target| target.first + target.kept.registers as usize);
        let render = Render {
            memory: self.memory.clone(),
            level: self.start.level,
            engine: self.engine.clone(),
            limit: self.start.wave_cost,
            items: Vec::new(),
            places,
            area,
            bins: Bins::new(area, SHIFT).in_layers(control.layers()),
            registers: registers_used.max().unwrap_or(0),
            targets,
            zls,
            serial: false,
        };
        let tiles = render.bins.count();
        if tiles > MOST_TILES {
            return Err(format!(
                "a render of {tiles} tiles; at most {MOST_TILES} are drawn"
            ));
        }
        let place = Place {
            base: registers.address(regs::PM_BASE_LO),
            pages: registers.get(regs::PM_PAGES),
            regions: registers.address(regs::REGION_BASE_LO),
            tiles: tiles as u32,
        };
        self.open = Some(Open {
            buffer: ParameterBuffer::new(&self.memory, place)?,
            render,
            kept: Vec::new(),
        });
        Ok(())
    }

    /// Draws what there is so far, and goes on with an empty parameter buffer.
    pub(super) fn partial(&mut self, open: &mut Open) -> Result<(), Trap> {
        self.partial_renders += 1;
        let Open {
            render,
            buffer,
            kept,
        } = open;
        render.run(&self.threads, &mut self.tile_workers, buffer, kept, true)?;
        buffer.reset();
        render.items.clear();
        Ok(())
    }

    /// Clears a rectangle, in the order of the draws.
    pub(super) fn clear(&mut self, [x0, y0, x1, y1]: [u32; 4], clear: Clear) -> Result<(), Trap> {
        let wrong = |reason: &str| Trap::new(CHIP, u64::MAX, 0, reason.to_owned());
        let Some(mut open) = self.open.take() else {
            return Err(wrong("a clear outside of a render"));
        };
        let rect = Rect {
            x0: x0 as i32,
            y0: y0 as i32,
            x1: x1 as i32,
            y1: y1 as i32,
        };
        if open.render.items.len() >= MOST_ITEMS {
            self.partial(&mut open)?;
        }
        let touches = |tile: &u32| {
            let area = open.render.bins.bin(*tile as usize).area;
            !area.intersect(rect).is_empty()
        };
        let tiles = (0..open.render.bins.count() as u32).filter(touches);
        let tiles: Vec<(u32, u32)> = tiles.map(|tile| (tile, 1)).collect();
        if !tiles.is_empty() {
            if !open.buffer.has_room(1, &tiles) {
                self.partial(&mut open)?;
            }
            let number = open.render.items.len() as u16;
            open.render.items.push(Item::Clear(rect, clear));
            let added = open.buffer.add(&[0], number, 1, &tiles);
            added.map_err(|_| wrong("the parameter buffer is too small for a clear"))?;
        }
        self.open = Some(open);
        Ok(())
    }

    /// The pixel phase.
    pub(super) fn kick(&mut self) -> Result<(), Trap> {
        let Some(mut open) = self.open.take() else {
            let reason = "a kick outside of a render".to_owned();
            return Err(Trap::new(CHIP, u64::MAX, 0, reason));
        };
        let Open {
            render,
            buffer,
            kept,
        } = &mut open;
        let result = render.run(&self.threads, &mut self.tile_workers, buffer, kept, false);
        for worker in &mut self.tile_workers {
            let mut stats = std::mem::take(&mut worker.stats);
            stats.texels += std::mem::take(&mut worker.shader.tpu.texels);
            self.totals = self.totals.plus(stats);
            for (at, count) in worker.counted.drain(..) {
                // Counters outside of memory count nothing.
                let _ = self.memory.fetch64(at, |before| before + count);
            }
        }
        result
    }
}
