//! Draws whose arguments are in buffers, and their rules.

use wgpu_types::BufferUsages;

use super::draw::{DrawError, check_strip};
use crate::buffer::Buffer;
use crate::command::CommandBuffer;
use crate::recorded::Command;

/// Bytes of the arguments of a draw: vertices, instances, first vertex, first instance.
const PLAIN: u64 = 16;
/// Indices, instances, first index, what is added to indices, first instance.
const INDEXED: u64 = 20;

impl CommandBuffer {
    /// Draws vertices in order, as often as `draws` says, with the arguments of [`CommandBuffer::draw`] from a buffer:
    /// words for the number of vertices, the number of instances, the first vertex and the first instance. The
    /// arguments of a draw are `stride` bytes behind those of the draw before; they are read when the command runs.
    /// Vertices outside of the vertex buffers are zeros. `offset` and `stride` are multiples of 4, `stride` no less
    /// than 16.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let pipeline = setup::pipeline(&device, setup::FILL, &[], |_| ())?;
    /// # let mut commands = device.create_command_buffer(None);
    /// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
    /// # commands.bind_pipeline(&pipeline)?;
    /// # let arguments = setup::buffer(&device, 16, BufferUsages::INDIRECT)?;
    /// let recorded = commands.draw_indirect(&arguments, 0, 1, 16);
    /// assert_eq!(recorded.is_ok(), device.limits().indirect_draws);
    /// # commands.end_pass()?;
    /// arguments.write(0, &[3_u32, 1, 0, 0].map(u32::to_le_bytes).concat())?;
    /// queue.submit(&[&commands], &[])?;
    /// let color = match device.limits().indirect_draws {
    ///     true => [255, 128, 0, 255],
    ///     false => [0, 0, 255, 255],
    /// };
    /// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, color);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: as [`CommandBuffer::draw`], and [`DrawError::NoIndirect`] on devices without
    /// [`Limits::indirect_draws`](crate::Limits::indirect_draws), [`DrawError::IndirectUsage`],
    /// [`DrawError::IndirectAlign`], [`DrawError::IndirectRange`].
    pub fn draw_indirect(
        &mut self,
        arguments: &Buffer,
        offset: u64,
        draws: u32,
        stride: u32,
    ) -> Result<(), DrawError> {
        self.check_draw(&(0..0), &(0..0))?;
        self.indirect(arguments, offset, [draws, stride], PLAIN)
    }

    /// Draws the vertices that the index buffer lists, as [`CommandBuffer::draw_indirect`], with words for the number
    /// of indices, the number of instances, the first index, what is added to every index, and the first instance;
    /// `stride` is no less than 20. Indices outside of the index buffer are zeros.
    ///
    /// Errors: as [`CommandBuffer::draw_indirect`], and [`DrawError::NoIndexBuffer`], [`DrawError::StripFormat`].
    pub fn draw_indexed_indirect(
        &mut self,
        arguments: &Buffer,
        offset: u64,
        draws: u32,
        stride: u32,
    ) -> Result<(), DrawError> {
        let pipeline = self.check_draw(&(0..0), &(0..0))?;
        let Some((_, _, format)) = self.recording.index_buffer else {
            return Err(DrawError::NoIndexBuffer);
        };
        check_strip(&pipeline, format)?;
        self.indirect(arguments, offset, [draws, stride], INDEXED)
    }

    fn indirect(
        &mut self,
        arguments: &Buffer,
        offset: u64,
        [draws, stride]: [u32; 2],
        bytes: u64,
    ) -> Result<(), DrawError> {
        if !self.device.limits().indirect_draws {
            return Err(DrawError::NoIndirect {
                device: self.device.physical_device().info().name,
            });
        }
        let buffer = arguments.label().clone();
        if !arguments.usage().contains(BufferUsages::INDIRECT) {
            return Err(DrawError::IndirectUsage { buffer });
        }
        let apart = stride.is_multiple_of(4) && u64::from(stride) >= bytes;
        if !offset.is_multiple_of(4) || draws > 1 && !apart {
            return Err(DrawError::IndirectAlign {
                buffer,
                offset,
                draws,
                bytes,
                stride,
            });
        }
        // Of words of 32 bits each, so the product fits.
        let last = u64::from(draws.saturating_sub(1)) * u64::from(stride);
        let end = offset
            .checked_add(last)
            .and_then(|at| at.checked_add(bytes));
        if draws > 0 && end.is_none_or(|end| end > arguments.size()) {
            return Err(DrawError::IndirectRange {
                buffer,
                offset,
                draws,
                bytes,
                stride,
                size: arguments.size(),
            });
        }
        self.push(Command::DrawIndirect {
            arguments: arguments.clone(),
            offset,
            draws,
            stride,
            indexed: bytes == INDEXED,
        });
        Ok(())
    }
}
