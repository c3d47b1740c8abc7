//! Layouts derived from shaders: sets with exactly what the stages use. [WEBGPU default pipeline layout]

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};

use pipeline::ir::{
    Dim, ImageKind, ImageOp, Interface, Resource, ResourceKind, Scalar, Shape, TexelFormat,
};
use pipeline::layout::MAX_DESCRIPTOR_SETS;
use wgpu_types as wgt;
use wgt::{BufferBindingType, ShaderStages, StorageTextureAccess};

use crate::binding::{BindGroupLayoutEntry, BindingType};
use crate::descriptor::DescriptorSetLayout;
use crate::device::Device;
use crate::error::Label;
use crate::pipeline::{PipelineLayout, PipelineLayoutDescriptor, PipelineLayoutError};
use crate::shader::Stage;

/// Bindings by group and number.
type Entries = BTreeMap<(u32, u32), BindGroupLayoutEntry>;

/// A stage, and what a layout is derived from.
pub(crate) struct StageUse<'a> {
    pub(crate) stage: Stage,
    pub(crate) interface: &'a Interface,
    pub(crate) image_ops: Vec<&'a ImageOp>,
}

/// Why there is no layout.
pub(crate) enum DeriveError {
    /// Two stages use a binding differently.
    Conflict {
        group: u32,
        binding: u32,
        uses: [BindingType; 2],
    },
    Layout(PipelineLayoutError),
}

/// The layout that has what the stages of a pipeline use.
pub(crate) fn layout(
    device: &Device,
    label: &Label,
    stages: &[StageUse<'_>],
) -> Result<PipelineLayout, DeriveError> {
    let used = stages.iter().flat_map(|stage| {
        let resources = (0..).zip(&stage.interface.resources);
        resources.map(|(number, resource)| {
            let entry = entry(&stage.image_ops, stage.stage, number, resource);
            (resource.slot.group, entry)
        })
    });
    let push = stages
        .iter()
        .map(|stage| stage.interface.push_constant_bytes);
    of_bindings(device, label, used, push.max().unwrap_or(0))
}

/// The layout of bindings with their sets; those that occur again are used by more than one stage.
pub(crate) fn of_bindings(
    device: &Device,
    label: &Label,
    used: impl Iterator<Item = (u32, BindGroupLayoutEntry)>,
    push_constant_bytes: u32,
) -> Result<PipelineLayout, DeriveError> {
    let mut entries = Entries::new();
    for (group, entry) in used {
        let binding = entry.binding;
        join(&mut entries, group, entry).map_err(|(one, other)| DeriveError::Conflict {
            group,
            binding,
            uses: [one, other],
        })?;
    }
    let groups = entries.keys().map(|(group, _)| group.saturating_add(1));
    let count = groups.max().unwrap_or(0);
    if count > MAX_DESCRIPTOR_SETS {
        return Err(DeriveError::Layout(PipelineLayoutError::Sets {
            label: device.label_of("pipeline layout", None),
            count,
            limit: MAX_DESCRIPTOR_SETS,
        }));
    }
    let sets: Vec<DescriptorSetLayout> = (0..count)
        .map(|group| {
            let label = device.label_of("descriptor set layout", label.name());
            let of_group = entries.range((group, 0)..=(group, u32::MAX));
            let entries = of_group.map(|((_, binding), entry)| (*binding, *entry));
            DescriptorSetLayout::of(device, label, entries.collect())
        })
        .collect();
    let desc = PipelineLayoutDescriptor {
        label: label.name(),
        sets: &sets.iter().collect::<Vec<_>>(),
        push_constant_bytes: push_constant_bytes.next_multiple_of(4),
    };
    device
        .create_pipeline_layout(&desc)
        .map_err(DeriveError::Layout)
}

/// A stage as layouts say it.
pub(crate) fn visible(stage: Stage) -> ShaderStages {
    match stage {
        // There is no bit for geometry shaders: what vertex shaders see, they see.
        Stage::Vertex | Stage::Geometry => ShaderStages::VERTEX,
        Stage::Fragment => ShaderStages::FRAGMENT,
        Stage::Compute => ShaderStages::COMPUTE,
    }
}

/// What the layout has for a resource of one stage, which does these things with textures.
pub(crate) fn entry(
    image_ops: &[&ImageOp],
    stage: Stage,
    number: u32,
    resource: &Resource,
) -> BindGroupLayoutEntry {
    let mut ty = binding_type(&resource.kind);
    let ops = || {
        let ops = image_ops.iter();
        ops.filter(|op| op.texture.resource == number)
    };
    match &mut ty {
        BindingType::Buffer {
            min_binding_size, ..
        } => *min_binding_size = NonZeroU64::new(min_bytes(&resource.kind)),
        BindingType::Texture {
            sample_type: wgt::TextureSampleType::Float { filterable },
            ..
        } => *filterable = ops().any(|op| op.sampler.is_some()),
        BindingType::StorageTexture { access, .. }
        | BindingType::StorageTexelBuffer { access, .. }
            if ops().any(|op| matches!(op.kind, ImageKind::Atomic(_))) =>
        {
            *access = StorageTextureAccess::Atomic;
        }
        _ => {}
    }
    BindGroupLayoutEntry {
        binding: resource.slot.binding,
        visibility: visible(stage),
        ty,
        count: NonZeroU32::new(resource.count).filter(|count| count.get() > 1),
    }
}

/// Adds what a stage uses; on failure, what the other stage and this one use.
fn join(
    entries: &mut Entries,
    group: u32,
    entry: BindGroupLayoutEntry,
) -> Result<(), (BindingType, BindingType)> {
    let slot = (group, entry.binding);
    let Some(held) = entries.get_mut(&slot) else {
        entries.insert(slot, entry);
        return Ok(());
    };
    held.ty = both(held.ty, entry.ty).ok_or((held.ty, entry.ty))?;
    held.visibility |= entry.visibility;
    held.count = held.count.max(entry.count);
    Ok(())
}

/// A binding that suits both of two uses, if there is one: a texture and a sampler make a combined image sampler.
pub(crate) fn both(one: BindingType, other: BindingType) -> Option<BindingType> {
    let split = |ty: BindingType| match ty.parts() {
        (BindingType::Sampler(sampler), _) => (None, Some(sampler)),
        (texture, sampler) => (Some(texture), sampler),
    };
    let ((one, one_sampler), (other, other_sampler)) = (split(one), split(other));
    let texture = match (one, other) {
        (Some(one), Some(other)) => Some(both_alone(one, other)?),
        (one, other) => one.or(other),
    };
    if let (Some(one), Some(other)) = (one_sampler, other_sampler)
        && one != other
    {
        return None;
    }
    match (texture, one_sampler.or(other_sampler)) {
        (Some(texture), Some(sampler)) => BindingType::combined(texture, sampler),
        (texture, sampler) => texture.or(sampler.map(BindingType::Sampler)),
    }
}

/// A buffer or a texture that suits both of two uses.
fn both_alone(one: BindingType, other: BindingType) -> Option<BindingType> {
    use BufferBindingType::Storage;
    use wgt::TextureSampleType::Float;
    let mut joined = one;
    match (&mut joined, other) {
        (
            BindingType::Buffer {
                ty,
                min_binding_size,
                ..
            },
            BindingType::Buffer {
                ty: other_ty,
                min_binding_size: other_size,
                ..
            },
        ) => {
            *min_binding_size = (*min_binding_size).max(other_size);
            if let (Storage { read_only }, Storage { read_only: other }) = (&mut *ty, other_ty) {
                *read_only &= other;
            } else if *ty != other_ty {
                return None;
            }
        }
        (
            BindingType::Texture {
                sample_type: Float { filterable },
                view_dimension,
                multisampled,
            },
            BindingType::Texture {
                sample_type: Float { filterable: other },
                view_dimension: other_view,
                multisampled: other_samples,
            },
        ) if (*view_dimension, *multisampled) == (other_view, other_samples) => {
            *filterable |= other;
        }
        (
            BindingType::StorageTexture {
                access,
                format,
                view_dimension,
            },
            BindingType::StorageTexture {
                access: other_access,
                format: other_format,
                view_dimension: other_view,
            },
        ) if (*format, *view_dimension) == (other_format, other_view) => {
            *access = accesses(*access, other_access);
        }
        (
            BindingType::StorageImage {
                access,
                sample_type,
                view_dimension,
            },
            BindingType::StorageImage {
                access: other_access,
                sample_type: other_type,
                view_dimension: other_view,
            },
        ) if (*sample_type, *view_dimension) == (other_type, other_view) => {
            *access = accesses(*access, other_access);
        }
        (
            BindingType::StorageTexelBuffer { access, format },
            BindingType::StorageTexelBuffer {
                access: other_access,
                format: other_format,
            },
        ) if *format == other_format => {
            *access = accesses(*access, other_access);
        }
        (joined, other) if *joined == other => {}
        _ => return None,
    }
    Some(joined)
}

/// What both of two stages do.
fn accesses(one: StorageTextureAccess, other: StorageTextureAccess) -> StorageTextureAccess {
    use StorageTextureAccess::{Atomic, ReadWrite};
    match (one, other) {
        (one, other) if one == other => one,
        (Atomic, _) | (_, Atomic) => Atomic,
        _ => ReadWrite,
    }
}

/// Bytes that a shader takes of a buffer at least; 0 for what is none.
pub(crate) fn min_bytes(kind: &ResourceKind) -> u64 {
    match kind {
        ResourceKind::Uniform { min_bytes } | ResourceKind::Storage { min_bytes, .. } => {
            (*min_bytes).into()
        }
        _ => 0,
    }
}

/// What a shader declares, as a layout says it.
pub(crate) fn binding_type(kind: &ResourceKind) -> BindingType {
    let buffer = |ty| BindingType::Buffer {
        ty,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    match *kind {
        ResourceKind::Uniform { .. } => buffer(BufferBindingType::Uniform),
        ResourceKind::Storage { read_only, .. } => buffer(BufferBindingType::Storage { read_only }),
        ResourceKind::Texture { shape, scalar, .. } if shape.dim == Dim::Buffer => {
            BindingType::TexelBuffer {
                sample_type: sample_type(scalar, false),
            }
        }
        ResourceKind::Texture {
            shape,
            scalar,
            attachment: true,
            ..
        } => BindingType::InputAttachment {
            sample_type: sample_type(scalar, false),
            multisampled: shape.multisampled,
            layered: shape.arrayed,
        },
        ResourceKind::Texture {
            shape,
            scalar,
            depth,
            ..
        } => BindingType::Texture {
            sample_type: match depth {
                true => wgt::TextureSampleType::Depth,
                false => sample_type(scalar, true),
            },
            view_dimension: view(&shape),
            multisampled: shape.multisampled,
        },
        ResourceKind::StorageTexture {
            shape,
            format,
            read,
            write,
        } => {
            let access = match (read, write) {
                (true, false) => StorageTextureAccess::ReadOnly,
                (false, _) => StorageTextureAccess::WriteOnly,
                (true, true) => StorageTextureAccess::ReadWrite,
            };
            let view_dimension = view(&shape);
            match (format, shape.dim) {
                (TexelFormat::Declared(format), Dim::Buffer) => {
                    BindingType::StorageTexelBuffer { access, format }
                }
                (TexelFormat::Declared(format), _) => BindingType::StorageTexture {
                    access,
                    format,
                    view_dimension,
                },
                (TexelFormat::OfView(scalar), _) => BindingType::StorageImage {
                    access,
                    sample_type: sample_type(scalar, false),
                    view_dimension,
                },
            }
        }
        ResourceKind::Sampler { comparison } => BindingType::Sampler(match comparison {
            true => wgt::SamplerBindingType::Comparison,
            false => wgt::SamplerBindingType::Filtering,
        }),
    }
}

fn sample_type(scalar: Scalar, filterable: bool) -> wgt::TextureSampleType {
    match scalar {
        Scalar::Float => wgt::TextureSampleType::Float { filterable },
        Scalar::Sint => wgt::TextureSampleType::Sint,
        Scalar::Uint => wgt::TextureSampleType::Uint,
    }
}

/// The view dimension of a texture's shape.
pub(crate) fn view(shape: &Shape) -> wgt::TextureViewDimension {
    use wgt::TextureViewDimension as View;
    match (shape.dim, shape.arrayed) {
        (Dim::D1 | Dim::Buffer, _) => View::D1,
        (Dim::D2, false) => View::D2,
        (Dim::D2, true) => View::D2Array,
        (Dim::Cube, false) => View::Cube,
        (Dim::Cube, true) => View::CubeArray,
        (Dim::D3, _) => View::D3,
    }
}
