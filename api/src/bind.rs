//! What draws take along: pipeline, descriptor sets, push constants, buffers, and the state that commands change.

use pipeline::layout::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
use pipeline::state::{Rect, Viewport};
use wgpu_types::{BufferUsages, Color, IndexFormat};

use crate::buffer::Buffer;
use crate::command::{CommandBuffer, CommandError, Result, check_align, check_buffer};
use crate::compute::ComputePipeline;
use crate::descriptor::DescriptorSet;
use crate::pipeline::GraphicsPipeline;
use crate::recorded::{BoundSet, Command};
use crate::validate::sets::dynamic_offsets;

impl CommandBuffer {
    /// Binds a pipeline for the draws that follow in the pass. Sets, buffers and dynamic state stay bound.
    ///
    /// Errors: [`CommandError::OutsidePass`], [`CommandError::Streaming`].
    pub fn bind_pipeline(&mut self, pipeline: &GraphicsPipeline) -> Result<()> {
        self.inside_pass("bind_pipeline")?;
        if self.recording.streaming {
            return Err(CommandError::Streaming);
        }
        self.recording.pipeline = Some(pipeline.clone());
        self.recording.unchecked_sizes = true;
        self.push(Command::Pipeline(pipeline.clone()));
        Ok(())
    }

    /// Binds a pipeline for the dispatches that follow in the compute pass. Sets and push constants stay.
    ///
    /// Errors: [`CommandError::OutsidePass`].
    pub fn bind_compute_pipeline(&mut self, pipeline: &ComputePipeline) -> Result<()> {
        if self.recording.compute.is_none() {
            let command = "bind_compute_pipeline";
            return Err(CommandError::OutsidePass { command });
        }
        self.recording.compute_pipeline = Some(pipeline.clone());
        self.recording.unchecked_sizes = true;
        self.push(Command::ComputePipeline(pipeline.clone()));
        Ok(())
    }

    /// Binds a descriptor set to number `index`, below [`MAX_DESCRIPTOR_SETS`], for the draws or dispatches that follow in the
    /// pass. `offsets` are the bytes that are added to its dynamic bindings, one for each in ascending order, multiples of
    /// [`Limits::buffer_offset_align`](crate::Limits::buffer_offset_align). A binding that has a size stays within its
    /// buffer with it; one that goes to the end of its buffer gets shorter, down to the layout's `min_binding_size` (or
    /// a byte).
    ///
    /// Errors: [`CommandError::OutsidePass`], [`SetIndex`](CommandError::SetIndex),
    /// [`DynamicOffset`](CommandError::DynamicOffset).
    pub fn bind_descriptor_set(
        &mut self,
        index: u32,
        set: &DescriptorSet,
        offsets: &[u32],
    ) -> Result<()> {
        self.inside_any_pass("bind_descriptor_set")?;
        let limit = MAX_DESCRIPTOR_SETS;
        if index >= limit {
            return Err(CommandError::SetIndex { index, limit });
        }
        dynamic_offsets(&self.device, set, offsets)?;
        let bound = BoundSet {
            set: set.clone(),
            offsets: offsets.to_vec(),
        };
        self.recording.sets.insert(index, bound.clone());
        self.recording.unchecked_sets.insert(index);
        self.recording.unchecked_sizes = true;
        self.push(Command::Set { index, bound });
        Ok(())
    }

    /// Sets bytes of the push constants from byte `offset` on, for the draws or dispatches that follow in the pass; both are
    /// multiples of 4, [`MAX_PUSH_CONSTANT_BYTES`] in all. [VULKAN Push Constant Updates]
    ///
    /// Errors: [`CommandError::OutsidePass`], [`PushConstants`](CommandError::PushConstants).
    pub fn push_constants(&mut self, offset: u32, bytes: &[u8]) -> Result<()> {
        self.inside_any_pass("push_constants")?;
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

    /// Binds a buffer, from byte `offset` (a multiple of 4) to its end, to a vertex buffer slot below
    /// [`Limits::vertex_buffers`](crate::Limits::vertex_buffers).
    ///
    /// Errors: [`CommandError::OutsidePass`], [`VertexSlot`](CommandError::VertexSlot),
    /// [`BufferUsage`](CommandError::BufferUsage) without VERTEX, [`BufferRange`](CommandError::BufferRange),
    /// [`BufferAlign`](CommandError::BufferAlign).
    pub fn bind_vertex_buffer(&mut self, slot: u32, buffer: &Buffer, offset: u64) -> Result<()> {
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

    /// Binds a buffer, from byte `offset` (a multiple of an index's bytes) to its end, as the index buffer.
    ///
    /// Errors: [`CommandError::OutsidePass`], [`BufferUsage`](CommandError::BufferUsage) without INDEX,
    /// [`BufferRange`](CommandError::BufferRange), [`BufferAlign`](CommandError::BufferAlign).
    pub fn bind_index_buffer(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        format: IndexFormat,
    ) -> Result<()> {
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

    /// Sets viewport 0, in pixels. It may reach beyond the attachments; a negative height turns the picture over. A
    /// pass starts with all of it as viewport and scissor.
    ///
    /// Errors: [`CommandError::OutsidePass`], [`Viewport`](CommandError::Viewport) for one that is empty, not finite,
    /// or has depths outside of 0 to 1.
    pub fn set_viewport(&mut self, viewport: Viewport) -> Result<()> {
        self.viewports("set_viewport", 0, &[viewport])
    }

    /// Sets viewports from number `first` on, up to [`Limits::viewports`](crate::Limits::viewports), for pipelines
    /// whose vertices choose among them ([`RasterState::viewport_output`](crate::RasterState::viewport_output)); others
    /// draw through number 0.
    ///
    /// Errors: as [`CommandBuffer::set_viewport`], and [`ViewportIndex`](CommandError::ViewportIndex).
    pub fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) -> Result<()> {
        self.viewports("set_viewports", first, viewports)
    }

    fn viewports(
        &mut self,
        command: &'static str,
        first: u32,
        viewports: &[Viewport],
    ) -> Result<()> {
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

    /// Sets scissor 0: the rectangle, in pixels, outside of which nothing is drawn. An empty one draws nothing.
    ///
    /// Errors: [`CommandError::OutsidePass`], [`Scissor`](CommandError::Scissor) for one that reaches beyond the pass.
    pub fn set_scissor(&mut self, rect: Rect) -> Result<()> {
        self.scissors("set_scissor", 0, &[rect])
    }

    /// Sets the scissors that go with viewports, from number `first` on.
    ///
    /// Errors: as [`CommandBuffer::set_scissor`], and [`ViewportIndex`](CommandError::ViewportIndex).
    pub fn set_scissors(&mut self, first: u32, rects: &[Rect]) -> Result<()> {
        self.scissors("set_scissors", first, rects)
    }

    fn scissors(&mut self, command: &'static str, first: u32, rects: &[Rect]) -> Result<()> {
        let pass = self.inside_pass(command)?;
        let first = self.check_viewport_range(command, first, rects.len())?;
        let end =
            |at: u32, size: u32, limit: u32| at.checked_add(size).is_some_and(|end| end <= limit);
        for rect in rects {
            if !end(rect.x, rect.width, pass.targets.width)
                || !end(rect.y, rect.height, pass.targets.height)
            {
                return Err(CommandError::Scissor {
                    rect: *rect,
                    pass: pass.label.clone(),
                    width: pass.targets.width,
                    height: pass.targets.height,
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
    ) -> Result<usize> {
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

    /// Sets the constant of the blend factors `Constant` and `OneMinusConstant`; transparent black when a pass starts.
    ///
    /// Errors: [`CommandError::OutsidePass`].
    pub fn set_blend_constant(&mut self, color: Color) -> Result<()> {
        self.inside_pass("set_blend_constant")?;
        let constant = [color.r, color.g, color.b, color.a].map(|c| c as f32);
        self.push(Command::BlendConstant(constant));
        Ok(())
    }

    /// Sets the stencil reference, whose low 8 bits count; 0 when a pass starts.
    ///
    /// Errors: [`CommandError::OutsidePass`].
    pub fn set_stencil_reference(&mut self, reference: u32) -> Result<()> {
        self.inside_pass("set_stencil_reference")?;
        self.push(Command::StencilReference(reference));
        Ok(())
    }
}
