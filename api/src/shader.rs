//! Shader modules: WGSL, GLSL, SPIR-V, or a naga module that was validated already. [VULKAN Shader Modules]

use std::borrow::Cow;
use std::sync::Arc;

use pipeline::wgsl::{self, CheckedModule, Source};

use crate::device::Device;
use crate::error::Label;

pub use pipeline::ShaderError;
pub use pipeline::ir::Stage;

/// What a shader module is made from. All four become the same checked module.
#[derive(Clone, Debug)]
pub enum ShaderSource<'a> {
    /// WGSL text.
    Wgsl(Cow<'a, str>),
    /// GLSL text of one stage with entry point `main`, as Vulkan uses it.
    Glsl {
        /// Text.
        text: Cow<'a, str>,
        /// Stage.
        stage: Stage,
    },
    /// SPIR-V words, in the byte order of the host.
    SpirV(Cow<'a, [u32]>),
    /// A naga module with what its validation found out; it is not validated again.
    Naga {
        /// The module.
        module: &'a pipeline::naga::Module,
        /// What validation found out.
        info: &'a pipeline::naga::valid::ModuleInfo,
    },
}

/// Describes a shader module, for [`Device::create_shader_module`].
#[derive(Clone, Debug)]
pub struct ShaderModuleDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// What it is made from.
    pub source: ShaderSource<'a>,
}

impl<'a> ShaderModuleDescriptor<'a> {
    /// WGSL text without a name.
    pub fn wgsl(text: &'a str) -> ShaderModuleDescriptor<'a> {
        ShaderModuleDescriptor {
            label: None,
            source: ShaderSource::Wgsl(text.into()),
        }
    }
}

/// A checked shader; entry points are compiled when pipelines are made.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// let shader = device.create_shader_module(&ShaderModuleDescriptor {
///     label: Some("red"),
///     source: ShaderSource::Wgsl("@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 0, 1); }".into()),
/// })?;
/// assert_eq!(shader.entry_points(), [("fs".to_owned(), Some(Stage::Fragment))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShaderModule {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) module: CheckedModule,
}

impl ShaderModule {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Names of the entry points with their stages; no stage for one that no pipeline can use.
    pub fn entry_points(&self) -> Vec<(String, Option<Stage>)> {
        let entries = self.inner.module.entry_points();
        entries
            .map(|(name, stage)| (name.to_owned(), stage))
            .collect()
    }
}

impl Device {
    /// Parses and checks a shader.
    ///
    /// Errors: [`ShaderError::Syntax`], [`ShaderError::Invalid`] and [`ShaderError::Spirv`], with line and column for
    /// text; [`ShaderError::TooLarge`] for what is too long or nested too deeply, [`ShaderError::FrontEnd`] where naga
    /// gives up. What compiles for no device is found when a pipeline is made.
    ///
    /// ```
    /// # use girih::{DeviceDescriptor, Instance, ShaderModuleDescriptor, ShaderSource};
    /// # let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
    /// # let device = gpu.create_device(&DeviceDescriptor::default())?;
    /// let error = device.create_shader_module(&ShaderModuleDescriptor {
    ///     label: Some("broken"),
    ///     source: ShaderSource::Wgsl("fn f() -> f32 { return 1u; }".into()),
    /// });
    /// assert_eq!(error.err().ok_or("no error")?.rule(), "shader-invalid");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create_shader_module(
        &self,
        desc: &ShaderModuleDescriptor<'_>,
    ) -> Result<ShaderModule, ShaderError> {
        let source = match &desc.source {
            ShaderSource::Wgsl(text) => Source::Wgsl(text),
            ShaderSource::Glsl { text, stage } => Source::Glsl {
                text,
                stage: *stage,
            },
            ShaderSource::SpirV(words) => Source::Spirv(words),
            ShaderSource::Naga { module, info } => Source::Naga {
                module,
                info,
                text: None,
            },
        };
        Ok(ShaderModule {
            inner: Arc::new(Inner {
                label: self.label_of("shader module", desc.label),
                module: wgsl::parse(source)?,
            }),
        })
    }
}
