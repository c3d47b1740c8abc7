//! Draws that read what their own pass draws to, through input attachments: each sees what was drawn before it.
//!
//! The pass is cut in front of such a draw. Its attachments are stored, those that are read are copied, the pass goes on with
//! what was stored, and the draw reads the copies. So no draw reads what it writes itself, whatever the order of its pixels.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use pipeline::image::{Region, Rows};
use pipeline::silicon::MemoryError;
use pipeline::state::AspectAccess;
use wgpu_types as wgt;

use crate::binding::BindingType;
use crate::command::CommandBuffer;
use crate::descriptor::{Descriptor, DescriptorSet, DescriptorSetDescriptor, SetError};
use crate::device::Device;
use crate::image::{Image, ImageDescriptor, ImageError, ImageView, ImageViewDescriptor};
use crate::recorded::{BoundSet, Command, Pass, Texels, Transfer};

/// The commands with copies in front of the draws that read attachments of their own pass.
pub(crate) fn with_copies(buffer: &CommandBuffer) -> Result<Cow<'_, [Command]>, MemoryError> {
    let reads = |command: &Command| match command {
        Command::Set { bound, .. } => takes_attachments(&bound.set),
        _ => false,
    };
    if !buffer.commands.iter().any(reads) {
        return Ok(Cow::Borrowed(&buffer.commands));
    }
    let mut cutter = Cutter {
        device: &buffer.device,
        out: Vec::with_capacity(buffer.commands.len()),
        pass: None,
        state: Vec::new(),
        copies: Vec::new(),
        written: true,
    };
    for command in &buffer.commands {
        cutter.command(command)?;
    }
    Ok(Cow::Owned(cutter.out))
}

fn takes_attachments(set: &DescriptorSet) -> bool {
    let mut types = set.layout().inner.entries.values().map(|entry| &entry.ty);
    types.any(|ty| matches!(ty, BindingType::InputAttachment { .. }))
}

/// Whether a view as an input attachment shows exactly what a pass draws to.
pub(crate) fn is_own(written: &ImageView, read: &ImageView) -> bool {
    let (drawn, seen) = (written.subresources(), read.subresources());
    written.image() == read.image()
        && written.inner.slices.is_none()
        && (drawn.level, drawn.layer, drawn.layers, 1)
            == (seen.level, seen.layer, seen.layers, seen.levels)
}

/// An attachment and its copy.
struct Copied {
    image: Image,
    of: ImageView,
}

struct Cutter<'a> {
    device: &'a Device,
    out: Vec<Command>,
    /// The open pass as it was recorded, and whether a part of it ran.
    pass: Option<(Arc<Pass>, bool)>,
    /// What the open pass has set.
    state: Vec<&'a Command>,
    /// Copies of attachments of the open pass.
    copies: Vec<Copied>,
    /// Something was drawn since they were made.
    written: bool,
}

impl<'a> Cutter<'a> {
    fn command(&mut self, command: &'a Command) -> Result<(), MemoryError> {
        match command {
            Command::BeginPass(pass) => {
                self.pass = Some((pass.clone(), false));
                self.state.clear();
                self.copies.clear();
                self.written = true;
            }
            Command::EndPass => {
                self.pass = None;
                self.state.clear();
            }
            Command::ClearAttachment(..) => self.written = true,
            Command::Draw { .. } | Command::DrawIndirect { .. } => {
                let reads = self.own_reads();
                if !reads.is_empty() {
                    self.read(&reads)?;
                }
                self.written = true;
            }
            other => self.keep(other),
        }
        self.out.push(command.clone());
        Ok(())
    }

    /// Keeps what sets state of the pass, instead of what set the same before.
    fn keep(&mut self, command: &'a Command) {
        let Some(key) = key(command).filter(|_| self.pass.is_some()) else {
            return;
        };
        self.state.retain(|known| self::key(known) != Some(key));
        self.state.push(command);
    }

    /// Sets of the next draw that read attachments of the pass, each with its views of them.
    fn own_reads(&self) -> Vec<(u32, &'a BoundSet, Vec<ImageView>)> {
        let Some((pass, _)) = &self.pass else {
            return Vec::new();
        };
        let pipeline = self.state.iter().find_map(|command| match command {
            Command::Pipeline(pipeline) => Some(pipeline),
            _ => None,
        });
        let sets = pipeline.map_or(0, |pipeline| pipeline.layout().sets().len());
        let own = |command: &&'a Command| {
            let Command::Set { index, bound } = *command else {
                return None;
            };
            if *index as usize >= sets || !takes_attachments(&bound.set) {
                return None;
            }
            let held = bound.set.bound();
            let attached = bound.set.layout().inner.entries.iter();
            let attached = attached
                .filter(|(_, entry)| matches!(entry.ty, BindingType::InputAttachment { .. }));
            let views = attached.filter_map(|(binding, _)| held.get(binding));
            let views = views.flat_map(Descriptor::views);
            let own = views.filter(|view| pass.written().any(|written| is_own(written, view)));
            let own: Vec<ImageView> = own.cloned().collect();
            (!own.is_empty()).then_some((*index, bound, own))
        };
        self.state.iter().filter_map(own).collect()
    }

    /// Cuts the pass, unless nothing was drawn since the last time, and lets the draw read copies.
    fn read(&mut self, reads: &[(u32, &BoundSet, Vec<ImageView>)]) -> Result<(), MemoryError> {
        let views = reads.iter().flat_map(|(_, _, views)| views);
        let mut new = false;
        for view in views {
            new |= self.copied(view)?;
        }
        if self.written || new {
            self.cut();
            self.written = false;
        }
        for (index, bound, _) in reads {
            let set = self.with_copied_views(&bound.set)?;
            let offsets = bound.offsets.clone();
            self.out.push(Command::Set {
                index: *index,
                bound: BoundSet { set, offsets },
            });
        }
        Ok(())
    }

    /// Makes the image that an attachment is copied to; whether there was none.
    fn copied(&mut self, view: &ImageView) -> Result<bool, MemoryError> {
        if self.copies.iter().any(|copy| is_own(&copy.of, view)) {
            return Ok(false);
        }
        let image = view.image();
        let shown = view.subresources();
        let size = wgt::Extent3d {
            depth_or_array_layers: shown.layers,
            ..image.level_size(shown.level)
        };
        let made = self.device.create_image(&ImageDescriptor {
            label: Some("copy of an attachment"),
            dimension: image.shape().dimension,
            size,
            levels: 1,
            samples: image.samples(),
            format: image.format(),
            usage: image.usage(),
            placement: None,
        });
        let image = match made {
            Ok(image) => image,
            Err(ImageError::Memory { source, .. }) => return Err(source),
            Err(error) => unreachable!("an attachment is an image: {error}"),
        };
        let of = view.clone();
        self.copies.push(Copied { image, of });
        Ok(true)
    }

    /// Ends the pass, copies what is read, and goes on.
    fn cut(&mut self) {
        let Some((pass, cut)) = &mut self.pass else {
            return;
        };
        let first = !std::mem::replace(cut, true);
        let begun = self.out.iter_mut().rev().find_map(|command| match command {
            Command::BeginPass(part) => Some(part),
            _ => None,
        });
        if let Some(part) = begun {
            *part = Arc::new(part_of(pass, [first, false]));
        }
        self.out.push(Command::EndPass);
        for copy in &self.copies {
            for plane in 0..copy.image.inner.memory.planes.len() {
                let level = copy.of.subresources().level;
                let slices = copy.of.slices();
                let to = texels(&copy.image, 0, 0..slices.len() as u32, plane);
                let from = texels(copy.of.image(), level, slices, plane);
                self.out
                    .push(Command::Copy(Box::new(Transfer::Image { from, to })));
            }
        }
        let rest = part_of(pass, [false, true]);
        self.out.push(Command::BeginPass(Arc::new(rest)));
        self.out
            .extend(self.state.iter().map(|command| (*command).clone()));
    }

    /// A set that reads copies instead of attachments of the pass.
    fn with_copied_views(&self, set: &DescriptorSet) -> Result<DescriptorSet, MemoryError> {
        let mut bound: BTreeMap<u32, Descriptor> = set.bound().clone();
        for (binding, entry) in &set.layout().inner.entries {
            if !matches!(entry.ty, BindingType::InputAttachment { .. }) {
                continue;
            }
            let views = match bound.get_mut(binding) {
                Some(Descriptor::Image(view)) => std::slice::from_mut(view),
                Some(Descriptor::Images(views)) => &mut views[..],
                _ => continue,
            };
            for view in views {
                if let Some(copy) = self.copies.iter().find(|copy| is_own(&copy.of, view)) {
                    *view = self.view_of(&copy.image, view);
                }
            }
        }
        let entries: Vec<(u32, Descriptor)> = bound.into_iter().collect();
        let made = self.device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set with copies of attachments"),
            layout: set.layout(),
            entries: &entries,
        });
        match made {
            Ok(set) => Ok(set),
            Err(SetError::Memory { source, .. }) => Err(source),
            Err(error) => unreachable!("the set that it is made of is one: {error}"),
        }
    }

    /// The copy as an attachment is seen.
    fn view_of(&self, image: &Image, view: &ImageView) -> ImageView {
        let made = self.device.create_image_view(
            image,
            &ImageViewDescriptor {
                label: Some("copy of an attachment"),
                format: Some(view.format()),
                dimension: Some(view.inner.dimension),
                aspect: view.inner.aspect,
                ..ImageViewDescriptor::default()
            },
        );
        made.unwrap_or_else(|error| unreachable!("the attachment has such a view: {error}"))
    }
}

/// A part of a pass: the first loads what the pass loads, the last stores and resolves what it does, others keep all.
fn part_of(pass: &Pass, [first, last]: [bool; 2]) -> Pass {
    fn aspect<V: Copy>(access: AspectAccess<V>, [first, last]: [bool; 2]) -> AspectAccess<V> {
        match access {
            AspectAccess::Write { load, store } => AspectAccess::Write {
                load: if first { load } else { wgt::LoadOp::Load },
                store: if last { store } else { wgt::StoreOp::Store },
            },
            AspectAccess::ReadOnly => AspectAccess::ReadOnly,
        }
    }
    let mut part = pass.clone();
    for color in part.targets.colors.iter_mut().flatten() {
        if !first {
            color.load = wgt::LoadOp::Load;
        }
        if !last {
            color.store = wgt::StoreOp::Store;
            color.resolve = None;
        }
    }
    if let Some(depth) = &mut part.targets.depth_stencil {
        depth.depth = aspect(depth.depth, [first, last]);
        depth.stencil = aspect(depth.stencil, [first, last]);
        if !last {
            depth.resolve = None;
        }
    }
    part
}

/// All texels of some slices of a level, in one plane.
fn texels(image: &Image, level: u32, slices: Range<u32>, plane: usize) -> Texels {
    let size = image.level_size(level);
    Texels {
        image: image.clone(),
        region: Region {
            plane,
            level,
            x: 0..size.width,
            y: 0..size.height,
            slices,
        },
        rows: Rows::tight(0, 0),
        bytes: 0,
    }
}

/// What state a command sets; none for those that set none.
fn key(command: &Command) -> Option<(u8, u32, usize)> {
    Some(match command {
        Command::Pipeline(_) => (0, 0, 0),
        Command::Set { index, .. } => (1, *index, 0),
        Command::PushConstants { offset, bytes } => (2, *offset, bytes.len()),
        Command::VertexBuffer { slot, .. } => (3, *slot, 0),
        Command::IndexBuffer { .. } => (4, 0, 0),
        Command::Viewports { first, viewports } => (5, *first as u32, viewports.len()),
        Command::Scissors { first, scissors } => (6, *first as u32, scissors.len()),
        Command::BlendConstant(_) => (7, 0, 0),
        Command::StencilReference(_) => (8, 0, 0),
        _ => return None,
    })
}
