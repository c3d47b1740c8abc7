//! SSA in, machine code out.
//!
//! What every back end takes ([`Options`]) and gives ([`Binary`]) is here. A back end is a folder: it chooses
//! instructions, lowers structured control flow to what its chip has, asks [`regalloc`] for registers and encodes.

use std::collections::BTreeMap;

use wgpu_types::{ColorTargetState, VertexFormat};

use silicon::Addr;
use silicon::gpu::Info;

use crate::error::{At, Location, ShaderError};
use crate::guard::{self, Panicked};
use crate::ir::{Builtin, Function, Interface, Op, Origin, Stage};
use crate::layout::{DescriptorBytes, DescriptorKind, PipelineLayout, SetLayout};
use crate::link::check_locations;
use crate::state::LogicOp;
use crate::stream::StreamLayout;
use crate::targets::TARGETS;

mod definitions;
pub mod direct;
mod elements;
mod expand;
pub mod geometry;
mod lines;
mod outputs;
pub mod r5xx;
pub mod r600;
pub mod radeon;
mod reciprocal;
pub mod regalloc;
pub mod rogue;
mod signed;
pub mod southern_islands;
pub mod structure;
mod viewports;
mod wiring;

pub use lines::Lines;
pub use wiring::{
    ConstantSource, ConstantVector, DriverValue, InputVector, Number, OutputVector, Sampling,
};

/// Rounds that helper lanes go on for in the loops of a shader that discards, where no live lane is with them. It is more than
/// what their quad's differences need; a lane that was discarded may go round for ever.
pub const HELPER_ROUNDS: u32 = 1024;

/// What compiling a part of a shader gives.
pub type Result<T, E = CompileError> = std::result::Result<T, E>;

/// What a shader is compiled for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Where the descriptors lie; made from the shader's own resources when absent.
    pub layout: Option<PipelineLayout>,
    /// Vertex: bit `n` is set when the attribute at location `n` advances once an instance.
    pub instance_attributes: u32,
    /// Vertex: formats of the attributes in memory, by location.
    pub attribute_formats: BTreeMap<u32, VertexFormat>,
    /// Vertex: what becomes of the vertices.
    pub role: geometry::VertexRole,
    /// Geometry: where the inputs are in what the vertex shader stores, by their places in the interface; one after the
    /// other when absent.
    pub vertex_words: Option<Vec<u32>>,
    /// Vertex and geometry: the fragment shader reads the primitive index, which is then exported behind the user's outputs.
    pub export_primitive_index: bool,
    /// Vertex: what goes to buffers.
    pub stream: Option<StreamLayout>,
    /// Vertex: the fragment shader reads the clip position as [`InputVector::ClipPosition`].
    pub export_clip_position: bool,
    /// Fragment: whether the colour at location `n` has a target to leave to; those beyond the end have, so a pipeline names
    /// all that the chip has.
    pub colors: Vec<bool>,
    /// Fragment: the state of the target at location `n`, for chips whose shaders blend. None at all where colours leave as
    /// they are.
    pub targets: Vec<Option<ColorTargetState>>,
    /// Fragment: bitwise operation instead of blending, on such chips.
    pub logic_op: Option<LogicOp>,
    /// Fragment: the shader runs once a sample, so inputs are taken at the sample.
    pub per_sample: bool,
    /// Fragment: the primitives that it shades.
    pub corners: Corners,
    /// Fragment: samples of a pixel; 0 counts as 1.
    pub samples: u32,
    /// Fragment: alpha of the first colour is turned to coverage, for chips whose shaders do that.
    pub alpha_to_coverage: bool,
}

/// The vertices of the primitives that a fragment shader shades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corners {
    /// Vertices of a primitive, 1 to 3.
    pub vertices: u8,
    /// By the number of a vertex in the draw's order: its number where the provoking one comes first.
    pub order: [u8; 3],
}

impl Default for Corners {
    fn default() -> Corners {
        Corners {
            vertices: 3,
            order: [0, 1, 2],
        }
    }
}

impl Options {
    /// Whether the colour at a location leaves.
    pub fn exports(&self, location: u32) -> bool {
        self.colors
            .get(location as usize)
            .is_none_or(|target| *target)
    }
}

/// A compiled shader.
#[derive(Clone, Debug)]
pub struct Binary {
    /// Machine code.
    pub words: Vec<u32>,
    /// Register addresses and values that belong to this code, whatever the pipeline's state is.
    pub registers: Vec<(u32, u32)>,
    /// Which stage it is.
    pub stage: Stage,
    /// What the shader exchanges with the fixed-function parts: for linking.
    pub interface: Interface,
    /// The vertex shader exports the primitive index as its last parameter, or the fragment shader reads it as its
    /// last input.
    pub primitive_index: bool,
    /// The fragment shader reads the place in a point as its very last input.
    pub point_coord: bool,
    /// The vertex shader reads the base vertex, not only indices that it is added to.
    pub base_vertex: bool,
    /// Bytes of scratch memory that one wave needs.
    pub scratch_bytes: u32,
    /// Hardware slots that the driver fills for the shader, on chips whose instructions name resources by number.
    pub slots: Slots,
    /// Facts about the code.
    pub stats: Stats,
    /// Where the code comes from.
    pub lines: Lines,
    /// The target's disassembler.
    print: fn(&[u32]) -> String,
}

impl Binary {
    /// The code as assembly text, one instruction a line.
    pub fn listing(&self) -> String {
        (self.print)(&self.words)
    }

    /// Where the word at an address comes from in the text, of code that starts at `start`. None outside of it.
    pub(crate) fn locate(&self, start: Addr, address: u64) -> Option<Option<Location>> {
        let word = address.checked_sub(start.0)? / 4;
        let inside = word < self.words.len() as u64;
        inside.then(|| self.lines.locate(word as u32))
    }
}

/// Disassembled code as text, one instruction a line.
fn listing(lines: Result<Vec<isa::Line>, impl std::fmt::Display>) -> String {
    match lines {
        Ok(lines) => lines.iter().map(|line| line.text.clone() + "\n").collect(),
        Err(error) => format!("; {error}\n"),
    }
}

/// Byte offset of a binding's first descriptor in its set: where the layout of the pipeline has it, or without one where
/// a set of all the bindings that the shader names would.
pub(crate) fn descriptor_offset(
    function: &Function,
    options: &Options,
    resource: u32,
    bytes: DescriptorBytes,
    origin: Origin,
) -> Result<u32> {
    let resources = &function.interface.resources;
    let found = &resources[resource as usize];
    let (slot, kind) = (found.slot, DescriptorKind::from(&found.kind));
    let found = match &options.layout {
        Some(layout) => layout.offset(slot, kind),
        None => {
            let layout = SetLayout::of_shader(resources, slot.group, bytes);
            layout.offsets.get(&(slot.binding, kind)).copied()
        }
    };
    found.ok_or_else(|| CompileError::NoBinding {
        entry: function.name.clone(),
        group: slot.group,
        binding: slot.binding,
        at: function.text.locate(origin),
    })
}

/// A descriptor and the hardware slot that a shader expects it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Number of the hardware slot.
    pub slot: u32,
    /// Descriptor set.
    pub set: u32,
    /// Byte offset of the descriptor in its set.
    pub offset: u32,
    /// Index into the interface's resources.
    pub resource: u32,
    /// Element of a binding array.
    pub element: u32,
}

/// Hardware slots by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// Buffers and textures.
    pub resources: Vec<Bound>,
    /// Samplers.
    pub samplers: Vec<Bound>,
    /// Slots whose samplers take the nearest texel of the level that the program names, even if they filter.
    pub nearest: Vec<u32>,
    /// Those of them that have no level but the finest that the sampler takes.
    pub finest: Vec<u32>,
    /// Constant buffers.
    pub banks: Vec<Bound>,
    /// Locations of the vertex attributes that are fetched.
    pub attributes: Vec<u32>,
    /// Descriptor sets that are read themselves, a bit each.
    pub sets: u8,
    /// The push constants are fetched like a buffer.
    pub fetches_push: bool,
    /// What lies behind the push constants of the draw is read.
    pub draw_constants: bool,
    /// Constants in registers, on chips where the driver writes them.
    pub constants: Vec<ConstantVector>,
    /// Input vectors in the order of their registers, on such chips.
    pub inputs: Vec<InputVector>,
    /// Output vectors of a vertex shader in the order of their registers, on such chips.
    pub outputs: Vec<OutputVector>,
}

/// Facts about compiled code: counters that the chip names, in the order in which they are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats(Vec<(&'static str, u32)>);

impl Stats {
    /// Counters at zero.
    pub fn new(names: &[&'static str]) -> Stats {
        Stats(names.iter().map(|name| (*name, 0)).collect())
    }

    /// Adds to a counter.
    pub fn add(&mut self, name: &str, count: u32) {
        let found = self.0.iter_mut().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "{name} is not counted");
        if let Some((_, value)) = found {
            *value += count;
        }
    }

    /// A counter by its name; 0 where the chip has none.
    pub fn get(&self, name: &str) -> u32 {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or(0, |(_, value)| *value)
    }
}

impl std::fmt::Display for Stats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rows = self.0.iter();
        rows.try_for_each(|(name, value)| writeln!(f, "{name}: {value}"))
    }
}

/// Compiles an entry point whose interface the chip has, with a stack that is deep enough for it.
pub(crate) fn compile(
    function: &Function,
    options: &Options,
    info: &Info,
    back_end: fn(&Function, &Options) -> Result<Binary>,
) -> Result<Binary> {
    // Inputs of a copy, and of runs of a geometry shader, are no attributes.
    use geometry::VertexRole as Role;
    if !matches!(options.role, Role::Copies { .. } | Role::Merged) {
        check_locations(function, &info.limits)?;
    }
    if function.stage == Stage::Geometry && !info.features.geometry {
        let (what, origin) = ("the geometry stage", first_origin(function));
        return Err(CompileError::unsupported(function, info.name, what, origin));
    }
    check_workgroup(function, info)?;
    let known = with_sample_count(function, options);
    let function = known.as_ref().unwrap_or(function);
    guard::run(|| back_end(function, options)).unwrap_or_else(|Panicked(reason)| {
        Err(CompileError::Shader(ShaderError::Compiler { reason }))
    })
}

/// The same shader for a known number of samples, where it asks for that.
fn with_sample_count(function: &Function, options: &Options) -> Option<Function> {
    let asks = |op: &Op| matches!(op, Op::Builtin(Builtin::SampleCount));
    function.insts().find(|inst| asks(&inst.op))?;
    let mut known = function.clone();
    let insts = known.blocks.iter_mut().flat_map(|block| &mut block.insts);
    for inst in insts.filter(|inst| asks(&inst.op)) {
        inst.op = Op::Const(options.samples.max(1));
    }
    crate::passes::run(&mut known);
    Some(known)
}

/// The first place of a function that is known.
pub(crate) fn first_origin(function: &Function) -> Origin {
    let mut origins = function.insts().map(|inst| inst.origin);
    origins.find(|origin| origin.is_known()).unwrap_or_default()
}

/// Why a chip has no compute stage.
fn missing_compute(chip: &str) -> Option<&'static str> {
    let target = TARGETS.iter().find(|target| target.info.name == chip)?;
    target.chip.compute().err()
}

/// Refuses compute shaders where there is no such stage, and workgroups that are too large.
fn check_workgroup(function: &Function, info: &Info) -> Result<()> {
    if function.stage != Stage::Compute {
        return Ok(());
    }
    let origin = first_origin(function);
    if !info.features.compute {
        let what = match missing_compute(info.name) {
            Some(reason) => format!("the compute stage ({reason})"),
            None => "the compute stage".to_owned(),
        };
        return Err(CompileError::unsupported(function, info.name, what, origin));
    }
    let (workgroup, limits) = (function.interface.workgroup, info.limits.workgroup);
    let [x, y, z] = workgroup.size.map(u64::from);
    let [most_x, most_y, most_z] = limits.size;
    for (what, needed, limit) in [
        ("invocations along x in a workgroup", x, most_x),
        ("invocations along y in a workgroup", y, most_y),
        ("invocations along z in a workgroup", z, most_z),
        (
            "invocations in a workgroup",
            x.saturating_mul(y).saturating_mul(z),
            limits.invocations,
        ),
        (
            "bytes of workgroup memory",
            workgroup.shared_bytes.into(),
            limits.shared_bytes,
        ),
    ] {
        let limit = u64::from(limit);
        if needed > limit {
            let at = function.text.locate(origin);
            return Err(CompileError::Shader(ShaderError::TooLarge {
                what,
                needed,
                limit,
                at,
            }));
        }
    }
    Ok(())
}

/// Why a function cannot be compiled for a chip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// What no shader may do on the chip.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The chip or this back end cannot do it.
    #[error("entry point `{entry}` uses {what}, which {target} cannot do{at}")]
    Unsupported {
        /// Entry point.
        entry: String,
        /// Target.
        target: &'static str,
        /// What.
        what: String,
        /// Where in the text.
        at: At,
    },
    /// The descriptor set layout has no such binding.
    #[error(
        "entry point `{entry}` uses @group({group}) @binding({binding}), which the layout of the set lacks{at}"
    )]
    NoBinding {
        /// Entry point.
        entry: String,
        /// Set.
        group: u32,
        /// Binding.
        binding: u32,
        /// Where in the text.
        at: At,
    },
    /// More registers than there are, even after spilling. The place is where most values are alive.
    #[error(
        "entry point `{entry}` needs more {bank} registers than the {available} that {target} has{at}"
    )]
    Registers {
        /// Entry point.
        entry: String,
        /// Target.
        target: &'static str,
        /// Kind of register.
        bank: &'static str,
        /// How many there are.
        available: u32,
        /// Where in the text.
        at: At,
    },
    /// A branch farther than its offset can say.
    #[error(
        "entry point `{entry}` has a branch over {words} words, more than {target} can encode{at}"
    )]
    Distance {
        /// Entry point.
        entry: String,
        /// Target.
        target: &'static str,
        /// Distance.
        words: usize,
        /// Where in the text.
        at: At,
    },
}

impl CompileError {
    /// Something that a function uses and the target lacks.
    pub(crate) fn unsupported(
        function: &Function,
        target: &'static str,
        what: impl Into<String>,
        origin: Origin,
    ) -> CompileError {
        CompileError::Unsupported {
            entry: function.name.clone(),
            target,
            what: what.into(),
            at: function.text.locate(origin),
        }
    }

    /// Where in the text the error is, if it is in one place.
    pub fn location(&self) -> Option<&Location> {
        match self {
            CompileError::Shader(error) => error.location(),
            CompileError::Unsupported { at, .. }
            | CompileError::NoBinding { at, .. }
            | CompileError::Registers { at, .. }
            | CompileError::Distance { at, .. } => at.0.as_ref(),
        }
    }
}
