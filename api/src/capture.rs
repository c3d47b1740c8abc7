//! Captures: what a device executes, as bytes in memory and streams of words, to be run again without the program.
//!
//! In: [`Device::begin_capture`] to [`Device::end_capture`]. Out: a [`Capture`], which goes to a folder and comes back
//! ([`Capture::save`], [`Capture::load`]; `docs/captures.md` has the format), and is executed by
//! [`PhysicalDevice::replay`](crate::PhysicalDevice::replay).
//!
//! A capture holds what the host wrote between streams; what the chip wrote comes again when it executes them. It starts
//! from a chip that was just powered on: streams set the registers that they need.

mod folder;
mod record;
mod replay;

use pipeline::silicon::{MemoryError, Trap};
use wgpu_types::{TextureFormat, TextureUsages};

use crate::device::{Device, DeviceError};
use crate::error::{Label, rules};
use crate::image::{Image, ImageError};
use crate::picture::Conversion;

pub(crate) use record::Recorder;

rules! {
    /// A capture that cannot be made, read or executed.
    pub enum CaptureError {
        /// A device is captured once at a time.
        "capture-begun", "{device} is being captured already; call `end_capture` before"
        => Begun { device: Label };
        /// A capture that ends was begun.
        "capture-open", "{device} is not being captured; call `begin_capture` before"
        => NotBegun { device: Label };
        /// The picture is a 2D image of the device, with one sample and a format that has a picture.
        "capture-picture", "{image} is no picture of the capture: {reason}"
        => Picture { image: Label, reason: &'static str };
        /// Files of the folder can be read and written.
        "capture-file", "{file}: {reason}"
        => File { file: String, reason: String };
        /// The index says that it is one, of a version that is read here.
        "capture-version", "{file} is {found}; version {version} of girih-capture is read here"
        => Version { file: String, found: String, version: u32 };
        /// The index has the fields of the format.
        "capture-index", "{file}: {reason}"
        => Index { file: String, reason: String };
        /// A capture is of a device that exists.
        "capture-device-name", "the capture is of `{name}`; there are: {known}"
        => UnknownDevice { name: String, known: String };
        /// Files lie in the folder itself.
        "capture-file-name", "step {step} names the file `{file}`; files lie in the folder, without a path"
        => FileName { step: usize, file: String };
        /// Files have the bytes that steps take from them.
        "capture-file-size", "step {step} needs bytes {start} to {end} of {file}, which has {bytes}"
        => FileSize { step: usize, file: String, start: u64, end: u64, bytes: u64 };
        /// The format of the picture has a name and a picture.
        "capture-format", "the picture has the format `{name}`, {reason}"
        => Format { name: String, reason: &'static str };
        /// A capture is executed by the device that it is of.
        "capture-device", "the capture is of {captured}, and is to be executed by {device}"
        => OtherDevice { captured: String, device: &'static str };
        /// A device can be powered on as described, with the video memory of the capture.
        "capture-power", "{source}"
        => Power { source: Box<DeviceError> };
        /// What the host writes lies in video memory.
        "capture-write", "step {step} writes outside: {source}"
        => Write { step: usize, source: MemoryError };
        /// Streams lie in video memory, in whole words.
        "capture-stream", "step {step} executes {words} words at {address:#x}; video memory has {bytes} bytes, and words lie at multiples of 4"
        => Stream { step: usize, address: u64, words: u64, bytes: u64 };
        /// No stream is refused by the chip.
        "capture-trap", "step {step}: {trap}"
        => Trap { step: usize, trap: Trap };
        /// A capture that is shown names its picture.
        "capture-no-picture", "the capture names no picture"
        => NoPicture;
        /// The picture is an image that the device can have.
        "capture-image", "the picture: {source}"
        => Image { source: Box<ImageError> };
        /// Rows of a plain surface do not overlap, and there is at least one texel.
        "capture-surface", "the picture has {width} by {height} texels of {texel_bytes} bytes in rows {pitch} bytes apart"
        => Surface { width: u32, height: u32, texel_bytes: u32, pitch: u64 };
        /// Registers that say what the picture is name a target that has one.
        "capture-target", "the picture is the last colour target: {reason}"
        => Target { reason: String };
        /// The picture lies in video memory.
        "capture-place", "the picture lies outside: {source}"
        => Place { source: MemoryError };
    }
}

/// What a device did, in steps, and which part of its memory is the picture.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// device.begin_capture()?;
/// let mut commands = device.create_command_buffer(Some("red"));
/// commands.clear_color_image(&image, image.subresources(), Color::RED)?;
/// queue.submit(&[&commands], &[])?;
/// let capture = device.end_capture(Some(&image))?;
///
/// let gpu = device.physical_device();
/// let picture = gpu.replay(&capture, &DeviceDescriptor::default())?;
/// assert_eq!(picture, queue.read_picture(&image)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Name of the device.
    pub device: String,
    /// Bytes of its video memory, which are zero before the first step.
    pub memory_bytes: u64,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// What is to be seen after the last step.
    pub picture: Option<CapturedPicture>,
}

/// A step of a [`Capture`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The host wrote bytes.
    Write {
        /// Byte address of the first.
        address: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The chip executed a stream of command words, which memory holds at that time.
    Execute {
        /// Byte address of the first word.
        address: u64,
        /// Words.
        words: u64,
    },
}

/// Texels in video memory that are a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CapturedPicture {
    /// A 2D image as the driver lays it out; level 0 of its first layer is the picture.
    Image {
        /// Byte address.
        address: u64,
        /// Format of the texels.
        format: TextureFormat,
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Array layers.
        layers: u32,
        /// Mip levels.
        levels: u32,
        /// What the image is used for, which decides how it lies in memory.
        usage: TextureUsages,
    },
    /// Rows of texels one after another.
    Surface {
        /// Byte address of the first row.
        address: u64,
        /// Format of the texels.
        format: TextureFormat,
        /// Texels across.
        width: u32,
        /// Texels down.
        height: u32,
        /// Bytes from one row to the next.
        pitch: u64,
    },
    /// The first colour target that the registers name after the last stream, inside of their scissors; of a resolve, what
    /// it writes. It has any size, format and tiling.
    Target,
}

impl Device {
    /// From now on keeps what the chip executes and what the host writes. What memory holds already becomes the first step.
    ///
    /// All of the memory is compared around each stream, so a captured program runs slowly; others cost nothing.
    ///
    /// Errors: [`CaptureError::Begun`].
    pub fn begin_capture(&self) -> Result<(), CaptureError> {
        let mut machine = self.shared.machine();
        if machine.recorder.is_some() {
            return Err(CaptureError::Begun {
                device: self.label().clone(),
            });
        }
        machine.recorder = Some(Recorder::new(&self.shared.driver.memory));
        Ok(())
    }

    /// What happened since [`Device::begin_capture`]; `picture` is the image that is to be seen.
    ///
    /// Errors: [`CaptureError::NotBegun`]; [`CaptureError::Picture`] when the image is of another device, not 2D, has
    /// several samples, or a format that [`Queue::read_picture`](crate::Queue::read_picture) refuses. The capture goes on
    /// then.
    pub fn end_capture(&self, picture: Option<&Image>) -> Result<Capture, CaptureError> {
        let mut machine = self.shared.machine();
        if machine.recorder.is_none() {
            return Err(CaptureError::NotBegun {
                device: self.label().clone(),
            });
        }
        let picture = picture.map(|image| self.captured(image)).transpose()?;
        let recorder = machine.recorder.take();
        Ok(Capture {
            device: self.physical_device().name().to_owned(),
            memory_bytes: self.shared.driver.memory.size(),
            steps: recorder.map(Recorder::end).unwrap_or_default(),
            picture,
        })
    }

    fn captured(&self, image: &Image) -> Result<CapturedPicture, CaptureError> {
        let shape = &image.surface().shape;
        let reason = if !self.shared.owns(image.shared()) {
            "it was made for another device"
        } else if shape.dimension != wgpu_types::TextureDimension::D2 {
            "it is not 2D"
        } else if shape.samples > 1 {
            "it has several samples"
        } else if Conversion::of(shape.format).is_none() {
            "its format has no picture"
        } else {
            return Ok(CapturedPicture::Image {
                address: image.inner.base.0,
                format: shape.format,
                width: shape.size.width,
                height: shape.size.height,
                layers: shape.size.depth_or_array_layers,
                levels: shape.levels,
                usage: shape.usage,
            });
        };
        Err(CaptureError::Picture {
            image: image.label().clone(),
            reason,
        })
    }
}
