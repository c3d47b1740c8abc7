//! Which devices there are. Devices come from the driver's list; this crate never names one.

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
#[derive(Clone, Copy, Debug, Default)]
pub struct Instance;

impl Instance {
    /// A new instance.
    ///
    /// ```
    /// let instance = girih::Instance::new();
    /// assert!(instance.physical_devices().count() > 0);
    /// ```
    pub fn new() -> Instance {
        Instance
    }

    /// Every device that can be powered on.
    pub fn physical_devices(&self) -> impl Iterator<Item = PhysicalDevice> + use<> {
        TARGETS.iter().map(|target| PhysicalDevice { target })
    }

    /// The device of a name, as listed by [`Instance::physical_devices`].
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

/// A chip that can be powered on, any number of times.
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
    /// Stable name, as on the command line.
    pub fn name(&self) -> &'static str {
        self.target.info.name
    }

    /// What the chip is and can do.
    pub fn info(&self) -> &'static Info {
        self.target.info
    }

    /// What fits.
    pub fn limits(&self) -> &'static Limits {
        &self.target.info.limits
    }

    /// What the chip can do that others cannot.
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

    /// Every texture format that a device may have.
    pub fn formats(&self) -> impl Iterator<Item = TextureFormat> + use<> {
        pipeline::format::texture_formats()
    }

    /// Whether vertex attributes of a format are fetched.
    pub fn fetches_vertices(&self, format: VertexFormat) -> bool {
        self.target.fetches_vertices(format)
    }

    /// The driver's row of this device: compiler, assembler and the like.
    pub fn target(&self) -> &'static Target {
        self.target
    }

    /// Powers a device on.
    pub fn create_device(&self, desc: &DeviceDescriptor<'_>) -> Result<Device, DeviceError> {
        Device::new(self, desc)
    }
}
