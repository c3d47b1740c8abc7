//! Compute pipelines and passes: a shader that runs as groups of invocations, without attachments. [VULKAN Dispatching
//! Commands]

use std::sync::Arc;

use pipeline::codegen::CompileError;
use pipeline::compile::PipelineError;
use pipeline::compute::{CompiledCompute, LinkedCompute};
use pipeline::names::Name;
use pipeline::silicon::MemoryError;

use crate::derive::{self, DeriveError, StageUse};
use crate::descriptor::DescriptorSetLayout;
use crate::device::{Device, Shared};
use crate::error::{Label, rules};
use crate::memory::Allocation;
use crate::pipeline::{
    BufferNeed, PipelineLayout, PipelineLayoutError, ShaderStage, buffer_needs, stage_source,
};
use crate::shader::{ShaderError, Stage};
use crate::validate::interface::interface;

rules! {
    /// A compute pipeline that cannot be made.
    pub enum ComputePipelineError {
        /// The device runs compute shaders.
        "compute-feature", "{label}: the device {device} runs no compute shaders: {reason}"
        => Feature { label: Label, device: &'static str, reason: &'static str };
        /// The shader can be lowered: the entry point exists, constants fit, nothing unsupported is used.
        "compute-shader", "{label}, compute shader in {module}: {source}"
        => Shader { label: Label, module: Label, source: ShaderError };
        /// The shader compiles for the device, and its groups are within the limits.
        "compute-compile", "{label}, compute shader in {module}: {source}"
        => Compile { label: Label, module: Label, source: Box<CompileError> };
        /// Every resource of the shader is in the layout, with the same kind and visible to the compute stage.
        "compute-binding", "{label}: @group({group}) @binding({binding}) `{name}` of the compute shader is {wanted}, but {layout} has {found}"
        => Binding { label: Label, layout: Label, group: u32, binding: u32, name: String, wanted: String, found: String };
        /// The shader reads no more push constants than the layout has.
        "compute-push-constants", "{label}: the compute shader reads {wanted} bytes of push constants, but {layout} has {found}"
        => PushConstants { label: Label, layout: Label, wanted: u32, found: u32 };
        /// The layout belongs to the device of the pipeline.
        "compute-device", "{layout}, which {label} has, was made for another device"
        => Device { label: Label, layout: Label };
        /// A derived layout keeps the rules of layouts.
        "compute-derived-layout", "{label}: {source}"
        => DerivedLayout { label: Label, source: PipelineLayoutError };
        /// The code fits into the free video memory.
        "compute-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

/// Describes a compute pipeline, for [`Device::create_compute_pipeline`].
#[derive(Clone, Copy, Debug)]
pub struct ComputePipelineDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Sets and push constants; none derives them from what the shader uses. Descriptor sets are then made with
    /// [`ComputePipeline::set_layout`].
    pub layout: Option<&'a PipelineLayout>,
    /// The shader. Its groups have the size that it says, within
    /// [`Limits::workgroup`](crate::Limits::workgroup).
    pub compute: ShaderStage<'a>,
}

impl<'a> ComputePipelineDescriptor<'a> {
    /// A shader with the derived layout.
    pub fn new(compute: impl Into<ShaderStage<'a>>) -> ComputePipelineDescriptor<'a> {
        ComputePipelineDescriptor {
            label: None,
            layout: None,
            compute: compute.into(),
        }
    }
}

/// A compute shader compiled to the chip's machine code.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # if !device.features().compute { return Ok(()); }
/// let shader = device.create_shader_module(&ShaderModuleDescriptor::wgsl("
///     @group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
///     @compute @workgroup_size(64) fn square(@builtin(global_invocation_id) id: vec3u) {
///         if (id.x < arrayLength(&numbers)) { numbers[id.x] *= numbers[id.x]; }
///     }"))?;
/// let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor::new(&shader))?;
/// let numbers = device.create_buffer_init(&BufferInitDescriptor {
///     label: Some("numbers"),
///     contents: &(0..100_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>(),
///     usage: BufferUsages::STORAGE,
/// })?;
/// let set = device.create_descriptor_set(&DescriptorSetDescriptor {
///     label: None,
///     layout: pipeline.set_layout(0).ok_or("no set 0")?,
///     entries: &[(0, (&numbers).into())],
/// })?;
///
/// let mut commands = device.create_command_buffer(None);
/// commands.begin_compute_pass(&ComputePass { label: Some("squares") })?;
/// commands.bind_compute_pipeline(&pipeline)?;
/// commands.bind_descriptor_set(0, &set, &[])?;
/// commands.dispatch([2, 1, 1])?;
/// commands.end_pass()?;
/// queue.submit(&[&commands], &[])?;
///
/// let mut word = [0; 4];
/// numbers.read(4 * 99, &mut word)?;
/// assert_eq!(u32::from_le_bytes(word), 99 * 99);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ComputePipeline {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) layout: PipelineLayout,
    pub(crate) compiled: CompiledCompute,
    /// What the shader takes of buffers.
    pub(crate) buffers: Vec<BufferNeed>,
    /// Keeps the code where it is.
    _code: Vec<Allocation>,
}

impl ComputePipeline {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Its layout, derived or given.
    pub fn layout(&self) -> &PipelineLayout {
        &self.inner.layout
    }

    /// The layout of set `index`, for sets of this pipeline; none for a number that it does not have.
    pub fn set_layout(&self, index: u32) -> Option<&DescriptorSetLayout> {
        self.inner.layout.sets().get(index as usize)
    }

    /// Invocations of a group along x, y and z.
    pub fn workgroup_size(&self) -> [u32; 3] {
        self.inner.compiled.binary().interface.workgroup.size
    }

    /// Assembly text of the machine code, as the device's assembler reads it.
    pub fn listing(&self) -> String {
        self.inner.compiled.binary().listing()
    }

    /// The device that it belongs to.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.layout.inner.shared
    }
}

impl Device {
    /// Compiles and uploads a compute pipeline.
    ///
    /// Errors: any of [`ComputePipelineError`]; those of shaders and compiling name the line.
    pub fn create_compute_pipeline(
        &self,
        desc: &ComputePipelineDescriptor<'_>,
    ) -> Result<ComputePipeline, ComputePipelineError> {
        let label = self.label_of("compute pipeline", desc.label);
        let target = self.shared.driver.target;
        if let Err(reason) = target.chip.compute() {
            return Err(ComputePipelineError::Feature {
                label,
                device: target.info.name,
                reason,
            });
        }
        if let Some(layout) = desc.layout
            && !self.shared.owns(&layout.inner.shared)
        {
            return Err(ComputePipelineError::Device {
                label,
                layout: layout.label().clone(),
            });
        }
        let target = self.shared.driver.target;
        let failed = |error| failure(&label, desc, error);
        let linked = LinkedCompute::link(&stage_source(&desc.compute, None)).map_err(failed)?;
        let layout = match desc.layout {
            Some(layout) => layout.clone(),
            None => derived(self, &label, &linked)?,
        };
        let stage = Stage::Compute;
        interface(&layout, stage, linked.interface())
            .map_err(|misfit| misfit.compute(&label, &layout))?;
        let buffers = buffer_needs(stage, linked.interface()).collect();
        let mut compiled = linked
            .compile(target, &layout.inner.layout)
            .map_err(failed)?;
        let code = Allocation::of_code(&self.shared, |allocate| {
            compiled.upload(&self.shared.driver, allocate)
        });
        let code = match code {
            Err(source) => return Err(ComputePipelineError::Memory { label, source }),
            Ok(code) => code,
        };
        Ok(ComputePipeline {
            inner: Arc::new(Inner {
                label,
                layout,
                compiled,
                buffers,
                _code: code,
            }),
        })
    }
}

/// The layout with what the shader uses.
fn derived(
    device: &Device,
    label: &Label,
    linked: &LinkedCompute,
) -> Result<PipelineLayout, ComputePipelineError> {
    let stage = StageUse {
        stage: Stage::Compute,
        interface: linked.interface(),
        image_ops: linked.image_ops().collect(),
    };
    let label = || label.clone();
    derive::layout(device, &label(), &[stage]).map_err(|error| match error {
        DeriveError::Conflict {
            group,
            binding,
            uses: [one, other],
        } => ComputePipelineError::Binding {
            label: label(),
            layout: label(),
            group,
            binding,
            name: String::new(),
            wanted: one.name(),
            found: other.name(),
        },
        DeriveError::Layout(source) => ComputePipelineError::DerivedLayout {
            label: label(),
            source,
        },
    })
}

/// A failure of the driver as the interface says it.
fn failure(
    label: &Label,
    desc: &ComputePipelineDescriptor<'_>,
    error: PipelineError,
) -> ComputePipelineError {
    let (label, module) = (label.clone(), desc.compute.module.label().clone());
    match error {
        PipelineError::Shader { source, .. } => ComputePipelineError::Shader {
            label,
            module,
            source,
        },
        PipelineError::Compile { source, .. } => ComputePipelineError::Compile {
            label,
            module,
            source: Box::new(source),
        },
        PipelineError::Link(_) => unreachable!("a single stage is linked to nothing"),
    }
}
