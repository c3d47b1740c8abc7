//! What the interface of a shader needs of a layout.

use pipeline::ir::{Dim, Interface, Resource, ResourceKind, Scalar, TexelFormat};
use pipeline::names::Name;
use wgpu_types as wgt;
use wgt::BufferBindingType;

use crate::binding::BindingType;
use crate::compute::ComputePipelineError;
use crate::derive;
use crate::error::{Label, counted};
use crate::pipeline::{GraphicsPipelineError, PipelineLayout};
use crate::shader::Stage;

/// What of a stage a layout does not suit.
pub(crate) enum Misfit {
    /// It reads more push constants.
    PushConstants { wanted: u32, found: u32 },
    /// A resource is missing, or another one.
    Binding {
        group: u32,
        binding: u32,
        name: String,
        wanted: String,
        found: String,
    },
}

impl Misfit {
    /// The error of a graphics pipeline.
    pub(crate) fn graphics(
        self,
        label: &Label,
        layout: &PipelineLayout,
        stage: Stage,
    ) -> GraphicsPipelineError {
        let (label, layout) = (label.clone(), layout.label().clone());
        match self {
            Misfit::PushConstants { wanted, found } => GraphicsPipelineError::PushConstants {
                label,
                layout,
                stage,
                wanted,
                found,
            },
            Misfit::Binding {
                group,
                binding,
                name,
                wanted,
                found,
            } => GraphicsPipelineError::Binding {
                label,
                layout,
                stage,
                group,
                binding,
                name,
                wanted,
                found,
            },
        }
    }

    /// The error of a compute pipeline.
    pub(crate) fn compute(self, label: &Label, layout: &PipelineLayout) -> ComputePipelineError {
        let (label, layout) = (label.clone(), layout.label().clone());
        match self {
            Misfit::PushConstants { wanted, found } => ComputePipelineError::PushConstants {
                label,
                layout,
                wanted,
                found,
            },
            Misfit::Binding {
                group,
                binding,
                name,
                wanted,
                found,
            } => ComputePipelineError::Binding {
                label,
                layout,
                group,
                binding,
                name,
                wanted,
                found,
            },
        }
    }
}

/// What a stage needs of the layout.
pub(crate) fn interface(
    layout: &PipelineLayout,
    stage: Stage,
    interface: &Interface,
) -> Result<(), Misfit> {
    let (wanted, found) = (interface.push_constant_bytes, layout.push_constant_bytes());
    if wanted > found {
        return Err(Misfit::PushConstants { wanted, found });
    }
    let visible = derive::visible(stage);
    let mut resources = interface.resources.iter();
    resources.try_for_each(|resource| binding(layout, visible, resource))
}

fn binding(
    layout: &PipelineLayout,
    visible: wgt::ShaderStages,
    resource: &Resource,
) -> Result<(), Misfit> {
    let slot = resource.slot;
    let entry = layout
        .sets()
        .get(slot.group as usize)
        .and_then(|set| set.inner.entries.get(&slot.binding));
    let found = match entry {
        None => "no such binding".to_owned(),
        Some(entry) if !entry.visibility.contains(visible) => {
            format!("it visible to {} only", entry.visibility.name())
        }
        Some(entry) if resource.count > entry.count.map_or(1, |count| count.get()) => {
            counted(entry.count.map_or(1, |count| count.get()), "element")
        }
        Some(entry) if !suits(&resource.kind, &entry.ty) => entry.ty.name(),
        Some(_) => return Ok(()),
    };
    Err(Misfit::Binding {
        group: slot.group,
        binding: slot.binding,
        name: resource.name.clone(),
        wanted: match resource.count {
            1 => derive::binding_type(&resource.kind).name(),
            count => format!("{count} of {}", derive::binding_type(&resource.kind).name()),
        },
        found,
    })
}

fn suits(kind: &ResourceKind, ty: &BindingType) -> bool {
    use wgt::TextureSampleType as Type;
    // Shaders take either part of a combined image sampler, or both.
    if let (texture, Some(sampler)) = ty.parts() {
        return suits(kind, &texture) || suits(kind, &BindingType::Sampler(sampler));
    }
    // Fragments may load their own texels of any texture, and of an input attachment no others.
    let is_attachment = matches!(ty, BindingType::InputAttachment { .. });
    let ty = &ty.as_texture();
    match (kind, ty) {
        (
            ResourceKind::Uniform { .. },
            BindingType::Buffer {
                ty: BufferBindingType::Uniform,
                ..
            },
        ) => true,
        (
            ResourceKind::Storage {
                read_only: shader, ..
            },
            BindingType::Buffer {
                ty: BufferBindingType::Storage { read_only },
                ..
            },
        ) => *shader || !read_only,
        (ResourceKind::Sampler { comparison }, BindingType::Sampler(kind)) => {
            *comparison == (*kind == wgt::SamplerBindingType::Comparison)
        }
        (
            ResourceKind::Texture {
                shape,
                scalar,
                depth,
                attachment,
            },
            BindingType::Texture {
                sample_type,
                view_dimension,
                multisampled,
            },
        ) => {
            let reads = match sample_type {
                Type::Float { .. } => !depth && *scalar == Scalar::Float,
                Type::Depth => *scalar == Scalar::Float,
                Type::Sint => *scalar == Scalar::Sint,
                Type::Uint => *scalar == Scalar::Uint,
            };
            reads
                && *attachment >= is_attachment
                && shape.dim != Dim::Buffer
                && *multisampled == shape.multisampled
                && derive::view(shape) == *view_dimension
        }
        (
            ResourceKind::StorageTexture {
                shape,
                format,
                read,
                write,
            },
            BindingType::StorageTexture {
                access,
                format: wanted,
                view_dimension,
            },
        ) => {
            allows(*access, *read, *write)
                && *format == TexelFormat::Declared(*wanted)
                && shape.dim != Dim::Buffer
                && derive::view(shape) == *view_dimension
        }
        (ResourceKind::Texture { shape, scalar, .. }, BindingType::TexelBuffer { sample_type }) => {
            let reads = match sample_type {
                Type::Float { .. } => *scalar == Scalar::Float,
                Type::Depth => false,
                Type::Sint => *scalar == Scalar::Sint,
                Type::Uint => *scalar == Scalar::Uint,
            };
            reads && shape.dim == Dim::Buffer
        }
        (
            ResourceKind::StorageTexture {
                shape,
                format,
                read,
                write,
            },
            BindingType::StorageTexelBuffer {
                access,
                format: wanted,
            },
        ) => {
            allows(*access, *read, *write)
                && *format == TexelFormat::Declared(*wanted)
                && shape.dim == Dim::Buffer
        }
        (
            ResourceKind::StorageTexture {
                shape,
                format: TexelFormat::OfView(scalar),
                read,
                write,
            },
            BindingType::StorageImage {
                access,
                sample_type,
                view_dimension,
            },
        ) => {
            let reads = match sample_type {
                Type::Float { .. } => *scalar == Scalar::Float,
                Type::Depth => false,
                Type::Sint => *scalar == Scalar::Sint,
                Type::Uint => *scalar == Scalar::Uint,
            };
            allows(*access, *read, *write) && reads && derive::view(shape) == *view_dimension
        }
        _ => false,
    }
}

/// Whether a shader that reads and writes so may have this access.
fn allows(access: wgt::StorageTextureAccess, read: bool, write: bool) -> bool {
    use wgt::StorageTextureAccess as Access;
    match access {
        Access::WriteOnly => !read,
        Access::ReadOnly => !write,
        Access::ReadWrite | Access::Atomic => true,
    }
}
