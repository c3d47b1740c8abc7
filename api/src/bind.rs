//! What draws take along: pipeline, descriptor sets, push constants, buffers, and the state that commands change.

use pipeline::layout::{MAX_DESCRIPTOR_SETS, MAX_PUSH_CONSTANT_BYTES};
use pipeline::state::{Rect, Viewport};
use wgpu_types::{BufferUsages, Color, IndexFormat};

use crate::buffer::Buffer;
use crate::command::{CommandBuffer, CommandError, check_align, check_buffer};
use crate::descriptor::DescriptorSet;
use crate::pipeline::GraphicsPipeline;
use crate::recorded::Command;
use crate::validate::draw::dynamic_offsets;

impl CommandBuffer {
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
        dynamic_offsets(&self.device, set, offsets)?;
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
}
