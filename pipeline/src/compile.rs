//! Shader stages to linked binaries.
//!
//! [`LinkedStages`] are lowered and fit each other and the state; the caller checks their interfaces against its own rules.
//! [`CompiledPipeline`] is their machine code for a chip, which takes far longer to make.

use std::collections::BTreeMap;

use silicon::Addr;
use wgpu_types as wgt;

use crate::codegen::geometry::merged::{Joint, Merged, Runs, merge};
use crate::codegen::geometry::{self, VertexRole, VertexWords, input_words};
use crate::codegen::{Binary, CompileError, Corners, InputVector, Options};
use crate::error::{Location, ShaderError};
use crate::ir::{
    Builder, Builtin, Function, ImageOp, Inst, Interface, Interpolation, Op, OutputBuiltin, Scalar,
    Stage, Terminator, Varying,
};
use crate::layout::PipelineLayout;
use crate::link::{Link, LinkError, check_locations, export_builtins, link, link_primitive_index};
use crate::lower::Overrides;
use crate::names::Name;
use crate::passes::{self, drop_unstored};
use crate::state::{GeometryOutput, GraphicsState, ProvokingVertex};
use crate::targets::{GeometryPath, Target};
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
    pub(crate) fn lower(&self, stage: Stage) -> Result<Function, PipelineError> {
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
    /// Geometry shader.
    pub geometry: Option<StageSource<'a>>,
    /// Fragment shader.
    pub fragment: Option<StageSource<'a>>,
}

/// Why a pipeline cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PipelineError {
    /// A shader cannot be lowered.
    #[error("{} shader: {source}", stage.name())]
    Shader {
        /// Stage.
        stage: Stage,
        /// Why.
        source: ShaderError,
    },
    /// A shader cannot be compiled for the chip.
    #[error("{} shader: {source}", stage.name())]
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

/// Stages that fit each other and the state, not yet compiled for a chip.
#[derive(Clone, Debug)]
pub struct LinkedStages {
    /// Everything that is not a shader.
    pub state: GraphicsState,
    vertex: Function,
    geometry: Option<Function>,
    /// One that writes nothing where the pipeline has none.
    fragment: Function,
    has_fragment: bool,
    links: Vec<Link>,
}

/// What is between the vertices of a pipeline and its primitives.
#[derive(Clone, Debug)]
pub struct CompiledGeometry {
    /// The geometry shader.
    pub shader: Binary,
    /// The vertex shader that copies what it emits, where the chip has one run.
    pub copy: Option<Binary>,
    /// The runs of an invocation, where the shader is one for both stages.
    pub runs: Option<Runs>,
    /// Words of vertices.
    pub words: VertexWords,
    /// Invocations that a run of the shader is, one after the other.
    pub rounds: u32,
    /// Where the code of both lies, once it is in memory.
    pub(crate) code: [Addr; 2],
}

/// A compiled and linked pipeline.
#[derive(Clone, Debug)]
pub struct CompiledPipeline {
    /// Everything that is not a shader.
    pub state: GraphicsState,
    pub(crate) vertex: Binary,
    pub(crate) geometry: Option<CompiledGeometry>,
    pub(crate) fragment: Binary,
    has_fragment: bool,
    /// The fragment shader runs once a sample.
    pub(crate) per_sample: bool,
    pub(crate) links: Vec<Link>,
    /// What sets the pipeline, once its code is in memory.
    pub(crate) words: Vec<u32>,
    /// Descriptors of the scratch memory and of rings, where shaders need some.
    pub(crate) scratch: Vec<u32>,
    /// Where the code of vertex and fragment shader lies, once it is in memory.
    pub(crate) code: [Addr; 2],
}

impl LinkedStages {
    /// Lowers the stages and joins them.
    pub fn link(
        target: &Target,
        source: &PipelineSource<'_>,
        mut state: GraphicsState,
    ) -> Result<LinkedStages, PipelineError> {
        let mut vertex = source.vertex.lower(Stage::Vertex)?;
        let mut fragment = match &source.fragment {
            Some(stage) => stage.lower(Stage::Fragment)?,
            None => empty_fragment(),
        };
        let mut geometry = match &source.geometry {
            Some(stage) => Some(stage.lower(Stage::Geometry)?),
            None => None,
        };
        if let (Some(function), Some(stage)) = (&geometry, &mut state.geometry) {
            let interface = function.interface.geometry.as_ref();
            stage.vertices = interface.map_or(0, |geometry| geometry.vertices);
            stage.chooses_viewport =
                interface.is_some_and(|g| g.builtins.contains(&OutputBuiltin::Viewport));
        }
        if state.stream.is_none() {
            let last = geometry.as_ref().unwrap_or(&vertex);
            state.stream.clone_from(&last.interface.stream);
        }
        if state.stream.is_some() && !target.info.features.stream_output {
            return Err(LinkError::NoStreamOutput.into());
        }
        if let Some(location) = state.raster.viewport_output {
            if geometry.is_some() {
                return Err(LinkError::ViewportBeforeGeometry { location }.into());
            }
            export_viewport(&mut vertex, location)?;
        }
        match &mut geometry {
            Some(geometry) => {
                link_primitive_index(geometry, &mut fragment);
                export_builtins(&mut vertex, geometry)?;
                export_builtins(geometry, &fragment)?;
            }
            None => export_builtins(&mut vertex, &fragment)?,
        }
        let has_fragment = source.fragment.is_some();
        for function in [&vertex, &fragment].into_iter().chain(&geometry) {
            check_locations(function, &target.info.limits).map_err(|source| {
                PipelineError::Shader {
                    stage: function.stage,
                    source,
                }
            })?;
        }
        let links = link(
            &vertex,
            geometry.as_ref(),
            has_fragment.then_some(&fragment),
            &state,
            target.info.limits.varyings,
        )?;
        Ok(LinkedStages {
            state,
            vertex,
            geometry,
            fragment,
            has_fragment,
            links,
        })
    }

    /// What a stage takes and gives.
    pub fn interface(&self, stage: Stage) -> Option<&Interface> {
        match stage {
            Stage::Vertex => Some(&self.vertex.interface),
            Stage::Geometry => self.geometry.as_ref().map(|function| &function.interface),
            Stage::Fragment if self.has_fragment => Some(&self.fragment.interface),
            _ => None,
        }
    }

    /// What a stage does with textures; their resources are those of its interface.
    pub fn image_ops(&self, stage: Stage) -> impl Iterator<Item = &ImageOp> {
        let function = match stage {
            Stage::Vertex => Some(&self.vertex),
            Stage::Geometry => self.geometry.as_ref(),
            _ => Some(&self.fragment),
        };
        function.into_iter().flat_map(image_ops)
    }

    /// Whether the fragment shader says which samples it covers.
    pub fn writes_sample_mask(&self) -> bool {
        let mask = |op: &Op| matches!(op, Op::OutputBuiltin(OutputBuiltin::SampleMask));
        has(&self.fragment, mask)
    }

    /// Compiles the stages; descriptors lie where `layout` says.
    pub fn compile(
        self,
        target: &Target,
        layout: &PipelineLayout,
    ) -> Result<CompiledPipeline, PipelineError> {
        let state = self.state;
        let mut instance_attributes = 0;
        let mut attribute_formats = BTreeMap::new();
        for buffer in &state.vertex_buffers {
            for attribute in &buffer.attributes {
                let location = attribute.shader_location;
                attribute_formats.insert(location, attribute.format);
                if buffer.step == wgt::VertexStepMode::Instance {
                    instance_attributes |= 1 << location;
                }
            }
        }
        let colors = state.targets.iter().map(Option::is_some);
        // What has no target is dropped. [VULKAN Fragment Output Interface]
        let all = target.info.limits.color_attachments as usize;
        let colors = colors.chain(std::iter::repeat(false)).take(all);
        let per_sample = state.multisample.count > 1
            && (state.raster.sample_shading || per_sample(&self.fragment));
        let compile = |function: &Function, options: &Options| {
            (target.compile)(function, options).map_err(|source| PipelineError::Compile {
                stage: function.stage,
                source,
            })
        };
        let fragment_options = Options {
            layout: Some(layout.clone()),
            colors: colors.collect(),
            targets: state.targets.clone(),
            logic_op: state.raster.logic_op,
            per_sample,
            samples: state.multisample.count,
            corners: corners(&state),
            alpha_to_coverage: state.multisample.alpha_to_coverage_enabled,
            ..Options::default()
        };
        let mut fragment = self.fragment;
        drop_unstored(&mut fragment, |output| used_components(&state, output));
        let fragment = compile(&fragment, &fragment_options)?;
        let vertex_options = Options {
            layout: Some(layout.clone()),
            instance_attributes,
            attribute_formats,
            export_primitive_index: fragment.primitive_index && self.geometry.is_none(),
            role: match self.geometry {
                Some(_) => VertexRole::Feeds,
                None => VertexRole::Draws,
            },
            stream: match self.geometry {
                Some(_) => None,
                None => state.stream.clone(),
            },
            export_clip_position: fragment.slots.inputs.contains(&InputVector::ClipPosition),
            ..Options::default()
        };
        let stages = Joined {
            target,
            vertex: (&self.vertex, &vertex_options),
            state: &state,
            primitive_index: fragment.primitive_index,
        };
        let (vertex, geometry) = match &self.geometry {
            Some(function) => {
                let (vertex, geometry) = stages.compile(function, compile)?;
                (vertex, Some(geometry))
            }
            None => (compile(&self.vertex, &vertex_options)?, None),
        };
        Ok(CompiledPipeline {
            state,
            vertex,
            geometry,
            fragment,
            has_fragment: self.has_fragment,
            per_sample,
            links: self.links,
            words: Vec::new(),
            scratch: Vec::new(),
            code: [Addr(0); 2],
        })
    }
}

impl CompiledPipeline {
    /// The code of a stage.
    pub fn binary(&self, stage: Stage) -> Option<&Binary> {
        match stage {
            Stage::Vertex => Some(&self.vertex),
            Stage::Geometry => self.geometry.as_ref().map(|geometry| &geometry.shader),
            Stage::Fragment if self.has_fragment => Some(&self.fragment),
            _ => None,
        }
    }

    /// The stage whose code has the word at an address, and where that comes from in its text.
    pub fn locate(&self, address: u64) -> Option<(Stage, Option<Location>)> {
        let geometry = self.geometry.as_ref().map(|geometry| geometry.code[0]);
        let [vertex, fragment] = self.code.map(Some);
        let code = [
            (Stage::Vertex, vertex),
            (Stage::Geometry, geometry),
            (Stage::Fragment, fragment),
        ];
        let mut stages = code
            .into_iter()
            .filter_map(|(stage, at)| Some((stage, at?)));
        stages.find_map(|(stage, Addr(start))| {
            let found = self.binary(stage)?.locate(Addr(start), address)?;
            Some((stage, found))
        })
    }
}

/// A geometry shader that runs all its invocations, where it has several and the chip runs one.
fn looped(target: &Target, function: &Function, state: &GraphicsState) -> Option<Function> {
    let invocations = state.geometry.map_or(1, |geometry| geometry.invocations);
    let needed = invocations > 1 && !target.chip.rings()?.has_invocations();
    needed.then(|| {
        let mut looped = geometry::looped(function, invocations);
        passes::run(&mut looped);
        looped
    })
}

/// What a geometry shader is compiled with.
struct Joined<'a> {
    target: &'a Target,
    vertex: (&'a Function, &'a Options),
    state: &'a GraphicsState,
    primitive_index: bool,
}

impl Joined<'_> {
    /// The vertex shader of the pipeline, and the geometry shader; one for both where the chip has one stage for both.
    fn compile(
        &self,
        function: &Function,
        compile: impl Fn(&Function, &Options) -> Result<Binary, PipelineError>,
    ) -> Result<(Binary, CompiledGeometry), PipelineError> {
        let (vertex, vertex_options) = self.vertex;
        let interface = &vertex.interface;
        let looped = looped(self.target, function, self.state);
        let rounds = match (&looped, &self.state.geometry) {
            (Some(_), Some(stage)) => stage.invocations,
            _ => 1,
        };
        let function = looped.as_ref().unwrap_or(function);
        let words = VertexWords::new(interface, &function.interface, self.primitive_index);
        let compiled = |shader, copy, runs| CompiledGeometry {
            shader,
            copy,
            runs,
            words,
            rounds,
            code: [Addr(0); 2],
        };
        let options = Options {
            layout: vertex_options.layout.clone(),
            vertex_words: Some(input_words(&function.interface, interface)),
            export_primitive_index: self.primitive_index,
            ..Options::default()
        };
        match self.target.chip.geometry_path() {
            GeometryPath::Merged => {
                let joint = Joint {
                    output: (self.state.geometry)
                        .map_or(GeometryOutput::TriangleStrip, |geometry| geometry.output),
                    provoking_last: self.state.raster.provoking_vertex == ProvokingVertex::Last,
                    instance_attributes: vertex_options.instance_attributes,
                };
                let Merged {
                    function: both,
                    runs,
                } = merge(vertex, function, &joint);
                let options = Options {
                    role: VertexRole::Merged,
                    ..vertex_options.clone()
                };
                let shader = (self.target.compile)(&both, &options).map_err(|source| {
                    PipelineError::Compile {
                        stage: Stage::Geometry,
                        source,
                    }
                })?;
                Ok((shader.clone(), compiled(shader, None, Some(runs))))
            }
            path => {
                let vertex = compile(vertex, vertex_options)?;
                let shader = compile(function, &options)?;
                let copy = match path {
                    GeometryPath::Copied => {
                        let options = Options {
                            role: VertexRole::Copies {
                                max_vertices: words.max_vertices,
                            },
                            stream: self.state.stream.clone(),
                            ..options
                        };
                        Some(compile(&geometry::copy(function), &options)?)
                    }
                    _ => None,
                };
                Ok((vertex, compiled(shader, copy, None)))
            }
        }
    }
}

/// What a function does with textures.
pub(crate) fn image_ops(function: &Function) -> impl Iterator<Item = &ImageOp> {
    function.insts().filter_map(|inst| match &inst.op {
        Op::Image(image) => Some(image),
        _ => None,
    })
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

/// The primitives that fragments of a pipeline are of.
fn corners(state: &GraphicsState) -> Corners {
    use wgt::PrimitiveTopology as Topology;
    let emitted = state.geometry.map(|geometry| match geometry.output {
        GeometryOutput::Points => 1,
        GeometryOutput::LineStrip => 2,
        GeometryOutput::TriangleStrip => 3,
    });
    let vertices = emitted.unwrap_or(match state.primitive.topology {
        Topology::PointList => 1,
        Topology::LineList | Topology::LineStrip => 2,
        Topology::TriangleList | Topology::TriangleStrip => 3,
    });
    let last = state.raster.provoking_vertex == ProvokingVertex::Last;
    let order = match (vertices, last) {
        (2, true) => [1, 0, 2],
        (3, true) => [1, 2, 0],
        _ => [0, 1, 2],
    };
    Corners { vertices, order }
}

/// Components of a colour that its target stores, or something else reads.
fn used_components(state: &GraphicsState, output: &Varying) -> u32 {
    const ALL: u32 = 15;
    let covers = output.location == 0 && state.multisample.alpha_to_coverage_enabled;
    let target = state.targets.get(output.location as usize);
    match target {
        Some(Some(target)) if target.blend.is_none() && !covers => {
            ALL >> 4u32.saturating_sub(target.format.components().into())
        }
        _ => ALL,
    }
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
    function.interface.sample_shading || has(function, varies)
}

/// Whether an instruction is in a function.
fn has(function: &Function, is_it: impl Fn(&Op) -> bool) -> bool {
    function.insts().any(|inst| is_it(&inst.op))
}
