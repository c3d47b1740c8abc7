//! Render passes: attachments, what happens to them at the start and at the end. [VULKAN Render Pass, Dynamic
//! Rendering]

use std::sync::Arc;

use pipeline::names::Name;
use pipeline::state::{ColorTarget, DepthStencilTarget, Targets};
use wgpu_types as wgt;
use wgt::TextureAspect;

use crate::command::CommandBuffer;
use crate::error::{Label, counted, rules};
use crate::image::{ImageLayout, ImageView};
use crate::recorded::{AttachmentKind, Command, Pass, PassResolve, User};

pub use pipeline::image::ResolveMode;
pub use pipeline::state::AspectAccess;
pub use wgt::{Color, LoadOp, StoreOp};

rules! {
    /// A pass that cannot begin or end.
    pub enum PassError {
        /// Passes do not nest.
        "pass-nested", "{label} begins inside {open}"
        => Nested { label: Label, open: Label };
        /// A pass that ends has begun.
        "pass-open", "no pass is open in {commands}"
        => NotOpen { commands: Label };
        /// Compute passes need a device that runs compute shaders.
        "pass-compute", "{label}: the device {device} runs no compute shaders"
        => NoCompute { label: Label, device: &'static str };
        /// A pass has at least one attachment and at most as many as the device.
        "pass-attachments", "{label} has {colors} and {depths}; it takes at least one attachment, and no more than {limit} for color",
        colors = counted(*count, "color attachment"), depths = counted(*depth, "depth-stencil attachment")
        => Attachments { label: Label, count: u32, depth: u32, limit: u32 };
        /// An attachment's image has the usage and the view shows one level; of one layer, unless the device draws to several.
        "pass-view", "{view} cannot be an attachment of {label}: {reason}"
        => View { label: Label, view: Label, reason: &'static str };
        /// A color attachment has a color format, a depth-stencil attachment a depth or stencil format.
        "pass-format", "{view} has format {format}, which cannot be a {kind} attachment", format = format.name()
        => Format { view: Label, format: wgt::TextureFormat, kind: &'static str };
        /// All attachments of a pass have the same size.
        "pass-size", "{view} is {width}x{height}, but {label} is {wanted_width}x{wanted_height}"
        => Size { label: Label, view: Label, width: u32, height: u32, wanted_width: u32, wanted_height: u32 };
        /// All attachments of a pass have the same number of layers.
        "pass-layers", "{view} has {layers}, but {label} has {wanted}", layers = counted(*layers, "layer")
        => Layers { label: Label, view: Label, layers: u32, wanted: u32 };
        /// No image is attached twice.
        "pass-twice", "{label} attaches {view} twice"
        => Twice { label: Label, view: Label };
        /// All attachments of a pass have the same number of samples.
        "pass-samples", "{view} has {samples}, but {label} has {wanted}", samples = counted(*samples, "sample")
        => Samples { label: Label, view: Label, samples: u32, wanted: u32 };
        /// Several samples are resolved to one, in an image of the same format and size, in a way that the format has.
        "pass-resolve", "{view} cannot be resolved to {to}: {reason}"
        => Resolve { view: Label, to: Label, reason: &'static str };
        /// Stream output ends before the pass does.
        "pass-stream", "the pass ends in {commands}, but stream output is on; call `end_stream_output` before"
        => Streaming { commands: Label };
        /// Depth is cleared to 0..1.
        "pass-depth-clear", "{label} clears depth to {value}"
        => DepthClear { label: Label, value: f32 };
    }
}

/// One colour attachment of a [`RenderPass`]: what is drawn to, what it holds before, what is kept.
#[derive(Clone, Copy, Debug)]
pub struct ColorAttachment<'a> {
    /// What is drawn to: one level of an image with usage RENDER_ATTACHMENT, in layout `ColorAttachment` or `General`. It
    /// shows one layer (or depth slice), or several on devices with
    /// [`Features::layered_passes`](crate::Features::layered_passes).
    pub view: &'a ImageView,
    /// Where its samples go as one when the pass ends.
    pub resolve: Option<Resolve<'a>>,
    /// What it holds at the start. Clears convert to the format; integer formats take the whole numbers.
    pub load: LoadOp<Color>,
    /// Whether it is kept at the end; `Discard` leaves the texels undefined.
    pub store: StoreOp,
}

impl<'a> From<&'a ImageView> for ColorAttachment<'a> {
    /// Cleared to transparent black, and kept.
    fn from(view: &'a ImageView) -> ColorAttachment<'a> {
        ColorAttachment {
            view,
            resolve: None,
            load: LoadOp::Clear(Color::TRANSPARENT),
            store: StoreOp::Store,
        }
    }
}

/// Where the samples of a colour attachment go as one when the pass ends. From a view, the average is taken. A pixel
/// that is half covered by each of two colours becomes their mean:
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (_, samples) = setup::image(&device, TextureFormat::Rgba8Unorm, 4)?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let half = setup::FILL.replace("* 4.0 - 1.0, f32(i >> 1u)", "* 4.0 - 0.9375, f32(i >> 1u)");
/// # let pipeline = setup::pipeline(&device, &half, &[], |desc| desc.multisample.count = 4)?;
/// # let mut commands = device.create_command_buffer(None);
/// let color = ColorAttachment {
///     view: &samples,
///     resolve: Some((&view).into()),
///     load: LoadOp::Clear(Color::BLUE),
///     store: StoreOp::Discard,
/// };
/// commands.begin_pass(&RenderPass { colors: &[Some(color)], ..RenderPass::default() })?;
/// # commands.bind_pipeline(&pipeline)?;
/// commands.draw(0..3, 0..1)?; // its left edge goes through the middle of the first column
/// commands.end_pass()?;
/// queue.submit(&[&commands], &[])?;
/// let picture = queue.read_picture(&image)?;
/// assert_eq!(picture.get_pixel(8, 8).0, [255, 128, 0, 255]);
/// let [red, _, blue, _] = picture.get_pixel(0, 8).0;
/// assert!((126..=129).contains(&red) && (126..=129).contains(&blue));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Resolve<'a> {
    /// An image with one sample, of the same format and size, in layout `ColorAttachment` or `General`. All of it is
    /// written.
    pub view: &'a ImageView,
    /// Which value stands for all samples. Integer formats have no average.
    pub mode: ResolveMode,
}

impl<'a> From<&'a ImageView> for Resolve<'a> {
    fn from(view: &'a ImageView) -> Resolve<'a> {
        let mode = ResolveMode::Average;
        Resolve { view, mode }
    }
}

/// Where the samples of a depth-stencil attachment go as one when the pass ends.
#[derive(Clone, Copy, Debug)]
pub struct DepthStencilResolve<'a> {
    /// An image with one sample, of the same format and size, in layout `DepthStencilAttachment` or `General`.
    pub view: &'a ImageView,
    /// Which depth stands for all samples; none leaves the image's depth alone.
    pub depth: Option<ResolveMode>,
    /// The same for stencil, which has no average.
    pub stencil: Option<ResolveMode>,
}

/// The depth-stencil attachment: per pixel (or sample) a depth from 0, near, to 1, far, and 8 bits of stencil.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let blue = setup::blue(&view); // clears to blue
/// # let (_, depths) = setup::image(&device, TextureFormat::Depth32Float, 1)?;
/// # let at_half = setup::pipeline(&device, setup::FILL, &[], |desc| {
/// #     desc.depth_stencil = Some(setup::depth(CompareFunction::Less))
/// # })?;
/// # let mut commands = device.create_command_buffer(None);
/// for near in [0.25, 0.75] {
///     commands.begin_pass(&RenderPass {
///         label: Some("half as deep"),
///         colors: &[Some(blue)],
///         depth_stencil: Some(DepthStencilAttachment {
///             view: &depths,
///             depth: AspectAccess::Write { load: LoadOp::Clear(near), store: StoreOp::Store },
///             stencil: AspectAccess::ReadOnly,
///             resolve: None,
///         }),
///     })?;
///     commands.bind_pipeline(&at_half)?; // compares by Less
///     commands.draw(0..3, 0..1)?;
///     commands.end_pass()?;
///     queue.submit(&[&commands], &[])?;
///     commands.reset();
///     let drawn = queue.read_picture(&image)?.get_pixel(8, 8).0 == [255, 128, 0, 255];
///     assert_eq!(drawn, 0.5 < near);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DepthStencilAttachment<'a> {
    /// What is tested and drawn to: one level of a depth or stencil format, with as many layers as the others, in layout
    /// `DepthStencilAttachment` or `General` (or `DepthStencilReadOnly`, if no aspect is written).
    pub view: &'a ImageView,
    /// Access to depth; clears are 0 to 1.
    pub depth: AspectAccess<f32>,
    /// Access to stencil; the low 8 bits of clears count.
    pub stencil: AspectAccess<u32>,
    /// Where its samples go as one when the pass ends.
    pub resolve: Option<DepthStencilResolve<'a>>,
}

impl<'a> From<&'a ImageView> for DepthStencilAttachment<'a> {
    /// Cleared to depth 1 and stencil 0, and kept.
    fn from(view: &'a ImageView) -> DepthStencilAttachment<'a> {
        DepthStencilAttachment {
            view,
            depth: AspectAccess::Write {
                load: LoadOp::Clear(1.0),
                store: StoreOp::Store,
            },
            stencil: AspectAccess::Write {
                load: LoadOp::Clear(0),
                store: StoreOp::Store,
            },
            resolve: None,
        }
    }
}

/// Describes a pass: at least one attachment, all of the same size, number of samples and number of layers. The pass is as
/// large as they are; viewport and scissor start as all of it.
///
/// With several layers, the pass loads, clears, stores and resolves all of them. A primitive is drawn to the layer that the last
/// vertex or geometry shader gives its provoking vertex, counted from the first one of the views: to the first where
/// it gives none, and nowhere where there is no such layer.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let orange = setup::pipeline(&device, setup::FILL, &[], |_| ())?;
/// let mut commands = device.create_command_buffer(Some("frame"));
/// for load in [LoadOp::Clear(Color::BLUE), LoadOp::Load] {
///     commands.begin_pass(&RenderPass {
///         label: Some("a quarter"),
///         colors: &[Some(ColorAttachment { view: &view, resolve: None, load, store: StoreOp::Store })],
///         depth_stencil: None,
///     })?;
///     commands.bind_pipeline(&orange)?;
///     let x = if matches!(load, LoadOp::Load) { 8 } else { 0 };
///     commands.set_scissor(Rect { x, y: x, width: 8, height: 8 })?;
///     commands.draw(0..3, 0..1)?;
///     commands.end_pass()?;
/// }
/// queue.submit(&[&commands], &[])?;
/// let picture = queue.read_picture(&image)?;
/// let colors = [(4, 4), (12, 4), (12, 12)].map(|(x, y)| picture.get_pixel(x, y).0);
/// assert_eq!(colors, [[255, 128, 0, 255], [0, 0, 255, 255], [255, 128, 0, 255]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct RenderPass<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// Colour attachments by number, up to [`Limits::color_attachments`](crate::Limits::color_attachments); a number
    /// may be left out.
    pub colors: &'a [Option<ColorAttachment<'a>>],
    /// Depth-stencil attachment; none tests nothing.
    pub depth_stencil: Option<DepthStencilAttachment<'a>>,
}

/// Describes a compute pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct ComputePass<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
}

impl Pass {
    /// What draws write.
    pub(crate) fn written(&self) -> impl Iterator<Item = &ImageView> {
        let depth = self.targets.depth_stencil.iter();
        let depth = depth.filter(|d| !d.depth.is_read_only() || !d.stencil.is_read_only());
        let colors = self.targets.colors.iter().flatten();
        colors
            .map(|color| &color.view)
            .chain(depth.map(|depth| &depth.view))
    }

    /// Colour attachments by number.
    fn colors(&self) -> impl Iterator<Item = (u32, &ColorTarget<ImageView>)> {
        let colors = self.targets.colors.iter().enumerate();
        colors.filter_map(|(n, color)| Some((n as u32, color.as_ref()?)))
    }

    /// Everything to resolve, aspect by aspect.
    pub(crate) fn resolves(&self) -> Vec<PassResolve> {
        let mut found = Vec::new();
        let mut add = |attachment, from: &ImageView, to: &ImageView, aspect, mode| {
            let (from, to) = (from.clone(), to.clone());
            found.push(PassResolve {
                from,
                to,
                attachment,
                aspect,
                mode,
            });
        };
        for (index, color) in self.colors() {
            if let Some((to, mode)) = &color.resolve {
                let attachment = AttachmentKind::Color(index);
                add(attachment, &color.view, to, TextureAspect::All, *mode);
            }
        }
        if let Some(depth) = &self.targets.depth_stencil
            && let Some((to, [depth_mode, stencil_mode])) = &depth.resolve
        {
            let aspects = [
                (TextureAspect::DepthOnly, depth_mode),
                (TextureAspect::StencilOnly, stencil_mode),
            ];
            for (aspect, mode) in aspects {
                if let Some(mode) = mode {
                    let attachment = AttachmentKind::DepthStencil;
                    add(attachment, &depth.view, to, aspect, *mode);
                }
            }
        }
        found
    }
}

impl CommandBuffer {
    /// Begins a pass: what follows until [`CommandBuffer::end_pass`] draws to its attachments. It starts with nothing
    /// bound.
    ///
    /// Errors: any of [`PassError`] but [`PassError::NotOpen`].
    pub fn begin_pass(&mut self, desc: &RenderPass<'_>) -> Result<(), PassError> {
        let label = Label::new("pass", desc.label, Some(self.recording.passes() + 1));
        if let Some(open) = self.recording.open() {
            return Err(PassError::Nested {
                label,
                open: open.clone(),
            });
        }
        let pass = self.check_pass(label, desc)?;
        let user = |kind, resolved| User::Attachment {
            pass: pass.label.clone(),
            kind,
            resolved,
        };
        for (index, ColorTarget { view, .. }) in pass.colors() {
            let allowed = &[ImageLayout::ColorAttachment, ImageLayout::General];
            let user = user(AttachmentKind::Color(index), false);
            self.require(view.image(), view.subresources(), allowed, user);
        }
        if let Some(depth) = &pass.targets.depth_stencil {
            let allowed: &[ImageLayout] =
                if depth.depth.is_read_only() && depth.stencil.is_read_only() {
                    &[
                        ImageLayout::DepthStencilReadOnly,
                        ImageLayout::DepthStencilAttachment,
                        ImageLayout::General,
                    ]
                } else {
                    &[ImageLayout::DepthStencilAttachment, ImageLayout::General]
                };
            let user = user(AttachmentKind::DepthStencil, false);
            self.require(depth.view.image(), depth.view.subresources(), allowed, user);
        }
        for resolve in pass.resolves() {
            let allowed: &[ImageLayout] = match resolve.aspect {
                TextureAspect::All => &[ImageLayout::ColorAttachment, ImageLayout::General],
                _ => &[ImageLayout::DepthStencilAttachment, ImageLayout::General],
            };
            let view = &resolve.to;
            let user = user(resolve.attachment, true);
            self.require(view.image(), view.subresources(), allowed, user);
        }
        let pass = Arc::new(pass);
        self.recording.begin(pass.clone());
        self.push(Command::BeginPass(pass));
        Ok(())
    }

    /// Begins a compute pass, which [`CommandBuffer::end_pass`] ends: dispatches are recorded in it. It starts with
    /// nothing bound. What one dispatch writes, the next reads.
    ///
    /// Errors: [`PassError::Nested`], [`PassError::NoCompute`].
    pub fn begin_compute_pass(&mut self, desc: &ComputePass<'_>) -> Result<(), PassError> {
        let number = Some(self.recording.passes() + 1);
        let label = Label::new("compute pass", desc.label, number);
        if let Some(open) = self.recording.open() {
            let open = open.clone();
            return Err(PassError::Nested { label, open });
        }
        if !self.device.features().compute {
            let device = self.device.physical_device().info().name;
            return Err(PassError::NoCompute { label, device });
        }
        self.recording.begin_compute(label.clone());
        self.push(Command::BeginCompute(label));
        Ok(())
    }

    /// Ends the pass, of either kind: attachments are resolved and stored.
    ///
    /// Errors: [`PassError::NotOpen`], [`PassError::Streaming`].
    pub fn end_pass(&mut self) -> Result<(), PassError> {
        if self.recording.compute.take().is_some() {
            return Ok(());
        }
        if self.recording.streaming {
            let commands = self.label().clone();
            return Err(PassError::Streaming { commands });
        }
        let Some(pass) = self.recording.pass.take() else {
            return Err(PassError::NotOpen {
                commands: self.label().clone(),
            });
        };
        self.push(Command::EndPass);
        let chip = self.device.shared.driver.target.chip;
        for resolve in pass.resolves() {
            if !chip.resolves(resolve.aspect, resolve.mode) {
                self.push(Command::Resolve(Box::new(resolve)));
            }
        }
        Ok(())
    }

    fn check_pass(&self, label: Label, desc: &RenderPass<'_>) -> Result<Pass, PassError> {
        let limit = self.device.limits().color_attachments;
        let count = desc.colors.len() as u32;
        let views: Vec<&ImageView> = (desc.colors.iter().flatten().map(|color| color.view))
            .chain(desc.depth_stencil.map(|depth| depth.view))
            .collect();
        let Some(first) = views.first().filter(|_| count <= limit) else {
            return Err(PassError::Attachments {
                label,
                count,
                depth: desc.depth_stencil.is_some().into(),
                limit,
            });
        };
        let size = first.size();
        let layers = first.slices().len() as u32;
        let samples = first.image().samples();
        for (i, view) in views.iter().enumerate() {
            self.check_view(&label, view)?;
            let given = view.size();
            if (given.width, given.height) != (size.width, size.height) {
                return Err(PassError::Size {
                    label,
                    view: view.label().clone(),
                    width: given.width,
                    height: given.height,
                    wanted_width: size.width,
                    wanted_height: size.height,
                });
            }
            let given = view.image().samples();
            if given != samples {
                return Err(PassError::Samples {
                    label,
                    view: view.label().clone(),
                    samples: given,
                    wanted: samples,
                });
            }
            let given = view.slices().len() as u32;
            if given != layers {
                return Err(PassError::Layers {
                    label,
                    view: view.label().clone(),
                    layers: given,
                    wanted: layers,
                });
            }
            if views[..i].iter().any(|other| overlap(other, view)) {
                return Err(PassError::Twice {
                    label,
                    view: view.label().clone(),
                });
            }
        }
        let pass = Pass {
            targets: Targets {
                colors: check_colors(desc)?,
                depth_stencil: check_depth(&label, desc)?,
                width: size.width,
                height: size.height,
            },
            label,
            samples,
        };
        self.check_resolves(&pass)?;
        Ok(pass)
    }

    fn check_view(&self, label: &Label, view: &ImageView) -> Result<(), PassError> {
        let usage = wgt::TextureUsages::RENDER_ATTACHMENT;
        let reason = if !view.image().usage().contains(usage) {
            "its image lacks the usage RENDER_ATTACHMENT"
        } else if view.subresources().levels != 1 {
            "it shows more than one level"
        } else if view.slices().len() > 1 && !self.device.features().layered_passes {
            "it shows more than one layer, and the device draws to one at a time"
        } else {
            return Ok(());
        };
        Err(PassError::View {
            label: label.clone(),
            view: view.label().clone(),
            reason,
        })
    }

    fn check_resolves(&self, pass: &Pass) -> Result<(), PassError> {
        let (label, found) = (&pass.label, pass.resolves());
        for (n, resolve) in found.iter().enumerate() {
            self.check_view(label, &resolve.to)?;
            check_resolve(resolve)?;
            let same = |other: &PassResolve| {
                other.aspect == resolve.aspect && overlap(&other.to, &resolve.to)
            };
            if found[..n].iter().any(same) {
                return Err(PassError::Twice {
                    label: label.clone(),
                    view: resolve.to.label().clone(),
                });
            }
        }
        Ok(())
    }
}

fn overlap(a: &ImageView, b: &ImageView) -> bool {
    let (x, y) = (a.slices(), b.slices());
    std::sync::Arc::ptr_eq(&a.image().inner, &b.image().inner)
        && a.subresources().level == b.subresources().level
        && x.start < y.end
        && y.start < x.end
}

fn check_colors(desc: &RenderPass<'_>) -> Result<Vec<Option<ColorTarget<ImageView>>>, PassError> {
    let mut colors = Vec::with_capacity(desc.colors.len());
    for color in desc.colors {
        let Some(color) = color else {
            colors.push(None);
            continue;
        };
        let view = color.view;
        if view.format().is_depth_stencil_format() {
            return Err(PassError::Format {
                view: view.label().clone(),
                format: view.format(),
                kind: "color",
            });
        }
        colors.push(Some(ColorTarget {
            view: view.clone(),
            load: color.load,
            store: color.store,
            resolve: (color.resolve).map(|resolve| (resolve.view.clone(), resolve.mode)),
        }));
    }
    Ok(colors)
}

fn check_resolve(resolve: &PassResolve) -> Result<(), PassError> {
    let (from, to) = (&resolve.from, &resolve.to);
    let format = from.format().aspect_specific_format(resolve.aspect);
    let row = format.and_then(pipeline::format::texture_format);
    let reason = if from.image().samples() == 1 {
        "it has one sample already"
    } else if to.image().samples() != 1 {
        "that has several samples"
    } else if to.format() != from.format() {
        "the formats differ"
    } else if to.size() != from.size() {
        "the sizes differ"
    } else if to.slices().len() != from.slices().len() {
        "the numbers of layers differ"
    } else if row.is_none_or(|row| !resolve.mode.suits(row)) {
        "its format cannot be resolved so"
    } else {
        return Ok(());
    };
    Err(PassError::Resolve {
        view: from.label().clone(),
        to: to.label().clone(),
        reason,
    })
}

fn check_depth(
    label: &Label,
    desc: &RenderPass<'_>,
) -> Result<Option<DepthStencilTarget<ImageView>>, PassError> {
    let Some(depth) = &desc.depth_stencil else {
        return Ok(None);
    };
    let view = depth.view;
    if !view.format().is_depth_stencil_format() {
        return Err(PassError::Format {
            view: view.label().clone(),
            format: view.format(),
            kind: "depth-stencil",
        });
    }
    if let Some(value) = depth.depth.clear()
        && !(0.0..=1.0).contains(&value)
    {
        return Err(PassError::DepthClear {
            label: label.clone(),
            value,
        });
    }
    Ok(Some(DepthStencilTarget {
        view: view.clone(),
        depth: depth.depth,
        stencil: depth.stencil,
        resolve: (depth.resolve)
            .map(|resolve| (resolve.view.clone(), [resolve.depth, resolve.stencil])),
    }))
}
