//! What set layouts say of their bindings. [VULKAN Descriptor Types]

use std::num::{NonZeroU32, NonZeroU64};

use pipeline::layout::DescriptorKind;
use pipeline::names::Name;
use pipeline::targets::Target;
use wgpu_types::{
    BufferBindingType, SamplerBindingType, ShaderStages, StorageTextureAccess, TextureFormat,
    TextureSampleType, TextureViewDimension,
};

/// One binding of a set layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BindGroupLayoutEntry {
    /// `@binding`.
    pub binding: u32,
    /// Stages that use it.
    pub visibility: ShaderStages,
    /// What it holds.
    pub ty: BindingType,
    /// Elements of an array; none of a plain binding.
    pub count: Option<NonZeroU32>,
}

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindingType {
    /// A buffer.
    Buffer {
        /// Uniform or storage.
        ty: BufferBindingType,
        /// An offset is given when the set is bound.
        has_dynamic_offset: bool,
        /// Least bytes of what is bound.
        min_binding_size: Option<NonZeroU64>,
    },
    /// A sampler.
    Sampler(SamplerBindingType),
    /// A texture that is sampled or whose texels are loaded.
    Texture {
        /// What its texels read as.
        sample_type: TextureSampleType,
        /// Dimension of its view.
        view_dimension: TextureViewDimension,
        /// It has samples.
        multisampled: bool,
    },
    /// What was drawn before: fragments load the texel of their own pixel, `subpassLoad` of GLSL. An attachment of the pass in
    /// which it is read lies in layout [`ImageLayout::General`](crate::ImageLayout::General).
    InputAttachment {
        /// What its texels read as; filters do not matter.
        sample_type: TextureSampleType,
        /// It has samples.
        multisampled: bool,
        /// Its view has layers, and fragments load from the one that they are in.
        layered: bool,
    },
    /// A texture whose texels are loaded and stored.
    StorageTexture {
        /// What shaders do with it.
        access: StorageTextureAccess,
        /// Format of its texels.
        format: TextureFormat,
        /// Dimension of its view.
        view_dimension: TextureViewDimension,
    },
    /// A texture whose texels are loaded and stored in the format of its view: `image2D` of GLSL without a format.
    StorageImage {
        /// What shaders do with it; no atomics.
        access: StorageTextureAccess,
        /// What its texels read as; filters do not matter.
        sample_type: TextureSampleType,
        /// Dimension of its view.
        view_dimension: TextureViewDimension,
    },
    /// A texture and a sampler at one binding: `sampler2D` of GLSL, or a texture and a sampler that a shader declares with
    /// the same number.
    CombinedImageSampler {
        /// What its texels read as.
        sample_type: TextureSampleType,
        /// Dimension of its view.
        view_dimension: TextureViewDimension,
        /// It has samples.
        multisampled: bool,
        /// Its sampler.
        sampler: SamplerBindingType,
    },
    /// A range of a buffer whose texels are loaded by their number: `textureBuffer` of GLSL. The format is said when it is
    /// bound.
    TexelBuffer {
        /// What its texels read as; filters do not matter.
        sample_type: TextureSampleType,
    },
    /// A range of a buffer whose texels are loaded and stored by their number: `imageBuffer` of GLSL.
    StorageTexelBuffer {
        /// What shaders do with it.
        access: StorageTextureAccess,
        /// Format of its texels.
        format: TextureFormat,
    },
}

impl BindingType {
    /// Whether an offset is given when the set is bound.
    pub fn has_dynamic_offset(&self) -> bool {
        matches!(
            self,
            BindingType::Buffer {
                has_dynamic_offset: true,
                ..
            }
        )
    }

    /// A texture and a sampler as one binding.
    pub(crate) fn combined(texture: BindingType, sampler: SamplerBindingType) -> Option<Self> {
        match texture {
            BindingType::Texture {
                sample_type,
                view_dimension,
                multisampled,
            } => Some(BindingType::CombinedImageSampler {
                sample_type,
                view_dimension,
                multisampled,
                sampler,
            }),
            _ => None,
        }
    }

    /// The parts of a combined image sampler; of other types, the type.
    pub(crate) fn parts(self) -> (BindingType, Option<SamplerBindingType>) {
        match self {
            BindingType::CombinedImageSampler {
                sample_type,
                view_dimension,
                multisampled,
                sampler,
            } => {
                let texture = BindingType::Texture {
                    sample_type,
                    view_dimension,
                    multisampled,
                };
                (texture, Some(sampler))
            }
            other => (other, None),
        }
    }

    /// An input attachment as the texture that it is; other types as they are.
    pub(crate) fn as_texture(self) -> BindingType {
        match self {
            BindingType::InputAttachment {
                sample_type,
                multisampled,
                layered,
            } => BindingType::Texture {
                sample_type,
                view_dimension: layers(layered),
                multisampled,
            },
            other => other,
        }
    }

    /// Descriptors of an element, in the order in which they lie.
    pub(crate) fn kinds(&self) -> &'static [DescriptorKind] {
        match self {
            BindingType::Buffer { .. }
            | BindingType::TexelBuffer { .. }
            | BindingType::StorageTexelBuffer { .. } => &[DescriptorKind::Buffer],
            BindingType::Sampler(_) => &[DescriptorKind::Sampler],
            BindingType::Texture { .. }
            | BindingType::InputAttachment { .. }
            | BindingType::StorageTexture { .. }
            | BindingType::StorageImage { .. } => &[DescriptorKind::Texture],
            BindingType::CombinedImageSampler { .. } => {
                &[DescriptorKind::Texture, DescriptorKind::Sampler]
            }
        }
    }

    /// Whether a device has such bindings: only flat textures have samples, and not every chip has texel buffers.
    pub(crate) fn exists(&self, target: &Target) -> bool {
        match self.parts().0 {
            BindingType::TexelBuffer { sample_type } => {
                sample_type != TextureSampleType::Depth
                    && target.loads_texels(TextureFormat::R32Float)
            }
            BindingType::StorageTexelBuffer { access, format } => match access {
                StorageTextureAccess::ReadOnly => target.loads_texels(format),
                StorageTextureAccess::WriteOnly | StorageTextureAccess::ReadWrite => {
                    target.stores_texels(format)
                }
                StorageTextureAccess::Atomic => {
                    target.stores_texels(format)
                        && target.format_capabilities(format).storage_atomic
                }
            },
            BindingType::Texture {
                multisampled: true,
                view_dimension,
                ..
            } => match view_dimension {
                TextureViewDimension::D2Array => target.info.features.texture_arrays,
                other => other == TextureViewDimension::D2,
            },
            BindingType::StorageImage {
                access,
                sample_type,
                ..
            } => access != StorageTextureAccess::Atomic && sample_type != TextureSampleType::Depth,
            _ => true,
        }
    }
}

/// As it is declared in WGSL.
impl Name for BindingType {
    fn name(&self) -> String {
        match self {
            BindingType::Buffer {
                ty,
                has_dynamic_offset,
                ..
            } => {
                let declared = match ty {
                    BufferBindingType::Uniform => "var<uniform>",
                    BufferBindingType::Storage { read_only: true } => "var<storage, read>",
                    BufferBindingType::Storage { .. } => "var<storage, read_write>",
                };
                let offset = match has_dynamic_offset {
                    true => " with a dynamic offset",
                    false => "",
                };
                format!("{declared}{offset}")
            }
            BindingType::Sampler(kind) => kind.name(),
            BindingType::Texture {
                sample_type,
                view_dimension,
                multisampled,
            } => texture_name(*sample_type, *view_dimension, *multisampled),
            BindingType::CombinedImageSampler {
                sample_type,
                view_dimension,
                multisampled,
                sampler,
            } => {
                let texture = texture_name(*sample_type, *view_dimension, *multisampled);
                format!("{texture} with its {}", sampler.name())
            }
            BindingType::StorageTexture {
                access,
                format,
                view_dimension,
            } => {
                let shape = view_dimension.name().replace('-', "_");
                let access = access_name(*access);
                format!("texture_storage_{shape}<{}, {access}>", format.name())
            }
            BindingType::StorageImage {
                access,
                sample_type,
                view_dimension,
            } => {
                let shape = view_dimension.name().replace('-', "_");
                let (read, access) = (read_name(*sample_type), access_name(*access));
                format!("texture_storage_{shape}{read} ({access}, of any format)")
            }
            BindingType::InputAttachment {
                sample_type,
                multisampled,
                layered,
            } => {
                let texture = texture_name(*sample_type, layers(*layered), *multisampled);
                format!("{texture} as an input attachment")
            }
            BindingType::TexelBuffer { sample_type } => {
                format!("texel_buffer{}", read_name(*sample_type))
            }
            BindingType::StorageTexelBuffer { access, format } => {
                let access = access_name(*access);
                format!("texel_buffer_storage<{}, {access}>", format.name())
            }
        }
    }
}

/// Views of input attachments.
fn layers(layered: bool) -> TextureViewDimension {
    match layered {
        true => TextureViewDimension::D2Array,
        false => TextureViewDimension::D2,
    }
}

fn texture_name(
    sample_type: TextureSampleType,
    view_dimension: TextureViewDimension,
    multisampled: bool,
) -> String {
    let shape = view_dimension.name().replace('-', "_");
    let samples = if multisampled { "multisampled_" } else { "" };
    if sample_type == TextureSampleType::Depth {
        return format!("texture_depth_{samples}{shape}");
    }
    let read = match sample_type {
        TextureSampleType::Float { filterable: false } => "<f32> (unfilterable-float)",
        other => read_name(other),
    };
    format!("texture_{samples}{shape}{read}")
}

/// What texels read as.
fn read_name(sample_type: TextureSampleType) -> &'static str {
    match sample_type {
        TextureSampleType::Float { .. } | TextureSampleType::Depth => "<f32>",
        TextureSampleType::Sint => "<i32>",
        TextureSampleType::Uint => "<u32>",
    }
}

fn access_name(access: StorageTextureAccess) -> &'static str {
    match access {
        StorageTextureAccess::WriteOnly => "write",
        StorageTextureAccess::ReadOnly => "read",
        StorageTextureAccess::ReadWrite => "read_write",
        StorageTextureAccess::Atomic => "atomic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_called_as_they_are_declared_in_wgsl() {
        use TextureViewDimension as View;
        let texture = |sample_type, view_dimension, multisampled| BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled,
        };
        let float = TextureSampleType::Float { filterable: true };
        let flat = texture(float, View::D2, false);
        for (ty, expected) in [
            (Some(flat), "texture_2d<f32>"),
            (
                Some(texture(TextureSampleType::Uint, View::D2, true)),
                "texture_multisampled_2d<u32>",
            ),
            (
                Some(texture(TextureSampleType::Depth, View::CubeArray, false)),
                "texture_depth_cube_array",
            ),
            (
                Some(BindingType::StorageTexture {
                    access: StorageTextureAccess::WriteOnly,
                    format: TextureFormat::Rgba8Unorm,
                    view_dimension: View::D2Array,
                }),
                "texture_storage_2d_array<rgba8unorm, write>",
            ),
            (
                BindingType::combined(flat, SamplerBindingType::Comparison),
                "texture_2d<f32> with its sampler_comparison",
            ),
            (
                Some(BindingType::TexelBuffer {
                    sample_type: TextureSampleType::Sint,
                }),
                "texel_buffer<i32>",
            ),
            (
                Some(BindingType::StorageTexelBuffer {
                    access: StorageTextureAccess::ReadWrite,
                    format: TextureFormat::R32Uint,
                }),
                "texel_buffer_storage<r32uint, read_write>",
            ),
        ] {
            assert_eq!(ty.map(|ty| ty.name()).as_deref(), Some(expected));
        }
    }
}
