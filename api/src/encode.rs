//! Recorded commands to one or more command streams, run as they come.
//!
//! Copies that involve images are done by the driver between streams: it tiles and untiles in software. Everything
//! else is words that the chip runs.

use pipeline::compile::CompiledPipeline;
use pipeline::encode::Encoder;
use pipeline::image::{Plane, Region};
use pipeline::silicon::{Addr, MemoryError};
use pipeline::state::{BufferRange, Draw, Indices, IndirectDraw, PassTargets};
use wgpu_types as wgt;

use crate::buffer::Buffer;
use crate::command::{Command, CommandBuffer};
use crate::copy::Transfer;
use crate::descriptor::{Descriptor, DescriptorSet, range_of};
use crate::device::{Machine, Shared};
use crate::image::ImageView;
use crate::memory::Allocation;
use crate::pass::Pass;
use crate::query::QueryCommand;
use crate::queue::SubmitError;
use crate::resolve;

/// Runs a command buffer to its end.
pub(crate) fn run(
    shared: &std::sync::Arc<Shared>,
    machine: &mut Machine,
    buffer: &CommandBuffer,
) -> Result<(), SubmitError> {
    let memory_error = |source| SubmitError::Memory {
        commands: buffer.label().clone(),
        source,
    };
    let mut rest = buffer.commands.as_slice();
    loop {
        let host = rest.iter().position(is_host);
        let (words, after) = rest.split_at(host.unwrap_or(rest.len()));
        if words.iter().any(is_work) {
            // Freed when the stream has run.
            let mut transient = Vec::new();
            let mut allocate = |bytes: u64, align: u64| {
                let allocation = Allocation::new(shared, bytes, align)?;
                let address = allocation.address;
                transient.push(allocation);
                Ok(address)
            };
            let stream = encode(shared, words, &mut allocate).map_err(memory_error)?;
            machine
                .execute(stream)
                .map_err(|trap| SubmitError::Lost { trap })?;
        }
        let Some((host, after)) = after.split_first() else {
            return Ok(());
        };
        match host {
            Command::Copy(transfer) => host_copy(transfer),
            Command::Query(QueryCommand::Copy {
                set,
                range,
                to: (buffer, offset),
                availability,
            }) => {
                let numbers = set.numbers(range.clone(), *availability);
                buffer
                    .write(*offset, bytemuck::cast_slice(&numbers))
                    .expect("the range was checked when the copy was recorded");
            }
            Command::Resolve(resolve) => resolve::on_host(shared, resolve).map_err(memory_error)?,
            _ => {}
        }
        rest = after;
    }
}

/// Copies and resolves that the driver does itself.
fn is_host(command: &Command) -> bool {
    match command {
        Command::Copy(transfer) => !matches!(**transfer, Transfer::Buffer { .. }),
        Command::Query(query) => matches!(query, QueryCommand::Copy { .. }),
        Command::Resolve(resolve) => !resolve::is_on_chip(resolve),
        _ => false,
    }
}

/// Commands that come to words.
fn is_work(command: &Command) -> bool {
    !matches!(
        command,
        Command::Require { .. } | Command::Transition { .. }
    )
}

fn host_copy(transfer: &Transfer) {
    match transfer {
        Transfer::Buffer { .. } => {}
        Transfer::Upload {
            from: (buffer, offset),
            to,
        } => {
            let mut texels = vec![0; to.bytes as usize];
            buffer
                .read(*offset, &mut texels)
                .expect("the range was checked when the copy was recorded");
            to.write(&texels);
        }
        Transfer::Download {
            from,
            to: (buffer, offset),
        } => {
            // Bytes between rows stay what they are.
            let mut texels = vec![0; from.bytes as usize];
            buffer
                .read(*offset, &mut texels)
                .expect("the range was checked when the copy was recorded");
            from.read(&mut texels);
            buffer
                .write(*offset, &texels)
                .expect("the range was checked when the copy was recorded");
        }
        Transfer::Image { from, to } => {
            let mut texels = vec![0; from.bytes as usize];
            for sample in 0..from.image.samples() {
                from.read_sample(sample, &mut texels);
                to.write_sample(sample, &texels);
            }
        }
        Transfer::Resolve { from, to, mode } => from.resolve_to(to, *mode),
        Transfer::Blit(blit) => blit.run(),
    }
}

/// State of a pass that draws take along.
#[derive(Default)]
struct Bound<'a> {
    /// What resolves are drawn with, where there are any.
    resolver: Option<&'a CompiledPipeline>,
    index_buffer: Option<(&'a Buffer, u64, wgt::IndexFormat)>,
}

fn encode(
    shared: &Shared,
    commands: &[Command],
    allocate: &mut dyn FnMut(u64, u64) -> Result<Addr, MemoryError>,
) -> Result<std::ops::Range<Addr>, MemoryError> {
    let resolves = |command: &Command| matches!(command, Command::Resolve(_));
    let resolver = match commands.iter().any(resolves) {
        true => Some(resolve::pipeline(shared, allocate)?),
        false => None,
    };
    let mut encoder = Encoder::new(&shared.driver, allocate);
    let mut bound = Bound {
        resolver: resolver.as_ref(),
        ..Bound::default()
    };
    for command in commands {
        encode_one(&mut encoder, &mut bound, command)?;
    }
    encoder.finish()
}

fn encode_one<'a>(
    encoder: &mut Encoder<'a>,
    bound: &mut Bound<'a>,
    command: &'a Command,
) -> Result<(), MemoryError> {
    match command {
        Command::Require { .. } | Command::Transition { .. } => {}
        Command::EndPass => encoder.end_pass(),
        Command::Resolve(resolve) => {
            if let Some(pipeline) = bound.resolver {
                resolve::on_chip(encoder, pipeline, resolve)?;
            }
        }
        Command::Fill {
            buffer,
            range,
            word,
        } => {
            let at = buffer.range(range.start, 0).address;
            encoder.fill(at, range.end - range.start, &word.to_le_bytes())?;
        }
        Command::Update {
            buffer,
            offset,
            bytes,
        } => encoder.update(buffer.range(*offset, 0).address, bytes)?,
        Command::Clear(clear) => {
            encoder.move_back();
            clear.encode(encoder)?;
            encoder.move_away();
        }
        Command::Query(QueryCommand::Begin(set, index)) => {
            encoder.begin_query(set.kind(), set.at(*index));
        }
        Command::Query(QueryCommand::End(set, index)) => {
            encoder.end_query(set.kind(), set.at(*index));
        }
        Command::Query(QueryCommand::Reset(set, range)) => {
            let (at, bytes) = set.bytes(range);
            encoder.fill(at, bytes, &[0])?;
        }
        Command::Query(QueryCommand::Copy { .. }) => {}
        Command::Copy(transfer) => {
            if let Transfer::Buffer { from, to, bytes } = &**transfer {
                let at = |(buffer, offset): &(Buffer, u64)| buffer.range(*offset, 0).address;
                encoder.copy(at(from), at(to), *bytes);
            }
        }
        Command::BeginPass(pass) => begin_pass(encoder, pass)?,
        Command::Pipeline(pipeline) => encoder.bind_pipeline(&pipeline.inner.compiled),
        Command::Set {
            index,
            set,
            offsets,
        } => bind_set(encoder, *index, set, offsets)?,
        Command::PushConstants { offset, bytes } => encoder.push_constants(*offset, bytes),
        Command::VertexBuffer {
            slot,
            buffer,
            offset,
        } => encoder.bind_vertex_buffer(*slot, rest_of(buffer, *offset)),
        Command::IndexBuffer {
            buffer,
            offset,
            format,
        } => bound.index_buffer = Some((buffer, *offset, *format)),
        Command::Viewports { first, viewports } => encoder.change(|state| {
            state.viewports[*first..][..viewports.len()].copy_from_slice(viewports);
        }),
        Command::Scissors { first, scissors } => encoder.change(|state| {
            state.scissors[*first..][..scissors.len()].copy_from_slice(scissors);
        }),
        Command::BlendConstant(constant) => {
            encoder.change(|state| state.blend_constant = *constant);
        }
        Command::StencilReference(reference) => {
            encoder.change(|state| state.stencil_reference = *reference);
        }
        Command::Draw {
            elements,
            instances,
            base_vertex,
        } => {
            if elements.is_empty() || instances.is_empty() {
                return Ok(());
            }
            let indices = base_vertex.and_then(|base_vertex| {
                let (buffer, offset, format) = bound.index_buffer?;
                Some(Indices {
                    buffer: rest_of(buffer, offset),
                    format,
                    base_vertex,
                })
            });
            encoder.draw(&Draw {
                count: elements.end - elements.start,
                first: elements.start,
                instances: instances.end - instances.start,
                first_instance: instances.start,
                indices,
                draw_index: 0,
            })?;
        }
        Command::DrawIndirect {
            arguments,
            offset,
            draws,
            stride,
            indexed,
        } => {
            let bound = bound.index_buffer.filter(|_| *indexed);
            let indices = bound.map(|(buffer, offset, format)| (rest_of(buffer, offset), format));
            for draw_index in 0..*draws {
                let offset = offset + u64::from(draw_index) * u64::from(*stride);
                encoder.draw_indirect(&IndirectDraw {
                    arguments: arguments.range(offset, 0).address,
                    indices,
                    draw_index,
                })?;
            }
        }
    }
    Ok(())
}

fn rest_of(buffer: &Buffer, offset: u64) -> BufferRange {
    buffer.range(offset, buffer.size() - offset)
}

/// Clears what is to be cleared, then sets the attachments.
fn begin_pass(encoder: &mut Encoder<'_>, pass: &Pass) -> Result<(), MemoryError> {
    for (view, clear) in pass.colors.iter().flatten() {
        if let Some(color) = clear {
            let mut bytes = [0; 16];
            let size = pack_color(view.format(), color, &mut bytes);
            clear_view(encoder, view, 0, &bytes[..size])?;
        }
    }
    if let Some(depth) = &pass.depth_stencil {
        let view = &depth.view;
        let planes = &view.image().inner.memory.planes;
        // Planes between each other's bytes, cleared together, are one range of whole elements.
        let mut whole = Some([0; 16]).filter(|_| planes.iter().all(Plane::is_interleaved));
        let mut clears = Vec::new();
        for (i, plane) in planes.iter().enumerate() {
            let stencil = plane.aspect == wgt::TextureAspect::StencilOnly;
            let mut bytes = [0; 16];
            match (stencil, depth.depth_clear, depth.stencil_clear) {
                (true, _, Some(value)) => bytes[0] = value as u8,
                (false, Some(value), _) => {
                    let format = view.image().format();
                    let aspect = format.aspect_specific_format(plane.aspect);
                    pack_depth(aspect.unwrap_or(format), value, &mut bytes);
                }
                _ => {
                    whole = None;
                    continue;
                }
            }
            let (place, held) = (plane.place as usize, plane.held_bytes as usize);
            if let Some(whole) = &mut whole {
                whole[place..][..held].copy_from_slice(&bytes[..held]);
            }
            clears.push((i, bytes, held));
        }
        match (whole, planes.first()) {
            (Some(texel), Some(plane)) => {
                clear_slices(encoder, view, plane, &texel[..plane.stored_bytes as usize])?;
            }
            _ => {
                for (i, bytes, held) in clears {
                    clear_view(encoder, view, i, &bytes[..held])?;
                }
            }
        }
    }
    encoder.begin_pass(&PassTargets {
        colors: pass
            .colors
            .iter()
            .map(|color| color.as_ref().map(|(view, _)| view.attachment()))
            .collect(),
        depth_stencil: pass.depth_stencil.as_ref().map(|d| d.view.attachment()),
        depth_read_only: pass
            .depth_stencil
            .as_ref()
            .is_some_and(|d| d.depth_read_only),
        stencil_read_only: pass
            .depth_stencil
            .as_ref()
            .is_some_and(|d| d.stencil_read_only),
        width: pass.width,
        height: pass.height,
        stand_in: None,
    })
}

/// Fills the slice that an attachment shows. A slice is one range of memory, whatever the order of its texels.
fn clear_view(
    encoder: &mut Encoder<'_>,
    view: &ImageView,
    plane: usize,
    texel: &[u8],
) -> Result<(), MemoryError> {
    let image = &view.image().inner;
    let range = view.subresources();
    let level = &image.memory.planes[plane].levels[range.level as usize];
    if image.memory.planes[plane].is_interleaved() {
        let first = view.first_slice();
        let region = Region {
            plane,
            level: range.level,
            x: 0..level.width,
            y: 0..level.height,
            slices: first..first + range.layers,
        };
        let chip = image.allocation.shared.driver.target.chip;
        let pieces = pipeline::image::pieces(chip, &image.memory, &region);
        return encoder.fill_pieces(image.base, &pieces, texel);
    }
    clear_slices(encoder, view, &image.memory.planes[plane], texel)
}

/// Fills the slices that an attachment shows, whatever lies in them.
fn clear_slices(
    encoder: &mut Encoder<'_>,
    view: &ImageView,
    plane: &Plane,
    texel: &[u8],
) -> Result<(), MemoryError> {
    let range = view.subresources();
    let level = &plane.levels[range.level as usize];
    let start = level.offset + u64::from(view.first_slice()) * level.slice_bytes;
    let bytes = level.slice_bytes * u64::from(range.layers);
    encoder.fill(Addr(view.image().inner.base.0 + start), bytes, texel)
}

/// Packs a clear colour as the format stores it; integer formats take the whole numbers.
pub(crate) fn pack_color(
    format: wgt::TextureFormat,
    color: &wgt::Color,
    bytes: &mut [u8; 16],
) -> usize {
    let Some(row) = pipeline::format::texture_format(format) else {
        return 4;
    };
    use pipeline::silicon::texture::format::Class;
    let value = [color.r, color.g, color.b, color.a].map(|c| match row.class() {
        Class::Uint => c as u32,
        Class::Sint => c as i32 as u32,
        _ => (c as f32).to_bits(),
    });
    row.pack(value, bytes);
    row.size_bytes() as usize
}

pub(crate) fn pack_depth(format: wgt::TextureFormat, value: f32, bytes: &mut [u8; 16]) {
    if let Some(row) = pipeline::format::texture_format(format) {
        row.pack([value.to_bits(), 0, 0, 0], bytes);
    }
}

/// Binds a set, or a copy of it with its dynamic offsets applied.
fn bind_set(
    encoder: &mut Encoder<'_>,
    index: u32,
    set: &DescriptorSet,
    offsets: &[u32],
) -> Result<(), MemoryError> {
    let Some(address) = set.address() else {
        return Ok(());
    };
    if offsets.iter().all(|offset| *offset == 0) {
        encoder.bind_set(index, address);
        return Ok(());
    }
    let layout = &set.layout().inner.layout;
    let bound = set.bound();
    let mut replaced = Vec::new();
    for (entry, &offset) in set.layout().dynamic().zip(offsets) {
        if let Some(Descriptor::Buffer(binding)) = bound.get(&entry.binding) {
            let range = range_of(binding);
            let offset = u64::from(offset);
            // A range to the end of the buffer gets shorter as it moves, and so does one in a smaller buffer that took
            // the place of the buffer for which the offset was checked.
            let rest = binding.buffer.size() - binding.offset;
            let bytes = range.bytes.min(rest.saturating_sub(offset));
            let address = Addr(range.address.0 + offset);
            replaced.push((
                layout.offsets[&entry.binding],
                BufferRange { address, bytes },
            ));
        }
    }
    encoder.bind_set_with(index, address, layout.bytes, &replaced)
}
