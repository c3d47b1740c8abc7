//! Images, views of them, and the layouts that an image goes through. [VULKAN Images, Image Layouts]

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use pipeline::image::{ImageMemory, ImageShape};
use pipeline::names::Name;
use pipeline::silicon::{Addr, MemoryError};
use wgpu_types as wgt;
use wgt::{Extent3d, TextureAspect, TextureDimension, TextureFormat, TextureUsages};

use crate::device::{Device, Shared, lock};
use crate::error::{Label, counted, rules};
use crate::memory::{Allocation, HEAP_ALIGN, Heap, Placement};
use crate::validate::image::lay_out;

mod view;

pub(crate) use view::stored_as;
pub use view::{ImageView, ImageViewDescriptor, ImageViewError};

rules! {
    /// An image that cannot be made.
    pub enum ImageError {
        /// Width, height and depth are at least 1 and at most what the device has.
        "image-size", "{label} is {width}x{height}x{depth}; the device takes 1 to {limit} across and {depth_limit} deep"
        => Size { label: Label, width: u32, height: u32, depth: u32, limit: u32, depth_limit: u32 };
        /// An image has between one level and as many as halving its size gives.
        "image-levels", "{label} has {levels}; its size allows 1 to {most}", levels = counted(*levels, "level")
        => Levels { label: Label, levels: u32, most: u32 };
        /// An image has one sample a texel, or as many as the device has of its format; with several it is 2D, has one level, can be rendered to, and is not stored to.
        "image-samples", "{label} has {samples}; {reason}", samples = counted(*samples, "sample")
        => Samples { label: Label, samples: u32, reason: &'static str };
        /// An image is used for something.
        "image-usage", "{label} has no usage"
        => NoUsage { label: Label };
        /// The device supports the format for every usage.
        "image-format", "{label} has format {format}, which the device cannot use as {usage}",
        format = format.name(), usage = usage.name()
        => Format { label: Label, format: TextureFormat, usage: TextureUsages };
        /// An image that is compressed, or has planes, is 2D and a multiple of its blocks; one with planes has one level.
        "image-blocks", "{label} is {width}x{height}; {format} needs a 2D image of multiples of {block}, with one level if it has planes",
        format = format.name()
        => Blocks { label: Label, width: u32, height: u32, format: TextureFormat, block: u32 };
        /// The device has images of such a shape.
        "image-shape", "{label} has {reason}"
        => Shape { label: Label, reason: String };
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

impl fmt::Display for ImageLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Describes an image, for [`Device::create_image`]. The default is one texel of `Rgba8Unorm` in 2D, and lacks a usage.
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
    /// Samples of a texel: 1, or what [`FormatCapabilities::sample_counts`](crate::FormatCapabilities::sample_counts) of the format has.
    pub samples: u32,
    /// Format of the texels; [`PhysicalDevice::format_capabilities`](crate::PhysicalDevice::format_capabilities) says
    /// what each can be used for.
    pub format: TextureFormat,
    /// Everything that is done with it; a use that is not named here is refused.
    pub usage: TextureUsages,
    /// Where it lies, at a multiple of [`ImageMemory::align`] and of 64 KiB; none gives it memory of its own.
    pub placement: Option<Placement<'a>>,
}

impl Default for ImageDescriptor<'_> {
    fn default() -> Self {
        ImageDescriptor {
            label: None,
            dimension: TextureDimension::D2,
            size: Extent3d::default(),
            levels: 1,
            samples: 1,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::empty(),
            placement: None,
        }
    }
}

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

impl fmt::Display for Subresources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (levels, layers) = (counted(self.levels, "level"), counted(self.layers, "layer"));
        write!(
            f,
            "{levels} from {} and {layers} from {}",
            self.level, self.layer
        )
    }
}

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

impl Device {
    /// Makes an image. Its texels are zero bytes (those of a placed one are what the heap holds), its layout is
    /// undefined.
    ///
    /// Errors: any of [`ImageError`].
    pub fn create_image(&self, desc: &ImageDescriptor<'_>) -> Result<Image, ImageError> {
        let label = self.label_of("image", desc.label);
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
