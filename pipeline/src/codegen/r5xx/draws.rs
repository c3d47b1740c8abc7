//! Draws: vertex streams, indices, and a draw for each instance. [R5XX 7.2, 8.2]
//!
//! The chip counts no instances: each has a draw of its own, whose streams of instance data start at its element and do not
//! advance. The numbers of vertices and instances are streams of floats. Strips that start anew are a draw for each piece.

use std::ops::Range;

use ::r5xx::packets::{DRAW_INDX_2, DRAW_VBUF_2, INDX_BUFFER, LOAD_VBPNTR};
use ::r5xx::regs::*;
use silicon::{Addr, Format, Memory};
use wgpu_types as wgt;

use super::bindings::words;
use super::formats::{ElementCode, element_code};
use super::interface::BYTES;
use super::packets::{Packets, word};
use super::runs;
use crate::codegen::InputVector;
use crate::encode::Encoder;
use crate::ir::Builtin;
use crate::state::{Draw, Indices};
use crate::targets::Bindings;
use crate::upload::Result;

/// Vertices of one packet: a multiple of those of every primitive, small enough for all counters.
pub(super) const MOST: u32 = 12 << 16;
/// Largest vertex number.
const LAST: u32 = (1 << 24) - 1;
/// PRIM_WALK: indices that follow, vertices counted.
const INDICES: u32 = 1;
const LIST: u32 = 2;

/// A vertex array: where vertex 0 is, and how to get to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    pub(super) address: u64,
    pub(super) code: ElementCode,
    /// Bytes from one element to the next.
    pub(super) stride: u32,
    /// Elements of it.
    pub(super) count: u32,
    /// Advances once an instance.
    pub(super) instanced: bool,
}

/// Runs of vertices that primitives are made of.
enum Runs {
    /// Vertices from one on.
    Counted(u32),
    /// Indices in memory, of one size.
    Indexed(Vec<(Addr, u32)>, wgt::IndexFormat),
}

/// Draws.
pub(super) fn draw(draw: &Draw, bound: &Bindings<'_>, out: &mut Encoder<'_>) -> Result<()> {
    if let Some(runs) = bound.geometry.and_then(|geometry| geometry.runs.as_ref()) {
        return runs::draw(draw, runs, bound, out);
    }
    let memory = out.memory();
    let runs = match &draw.indices {
        None => Runs::Counted(draw.count),
        Some(indices) => indexed(draw, indices, bound, out)?,
    };
    let base = draw.indices.map_or(0, |indices| indices.base_vertex);
    let first = if draw.indices.is_some() {
        0
    } else {
        draw.first
    };
    let streams = streams(draw, bound, &runs, memory, out)?;
    let vertices = streams.iter().filter(|stream| !stream.instanced);
    // With any indices no vertex is read behind its array.
    let most = vertices
        .map(|stream| stream.count.saturating_sub(first))
        .min();
    let last = most.map_or(LAST, |most| most.saturating_sub(1).min(LAST));
    {
        let mut out = Packets(&mut out.words);
        elements(&streams, &mut out);
        out.set(VAP_VF_MAX_VTX_INDX, last);
        out.set(
            VAP_INDEX_OFFSET,
            VAP_INDEX_OFFSET::INDEX_OFFSET.bits(base as u32),
        );
    }
    let kind = topology(bound.state.primitive.topology);
    for instance in 0..draw.instances {
        let mut out = Packets(&mut out.words);
        arrays(&streams, [first, draw.first_instance + instance], &mut out);
        match &runs {
            Runs::Counted(count) => {
                for part in parts(*count, bound.state.primitive.topology) {
                    // Counting starts at 0.
                    if part.start > 0 {
                        arrays(
                            &streams,
                            [first + part.start, draw.first_instance + instance],
                            &mut out,
                        );
                        out.set(VAP_VF_MAX_VTX_INDX, last.saturating_sub(part.start));
                    }
                    counted(kind, part.end - part.start, &mut out);
                }
            }
            Runs::Indexed(runs, format) => {
                for (at, count) in runs {
                    for part in parts(*count, bound.state.primitive.topology) {
                        let at = at.0 + u64::from(part.start) * format.byte_size() as u64;
                        index_buffer(kind, at, part.end - part.start, *format, &mut out);
                    }
                }
            }
        }
    }
    Ok(())
}

/// PRIM_TYPE.
pub(super) fn topology(topology: wgt::PrimitiveTopology) -> u32 {
    match topology {
        wgt::PrimitiveTopology::PointList => 1,
        wgt::PrimitiveTopology::LineList => 2,
        wgt::PrimitiveTopology::LineStrip => 3,
        wgt::PrimitiveTopology::TriangleList => 4,
        wgt::PrimitiveTopology::TriangleStrip => 6,
    }
}

/// Vertices in parts that one packet draws: those of strips share what joins them.
fn parts(count: u32, topology: wgt::PrimitiveTopology) -> impl Iterator<Item = Range<u32>> {
    let shared = match topology {
        wgt::PrimitiveTopology::LineStrip => 1,
        wgt::PrimitiveTopology::TriangleStrip => 2,
        _ => 0,
    };
    let starts = (0..count).step_by(MOST as usize);
    let starts = starts.filter(move |start| *start == 0 || count - start > 0);
    starts.map(move |start| start..count.min(start.saturating_add(MOST + shared)))
}

/// VAP_VF_CNTL, with the number of vertices in VAP_ALT_NUM_VERTICES.
fn control(kind: u32, walk: u32, wide: bool) -> u32 {
    use VAP_VF_CNTL::*;
    word(&[
        (PRIM_TYPE, kind),
        (PRIM_WALK, walk),
        (INDEX_SIZE, u32::from(wide)),
        (USE_ALT_NUM_VERTS, 1),
    ])
}

pub(super) fn counted(kind: u32, count: u32, out: &mut Packets<'_>) {
    out.set(VAP_ALT_NUM_VERTICES, count);
    out.packet(DRAW_VBUF_2, &[control(kind, LIST, false)]);
}

fn index_buffer(kind: u32, at: u64, count: u32, format: wgt::IndexFormat, out: &mut Packets<'_>) {
    let wide = format == wgt::IndexFormat::Uint32;
    out.set(VAP_ALT_NUM_VERTICES, count);
    out.packet(DRAW_INDX_2, &[control(kind, INDICES, wide)]);
    let size = if wide { count } else { count.div_ceil(2) };
    let port = (1 << 31) | (VAP_PORT_IDX.address / 4);
    out.packet(INDX_BUFFER, &[port, at as u32, size]);
}

/// The indices of a draw: where they are, or copied where the chip cannot take them from there: at the second half of a
/// word, behind the end of the buffer, or in strips that start anew.
fn indexed(
    draw: &Draw,
    indices: &Indices,
    bound: &Bindings<'_>,
    out: &mut Encoder<'_>,
) -> Result<Runs> {
    let format = indices.format;
    let size = format.byte_size() as u64;
    let at = indices.buffer.address.0 + u64::from(draw.first) * size;
    let inside = u64::from(draw.first) + u64::from(draw.count) <= indices.buffer.bytes / size;
    let restarts = bound.state.primitive.strip_index_format.is_some();
    if inside && !restarts && at.is_multiple_of(4) {
        return Ok(Runs::Indexed(vec![(Addr(at), draw.count)], format));
    }
    let list = list(draw, indices, out.memory());
    let restart = match format {
        wgt::IndexFormat::Uint16 => 0xffff,
        wgt::IndexFormat::Uint32 => u32::MAX,
    };
    let mut runs = Vec::new();
    for run in list.split(|index| restarts && *index == restart) {
        if run.is_empty() {
            continue;
        }
        let bytes: Vec<u8> = match format {
            wgt::IndexFormat::Uint16 => {
                run.iter().flat_map(|n| (*n as u16).to_le_bytes()).collect()
            }
            wgt::IndexFormat::Uint32 => run.iter().flat_map(|n| n.to_le_bytes()).collect(),
        };
        runs.push((out.put(&bytes, 4)?, run.len() as u32));
    }
    Ok(Runs::Indexed(runs, format))
}

/// The indices of a draw; those behind the end of the buffer are zero.
pub(super) fn list(draw: &Draw, indices: &Indices, memory: &Memory) -> Vec<u32> {
    let size = indices.format.byte_size() as u64;
    let most = indices.buffer.bytes / size;
    let index = |n: u64| {
        let at = indices.buffer.address.0 + n * size;
        let word = match indices.format {
            _ if n >= most => None::<u32>,
            wgt::IndexFormat::Uint16 => memory.load_half(at).map(u32::from),
            wgt::IndexFormat::Uint32 => memory.load(at),
        };
        word.unwrap_or(0)
    };
    let first = u64::from(draw.first);
    (first..first + u64::from(draw.count)).map(index).collect()
}

/// The arrays of a draw, in the order of the shader's input vectors.
fn streams(
    draw: &Draw,
    bound: &Bindings<'_>,
    runs: &Runs,
    memory: &Memory,
    out: &mut Encoder<'_>,
) -> Result<Vec<Stream>> {
    let inputs = &bound.shaders[0].slots.inputs;
    let mut streams = Vec::new();
    for input in inputs {
        streams.push(match input {
            InputVector::Attribute(location) => attribute(*location, bound, memory, out)?,
            InputVector::Index(builtin) => index(*builtin, draw, runs, &streams, out)?,
            _ => {
                debug_assert!(false, "{input:?} is no input of a vertex shader");
                continue;
            }
        });
    }
    if streams.is_empty() {
        // A vertex has a word at least.
        streams.push(zeros(out)?);
    }
    Ok(streams)
}

/// Four zeros for every vertex.
pub(super) fn zeros(out: &mut Encoder<'_>) -> Result<Stream> {
    let code = element_code(Format::R32G32B32A32Float).expect("the chip has it");
    Ok(Stream {
        address: out.put(&[0; 16], 16)?.0,
        code,
        stride: 0,
        count: u32::MAX,
        instanced: false,
    })
}

/// The array of an attribute; elements that do not lie within the buffer are not read.
pub(super) fn attribute(
    location: u32,
    bound: &Bindings<'_>,
    memory: &Memory,
    out: &mut Encoder<'_>,
) -> Result<Stream> {
    let at = Addr(bound.data.attributes.0 + u64::from(location * BYTES.buffer));
    let found = words(memory, at, BYTES.buffer / 4)?;
    let [address, bytes, stride, format] = [found[0], found[1], found[2], found[3]];
    let format = Format::ALL.get(format as usize);
    let Some(code) = format.and_then(|format| element_code(*format)) else {
        debug_assert!(false, "location {location} has no format of the chip");
        return zeros(out);
    };
    let mut buffers = bound.state.vertex_buffers.iter();
    let instanced = buffers.any(|buffer| {
        let here = |a: &wgt::VertexAttribute| a.shader_location == location;
        buffer.step == wgt::VertexStepMode::Instance && buffer.attributes.iter().any(here)
    });
    let count = match bytes.checked_sub(4 * code.words) {
        None => 0,
        Some(rest) => rest.checked_div(stride).map_or(u32::MAX, |more| more + 1),
    };
    if count == 0 {
        let none = zeros(out)?;
        return Ok(Stream { code, ..none });
    }
    Ok(Stream {
        address: address.into(),
        code,
        stride,
        count,
        instanced,
    })
}

/// The array of the numbers of instances.
pub(super) fn instances(draw: &Draw, out: &mut Encoder<'_>) -> Result<Stream> {
    index(Builtin::InstanceIndex, draw, &Runs::Counted(0), &[], out)
}

/// An array of numbers: those of the vertices, or of the instances.
fn index(
    builtin: Builtin,
    draw: &Draw,
    runs: &Runs,
    streams: &[Stream],
    out: &mut Encoder<'_>,
) -> Result<Stream> {
    let instanced = builtin == Builtin::InstanceIndex;
    let (first, count) = match runs {
        _ if instanced => (draw.first_instance, draw.instances),
        Runs::Counted(count) => (draw.first, *count),
        Runs::Indexed(..) => (0, greatest(draw, streams, out.memory()).saturating_add(1)),
    };
    let numbers = first..first.saturating_add(count);
    let bytes: Vec<u8> = numbers.flat_map(|n| (n as f32).to_le_bytes()).collect();
    let at = out.put(&bytes, 4)?.0;
    Ok(Stream {
        // Element 0 is number 0, wherever that would be.
        address: at.wrapping_sub(4 * u64::from(first)),
        code: element_code(Format::R32Float).expect("the chip has it"),
        stride: 4,
        count: first.saturating_add(count),
        instanced,
    })
}

/// The greatest vertex number of an indexed draw.
fn greatest(draw: &Draw, streams: &[Stream], memory: &Memory) -> u32 {
    let Some(indices) = &draw.indices else {
        return 0;
    };
    let restart = match indices.format {
        wgt::IndexFormat::Uint16 => 0xffff,
        wgt::IndexFormat::Uint32 => u32::MAX,
    };
    let list = list(draw, indices, memory);
    let numbers = list.iter().filter(|index| **index != restart);
    let greatest = numbers.max().copied().unwrap_or(0);
    let greatest = i64::from(greatest) + i64::from(indices.base_vertex);
    let vertices = streams.iter().filter(|stream| !stream.instanced);
    let held = vertices.map(|stream| stream.count).min().unwrap_or(LAST);
    greatest.clamp(0, i64::from(held.min(LAST))) as u32
}

/// VAP_PROG_STREAM_CNTL: each array is one element, which goes to the input vector of its number.
pub(super) fn elements(streams: &[Stream], out: &mut Packets<'_>) {
    use VAP_PROG_STREAM_CNTL::*;
    use VAP_PROG_STREAM_CNTL_EXT::*;
    let (mut controls, mut extended) = (Vec::new(), Vec::new());
    for (n, stream) in streams.iter().enumerate() {
        let code = &stream.code;
        let [x, y, z, w] = code.select;
        let control = word(&[
            (DATA_TYPE_0, code.data_type),
            (DST_VEC_LOC_0, n as u32),
            (LAST_VEC_0, u32::from(n + 1 == streams.len())),
            (SIGNED_0, u32::from(code.signed)),
            (NORMALIZE_0, u32::from(code.normalize)),
        ]);
        let selects = word(&[
            (SWIZZLE_SELECT_X_0, x),
            (SWIZZLE_SELECT_Y_0, y),
            (SWIZZLE_SELECT_Z_0, z),
            (SWIZZLE_SELECT_W_0, w),
            (WRITE_ENA_0, 15),
        ]);
        for (words, half) in [(&mut controls, control), (&mut extended, selects)] {
            match n % 2 {
                0 => words.push(half),
                _ => words[n / 2] |= half << 16,
            }
        }
    }
    out.at(VAP_PROG_STREAM_CNTL.address, &controls);
    out.at(VAP_PROG_STREAM_CNTL_EXT.address, &extended);
}

/// 3D_LOAD_VBPNTR: the arrays, from a vertex and an instance on.
pub(super) fn arrays(streams: &[Stream], [vertex, instance]: [u32; 2], out: &mut Packets<'_>) {
    let mut payload = vec![streams.len() as u32];
    for pair in streams.chunks(2) {
        let of = |stream: &Stream| {
            let (start, stride) = match stream.instanced {
                true => (instance.min(stream.count - 1), 0),
                false => (vertex.min(stream.count - 1), stream.stride),
            };
            let address = stream
                .address
                .wrapping_add(u64::from(start) * u64::from(stream.stride));
            (stream.code.words, stride / 4, address as u32)
        };
        use VAP_VTX_AOS_ATTR::*;
        let (words, stride, address) = of(&pair[0]);
        let mut fields = vec![(VTX_AOS_COUNT0, words), (VTX_AOS_STRIDE0, stride)];
        let mut addresses = vec![address];
        if let Some(odd) = pair.get(1) {
            let (words, stride, address) = of(odd);
            fields.extend([(VTX_AOS_COUNT1, words), (VTX_AOS_STRIDE1, stride)]);
            addresses.push(address);
        }
        payload.push(word(&fields));
        payload.extend(addresses);
    }
    out.packet(LOAD_VBPNTR, &payload);
}
