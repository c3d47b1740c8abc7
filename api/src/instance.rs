//! Which devices there are. Devices come from the driver's list; this crate never names one.
//!
//! A [`PhysicalDevice`] is a chip on paper: limits, features, formats. [`PhysicalDevice::create_device`] powers one on.
//! [VULKAN Devices and Queues]

use pipeline::silicon::texture::format::FormatCapabilities;
use pipeline::silicon::{Features, Info, Limits};
use pipeline::targets::{TARGETS, Target};
use wgpu_types::{TextureFormat, VertexFormat};

use crate::device::{Device, DeviceDescriptor, DeviceError};
use crate::error::rules;

rules! {
    /// A device that is not there.
    pub enum InstanceError {
        /// A device is asked for by a name that exists.
        "device-name", "there is no device `{name}`; there are: {known}"
        => UnknownDevice { name: String, known: String };
    }
}

/// Where everything starts. It holds no state: two instances see the same devices.
///
/// ```
/// use girih::Instance;
///
/// let instance = Instance::new();
/// let names: Vec<&str> = instance.physical_devices().map(|gpu| gpu.name()).collect();
/// assert!(!names.is_empty());
/// assert_eq!(instance.physical_device(names[0])?.name(), names[0]);
/// assert_eq!(instance.physical_device("abacus").err().map(|e| e.rule()), Some("device-name"));
/// # Ok::<(), girih::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Instance;

impl Instance {
    /// A new instance; the same as the constant `Instance`.
    pub fn new() -> Instance {
        Instance
    }

    /// Every device that can be powered on, at least one, always in the same order.
    pub fn physical_devices(&self) -> impl Iterator<Item = PhysicalDevice> + use<> {
        TARGETS.iter().map(|target| PhysicalDevice { target })
    }

    /// The device of a name, as [`PhysicalDevice::name`] gives it.
    ///
    /// Errors: [`InstanceError::UnknownDevice`], which lists the names.
    pub fn physical_device(&self, name: &str) -> Result<PhysicalDevice, InstanceError> {
        self.physical_devices()
            .find(|device| device.name() == name)
            .ok_or_else(|| InstanceError::UnknownDevice {
                name: name.to_owned(),
                known: self
                    .physical_devices()
                    .map(|device| device.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }
}

/// A chip that can be powered on, any number of times. Each [`Device`] made from it has video memory of its own.
///
/// ```
/// use girih::{Instance, TextureFormat, VertexFormat};
///
/// for gpu in Instance::new().physical_devices() {
///     let limits = gpu.limits();
///     assert!(limits.memory_bytes >= 1 << 20 && limits.image_2d >= 2048, "{}", gpu.name());
///     assert!(gpu.fetches_vertices(VertexFormat::Float32x4));
///     assert!(gpu.formats().any(|format| format == TextureFormat::Rgba8Unorm));
/// }
/// ```
#[derive(Clone, Copy)]
pub struct PhysicalDevice {
    pub(crate) target: &'static Target,
}

impl std::fmt::Debug for PhysicalDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PhysicalDevice({})", self.name())
    }
}

impl PhysicalDevice {
    /// Stable name in lower case, as `--device` of the command line takes it.
    pub fn name(&self) -> &'static str {
        self.target.info.name
    }

    /// Name, title for people, limits and features.
    pub fn info(&self) -> &'static Info {
        self.target.info
    }

    /// Sizes and counts that fit: bytes, texels, slots. What exceeds one is refused by the rule that names it.
    pub fn limits(&self) -> &'static Limits {
        &self.target.info.limits
    }

    /// What this chip can do that others cannot. What it lacks is refused by name.
    pub fn features(&self) -> &'static Features {
        &self.target.info.features
    }

    /// What can be done with images of a format. Formats that the device does not have can do nothing.
    ///
    /// ```
    /// use girih::{Instance, TextureFormat};
    ///
    /// let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
    /// let color = gpu.format_capabilities(TextureFormat::Rgba8Unorm);
    /// assert!(color.renderable && color.filterable && !color.depth_stencil);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn format_capabilities(&self, format: TextureFormat) -> FormatCapabilities {
        self.target.format_capabilities(format)
    }

    /// Every texture format that some device has. [`PhysicalDevice::format_capabilities`] says what this one does with
    /// it.
    pub fn formats(&self) -> impl Iterator<Item = TextureFormat> + use<> {
        pipeline::format::texture_formats()
    }

    /// Whether shaders load texels of a format from texel buffers.
    pub fn loads_texels(&self, format: TextureFormat) -> bool {
        self.target.loads_texels(format)
    }

    /// Whether shaders store texels of a format to texel buffers, and load what was stored.
    pub fn stores_texels(&self, format: TextureFormat) -> bool {
        self.target.stores_texels(format)
    }

    /// Whether vertex attributes may have a format; pipelines with another fail by `pipeline-vertex-format`.
    pub fn fetches_vertices(&self, format: VertexFormat) -> bool {
        self.target.fetches_vertices(format)
    }

    /// The driver's row of this device, for tools: compiler, assembler, addressing.
    pub fn target(&self) -> &'static Target {
        self.target
    }

    /// Powers a device on. Its video memory is zero.
    ///
    /// Errors: [`DeviceError::Memory`] when the bytes asked for are not within 1 MiB to [`Limits::memory_bytes`],
    /// [`DeviceError::Threads`] when the threads asked for are not within 1 to 256.
    pub fn create_device(&self, desc: &DeviceDescriptor<'_>) -> Result<Device, DeviceError> {
        Device::new(self, desc)
    }
}
