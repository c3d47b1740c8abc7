//! Executes a capture on a chip that is powered on for it.

use image::RgbaImage;
use pipeline::names::Name;
use pipeline::silicon::fragment::target::Target;
use pipeline::silicon::{Addr, Gpu, Memory, MemoryError};
use wgpu_types::{Extent3d, TextureAspect, TextureFormat};

use super::{Capture, CaptureError, CapturedPicture, Step};
use crate::device::{DeviceDescriptor, power_on};
use crate::error::Label;
use crate::image::ImageDescriptor;
use crate::instance::PhysicalDevice;
use crate::picture::Conversion;
use crate::tiling::Part;

/// Addresses that captures reach. Drivers place buffers where they like, and what is not written costs nothing.
const MOST_MEMORY: u64 = 16 << 30;

impl PhysicalDevice {
    /// Executes a capture and returns its picture. A device is powered on for it as described, but for the bytes of its
    /// memory, which the capture says; it is gone afterwards.
    ///
    /// Errors: [`CaptureError`] for a capture of another device, steps or a picture outside of its memory, streams that
    /// the chip refuses, and a capture without a picture.
    pub fn replay(
        &self,
        capture: &Capture,
        desc: &DeviceDescriptor<'_>,
    ) -> Result<RgbaImage, CaptureError> {
        let picture = capture.picture.ok_or(CaptureError::NoPicture)?;
        let mut gpu = self.run(capture, desc, |_, _, _| {})?;
        match picture {
            CapturedPicture::Target => target(gpu.as_mut()),
            picture => self.picture(gpu.memory(), &picture),
        }
    }

    /// Adds the packets of a capture to `text`, with the names of their registers and fields. The capture is executed, so
    /// that what packets name in memory is there.
    ///
    /// Errors: as [`PhysicalDevice::replay`], but for the picture; `text` then ends with the stream that failed.
    pub fn dump(
        &self,
        capture: &Capture,
        desc: &DeviceDescriptor<'_>,
        text: &mut String,
    ) -> Result<(), CaptureError> {
        self.run(capture, desc, |memory, address, words| {
            let mut stream = vec![0; words as usize];
            memory.load_words(address, &mut stream);
            let load = |address: u64| memory.load(address).filter(|_| address.is_multiple_of(4));
            *text += &format!("stream of {words} words at {address:#x}\n");
            *text += &self.target.tools.dump(&stream, address, &load);
        })?;
        Ok(())
    }

    /// Executes the steps; `stream` is told of each stream before it runs.
    fn run(
        &self,
        capture: &Capture,
        desc: &DeviceDescriptor<'_>,
        mut stream: impl FnMut(&Memory, u64, u64),
    ) -> Result<Box<dyn Gpu>, CaptureError> {
        if capture.device != self.name() {
            return Err(CaptureError::OtherDevice {
                captured: capture.device.clone(),
                device: self.name(),
            });
        }
        let desc = DeviceDescriptor {
            memory_bytes: Some(capture.memory_bytes),
            ..*desc
        };
        let label = Label::new("device", desc.label, None);
        let mut gpu = power_on(self.target, &label, &desc, MOST_MEMORY).map_err(|source| {
            let source = Box::new(source);
            CaptureError::Power { source }
        })?;
        let size = gpu.memory().size();
        for (step, what) in capture.steps.iter().enumerate() {
            match what {
                Step::Write { address, bytes } => {
                    let written = gpu.memory().write(Addr(*address), bytes);
                    written.map_err(|source| CaptureError::Write { step, source })?;
                }
                &Step::Execute { address, words } => {
                    let end = words.checked_mul(4).and_then(|n| n.checked_add(address));
                    let end = end.filter(|end| *end <= size && address.is_multiple_of(4));
                    let end = end.ok_or(CaptureError::Stream {
                        step,
                        address,
                        words,
                        bytes: size,
                    })?;
                    stream(gpu.memory(), address, words);
                    let done = gpu.execute(Addr(address)..Addr(end));
                    done.map_err(|trap| CaptureError::Trap { step, trap })?;
                }
            }
        }
        Ok(gpu)
    }

    fn picture(
        &self,
        memory: &Memory,
        picture: &CapturedPicture,
    ) -> Result<RgbaImage, CaptureError> {
        let (format, width, height, texels) = match *picture {
            CapturedPicture::Image {
                address,
                format,
                width,
                height,
                layers,
                levels,
                usage,
            } => {
                let image = ImageDescriptor {
                    label: Some("picture"),
                    size: Extent3d {
                        width,
                        height,
                        depth_or_array_layers: layers,
                    },
                    levels,
                    format,
                    usage,
                    ..Default::default()
                };
                let surface = self.surface(&image).map_err(|source| {
                    let source = Box::new(source);
                    CaptureError::Image { source }
                })?;
                let mut tiled = space(memory, address, surface.memory().bytes)?;
                read(memory, address, &mut tiled)?;
                let rows = surface.untile(&tiled, Part::default());
                (format, width, height, rows.unwrap_or_default())
            }
            CapturedPicture::Surface {
                address,
                format,
                width,
                height,
                pitch,
            } => {
                let rows = rows(memory, address, format, [width, height], pitch)?;
                (format, width, height, rows)
            }
            CapturedPicture::Target => return Err(CaptureError::NoPicture),
        };
        let conversion = Conversion::of(format).ok_or_else(|| without_picture(format))?;
        let mut bytes = conversion.run(texels);
        bytes.truncate(4 * width as usize * height as usize);
        Ok(RgbaImage::from_raw(width, height, bytes).expect("each texel became four bytes"))
    }
}

/// What the registers say is drawn to.
fn target(gpu: &mut dyn Gpu) -> Result<RgbaImage, CaptureError> {
    let wrong = |reason| CaptureError::Target { reason };
    let target = gpu.target().map_err(wrong)?;
    let target = target.ok_or_else(|| wrong("there is none".to_owned()))?;
    let Target { width, height, .. } = target;
    let format = target.format.name();
    let bytes = target.rgba().filter(|bytes| !bytes.is_empty());
    bytes
        .and_then(|bytes| RgbaImage::from_raw(width, height, bytes))
        .ok_or_else(|| {
            wrong(format!(
                "{width} by {height} texels of {format} have no picture"
            ))
        })
}

/// The rows of a plain surface without what lies between them.
fn rows(
    memory: &Memory,
    address: u64,
    format: TextureFormat,
    [width, height]: [u32; 2],
    pitch: u64,
) -> Result<Vec<u8>, CaptureError> {
    let texel_bytes = Conversion::of(format).and_then(|conversion| {
        let aspect = Some(conversion.aspect()).filter(|aspect| *aspect != TextureAspect::All);
        format.block_copy_size(aspect)
    });
    let texel_bytes = texel_bytes.ok_or_else(|| without_picture(format))?;
    let row = u64::from(width) * u64::from(texel_bytes);
    if row == 0 || height == 0 || pitch < row {
        return Err(CaptureError::Surface {
            width,
            height,
            texel_bytes,
            pitch,
        });
    }
    let all = pitch
        .saturating_mul(u64::from(height) - 1)
        .saturating_add(row);
    space(memory, address, all)?;
    let mut texels = vec![0; (row * u64::from(height)) as usize];
    for (y, row) in (0..).zip(texels.chunks_exact_mut(row as usize)) {
        read(memory, address + y * pitch, row)?;
    }
    Ok(texels)
}

fn without_picture(format: TextureFormat) -> CaptureError {
    CaptureError::Format {
        name: format.name(),
        reason: "which has no picture",
    }
}

/// Room for bytes that lie in memory.
fn space(memory: &Memory, address: u64, bytes: u64) -> Result<Vec<u8>, CaptureError> {
    let end = address.checked_add(bytes);
    if end.is_none_or(|end| end > memory.size()) {
        let source = MemoryError::OutOfBounds {
            address,
            len: bytes,
            size: memory.size(),
        };
        return Err(CaptureError::Place { source });
    }
    Ok(vec![0; bytes as usize])
}

fn read(memory: &Memory, address: u64, out: &mut [u8]) -> Result<(), CaptureError> {
    let done = memory.read(Addr(address), out);
    done.map_err(|source| CaptureError::Place { source })
}
