//! Recorded commands to one or more command streams, run as they come.
//!
//! Copies that involve images are done by the driver between streams: it tiles and untiles in software. Everything
//! else is words that the chip runs.

use pipeline::encode::Encoder;
use pipeline::layout::DescriptorKind;
use pipeline::silicon::Addr;
use pipeline::state::{BufferRange, Draw, Indices, IndirectDraw};
use pipeline::stream::{STREAM_BUFFERS, StreamDraw};
use pipeline::upload::{Request, Result};
use wgpu_types as wgt;

use crate::buffer::Buffer;
use crate::command::CommandBuffer;
use crate::descriptor::{Descriptor, range_at};
use crate::device::{Machine, Shared, TrappedShader};
use crate::image::ImageView;
use crate::memory::Allocation;
use crate::own_pixels;
use crate::queue::SubmitError;
use crate::recorded::{BoundSet, Command, QueryCommand, StreamBuffers, StreamCounters, Transfer};
use crate::resolve;
use crate::shader::Stage;

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
    let reads_bindings = shared.driver.target.chip.reads_bindings();
    let commands = own_pixels::with_copies(buffer).map_err(memory_error)?;
    let mut rest = &*commands;
    loop {
        let (words, after) = rest.split_at(stream_end(rest, reads_bindings));
        if words.iter().any(is_work) {
            // Freed when the stream has run.
            let mut transient = Vec::new();
            let mut allocate = |request: Request| {
                let allocation = Allocation::requested(shared, request)?;
                let address = allocation.address;
                transient.push(allocation);
                Ok(address)
            };
            let stream = encode(shared, words, &mut allocate).map_err(memory_error)?;
            machine
                .execute(stream, |address| shader_at(buffer, address))
                .map_err(|(trap, shader)| SubmitError::Lost { trap, shader })?;
        }
        rest = after;
        let Some((host, after)) = after.split_first() else {
            return Ok(());
        };
        if !is_host(host) {
            continue;
        }
        match host {
            Command::Copy(transfer) => host_copy(transfer),
            Command::Query(QueryCommand::Copy {
                set,
                range,
                to: (buffer, offset),
                availability,
            }) => {
                let numbers = set.numbers(range.clone(), *availability);
                let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
                buffer
                    .write(*offset, &bytes)
                    .expect("the range was checked when the copy was recorded");
            }
            Command::Resolve(resolve) => resolve::on_host(shared, resolve).map_err(memory_error)?,
            _ => {}
        }
        rest = after;
    }
}

/// The pipeline of the commands whose code has the word at an address.
fn shader_at(buffer: &CommandBuffer, address: u64) -> Option<TrappedShader> {
    buffer.commands.iter().find_map(|command| {
        let (pipeline, (stage, at)) = match command {
            Command::Pipeline(pipeline) => {
                (pipeline.label(), pipeline.inner.compiled.locate(address)?)
            }
            Command::ComputePipeline(pipeline) => {
                let at = pipeline.inner.compiled.locate(address)?;
                (pipeline.label(), (Stage::Compute, at))
            }
            _ => return None,
        };
        Some(TrappedShader {
            pipeline: pipeline.clone(),
            stage,
            at,
        })
    })
}

/// How many commands one stream runs: up to what the driver does itself. Where the driver reads what is bound as it encodes,
/// a pass begins a stream, so that all that was written before has arrived.
fn stream_end(commands: &[Command], reads_bindings: bool) -> usize {
    let mut works = false;
    let end = commands.iter().position(|command| {
        let begins = reads_bindings
            && works
            && matches!(command, Command::BeginPass(_) | Command::BeginCompute(_));
        works |= is_work(command);
        begins || is_host(command)
    });
    end.unwrap_or(commands.len())
}

/// Copies and resolves that the driver does itself.
fn is_host(command: &Command) -> bool {
    match command {
        Command::Copy(transfer) => !matches!(**transfer, Transfer::Buffer { .. }),
        Command::Query(query) => matches!(query, QueryCommand::Copy { .. }),
        Command::Resolve(_) => true,
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
        Transfer::Upload { from, to } => to.upload(from),
        Transfer::Download { from, to } => from.download(to),
        Transfer::Image { from, to } => from.copy_to(to),
        Transfer::Resolve { from, to, mode } => from.resolve_to(to, *mode),
        Transfer::Blit(blit) => blit.run(),
    }
}

/// The index buffer that draws take along: buffer, offset, size of an index.
type IndexBuffer<'a> = Option<(&'a Buffer, u64, wgt::IndexFormat)>;

fn encode(
    shared: &Shared,
    commands: &[Command],
    allocate: &mut dyn FnMut(Request) -> Result<Addr>,
) -> Result<std::ops::Range<Addr>> {
    let mut encoder = Encoder::new(&shared.driver, allocate);
    let mut index_buffer = None;
    for command in commands {
        encode_one(&mut encoder, &mut index_buffer, command)?;
    }
    encoder.finish()
}

fn encode_one<'a>(
    encoder: &mut Encoder<'a>,
    index_buffer: &mut IndexBuffer<'a>,
    command: &'a Command,
) -> Result<()> {
    match command {
        Command::Require { .. } | Command::Transition { .. } | Command::Resolve(_) => {}
        Command::EndPass => encoder.end_pass()?,
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
        Command::Clear(clear) => clear.encode(encoder)?,
        Command::ClearAttachment(clear, rect) => encoder.clear_attachment(*clear, *rect)?,
        Command::Query(query) => encode_query(encoder, query)?,
        Command::Copy(transfer) => {
            if let Transfer::Buffer { from, to, bytes } = &**transfer {
                let at = |(buffer, offset): &(Buffer, u64)| buffer.range(*offset, 0).address;
                encoder.copy(at(from), at(to), *bytes);
            }
        }
        Command::BeginPass(pass) => encoder.begin_pass(pass.targets.map(ImageView::attachment))?,
        Command::BeginCompute(_) => encoder.begin_compute(),
        Command::ComputePipeline(pipeline) => encoder.bind_compute(&pipeline.inner.compiled),
        Command::Dispatch(groups) => encoder.dispatch(*groups)?,
        Command::DispatchIndirect { arguments, offset } => {
            encoder.dispatch_indirect(arguments.range(*offset, 0).address)?;
        }
        Command::Pipeline(pipeline) => encoder.bind_pipeline(&pipeline.inner.compiled),
        Command::Set { index, bound } => bind_set(encoder, *index, bound)?,
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
        } => *index_buffer = Some((buffer, *offset, *format)),
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
        Command::BeginStream { buffers, counters } => {
            encoder.begin_stream(&stream_ranges(buffers), &counters_at(counters));
        }
        Command::EndStream { counters } => encoder.end_stream(&counters_at(counters)),
        Command::Draw { .. } | Command::DrawIndirect { .. } | Command::DrawCounted { .. } => {
            encode_draw(encoder, *index_buffer, command)?;
        }
    }
    Ok(())
}

/// Draws that bring their arguments along, and draws that find them in memory.
fn encode_draw(
    encoder: &mut Encoder<'_>,
    index_buffer: IndexBuffer<'_>,
    command: &Command,
) -> Result<()> {
    match command {
        Command::Draw {
            elements,
            instances,
            base_vertex,
        } => {
            if elements.is_empty() || instances.is_empty() {
                return Ok(());
            }
            let indices = base_vertex.and_then(|base_vertex| {
                let (buffer, offset, format) = index_buffer?;
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
            let bound = index_buffer.filter(|_| *indexed);
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
        Command::DrawCounted {
            counter: (buffer, offset),
            counter_offset,
            stride,
            instances,
        } => {
            if !instances.is_empty() {
                encoder.draw_counted(&StreamDraw {
                    counter: buffer.range(*offset, 4).address,
                    offset: *counter_offset,
                    stride: *stride,
                    instances: instances.end - instances.start,
                    first_instance: instances.start,
                })?;
            }
        }
        _ => debug_assert!(false, "{command:?} draws nothing"),
    }
    Ok(())
}

/// Queries; the driver copies their results between streams.
fn encode_query(encoder: &mut Encoder<'_>, query: &QueryCommand) -> Result<()> {
    match query {
        QueryCommand::Begin(set, index) => encoder.begin_query(set.kind(), set.at(*index)),
        QueryCommand::End(set, index) => encoder.end_query(set.kind(), set.at(*index)),
        QueryCommand::Reset(set, range) => {
            let (at, bytes) = set.bytes(range);
            encoder.fill(at, bytes, &[0])?;
        }
        QueryCommand::Copy { .. } => {}
    }
    Ok(())
}

fn rest_of(buffer: &Buffer, offset: u64) -> BufferRange {
    buffer.range(offset, buffer.size() - offset)
}

/// Binds a set, or a copy of it with its dynamic offsets applied.
fn bind_set(encoder: &mut Encoder<'_>, index: u32, bound: &BoundSet) -> Result<()> {
    let BoundSet { set, offsets } = bound;
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
    for (&binding, &offset) in set.layout().dynamic().iter().zip(offsets) {
        if let Some(Descriptor::Buffer(buffer)) = bound.get(&binding) {
            let at = layout.offsets[&(binding, DescriptorKind::Buffer)];
            replaced.push((at, range_at(buffer, offset)));
        }
    }
    encoder.bind_set_with(index, address, layout.bytes, &replaced)
}

/// Ranges of stream buffers as the encoder takes them.
fn stream_ranges(buffers: &StreamBuffers) -> [Option<BufferRange>; STREAM_BUFFERS] {
    std::array::from_fn(|n| {
        let (buffer, range) = buffers[n].as_ref()?;
        Some(buffer.range(range.start, range.end - range.start))
    })
}

/// Addresses of counters.
fn counters_at(counters: &StreamCounters) -> [Option<Addr>; STREAM_BUFFERS] {
    std::array::from_fn(|n| {
        let (buffer, offset) = counters[n].as_ref()?;
        Some(buffer.range(*offset, 4).address)
    })
}
