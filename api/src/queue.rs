//! Submitting commands, and host copies of images.
//!
//! A submission runs to its end before the call returns; fences are signalled then. [VULKAN Devices and Queues, Command
//! Buffer Submission]

use image::RgbaImage;
use pipeline::silicon::{Addr, MemoryError, Trap};
use wgpu_types::{Extent3d, TextureUsages};

use crate::command::{CommandBuffer, CommandError, check_target};
use crate::copy::{CopyError, ImageCopy};
use crate::device::{Queue, TrappedShader};
use crate::error::{Label, either, ordinal, rules};
use crate::image::{Image, ImageLayout, Subresources};
use crate::picture::Conversion;
use crate::recorded::Texels;
use crate::sync::{Fence, FenceError};
use crate::validate::dispatch::DispatchError;
use crate::validate::draw::DrawError;
use crate::validate::submit;

rules! {
    /// A submission that does not run, or not to its end.
    pub enum SubmitError {
        /// Command buffers are submitted to the device that they were made for.
        "submit-device", "{commands} was made for another device"
        => OtherDevice { commands: Label };
        /// Commands name objects of the device that they run on.
        "submit-object", "{commands} names {object}, which was made for another device"
        => OtherObject { commands: Label, object: Label };
        /// Every pass that was begun is ended.
        "submit-open-pass", "{pass} of {commands} is still open; call `end_pass`"
        => OpenPass { commands: Label, pass: Label };
        /// Every query that was begun is ended.
        "submit-open-query", "query {index} of {set} is still counting in {commands}; call `end_query`"
        => OpenQuery { commands: Label, set: Label, index: u32 };
        /// An image is in the layout that a command needs, in the order in which commands run.
        "submit-layout", "level {level}, layer {layer} of {image} is {found}, but {by} of {commands} needs {allowed}; call `transition` before",
        allowed = either(allowed)
        => Layout { commands: Label, by: String, image: Label, level: u32, layer: u32, found: ImageLayout, allowed: &'static [ImageLayout] };
        /// A transition starts from the layout that the image is in, or from Undefined.
        "submit-transition", "level {level}, layer {layer} of {image} is {found}, but the {number} `transition` of {commands} brings it from {from}",
        number = ordinal(*number)
        => Transition { commands: Label, number: u32, image: Label, level: u32, layer: u32, found: ImageLayout, from: ImageLayout };
        /// A set that was updated after it was bound still suits the draws that were recorded with it.
        "submit-set", "{commands}: {source}"
        => Set { commands: Label, source: DrawError };
        /// A set that was updated after it was bound still suits the dispatches that were recorded with it.
        "submit-dispatch-set", "{commands}: {source}"
        => DispatchSet { commands: Label, source: DispatchError };
        /// Fences are signalled with values above theirs.
        "submit-fence", "{source}"
        => Fence { source: FenceError };
        /// Command words and descriptors fit into the free video memory.
        "submit-memory", "{commands}: {source}"
        => Memory { commands: Label, source: MemoryError };
        /// The device is not lost, and the submission does not lose it.
        "device-lost", "the device is lost: {trap}{place}",
        place = place(shader)
        => Lost { trap: Trap, shader: Option<Box<TrappedShader>> };
    }
}

fn place(shader: &Option<Box<TrappedShader>>) -> String {
    let shader = shader.as_ref();
    shader.map_or_else(String::new, |shader| format!(", in {shader}"))
}

impl Queue {
    /// Runs command buffers in order, then sets each fence to its value. Nothing runs if a rule is broken; the checks
    /// follow image layouts through all command buffers first.
    ///
    /// Errors: any of [`SubmitError`]. [`SubmitError::Lost`] and [`SubmitError::Memory`] may come after some commands
    /// ran.
    pub fn submit(
        &self,
        commands: &[&CommandBuffer],
        signal: &[(&Fence, u64)],
    ) -> Result<(), SubmitError> {
        for (n, &(fence, wanted)) in signal.iter().enumerate() {
            // A fence may be signalled more than once.
            let before = signal[..n].iter().filter(|(other, _)| *other == fence);
            let value = before.fold(fence.value(), |value, (_, next)| value.max(*next));
            if wanted <= value {
                let source = FenceError::Order {
                    label: fence.label().clone(),
                    value,
                    wanted,
                };
                return Err(SubmitError::Fence { source });
            }
        }
        let changes = submit::check(&self.shared, commands)?;
        let mut machine = self.shared.machine();
        if let Some((trap, shader)) = machine.lost() {
            let (trap, shader) = (trap.clone(), shader.clone());
            return Err(SubmitError::Lost { trap, shader });
        }
        for commands in commands {
            crate::encode::run(&self.shared, &mut machine, commands)?;
        }
        drop(machine);
        submit::commit(changes);
        for &(fence, value) in signal {
            fence
                .signal(value)
                .map_err(|source| SubmitError::Fence { source })?;
        }
        Ok(())
    }

    /// Brings all of an image to a layout from the host, whatever layout it is in. The texels stay what they are.
    ///
    /// Errors: [`CommandError::ToUndefined`], [`CommandError::TransitionDevice`].
    pub fn transition(&self, image: &Image, to: ImageLayout) -> Result<(), CommandError> {
        check_target(image, to)?;
        if !self.shared.owns(image.shared()) {
            return Err(CommandError::TransitionDevice {
                image: image.label().clone(),
            });
        }
        image.layouts().fill(to);
        Ok(())
    }

    /// Copies rows of texels from the host to a box of `size` texels. Rows lie without gaps, top row first, slice after
    /// slice.
    ///
    /// Errors: [`CopyError`] for another device, usage other than COPY_DST, a box outside of the level, an image that
    /// is not in `CopyDestination` or `General`, several samples, or too few bytes.
    pub fn write_image(
        &self,
        to: &ImageCopy<'_>,
        size: Extent3d,
        texels: &[u8],
    ) -> Result<(), CopyError> {
        self.check_device(to.image)?;
        let place = Texels::tight(to, size, TextureUsages::COPY_DST)?;
        check_layout(&place, ImageLayout::CopyDestination)?;
        let holder = Label::new("host slice", None, None);
        place.check_bytes(&holder, 0, texels.len() as u64)?;
        place.write(texels);
        Ok(())
    }

    /// Copies a box of `size` texels to the host, in rows without gaps, top row first, slice after slice.
    ///
    /// Errors: as [`Queue::write_image`], with usage COPY_SRC and layout `CopySource` or `General`.
    pub fn read_image(&self, from: &ImageCopy<'_>, size: Extent3d) -> Result<Vec<u8>, CopyError> {
        self.check_device(from.image)?;
        let place = Texels::tight(from, size, TextureUsages::COPY_SRC)?;
        check_layout(&place, ImageLayout::CopySource)?;
        let mut texels = vec![0; place.bytes as usize];
        place.read(&mut texels);
        Ok(texels)
    }

    /// Reads level 0 of the first layer as red, green, blue and alpha bytes: what shaders read, clamped to 0 to 1; depth
    /// is grey. Texels of 8-bit sRGB formats stay encoded.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (depths, _) = setup::image(&device, TextureFormat::Depth32Float, 1)?;
    /// # let mut commands = device.create_command_buffer(None);
    /// commands.clear_depth_stencil_image(&depths, depths.subresources(), Some(0.6), None)?;
    /// queue.submit(&[&commands], &[])?;
    /// assert_eq!(queue.read_picture(&depths)?.get_pixel(8, 8).0, [153, 153, 153, 255]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: as [`Queue::read_image`]; [`CopyError::Picture`] for formats of integers, stencil, blocks and planes.
    pub fn read_picture(&self, image: &Image) -> Result<RgbaImage, CopyError> {
        let Some(conversion) = Conversion::of(image.format()) else {
            return Err(CopyError::Picture {
                image: image.label().clone(),
                format: image.format(),
            });
        };
        let mut size = image.level_size(0);
        size.depth_or_array_layers = 1;
        let from = ImageCopy {
            aspect: conversion.aspect(),
            ..ImageCopy::level(image, 0)
        };
        let texels = conversion.run(self.read_image(&from, size)?);
        Ok(RgbaImage::from_raw(size.width, size.height, texels)
            .expect("each texel became four bytes"))
    }

    fn check_device(&self, image: &Image) -> Result<(), CopyError> {
        if self.shared.owns(image.shared()) {
            return Ok(());
        }
        Err(CopyError::Device {
            image: image.label().clone(),
        })
    }

    /// Bytes of video memory from an address on, whoever they belong to; for dumps.
    ///
    /// Errors: [`MemoryError::OutOfBounds`].
    pub fn read_memory(&self, at: Addr, bytes: &mut [u8]) -> Result<(), MemoryError> {
        self.shared.driver.memory.read(at, bytes)
    }
}

fn check_layout(place: &Texels, wanted: ImageLayout) -> Result<(), CopyError> {
    let range: Subresources = place.subresources();
    let layouts = place.image.layouts();
    for index in place.image.indices(range) {
        let found = layouts[index];
        if found != wanted && found != ImageLayout::General {
            return Err(CopyError::Layout {
                image: place.image.label().clone(),
                found,
                wanted,
            });
        }
    }
    Ok(())
}
