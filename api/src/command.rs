//! Command buffers: calls are checked and recorded as plain values, and run as often as they are submitted. [VULKAN
//! Command Buffers]

use std::ops::Range;

use pipeline::names::Name;
use pipeline::state::{Rect, Viewport};
use wgpu_types::BufferUsages;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Label, counted, rules};
use crate::image::{Image, ImageLayout, Subresources};
use crate::recorded::{Command, Pass, Recording, User};

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
        "command-buffer-usage", "{command} needs {buffer} to have usage {usage}", usage = usage.name()
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
        "command-dynamic-offset", "{set} is bound with {given}: {reason}", given = offsets_given(offsets)
        => DynamicOffset { set: Label, offsets: Vec<u32>, wanted: u32, reason: String };
        /// Push constants are whole words within the device's.
        "command-push-constants", "push constants {offset}..{end} are not whole words below {limit}"
        => PushConstants { offset: u32, end: u64, limit: u32 };
        /// A viewport is finite, has an area and a depth range within 0..1.
        "command-viewport", "{viewport} is empty, not finite or has depths outside of 0..1", viewport = viewport.name()
        => Viewport { viewport: Viewport };
        /// Viewports and scissors have numbers that the device has.
        "command-viewport-index", "{command} sets numbers {first} to {end}, exclusive; the device has {limit}"
        => ViewportIndex { command: &'static str, first: u32, end: u64, limit: u32 };
        /// A scissor lies within its pass.
        "command-scissor", "{rect} is not within {pass} of {width}x{height}", rect = rect.name()
        => Scissor { rect: Rect, pass: Label, width: u32, height: u32 };
        /// Levels and layers are ones that the image has.
        "command-subresources", "{range} are not within {image} of {levels} and {layers}",
        levels = counted(*levels, "level"), layers = counted(*layers, "layer")
        => Subresources { image: Label, range: Subresources, levels: u32, layers: u32 };
        /// Nothing becomes undefined.
        "command-transition", "{image} cannot be transitioned to Undefined"
        => ToUndefined { image: Label };
        /// The pipeline stays while stream output is on.
        "command-streaming", "a pipeline is bound while stream output is on; call `end_stream_output` before"
        => Streaming;
        /// Images are transitioned by the queue of their device.
        "command-transition-device", "{image} was made for another device"
        => TransitionDevice { image: Label };
    }
}

fn offsets_given(offsets: &[u32]) -> String {
    match offsets {
        [] => "no dynamic offset".to_owned(),
        [one] => format!("the dynamic offset {one}"),
        many => {
            let many: Vec<String> = many.iter().map(u32::to_string).collect();
            format!("the dynamic offsets {}", many.join(", "))
        }
    }
}

/// What recording a command gives.
pub(crate) type Result<T, E = CommandError> = std::result::Result<T, E>;

/// Most bytes of one [`CommandBuffer::update_buffer`]: 64 KiB, as `vkCmdUpdateBuffer`.
pub const MOST_UPDATE_BYTES: u64 = 65536;

/// Recorded commands. Each call is checked at once; one that fails records nothing. What is recorded stays, and keeps
/// alive what it names, so a buffer can be submitted any number of times.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
/// # let (from, to) = (setup::buffer(&device, 16, usage)?, setup::buffer(&device, 16, usage)?);
/// let mut commands = device.create_command_buffer(Some("shift"));
/// commands.copy_buffer(&BufferCopy::at(&from, 4), &BufferCopy::at(&to, 0), 4)?;
/// commands.fill_buffer(&to, 4..8, 0x0101_0101)?;
/// commands.update_buffer(&to, 8, &[2; 4])?;
///
/// for value in [7, 8] {
///     from.write(4, &[value; 4])?;
///     queue.submit(&[&commands], &[])?;
///     let mut bytes = [0; 16];
///     to.read(0, &mut bytes)?;
///     assert_eq!(bytes, [[value; 4], [1; 4], [2; 4], [0; 4]].concat()[..]);
/// }
/// let error = commands.draw(0..3, 0..1).err();
/// assert_eq!(error.map(|e| e.rule()), Some("draw-pass"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CommandBuffer {
    pub(crate) device: Device,
    label: Label,
    pub(crate) commands: Vec<Command>,
    pub(crate) recording: Recording,
}

impl Device {
    /// Makes an empty command buffer, outside of passes, with nothing bound.
    pub fn create_command_buffer(&self, label: Option<&str>) -> CommandBuffer {
        CommandBuffer {
            device: self.clone(),
            label: self.label_of("command buffer", label),
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

    /// Forgets everything recorded, an open pass and active queries too.
    pub fn reset(&mut self) {
        self.commands.clear();
        self.recording = Recording::default();
    }

    /// Brings all of an image from one layout to another, outside of passes. `Undefined` as the old layout gives up the
    /// texels and suits any layout. [VULKAN Image Layout Transitions]
    ///
    /// Errors: [`CommandError::InsidePass`], [`CommandError::ToUndefined`]; on submission, [`SubmitError::Transition`]
    /// when the image is not in the old layout.
    ///
    /// [`SubmitError::Transition`]: crate::SubmitError::Transition
    pub fn transition(&mut self, image: &Image, from: ImageLayout, to: ImageLayout) -> Result<()> {
        self.transition_range(image, image.subresources(), from, to)
    }

    /// Brings some levels and layers of an image from one layout to another, as [`CommandBuffer::transition`].
    ///
    /// Errors: also [`CommandError::Subresources`].
    pub fn transition_range(
        &mut self,
        image: &Image,
        range: Subresources,
        from: ImageLayout,
        to: ImageLayout,
    ) -> Result<()> {
        self.outside_pass("transition")?;
        check_subresources(image, range)?;
        check_target(image, to)?;
        self.recording.next("transition");
        self.push(Command::Transition {
            image: image.clone(),
            range,
            from: Some(from),
            to,
        });
        Ok(())
    }

    /// Brings images, with all levels and layers, from whichever layouts they are in by then to new ones, outside of
    /// passes. Their texels stay what they are.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (albedo, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let (normals, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// let mut commands = device.create_command_buffer(None);
    /// commands.clear_color_image(&albedo, albedo.subresources(), Color::RED)?;
    /// commands.transition_all(&[
    ///     (&albedo, ImageLayout::CopySource),
    ///     (&normals, ImageLayout::ColorAttachment),
    /// ])?;
    /// queue.submit(&[&commands], &[])?;
    /// assert_eq!(queue.read_picture(&albedo)?.get_pixel(8, 8).0, [255, 0, 0, 255]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: as [`CommandBuffer::transition`]; then none is recorded.
    pub fn transition_all(&mut self, images: &[(&Image, ImageLayout)]) -> Result<()> {
        self.outside_pass("transition_all")?;
        for (image, to) in images {
            check_target(image, *to)?;
        }
        for &(image, to) in images {
            self.push(Command::Transition {
                image: image.clone(),
                range: image.subresources(),
                from: None,
                to,
            });
        }
        Ok(())
    }

    /// Fills a range of bytes of a buffer with a word. Both ends of the range are multiples of 4; it is not empty.
    ///
    /// Errors: [`CommandError::InsidePass`], [`BufferUsage`](CommandError::BufferUsage) without COPY_DST,
    /// [`BufferRange`](CommandError::BufferRange), [`BufferAlign`](CommandError::BufferAlign).
    pub fn fill_buffer(&mut self, buffer: &Buffer, range: Range<u64>, word: u32) -> Result<()> {
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

    /// Writes bytes, which are recorded, to a buffer from byte `offset` on: 4 to [`MOST_UPDATE_BYTES`], multiples of 4.
    ///
    /// Errors: as [`CommandBuffer::fill_buffer`], and [`CommandError::UpdateBytes`].
    pub fn update_buffer(&mut self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
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

    pub(crate) fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    pub(crate) fn require(
        &mut self,
        image: &Image,
        range: Subresources,
        allowed: &'static [ImageLayout],
        user: User,
    ) {
        self.push(Command::Require {
            image: image.clone(),
            range,
            allowed,
            user,
        });
    }

    pub(crate) fn inside_pass(&self, command: &'static str) -> Result<&Pass> {
        let pass = self.recording.pass.as_deref();
        pass.ok_or(CommandError::OutsidePass { command })
    }

    /// Inside a pass of either kind.
    pub(crate) fn inside_any_pass(&self, command: &'static str) -> Result<()> {
        let open = self.recording.open();
        open.map(|_| ())
            .ok_or(CommandError::OutsidePass { command })
    }

    pub(crate) fn outside_pass(&self, command: &'static str) -> Result<()> {
        match self.recording.open() {
            None => Ok(()),
            Some(pass) => Err(CommandError::InsidePass {
                command,
                pass: pass.clone(),
            }),
        }
    }
}

/// Nothing becomes undefined.
pub(crate) fn check_target(image: &Image, to: ImageLayout) -> Result<()> {
    match to {
        ImageLayout::Undefined => Err(CommandError::ToUndefined {
            image: image.label().clone(),
        }),
        _ => Ok(()),
    }
}

fn check_subresources(image: &Image, range: Subresources) -> Result<()> {
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
) -> Result<()> {
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

pub(crate) fn check_align(
    command: &'static str,
    buffer: &Buffer,
    offset: u64,
    bytes: u64,
    align: u64,
) -> Result<()> {
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
