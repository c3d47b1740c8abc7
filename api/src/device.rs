//! Device and queue: one powered-on chip, and the way commands get to it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pipeline::driver::Driver;
use pipeline::error::Location;
use pipeline::ir::Stage;
use pipeline::names::Name;
use pipeline::silicon::fragment::bins::Threads;
use pipeline::silicon::{Addr, Features, Gpu, Limits, Stats, Trap};
use pipeline::targets::{PowerOn, Target};

pub use pipeline::silicon::SimdLevel as Simd;

use crate::capture::Recorder;
use crate::error::{Counts, Label, rules};
use crate::instance::PhysicalDevice;
use crate::memory::Ranges;

rules! {
    /// A device that cannot be powered on.
    pub enum DeviceError {
        /// Video memory is between one mebibyte and what the chip can address.
        "device-memory", "{label} is to have {bytes} bytes of video memory; {name} takes {least} to {most}"
        => Memory { label: Label, name: &'static str, bytes: u64, least: u64, most: u64 };
        /// A device runs on one to 256 threads.
        "device-threads", "{label} is to run on {threads} threads; a device takes 1 to {most}"
        => Threads { label: Label, threads: usize, most: usize };
    }
}

/// Video memory when the description does not say.
const DEFAULT_MEMORY: u64 = 256 << 20;
/// The least video memory.
const LEAST_MEMORY: u64 = 1 << 20;

/// Describes a device. What it computes does not depend on `threads`, `simd` or `fine_depth`.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Bytes of video memory, 1 MiB to [`Limits::memory_bytes`]; 256 MiB (or what the chip has, if less) when absent.
    pub memory_bytes: Option<u64>,
    /// Host threads that share the pixels of a draw, 1 to 256; as many as the machine has, up to 256, when absent.
    pub threads: Option<usize>,
    /// Host vector instructions to use; the widest that the host has when absent.
    pub simd: Option<Simd>,
    /// What one wave may cost before the watchdog stops it and the device is lost, in units of about a nanosecond that are
    /// the same on every host: steps by their kind, samples by what their texture and sampler could ask for;
    /// [`Limits::wave_cost`] when absent.
    pub wave_cost: Option<u64>,
    /// Tests the depth of every pixel, also in tiles that bounds of the depths would rule out sooner.
    pub fine_depth: bool,
    /// A shader program that relies on what the chip's manual leaves undefined (results used before they arrive,
    /// registers its waves do not have, misaligned addresses) loses the device instead of getting some result.
    pub strict: bool,
}

/// A powered-on chip. Clones name the same chip; objects made from it keep it on.
///
/// ```
/// use girih::{DeviceDescriptor, Instance};
///
/// let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
/// let device = gpu.create_device(&DeviceDescriptor {
///     label: Some("small"),
///     memory_bytes: Some(16 << 20),
///     threads: Some(1),
///     ..DeviceDescriptor::default()
/// })?;
/// assert_eq!(device.physical_device().name(), gpu.name());
/// assert_eq!(device.stats().draws, 0);
/// assert!(device.lost().is_none());
///
/// let none = DeviceDescriptor { memory_bytes: Some(0), ..DeviceDescriptor::default() };
/// assert_eq!(gpu.create_device(&none).err().map(|e| e.rule()), Some("device-memory"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) shared: Arc<Shared>,
}

/// Where commands are submitted. A device has one; clones name the same.
///
/// [`Queue::submit`] runs commands to their end before it returns. The host copies texels through it without commands:
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// let texel = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
/// let at = ImageCopy { origin: Origin3d { x: 3, y: 5, z: 0 }, ..ImageCopy::level(&image, 0) };
/// queue.write_image(&at, texel, &[255, 128, 0, 255])?;
/// assert_eq!(queue.read_image(&at, texel)?, [255, 128, 0, 255]);
/// assert_eq!(queue.read_picture(&image)?.get_pixel(3, 5).0, [255, 128, 0, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Queue {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) label: Label,
    pub(crate) driver: Driver,
    pub(crate) ranges: Mutex<Ranges>,
    counts: Counts,
    gpu: Mutex<Machine>,
}

pub(crate) struct Machine {
    gpu: Box<dyn Gpu>,
    lost: Option<Loss>,
    stats: Stats,
    /// Keeps what is executed, while the device is captured.
    pub(crate) recorder: Option<Recorder>,
}

/// The shader in which a trap happened.
#[derive(Clone, Debug, PartialEq)]
pub struct TrappedShader {
    /// The pipeline.
    pub pipeline: Label,
    /// The stage.
    pub stage: Stage,
    /// Where the instruction comes from in the text, as far as the compiler has kept it.
    pub at: Option<Location>,
}

impl fmt::Display for TrappedShader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} shader of {}", self.stage.name(), self.pipeline)?;
        match &self.at {
            Some(at) => write!(f, "\n{at}"),
            None => Ok(()),
        }
    }
}

/// Why the device is lost, and in which shader.
type Loss = (Trap, Option<Box<TrappedShader>>);

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.label, self.driver.target.info.name)
    }
}

/// A chip that is powered on as described, with at most so many bytes of memory.
pub(crate) fn power_on(
    target: &'static Target,
    label: &Label,
    desc: &DeviceDescriptor<'_>,
    most: u64,
) -> Result<Box<dyn Gpu>, DeviceError> {
    let bytes = desc.memory_bytes.unwrap_or(DEFAULT_MEMORY.min(most));
    if !(LEAST_MEMORY..=most).contains(&bytes) {
        return Err(DeviceError::Memory {
            label: label.clone(),
            name: target.info.name,
            bytes,
            least: LEAST_MEMORY,
            most,
        });
    }
    if let Some(threads) = desc.threads
        && !(1..=Threads::MOST).contains(&threads)
    {
        return Err(DeviceError::Threads {
            label: label.clone(),
            threads,
            most: Threads::MOST,
        });
    }
    Ok((target.power_on)(&PowerOn {
        memory_bytes: bytes,
        threads: desc.threads,
        simd: desc.simd,
        wave_cost: desc.wave_cost.unwrap_or(target.info.limits.wave_cost),
        fine_depth: desc.fine_depth,
        strict: desc.strict,
    }))
}

impl Device {
    pub(crate) fn new(
        physical: &PhysicalDevice,
        desc: &DeviceDescriptor<'_>,
    ) -> Result<Device, DeviceError> {
        let label = Label::new("device", desc.label, None);
        let target = physical.target;
        let most = target.info.limits.memory_bytes;
        let gpu = power_on(target, &label, desc, most)?;
        let bytes = gpu.memory().size();
        Ok(Device {
            shared: Arc::new(Shared {
                label,
                driver: Driver::new(target, &*gpu),
                ranges: Mutex::new(Ranges::new(bytes)),
                counts: Counts::default(),
                gpu: Mutex::new(Machine {
                    gpu,
                    lost: None,
                    stats: Stats::default(),
                    recorder: None,
                }),
            }),
        })
    }

    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.shared.label
    }

    /// The label of the next object of a kind.
    pub(crate) fn label_of(&self, kind: &'static str, name: Option<&str>) -> Label {
        self.shared.counts.label(kind, name)
    }

    /// The chip that was powered on.
    pub fn physical_device(&self) -> PhysicalDevice {
        PhysicalDevice {
            target: self.shared.driver.target,
        }
    }

    /// Sizes and counts that fit, as [`PhysicalDevice::limits`].
    pub fn limits(&self) -> &'static Limits {
        &self.shared.driver.target.info.limits
    }

    /// What the chip can do that others cannot, as [`PhysicalDevice::features`].
    pub fn features(&self) -> &'static Features {
        &self.shared.driver.target.info.features
    }

    /// The queue of this device. There is one; every call names the same.
    pub fn queue(&self) -> Queue {
        Queue {
            shared: self.shared.clone(),
        }
    }

    /// The trap that lost the device, if one did: an invalid address, instruction or packet, or a wave stopped by the
    /// watchdog. A lost device refuses every submission by `device-lost`; its memory can still be read.
    pub fn lost(&self) -> Option<Trap> {
        let machine = self.shared.machine();
        machine.lost().map(|(trap, _)| trap.clone())
    }

    /// Counts of what the device did since it was powered on: draws, vertices, invocations, samples, instructions.
    pub fn stats(&self) -> Stats {
        self.shared.machine().stats
    }
}

impl Shared {
    /// Whether an object of `other` belongs here.
    pub(crate) fn owns(self: &Arc<Shared>, other: &Arc<Shared>) -> bool {
        Arc::ptr_eq(self, other)
    }

    pub(crate) fn machine(&self) -> MutexGuard<'_, Machine> {
        lock(&self.gpu)
    }
}

impl Machine {
    /// Why the device is lost, if it is, and in which shader.
    pub(crate) fn lost(&self) -> Option<&Loss> {
        self.lost.as_ref()
    }

    /// Cycles since power-on.
    pub(crate) fn cycles(&self) -> u64 {
        self.stats.instructions
    }

    /// Runs command words; a trap loses the device. `shader` tells whose code is at an address.
    pub(crate) fn execute(
        &mut self,
        stream: std::ops::Range<Addr>,
        shader: impl FnOnce(u64) -> Option<TrappedShader>,
    ) -> Result<(), Loss> {
        if let Some(recorder) = &mut self.recorder {
            recorder.before(&stream);
        }
        let done = self.gpu.execute(stream);
        if let Some(recorder) = &mut self.recorder {
            recorder.after();
        }
        match done {
            Ok(stats) => {
                self.stats = self.stats.plus(stats);
                Ok(())
            }
            Err(trap) => {
                tracing::error!(%trap, "device lost");
                let shader = shader(trap.address).map(Box::new);
                let loss = (trap, shader);
                self.lost = Some(loss.clone());
                Err(loss)
            }
        }
    }
}

/// Locks; what a panic leaves behind a mutex is whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
