//! Passes and draws to command words.
//!
//! [`Encoder`] writes one command stream. It keeps what was set last and writes only what a draw needs.

use std::ops::Range;

use silicon::{Addr, MemoryError};

use crate::codegen::Slots;
use crate::compile::CompiledPipeline;
use crate::driver::Driver;
use crate::layout::MAX_PUSH_CONSTANT_BYTES;
use crate::query::QueryKind;
use crate::state::{
    Attachment, BufferRange, Draw, DynamicState, IndirectDraw, MAX_VIEWPORTS, PassTargets, Rect,
    StandIn, Viewport,
};
use crate::targets::{Chip, UserData};
use crate::upload::{Allocate, CHUNK, Transient};

/// Writes one command stream.
pub struct Encoder<'a> {
    chip: &'static dyn Chip,
    transient: Transient<'a>,
    words: Vec<u32>,
    pipeline: Option<&'a CompiledPipeline>,
    data: UserData,
    data_written: Option<UserData>,
    dynamic: Option<DynamicState>,
    dynamic_written: bool,
    push_constants: Vec<u8>,
    push_written: bool,
    vertex_buffers: Vec<Option<BufferRange>>,
    attributes_written: bool,
    moved: Option<Moved>,
}

/// A plane of the pass's depth-stencil attachment that is drawn to elsewhere.
struct Moved {
    image: Addr,
    at: Addr,
    stand_in: StandIn,
}

impl<'a> Encoder<'a> {
    /// Starts a stream. `allocate` hands out memory that lasts until the stream has run.
    pub fn new(driver: &'a Driver, allocate: &'a mut Allocate<'a>) -> Encoder<'a> {
        let chip = driver.target.chip;
        let mut words = Vec::new();
        chip.begin(&mut words);
        Encoder {
            chip,
            transient: Transient::new(&driver.memory, allocate),
            words,
            pipeline: None,
            data: UserData::default(),
            data_written: None,
            dynamic: None,
            dynamic_written: false,
            push_constants: vec![0; MAX_PUSH_CONSTANT_BYTES as usize],
            push_written: false,
            vertex_buffers: Vec::new(),
            attributes_written: false,
            moved: None,
        }
    }

    /// Begins a pass with nothing bound; viewports and scissors are all of it.
    pub fn begin_pass(&mut self, targets: &PassTargets<'_>) -> Result<(), MemoryError> {
        let depth = targets.depth_stencil.as_ref();
        let found = depth.and_then(|target| Some((target.base, self.chip.stand_in(target)?)));
        self.moved = match found {
            None => None,
            Some((image, stand_in)) => {
                let at = self.transient.take(stand_in.bytes, 256)?;
                Some(Moved {
                    image,
                    at,
                    stand_in,
                })
            }
        };
        self.move_away();
        let stand_in = (self.moved.as_ref()).map(|moved| (moved.stand_in.plane, moved.at));
        let targets = &PassTargets {
            stand_in,
            ..targets.clone()
        };
        self.chip.pass(targets, &mut self.words);
        let (width, height) = (targets.width, targets.height);
        self.dynamic = Some(DynamicState {
            viewports: [Viewport {
                x: 0.0,
                y: 0.0,
                width: width as f32,
                height: height as f32,
                min_depth: 0.0,
                max_depth: 1.0,
            }; MAX_VIEWPORTS],
            scissors: [Rect {
                x: 0,
                y: 0,
                width,
                height,
            }; MAX_VIEWPORTS],
            blend_constant: [0.0; 4],
            stencil_reference: 0,
        });
        self.dynamic_written = false;
        self.pipeline = None;
        self.data = UserData::default();
        self.push_constants.fill(0);
        self.push_written = false;
        self.vertex_buffers.clear();
        self.attributes_written = false;
        Ok(())
    }

    /// Ends a pass.
    pub fn end_pass(&mut self) {
        self.move_back();
        self.moved = None;
    }

    /// Brings a plane that stands elsewhere back to its image, for work that is no draw; [`Encoder::move_away`] follows.
    pub fn move_back(&mut self) {
        self.move_plane(true);
    }

    /// Brings the plane to where it can be drawn to.
    pub fn move_away(&mut self) {
        self.move_plane(false);
    }

    fn move_plane(&mut self, back: bool) {
        let Some(moved) = &self.moved else { return };
        for &[from, to, bytes] in &moved.stand_in.pieces {
            let (from, to) = (Addr(moved.image.0 + from), Addr(moved.at.0 + to));
            let (from, to) = if back { (to, from) } else { (from, to) };
            self.chip.copy(from, to, bytes, &mut self.words);
        }
    }

    /// Binds a pipeline.
    pub fn bind_pipeline(&mut self, pipeline: &'a CompiledPipeline) {
        self.words.extend_from_slice(&pipeline.words);
        self.pipeline = Some(pipeline);
        // The descriptor of its scratch memory follows the push constants.
        self.push_written &= pipeline.scratch.is_empty();
        let named = [&pipeline.vertex, &pipeline.fragment];
        if named.iter().any(|shader| shader.slots != Slots::default()) {
            // Other slots want other descriptors.
            self.data_written = None;
        }
        self.dynamic_written = false;
        self.attributes_written = false;
    }

    /// Changes what commands can change between draws.
    pub fn change(&mut self, change: impl FnOnce(&mut DynamicState)) {
        if let Some(dynamic) = &mut self.dynamic {
            change(dynamic);
            self.dynamic_written = false;
        }
    }

    /// Binds a descriptor set that is in memory.
    pub fn bind_set(&mut self, index: u32, at: Addr) {
        self.data.sets[index as usize] = at;
    }

    /// Binds a copy of a descriptor set with some buffers replaced: byte offset in the set and range.
    pub fn bind_set_with(
        &mut self,
        index: u32,
        at: Addr,
        bytes: u32,
        buffers: &[(u32, BufferRange)],
    ) -> Result<(), MemoryError> {
        let put = self.transient.put_set(self.chip, (at, bytes), buffers);
        self.data.sets[index as usize] = put?;
        Ok(())
    }

    /// Sets bytes of the push constants.
    pub fn push_constants(&mut self, offset: u32, bytes: &[u8]) {
        self.push_constants[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        self.push_written = false;
    }

    /// Binds a vertex buffer.
    pub fn bind_vertex_buffer(&mut self, slot: u32, range: BufferRange) {
        let slot = slot as usize;
        if self.vertex_buffers.len() <= slot {
            self.vertex_buffers.resize(slot + 1, None);
        }
        self.vertex_buffers[slot] = Some(range);
        self.attributes_written = false;
    }

    /// Draws with what is bound.
    pub fn draw(&mut self, draw: &Draw) -> Result<(), MemoryError> {
        self.write_state()?;
        self.chip.draw(draw, &self.data, &mut self.words);
        Ok(())
    }

    /// Draws with what is bound, and arguments from memory.
    pub fn draw_indirect(&mut self, draw: &IndirectDraw) -> Result<(), MemoryError> {
        self.write_state()?;
        self.chip.draw_indirect(draw, &mut self.words);
        Ok(())
    }

    /// Writes what a draw needs and what is not yet set.
    fn write_state(&mut self) -> Result<(), MemoryError> {
        let Some(pipeline) = self.pipeline else {
            debug_assert!(false, "a draw has a pipeline");
            return Ok(());
        };
        if !self.attributes_written {
            let (state, buffers) = (&pipeline.state, &self.vertex_buffers);
            if let Some(at) = self.transient.put_attributes(self.chip, state, buffers)? {
                self.data.attributes = at;
            }
            self.attributes_written = true;
        }
        if !self.push_written {
            let bytes = self.chip.constants(&self.push_constants, &pipeline.scratch);
            let align = self.chip.constants_align();
            self.data.push_constants = self.transient.put(&bytes, align)?;
            self.push_written = true;
        }
        if self.data_written != Some(self.data) {
            let shaders = [&pipeline.vertex, &pipeline.fragment];
            self.chip.user_data(&self.data, shaders, &mut self.words);
            self.data_written = Some(self.data);
        }
        if !self.dynamic_written
            && let Some(dynamic) = &self.dynamic
        {
            self.chip.dynamic(dynamic, &pipeline.state, &mut self.words);
            self.dynamic_written = true;
        }
        Ok(())
    }

    /// Averages the samples of one colour attachment into another of the same format and size, with a pipeline whose
    /// three vertices cover everything.
    pub fn resolve(
        &mut self,
        pipeline: &'a CompiledPipeline,
        [from, to]: [Attachment<'_>; 2],
        [width, height]: [u32; 2],
    ) -> Result<(), MemoryError> {
        let samples = from.memory.shape.samples;
        self.begin_pass(&PassTargets {
            colors: vec![Some(from), Some(to)],
            width,
            height,
            ..PassTargets::default()
        })?;
        self.bind_pipeline(pipeline);
        self.chip.resolve(samples, &mut self.words);
        self.draw(&Draw {
            count: 3,
            first: 0,
            instances: 1,
            first_instance: 0,
            indices: None,
            draw_index: 0,
        })
    }

    /// Fills memory with a repeated pattern of 1, 2, 4, 8 or 16 bytes.
    pub fn fill(&mut self, at: Addr, bytes: u64, pattern: &[u8]) -> Result<(), MemoryError> {
        self.fill_pieces(at, std::slice::from_ref(&(0..bytes)), pattern)
    }

    /// Fills ranges of bytes from `base` on, each with the pattern from its start.
    pub fn fill_pieces(
        &mut self,
        base: Addr,
        pieces: &[Range<u64>],
        pattern: &[u8],
    ) -> Result<(), MemoryError> {
        let mut block = [0; 16];
        for (byte, value) in block.iter_mut().zip(pattern.iter().cycle()) {
            *byte = *value;
        }
        let words: [u32; 4] = bytemuck::pod_read_unaligned(&block);
        let one_word = words.iter().all(|word| *word == words[0]);
        let length = |piece: &Range<u64>| piece.end - piece.start;
        let longest = pieces.iter().map(length).max().unwrap_or(0).min(CHUNK);
        let mut repeated = None;
        for piece in pieces {
            let (at, bytes) = (base.0 + piece.start, length(piece));
            if one_word && at.is_multiple_of(4) && bytes.is_multiple_of(4) {
                self.chip.fill(Addr(at), bytes, words[0], &mut self.words);
                continue;
            }
            // The chip fills with single words, so other patterns are copied from a piece of memory that holds many.
            let from = match repeated {
                Some(from) => from,
                None => {
                    let bytes = block.iter().copied().cycle().take(longest as usize);
                    let bytes: Vec<u8> = bytes.collect();
                    *repeated.insert(self.transient.put(&bytes, 256)?)
                }
            };
            let mut done = 0;
            while done < bytes {
                let step = (bytes - done).min(CHUNK);
                self.chip.copy(from, Addr(at + done), step, &mut self.words);
                done += step;
            }
        }
        Ok(())
    }

    /// Writes bytes that are part of the stream.
    pub fn update(&mut self, at: Addr, bytes: &[u8]) -> Result<(), MemoryError> {
        let from = self.transient.put(bytes, 4)?;
        self.copy(from, at, bytes.len() as u64);
        Ok(())
    }

    /// Begins a query at an address.
    pub fn begin_query(&mut self, kind: QueryKind, at: Addr) {
        self.chip.begin_query(kind, at, &mut self.words);
    }

    /// Ends a query, or takes a time stamp.
    pub fn end_query(&mut self, kind: QueryKind, at: Addr) {
        self.chip.end_query(kind, at, &mut self.words);
    }

    /// Copies memory.
    pub fn copy(&mut self, from: Addr, to: Addr, bytes: u64) {
        self.chip.copy(from, to, bytes, &mut self.words);
    }

    /// Ends the stream: the range of its words in memory.
    pub fn finish(mut self) -> Result<Range<Addr>, MemoryError> {
        self.chip.end(&mut self.words);
        self.transient.put_apart(bytemuck::cast_slice(&self.words))
    }
}
