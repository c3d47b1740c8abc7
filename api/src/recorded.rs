//! What command buffers hold: recorded commands, and what is known while they are recorded. Plain values; calls check and
//! make them, the encoder and the rules of submissions read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use pipeline::format::Texel;
use pipeline::image::{Region, ResolveMode, Rows};
use pipeline::silicon::texture::sample::Filter;
use pipeline::state::{ClearAttachment, Rect, Targets, Viewport};
use pipeline::stream::STREAM_BUFFERS;
use wgpu_types as wgt;
use wgt::{IndexFormat, TextureFormat};

use crate::buffer::Buffer;
use crate::compute::ComputePipeline;
use crate::descriptor::DescriptorSet;
use crate::error::{Label, ordinal};
use crate::image::{Image, ImageLayout, ImageView, Subresources};
use crate::pipeline::GraphicsPipeline;
use crate::query::set::QuerySet;

/// One recorded command.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// The image must be in one of these layouts when the command buffer gets here.
    Require {
        image: Image,
        range: Subresources,
        allowed: &'static [ImageLayout],
        user: User,
    },
    Transition {
        image: Image,
        range: Subresources,
        /// None for whichever layout it is in.
        from: Option<ImageLayout>,
        to: ImageLayout,
    },
    Fill {
        buffer: Buffer,
        range: Range<u64>,
        word: u32,
    },
    Update {
        buffer: Buffer,
        offset: u64,
        bytes: Vec<u8>,
    },
    Copy(Box<Transfer>),
    Clear(Box<Clear>),
    ClearAttachment(ClearAttachment, Rect),
    Query(QueryCommand),
    BeginPass(Arc<Pass>),
    BeginCompute(Label),
    EndPass,
    /// What the chip does not resolve at the end of the pass.
    Resolve(Box<PassResolve>),
    Pipeline(GraphicsPipeline),
    ComputePipeline(ComputePipeline),
    Set {
        index: u32,
        bound: BoundSet,
    },
    PushConstants {
        offset: u32,
        bytes: Vec<u8>,
    },
    VertexBuffer {
        slot: u32,
        buffer: Buffer,
        offset: u64,
    },
    IndexBuffer {
        buffer: Buffer,
        offset: u64,
        format: IndexFormat,
    },
    Viewports {
        first: usize,
        viewports: Vec<Viewport>,
    },
    Scissors {
        first: usize,
        scissors: Vec<Rect>,
    },
    BlendConstant([f32; 4]),
    StencilReference(u32),
    Draw {
        elements: Range<u32>,
        instances: Range<u32>,
        /// Present for indexed draws.
        base_vertex: Option<i32>,
    },
    DrawIndirect {
        arguments: Buffer,
        offset: u64,
        draws: u32,
        stride: u32,
        indexed: bool,
    },
    BeginStream {
        buffers: Box<StreamBuffers>,
        counters: StreamCounters,
    },
    EndStream {
        counters: StreamCounters,
    },
    DrawCounted {
        counter: (Buffer, u64),
        counter_offset: u32,
        stride: u32,
        instances: Range<u32>,
    },
    /// Groups along x, y and z.
    Dispatch([u32; 3]),
    DispatchIndirect {
        arguments: Buffer,
        offset: u64,
    },
}

/// Buffers of a stream, and their bytes.
pub(crate) type StreamBuffers = [Option<(Buffer, Range<u64>)>; STREAM_BUFFERS];

/// Where the bytes are counted that are written to them.
pub(crate) type StreamCounters = [Option<(Buffer, u64)>; STREAM_BUFFERS];

/// Who needs an image to be in a layout, in words of messages.
#[derive(Clone, Debug)]
pub(crate) enum User {
    /// A command outside of passes: its name, and which of that name it is in its command buffer, from 1.
    Command { name: &'static str, number: u32 },
    /// An attachment of a pass.
    Attachment {
        pass: Label,
        kind: AttachmentKind,
        resolved: bool,
    },
}

/// Which attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AttachmentKind {
    Color(u32),
    DepthStencil,
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            User::Command { name, number } => write!(f, "the {} `{name}`", ordinal(*number)),
            User::Attachment {
                pass,
                kind,
                resolved,
            } => {
                let resolved = if *resolved { "the resolve of " } else { "" };
                match kind {
                    AttachmentKind::Color(index) => {
                        write!(f, "{resolved}color attachment {index} of {pass}")
                    }
                    AttachmentKind::DepthStencil => {
                        write!(f, "{resolved}the depth-stencil attachment of {pass}")
                    }
                }
            }
        }
    }
}

/// A set as it is bound.
#[derive(Clone, Debug)]
pub(crate) struct BoundSet {
    pub(crate) set: DescriptorSet,
    /// One for each of its dynamic bindings.
    pub(crate) offsets: Vec<u32>,
}

/// A checked copy.
#[derive(Clone, Debug)]
pub(crate) enum Transfer {
    Buffer {
        from: (Buffer, u64),
        to: (Buffer, u64),
        bytes: u64,
    },
    Upload {
        from: (Buffer, u64),
        to: Texels,
    },
    Download {
        from: Texels,
        to: (Buffer, u64),
    },
    Image {
        from: Texels,
        to: Texels,
    },
    Blit(Blit),
    Resolve {
        from: Texels,
        to: Texels,
        mode: ResolveMode,
    },
}

/// A checked region of an image, and how its texels lie outside of it.
#[derive(Clone, Debug)]
pub(crate) struct Texels {
    pub(crate) image: Image,
    pub(crate) region: Region,
    pub(crate) rows: Rows,
    /// Bytes of the texels with pitches.
    pub(crate) bytes: u64,
}

/// A checked scaled copy.
#[derive(Clone, Debug)]
pub(crate) struct Blit {
    pub(crate) from: Corners,
    pub(crate) to: Corners,
    pub(crate) filter: Filter,
}

/// A checked box between two corners, in one plane.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    pub(crate) image: Image,
    pub(crate) plane: usize,
    pub(crate) level: u32,
    pub(crate) corners: [[u32; 3]; 2],
    pub(crate) format: TextureFormat,
}

/// A checked clear of one plane.
#[derive(Clone, Debug)]
pub(crate) struct Clear {
    pub(crate) image: Image,
    pub(crate) plane: usize,
    pub(crate) range: Subresources,
    pub(crate) texel: Texel,
}

/// A pass as recorded.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) label: Label,
    pub(crate) targets: Targets<ImageView>,
    pub(crate) samples: u32,
}

/// One aspect to resolve at the end of a pass.
#[derive(Clone, Debug)]
pub(crate) struct PassResolve {
    pub(crate) from: ImageView,
    pub(crate) to: ImageView,
    pub(crate) attachment: AttachmentKind,
    pub(crate) aspect: wgt::TextureAspect,
    pub(crate) mode: ResolveMode,
}

/// What commands do with queries.
#[derive(Clone, Debug)]
pub(crate) enum QueryCommand {
    Begin(QuerySet, u32),
    End(QuerySet, u32),
    Reset(QuerySet, Range<u32>),
    Copy {
        set: QuerySet,
        range: Range<u32>,
        to: (Buffer, u64),
        availability: bool,
    },
}

/// An active query of a recording.
#[derive(Clone, Debug)]
pub(crate) struct Active {
    pub(crate) set: QuerySet,
    pub(crate) index: u32,
    /// Number of the pass it began in.
    pub(crate) pass: Option<u32>,
}

/// What a command buffer knows while it is recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    pub(crate) pass: Option<Arc<Pass>>,
    pub(crate) pipeline: Option<GraphicsPipeline>,
    /// The compute pass that is open instead.
    pub(crate) compute: Option<Label>,
    pub(crate) compute_pipeline: Option<ComputePipeline>,
    pub(crate) sets: BTreeMap<u32, BoundSet>,
    /// Sets whose images were not compared with the attachments yet.
    pub(crate) unchecked_sets: BTreeSet<u32>,
    /// The sets were not compared with what the pipeline takes yet.
    pub(crate) unchecked_sizes: bool,
    /// Buffer and bytes from the bound offset to its end.
    pub(crate) vertex_buffers: BTreeMap<u32, (Buffer, u64)>,
    pub(crate) index_buffer: Option<(Buffer, u64, IndexFormat)>,
    pub(crate) stream_buffers: StreamBuffers,
    /// Stream output is on.
    pub(crate) streaming: bool,
    /// Queries that count.
    pub(crate) queries: Vec<Active>,
    /// Passes begun.
    passes: u32,
    /// How often each command was recorded whose number messages tell.
    counts: BTreeMap<&'static str, u32>,
}

impl Recording {
    /// A pass starts with nothing bound.
    pub(crate) fn begin(&mut self, pass: Arc<Pass>) {
        self.begin_any();
        self.pass = Some(pass);
    }

    /// A compute pass does, too.
    pub(crate) fn begin_compute(&mut self, label: Label) {
        self.begin_any();
        self.compute = Some(label);
    }

    /// The label of the open pass.
    pub(crate) fn open(&self) -> Option<&Label> {
        let drawn = self.pass.as_ref().map(|pass| &pass.label);
        drawn.or(self.compute.as_ref())
    }

    fn begin_any(&mut self) {
        *self = Recording {
            queries: std::mem::take(&mut self.queries),
            counts: std::mem::take(&mut self.counts),
            passes: self.passes + 1,
            ..Recording::default()
        };
    }

    /// The next command of a name.
    pub(crate) fn next(&mut self, name: &'static str) -> User {
        let count = self.counts.entry(name).or_default();
        *count += 1;
        User::Command {
            name,
            number: *count,
        }
    }

    /// Passes begun.
    pub(crate) fn passes(&self) -> u32 {
        self.passes
    }

    /// Number of the open pass.
    pub(crate) fn pass_number(&self) -> Option<u32> {
        self.open().map(|_| self.passes)
    }
}

impl Active {
    pub(crate) fn label(&self) -> &Label {
        self.set.label()
    }

    pub(crate) fn index(&self) -> u32 {
        self.index
    }
}
