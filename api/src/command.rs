//! Command buffers: calls are checked and recorded as plain values, and run as often as they are submitted.

use std::ops::Range;

use pipeline::image::ResolveMode;
use pipeline::layout::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
use pipeline::state::{ClearAttachment, Rect, Viewport};
use wgpu_types::{BufferUsages, Color, IndexFormat};

use crate::buffer::Buffer;
use crate::clear::Clear;
use crate::copy::{BufferCopy, ImageCopy, Transfer};
use crate::descriptor::DescriptorSet;
use crate::device::Device;
use crate::error::{Label, rules};
use crate::image::{Image, ImageLayout, Subresources};
use crate::pass::Pass;
use crate::pipeline::GraphicsPipeline;
use crate::query::QueryCommand;
use crate::validate::draw::Recording;

rules! {
    /// A command that cannot be recorded.
    pub enum CommandError {
        /// The command belongs inside a pass.
        "command-inside-pass", "{command} is recorded outside of a pass"
        => OutsidePass { command: &'static str };
        /// The command belongs outside of a pass.
        "command-outside-pass", "{command} is recorded inside {pass}"
        => InsidePass { command: &'static str, pass: Label };
        /// A bound or copied buffer has the usage.
        "command-buffer-usage", "{command} needs {buffer} to have usage {usage:?}"
        => BufferUsage { command: &'static str, buffer: Label, usage: BufferUsages };
        /// A bound, filled or copied range lies within its buffer.
        "command-buffer-range", "{command} takes {bytes} bytes at {offset} of {buffer}, which has {size} bytes"
        => BufferRange { command: &'static str, buffer: Label, offset: u64, bytes: u64, size: u64 };
        /// Offsets and sizes are multiples of what the command needs.
        "command-buffer-align", "{command} takes {bytes} bytes at {offset} of {buffer}; both must be multiples of {align}"
        => BufferAlign { command: &'static str, buffer: Label, offset: u64, bytes: u64, align: u64 };
        /// Bytes that are recorded are few.
        "command-update-bytes", "{bytes} bytes for {buffer} are to be recorded; the most is {most}"
        => UpdateBytes { buffer: Label, bytes: u64, most: u64 };
        /// Vertex buffers are bound to slots that the device has.
        "command-vertex-slot", "vertex buffer slot {slot} is above the device's {limit}"
        => VertexSlot { slot: u32, limit: u32 };
        /// Sets are bound to numbers that the device has.
        "command-set-index", "descriptor set {index} is above the device's {limit}"
        => SetIndex { index: u32, limit: u32 };
        /// A set is bound with one offset for each of its dynamic bindings, aligned, within the buffer.
        "command-dynamic-offset", "{set}: dynamic offsets {offsets:?} do not suit its {wanted} dynamic bindings: {reason}"
        => DynamicOffset { set: Label, offsets: Vec<u32>, wanted: u32, reason: String };
        /// Push constants are whole words within the device's.
        "command-push-constants", "push constants {offset}..{end} are not whole words below {limit}"
        => PushConstants { offset: u32, end: u64, limit: u32 };
        /// A viewport is finite, has an area and a depth range within 0..1.
        "command-viewport", "{viewport:?} is empty, not finite or has depths outside of 0..1"
        => Viewport { viewport: Viewport };
        /// Viewports and scissors have numbers that the device has.
        "command-viewport-index", "{command} sets numbers {first} to {end}, exclusive; the device has {limit}"
        => ViewportIndex { command: &'static str, first: u32, end: u64, limit: u32 };
        /// A scissor lies within its pass.
        "command-scissor", "{rect:?} is not within {pass} of {width}x{height}"
        => Scissor { rect: Rect, pass: Label, width: u32, height: u32 };
        /// Levels and layers are ones that the image has.
        "command-subresources", "{range:?} is not within {image} of {levels} levels and {layers} layers"
        => Subresources { image: Label, range: Subresources, levels: u32, layers: u32 };
        /// Nothing becomes undefined.
        "command-transition", "{image} cannot be transitioned to Undefined"
        => ToUndefined { image: Label };
    }
}

/// Most bytes of [`CommandBuffer::update_buffer`].
pub const MOST_UPDATE_BYTES: u64 = 65536;

/// Recorded commands.
#[derive(Clone, Debug)]
pub struct CommandBuffer {
    pub(crate) device: Device,
    label: Label,
    pub(crate) commands: Vec<Command>,
    pub(crate) recording: Recording,
}

/// One recorded command.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// The image must be in one of these layouts when the command buffer gets here.
    Require {
        image: Image,
        range: Subresources,
        allowed: &'static [ImageLayout],
    },
    Transition {
        image: Image,
        range: Subresources,
        from: ImageLayout,
        to: ImageLayout,
    },
    Fill {
        buffer: Buffer,
        range: Range<u64>,
        word: u32,
    },
    Update {
        buffer: Buffer,
        offset: u64,
        bytes: Vec<u8>,
    },
    Copy(Box<Transfer>),
    Clear(Box<Clear>),
    ClearAttachment(ClearAttachment, Rect),
    Query(QueryCommand),
    BeginPass(Box<Pass>),
    EndPass,
    /// What the chip does not resolve at the end of the pass.
    Resolve(Box<crate::pass::PassResolve>),
    Pipeline(GraphicsPipeline),
    Set {
        index: u32,
        set: DescriptorSet,
        offsets: Vec<u32>,
    },
    PushConstants {
        offset: u32,
        bytes: Vec<u8>,
    },
    VertexBuffer {
        slot: u32,
        buffer: Buffer,
        offset: u64,
    },
    IndexBuffer {
        buffer: Buffer,
        offset: u64,
        format: IndexFormat,
    },
    Viewports {
        first: usize,
        viewports: Vec<Viewport>,
    },
    Scissors {
        first: usize,
        scissors: Vec<Rect>,
    },
    BlendConstant([f32; 4]),
    StencilReference(u32),
    Draw {
        elements: Range<u32>,
        instances: Range<u32>,
        /// Present for indexed draws.
        base_vertex: Option<i32>,
    },
    DrawIndirect {
        arguments: Buffer,
        offset: u64,
        draws: u32,
        stride: u32,
        indexed: bool,
    },
}

impl Device {
    /// Makes an empty command buffer.
    pub fn create_command_buffer(&self, label: Option<&str>) -> CommandBuffer {
        CommandBuffer {
            device: self.clone(),
            label: Label::new("command buffer", label),
            commands: Vec::new(),
            recording: Recording::default(),
        }
    }
}

impl CommandBuffer {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// Forgets everything recorded.
    pub fn reset(&mut self) {
        self.commands.clear();
        self.recording = Recording::default();
    }

    /// Brings all of an image from one layout to another. `Undefined` as the old layout gives up its texels.
    pub fn transition(
        &mut self,
        image: &Image,
        from: ImageLayout,
        to: ImageLayout,
    ) -> Result<(), CommandError> {
        self.transition_range(image, image.subresources(), from, to)
    }

    /// Brings some levels and layers of an image from one layout to another.
    pub fn transition_range(
        &mut self,
        image: &Image,
        range: Subresources,
        from: ImageLayout,
        to: ImageLayout,
    ) -> Result<(), CommandError> {
        self.outside_pass("transition")?;
        check_subresources(image, range)?;
        if to == ImageLayout::Undefined {
            return Err(CommandError::ToUndefined {
                image: image.label().clone(),
            });
        }
        self.push(Command::Transition {
            image: image.clone(),
            range,
            from,
            to,
        });
        Ok(())
    }

    /// Fills a range of a buffer with a word.
    pub fn fill_buffer(
        &mut self,
        buffer: &Buffer,
        range: Range<u64>,
        word: u32,
    ) -> Result<(), CommandError> {
        let command = "fill_buffer";
        self.outside_pass(command)?;
        let bytes = range.end.saturating_sub(range.start);
        check_buffer(
            command,
            buffer,
            BufferUsages::COPY_DST,
            range.start,
            bytes,
            4,
        )?;
        self.push(Command::Fill {
            buffer: buffer.clone(),
            range,
            word,
        });
        Ok(())
    }

    /// Writes bytes, which are recorded, to a buffer; at most 65536.
    pub fn update_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), CommandError> {
        let command = "update_buffer";
        self.outside_pass(command)?;
        let length = bytes.len() as u64;
        if length > MOST_UPDATE_BYTES {
            return Err(CommandError::UpdateBytes {
                buffer: buffer.label().clone(),
                bytes: length,
                most: MOST_UPDATE_BYTES,
            });
        }
        let usage = BufferUsages::COPY_DST;
        check_buffer(command, buffer, usage, offset, length, 4)?;
        self.push(Command::Update {
            buffer: buffer.clone(),
            offset,
            bytes: bytes.to_vec(),
        });
        Ok(())
    }

    /// Copies bytes between buffers.
    pub fn copy_buffer(
        &mut self,
        from: &BufferCopy<'_>,
        to: &BufferCopy<'_>,
        bytes: u64,
    ) -> Result<(), CommandError> {
        let command = "copy_buffer";
        self.outside_pass(command)?;
        check_buffer(
            command,
            from.buffer,
            BufferUsages::COPY_SRC,
            from.offset,
            bytes,
            4,
        )?;
        check_buffer(
            command,
            to.buffer,
            BufferUsages::COPY_DST,
            to.offset,
            bytes,
            4,
        )?;
        self.push(Command::Copy(Box::new(Transfer::Buffer {
            from: (from.buffer.clone(), from.offset),
            to: (to.buffer.clone(), to.offset),
            bytes,
        })));
        Ok(())
    }

    /// Copies texels from a buffer to an image.
    pub fn copy_buffer_to_image(
        &mut self,
        from: &BufferCopy<'_>,
        to: &ImageCopy<'_>,
        size: wgpu_types::Extent3d,
    ) -> Result<(), crate::copy::CopyError> {
        let transfer = Transfer::upload(from, to, size)?;
        self.copy("copy_buffer_to_image", transfer)
    }

    /// Copies texels from an image to a buffer.
    pub fn copy_image_to_buffer(
        &mut self,
        from: &ImageCopy<'_>,
        to: &BufferCopy<'_>,
        size: wgpu_types::Extent3d,
    ) -> Result<(), crate::copy::CopyError> {
        let transfer = Transfer::download(from, to, size)?;
        self.copy("copy_image_to_buffer", transfer)
    }

    /// Copies texels between images of formats with equal elements.
    pub fn copy_image(
        &mut self,
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: wgpu_types::Extent3d,
    ) -> Result<(), crate::copy::CopyError> {
        let transfer = Transfer::image(from, to, size)?;
        self.copy("copy_image", transfer)
    }

    /// Makes texels with one sample from texels with several, of one aspect of images of the same format.
    pub fn resolve_image(
        &mut self,
        from: &ImageCopy<'_>,
        to: &ImageCopy<'_>,
        size: wgpu_types::Extent3d,
        mode: ResolveMode,
    ) -> Result<(), crate::copy::CopyError> {
        let transfer = Transfer::resolve(from, to, size, mode)?;
        self.copy("resolve_image", transfer)
    }

    fn copy(
        &mut self,
        command: &'static str,
        transfer: Transfer,
    ) -> Result<(), crate::copy::CopyError> {
        self.outside_pass(command)
            .map_err(crate::copy::CopyError::from_command)?;
        for (image, range, allowed) in transfer.images() {
            self.require(&image, range, allowed);
        }
        self.push(Command::Copy(Box::new(transfer)));
        Ok(())
    }

    /// Binds a pipeline for the draws that follow in the pass.
    pub fn bind_pipeline(&mut self, pipeline: &GraphicsPipeline) -> Result<(), CommandError> {
        self.inside_pass("bind_pipeline")?;
        self.recording.pipeline = Some(pipeline.clone());
        self.push(Command::Pipeline(pipeline.clone()));
        Ok(())
    }

    /// Binds a descriptor set, with one offset for each of its dynamic bindings in ascending order.
    pub fn bind_descriptor_set(
        &mut self,
        index: u32,
        set: &DescriptorSet,
        offsets: &[u32],
    ) -> Result<(), CommandError> {
        self.inside_pass("bind_descriptor_set")?;
        let limit = MAX_DESCRIPTOR_SETS;
        if index >= limit {
            return Err(CommandError::SetIndex { index, limit });
        }
        crate::validate::draw::dynamic_offsets(&self.device, set, offsets)?;
        self.recording.sets.insert(index, set.clone());
        self.recording.unchecked_sets.insert(index);
        self.push(Command::Set {
            index,
            set: set.clone(),
            offsets: offsets.to_vec(),
        });
        Ok(())
    }

    /// Sets bytes of the push constants.
    pub fn push_constants(&mut self, offset: u32, bytes: &[u8]) -> Result<(), CommandError> {
        self.inside_pass("push_constants")?;
        let limit = MAX_PUSH_CONSTANT_BYTES;
        let end = u64::from(offset) + bytes.len() as u64;
        if end > limit.into() || !offset.is_multiple_of(4) || !bytes.len().is_multiple_of(4) {
            return Err(CommandError::PushConstants { offset, end, limit });
        }
        self.push(Command::PushConstants {
            offset,
            bytes: bytes.to_vec(),
        });
        Ok(())
    }

    /// Binds a buffer, from an offset to its end, to a vertex buffer slot.
    pub fn bind_vertex_buffer(
        &mut self,
        slot: u32,
        buffer: &Buffer,
        offset: u64,
    ) -> Result<(), CommandError> {
        let command = "bind_vertex_buffer";
        self.inside_pass(command)?;
        let limit = self.device.limits().vertex_buffers;
        if slot >= limit {
            return Err(CommandError::VertexSlot { slot, limit });
        }
        let rest = buffer.size().saturating_sub(offset);
        check_buffer(command, buffer, BufferUsages::VERTEX, offset, rest, 1)?;
        check_align(command, buffer, offset, 0, 4)?;
        self.recording
            .vertex_buffers
            .insert(slot, (buffer.clone(), rest));
        self.push(Command::VertexBuffer {
            slot,
            buffer: buffer.clone(),
            offset,
        });
        Ok(())
    }

    /// Binds a buffer, from an offset to its end, as the index buffer.
    pub fn bind_index_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        format: IndexFormat,
    ) -> Result<(), CommandError> {
        let command = "bind_index_buffer";
        self.inside_pass(command)?;
        let rest = buffer.size().saturating_sub(offset);
        check_buffer(command, buffer, BufferUsages::INDEX, offset, rest, 1)?;
        check_align(command, buffer, offset, 0, u64::from(format.byte_size()))?;
        self.recording.index_buffer = Some((buffer.clone(), rest, format));
        self.push(Command::IndexBuffer {
            buffer: buffer.clone(),
            offset,
            format,
        });
        Ok(())
    }

    /// Sets the viewport. A negative height turns the picture over.
    pub fn set_viewport(&mut self, viewport: Viewport) -> Result<(), CommandError> {
        self.viewports("set_viewport", 0, &[viewport])
    }

    /// Sets viewports from number `first` on, for pipelines whose vertices choose among them
    /// ([`RasterState::viewport_output`](crate::RasterState::viewport_output)); others draw through number 0. A pass starts
    /// with all of them showing all of it.
    pub fn set_viewports(
        &mut self,
        first: u32,
        viewports: &[Viewport],
    ) -> Result<(), CommandError> {
        self.viewports("set_viewports", first, viewports)
    }

    fn viewports(
        &mut self,
        command: &'static str,
        first: u32,
        viewports: &[Viewport],
    ) -> Result<(), CommandError> {
        self.inside_pass(command)?;
        let first = self.check_viewport_range(command, first, viewports.len())?;
        for viewport in viewports {
            let v = viewport;
            let finite = [v.x, v.y, v.width, v.height].iter().all(|n| n.is_finite());
            let depths = (0.0..=1.0).contains(&v.min_depth) && (0.0..=1.0).contains(&v.max_depth);
            if !finite || !depths || v.width <= 0.0 || v.height == 0.0 {
                let viewport = *viewport;
                return Err(CommandError::Viewport { viewport });
            }
        }
        let viewports = viewports.to_vec();
        self.push(Command::Viewports { first, viewports });
        Ok(())
    }

    /// Sets the rectangle outside of which nothing is drawn.
    pub fn set_scissor(&mut self, rect: Rect) -> Result<(), CommandError> {
        self.scissors("set_scissor", 0, &[rect])
    }

    /// Sets the rectangles that go with viewports, from number `first` on.
    pub fn set_scissors(&mut self, first: u32, rects: &[Rect]) -> Result<(), CommandError> {
        self.scissors("set_scissors", first, rects)
    }

    fn scissors(
        &mut self,
        command: &'static str,
        first: u32,
        rects: &[Rect],
    ) -> Result<(), CommandError> {
        let pass = self.inside_pass(command)?;
        let first = self.check_viewport_range(command, first, rects.len())?;
        let end =
            |at: u32, size: u32, limit: u32| at.checked_add(size).is_some_and(|end| end <= limit);
        for rect in rects {
            if !end(rect.x, rect.width, pass.width) || !end(rect.y, rect.height, pass.height) {
                return Err(CommandError::Scissor {
                    rect: *rect,
                    pass: pass.label.clone(),
                    width: pass.width,
                    height: pass.height,
                });
            }
        }
        let scissors = rects.to_vec();
        self.push(Command::Scissors { first, scissors });
        Ok(())
    }

    fn check_viewport_range(
        &self,
        command: &'static str,
        first: u32,
        count: usize,
    ) -> Result<usize, CommandError> {
        let limit = self.device.limits().viewports;
        let end = u64::from(first) + count as u64;
        if end > limit.into() {
            return Err(CommandError::ViewportIndex {
                command,
                first,
                end,
                limit,
            });
        }
        Ok(first as usize)
    }

    /// Sets the constant of the blend factors.
    pub fn set_blend_constant(&mut self, color: Color) -> Result<(), CommandError> {
        self.inside_pass("set_blend_constant")?;
        let constant = [color.r, color.g, color.b, color.a].map(|c| c as f32);
        self.push(Command::BlendConstant(constant));
        Ok(())
    }

    /// Sets the stencil reference.
    pub fn set_stencil_reference(&mut self, reference: u32) -> Result<(), CommandError> {
        self.inside_pass("set_stencil_reference")?;
        self.push(Command::StencilReference(reference));
        Ok(())
    }

    pub(crate) fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    pub(crate) fn require(
        &mut self,
        image: &Image,
        range: Subresources,
        allowed: &'static [ImageLayout],
    ) {
        self.push(Command::Require {
            image: image.clone(),
            range,
            allowed,
        });
    }

    pub(crate) fn inside_pass(
        &self,
        command: &'static str,
    ) -> Result<&crate::validate::draw::OpenPass, CommandError> {
        let pass = self.recording.pass.as_ref();
        pass.ok_or(CommandError::OutsidePass { command })
    }

    pub(crate) fn outside_pass(&self, command: &'static str) -> Result<(), CommandError> {
        match &self.recording.pass {
            None => Ok(()),
            Some(pass) => Err(CommandError::InsidePass {
                command,
                pass: pass.label.clone(),
            }),
        }
    }
}

fn check_subresources(image: &Image, range: Subresources) -> Result<(), CommandError> {
    if image.contains(range) {
        return Ok(());
    }
    Err(CommandError::Subresources {
        image: image.label().clone(),
        range,
        levels: image.levels(),
        layers: image.layers(),
    })
}

pub(crate) fn check_buffer(
    command: &'static str,
    buffer: &Buffer,
    usage: BufferUsages,
    offset: u64,
    bytes: u64,
    align: u64,
) -> Result<(), CommandError> {
    if !buffer.usage().contains(usage) {
        return Err(CommandError::BufferUsage {
            command,
            buffer: buffer.label().clone(),
            usage,
        });
    }
    let end = offset.checked_add(bytes);
    if bytes == 0 || end.is_none_or(|end| end > buffer.size()) {
        return Err(CommandError::BufferRange {
            command,
            buffer: buffer.label().clone(),
            offset,
            bytes,
            size: buffer.size(),
        });
    }
    check_align(command, buffer, offset, bytes, align)
}

fn check_align(
    command: &'static str,
    buffer: &Buffer,
    offset: u64,
    bytes: u64,
    align: u64,
) -> Result<(), CommandError> {
    if offset.is_multiple_of(align) && bytes.is_multiple_of(align) {
        return Ok(());
    }
    Err(CommandError::BufferAlign {
        command,
        buffer: buffer.label().clone(),
        offset,
        bytes,
        align,
    })
}
