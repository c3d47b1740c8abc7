//! Rules of what is bound to one binding of a set.

use pipeline::format::texel_format;
use pipeline::layout::MAX_TEXEL_BUFFER_TEXELS;
use pipeline::names::Name;
use pipeline::targets::Target;
use wgpu_types as wgt;
use wgt::{BufferBindingType, BufferUsages, TextureUsages};

use crate::binding::BindingType;
use crate::descriptor::{
    BufferBinding, Descriptor, DescriptorSetLayout, Element, SetError, TexelBinding,
};
use crate::error::{Label, counted};
use crate::image::{ImageView, stored_as};
use crate::sampler::Sampler;

/// What is checked of one binding.
struct Checked<'a> {
    label: &'a Label,
    layout: &'a Label,
    binding: u32,
    target: &'static Target,
}

/// What a binding is given is what its layout says.
pub(crate) fn check(
    label: &Label,
    layout: &DescriptorSetLayout,
    binding: u32,
    descriptor: &Descriptor,
) -> Result<(), SetError> {
    let at = Checked {
        label,
        layout: layout.label(),
        binding,
        target: layout.inner.shared.driver.target,
    };
    let Some(entry) = layout.inner.entries.get(&binding) else {
        return Err(SetError::Unknown {
            label: label.clone(),
            layout: at.layout.clone(),
            binding,
        });
    };
    let elements = descriptor.elements();
    let wanted = entry.count.map_or(1, |count| count.get());
    if elements.len() as u32 != wanted {
        return Err(SetError::Count {
            label: label.clone(),
            layout: at.layout.clone(),
            binding,
            given: elements.len() as u32,
            wanted,
        });
    }
    for element in elements {
        let mut objects = element.objects().into_iter();
        if let Some((object, _)) = objects.find(|(_, of)| !layout.inner.shared.owns(of)) {
            return Err(SetError::Device {
                label: label.clone(),
                object: object.clone(),
            });
        }
        match (element, &entry.ty) {
            (
                Element::Buffer(bound),
                BindingType::Buffer {
                    ty,
                    min_binding_size,
                    ..
                },
            ) => {
                let least = min_binding_size.map_or(1, |least| least.get());
                at.buffer(bound, *ty, least)?;
            }
            (
                Element::Texels(texels),
                ty @ (BindingType::TexelBuffer { .. } | BindingType::StorageTexelBuffer { .. }),
            ) => at.texels(texels, ty)?,
            (Element::Sampler(sampler), BindingType::Sampler(kind)) => {
                at.sampler(sampler, *kind)?
            }
            (
                Element::Image(view),
                ty @ (BindingType::Texture { .. }
                | BindingType::InputAttachment { .. }
                | BindingType::StorageTexture { .. }
                | BindingType::StorageImage { .. }),
            ) => at.view(view, ty)?,
            (
                Element::Combined(view, sampler),
                ty @ BindingType::CombinedImageSampler { sampler: kind, .. },
            ) => {
                at.view(view, &ty.parts().0)?;
                at.sampler(sampler, *kind)?;
            }
            _ => {
                return Err(SetError::Type {
                    label: label.clone(),
                    layout: at.layout.clone(),
                    binding,
                    given: descriptor.name(),
                    wanted: entry.ty.name(),
                });
            }
        }
    }
    Ok(())
}

impl Checked<'_> {
    fn usage(&self, object: &Label, usage: impl Name) -> SetError {
        SetError::Usage {
            label: self.label.clone(),
            binding: self.binding,
            object: object.clone(),
            usage: usage.name(),
        }
    }

    fn buffer(
        &self,
        bound: &BufferBinding,
        ty: BufferBindingType,
        least: u64,
    ) -> Result<(), SetError> {
        let limits = &self.target.info.limits;
        let (usage, most) = match ty {
            BufferBindingType::Uniform => (BufferUsages::UNIFORM, limits.uniform_range_bytes),
            BufferBindingType::Storage { .. } => {
                (BufferUsages::STORAGE, limits.storage_range_bytes)
            }
        };
        self.range(bound, usage, [least, most.into()])
    }

    /// A range of a buffer as texels.
    fn texels(&self, texels: &TexelBinding, ty: &BindingType) -> Result<(), SetError> {
        use wgt::TextureSampleType as Type;
        let target = &self.target;
        let suits = match ty {
            BindingType::StorageTexelBuffer { format, .. } => *format == texels.format,
            BindingType::TexelBuffer { sample_type } => {
                let read = texels.format.sample_type(None, None);
                let same = match (read, sample_type) {
                    (Some(Type::Float { .. }), Type::Float { .. }) => true,
                    (read, wanted) => read == Some(*wanted),
                };
                same && target.loads_texels(texels.format)
            }
            _ => false,
        };
        let Some(format) = texel_format(texels.format).filter(|_| suits) else {
            return Err(SetError::TexelFormat {
                label: self.label.clone(),
                layout: self.layout.clone(),
                binding: self.binding,
                given: texels.format.name(),
                wanted: ty.name(),
            });
        };
        let usage = match ty {
            BindingType::TexelBuffer { .. } => BufferUsages::UNIFORM,
            _ => BufferUsages::STORAGE,
        };
        let size = u64::from(format.size_bytes());
        let most = size * u64::from(MAX_TEXEL_BUFFER_TEXELS);
        self.range(&texels.buffer, usage, [size, most])
    }

    fn range(
        &self,
        bound: &BufferBinding,
        usage: BufferUsages,
        [least, most]: [u64; 2],
    ) -> Result<(), SetError> {
        let buffer = &bound.buffer;
        let limits = &self.target.info.limits;
        if !buffer.usage().contains(usage) {
            return Err(self.usage(buffer.label(), usage));
        }
        let align = limits.buffer_offset_align;
        if !bound.offset.is_multiple_of(align.into()) {
            return Err(SetError::BufferAlign {
                label: self.label.clone(),
                binding: self.binding,
                buffer: buffer.label().clone(),
                offset: bound.offset,
                align,
            });
        }
        let bytes = bound
            .size
            .unwrap_or(buffer.size().saturating_sub(bound.offset));
        let end = bound.offset.checked_add(bytes);
        if bytes == 0 || end.is_none_or(|end| end > buffer.size()) {
            return Err(SetError::BufferRange {
                label: self.label.clone(),
                binding: self.binding,
                buffer: buffer.label().clone(),
                offset: bound.offset,
                bytes,
                size: buffer.size(),
            });
        }
        if bytes < least || bytes > most {
            return Err(SetError::BufferSize {
                label: self.label.clone(),
                binding: self.binding,
                bytes,
                least,
                most,
            });
        }
        Ok(())
    }

    fn sampler(&self, sampler: &Sampler, kind: wgt::SamplerBindingType) -> Result<(), SetError> {
        let compares = sampler.inner.desc.compare.is_some();
        let filters = sampler.inner.desc.mag_filter == wgt::FilterMode::Linear
            || sampler.inner.desc.min_filter == wgt::FilterMode::Linear
            || sampler.inner.desc.mipmap_filter == wgt::MipmapFilterMode::Linear;
        let suits = match kind {
            wgt::SamplerBindingType::Comparison => compares,
            wgt::SamplerBindingType::Filtering => !compares,
            wgt::SamplerBindingType::NonFiltering => !compares && !filters,
        };
        if suits {
            return Ok(());
        }
        Err(SetError::SamplerKind {
            label: self.label.clone(),
            binding: self.binding,
            sampler: sampler.label().clone(),
            wanted: kind,
        })
    }

    fn view(&self, view: &ImageView, ty: &BindingType) -> Result<(), SetError> {
        let inner = &view.inner;
        let (usage, suits) = match &ty.as_texture() {
            BindingType::StorageTexture {
                format,
                view_dimension,
                access,
            } => (
                match access {
                    wgt::StorageTextureAccess::Atomic => TextureUsages::STORAGE_ATOMIC,
                    _ => TextureUsages::STORAGE_BINDING,
                },
                inner.format == *format
                    && stored_as(inner.dimension) == *view_dimension
                    && inner.range.levels == 1,
            ),
            BindingType::StorageImage {
                sample_type,
                view_dimension,
                ..
            } => (
                TextureUsages::STORAGE_BINDING,
                stored_as(inner.dimension) == *view_dimension
                    && inner.range.levels == 1
                    && reads_as(view, unfiltered(*sample_type)),
            ),
            BindingType::Texture {
                sample_type,
                view_dimension,
                multisampled,
            } => (
                TextureUsages::TEXTURE_BINDING,
                inner.dimension == *view_dimension
                    && *multisampled == (inner.image.samples() > 1)
                    && reads_as(view, *sample_type),
            ),
            _ => (TextureUsages::empty(), false),
        };
        if !inner.image.usage().contains(usage) {
            return Err(self.usage(inner.image.label(), usage));
        }
        if suits && inner.slices.is_none() {
            return Ok(());
        }
        Err(SetError::View {
            label: self.label.clone(),
            layout: self.layout.clone(),
            binding: self.binding,
            view: view.label().clone(),
            given: format!(
                "{} of {} with {}",
                inner.dimension.name(),
                inner.format.name(),
                counted(inner.range.levels, "level")
            ),
            wanted: ty.name(),
        })
    }
}

/// The same type, of texels that are not filtered.
fn unfiltered(sample_type: wgt::TextureSampleType) -> wgt::TextureSampleType {
    use wgt::TextureSampleType::Float;
    match sample_type {
        Float { .. } => Float { filterable: false },
        other => other,
    }
}

fn reads_as(view: &ImageView, wanted: wgt::TextureSampleType) -> bool {
    use wgt::TextureSampleType as Type;
    let aspect = match view.inner.aspect {
        wgt::TextureAspect::All => None,
        aspect => Some(aspect),
    };
    let format = view.inner.format;
    match (format.sample_type(aspect, None), wanted) {
        (Some(Type::Float { .. }), Type::Float { filterable }) => {
            let shared = &view.inner.image.inner.allocation.shared;
            !filterable || shared.driver.target.format_capabilities(format).filterable
        }
        (Some(Type::Depth), Type::Float { filterable: false }) => true,
        (Some(given), wanted) => given == wanted,
        (None, _) => false,
    }
}
