//! Descriptor set layouts and descriptor sets: what shaders read through `@group` and `@binding`. [VULKAN Descriptor
//! Sets]
//!
//! A set is an array of the chip's descriptors in video memory, written when the set is made or updated.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pipeline::format::texel_format;
use pipeline::layout::{DescriptorKind, SetBinding, SetLayout};
use pipeline::names::Name;
use pipeline::silicon::{Addr, MemoryError};
use pipeline::state::{BufferRange, TexelRange};
use pipeline::targets::Chip;
use wgpu_types as wgt;
use wgt::TextureFormat;

use crate::binding::{BindGroupLayoutEntry, BindingType};
use crate::buffer::Buffer;
use crate::device::{Device, Shared, lock};
use crate::error::{Label, rules};
use crate::image::ImageView;
use crate::memory::Allocation;
use crate::sampler::Sampler;
use crate::validate::descriptor::check;

rules! {
    /// A set layout that cannot be made.
    pub enum SetLayoutError {
        /// Every binding number occurs once.
        "set-layout-duplicate", "{label} has binding {binding} twice"
        => Duplicate { label: Label, binding: u32 };
        /// A binding is of a type that the device has: only flat textures have samples, and not every chip has texel buffers.
        "set-layout-type", "binding {binding} of {label} is {kind}, which the device has not"
        => Type { label: Label, binding: u32, kind: String };
        /// Arrays of bindings with dynamic offsets do not exist.
        "set-layout-dynamic-array", "binding {binding} of {label} is an array and has a dynamic offset"
        => DynamicArray { label: Label, binding: u32 };
    }
}

rules! {
    /// A descriptor set that cannot be made or updated.
    pub enum SetError {
        /// Every binding of the layout is given.
        "set-missing", "{label} lacks binding {binding} of {layout}"
        => Missing { label: Label, layout: Label, binding: u32 };
        /// Only bindings of the layout are given, once each.
        "set-unknown", "{label} gives binding {binding}, which {layout} does not have or which was given before"
        => Unknown { label: Label, layout: Label, binding: u32 };
        /// A binding is given what its layout says.
        "set-type", "binding {binding} of {label} is {given}, but {layout} has {wanted}"
        => Type { label: Label, layout: Label, binding: u32, given: &'static str, wanted: String };
        /// An array is given as many elements as its layout says.
        "set-count", "binding {binding} of {label} has {given} elements, but {layout} has {wanted}"
        => Count { label: Label, layout: Label, binding: u32, given: u32, wanted: u32 };
        /// A bound buffer or image has the usage of its binding.
        "set-usage", "binding {binding} of {label} needs {object} to have usage {usage}"
        => Usage { label: Label, binding: u32, object: Label, usage: String };
        /// A bound range lies within its buffer and is not empty.
        "set-buffer-range", "binding {binding} of {label} takes {bytes} bytes at {offset} of {buffer}, which has {size} bytes"
        => BufferRange { label: Label, binding: u32, buffer: Label, offset: u64, bytes: u64, size: u64 };
        /// A bound range starts at a multiple of the device's alignment.
        "set-buffer-align", "binding {binding} of {label} starts at byte {offset} of {buffer}; it must be a multiple of {align}"
        => BufferAlign { label: Label, binding: u32, buffer: Label, offset: u64, align: u32 };
        /// A bound range is not larger than the device's limit and not smaller than the layout asks for.
        "set-buffer-size", "binding {binding} of {label} has {bytes} bytes; {least} to {most} are allowed"
        => BufferSize { label: Label, binding: u32, bytes: u64, least: u64, most: u64 };
        /// A bound view has the shape and format of its binding.
        "set-view", "binding {binding} of {label}: {view} is {given}, but {layout} has {wanted}"
        => View { label: Label, layout: Label, binding: u32, view: Label, given: String, wanted: String };
        /// A texel buffer has texels of the format of its binding, or of one that the device loads as its binding says.
        "set-texel-format", "binding {binding} of {label} has texels of {given}, which are none of {wanted} in {layout}"
        => TexelFormat { label: Label, layout: Label, binding: u32, given: String, wanted: String };
        /// A comparison binding gets a sampler that compares, any other one that does not.
        "set-sampler", "binding {binding} of {label}: {sampler} is no {wanted}", wanted = wanted.name()
        => SamplerKind { label: Label, binding: u32, sampler: Label, wanted: wgt::SamplerBindingType };
        /// The layout and everything bound belong to the device of the set.
        "set-device", "{object} of {label} was made for another device"
        => Device { label: Label, object: Label };
        /// The set fits into the free video memory.
        "set-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
    }
}

/// Describes a set layout, for [`Device::create_descriptor_set_layout`].
#[derive(Clone, Copy, Debug, Default)]
pub struct DescriptorSetLayoutDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Bindings in any order, each number once: buffers, samplers, textures, storage textures, textures with their samplers,
    /// and arrays of them.
    pub entries: &'a [BindGroupLayoutEntry],
}

/// What a descriptor set holds: kind, count and stages of each binding. See [`DescriptorSet`] for one in use.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// let entry = BindGroupLayoutEntry {
///     binding: 3,
///     visibility: ShaderStages::FRAGMENT,
///     ty: BindingType::Sampler(SamplerBindingType::Filtering),
///     count: None,
/// };
/// let layout = |entries: &[_]| {
///     device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor { label: None, entries })
/// };
/// assert!(layout(&[entry])?.is_compatible(&layout(&[entry])?));
/// let twice = layout(&[entry, entry]).err();
/// assert_eq!(twice.map(|e| e.rule()), Some("set-layout-duplicate"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DescriptorSetLayout {
    pub(crate) inner: Arc<LayoutInner>,
}

#[derive(Debug)]
pub(crate) struct LayoutInner {
    pub(crate) label: Label,
    pub(crate) shared: Arc<Shared>,
    pub(crate) entries: BTreeMap<u32, BindGroupLayoutEntry>,
    /// Bindings with dynamic offsets, ascending: every draw may ask.
    dynamic: Vec<u32>,
    pub(crate) layout: SetLayout,
}

impl DescriptorSetLayout {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// A layout of checked entries by binding number.
    pub(crate) fn of(
        device: &Device,
        label: Label,
        entries: BTreeMap<u32, BindGroupLayoutEntry>,
    ) -> DescriptorSetLayout {
        let bindings = entries.values().flat_map(|entry| {
            entry.ty.kinds().iter().map(|&kind| SetBinding {
                binding: entry.binding,
                kind,
                count: entry.count.map_or(1, |count| count.get()),
            })
        });
        let bindings: Vec<SetBinding> = bindings.collect();
        let sizes = device.shared.driver.target.chip.descriptor_bytes();
        let has_offset = |entry: &&BindGroupLayoutEntry| entry.ty.has_dynamic_offset();
        let dynamic = entries.values().filter(has_offset);
        DescriptorSetLayout {
            inner: Arc::new(LayoutInner {
                label,
                shared: device.shared.clone(),
                dynamic: dynamic.map(|entry| entry.binding).collect(),
                entries,
                layout: SetLayout::new(&bindings, sizes),
            }),
        }
    }

    /// Bindings by number, as they were given or derived.
    pub fn entries(&self) -> impl Iterator<Item = &BindGroupLayoutEntry> {
        self.inner.entries.values()
    }

    /// Whether sets of one layout can be used where the other is asked for: all bindings are equal.
    pub fn is_compatible(&self, other: &DescriptorSetLayout) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) || self.inner.entries == other.inner.entries
    }

    /// Bindings with dynamic offsets, ascending.
    pub(crate) fn dynamic(&self) -> &[u32] {
        &self.inner.dynamic
    }
}

/// A range of a buffer. A dynamic offset is added to `offset` when the set is bound.
#[derive(Clone, Debug)]
pub struct BufferBinding {
    /// The buffer.
    pub buffer: Buffer,
    /// First byte, a multiple of [`Limits::buffer_offset_align`](crate::Limits::buffer_offset_align).
    pub offset: u64,
    /// Bytes, up to [`Limits::uniform_range_bytes`](crate::Limits::uniform_range_bytes) or
    /// [`Limits::storage_range_bytes`](crate::Limits::storage_range_bytes); all to the buffer's end when absent.
    pub size: Option<u64>,
}

/// A range of a buffer as texels: of one with usage UNIFORM for [`TexelBuffer`](crate::BindingType::TexelBuffer), with usage STORAGE for
/// [`StorageTexelBuffer`](crate::BindingType::StorageTexelBuffer). What is behind the last whole texel is not used.
#[derive(Clone, Debug)]
pub struct TexelBinding {
    /// The range, of up to [`MAX_TEXEL_BUFFER_TEXELS`](crate::MAX_TEXEL_BUFFER_TEXELS) texels.
    pub buffer: BufferBinding,
    /// Format of a texel. [`PhysicalDevice::loads_texels`](crate::PhysicalDevice::loads_texels) and
    /// [`stores_texels`](crate::PhysicalDevice::stores_texels) say which there are.
    pub format: TextureFormat,
}

/// What is bound to one binding: an object, or as many as the array of the layout has.
#[derive(Clone, Debug)]
pub enum Descriptor {
    /// A range of a buffer with usage UNIFORM or STORAGE.
    Buffer(BufferBinding),
    /// An array of ranges, element 0 first.
    Buffers(Vec<BufferBinding>),
    /// A view of an image with usage TEXTURE_BINDING, STORAGE_BINDING or STORAGE_ATOMIC.
    Image(ImageView),
    /// An array of views, element 0 first.
    Images(Vec<ImageView>),
    /// A sampler that compares where the layout asks for one, else one that does not.
    Sampler(Sampler),
    /// An array of samplers, element 0 first.
    Samplers(Vec<Sampler>),
    /// A view with its sampler, for a combined image sampler.
    Combined(ImageView, Sampler),
    /// An array of views with their samplers, element 0 first.
    CombinedArray(Vec<(ImageView, Sampler)>),
    /// A texel buffer.
    Texels(TexelBinding),
    /// An array of texel buffers, element 0 first.
    TexelsArray(Vec<TexelBinding>),
}

impl From<&Buffer> for Descriptor {
    fn from(buffer: &Buffer) -> Descriptor {
        Descriptor::Buffer(BufferBinding {
            buffer: buffer.clone(),
            offset: 0,
            size: None,
        })
    }
}

impl From<&ImageView> for Descriptor {
    fn from(view: &ImageView) -> Descriptor {
        Descriptor::Image(view.clone())
    }
}

impl From<&Sampler> for Descriptor {
    fn from(sampler: &Sampler) -> Descriptor {
        Descriptor::Sampler(sampler.clone())
    }
}

impl From<(&ImageView, &Sampler)> for Descriptor {
    fn from((view, sampler): (&ImageView, &Sampler)) -> Descriptor {
        Descriptor::Combined(view.clone(), sampler.clone())
    }
}

impl Descriptor {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Descriptor::Buffer(_) | Descriptor::Buffers(_) => "a buffer",
            Descriptor::Image(_) | Descriptor::Images(_) => "an image view",
            Descriptor::Sampler(_) | Descriptor::Samplers(_) => "a sampler",
            Descriptor::Combined(..) | Descriptor::CombinedArray(_) => {
                "an image view with its sampler"
            }
            Descriptor::Texels(_) | Descriptor::TexelsArray(_) => "a texel buffer",
        }
    }

    /// The ranges of a binding of buffers.
    pub(crate) fn buffers(&self) -> &[BufferBinding] {
        match self {
            Descriptor::Buffer(one) => std::slice::from_ref(one),
            Descriptor::Buffers(many) => many,
            _ => &[],
        }
    }

    /// The views of a binding of images.
    pub(crate) fn views(&self) -> impl Iterator<Item = &ImageView> {
        let (alone, combined): (&[ImageView], &[(ImageView, Sampler)]) = match self {
            Descriptor::Image(view) | Descriptor::Combined(view, _) => {
                (std::slice::from_ref(view), &[])
            }
            Descriptor::Images(views) => (views, &[]),
            Descriptor::CombinedArray(pairs) => (&[], pairs),
            _ => (&[], &[]),
        };
        let combined = combined.iter().map(|(view, _)| view);
        alone.iter().chain(combined)
    }

    pub(crate) fn elements(&self) -> Vec<Element<'_>> {
        match self {
            Descriptor::Buffer(one) => vec![Element::Buffer(one)],
            Descriptor::Buffers(many) => many.iter().map(Element::Buffer).collect(),
            Descriptor::Image(one) => vec![Element::Image(one)],
            Descriptor::Images(many) => many.iter().map(Element::Image).collect(),
            Descriptor::Sampler(one) => vec![Element::Sampler(one)],
            Descriptor::Samplers(many) => many.iter().map(Element::Sampler).collect(),
            Descriptor::Texels(one) => vec![Element::Texels(one)],
            Descriptor::TexelsArray(many) => many.iter().map(Element::Texels).collect(),
            Descriptor::Combined(view, sampler) => vec![Element::Combined(view, sampler)],
            Descriptor::CombinedArray(many) => {
                let elements = many.iter();
                elements
                    .map(|(view, sampler)| Element::Combined(view, sampler))
                    .collect()
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Element<'a> {
    Buffer(&'a BufferBinding),
    Image(&'a ImageView),
    Sampler(&'a Sampler),
    Combined(&'a ImageView, &'a Sampler),
    Texels(&'a TexelBinding),
}

impl<'a> Element<'a> {
    /// Its parts, each with its name and its device.
    pub(crate) fn objects(self) -> Vec<(&'a Label, &'a Arc<Shared>)> {
        match self {
            Element::Buffer(bound) => vec![(bound.buffer.label(), bound.buffer.shared())],
            Element::Texels(texels) => Element::Buffer(&texels.buffer).objects(),
            Element::Image(view) => vec![(view.label(), view.image().shared())],
            Element::Sampler(sampler) => vec![(sampler.label(), &sampler.inner.shared)],
            Element::Combined(view, sampler) => [
                Element::Image(view).objects(),
                Element::Sampler(sampler).objects(),
            ]
            .concat(),
        }
    }

    /// Words of one kind of descriptor.
    fn words(self, kind: DescriptorKind, chip: &dyn Chip, out: &mut Vec<u32>) {
        match (self, kind) {
            (Element::Buffer(bound), _) => chip.buffer_descriptor(range_at(bound, 0), out),
            (Element::Texels(texels), _) => {
                let buffer = range_at(&texels.buffer, 0);
                if let Some(format) = texel_format(texels.format) {
                    chip.texel_descriptor(&TexelRange { buffer, format }, out);
                }
            }
            (Element::Sampler(sampler), _)
            | (Element::Combined(_, sampler), DescriptorKind::Sampler) => {
                out.extend_from_slice(&sampler.inner.words);
            }
            (Element::Image(view) | Element::Combined(view, _), _) => {
                out.extend_from_slice(&view.inner.words);
            }
        }
    }
}

/// Describes a descriptor set, for [`Device::create_descriptor_set`].
#[derive(Clone, Copy, Debug)]
pub struct DescriptorSetDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Its layout.
    pub layout: &'a DescriptorSetLayout,
    /// What is bound, by binding number: each binding of the layout once.
    pub entries: &'a [(u32, Descriptor)],
}

/// Descriptors in video memory. A set keeps alive what is bound in it.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let uniforms = setup::buffer(&device, 16, BufferUsages::UNIFORM)?;
/// let layout = device.create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
///     label: Some("tint"),
///     entries: &[BindGroupLayoutEntry {
///         binding: 0,
///         visibility: ShaderStages::FRAGMENT,
///         ty: BindingType::Buffer {
///             ty: BufferBindingType::Uniform,
///             has_dynamic_offset: false,
///             min_binding_size: None,
///         },
///         count: None,
///     }],
/// })?;
/// let set = device.create_descriptor_set(&DescriptorSetDescriptor {
///     label: Some("tint"),
///     layout: &layout,
///     entries: &[(0, (&uniforms).into())],
/// })?;
/// # let shader = "@group(0) @binding(0) var<uniform> tint: vec4f;
/// #     @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
/// #         return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
/// #     }
/// #     @fragment fn fs() -> @location(0) vec4f { return tint; }";
/// # let pipeline = setup::pipeline(&device, shader, &[&layout], |_| ())?;
/// # let mut commands = device.create_command_buffer(None);
/// # commands.begin_pass(&RenderPass { colors: &[Some(setup::blue(&view))], ..RenderPass::default() })?;
/// # commands.bind_pipeline(&pipeline)?;
/// commands.bind_descriptor_set(0, &set, &[])?;
/// commands.draw(0..3, 0..1)?;
/// # commands.end_pass()?;
/// uniforms.write(0, &[1.0_f32, 0.0, 1.0, 1.0].map(f32::to_le_bytes).concat())?;
/// # queue.submit(&[&commands], &[])?;
/// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, [255, 0, 255, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DescriptorSet {
    pub(crate) inner: Arc<SetInner>,
}

#[derive(Debug)]
pub(crate) struct SetInner {
    pub(crate) label: Label,
    pub(crate) layout: DescriptorSetLayout,
    allocation: Option<Allocation>,
    bound: Mutex<BTreeMap<u32, Descriptor>>,
}

impl DescriptorSet {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// Its layout.
    pub fn layout(&self) -> &DescriptorSetLayout {
        &self.inner.layout
    }

    /// Binds other objects. Commands submitted afterwards see them, whenever they were recorded.
    ///
    /// Errors: those of [`Device::create_descriptor_set`] that are about an entry; then nothing is changed.
    pub fn update(&self, entries: &[(u32, Descriptor)]) -> Result<(), SetError> {
        for (binding, descriptor) in entries {
            check(&self.inner.label, &self.inner.layout, *binding, descriptor)?;
        }
        let mut bound = self.bound();
        for (binding, descriptor) in entries {
            self.write(*binding, descriptor)?;
            bound.insert(*binding, descriptor.clone());
        }
        Ok(())
    }

    pub(crate) fn bound(&self) -> MutexGuard<'_, BTreeMap<u32, Descriptor>> {
        lock(&self.inner.bound)
    }

    /// What tells it from other sets.
    pub(crate) fn id(&self) -> *const SetInner {
        Arc::as_ptr(&self.inner)
    }

    /// Where the set lies; none for one without bindings.
    pub(crate) fn address(&self) -> Option<Addr> {
        self.inner.allocation.as_ref().map(|a| a.address)
    }

    fn write(&self, binding: u32, descriptor: &Descriptor) -> Result<(), SetError> {
        let Some(allocation) = &self.inner.allocation else {
            return Ok(());
        };
        let chip = allocation.shared.driver.target.chip;
        let layout = &self.inner.layout.inner;
        let ty = &layout.entries[&binding].ty;
        let stored = matches!(
            ty,
            BindingType::StorageTexture { .. } | BindingType::StorageImage { .. }
        );
        for &kind in ty.kinds() {
            let mut words = Vec::new();
            for element in descriptor.elements() {
                match element {
                    Element::Image(view) if stored => {
                        words.extend_from_slice(&view.inner.storage_words);
                    }
                    element => element.words(kind, chip, &mut words),
                }
            }
            let at = layout.layout.offsets[&(binding, kind)];
            let address = Addr(allocation.address.0 + u64::from(at));
            let written = allocation.shared.driver.memory.write_words(address, &words);
            written.map_err(|source| SetError::Memory {
                label: self.inner.label.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

/// The bytes behind a binding that a dynamic offset is added to. A range to the end of the buffer gets shorter as it moves,
/// and so does one in a smaller buffer that took the place of the buffer for which the offset was checked.
pub(crate) fn range_at(bound: &BufferBinding, offset: u32) -> BufferRange {
    let rest = bound.buffer.size() - bound.offset;
    let rest = rest.saturating_sub(offset.into());
    let bytes = bound.size.map_or(rest, |size| size.min(rest));
    bound.buffer.range(bound.offset + u64::from(offset), bytes)
}

impl Device {
    /// Makes a set layout.
    ///
    /// Errors: any of [`SetLayoutError`].
    pub fn create_descriptor_set_layout(
        &self,
        desc: &DescriptorSetLayoutDescriptor<'_>,
    ) -> Result<DescriptorSetLayout, SetLayoutError> {
        let label = self.label_of("descriptor set layout", desc.label);
        let mut entries = BTreeMap::new();
        for entry in desc.entries {
            let binding = entry.binding;
            if !entry.ty.exists(self.shared.driver.target) {
                return Err(SetLayoutError::Type {
                    label,
                    binding,
                    kind: entry.ty.name(),
                });
            }
            if entry.count.is_some() && entry.ty.has_dynamic_offset() {
                return Err(SetLayoutError::DynamicArray { label, binding });
            }
            if entries.insert(binding, *entry).is_some() {
                return Err(SetLayoutError::Duplicate { label, binding });
            }
        }
        Ok(DescriptorSetLayout::of(self, label, entries))
    }

    /// Makes a descriptor set. Everything bound stays alive with it.
    ///
    /// Errors: any of [`SetError`].
    pub fn create_descriptor_set(
        &self,
        desc: &DescriptorSetDescriptor<'_>,
    ) -> Result<DescriptorSet, SetError> {
        let label = self.label_of("descriptor set", desc.label);
        let layout = desc.layout;
        if !self.shared.owns(&layout.inner.shared) {
            return Err(SetError::Device {
                label,
                object: layout.label().clone(),
            });
        }
        let mut bound = BTreeMap::new();
        for (binding, descriptor) in desc.entries {
            check(&label, layout, *binding, descriptor)?;
            if bound.insert(*binding, descriptor.clone()).is_some() {
                return Err(SetError::Unknown {
                    label,
                    layout: layout.label().clone(),
                    binding: *binding,
                });
            }
        }
        let mut all = layout.inner.entries.keys();
        if let Some(&binding) = all.find(|binding| !bound.contains_key(binding)) {
            return Err(SetError::Missing {
                label,
                layout: layout.label().clone(),
                binding,
            });
        }
        let bytes = layout.inner.layout.bytes;
        let align = self.shared.driver.target.chip.descriptor_bytes().set_align;
        let allocation = match bytes {
            0 => None,
            _ => match Allocation::new(&self.shared, bytes.into(), align.into()) {
                Ok(allocation) => Some(allocation),
                Err(source) => return Err(SetError::Memory { label, source }),
            },
        };
        let set = DescriptorSet {
            inner: Arc::new(SetInner {
                label,
                layout: layout.clone(),
                allocation,
                bound: Mutex::new(bound),
            }),
        };
        for (binding, descriptor) in desc.entries {
            set.write(*binding, descriptor)?;
        }
        Ok(set)
    }
}
