//! Stream output: what vertices become, written to buffers before it is drawn. [VULKAN Transform Feedback]

use std::ops::Range;

use pipeline::stream::STREAM_BUFFERS;
use wgpu_types::BufferUsages;

use crate::buffer::Buffer;
use crate::command::{CommandBuffer, CommandError, check_align, check_buffer};
use crate::error::{Label, rules};
use crate::pipeline::GraphicsPipeline;
use crate::recorded::{Command, StreamCounters};
use crate::validate::draw::DrawError;

pub use pipeline::stream::{MAX_STREAM_STRIDE, StreamOutput, StreamSource, StreamedOutput};

rules! {
    /// Stream output that cannot be recorded.
    pub enum StreamError {
        /// The device has stream output.
        "stream-feature", "{command} needs stream output, which {device} has not"
        => Feature { command: &'static str, device: &'static str };
        /// Buffers and counters have the usage STORAGE, lie within their buffers, aligned, and are recorded inside a pass.
        "stream-recording", "{source}"
        => Recording { source: CommandError };
        /// Buffers and counters belong to the device of the command buffer.
        "stream-device", "{command} takes {buffer}, which was made for another device"
        => Device { command: &'static str, buffer: Label };
        /// Stream buffers have numbers from 0 to 3.
        "stream-slot", "{command} takes stream buffers {first} to {end}, exclusive; there are {limit}"
        => Slot { command: &'static str, first: u32, end: u64, limit: u32 };
        /// Buffers stay and pipelines stay while stream output is on, which does not begin twice.
        "stream-active", "{command} is recorded while stream output is on; call `end_stream_output` before"
        => Active { command: &'static str };
        /// Stream output that ends has begun.
        "stream-begun", "stream output ends in {commands}, but has not begun"
        => NotBegun { commands: Label };
        /// Stream output begins with a pipeline bound that writes to buffers.
        "stream-pipeline", "stream output begins, but {what}"
        => Pipeline { what: String };
        /// Each buffer that the pipeline writes to is bound when stream output begins.
        "stream-buffer", "{pipeline} writes to stream buffer {slot}; none is bound"
        => NoBuffer { pipeline: Label, slot: u32 };
        /// A counted draw has vertices of whole words.
        "stream-stride", "a draw counts vertices of {stride} bytes; a vertex has whole words, and at least one"
        => Stride { stride: u32 };
        /// A counted draw keeps the rules of draws.
        "stream-draw", "{source}"
        => Draw { source: DrawError };
    }
}

/// Where a buffer's count of written bytes is: a buffer with usage STORAGE and a byte offset, a multiple of 4.
pub type StreamCounter<'a> = (&'a Buffer, u64);

/// A draw of the vertices that stream output has written.
#[derive(Clone, Copy, Debug)]
pub struct CountedDraw<'a> {
    /// The bytes that were written, as [`CommandBuffer::end_stream_output`] stores them.
    pub counter: StreamCounter<'a>,
    /// Bytes that are taken off.
    pub counter_offset: u32,
    /// Bytes of a vertex, a multiple of 4.
    pub stride: u32,
}

impl CommandBuffer {
    /// Binds ranges of buffers with usage STORAGE to stream buffers from number `first` on. Starts are multiples of
    /// [`Limits::buffer_offset_align`](crate::Limits::buffer_offset_align), lengths of 4.
    ///
    /// Errors: [`StreamError::Feature`], [`StreamError::Recording`], [`StreamError::Device`], [`StreamError::Slot`],
    /// [`StreamError::Active`].
    pub fn bind_stream_buffers(
        &mut self,
        first: u32,
        buffers: &[(&Buffer, Range<u64>)],
    ) -> Result<(), StreamError> {
        let command = "bind_stream_buffers";
        self.check_stream(command, first, buffers.len())?;
        if self.recording.streaming {
            return Err(StreamError::Active { command });
        }
        let align = u64::from(self.device.limits().buffer_offset_align);
        for (n, (buffer, range)) in (first as usize..).zip(buffers) {
            let bytes = range.end.saturating_sub(range.start);
            self.check_words(command, buffer, (range.start, bytes))?;
            check_align(command, buffer, range.start, 0, align).map_err(recording)?;
            self.recording.stream_buffers[n] = Some(((*buffer).clone(), range.clone()));
        }
        Ok(())
    }

    /// Begins stream output with the pipeline that is bound, which stays until it ends. Each buffer is written from its
    /// start, or, where a counter is given, from as many bytes behind it as that says: counters go with stream buffers from
    /// number `first` on. A primitive for which any of the buffers has no room is not written, nor is one behind it.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// let module = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
    ///     struct Vertex { @builtin(position) at: vec4f, @location(0) number: f32 }
    ///     @vertex fn vs(@builtin(vertex_index) i: u32) -> Vertex { return Vertex(vec4f(0.0), f32(i * i)); }
    ///     @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }"))?;
    /// let number = StreamedOutput {
    ///     source: StreamSource::Location(0), first: 0, components: 1, buffer: 0, offset: 0,
    /// };
    /// let pipeline = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
    ///     stream: Some(StreamOutput { outputs: &[number], strides: [4, 0, 0, 0] }),
    ///     raster: RasterState { discard: true, ..RasterState::default() },
    ///     fragment: Some((&module).into()),
    ///     targets: &[Some(TextureFormat::Rgba8Unorm.into())],
    ///     ..GraphicsPipelineDescriptor::new(&module)
    /// })?;
    /// let numbers = setup::buffer(&device, 32, BufferUsages::STORAGE)?;
    /// let mut commands = device.create_command_buffer(None);
    /// commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
    /// commands.bind_pipeline(&pipeline)?;
    /// commands.bind_stream_buffers(0, &[(&numbers, 0..28)])?;
    /// commands.begin_stream_output(0, &[])?;
    /// commands.draw(0..9, 0..1)?; // three triangles, of which two fit
    /// commands.end_stream_output(0, &[Some((&numbers, 28))])?;
    /// commands.end_pass()?;
    /// queue.submit(&[&commands], &[])?;
    ///
    /// let mut bytes = [0; 32];
    /// numbers.read(0, &mut bytes)?;
    /// let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    /// let squares = [0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 0.0_f32].map(f32::to_bits);
    /// assert_eq!((&words[..7], words[7]), (&squares[..], 24));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: any of [`StreamError`] but [`StreamError::NotBegun`] and those of counted draws.
    pub fn begin_stream_output(
        &mut self,
        first: u32,
        counters: &[Option<StreamCounter<'_>>],
    ) -> Result<(), StreamError> {
        let command = "begin_stream_output";
        self.check_stream(command, first, counters.len())?;
        if self.recording.streaming {
            return Err(StreamError::Active { command });
        }
        let counters = self.check_counters(command, first, counters)?;
        let pipeline = self.check_stream_pipeline()?;
        let written = pipeline.state().stream.as_ref().map_or(0, |s| s.buffers());
        for (slot, bound) in (0..).zip(&self.recording.stream_buffers) {
            if written >> slot & 1 != 0 && bound.is_none() {
                let pipeline = pipeline.label().clone();
                return Err(StreamError::NoBuffer { pipeline, slot });
            }
        }
        self.recording.streaming = true;
        let buffers = Box::new(self.recording.stream_buffers.clone());
        self.push(Command::BeginStream { buffers, counters });
        Ok(())
    }

    /// Ends stream output. Where a counter is given, the bytes that are written behind the start of the buffer are stored
    /// there, for [`CommandBuffer::begin_stream_output`] to go on and for [`CommandBuffer::draw_counted`].
    ///
    /// Errors: [`StreamError::Feature`], [`StreamError::Recording`], [`StreamError::Device`], [`StreamError::Slot`],
    /// [`StreamError::NotBegun`].
    pub fn end_stream_output(
        &mut self,
        first: u32,
        counters: &[Option<StreamCounter<'_>>],
    ) -> Result<(), StreamError> {
        let command = "end_stream_output";
        self.check_stream(command, first, counters.len())?;
        let counters = self.check_counters(command, first, counters)?;
        if !self.recording.streaming {
            let commands = self.label().clone();
            return Err(StreamError::NotBegun { commands });
        }
        self.recording.streaming = false;
        self.push(Command::EndStream { counters });
        Ok(())
    }

    /// Draws as many vertices, from number 0 on, as the bytes of a counter hold. Vertices outside of the vertex buffers are
    /// zeros.
    ///
    /// Errors: [`StreamError::Feature`], [`StreamError::Recording`], [`StreamError::Device`], [`StreamError::Stride`],
    /// [`StreamError::Draw`].
    pub fn draw_counted(
        &mut self,
        draw: &CountedDraw<'_>,
        instances: Range<u32>,
    ) -> Result<(), StreamError> {
        let command = "draw_counted";
        self.check_stream(command, 0, 0)?;
        let (counter, offset) = draw.counter;
        self.check_words(command, counter, (offset, 4))?;
        let stride = draw.stride;
        if stride == 0 || !stride.is_multiple_of(4) {
            return Err(StreamError::Stride { stride });
        }
        let checked = self.check_draw(&(0..0), &instances);
        checked.map_err(|source| StreamError::Draw { source })?;
        self.push(Command::DrawCounted {
            counter: (counter.clone(), offset),
            counter_offset: draw.counter_offset,
            stride,
            instances,
        });
        Ok(())
    }

    /// Inside a pass, of a device with stream output, with numbers that there are.
    fn check_stream(
        &self,
        command: &'static str,
        first: u32,
        count: usize,
    ) -> Result<(), StreamError> {
        if !self.device.features().stream_output {
            let device = self.device.physical_device().info().name;
            return Err(StreamError::Feature { command, device });
        }
        self.inside_pass(command).map_err(recording)?;
        let (end, limit) = (u64::from(first) + count as u64, STREAM_BUFFERS as u32);
        if end > limit.into() {
            return Err(StreamError::Slot {
                command,
                first,
                end,
                limit,
            });
        }
        Ok(())
    }

    fn check_words(
        &self,
        command: &'static str,
        buffer: &Buffer,
        (offset, bytes): (u64, u64),
    ) -> Result<(), StreamError> {
        let usage = BufferUsages::STORAGE;
        check_buffer(command, buffer, usage, offset, bytes, 4).map_err(recording)?;
        if !self.device.shared.owns(buffer.shared()) {
            let buffer = buffer.label().clone();
            return Err(StreamError::Device { command, buffer });
        }
        Ok(())
    }

    fn check_counters(
        &self,
        command: &'static str,
        first: u32,
        counters: &[Option<StreamCounter<'_>>],
    ) -> Result<StreamCounters, StreamError> {
        let mut checked = StreamCounters::default();
        for (n, counter) in (first as usize..).zip(counters) {
            if let Some((buffer, offset)) = counter {
                self.check_words(command, buffer, (*offset, 4))?;
                checked[n] = Some(((*buffer).clone(), *offset));
            }
        }
        Ok(checked)
    }

    /// The pipeline that is bound, if it writes to buffers.
    fn check_stream_pipeline(&self) -> Result<GraphicsPipeline, StreamError> {
        let what = match &self.recording.pipeline {
            Some(pipeline) if pipeline.state().stream.is_some() => return Ok(pipeline.clone()),
            Some(pipeline) => format!("{} writes to no buffer", pipeline.label()),
            None => "no graphics pipeline is bound".to_owned(),
        };
        Err(StreamError::Pipeline { what })
    }
}

fn recording(source: CommandError) -> StreamError {
    StreamError::Recording { source }
}
