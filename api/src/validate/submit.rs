//! Rules of submissions: image layouts in the order in which commands run.

use std::collections::HashMap;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::command::CommandBuffer;
use crate::device::Shared;
use crate::error::Label;
use crate::image::{Image, ImageLayout, Subresources};
use crate::queue::SubmitError;
use crate::recorded::{Command, QueryCommand, Transfer};

/// Layouts as they are after a submission, by image.
pub(crate) type Changes = HashMap<usize, (Image, Vec<ImageLayout>)>;

/// Runs through the commands without doing anything but following layouts.
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
        if let Some(pass) = &buffer.recording.pass {
            return Err(SubmitError::OpenPass {
                commands: buffer.label().clone(),
                pass: pass.label.clone(),
            });
        }
        if let Some(query) = buffer.recording.queries.first() {
            return Err(SubmitError::OpenQuery {
                commands: buffer.label().clone(),
                set: query.label().clone(),
                index: query.index(),
            });
        }
        for command in &buffer.commands {
            if let Some(object) = foreign(shared, command) {
                return Err(SubmitError::OtherObject {
                    commands: buffer.label().clone(),
                    object: object.clone(),
                });
            }
            follow(buffer, command, &mut changes)?;
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
        | Command::Query(QueryCommand::Copy { to: (one, _), .. }) => [Some(buffer(one)), None],
        Command::Copy(transfer) => match &**transfer {
            Transfer::Buffer { from, to, .. } => [Some(buffer(&from.0)), Some(buffer(&to.0))],
            Transfer::Upload { from: (one, _), .. } | Transfer::Download { to: (one, _), .. } => {
                [Some(buffer(one)), None]
            }
            _ => [None, None],
        },
        Command::Pipeline(pipeline) => [Some((pipeline.label(), pipeline.shared())), None],
        Command::Set { set, .. } => [Some((set.label(), &set.layout().inner.shared)), None],
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

fn follow(
    buffer: &CommandBuffer,
    command: &Command,
    changes: &mut Changes,
) -> Result<(), SubmitError> {
    match command {
        Command::Require {
            image,
            range,
            allowed,
        } => {
            let layouts = layouts_of(changes, image);
            for index in image.indices(*range) {
                let found = layouts[index];
                if !allowed.contains(&found) {
                    let (level, layer) = place(image, index);
                    return Err(SubmitError::Layout {
                        commands: buffer.label().clone(),
                        image: image.label().clone(),
                        level,
                        layer,
                        found,
                        allowed,
                    });
                }
            }
        }
        Command::Transition {
            image,
            range,
            from,
            to,
        } => transition(buffer, image, *range, [*from, *to], changes)?,
        _ => {}
    }
    Ok(())
}

fn transition(
    buffer: &CommandBuffer,
    image: &Image,
    range: Subresources,
    [from, to]: [ImageLayout; 2],
    changes: &mut Changes,
) -> Result<(), SubmitError> {
    let layouts = layouts_of(changes, image);
    for index in image.indices(range) {
        let found = layouts[index];
        if from != ImageLayout::Undefined && from != found {
            let (level, layer) = place(image, index);
            return Err(SubmitError::Transition {
                commands: buffer.label().clone(),
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
