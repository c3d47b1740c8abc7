//! Samplers: filters, address modes and what else happens between a coordinate and a texel. [VULKAN Samplers]

use std::sync::Arc;

use pipeline::driver::ConstantTable;
use pipeline::names::Name;
use pipeline::silicon::Features;
use pipeline::state::SamplerState;
use wgpu_types as wgt;
use wgt::{AddressMode, CompareFunction, FilterMode, MipmapFilterMode, SamplerBorderColor};

use crate::device::{Device, Shared};
use crate::error::{Label, rules};

pub use pipeline::state::Reduction;

rules! {
    /// A sampler that cannot be made.
    pub enum SamplerError {
        /// Level clamps are not negative, not NaN, and the least is not above the greatest.
        "sampler-lod", "{label} clamps the level of detail to {min}..{max}"
        => Lod { label: Label, min: f32, max: f32 };
        /// What is added to the level of detail is between -16 and 16.
        "sampler-bias", "{label} adds {bias} to the level of detail; it must be within -16..16"
        => Bias { label: Label, bias: f32 };
        /// Anisotropy is at least 1.
        "sampler-anisotropy", "{label} has an anisotropy of {clamp}; the least is 1"
        => Anisotropy { label: Label, clamp: u16 };
        /// Anisotropic samplers filter linearly everywhere.
        "sampler-anisotropy-filter", "{label} has an anisotropy of {clamp}, so all its filters must be linear"
        => AnisotropyFilter { label: Label, clamp: u16 };
        /// Clamping to a border needs a border colour.
        "sampler-border", "{label} clamps to a border but has no border color"
        => NoBorder { label: Label };
        /// There are few border colours that are not black or white.
        "sampler-border-count", "{label} brings a border color of its own; the device has {most}, and all are taken"
        => BorderCount { label: Label, most: u16 };
        /// Samplers that compare take the weighted mean of the results.
        "sampler-reduction", "{label} compares, so its reduction cannot be {reduction}", reduction = reduction.name()
        => Reduction { label: Label, reduction: Reduction };
        /// Samplers that count texels have one filter and no levels, do not compare, and clamp across and down.
        "sampler-unnormalized", "{label} counts texels, so {reason}"
        => Unnormalized { label: Label, reason: &'static str };
        /// The device has what the sampler asks for, see [`Features`].
        "sampler-feature", "{label} {what}, which {device} cannot do"
        => Feature { label: Label, what: &'static str, device: &'static str };
    }
}

/// The colour outside of a texture where an address mode is `ClampToBorder`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BorderColor {
    /// 0, 0, 0, 0; on every device.
    TransparentBlack,
    /// 0, 0, 0, 1; on every device.
    OpaqueBlack,
    /// 1, 1, 1, 1; on every device.
    OpaqueWhite,
    /// Any other, for textures that shaders see as floats: red, green, blue and alpha in every format that has them.
    /// Beside texels of normalised bytes it is rounded to bytes. A device holds a limited number of different ones.
    Float([f32; 4]),
    /// Any other, for textures of integers; signed ones in two's complement. Counted as those of floats.
    Integer([u32; 4]),
}

/// Describes a sampler. Fields that `wgpu-types` has too mean the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// What coordinates outside of the texture become, across.
    pub address_mode_u: AddressMode,
    /// The same, down.
    pub address_mode_v: AddressMode,
    /// The same, in depth.
    pub address_mode_w: AddressMode,
    /// Filter where a texel is larger than a pixel.
    pub mag_filter: FilterMode,
    /// Filter where a texel is smaller than a pixel.
    pub min_filter: FilterMode,
    /// Filter between mip levels.
    pub mipmap_filter: MipmapFilterMode,
    /// Least level of detail, in mip levels below the view's first; not negative.
    pub lod_min_clamp: f32,
    /// Greatest level of detail, no less than the least.
    pub lod_max_clamp: f32,
    /// Added to the level of detail before it is clamped; -16 to 16.
    pub lod_bias: f32,
    /// Compares texels with a reference and gives 0 to 1 instead of texels, for depth textures.
    pub compare: Option<CompareFunction>,
    /// Most samples along the longer axis of a pixel's footprint, at least 1. The largest power of two up to it and up
    /// to 16 is taken. More than 1 needs linear filters.
    pub anisotropy_clamp: u16,
    /// Colour outside; needed where an address mode is `ClampToBorder`.
    pub border_color: Option<BorderColor>,
    /// How the texels of a footprint become one; others than the average need
    /// [`Features::sampler_reduction`](crate::Features::sampler_reduction).
    pub reduction: Reduction,
    /// Coordinates count texels instead of going from 0 to 1; needs
    /// [`Features::unnormalized_samplers`](crate::Features::unnormalized_samplers), one filter, no mip levels, and
    /// clamping.
    pub unnormalized: bool,
    /// Cubes are filtered across their edges; otherwise each face is clamped to its own, which needs
    /// [`Features::separate_cube_faces`](crate::Features::separate_cube_faces).
    pub seamless_cubes: bool,
}

impl Default for SamplerDescriptor<'_> {
    fn default() -> Self {
        let base = wgt::SamplerDescriptor::<()>::default();
        SamplerDescriptor {
            label: None,
            address_mode_u: base.address_mode_u,
            address_mode_v: base.address_mode_v,
            address_mode_w: base.address_mode_w,
            mag_filter: base.mag_filter,
            min_filter: base.min_filter,
            mipmap_filter: base.mipmap_filter,
            lod_min_clamp: base.lod_min_clamp,
            lod_max_clamp: base.lod_max_clamp,
            lod_bias: 0.0,
            compare: base.compare,
            anisotropy_clamp: base.anisotropy_clamp,
            border_color: None,
            reduction: Reduction::Average,
            unnormalized: false,
            seamless_cubes: true,
        }
    }
}

/// How a texture is sampled. Here, coordinates beyond the texture give the border's colour:
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (texture, texels) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// let sampler = device.create_sampler(&SamplerDescriptor {
///     label: Some("white outside"),
///     address_mode_u: AddressMode::ClampToBorder,
///     border_color: Some(BorderColor::OpaqueWhite),
///     ..SamplerDescriptor::default()
/// })?;
/// let shader = "@group(0) @binding(0) var texels: texture_2d<f32>;
///     @group(0) @binding(1) var border: sampler;
///     @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
///         return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
///     }
///     @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
///         return textureSample(texels, border, at.xy / 8.0);
///     }";
/// # let entry = |binding, ty| BindGroupLayoutEntry { binding, visibility: ShaderStages::FRAGMENT, ty, count: None };
/// # let set_layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor { label: None, entries: &[
/// #     entry(0, BindingType::Texture {
/// #         sample_type: TextureSampleType::Float { filterable: true },
/// #         view_dimension: TextureViewDimension::D2,
/// #         multisampled: false,
/// #     }),
/// #     entry(1, BindingType::Sampler(SamplerBindingType::Filtering)),
/// # ] })?;
/// let set = device.create_descriptor_set(&DescriptorSetDescriptor {
///     label: None,
///     layout: &set_layout,
///     entries: &[(0, (&texels).into()), (1, (&sampler).into())],
/// })?;
/// # let pipeline = setup::pipeline(&device, shader, &[&set_layout], |_| ())?;
/// # let mut commands = device.create_command_buffer(None);
/// # commands.clear_color_image(&texture, texture.subresources(), Color::RED)?;
/// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
/// # commands.bind_pipeline(&pipeline)?;
/// commands.bind_descriptor_set(0, &set, &[])?;
/// commands.draw(0..3, 0..1)?;
/// # commands.end_pass()?;
/// # queue.submit(&[&commands], &[])?;
/// let picture = queue.read_picture(&image)?;
/// assert_eq!(picture.get_pixel(4, 4).0, [255, 0, 0, 255]);
/// assert_eq!(picture.get_pixel(12, 4).0, [255, 255, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) shared: Arc<Shared>,
    pub(crate) desc: wgt::SamplerDescriptor<()>,
    /// The descriptor as the chip reads it.
    pub(crate) words: Vec<u32>,
}

impl Sampler {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }
}

impl Device {
    /// Makes a sampler.
    ///
    /// Errors: any of [`SamplerError`].
    pub fn create_sampler(&self, desc: &SamplerDescriptor<'_>) -> Result<Sampler, SamplerError> {
        let label = self.label_of("sampler", desc.label);
        check(&label, desc)?;
        if let Some(what) = lacking(self.features(), desc) {
            return Err(SamplerError::Feature {
                label,
                what,
                device: self.physical_device().name(),
            });
        }
        let (fixed, own) = match desc.border_color {
            None => (None, None),
            Some(BorderColor::TransparentBlack) => {
                (Some(SamplerBorderColor::TransparentBlack), None)
            }
            Some(BorderColor::OpaqueBlack) => (Some(SamplerBorderColor::OpaqueBlack), None),
            Some(BorderColor::OpaqueWhite) => (Some(SamplerBorderColor::OpaqueWhite), None),
            Some(BorderColor::Float(color)) => (None, Some(color.map(f32::to_bits))),
            Some(BorderColor::Integer(color)) => (None, Some(color)),
        };
        let state = SamplerState {
            base: wgt::SamplerDescriptor {
                label: (),
                address_mode_u: desc.address_mode_u,
                address_mode_v: desc.address_mode_v,
                address_mode_w: desc.address_mode_w,
                mag_filter: desc.mag_filter,
                min_filter: desc.min_filter,
                mipmap_filter: desc.mipmap_filter,
                lod_min_clamp: desc.lod_min_clamp,
                lod_max_clamp: desc.lod_max_clamp,
                compare: desc.compare,
                anisotropy_clamp: desc.anisotropy_clamp,
                border_color: fixed,
            },
            lod_bias: desc.lod_bias,
            reduction: desc.reduction,
            unnormalized: desc.unnormalized,
            seamless: desc.seamless_cubes,
            border_color: own,
        };
        let Ok(words) = self.shared.driver.sampler_descriptor(&state) else {
            let most = ConstantTable::ENTRIES;
            return Err(SamplerError::BorderCount { label, most });
        };
        Ok(Sampler {
            inner: Arc::new(Inner {
                label,
                shared: self.shared.clone(),
                desc: state.base,
                words,
            }),
        })
    }
}

/// What a device of these features cannot do for a sampler.
fn lacking(features: &Features, desc: &SamplerDescriptor<'_>) -> Option<&'static str> {
    if desc.reduction != Reduction::Average && !features.sampler_reduction {
        Some("takes the least or the greatest texel")
    } else if desc.unnormalized && !features.unnormalized_samplers {
        Some("counts texels")
    } else if !desc.seamless_cubes && !features.separate_cube_faces {
        Some("filters each face of a cube for itself")
    } else {
        None
    }
}

fn check(label: &Label, desc: &SamplerDescriptor<'_>) -> Result<(), SamplerError> {
    let label = || label.clone();
    let (min, max) = (desc.lod_min_clamp, desc.lod_max_clamp);
    if !(min >= 0.0 && max >= min) {
        return Err(SamplerError::Lod {
            label: label(),
            min,
            max,
        });
    }
    if !(-16.0..=16.0).contains(&desc.lod_bias) {
        return Err(SamplerError::Bias {
            label: label(),
            bias: desc.lod_bias,
        });
    }
    let clamp = desc.anisotropy_clamp;
    if clamp == 0 {
        return Err(SamplerError::Anisotropy {
            label: label(),
            clamp,
        });
    }
    let linear = [desc.mag_filter, desc.min_filter] == [FilterMode::Linear; 2]
        && desc.mipmap_filter == MipmapFilterMode::Linear;
    if clamp > 1 && !linear {
        return Err(SamplerError::AnisotropyFilter {
            label: label(),
            clamp,
        });
    }
    let flat = [desc.address_mode_u, desc.address_mode_v];
    let border = AddressMode::ClampToBorder;
    let to_border = flat.contains(&border) || desc.address_mode_w == border;
    if to_border && desc.border_color.is_none() {
        return Err(SamplerError::NoBorder { label: label() });
    }
    if desc.compare.is_some() && desc.reduction != Reduction::Average {
        return Err(SamplerError::Reduction {
            label: label(),
            reduction: desc.reduction,
        });
    }
    let clamps =
        |mode: &AddressMode| matches!(mode, AddressMode::ClampToEdge | AddressMode::ClampToBorder);
    let reason = if !desc.unnormalized {
        return Ok(());
    } else if desc.mag_filter != desc.min_filter {
        "both filters must be the same"
    } else if desc.mipmap_filter != MipmapFilterMode::Nearest {
        "it cannot filter between levels"
    } else if clamp > 1 {
        "it cannot be anisotropic"
    } else if desc.compare.is_some() {
        "it cannot compare"
    } else if !flat.iter().all(clamps) {
        "it must clamp across and down"
    } else {
        return Ok(());
    };
    Err(SamplerError::Unnormalized {
        label: label(),
        reason,
    })
}
