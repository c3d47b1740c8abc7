//! Validated commands to command words, descriptors and constants in video memory.
//!
//! [`CompiledPipeline`] is the part that is done once; [`Encoder`] writes one command stream. The encoder keeps what was
//! set last and writes only what a draw needs. Words, push constants and attribute descriptors go to memory that the
//! caller hands out and takes back when the stream has run.

use std::ops::Range;

use silicon::{Addr, Memory, MemoryError};
use wgpu_types as wgt;

use crate::codegen::{Binary, CompileError, Options, Slots};
use crate::error::ShaderError;
use crate::ir::{
    Builder, Builtin, Function, Inst, Interpolation, Op, OutputBuiltin, Scalar, Stage, Terminator,
};
use crate::layout::PipelineLayout;
use crate::link::{Link, LinkError, link};
use crate::lower::Overrides;
use crate::passes;
use crate::query::QueryKind;
use crate::state::{
    Attachment, AttributeFetch, BufferRange, Draw, DynamicState, GraphicsState, IndirectDraw,
    MAX_VIEWPORTS, PassTargets, Rect, StandIn, Viewport,
};
use crate::targets::{Chip, PipelineParts, Target, UserData};
use crate::wgsl::CheckedModule;

/// A shader stage to compile.
#[derive(Clone, Copy, Debug)]
pub struct StageSource<'a> {
    /// The module.
    pub module: &'a CheckedModule,
    /// Entry point; the only one of the stage when absent.
    pub entry: Option<&'a str>,
    /// Values of overrides.
    pub constants: &'a [(&'a str, f64)],
}

impl StageSource<'_> {
    /// The entry point after the passes.
    fn lower(&self, stage: Stage) -> Result<Function, PipelineError> {
        let constants = self.constants.iter();
        let overrides: Overrides = constants.map(|(k, v)| ((*k).to_owned(), *v)).collect();
        passes::lowered(self.module, self.entry, Some(stage), &overrides)
            .map_err(|source| PipelineError::Shader { stage, source })
    }
}

/// The shaders of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct PipelineSource<'a> {
    /// Vertex shader.
    pub vertex: StageSource<'a>,
    /// Fragment shader.
    pub fragment: Option<StageSource<'a>>,
    /// Where descriptors lie.
    pub layout: &'a PipelineLayout,
}

/// Why a pipeline cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PipelineError {
    /// A shader cannot be lowered.
    #[error("{stage:?} shader: {source}")]
    Shader {
        /// Stage.
        stage: Stage,
        /// Why.
        source: ShaderError,
    },
    /// A shader cannot be compiled for the chip.
    #[error("{stage:?} shader: {source}")]
    Compile {
        /// Stage.
        stage: Stage,
        /// Why.
        source: CompileError,
    },
    /// The parts do not fit together.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// A compiled and linked pipeline.
#[derive(Clone, Debug)]
pub struct CompiledPipeline {
    /// Everything that is not a shader.
    pub state: GraphicsState,
    vertex: Binary,
    /// One that writes nothing where the pipeline has none.
    fragment: Binary,
    has_fragment: bool,
    /// The fragment shader runs once a sample.
    per_sample: bool,
    links: Vec<Link>,
    /// What sets the pipeline, once its code is in memory.
    words: Vec<u32>,
    /// Descriptor of the scratch memory, where a shader needs some.
    scratch: Vec<u32>,
}

impl CompiledPipeline {
    /// Compiles and links.
    pub fn compile(
        target: &Target,
        source: &PipelineSource<'_>,
        state: GraphicsState,
    ) -> Result<CompiledPipeline, PipelineError> {
        let mut vertex = source.vertex.lower(Stage::Vertex)?;
        let fragment = match &source.fragment {
            Some(stage) => stage.lower(Stage::Fragment)?,
            None => empty_fragment(),
        };
        if let Some(location) = state.raster.viewport_output {
            export_viewport(&mut vertex, location)?;
        }
        let has_fragment = source.fragment.is_some();
        let links = link(
            &vertex.interface,
            has_fragment.then_some(&fragment.interface),
            &state,
            target.info.limits.varyings,
        )?;
        let instance_attributes = state
            .vertex_buffers
            .iter()
            .filter(|buffer| buffer.step == wgt::VertexStepMode::Instance)
            .flat_map(|buffer| &buffer.attributes)
            .fold(0, |bits, attribute| bits | 1 << attribute.shader_location);
        let turned_attributes = state
            .vertex_buffers
            .iter()
            .flat_map(|buffer| &buffer.attributes)
            .filter(|attribute| attribute.format == wgt::VertexFormat::Unorm8x4Bgra)
            .fold(0, |bits, attribute| bits | 1 << attribute.shader_location);
        let colors = state.targets.iter().map(|color| match color {
            Some(color) => target.chip.color_export(color),
            None => crate::codegen::ColorExport::None,
        });
        let per_sample =
            state.multisample.count > 1 && (state.raster.sample_shading || per_sample(&fragment));
        let fragment_options = Options {
            layout: Some(source.layout.clone()),
            colors: colors.collect(),
            per_sample,
            ..Options::default()
        };
        let compile = |function: &Function, options: &Options| {
            (target.compile)(function, options).map_err(|source| PipelineError::Compile {
                stage: function.stage,
                source,
            })
        };
        let fragment = compile(&fragment, &fragment_options)?;
        let vertex_options = Options {
            layout: Some(source.layout.clone()),
            instance_attributes,
            turned_attributes,
            export_primitive_index: fragment.primitive_index,
            ..Options::default()
        };
        let vertex = compile(&vertex, &vertex_options)?;
        Ok(CompiledPipeline {
            state,
            vertex,
            fragment,
            has_fragment,
            per_sample,
            links,
            words: Vec::new(),
            scratch: Vec::new(),
        })
    }

    /// The code of a stage.
    pub fn binary(&self, stage: Stage) -> Option<&Binary> {
        match stage {
            Stage::Vertex => Some(&self.vertex),
            Stage::Fragment if self.has_fragment => Some(&self.fragment),
            _ => None,
        }
    }

    /// Puts the code, and scratch memory beside it, into memory that `allocate` (bytes, alignment) hands out.
    pub fn upload(
        &mut self,
        target: &Target,
        memory: &Memory,
        allocate: &mut dyn FnMut(u64, u64) -> Result<Addr, MemoryError>,
    ) -> Result<(), MemoryError> {
        let align = target.chip.code_align();
        let mut put = |binary: &Binary| {
            let bytes: &[u8] = bytemuck::cast_slice(&binary.words);
            let at = allocate(bytes.len() as u64, align)?;
            memory.write(at, bytes)?;
            Ok(at)
        };
        let vertex = put(&self.vertex)?;
        let fragment = put(&self.fragment)?;
        self.words.clear();
        let parts = PipelineParts {
            state: &self.state,
            links: &self.links,
            vertex: (&self.vertex, vertex),
            fragment: (&self.fragment, fragment),
            per_sample: self.per_sample,
        };
        target.chip.pipeline(&parts, &mut self.words);
        self.scratch.clear();
        let scratch = self.vertex.scratch_bytes.max(self.fragment.scratch_bytes);
        if scratch > 0 {
            let chip = target.chip;
            let at = allocate(chip.scratch_bytes(scratch), SCRATCH_ALIGN)?;
            chip.scratch_descriptor(at, scratch, &mut self.scratch);
        }
        Ok(())
    }
}

/// Alignment of scratch memory.
const SCRATCH_ALIGN: u64 = 256;
/// Where shaders find the descriptor of scratch memory: bytes behind the start of the push constants.
const SCRATCH_AT: usize = 256;

/// Bytes of a piece of memory that small things are put into.
const CHUNK: u64 = 64 << 10;

/// Writes one command stream.
pub struct Encoder<'a> {
    chip: &'static dyn Chip,
    memory: &'a Memory,
    allocate: &'a mut dyn FnMut(u64, u64) -> Result<Addr, MemoryError>,
    words: Vec<u32>,
    chunk: Range<u64>,
    pipeline: Option<&'a CompiledPipeline>,
    data: UserData,
    data_written: Option<UserData>,
    dynamic: Option<DynamicState>,
    dynamic_written: bool,
    push_constants: Vec<u8>,
    push_written: bool,
    vertex_buffers: Vec<Option<BufferRange>>,
    attributes_written: bool,
    moved: Option<Moved>,
}

/// A plane of the pass's depth-stencil attachment that is drawn to elsewhere.
struct Moved {
    image: Addr,
    at: Addr,
    stand_in: StandIn,
}

impl<'a> Encoder<'a> {
    /// Starts a stream. `allocate` (bytes, alignment) hands out memory that lasts until the stream has run.
    pub fn new(
        chip: &'static dyn Chip,
        memory: &'a Memory,
        push_constant_bytes: u32,
        allocate: &'a mut dyn FnMut(u64, u64) -> Result<Addr, MemoryError>,
    ) -> Encoder<'a> {
        let mut words = Vec::new();
        chip.begin(&mut words);
        Encoder {
            chip,
            memory,
            allocate,
            words,
            chunk: 0..0,
            pipeline: None,
            data: UserData::default(),
            data_written: None,
            dynamic: None,
            dynamic_written: false,
            push_constants: vec![0; push_constant_bytes as usize],
            push_written: false,
            vertex_buffers: Vec::new(),
            attributes_written: false,
            moved: None,
        }
    }

    /// Begins a pass with nothing bound; viewports and scissors are all of it.
    pub fn begin_pass(&mut self, targets: &PassTargets<'_>) -> Result<(), MemoryError> {
        let depth = targets.depth_stencil.as_ref();
        let found = depth.and_then(|target| Some((target.base, self.chip.stand_in(target)?)));
        self.moved = match found {
            None => None,
            Some((image, stand_in)) => {
                let at = (self.allocate)(stand_in.bytes, 256)?;
                Some(Moved {
                    image,
                    at,
                    stand_in,
                })
            }
        };
        self.move_away();
        let stand_in = (self.moved.as_ref()).map(|moved| (moved.stand_in.plane, moved.at));
        let targets = &PassTargets {
            stand_in,
            ..targets.clone()
        };
        self.chip.pass(targets, &mut self.words);
        let (width, height) = (targets.width, targets.height);
        self.dynamic = Some(DynamicState {
            viewports: [Viewport {
                x: 0.0,
                y: 0.0,
                width: width as f32,
                height: height as f32,
                min_depth: 0.0,
                max_depth: 1.0,
            }; MAX_VIEWPORTS],
            scissors: [Rect {
                x: 0,
                y: 0,
                width,
                height,
            }; MAX_VIEWPORTS],
            blend_constant: [0.0; 4],
            stencil_reference: 0,
        });
        self.dynamic_written = false;
        self.pipeline = None;
        self.data = UserData::default();
        self.push_constants.fill(0);
        self.push_written = false;
        self.vertex_buffers.clear();
        self.attributes_written = false;
        Ok(())
    }

    /// Ends a pass.
    pub fn end_pass(&mut self) {
        self.move_back();
        self.moved = None;
    }

    /// Brings a plane that stands elsewhere back to its image, for work that is no draw; [`Encoder::move_away`] follows.
    pub fn move_back(&mut self) {
        self.move_plane(true);
    }

    /// Brings the plane to where it can be drawn to.
    pub fn move_away(&mut self) {
        self.move_plane(false);
    }

    fn move_plane(&mut self, back: bool) {
        let Some(moved) = &self.moved else { return };
        for &[from, to, bytes] in &moved.stand_in.pieces {
            let (from, to) = (Addr(moved.image.0 + from), Addr(moved.at.0 + to));
            let (from, to) = if back { (to, from) } else { (from, to) };
            self.chip.copy(from, to, bytes, &mut self.words);
        }
    }

    /// Binds a pipeline.
    pub fn bind_pipeline(&mut self, pipeline: &'a CompiledPipeline) {
        self.words.extend_from_slice(&pipeline.words);
        self.pipeline = Some(pipeline);
        // The descriptor of its scratch memory follows the push constants.
        self.push_written &= pipeline.scratch.is_empty();
        let named = [&pipeline.vertex, &pipeline.fragment];
        if named.iter().any(|shader| shader.slots != Slots::default()) {
            // Other slots want other descriptors.
            self.data_written = None;
        }
        self.dynamic_written = false;
        self.attributes_written = false;
    }

    /// Changes what commands can change between draws.
    pub fn change(&mut self, change: impl FnOnce(&mut DynamicState)) {
        if let Some(dynamic) = &mut self.dynamic {
            change(dynamic);
            self.dynamic_written = false;
        }
    }

    /// Binds a descriptor set that is in memory.
    pub fn bind_set(&mut self, index: u32, at: Addr) {
        self.data.sets[index as usize] = at;
    }

    /// Binds a copy of a descriptor set with some buffers replaced: byte offset in the set and range.
    pub fn bind_set_with(
        &mut self,
        index: u32,
        at: Addr,
        bytes: u32,
        buffers: &[(u32, BufferRange)],
    ) -> Result<(), MemoryError> {
        let mut set = vec![0; bytes as usize];
        self.memory.read(at, &mut set)?;
        let mut words = Vec::new();
        for &(offset, range) in buffers {
            words.clear();
            self.chip.buffer_descriptor(range, &mut words);
            let bytes: &[u8] = bytemuck::cast_slice(&words);
            set[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        let align = self.chip.descriptor_bytes().set_align;
        self.data.sets[index as usize] = self.put(&set, align.into())?;
        Ok(())
    }

    /// Sets bytes of the push constants.
    pub fn push_constants(&mut self, offset: u32, bytes: &[u8]) {
        self.push_constants[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        self.push_written = false;
    }

    /// Binds a vertex buffer.
    pub fn bind_vertex_buffer(&mut self, slot: u32, range: BufferRange) {
        let slot = slot as usize;
        if self.vertex_buffers.len() <= slot {
            self.vertex_buffers.resize(slot + 1, None);
        }
        self.vertex_buffers[slot] = Some(range);
        self.attributes_written = false;
    }

    /// Draws with what is bound.
    pub fn draw(&mut self, draw: &Draw) -> Result<(), MemoryError> {
        self.write_state()?;
        self.chip.draw(draw, &self.data, &mut self.words);
        Ok(())
    }

    /// Draws with what is bound, and arguments from memory.
    pub fn draw_indirect(&mut self, draw: &IndirectDraw) -> Result<(), MemoryError> {
        self.write_state()?;
        self.chip.draw_indirect(draw, &mut self.words);
        Ok(())
    }

    /// Writes what a draw needs and what is not yet set.
    fn write_state(&mut self) -> Result<(), MemoryError> {
        let Some(pipeline) = self.pipeline else {
            debug_assert!(false, "a draw has a pipeline");
            return Ok(());
        };
        if !self.attributes_written {
            self.write_attributes(pipeline)?;
            self.attributes_written = true;
        }
        if !self.push_written {
            let mut bytes = std::mem::take(&mut self.push_constants);
            let len = bytes.len();
            if !pipeline.scratch.is_empty() {
                bytes.resize(SCRATCH_AT, 0);
                bytes.extend_from_slice(bytemuck::cast_slice(&pipeline.scratch));
            }
            let (least, align) = self.chip.push_constant_memory();
            bytes.resize(bytes.len().max(least as usize), 0);
            let put = self.put(&bytes, align);
            bytes.truncate(len);
            self.push_constants = bytes;
            self.data.push_constants = put?;
            self.push_written = true;
        }
        if self.data_written != Some(self.data) {
            let shaders = [&pipeline.vertex, &pipeline.fragment];
            self.chip.user_data(&self.data, shaders, &mut self.words);
            self.data_written = Some(self.data);
        }
        if !self.dynamic_written
            && let Some(dynamic) = &self.dynamic
        {
            self.chip.dynamic(dynamic, &pipeline.state, &mut self.words);
            self.dynamic_written = true;
        }
        Ok(())
    }

    /// Averages the samples of one colour attachment into another of the same format and size, with a pipeline whose
    /// three vertices cover everything.
    pub fn resolve(
        &mut self,
        pipeline: &'a CompiledPipeline,
        [from, to]: [Attachment<'_>; 2],
        [width, height]: [u32; 2],
    ) -> Result<(), MemoryError> {
        let samples = from.memory.shape.samples;
        self.begin_pass(&PassTargets {
            colors: vec![Some(from), Some(to)],
            width,
            height,
            ..PassTargets::default()
        })?;
        self.bind_pipeline(pipeline);
        self.chip.resolve(samples, &mut self.words);
        self.draw(&Draw {
            count: 3,
            first: 0,
            instances: 1,
            first_instance: 0,
            indices: None,
            draw_index: 0,
        })
    }

    /// Fills memory with a repeated pattern of 1, 2, 4, 8 or 16 bytes.
    pub fn fill(&mut self, at: Addr, bytes: u64, pattern: &[u8]) -> Result<(), MemoryError> {
        self.fill_pieces(at, std::slice::from_ref(&(0..bytes)), pattern)
    }

    /// Fills ranges of bytes from `base` on, each with the pattern from its start.
    pub fn fill_pieces(
        &mut self,
        base: Addr,
        pieces: &[Range<u64>],
        pattern: &[u8],
    ) -> Result<(), MemoryError> {
        let mut block = [0; 16];
        for (byte, value) in block.iter_mut().zip(pattern.iter().cycle()) {
            *byte = *value;
        }
        let words: [u32; 4] = bytemuck::pod_read_unaligned(&block);
        let one_word = words.iter().all(|word| *word == words[0]);
        let length = |piece: &Range<u64>| piece.end - piece.start;
        let longest = pieces.iter().map(length).max().unwrap_or(0).min(CHUNK);
        let mut repeated = None;
        for piece in pieces {
            let (at, bytes) = (base.0 + piece.start, length(piece));
            if one_word && at.is_multiple_of(4) && bytes.is_multiple_of(4) {
                self.chip.fill(Addr(at), bytes, words[0], &mut self.words);
                continue;
            }
            // The chip fills with single words, so other patterns are copied from a piece of memory that holds many.
            let from = match repeated {
                Some(from) => from,
                None => {
                    let bytes = block.iter().copied().cycle().take(longest as usize);
                    *repeated.insert(self.put(&bytes.collect::<Vec<u8>>(), 256)?)
                }
            };
            let mut done = 0;
            while done < bytes {
                let step = (bytes - done).min(CHUNK);
                self.chip.copy(from, Addr(at + done), step, &mut self.words);
                done += step;
            }
        }
        Ok(())
    }

    /// Writes bytes that are part of the stream.
    pub fn update(&mut self, at: Addr, bytes: &[u8]) -> Result<(), MemoryError> {
        let from = self.put(bytes, 4)?;
        self.copy(from, at, bytes.len() as u64);
        Ok(())
    }

    /// Begins a query at an address.
    pub fn begin_query(&mut self, kind: QueryKind, at: Addr) {
        self.chip.begin_query(kind, at, &mut self.words);
    }

    /// Ends a query, or takes a time stamp.
    pub fn end_query(&mut self, kind: QueryKind, at: Addr) {
        self.chip.end_query(kind, at, &mut self.words);
    }

    /// Copies memory.
    pub fn copy(&mut self, from: Addr, to: Addr, bytes: u64) {
        self.chip.copy(from, to, bytes, &mut self.words);
    }

    /// Ends the stream: the range of its words in memory.
    pub fn finish(mut self) -> Result<Range<Addr>, MemoryError> {
        self.chip.end(&mut self.words);
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        let at = (self.allocate)(bytes.len() as u64, 256)?;
        self.memory.write(at, bytes)?;
        Ok(at..Addr(at.0 + bytes.len() as u64))
    }

    /// One descriptor per attribute location, unused ones empty.
    fn write_attributes(&mut self, pipeline: &CompiledPipeline) -> Result<(), MemoryError> {
        let size = self.chip.descriptor_bytes().buffer as usize;
        let mut table = Vec::new();
        let mut words = Vec::new();
        for (slot, layout) in pipeline.state.vertex_buffers.iter().enumerate() {
            let Some(buffer) = self.vertex_buffers.get(slot).copied().flatten() else {
                continue;
            };
            for attribute in &layout.attributes {
                words.clear();
                let fetch = AttributeFetch {
                    buffer,
                    offset: attribute.offset as u32,
                    stride: layout.stride,
                    format: attribute.format,
                };
                self.chip.attribute_descriptor(&fetch, &mut words);
                let at = attribute.shader_location as usize * size;
                if table.len() < at + size {
                    table.resize(at + size, 0);
                }
                table[at..at + size].copy_from_slice(bytemuck::cast_slice(&words));
            }
        }
        if !table.is_empty() {
            self.data.attributes = self.put(&table, 64)?;
        }
        Ok(())
    }

    /// Puts bytes into memory that lasts until the stream has run.
    fn put(&mut self, bytes: &[u8], align: u64) -> Result<Addr, MemoryError> {
        let len = bytes.len() as u64;
        let mut at = self.chunk.start.next_multiple_of(align);
        if at + len > self.chunk.end {
            let size = len.max(CHUNK);
            let start = (self.allocate)(size, align.max(256))?.0;
            self.chunk = start..start + size;
            at = start;
        }
        self.chunk.start = at + len;
        self.memory.write(Addr(at), bytes)?;
        Ok(Addr(at))
    }
}

/// Makes an output of a vertex shader the number of the viewport as well.
fn export_viewport(vertex: &mut Function, location: u32) -> Result<(), LinkError> {
    let outputs = &vertex.interface.outputs;
    let found = outputs
        .iter()
        .position(|output| output.location == location);
    let Some(index) = found else {
        return Err(LinkError::NoViewport { location });
    };
    let output = &outputs[index];
    if output.components != 1 || !matches!(output.scalar, Scalar::Uint | Scalar::Sint) {
        return Err(LinkError::ViewportType {
            location,
            scalar: output.scalar,
            components: output.components,
        });
    }
    for block in &mut vertex.blocks {
        let written = |op: &Op| matches!(op, Op::Output { output, .. } if *output == index as u32);
        let Some(at) = block.insts.iter().rposition(|inst| written(&inst.op)) else {
            continue;
        };
        let export = Inst {
            op: Op::OutputBuiltin(OutputBuiltin::Viewport),
            ..block.insts[at].clone()
        };
        block.insts.insert(at + 1, export);
    }
    Ok(())
}

/// A fragment shader that writes nothing.
fn empty_fragment() -> Function {
    let mut builder = Builder::new("none", Stage::Fragment);
    builder.end(Terminator::Return);
    builder.finish()
}

/// Whether a fragment shader asks for what differs from sample to sample.
fn per_sample(function: &Function) -> bool {
    use Interpolation::{LinearSample, PerspectiveSample};
    let varies = |op: &Op| match op {
        Op::Builtin(builtin) => *builtin == Builtin::SampleIndex,
        Op::Input { input, .. } => {
            let how = function.interface.inputs[*input as usize].interpolation;
            matches!(how, PerspectiveSample | LinearSample)
        }
        _ => false,
    };
    let insts = || function.blocks.iter().flat_map(|block| &block.insts);
    insts().any(|inst| varies(&inst.op))
}
