//! Draws with a geometry shader, which the chip has not: a vertex for each run that both shaders as one may need
//! ([`merged`](crate::codegen::geometry::merged)).
//!
//! The driver takes primitives apart into arrays: a vertex has the attributes of all vertices of its primitive, and the
//! words that say which run it is. It computes nothing that a shader computes. Primitives are drawn in order, as lists.

use std::ops::Range;

use ::r5xx::regs::{VAP_INDEX_OFFSET, VAP_VF_MAX_VTX_INDX};
use silicon::geometry::topology::Topology;
use silicon::{Format, Memory};
use wgpu_types as wgt;

use super::draws::{
    MOST, Stream, arrays, attribute, counted, elements, instances, list, topology, zeros,
};
use super::formats::{ElementCode, element_code};
use super::packets::Packets;
use crate::codegen::InputVector;
use crate::codegen::geometry::merged::{RunInput, RunWord, Runs};
use crate::encode::Encoder;
use crate::state::{Draw, GeometryOutput, GraphicsState, ProvokingVertex};
use crate::targets::Bindings;
use crate::upload::Result;

/// Most vertices of a primitive with its neighbours.
const CORNERS: usize = 6;

/// Numbers of the vertices of a primitive.
type Primitive = [u32; CORNERS];

/// The topology that the chip draws.
pub(super) fn drawn_topology(state: &GraphicsState) -> wgt::PrimitiveTopology {
    match state.geometry.map(|geometry| geometry.output) {
        None => state.primitive.topology,
        Some(GeometryOutput::Points) => wgt::PrimitiveTopology::PointList,
        Some(GeometryOutput::LineStrip) => wgt::PrimitiveTopology::LineList,
        Some(GeometryOutput::TriangleStrip) => wgt::PrimitiveTopology::TriangleList,
    }
}

/// The topology of what comes in.
fn given_topology(state: &GraphicsState) -> Topology {
    use wgt::PrimitiveTopology as T;
    let neighbours = state.geometry.is_some_and(|geometry| geometry.adjacency());
    match (state.primitive.topology, neighbours) {
        (T::PointList, _) => Topology::Points,
        (T::LineList, false) => Topology::Lines,
        (T::LineList, true) => Topology::LinesAdjacency,
        (T::LineStrip, false) => Topology::LineStrip,
        (T::LineStrip, true) => Topology::LineStripAdjacency,
        (T::TriangleList, false) => Topology::Triangles,
        (T::TriangleList, true) => Topology::TrianglesAdjacency,
        (T::TriangleStrip, false) => Topology::TriangleStrip,
        (T::TriangleStrip, true) => Topology::TriangleStripAdjacency,
    }
}

/// Primitives of an instance.
fn primitives(draw: &Draw, state: &GraphicsState, memory: &Memory) -> Vec<Primitive> {
    let topology = given_topology(state);
    let last = state.raster.provoking_vertex == ProvokingVertex::Last;
    let mut found = Vec::new();
    let mut gather = |count: usize, number: &dyn Fn(usize) -> u32| {
        let done = topology.gathered(count, last, &mut |corners: &[usize]| {
            let mut primitive = [0; CORNERS];
            for (to, corner) in primitive.iter_mut().zip(corners) {
                *to = number(*corner);
            }
            found.push(primitive);
            Ok::<(), std::convert::Infallible>(())
        });
        debug_assert_eq!(done, Ok(()));
    };
    let Some(indices) = &draw.indices else {
        gather(draw.count as usize, &|n| {
            draw.first.saturating_add(n as u32)
        });
        return found;
    };
    let restart = (state.primitive.strip_index_format).map(|_| match indices.format {
        wgt::IndexFormat::Uint16 => 0xffff,
        wgt::IndexFormat::Uint32 => u32::MAX,
    });
    let moved = |index: u32| {
        let number = i64::from(index) + i64::from(indices.base_vertex);
        number.clamp(0, u32::MAX.into()) as u32
    };
    for strip in list(draw, indices, memory).split(|index| restart == Some(*index)) {
        gather(strip.len(), &|n| moved(strip[n]));
    }
    found
}

/// What the arrays of a draw are made from.
struct Source<'a> {
    runs: &'a Runs,
    invocations: u32,
    /// Greatest vertex number that every array has.
    last: u32,
    primitives: &'a [Primitive],
}

impl Source<'_> {
    /// Runs of a primitive.
    fn each(&self) -> usize {
        self.invocations as usize * self.runs.table.len()
    }

    /// An array of four words a run, from word `first` of the runs on.
    fn words(&self, first: usize, part: Range<usize>, out: &mut Encoder<'_>) -> Result<Stream> {
        let words = &self.runs.words[first..];
        let words = &words[..words.len().min(4)];
        let mut bytes = Vec::with_capacity(16 * part.len() * self.each());
        for number in part {
            let primitive = &self.primitives[number];
            for invocation in 0..self.invocations {
                for row in &self.runs.table {
                    let mut values = [0.0; 4];
                    for (value, word) in values.iter_mut().zip(words) {
                        *value = match word {
                            RunWord::Even => row[0],
                            RunWord::Odd => row[1],
                            RunWord::Last => row[2],
                            RunWord::Parity => row[3],
                            RunWord::Primitive => number as u32,
                            RunWord::Invocation => invocation,
                            RunWord::Index(corner) => primitive[*corner as usize].min(self.last),
                        } as f32;
                    }
                    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                }
            }
        }
        let code = element_code(Format::R32G32B32A32Float).expect("the chip has it");
        put(&bytes, code, out)
    }

    /// An array of an attribute of a vertex of each primitive.
    fn gathered(
        &self,
        from: Stream,
        corner: u32,
        part: Range<usize>,
        out: &mut Encoder<'_>,
    ) -> Result<Stream> {
        let memory = out.memory();
        let words = from.code.words;
        let mut bytes = Vec::with_capacity(4 * words as usize * part.len() * self.each());
        for primitive in &self.primitives[part] {
            let number = primitive[corner as usize]
                .min(self.last)
                .min(from.count - 1);
            let at = from.address + u64::from(number) * u64::from(from.stride);
            let element = (0..u64::from(words)).flat_map(|n| {
                let word = memory.load(at + 4 * n).unwrap_or(0);
                word.to_le_bytes()
            });
            let element: Vec<u8> = element.collect();
            for _ in 0..self.each() {
                bytes.extend_from_slice(&element);
            }
        }
        put(&bytes, from.code, out)
    }
}

/// Puts an array into memory.
fn put(bytes: &[u8], code: ElementCode, out: &mut Encoder<'_>) -> Result<Stream> {
    let stride = 4 * code.words;
    Ok(Stream {
        address: out.put(bytes, 16)?.0,
        code,
        stride,
        count: bytes.len() as u32 / stride,
        instanced: false,
    })
}

/// Draws.
pub(super) fn draw(
    draw: &Draw,
    runs: &Runs,
    bound: &Bindings<'_>,
    out: &mut Encoder<'_>,
) -> Result<()> {
    let memory = out.memory();
    let primitives = primitives(draw, bound.state, memory);
    let inputs = &bound.shaders[0].slots.inputs;
    // Arrays as the user has them, one for each location that is read.
    let mut given = Vec::new();
    for input in inputs {
        given.push(match input {
            InputVector::Attribute(at) => match runs.inputs[*at as usize] {
                RunInput::Attribute { location, .. } => {
                    Some(attribute(location, bound, memory, out)?)
                }
                RunInput::Words(_) => None,
            },
            _ => None,
        });
    }
    let advancing = given.iter().flatten().filter(|stream| !stream.instanced);
    let last = advancing.map(|stream| stream.count - 1).min();
    let source = Source {
        runs,
        invocations: bound
            .state
            .geometry
            .map_or(1, |geometry| geometry.invocations),
        last: last.unwrap_or(u32::MAX),
        primitives: &primitives,
    };
    if source.each() == 0 || primitives.is_empty() {
        return Ok(());
    }
    let step = (MOST as usize / source.each()).max(1);
    let mut parts = Vec::new();
    for first in (0..primitives.len()).step_by(step) {
        let part = first..primitives.len().min(first + step);
        let mut streams = Vec::new();
        for (input, given) in inputs.iter().zip(&given) {
            streams.push(match (input, given) {
                (InputVector::Attribute(at), given) => match (runs.inputs[*at as usize], given) {
                    (RunInput::Attribute { corner, .. }, Some(stream)) if !stream.instanced => {
                        source.gathered(*stream, corner, part.clone(), out)?
                    }
                    (RunInput::Words(first), _) => source.words(first, part.clone(), out)?,
                    (_, Some(stream)) => *stream,
                    (_, None) => continue,
                },
                _ => instances(draw, out)?,
            });
        }
        if streams.is_empty() {
            streams.push(zeros(out)?);
        }
        parts.push((streams, (part.len() * source.each()) as u32));
    }
    let kind = topology(drawn_topology(bound.state));
    let mut out = Packets(&mut out.words);
    out.set(VAP_INDEX_OFFSET, 0);
    for instance in 0..draw.instances {
        for (streams, count) in &parts {
            elements(streams, &mut out);
            out.set(VAP_VF_MAX_VTX_INDX, count - 1);
            arrays(streams, [0, draw.first_instance + instance], &mut out);
            counted(kind, *count, &mut out);
        }
    }
    Ok(())
}
