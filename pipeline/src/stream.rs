//! Stream output: what the last stage before the rasteriser writes to buffers.

use silicon::Addr;

use crate::ir::{Function, Op, OutputBuiltin};
use crate::link::LinkError;
use crate::state::{BufferRange, Draw};

/// Buffers that vertices are written to.
pub const STREAM_BUFFERS: usize = 4;
/// Most bytes from a vertex to the next.
pub const MAX_STREAM_STRIDE: u32 = 2048;

/// What is written of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamSource {
    /// The position in clip space.
    Position,
    /// The size of a point.
    PointSize,
    /// A clip or cull distance by its number.
    Distance(u8),
    /// The output of a location.
    Location(u32),
}

/// Components of an output that are written side by side, 32 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamedOutput {
    /// The output.
    pub source: StreamSource,
    /// First component.
    pub first: u32,
    /// Components.
    pub components: u32,
    /// The buffer, 0 to 3.
    pub buffer: u32,
    /// Bytes behind the start of the vertex, a multiple of 4.
    pub offset: u32,
}

/// What a pipeline writes to buffers of the vertices of each primitive, before it is clipped: outputs of the last stage
/// before the rasteriser. Points have one vertex, lines two and triangles three, those of strips and fans too, in the order
/// of the topology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamOutput<'a> {
    /// What is written, and where.
    pub outputs: &'a [StreamedOutput],
    /// Bytes from a vertex to the next in each buffer, multiples of 4 up to [`MAX_STREAM_STRIDE`].
    pub strides: [u32; STREAM_BUFFERS],
}

/// What a pipeline writes of vertices, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StreamLayout {
    /// What is written.
    pub outputs: Vec<StreamedOutput>,
    /// Bytes from a vertex to the next in each buffer, multiples of 4.
    pub strides: [u32; STREAM_BUFFERS],
}

impl StreamLayout {
    /// The buffers that something goes to, a bit each.
    pub fn buffers(&self) -> u32 {
        let bits = self.outputs.iter().map(|output| 1 << output.buffer);
        bits.fold(0, |all, bit| all | bit)
    }
}

/// A buffer that is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamTarget {
    /// Its bytes.
    pub range: BufferRange,
    /// Bytes from a vertex to the next.
    pub stride: u32,
}

/// A draw of as many vertices as a stream has written bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamDraw {
    /// Where the bytes are counted.
    pub counter: Addr,
    /// What is taken off.
    pub offset: u32,
    /// Bytes of a vertex.
    pub stride: u32,
    /// Instances.
    pub instances: u32,
    /// First instance.
    pub first_instance: u32,
}

impl StreamDraw {
    /// The draw, but for the number of its vertices.
    pub(crate) fn uncounted(&self) -> Draw {
        Draw {
            count: 0,
            first: 0,
            instances: self.instances,
            first_instance: self.first_instance,
            indices: None,
            draw_index: 0,
        }
    }
}

/// The stream output of a chip.
pub trait Streams {
    /// The descriptors that shaders find behind those of rings, of buffers that are bound or none.
    fn descriptors(&self, targets: &[Option<StreamTarget>; STREAM_BUFFERS], out: &mut Vec<u32>);
    /// Begins to write to buffers, from their starts, or as far behind them as words in memory say.
    fn begin(
        &self,
        targets: &[Option<StreamTarget>; STREAM_BUFFERS],
        counters: &[Option<Addr>; STREAM_BUFFERS],
        out: &mut Vec<u32>,
    );
    /// Ends it, and stores how far buffers are written.
    fn end(&self, counters: &[Option<Addr>; STREAM_BUFFERS], out: &mut Vec<u32>);
    /// Sets where a draw takes the number of its vertices from.
    fn count(&self, draw: &StreamDraw, out: &mut Vec<u32>);
}

/// Whether the last stage writes all that a stream takes.
pub(crate) fn check(layout: &StreamLayout, last: &Function) -> Result<(), LinkError> {
    let emitted = last.interface.geometry.as_ref();
    let stores = |builtin| {
        last.insts()
            .any(|inst| inst.op == Op::OutputBuiltin(builtin))
    };
    let has = |builtin| emitted.is_some_and(|g| g.builtins.contains(&builtin)) || stores(builtin);
    for output in &layout.outputs {
        let (components, buffer) = (output.components, output.buffer);
        let stride = layout.strides.get(buffer as usize).copied().unwrap_or(0);
        let end = u64::from(output.offset) + 4 * u64::from(components);
        let words = output.offset.is_multiple_of(4) && stride.is_multiple_of(4);
        if !words || stride > MAX_STREAM_STRIDE || end > stride.into() {
            return Err(LinkError::StreamedPlace {
                buffer,
                offset: output.offset,
                components,
                stride,
            });
        }
        let found = match output.source {
            StreamSource::Position => 4,
            StreamSource::PointSize => u32::from(has(OutputBuiltin::PointSize)),
            StreamSource::Distance(n) => u32::from(has(OutputBuiltin::ClipDistance(n))),
            StreamSource::Location(location) => {
                let mut outputs = last.interface.outputs.iter();
                let found = outputs.find(|varying| varying.location == location);
                found.map_or(0, |varying| varying.components)
            }
        };
        if output.first + output.components > found {
            return Err(LinkError::StreamedOutput {
                output: output.source,
                first: output.first,
                components: output.components,
                found,
            });
        }
    }
    Ok(())
}
