//! Passes and draws to command words.
//!
//! [`Encoder`] writes one command stream. It keeps what was set last and writes only what a draw needs.

use std::borrow::Cow;
use std::ops::Range;

use silicon::{Addr, Memory};

use crate::codegen::Slots;
use crate::codegen::radeon::r6xx::known::Known;
use crate::compile::CompiledPipeline;
use crate::compute::CompiledCompute;
use crate::driver::Driver;
use crate::image::{self, ImageMemory, Region};
use crate::immediate;
use crate::layout::MAX_PUSH_CONSTANT_BYTES;
use crate::query::QueryKind;
use crate::state::{
    BufferRange, ClearAttachment, Draw, DynamicState, IndirectDraw, MAX_VIEWPORTS, PassTargets,
    Rect, Viewport,
};
use crate::stream::{STREAM_BUFFERS, StreamDraw, StreamTarget};
use crate::targets::{Bindings, Chip, ComputeBindings, Dispatch, DrawConstants, UserData};
use crate::upload::{Allocate, CHUNK, Request, Result, Transient};

/// Words of descriptors before those of streams: of scratch memory, and four of rings.
const STREAMS_WORD: usize = 20;

/// Writes one command stream.
pub struct Encoder<'a> {
    driver: &'a Driver,
    chip: &'static dyn Chip,
    transient: Transient<'a>,
    /// Memory that each pass may overwrite, and its bytes.
    workspace: Option<(Addr, u64)>,
    /// The words so far.
    pub words: Vec<u32>,
    pass: Option<OpenPass<'a>>,
    /// Draws all of an attachment.
    cover: Option<CompiledPipeline>,
    pipeline: Option<&'a CompiledPipeline>,
    compute: Option<&'a CompiledCompute>,
    data: UserData,
    data_written: Option<UserData>,
    /// The pipeline that was set last has a geometry stage.
    has_geometry: bool,
    dynamic: Option<DynamicState>,
    dynamic_written: bool,
    push_constants: Vec<u8>,
    push_written: bool,
    vertex_buffers: Vec<Option<BufferRange>>,
    attributes_written: bool,
    /// What the draw has behind the push constants.
    draw_constants: DrawConstants,
    /// Buffers that vertices go to.
    streams: [Option<StreamTarget>; STREAM_BUFFERS],
    /// What registers hold behind the first words.
    known: (Known, usize),
    /// Invocations of geometry shaders that the chip has not counted since statistics began.
    uncounted: u64,
}

/// A pass that has begun.
#[derive(Clone, Debug)]
pub struct OpenPass<'a> {
    /// Its attachments.
    pub targets: PassTargets<'a>,
    /// Memory that the chip keeps for it.
    pub memory: Option<Addr>,
}

impl<'a> Encoder<'a> {
    /// Starts a stream. `allocate` hands out memory that lasts until the stream has run.
    pub fn new(driver: &'a Driver, allocate: &'a mut Allocate<'a>) -> Encoder<'a> {
        let chip = driver.target.chip;
        let mut words = Vec::new();
        chip.begin(&mut words);
        Encoder {
            driver,
            chip,
            transient: Transient::new(&driver.memory, allocate),
            workspace: None,
            words,
            pass: None,
            cover: None,
            pipeline: None,
            compute: None,
            data: UserData::default(),
            data_written: None,
            has_geometry: false,
            dynamic: None,
            dynamic_written: false,
            push_constants: vec![0; MAX_PUSH_CONSTANT_BYTES as usize],
            push_written: false,
            vertex_buffers: Vec::new(),
            attributes_written: false,
            draw_constants: DrawConstants::default(),
            streams: [None; STREAM_BUFFERS],
            known: (Known::default(), 0),
            uncounted: 0,
        }
    }

    /// Begins a pass with nothing bound; viewports and scissors are all of it.
    pub fn begin_pass(&mut self, targets: PassTargets<'a>) -> Result<()> {
        let memory = self.chip.begin_pass(&targets, self)?;
        self.unbind(targets.width, targets.height);
        self.pass = Some(OpenPass { targets, memory });
        Ok(())
    }

    /// Clears a rectangle of an attachment of the pass.
    pub fn clear_attachment(&mut self, clear: ClearAttachment, rect: Rect) -> Result<()> {
        let Some(pass) = self.pass.take() else {
            debug_assert!(false, "attachments are cleared in a pass");
            return Ok(());
        };
        let cleared = self.chip.clear_attachment(&pass, clear, rect, self);
        self.pass = Some(pass);
        cleared
    }

    /// Ends the pass.
    pub fn end_pass(&mut self) -> Result<()> {
        match self.pass.take() {
            Some(pass) => self.chip.end_pass(&pass, self),
            None => Ok(()),
        }
    }

    /// Forgets what is bound.
    fn unbind(&mut self, width: u32, height: u32) {
        self.dynamic = Some(DynamicState {
            viewports: [Viewport::of(width, height); MAX_VIEWPORTS],
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
        self.compute = None;
        self.data = UserData::default();
        self.push_constants.fill(0);
        self.push_written = false;
        self.vertex_buffers.clear();
        self.attributes_written = false;
    }

    /// Binds a pipeline.
    pub fn bind_pipeline(&mut self, pipeline: &'a CompiledPipeline) {
        if self
            .pipeline
            .is_some_and(|bound| std::ptr::eq(bound, pipeline))
        {
            return;
        }
        self.set_pipeline(pipeline);
        self.pipeline = Some(pipeline);
    }

    fn set_pipeline(&mut self, pipeline: &CompiledPipeline) {
        self.words.extend_from_slice(&pipeline.words);
        // What the chip keeps behind the push constants depends on scratch memory.
        self.push_written &= pipeline.scratch.is_empty() && pipeline.state.stream.is_none();
        let between = pipeline.geometry.as_ref().map(|geometry| &geometry.shader);
        let named = [&pipeline.vertex, &pipeline.fragment];
        let mut named = named.into_iter().chain(between);
        let slots = named.any(|shader| shader.slots != Slots::default());
        let stages = self.has_geometry != pipeline.geometry.is_some();
        self.has_geometry = pipeline.geometry.is_some();
        if slots || stages || self.chip.reads_bindings() {
            // Other slots want other descriptors, other stages other registers.
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
            if self.chip.reads_bindings() {
                // Constants of shaders may be those of the viewport.
                self.data_written = None;
            }
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
    ) -> Result<()> {
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
    pub fn draw(&mut self, draw: &Draw) -> Result<()> {
        if let Some(pipeline) = self.bound() {
            self.take_constants(pipeline, draw);
            self.uncounted += pipeline.uncounted_invocations(draw, &self.driver.memory);
            self.write_state(pipeline)?;
            let bound = self.bindings(pipeline);
            self.chip.draw(draw, &bound, self)?;
            self.keep_changes();
        }
        Ok(())
    }

    /// What shaders read of a draw.
    fn take_constants(&mut self, pipeline: &CompiledPipeline, draw: &Draw) {
        let constants = match pipeline.vertex.slots.draw_constants {
            true => self.chip.draw_constants(draw),
            false => DrawConstants::default(),
        };
        self.push_written &= self.draw_constants == constants;
        self.draw_constants = constants;
    }

    /// Leaves out what registers hold already.
    fn keep_changes(&mut self) {
        let (known, done) = &mut self.known;
        self.chip.keep_changes(known, &mut self.words, *done);
        *done = self.words.len();
    }

    /// Draws with what is bound, and arguments from memory.
    pub fn draw_indirect(&mut self, draw: &IndirectDraw) -> Result<()> {
        if let Some(pipeline) = self.bound() {
            self.write_state(pipeline)?;
            let bound = self.bindings(pipeline);
            self.chip.draw_indirect(draw, &bound, &mut self.words);
            self.keep_changes();
        }
        Ok(())
    }

    /// Begins dispatches with nothing bound.
    pub fn begin_compute(&mut self) {
        self.unbind(1, 1);
    }

    /// Binds a compute pipeline.
    pub fn bind_compute(&mut self, pipeline: &'a CompiledCompute) {
        let bound = self.compute;
        if bound.is_some_and(|bound| std::ptr::eq(bound, pipeline)) {
            return;
        }
        self.words.extend_from_slice(&pipeline.words);
        // What the chip keeps behind the push constants depends on scratch memory.
        self.push_written &=
            pipeline.scratch.is_empty() && bound.is_none_or(|bound| bound.scratch.is_empty());
        self.compute = Some(pipeline);
    }

    /// Runs workgroups with what is bound: as many along each axis, none where one is 0.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<()> {
        match groups.contains(&0) {
            true => Ok(()),
            false => self.dispatch_as(Dispatch::Direct(groups)),
        }
    }

    /// Runs workgroups with what is bound; three words in memory say how many. Their address is a multiple of 4.
    pub fn dispatch_indirect(&mut self, count: Addr) -> Result<()> {
        self.dispatch_as(Dispatch::Indirect(count))
    }

    fn dispatch_as(&mut self, dispatch: Dispatch) -> Result<()> {
        let (Some(pipeline), Ok(stage)) = (self.compute, self.chip.compute()) else {
            debug_assert!(false, "a dispatch has a pipeline on a chip with that stage");
            return Ok(());
        };
        if !self.push_written {
            let draw = DrawConstants::default();
            let bytes = (self.chip).constants(&self.push_constants, &pipeline.scratch, draw);
            let align = self.chip.constants_align();
            self.data.push_constants = self.transient.put(&bytes, align)?;
            self.push_written = true;
        }
        let count = match dispatch {
            Dispatch::Indirect(count) => count,
            Dispatch::Direct(groups) if pipeline.counts => {
                let bytes: Vec<u8> = groups.into_iter().flat_map(u32::to_le_bytes).collect();
                self.transient.put(&bytes, 4)?
            }
            Dispatch::Direct(_) => Addr(0),
        };
        let bound = ComputeBindings {
            shader: pipeline.binary(),
            data: &self.data,
            count,
        };
        let transient = &mut self.transient;
        let mut put = |bytes: &[u8], align: u64| transient.put(bytes, align);
        stage.dispatch(dispatch, &bound, &mut put, &mut self.words)?;
        self.keep_changes();
        Ok(())
    }

    /// Begins to write vertices to the buffers that the pipeline has strides for.
    pub fn begin_stream(
        &mut self,
        buffers: &[Option<BufferRange>; STREAM_BUFFERS],
        counters: &[Option<Addr>; STREAM_BUFFERS],
    ) {
        let layout = self
            .pipeline
            .and_then(|pipeline| pipeline.state.stream.as_ref());
        if let (Some(layout), Some(chip)) = (layout, self.chip.streams()) {
            for (n, target) in self.streams.iter_mut().enumerate() {
                let written = layout.buffers() >> n & 1 != 0;
                *target = buffers[n].filter(|_| written).map(|range| StreamTarget {
                    range,
                    stride: layout.strides[n],
                });
            }
            chip.begin(&self.streams, counters, &mut self.words);
            self.push_written = false;
        }
    }

    /// Ends it.
    pub fn end_stream(&mut self, counters: &[Option<Addr>; STREAM_BUFFERS]) {
        if let Some(chip) = self.chip.streams() {
            chip.end(counters, &mut self.words);
        }
        self.streams = [None; STREAM_BUFFERS];
        self.push_written = false;
    }

    /// Draws with what is bound as many vertices as a stream has written.
    pub fn draw_counted(&mut self, draw: &StreamDraw) -> Result<()> {
        if let (Some(pipeline), Some(chip)) = (self.bound(), self.chip.streams()) {
            self.take_constants(pipeline, &draw.uncounted());
            self.write_state(pipeline)?;
            chip.count(draw, &mut self.words);
            let bound = self.bindings(pipeline);
            self.chip.draw_counted(draw, &bound, &mut self.words);
            self.keep_changes();
        }
        Ok(())
    }

    fn bound(&self) -> Option<&'a CompiledPipeline> {
        debug_assert!(self.pipeline.is_some(), "a draw has a pipeline");
        self.pipeline
    }

    fn bindings<'p>(&self, pipeline: &'p CompiledPipeline) -> Bindings<'p> {
        Bindings {
            data: self.data,
            shaders: [&pipeline.vertex, &pipeline.fragment],
            geometry: pipeline.geometry.as_ref(),
            state: &pipeline.state,
            viewport: (self.dynamic.as_ref())
                .map_or(Viewport::of(1, 1), |state| state.viewports[0]),
        }
    }

    /// Writes what a draw needs and what is not yet set.
    fn write_state(&mut self, pipeline: &CompiledPipeline) -> Result<()> {
        if !self.attributes_written {
            let (state, buffers) = (&pipeline.state, &self.vertex_buffers);
            if let Some(at) = self.transient.put_attributes(self.chip, state, buffers)? {
                self.data.attributes = at;
            }
            self.attributes_written = true;
        }
        if !self.push_written {
            let descriptors = self.descriptors(pipeline);
            let bytes =
                (self.chip).constants(&self.push_constants, &descriptors, self.draw_constants);
            let align = self.chip.constants_align();
            self.data.push_constants = self.transient.put(&bytes, align)?;
            self.push_written = true;
        }
        if self.data_written != Some(self.data) {
            let bound = self.bindings(pipeline);
            self.chip.user_data(&bound, self)?;
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

    /// Descriptors that a pipeline finds behind the push constants: of scratch memory and rings, and of streams.
    fn descriptors<'p>(&self, pipeline: &'p CompiledPipeline) -> Cow<'p, [u32]> {
        match (&pipeline.state.stream, self.chip.streams()) {
            (Some(_), Some(chip)) => {
                let mut words = pipeline.scratch.clone();
                words.resize(STREAMS_WORD, 0);
                chip.descriptors(&self.streams, &mut words);
                words.into()
            }
            _ => pipeline.scratch.as_slice().into(),
        }
    }

    /// Draws one triangle over all of the attachments that are set; `set` changes state after the pipeline's.
    pub(crate) fn draw_cover(
        &mut self,
        [width, height]: [u32; 2],
        set: impl FnOnce(&mut Vec<u32>),
    ) -> Result<()> {
        let cover = match self.cover.take() {
            Some(cover) => cover,
            None => {
                let target = self.driver.target;
                let compiled = self.driver.cover.get_or_init(|| immediate::cover(target));
                let mut cover = compiled.clone();
                cover.upload(self.driver, &mut |request| self.transient.request(request))?;
                cover
            }
        };
        self.unbind(width, height);
        self.set_pipeline(&cover);
        set(&mut self.words);
        self.write_state(&cover)?;
        let draw = Draw {
            count: 3,
            instances: 1,
            ..Draw::default()
        };
        let drawn = self.chip.draw(&draw, &self.bindings(&cover), self);
        self.keep_changes();
        self.cover = Some(cover);
        drawn
    }

    /// The attachments of the pass that has begun.
    pub fn targets(&self) -> Option<&PassTargets<'a>> {
        self.pass.as_ref().map(|pass| &pass.targets)
    }

    /// Video memory as it is before the stream runs.
    pub fn memory(&self) -> &'a Memory {
        &self.driver.memory
    }

    /// Takes memory that lasts until the stream has run.
    pub fn take(&mut self, bytes: u64, align: u64) -> Result<Addr> {
        self.transient.take(bytes, align)
    }

    /// Memory for a pass alone, which others of the stream overwrite; the pass writes before it reads.
    pub fn workspace(&mut self, bytes: u64, align: u64) -> Result<Addr> {
        match self.workspace {
            Some((at, held)) if held >= bytes && at.0.is_multiple_of(align) => Ok(at),
            _ => {
                let at = self.transient.request(Request {
                    bytes,
                    align,
                    zeroed: false,
                })?;
                self.workspace = Some((at, bytes));
                Ok(at)
            }
        }
    }

    /// Puts bytes into memory that lasts until the stream has run.
    pub fn put(&mut self, bytes: &[u8], align: u64) -> Result<Addr> {
        self.transient.put(bytes, align)
    }

    /// Fills texels of an image, all samples of them, with the bytes that one has in the region's plane.
    pub fn fill_texels(
        &mut self,
        base: Addr,
        image: &ImageMemory,
        region: &Region,
        texel: &[u8],
    ) -> Result<()> {
        let pieces = image::pieces(self.chip, image, region);
        self.fill_pieces(base, &pieces, texel)
    }

    /// Fills all texels of some slices of a level of a plane.
    pub fn fill_slices(
        &mut self,
        base: Addr,
        image: &ImageMemory,
        (plane, level): (usize, u32),
        slices: Range<u32>,
        texel: &[u8],
    ) -> Result<()> {
        let found = &image.planes[plane].levels[level as usize];
        if image.planes[plane].keeps_slices(found, image.shape.samples) {
            return self.fill_pieces(base, &[found.bytes(slices)], texel);
        }
        let region = Region {
            plane,
            level,
            x: 0..found.width,
            y: 0..found.height,
            slices,
        };
        self.fill_texels(base, image, &region, texel)
    }

    /// Fills memory with a repeated pattern of 1, 2, 4, 8 or 16 bytes.
    pub fn fill(&mut self, at: Addr, bytes: u64, pattern: &[u8]) -> Result<()> {
        self.fill_pieces(at, std::slice::from_ref(&(0..bytes)), pattern)
    }

    /// Fills ranges of bytes from `base` on, each with the pattern from its start.
    pub fn fill_pieces(&mut self, base: Addr, pieces: &[Range<u64>], pattern: &[u8]) -> Result<()> {
        let mut block = [0; 16];
        for (byte, value) in block.iter_mut().zip(pattern.iter().cycle()) {
            *byte = *value;
        }
        let word = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        let mut words = block.as_chunks().0.iter();
        let one_word = words.all(|bytes| u32::from_le_bytes(*bytes) == word);
        let length = |piece: &Range<u64>| piece.end - piece.start;
        let longest = pieces.iter().map(length).max().unwrap_or(0).min(CHUNK);
        let mut repeated = None;
        for piece in pieces {
            let (at, bytes) = (base.0 + piece.start, length(piece));
            if one_word && at.is_multiple_of(4) && bytes.is_multiple_of(4) {
                self.chip.fill(Addr(at), bytes, word, &mut self.words);
                continue;
            }
            // The chip fills with single words, so other patterns are copied from a piece of memory that holds many.
            let from = match repeated {
                Some(from) => from,
                None => {
                    let bytes = block.repeat(longest.div_ceil(16) as usize);
                    *repeated.insert(self.put(&bytes[..longest as usize], 256)?)
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
    pub fn update(&mut self, at: Addr, bytes: &[u8]) -> Result<()> {
        let from = self.put(bytes, 4)?;
        self.copy(from, at, bytes.len() as u64);
        Ok(())
    }

    /// Begins a query at an address.
    pub fn begin_query(&mut self, kind: QueryKind, at: Addr) {
        if kind == QueryKind::Statistics {
            self.uncounted = 0;
        }
        self.chip.begin_query(kind, at, &mut self.words);
    }

    /// Ends a query, or takes a time stamp.
    pub fn end_query(&mut self, kind: QueryKind, at: Addr) {
        self.chip.end_query(kind, at, &mut self.words);
        if kind == QueryKind::Statistics && self.uncounted > 0 {
            let count = std::mem::take(&mut self.uncounted);
            self.chip.add_invocations(at, count, &mut self.words);
        }
    }

    /// Copies memory.
    pub fn copy(&mut self, from: Addr, to: Addr, bytes: u64) {
        self.chip.copy(from, to, bytes, &mut self.words);
    }

    /// Ends the stream: the range of its words in memory.
    pub fn finish(mut self) -> Result<Range<Addr>> {
        self.chip.end(&mut self.words);
        self.transient.put_words(&self.words)
    }
}
