//! What is seen to waves of pixels, and what they give to the tile.

use silicon::fragment::interpolate::lanes;
use silicon::fragment::mask::collect;
use silicon::host::{Kernel, Rounding};
use silicon::{Memory, Trap};

use super::{Tile, TileWorker};
use crate::lot::{Lot, QUADS, Quad};
use crate::regs::{counter, pass_type};
use crate::render::Item;
use crate::shade::BATCH;
use crate::state::PixelState;
use crate::tile::{PARTS, SAMPLES, place_of};

/// From this many quads on a part is a wave of its own.
const DENSE: u32 = 13;

impl<'a> Tile<'a> {
    /// Shades what a part of the tile shows.
    pub(super) fn flush_part(&mut self, memory: &Memory, part: usize) -> Result<(), Trap> {
        let count = self.worker.tile.samples();
        if let Some(tag) = self.worker.tile.only_tag(part) {
            let all = [u64::MAX; SAMPLES];
            self.emit(memory, tag - 1, part, &all[..count])?;
            self.worker.tile.clear_tags(part);
            return Ok(());
        }
        let mut left = [0; SAMPLES];
        for (sample, left) in left[..count].iter_mut().enumerate() {
            *left = !self.lanes_of(part, sample, 0);
        }
        while let Some(sample) = left[..count].iter().position(|lanes| *lanes != 0) {
            let first = left[sample].trailing_zeros() as usize;
            let tag = self.worker.tile.tags(part, sample)[first];
            let mut masks = [0; SAMPLES];
            for (sample, mask) in masks[..count].iter_mut().enumerate() {
                if left[sample] != 0 {
                    *mask = self.lanes_of(part, sample, tag);
                    left[sample] &= !*mask;
                }
            }
            self.emit(memory, tag - 1, part, &masks[..count])?;
        }
        self.worker.tile.clear_tags(part);
        Ok(())
    }

    /// Lanes of a part with a tag.
    fn lanes_of(&self, part: usize, sample: usize, tag: u32) -> u64 {
        let row = self.worker.tile.tags(part, sample);
        self.render.level.run(Tagged { row, tag })
    }

    /// Puts lanes of an object into waves.
    pub(super) fn emit(
        &mut self,
        memory: &Memory,
        object: u32,
        part: usize,
        masks: &[u64],
    ) -> Result<(), Trap> {
        let number = self.worker.objects[object as usize].state;
        let Item::Draw(state) = &self.render.items[usize::from(number)] else {
            return Ok(());
        };
        let Some(program) = &state.program else {
            return Ok(());
        };
        let blocks = program.blocks();
        self.worker.objects[object as usize].set_up(
            (memory, state),
            blocks,
            self.region.at,
            &mut self.worker.coefficients,
        );
        let reads = program.reads_outputs();
        let pending = &self.worker.pending[part];
        if reads
            && pending
                .iter()
                .zip(masks)
                .any(|(waits, mask)| waits & mask != 0)
        {
            self.drain(memory)?;
        }
        for (waits, mask) in self.worker.pending[part].iter_mut().zip(masks) {
            *waits |= mask;
        }
        if state.per_sample {
            for sample in (0..masks.len()).filter(|sample| masks[*sample] != 0) {
                let mut only = [0; SAMPLES];
                only[sample] = masks[sample];
                self.push(memory, number, |lot| {
                    lot.set_part(number, object, part, &only);
                    lot.sample = Some(sample as u8);
                    if !state.at_samples {
                        lot.seen[..masks.len()].copy_from_slice(masks);
                    }
                })?;
            }
            return Ok(());
        }
        let any = masks.iter().fold(0, |any, mask| any | mask);
        let late = state.pass_type >= pass_type::PUNCH_THROUGH;
        let quads = any | any >> 1;
        let quads = (quads | quads >> 2) & 0x1111_1111_1111_1111;
        if late || state.side_effects || quads.count_ones() >= DENSE {
            return self.push(memory, number, |lot| {
                lot.set_part(number, object, part, masks);
            });
        }
        for at in lanes(quads) {
            let full = |lot: &Lot| lot.count == QUADS || lot.state != number;
            if self.worker.open.as_ref().is_some_and(full) {
                self.close(memory)?;
            }
            let lot = self.worker.open.get_or_insert_with(|| Lot::new(number));
            let quad = Quad {
                object,
                part: part as u8,
                number: (at / 4) as u8,
            };
            lot.push(quad, masks);
        }
        Ok(())
    }

    fn close(&mut self, memory: &Memory) -> Result<(), Trap> {
        match self.worker.open.take() {
            Some(lot) => self.queue(memory, lot.state, |to| *to = lot),
            None => Ok(()),
        }
    }

    fn push(
        &mut self,
        memory: &Memory,
        state: u16,
        set: impl FnOnce(&mut Lot),
    ) -> Result<(), Trap> {
        self.close(memory)?;
        self.queue(memory, state, set)
    }

    /// Queues a wave, which `set` fills where it stays.
    fn queue(
        &mut self,
        memory: &Memory,
        state: u16,
        set: impl FnOnce(&mut Lot),
    ) -> Result<(), Trap> {
        // A batch is of one state.
        let (lots, count) = &self.worker.queue;
        if lots[..*count]
            .last()
            .is_some_and(|last| last.state != state)
        {
            self.run(memory)?;
        }
        let most = match &self.render.items[usize::from(state)] {
            Item::Draw(state)
                if state
                    .program
                    .as_ref()
                    .is_some_and(|found| found.uses_scratch()) =>
            {
                1
            }
            _ => BATCH,
        };
        let (lots, count) = &mut self.worker.queue;
        if *count == lots.len() {
            lots.push(Lot::new(state));
        }
        set(&mut lots[*count]);
        *count += 1;
        match *count < most {
            true => Ok(()),
            false => self.run(memory),
        }
    }

    /// Runs all waves that wait.
    pub(super) fn drain(&mut self, memory: &Memory) -> Result<(), Trap> {
        self.close(memory)?;
        self.run(memory)?;
        self.worker
            .pending
            .iter_mut()
            .for_each(|part| *part = [0; SAMPLES]);
        self.worker.waiting = 0;
        Ok(())
    }

    /// Runs a batch of waves of one state.
    fn run(&mut self, memory: &Memory) -> Result<(), Trap> {
        let (lots, count) = std::mem::take(&mut self.worker.queue);
        let queue = &lots[..count];
        let result = match queue
            .first()
            .map(|lot| &self.render.items[usize::from(lot.state)])
        {
            Some(Item::Draw(state)) => self.shade(memory, state, queue),
            _ => Ok(()),
        };
        self.worker.queue = (lots, 0);
        result
    }

    fn shade(&mut self, memory: &Memory, state: &'a PixelState, lots: &[Lot]) -> Result<(), Trap> {
        let render = self.render;
        let late = state.pass_type >= pass_type::PUNCH_THROUGH;
        let worker = &mut *self.worker;
        let result = worker.shader.run(
            (render, memory, state),
            (&worker.objects, &worker.coefficients),
            (lots, &worker.tile),
            self.region,
        );
        let (ended, result) = result;
        worker.stats.fragment_waves += (ended + usize::from(result.is_err())) as u64;
        for (n, lot) in lots.iter().enumerate().take(ended) {
            let mut masks = lot.samples;
            let count = self.worker.tile.samples();
            let invocations = u64::from(lot.exec.count_ones());
            self.worker.stats.fragment_lanes += invocations;
            if let Some(at) = state.statistics {
                let counter = at + 8 * counter::PIXEL_INVOCATIONS;
                self.worker.add(counter, invocations);
            }
            self.worker.stats.instructions += self.worker.shader.instructions(n);
            self.worker.shader.cut(state, n, lot, &mut masks[..count]);
            if late {
                let object = self.worker.objects[lot.quads[0].object as usize];
                let part = usize::from(lot.quads[0].part);
                let [x, y] = place_of(part);
                let at = [self.region.at[0] + x, self.region.at[1] + y];
                let viewport =
                    usize::from(object.stored.primitive.viewport).min(state.tests.len() - 1);
                let depths = self.worker.shader.depths(state, n);
                self.test(
                    &state.tests[viewport],
                    &object,
                    (at, part),
                    &mut masks[..count],
                    depths.as_ref(),
                );
                self.count(state, &masks[..count]);
            }
            let TileWorker { shader, tile, .. } = &mut *self.worker;
            shader.hand_over((render.level, state), n, lot, &masks[..count], tile);
        }
        result
    }

    /// Ends the tile: all that is seen is shaded.
    pub fn end(&mut self, memory: &Memory) -> Result<(), Trap> {
        for part in 0..PARTS {
            if self.worker.tile.is_tagged(part) {
                self.flush_part(memory, part)?;
            }
        }
        self.drain(memory)
    }
}

/// Lanes of a row with a tag.
struct Tagged<'a> {
    row: &'a [u32; 64],
    tag: u32,
}

impl Kernel for Tagged<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<R: Rounding>(self) -> u64 {
        collect(|lane| self.row[lane] == self.tag)
    }
}
