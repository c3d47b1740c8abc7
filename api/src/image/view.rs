//! Views of images: which levels and layers, seen as which format and dimension. [VULKAN Image Views]

use std::ops::Range;
use std::sync::Arc;

use pipeline::names::Name;
use pipeline::state::{Attachment, ImageBinding};
use wgpu_types as wgt;
use wgt::{Extent3d, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use super::{Image, Subresources};
use crate::device::Device;
use crate::error::{Label, counted, rules};

rules! {
    /// A view that cannot be made.
    pub enum ImageViewError {
        /// A view is made for the device of its image.
        "view-device", "{image}, which {label} shows, was made for another device"
        => Device { label: Label, image: Label };
        /// A view shows levels that the image has.
        "view-levels", "{label} shows {count} from level {first}, but {image} has {levels}", count = counted(*count, "level")
        => Levels { label: Label, image: Label, first: u32, count: u32, levels: u32 };
        /// A view shows layers that the image has.
        "view-layers", "{label} shows {count} from layer {first}, but {image} has {layers}", count = counted(*count, "layer")
        => Layers { label: Label, image: Label, first: u32, count: u32, layers: u32 };
        /// The view's dimension suits the image and the number of layers; a 2D view of a 3D image shows one of its depth slices, an array some of them.
        "view-dimension", "{label} is {dimension} with {layers}, which does not suit {image}, which is {of}",
        dimension = dimension.name(), layers = counted(*layers, "layer"), of = of.name()
        => Dimension { label: Label, image: Label, dimension: wgt::TextureViewDimension, layers: u32, of: TextureDimension };
        /// The device shows arrays of layers, or one layer of several with all its levels.
        "view-feature", "{label} shows {what} of {image}, which the device cannot"
        => Feature { label: Label, image: Label, what: &'static str };
        /// The view's format is the image's, or differs in the sRGB suffix only.
        "view-format", "{label} has format {format}, but {image} has {of}", format = format.name(), of = of.name()
        => Format { label: Label, image: Label, format: TextureFormat, of: TextureFormat };
        /// The view's aspect is one that the format has.
        "view-aspect", "{label} shows aspect `{aspect}` of {image}, which has format {format}",
        aspect = aspect.name(), format = format.name()
        => Aspect { label: Label, image: Label, aspect: TextureAspect, format: TextureFormat };
    }
}

/// Describes a view of an image, with the names of `wgpu-types`. The default shows all levels and layers in the image's
/// own format and dimension. A 2D view of a 3D image shows the depth slice `base_array_layer`, and can only be drawn
/// to.
pub type ImageViewDescriptor<'a> = wgt::TextureViewDescriptor<Option<&'a str>>;

/// A view of an image: some levels and layers, as attachment or for shaders. It keeps the image alive.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, _) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// let view = device.create_image_view(&image, &ImageViewDescriptor {
///     label: Some("decoded"),
///     format: Some(TextureFormat::Rgba8UnormSrgb),
///     ..ImageViewDescriptor::default()
/// })?;
/// assert_eq!((view.size().width, view.subresources().levels), (16, 1));
///
/// let beyond = ImageViewDescriptor { base_mip_level: 1, ..ImageViewDescriptor::default() };
/// let error = device.create_image_view(&image, &beyond).err();
/// assert_eq!(error.map(|e| e.rule()), Some("view-levels"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImageView {
    pub(crate) inner: Arc<ViewInner>,
}

#[derive(Debug)]
pub(crate) struct ViewInner {
    pub(crate) label: Label,
    pub(crate) image: Image,
    pub(crate) format: TextureFormat,
    pub(crate) aspect: TextureAspect,
    pub(crate) dimension: wgt::TextureViewDimension,
    pub(crate) range: Subresources,
    /// The depth slices that a 2D or array view of a 3D image shows; such a view can only be drawn to.
    pub(crate) slices: Option<Range<u32>>,
    /// The descriptor as the chip reads it; empty when no shader can read the image.
    pub(crate) words: Vec<u32>,
    /// The same as a storage image, where the faces of cubes are layers.
    pub(crate) storage_words: Vec<u32>,
}

impl ImageView {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// The image that it shows.
    pub fn image(&self) -> &Image {
        &self.inner.image
    }

    /// Format of the view: the image's, its sRGB or plain twin, or that of one aspect.
    pub fn format(&self) -> TextureFormat {
        self.inner.format
    }

    /// Levels and layers that it shows.
    pub fn subresources(&self) -> Subresources {
        self.inner.range
    }

    /// Size of its first level in texels.
    pub fn size(&self) -> Extent3d {
        self.inner.image.level_size(self.inner.range.level)
    }

    /// The layers, or the depth slices, that it shows as an attachment.
    pub(crate) fn slices(&self) -> Range<u32> {
        let Subresources { layer, layers, .. } = self.inner.range;
        let slices = self.inner.slices.clone();
        slices.unwrap_or(layer..layer + layers)
    }

    pub(crate) fn attachment(&self) -> Attachment<'_> {
        let image = &self.inner.image.inner;
        let slices = self.slices();
        Attachment {
            base: image.base,
            memory: &image.memory,
            format: self.inner.format,
            level: self.inner.range.level,
            first_layer: slices.start,
            layers: slices.len() as u32,
            samples: image.memory.shape.samples,
        }
    }
}

impl Device {
    /// Makes a view of an image.
    ///
    /// Errors: any of [`ImageViewError`].
    pub fn create_image_view(
        &self,
        image: &Image,
        desc: &ImageViewDescriptor<'_>,
    ) -> Result<ImageView, ImageViewError> {
        let label = self.label_of("image view", desc.label);
        if !self.shared.owns(image.shared()) {
            return Err(ImageViewError::Device {
                label,
                image: image.label().clone(),
            });
        }
        let shape = image.shape();
        let slices = view_slices(&label, image, desc)?;
        let layers_only = ImageViewDescriptor {
            base_array_layer: if slices.is_some() {
                0
            } else {
                desc.base_array_layer
            },
            array_layer_count: match &slices {
                Some(_) => Some(1),
                None => desc.array_layer_count,
            },
            ..desc.clone()
        };
        let range = view_range(&label, image, &layers_only)?;
        let dimension = view_dimension(&label, image, desc, range.layers)?;
        if let Some(what) = lacking(self, image, dimension, range) {
            return Err(ImageViewError::Feature {
                label,
                image: image.label().clone(),
                what,
            });
        }
        let aspect = desc.aspect;
        // Planes are seen one at a time.
        let whole = aspect == TextureAspect::All && shape.format.is_multi_planar_format();
        let aspect_format = shape.format.aspect_specific_format(aspect);
        let Some(aspect_format) = aspect_format.filter(|_| !whole) else {
            return Err(ImageViewError::Aspect {
                label,
                image: image.label().clone(),
                aspect,
                format: shape.format,
            });
        };
        let format = desc.format.unwrap_or(aspect_format);
        if format.remove_srgb_suffix() != aspect_format.remove_srgb_suffix() {
            return Err(ImageViewError::Format {
                label,
                image: image.label().clone(),
                format,
                of: aspect_format,
            });
        }
        let mut words = Vec::new();
        let mut storage_words = Vec::new();
        let shader_usage = TextureUsages::TEXTURE_BINDING | TextureUsages::STORAGE_BINDING;
        if shape.usage.intersects(shader_usage) && slices.is_none() {
            let binding = ImageBinding {
                base: image.inner.base,
                memory: &image.inner.memory,
                format,
                aspect,
                dimension,
                first_level: range.level,
                levels: range.levels,
                first_layer: range.layer,
                layers: range.layers,
            };
            let chip = self.shared.driver.target.chip;
            chip.image_descriptor(&binding, &mut words);
            let faces = ImageBinding {
                dimension: stored_as(dimension),
                ..binding
            };
            chip.image_descriptor(&faces, &mut storage_words);
        }
        Ok(ImageView {
            inner: Arc::new(ViewInner {
                label,
                image: image.clone(),
                format,
                aspect,
                dimension,
                range,
                slices,
                words,
                storage_words,
            }),
        })
    }
}

/// The dimension that shaders store to: faces of cubes are layers.
pub(crate) fn stored_as(dimension: wgt::TextureViewDimension) -> wgt::TextureViewDimension {
    use wgt::TextureViewDimension as View;
    match dimension {
        View::Cube | View::CubeArray => View::D2Array,
        other => other,
    }
}

/// What of a view a device has not.
fn lacking(
    device: &Device,
    image: &Image,
    dimension: wgt::TextureViewDimension,
    range: Subresources,
) -> Option<&'static str> {
    use wgt::TextureViewDimension::{CubeArray, D2, D2Array};
    if device.features().texture_arrays {
        return None;
    }
    match dimension {
        D2Array | CubeArray if range.layers > 1 => Some("an array of layers"),
        D2 if image.layers() > 1 && range.levels > 1 => Some("several levels of one layer"),
        _ => None,
    }
}

/// The depth slices that a view of a 3D image shows, of one level: one from `base_array_layer` on of a 2D view, some of an
/// array.
fn view_slices(
    label: &Label,
    image: &Image,
    desc: &ImageViewDescriptor<'_>,
) -> Result<Option<Range<u32>>, ImageViewError> {
    use wgt::TextureViewDimension::{D2, D2Array};
    let flat = desc.dimension.filter(|of| matches!(of, D2 | D2Array));
    let Some(dimension) = flat.filter(|_| image.shape().dimension == TextureDimension::D3) else {
        return Ok(None);
    };
    let (first, level) = (desc.base_array_layer, desc.base_mip_level);
    let depth = image.level_size(level.min(31)).depth_or_array_layers;
    let all = match dimension {
        D2 => 1,
        _ => depth.saturating_sub(first),
    };
    let count = desc.array_layer_count.unwrap_or(all);
    let levels = desc
        .mip_level_count
        .unwrap_or(image.levels().saturating_sub(level));
    let end = first.saturating_add(count);
    let fits = end <= depth && count > 0 && (dimension == D2Array || count == 1);
    if level < image.levels() && levels == 1 && !fits {
        return Err(ImageViewError::Layers {
            label: label.clone(),
            image: image.label().clone(),
            first,
            count,
            layers: depth,
        });
    }
    Ok(Some(first..end))
}

fn view_range(
    label: &Label,
    image: &Image,
    desc: &ImageViewDescriptor<'_>,
) -> Result<Subresources, ImageViewError> {
    let (level, layer) = (desc.base_mip_level, desc.base_array_layer);
    let levels = desc
        .mip_level_count
        .unwrap_or(image.levels().saturating_sub(level));
    let layers = match (desc.array_layer_count, desc.dimension) {
        (Some(layers), _) => layers,
        (None, Some(wgt::TextureViewDimension::Cube)) => 6,
        (None, Some(wgt::TextureViewDimension::D1 | wgt::TextureViewDimension::D2)) => 1,
        _ => image.layers().saturating_sub(layer),
    };
    let end = level.checked_add(levels);
    if levels == 0 || end.is_none_or(|end| end > image.levels()) {
        return Err(ImageViewError::Levels {
            label: label.clone(),
            image: image.label().clone(),
            first: level,
            count: levels,
            levels: image.levels(),
        });
    }
    let end = layer.checked_add(layers);
    if layers == 0 || end.is_none_or(|end| end > image.layers()) {
        return Err(ImageViewError::Layers {
            label: label.clone(),
            image: image.label().clone(),
            first: layer,
            count: layers,
            layers: image.layers(),
        });
    }
    Ok(Subresources {
        level,
        levels,
        layer,
        layers,
    })
}

fn view_dimension(
    label: &Label,
    image: &Image,
    desc: &ImageViewDescriptor<'_>,
    layers: u32,
) -> Result<wgt::TextureViewDimension, ImageViewError> {
    use wgt::TextureViewDimension as View;
    let of = image.shape().dimension;
    let natural = match of {
        TextureDimension::D1 => View::D1,
        TextureDimension::D2 if layers > 1 => View::D2Array,
        TextureDimension::D2 => View::D2,
        TextureDimension::D3 => View::D3,
    };
    let dimension = desc.dimension.unwrap_or(natural);
    let square = image.size().width == image.size().height;
    let layers_fit = match dimension {
        View::D1 | View::D2 | View::D3 => layers == 1,
        View::D2Array => true,
        View::Cube => layers == 6 && square,
        View::CubeArray => layers.is_multiple_of(6) && square,
    };
    let slices = matches!(dimension, View::D2 | View::D2Array) && of == TextureDimension::D3;
    if dimension.compatible_texture_dimension() != of && !slices || !layers_fit {
        return Err(ImageViewError::Dimension {
            label: label.clone(),
            image: image.label().clone(),
            dimension,
            layers,
            of,
        });
    }
    Ok(dimension)
}
