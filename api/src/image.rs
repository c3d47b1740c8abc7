//! Images, views of them, and the layouts that an image goes through. [VULKAN Images, Image Layouts, Image Views]

use std::sync::{Arc, Mutex, MutexGuard};

use pipeline::image::{ImageMemory, ImageShape};
use pipeline::silicon::{Addr, MemoryError};
use pipeline::state::{Attachment, ImageBinding};
use wgpu_types as wgt;
use wgt::{Extent3d, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use crate::device::{Device, Shared, lock};
use crate::error::{Label, rules};
use crate::memory::{Allocation, HEAP_ALIGN, Heap, Placement};
use crate::validate::image::lay_out;

rules! {
    /// An image that cannot be made.
    pub enum ImageError {
        /// Width, height and depth are at least 1 and at most what the device has.
        "image-size", "{label} is {width}x{height}x{depth}; the device takes 1 to {limit} across and {depth_limit} deep"
        => Size { label: Label, width: u32, height: u32, depth: u32, limit: u32, depth_limit: u32 };
        /// An image has between one level and as many as halving its size gives.
        "image-levels", "{label} has {levels} levels; its size allows 1 to {most}"
        => Levels { label: Label, levels: u32, most: u32 };
        /// An image has one sample a texel, or as many as the device has of its format; with several it is 2D, has one level, can be rendered to, and is not stored to.
        "image-samples", "{label} has {samples} samples; {reason}"
        => Samples { label: Label, samples: u32, reason: &'static str };
        /// An image is used for something.
        "image-usage", "{label} has no usage"
        => NoUsage { label: Label };
        /// The device supports the format for every usage.
        "image-format", "{label} has format {format:?}, which the device cannot use as {usage:?}"
        => Format { label: Label, format: TextureFormat, usage: TextureUsages };
        /// An image that is compressed, or has planes, is 2D and a multiple of its blocks; one with planes has one level.
        "image-blocks", "{label} is {width}x{height}; {format:?} needs a 2D image of multiples of {block}, with one level if it has planes"
        => Blocks { label: Label, width: u32, height: u32, format: TextureFormat, block: u32 };
        /// A placed image starts at a multiple of its alignment and lies within its heap.
        "image-placement", "{label} of {bytes} bytes is placed at byte {offset} of {heap}, which has {heap_bytes} bytes; offsets are multiples of {align}"
        => Placement { label: Label, heap: Label, offset: u64, bytes: u64, heap_bytes: u64, align: u64 };
        /// A placed image lies in a heap of its device.
        "image-placement-device", "{label} is placed in {heap}, which was made for another device"
        => OtherHeap { label: Label, heap: Label };
        /// The image fits into the free video memory.
        "image-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

rules! {
    /// A view that cannot be made.
    pub enum ImageViewError {
        /// A view is made for the device of its image.
        "view-device", "{image}, which {label} shows, was made for another device"
        => Device { label: Label, image: Label };
        /// A view shows levels that the image has.
        "view-levels", "{label} shows {count} levels from level {first}, but {image} has {levels}"
        => Levels { label: Label, image: Label, first: u32, count: u32, levels: u32 };
        /// A view shows layers that the image has.
        "view-layers", "{label} shows {count} layers from layer {first}, but {image} has {layers}"
        => Layers { label: Label, image: Label, first: u32, count: u32, layers: u32 };
        /// The view's dimension suits the image and the number of layers; a 2D view of a 3D image shows one of its depth slices.
        "view-dimension", "{label} is {dimension:?} with {layers} layers, which does not suit {image} of {of:?}"
        => Dimension { label: Label, image: Label, dimension: wgt::TextureViewDimension, layers: u32, of: TextureDimension };
        /// The view's format is the image's, or differs in the sRGB suffix only.
        "view-format", "{label} has format {format:?}, but {image} has {of:?}"
        => Format { label: Label, image: Label, format: TextureFormat, of: TextureFormat };
        /// The view's aspect is one that the format has.
        "view-aspect", "{label} shows {aspect:?} of {image}, which has format {format:?}"
        => Aspect { label: Label, image: Label, aspect: TextureAspect, format: TextureFormat };
    }
}

/// What each level and layer of an image is ready for. Layouts are explicit: a transition says what comes next, and a
/// submission fails by `submit-layout` when a command finds another. Texels never move. [VULKAN Image Layouts]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ImageLayout {
    /// A new image. A transition from here gives up what the texels were.
    #[default]
    Undefined,
    /// Everything that the usage allows; the only layout for storage textures.
    General,
    /// Colour attachment of a pass, or target of its resolve.
    ColorAttachment,
    /// Depth-stencil attachment that is tested and written, or target of its resolve.
    DepthStencilAttachment,
    /// Depth-stencil attachment of which no aspect is written, and sampling at the same time.
    DepthStencilReadOnly,
    /// Sampling and loading in shaders.
    ShaderReadOnly,
    /// Source of copies, scaled copies, resolves and host reads.
    CopySource,
    /// Destination of copies, scaled copies, resolves, clears and host writes.
    CopyDestination,
    /// Shown in a window.
    Present,
}

/// Describes an image, for [`Device::create_image`].
#[derive(Clone, Copy, Debug)]
pub struct ImageDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// 1D (one texel high), 2D or 3D.
    pub dimension: TextureDimension,
    /// Texels of level 0, each at least 1: width and height up to [`Limits::image_2d`](crate::Limits::image_2d), then
    /// layers up to [`Limits::image_layers`](crate::Limits::image_layers). All three of a 3D image go up to
    /// [`Limits::image_3d`](crate::Limits::image_3d).
    pub size: Extent3d,
    /// Mip levels, 1 to as many as it takes to halve the size down to one texel.
    pub levels: u32,
    /// Samples of a texel: 1, or what [`FormatCapabilities::sample_counts`] of the format has.
    pub samples: u32,
    /// Format of the texels; [`PhysicalDevice::format_capabilities`](crate::PhysicalDevice::format_capabilities) says
    /// what each can be used for.
    pub format: TextureFormat,
    /// Everything that is done with it; a use that is not named here is refused.
    pub usage: TextureUsages,
    /// Where it lies, at a multiple of [`ImageMemory::align`] and of 64 KiB; none gives it memory of its own.
    pub placement: Option<Placement<'a>>,
}

/// Describes a view of an image, with the names of `wgpu-types`. The default shows all levels and layers in the image's
/// own format and dimension. A 2D view of a 3D image shows the depth slice `base_array_layer`, and can only be drawn
/// to.
pub type ImageViewDescriptor<'a> = wgt::TextureViewDescriptor<Option<&'a str>>;

/// An image in video memory, in the order of texels that the chip has. Clones, and `==`, mean the same image.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// let image = device.create_image(&ImageDescriptor {
///     label: Some("bricks"),
///     dimension: TextureDimension::D2,
///     size: Extent3d { width: 40, height: 20, depth_or_array_layers: 3 },
///     levels: 6,
///     samples: 1,
///     format: TextureFormat::Rgba8Unorm,
///     usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
///     placement: None,
/// })?;
/// let level = image.level_size(2);
/// assert_eq!((level.width, level.height, image.layers()), (10, 5, 3));
/// assert!(image.bytes() >= 40 * 20 * 4 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) label: Label,
    pub(crate) allocation: Arc<Allocation>,
    pub(crate) base: Addr,
    pub(crate) memory: ImageMemory,
    /// By level, then layer.
    layouts: Mutex<Vec<ImageLayout>>,
}

/// A rectangle of mip levels and array layers of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subresources {
    /// First level, from 0.
    pub level: u32,
    /// Number of levels, at least 1.
    pub levels: u32,
    /// First layer, from 0.
    pub layer: u32,
    /// Number of layers, at least 1; a 3D image has one.
    pub layers: u32,
}

impl Image {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Format of the texels.
    pub fn format(&self) -> TextureFormat {
        self.shape().format
    }

    /// Texels of level 0; the third number is layers, or the depth of a 3D image.
    pub fn size(&self) -> Extent3d {
        self.shape().size
    }

    /// Number of mip levels.
    pub fn levels(&self) -> u32 {
        self.shape().levels
    }

    /// Samples of a texel, 1 to 16.
    pub fn samples(&self) -> u32 {
        self.shape().samples
    }

    /// Everything that is done with it.
    pub fn usage(&self) -> TextureUsages {
        self.shape().usage
    }

    /// Bytes of video memory, padding included.
    pub fn bytes(&self) -> u64 {
        self.inner.memory.bytes
    }

    /// Number of array layers; a 3D image has one.
    pub fn layers(&self) -> u32 {
        layers_of(self.shape())
    }

    /// All levels and layers.
    pub fn subresources(&self) -> Subresources {
        Subresources {
            level: 0,
            levels: self.levels(),
            layer: 0,
            layers: self.layers(),
        }
    }

    /// Size of a level in texels; the third number is the depth of a 3D image, else 1.
    pub fn level_size(&self, level: u32) -> Extent3d {
        let mut size = self.size();
        if self.shape().dimension != TextureDimension::D3 {
            size.depth_or_array_layers = 1;
        }
        size.mip_level_size(level, self.shape().dimension)
    }

    /// Size of a level in texels; the third number counts the slices of a copy, depth or layers.
    pub(crate) fn slices_size(&self, level: u32) -> Extent3d {
        let mut size = self.level_size(level);
        if self.shape().dimension != TextureDimension::D3 {
            size.depth_or_array_layers = self.layers();
        }
        size
    }

    /// The plane of an aspect that is a single one.
    pub(crate) fn single_plane(&self, aspect: TextureAspect) -> Option<usize> {
        let planes = &self.inner.memory.planes;
        match aspect {
            TextureAspect::All if planes.len() > 1 => None,
            _ => self.inner.memory.plane(aspect),
        }
    }

    /// The device that it belongs to.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.allocation.shared
    }

    pub(crate) fn device(&self) -> &'static pipeline::targets::Target {
        self.shared().driver.target
    }

    pub(crate) fn shape(&self) -> &ImageShape {
        &self.inner.memory.shape
    }

    pub(crate) fn layouts(&self) -> MutexGuard<'_, Vec<ImageLayout>> {
        lock(&self.inner.layouts)
    }

    /// Indices into the layouts.
    pub(crate) fn indices(&self, range: Subresources) -> impl Iterator<Item = usize> + use<> {
        let layers = self.layers();
        (range.level..range.level + range.levels).flat_map(move |level| {
            (range.layer..range.layer + range.layers)
                .map(move |layer| (level * layers + layer) as usize)
        })
    }

    pub(crate) fn contains(&self, range: Subresources) -> bool {
        let end = |first: u32, count: u32| first.checked_add(count);
        range.levels > 0
            && range.layers > 0
            && end(range.level, range.levels).is_some_and(|end| end <= self.levels())
            && end(range.layer, range.layers).is_some_and(|end| end <= self.layers())
    }
}

/// The same image, not one like it.
impl PartialEq for Image {
    fn eq(&self, other: &Image) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Image {}

impl Subresources {
    /// Whether a level and layer are in both.
    pub(crate) fn overlaps(self, other: Subresources) -> bool {
        let meet = |a: u32, n: u32, b: u32, m: u32| a < b + m && b < a + n;
        meet(self.level, self.levels, other.level, other.levels)
            && meet(self.layer, self.layers, other.layer, other.layers)
    }
}

fn layers_of(shape: &ImageShape) -> u32 {
    match shape.dimension {
        TextureDimension::D3 => 1,
        _ => shape.size.depth_or_array_layers,
    }
}

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
    /// The depth slice that a 2D view of a 3D image shows; such a view can only be drawn to.
    pub(crate) slice: Option<u32>,
    /// The descriptor as the chip reads it; empty when no shader can read the image.
    pub(crate) words: Vec<u32>,
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

    /// The first layer, or the depth slice, that it shows.
    pub(crate) fn first_slice(&self) -> u32 {
        self.inner.slice.unwrap_or(self.inner.range.layer)
    }

    pub(crate) fn attachment(&self) -> Attachment<'_> {
        let image = &self.inner.image.inner;
        Attachment {
            base: image.base,
            memory: &image.memory,
            format: self.inner.format,
            level: self.inner.range.level,
            first_layer: self.first_slice(),
            layers: self.inner.range.layers,
            samples: image.memory.shape.samples,
        }
    }
}

impl Device {
    /// Makes an image. Its texels are zero bytes (those of a placed one are what the heap holds), its layout is
    /// undefined.
    ///
    /// Errors: any of [`ImageError`].
    pub fn create_image(&self, desc: &ImageDescriptor<'_>) -> Result<Image, ImageError> {
        let label = Label::new("image", desc.label);
        let memory = lay_out(self.shared.driver.target, &label, desc)?;
        let (allocation, base) = match desc.placement {
            None => match Allocation::new(&self.shared, memory.bytes, memory.align) {
                Ok(allocation) => {
                    let base = allocation.address;
                    (Arc::new(allocation), base)
                }
                Err(source) => return Err(ImageError::Memory { label, source }),
            },
            Some(Placement { heap, offset }) => {
                if !self.shared.owns(heap.shared()) {
                    let heap = heap.label.clone();
                    return Err(ImageError::OtherHeap { label, heap });
                }
                check_placement(&label, &memory, heap, offset)?;
                let base = Addr(heap.allocation.address.0 + offset);
                (heap.allocation.clone(), base)
            }
        };
        let count = desc.levels * layers_of(&memory.shape);
        let layouts = vec![ImageLayout::Undefined; count as usize];
        Ok(Image {
            inner: Arc::new(Inner {
                label,
                allocation,
                base,
                memory,
                layouts: Mutex::new(layouts),
            }),
        })
    }

    /// Makes a view of an image.
    ///
    /// Errors: any of [`ImageViewError`].
    pub fn create_image_view(
        &self,
        image: &Image,
        desc: &ImageViewDescriptor<'_>,
    ) -> Result<ImageView, ImageViewError> {
        let label = Label::new("image view", desc.label);
        if !self.shared.owns(image.shared()) {
            return Err(ImageViewError::Device {
                label,
                image: image.label().clone(),
            });
        }
        let shape = image.shape();
        let slice = view_slice(&label, image, desc)?;
        let layers_only = ImageViewDescriptor {
            base_array_layer: if slice.is_some() {
                0
            } else {
                desc.base_array_layer
            },
            ..desc.clone()
        };
        let range = view_range(&label, image, &layers_only)?;
        let dimension = view_dimension(&label, image, desc, range.layers)?;
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
        let shader_usage = TextureUsages::TEXTURE_BINDING | TextureUsages::STORAGE_BINDING;
        if shape.usage.intersects(shader_usage) && slice.is_none() {
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
        }
        Ok(ImageView {
            inner: Arc::new(ViewInner {
                label,
                image: image.clone(),
                format,
                aspect,
                dimension,
                range,
                slice,
                words,
            }),
        })
    }
}

fn check_placement(
    label: &Label,
    memory: &ImageMemory,
    heap: &Heap,
    offset: u64,
) -> Result<(), ImageError> {
    let align = memory.align.max(HEAP_ALIGN);
    let end = offset.checked_add(memory.bytes);
    if !offset.is_multiple_of(align) || end.is_none_or(|end| end > heap.bytes()) {
        return Err(ImageError::Placement {
            label: label.clone(),
            heap: heap.label.clone(),
            offset,
            bytes: memory.bytes,
            heap_bytes: heap.bytes(),
            align,
        });
    }
    Ok(())
}

/// The depth slice that a 2D view of a 3D image shows: its `base_array_layer`, in one level.
fn view_slice(
    label: &Label,
    image: &Image,
    desc: &ImageViewDescriptor<'_>,
) -> Result<Option<u32>, ImageViewError> {
    let flat = desc.dimension == Some(wgt::TextureViewDimension::D2);
    if image.shape().dimension != TextureDimension::D3 || !flat {
        return Ok(None);
    }
    let (slice, level) = (desc.base_array_layer, desc.base_mip_level);
    let depth = image.level_size(level.min(31)).depth_or_array_layers;
    let count = desc.array_layer_count.unwrap_or(1);
    let levels = desc
        .mip_level_count
        .unwrap_or(image.levels().saturating_sub(level));
    if level < image.levels() && levels == 1 && (slice >= depth || count != 1) {
        return Err(ImageViewError::Layers {
            label: label.clone(),
            image: image.label().clone(),
            first: slice,
            count,
            layers: depth,
        });
    }
    Ok(Some(slice))
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
    let slice = (dimension, of) == (View::D2, TextureDimension::D3);
    if dimension.compatible_texture_dimension() != of && !slice || !layers_fit {
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
