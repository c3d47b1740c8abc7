//! Rules of submissions: image layouts, and what sets hold, in the order in which commands run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::command::CommandBuffer;
use crate::compute::ComputePipeline;
use crate::descriptor::{DescriptorSet, SetInner};
use crate::device::Shared;
use crate::error::{Label, ordinal};
use crate::image::{Image, ImageLayout, Subresources};
use crate::pipeline::{GraphicsPipeline, PipelineLayout};
use crate::queue::SubmitError;
use crate::recorded::{BoundSet, Command, Pass, QueryCommand, Transfer};
use crate::validate::dispatch::DispatchError;
use crate::validate::draw::DrawError;
use crate::validate::sets;

/// Layouts as they are after a submission, by image.
pub(crate) type Changes = HashMap<usize, (Image, Vec<ImageLayout>)>;

/// Runs through the commands without doing anything but following layouts and what is bound.
pub(crate) fn check(
    shared: &Arc<Shared>,
    commands: &[&CommandBuffer],
) -> Result<Changes, SubmitError> {
    let mut changes = Changes::new();
    for buffer in commands {
        if !shared.owns(&buffer.device.shared) {
            return Err(SubmitError::OtherDevice {
                commands: buffer.label().clone(),
            });
        }
        if let Some(pass) = buffer.recording.open() {
            return Err(SubmitError::OpenPass {
                commands: buffer.label().clone(),
                pass: pass.clone(),
            });
        }
        if let Some(query) = buffer.recording.queries.first() {
            return Err(SubmitError::OpenQuery {
                commands: buffer.label().clone(),
                set: query.label().clone(),
                index: query.index(),
            });
        }
        let mut follow = Follow {
            buffer,
            bound: Bound::default(),
            transitions: 0,
            changes: &mut changes,
        };
        for command in &buffer.commands {
            if let Some(object) = foreign(shared, command) {
                return Err(SubmitError::OtherObject {
                    commands: buffer.label().clone(),
                    object: object.clone(),
                });
            }
            follow.command(command)?;
        }
    }
    Ok(changes)
}

/// An object of another device that a command names. Images are named by what a command requires of their layouts, and
/// query sets were looked at when they were recorded.
fn foreign<'a>(shared: &Arc<Shared>, command: &'a Command) -> Option<&'a Label> {
    let image = |image: &'a Image| (image.label(), image.shared());
    let buffer = |buffer: &'a Buffer| (buffer.label(), buffer.shared());
    let named = match command {
        Command::Require { image: one, .. } | Command::Transition { image: one, .. } => {
            [Some(image(one)), None]
        }
        Command::Fill { buffer: one, .. }
        | Command::Update { buffer: one, .. }
        | Command::VertexBuffer { buffer: one, .. }
        | Command::IndexBuffer { buffer: one, .. }
        | Command::DrawIndirect { arguments: one, .. }
        | Command::DispatchIndirect { arguments: one, .. }
        | Command::Query(QueryCommand::Copy { to: (one, _), .. }) => [Some(buffer(one)), None],
        Command::Copy(transfer) => match &**transfer {
            Transfer::Buffer { from, to, .. } => [Some(buffer(&from.0)), Some(buffer(&to.0))],
            Transfer::Upload { from: (one, _), .. } | Transfer::Download { to: (one, _), .. } => {
                [Some(buffer(one)), None]
            }
            _ => [None, None],
        },
        Command::Pipeline(pipeline) => [Some((pipeline.label(), pipeline.shared())), None],
        Command::ComputePipeline(pipeline) => [Some((pipeline.label(), pipeline.shared())), None],
        Command::Set { bound, .. } => {
            let set = &bound.set;
            [Some((set.label(), &set.layout().inner.shared)), None]
        }
        _ => [None, None],
    };
    let foreign = |(_, owner): &(&Label, &Arc<Shared>)| !shared.owns(owner);
    named
        .into_iter()
        .flatten()
        .find(foreign)
        .map(|(label, _)| label)
}

/// Makes the layouts of a submission that ran those of the images.
pub(crate) fn commit(changes: Changes) {
    for (_, (image, layouts)) in changes {
        *image.layouts() = layouts;
    }
}

/// What is bound where a submission has come to, and what of it was not looked at since it was bound.
#[derive(Default)]
struct Bound<'a> {
    pass: Option<&'a Pass>,
    /// Draws or dispatches of the pass so far.
    draws: u32,
    pipeline: Option<&'a GraphicsPipeline>,
    compute: Option<(&'a Label, Option<&'a ComputePipeline>)>,
    sets: BTreeMap<u32, &'a BoundSet>,
    unchecked_sets: BTreeSet<u32>,
    unchecked_sizes: bool,
    /// Sets whose images were looked at in the pass: layouts stay while things are drawn.
    seen: HashSet<*const SetInner>,
}

/// Follows one command buffer.
struct Follow<'a> {
    buffer: &'a CommandBuffer,
    bound: Bound<'a>,
    /// Transitions so far, those of `transition_all` left out.
    transitions: u32,
    changes: &'a mut Changes,
}

impl<'a> Follow<'a> {
    fn command(&mut self, command: &'a Command) -> Result<(), SubmitError> {
        match command {
            Command::Require {
                image,
                range,
                allowed,
                user,
            } => self.require(image, *range, allowed, || user.to_string())?,
            Command::Transition {
                image,
                range,
                from,
                to,
            } => self.transition(image, *range, *from, *to)?,
            Command::BeginPass(pass) => {
                self.bound = Bound {
                    pass: Some(pass),
                    ..Bound::default()
                };
            }
            Command::Pipeline(pipeline) => {
                self.bound.pipeline = Some(pipeline);
                self.bound.unchecked_sizes = true;
            }
            Command::BeginCompute(pass) => {
                self.bound = Bound {
                    compute: Some((pass, None)),
                    ..Bound::default()
                };
            }
            Command::ComputePipeline(pipeline) => {
                if let Some((_, bound)) = &mut self.bound.compute {
                    *bound = Some(pipeline);
                }
                self.bound.unchecked_sizes = true;
            }
            Command::Set { index, bound } => {
                self.bound.sets.insert(*index, bound);
                self.bound.unchecked_sets.insert(*index);
                self.bound.unchecked_sizes = true;
            }
            Command::Draw { .. } | Command::DrawIndirect { .. } | Command::DrawCounted { .. } => {
                self.draw()?;
            }
            Command::Dispatch(_) | Command::DispatchIndirect { .. } => self.dispatch()?,
            _ => {}
        }
        Ok(())
    }

    /// What sets hold may have changed since the draw was recorded.
    fn draw(&mut self) -> Result<(), SubmitError> {
        self.bound.draws += 1;
        let (Some(pass), Some(pipeline)) = (self.bound.pass, self.bound.pipeline) else {
            return Ok(());
        };
        let wrong = |source| SubmitError::Set {
            commands: self.buffer.label().clone(),
            source,
        };
        if std::mem::take(&mut self.bound.unchecked_sizes) {
            let sets = &self.bound.sets;
            sets::sizes(&pipeline.inner.buffers, |index| sets.get(&index).copied())
                .map_err(|found| wrong(DrawError::too_small(pipeline, *found)))?;
        }
        let label = self.buffer.label();
        self.images(pipeline.layout(), "draw", &pass.label, |set| {
            sets::feedback(pass, set).map_err(|source| SubmitError::Set {
                commands: label.clone(),
                source,
            })
        })
    }

    /// The same of a dispatch.
    fn dispatch(&mut self) -> Result<(), SubmitError> {
        self.bound.draws += 1;
        let Some((pass, Some(pipeline))) = self.bound.compute else {
            return Ok(());
        };
        if std::mem::take(&mut self.bound.unchecked_sizes) {
            let sets = &self.bound.sets;
            sets::sizes(&pipeline.inner.buffers, |index| sets.get(&index).copied()).map_err(
                |found| SubmitError::DispatchSet {
                    commands: self.buffer.label().clone(),
                    source: DispatchError::too_small(pipeline, *found),
                },
            )?;
        }
        self.images(pipeline.layout(), "dispatch", pass, |_| Ok(()))
    }

    /// The images of sets that were bound since the last draw or dispatch are in the layouts that they are used in.
    fn images(
        &mut self,
        layout: &PipelineLayout,
        what: &str,
        pass: &Label,
        check: impl Fn(&DescriptorSet) -> Result<(), SubmitError>,
    ) -> Result<(), SubmitError> {
        for index in 0..layout.sets().len() as u32 {
            let Some(&BoundSet { set, .. }) = self.bound.sets.get(&index) else {
                continue;
            };
            if !self.bound.unchecked_sets.remove(&index) {
                continue;
            }
            if self.bound.pass.is_some() && !self.bound.seen.insert(set.id()) {
                continue;
            }
            check(set)?;
            let number = self.bound.draws;
            for found in sets::images(set) {
                let by = || {
                    let (number, binding) = (ordinal(number), found.binding);
                    let set = set.label();
                    format!(
                        "the {number} {what} of {pass}, by binding {binding} of {set} at {index},"
                    )
                };
                self.require(&found.image, found.range, found.allowed, by)?;
            }
        }
        Ok(())
    }

    fn require(
        &mut self,
        image: &Image,
        range: Subresources,
        allowed: &'static [ImageLayout],
        by: impl Fn() -> String,
    ) -> Result<(), SubmitError> {
        let layouts = layouts_of(self.changes, image);
        for index in image.indices(range) {
            let found = layouts[index];
            if !allowed.contains(&found) {
                let (level, layer) = place(image, index);
                return Err(SubmitError::Layout {
                    commands: self.buffer.label().clone(),
                    by: by(),
                    image: image.label().clone(),
                    level,
                    layer,
                    found,
                    allowed,
                });
            }
        }
        Ok(())
    }

    fn transition(
        &mut self,
        image: &Image,
        range: Subresources,
        from: Option<ImageLayout>,
        to: ImageLayout,
    ) -> Result<(), SubmitError> {
        self.transitions += u32::from(from.is_some());
        let layouts = layouts_of(self.changes, image);
        for index in image.indices(range) {
            let found = layouts[index];
            if let Some(from) = from
                && from != ImageLayout::Undefined
                && from != found
            {
                let (level, layer) = place(image, index);
                return Err(SubmitError::Transition {
                    commands: self.buffer.label().clone(),
                    number: self.transitions,
                    image: image.label().clone(),
                    level,
                    layer,
                    found,
                    from,
                });
            }
            layouts[index] = to;
        }
        Ok(())
    }
}

fn layouts_of<'a>(changes: &'a mut Changes, image: &Image) -> &'a mut Vec<ImageLayout> {
    let key = Arc::as_ptr(&image.inner) as usize;
    let entry = changes.entry(key);
    &mut entry
        .or_insert_with(|| (image.clone(), image.layouts().clone()))
        .1
}

fn place(image: &Image, index: usize) -> (u32, u32) {
    let layers = image.layers();
    (index as u32 / layers, index as u32 % layers)
}
