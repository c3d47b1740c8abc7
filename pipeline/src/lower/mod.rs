//! naga module in, SSA out: one entry point with everything it calls inlined, every vector taken apart.
//!
//! - `types`: types as trees of words, and their layout in buffers.
//! - `place`: what pointers point to; loads, stores and bounds.
//! - `interface`: entry-point inputs and outputs, resources.
//! - `statement`, `flow`: structured control flow; variables become SSA while it is walked.
//! - `expression`, `operator`, `math`, `transcendental`, `bits`, `image`: what expressions compute.
//! - `geometry`: plain functions that are geometry stages.
//! - `workgroup`: what invocations of a compute shader share.
//! - `names`: words for messages.
//! - `indexing`: which variables are indexed at run time.
//!
//! Out-of-bounds accesses read zero and write nothing. Everything is expanded to operations that every chip has, in
//! one fixed order, so that all chips give the same bits.

mod bits;
mod expression;
pub(crate) mod flow;
pub(crate) mod geometry;
pub(crate) mod image;
mod indexing;
mod interface;
pub(crate) mod math;
mod names;
mod narrow;
mod operator;
pub(crate) mod place;
mod statement;
pub(crate) mod subgroup;
mod transcendental;
pub(crate) mod types;
mod workgroup;
mod writer;

use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Arena, Expression, Handle, Span};

use crate::error::{At, ShaderError};
use crate::guard::{self, Panicked};
use crate::ir::{Function, Known, Origin, Stage, Value};
use crate::wgsl::{Checked, CheckedModule, NagaModule, stage_from};
use flow::{Breakable, LoopEdges};
use indexing::Indexed;
use place::Pointer;
use types::{Kind, Ty, Types};
pub(crate) use writer::{Slot, Writer};

/// Values of pipeline constants, by name or, for an override with `@id`, by number.
pub type Overrides = BTreeMap<String, f64>;

/// What lowering a part of a shader gives.
pub(crate) type Result<T, E = ShaderError> = std::result::Result<T, E>;

/// An expression of a naga function or module.
type Expr = Handle<Expression>;

/// Most instructions that inlining may make.
const INSTRUCTIONS: usize = 200_000;
/// Most calls inside calls.
pub(crate) const CALL_DEPTH: usize = 60;
/// Most branches and loops inside each other, with those of calls and what early returns leave: back ends take more than
/// linear time for them.
const BRANCH_DEPTH: usize = 500;
/// Most words of one value or one variable.
const VALUE_WORDS: u64 = 16_384;

/// Lowers one entry point. Without a name, the only one of the stage; without a stage, of any stage.
pub fn lower(
    checked: &CheckedModule,
    entry: Option<&str>,
    stage: Option<Stage>,
    overrides: &Overrides,
) -> Result<Function, ShaderError> {
    match &checked.0 {
        Checked::Spirv(module) => module.lower(entry, stage, overrides),
        Checked::Naga(module) => guard::run(|| lower_here(module, entry, stage, overrides))
            .unwrap_or_else(|Panicked(reason)| Err(ShaderError::Compiler { reason })),
    }
}

fn lower_here(
    checked: &NagaModule,
    entry: Option<&str>,
    stage: Option<Stage>,
    overrides: &Overrides,
) -> Result<Function, ShaderError> {
    let points = checked.module.entry_points.iter().map(|point| Choice {
        name: &point.name,
        stage: stage_from(point.stage),
        model: format!("{:?}", point.stage).to_lowercase(),
    });
    let stages: Vec<_> = geometry::stages(&checked.module).collect();
    let plain = stages.iter().map(|stage| Choice {
        name: stage.name,
        stage: Some(Stage::Geometry),
        model: "geometry".to_owned(),
    });
    let choices: Vec<_> = points.chain(plain).collect();
    let (index, stage) = choose(&choices, entry, stage)?;
    let name = choices[index].name;
    let mut lowerer = Lowerer {
        checked,
        module: &checked.module,
        info: &checked.info,
        types: Types::new(checked),
        indexed: Indexed::find(&checked.module),
        writer: Writer::new(name, stage, checked.text.clone()),
        globals: HashMap::new(),
        overrides: HashMap::new(),
        given: given_overrides(checked, overrides)?,
        loops: Vec::new(),
        breakables: Vec::new(),
        depth: 0,
        emitter: None,
    };
    match checked.module.entry_points.get(index) {
        Some(point) => lowerer.entry_point(point, checked.info.get_entry_point(index))?,
        None => lowerer.geometry(&stages[index - checked.module.entry_points.len()])?,
    }
    Ok(lowerer.writer.finish())
}

/// What an expression is while it is lowered.
#[derive(Clone)]
enum Val {
    /// A value: its leaves.
    Words(Rc<[Value]>),
    /// A pointer.
    Pointer(Pointer),
    /// A texture or sampler, or an array of resources.
    Resource(Resource),
}

/// A resource, or an element of an array of them.
#[derive(Clone)]
struct Resource {
    access: crate::ir::Access,
    global: Handle<naga::GlobalVariable>,
    ty: Rc<Ty>,
}

/// An activation of a function; also the place of constant expressions.
struct Frame<'a> {
    expressions: &'a Arena<Expression>,
    /// None for the module's constant expressions.
    info: Option<&'a FunctionInfo>,
    arguments: Vec<Val>,
    /// By index of the expression: those that were evaluated already.
    values: Vec<Option<Val>>,
    /// By index of the variable.
    locals: Vec<Val>,
    /// First slot of the result.
    result: usize,
    /// Slot that says whether the function has returned.
    returned: usize,
}

/// One entry point being lowered.
struct Lowerer<'a> {
    checked: &'a NagaModule,
    module: &'a naga::Module,
    info: &'a ModuleInfo,
    types: Types<'a>,
    indexed: Indexed,
    writer: Writer,
    globals: HashMap<Handle<naga::GlobalVariable>, Val>,
    /// Overrides already evaluated.
    overrides: HashMap<Handle<naga::Override>, Rc<[Value]>>,
    /// Overrides with a value from outside.
    given: HashMap<Handle<naga::Override>, Known>,
    loops: Vec<LoopEdges>,
    breakables: Vec<Breakable>,
    depth: usize,
    /// In a geometry stage, what emits vertices.
    emitter: Option<geometry::Emitter>,
}

impl Deref for Lowerer<'_> {
    type Target = Writer;

    fn deref(&self) -> &Writer {
        &self.writer
    }
}

impl DerefMut for Lowerer<'_> {
    fn deref_mut(&mut self) -> &mut Writer {
        &mut self.writer
    }
}

/// A place as the IR has it.
fn origin(span: Span) -> Origin {
    let range = span.to_range().unwrap_or_default();
    Origin {
        start: range.start as u32,
        end: range.end as u32,
    }
}

impl Lowerer<'_> {
    fn unsupported<T>(&self, feature: impl Into<String>, span: Span) -> Result<T> {
        self.checked.unsupported(feature, span)
    }
}

impl NagaModule {
    fn unsupported<T>(&self, feature: impl Into<String>, span: Span) -> Result<T> {
        Err(ShaderError::Unsupported {
            feature: feature.into(),
            at: self.locate(span),
        })
    }
}

/// An entry point that may be chosen.
pub(crate) struct Choice<'a> {
    pub(crate) name: &'a str,
    pub(crate) stage: Option<Stage>,
    /// What its language calls the stage.
    pub(crate) model: String,
}

/// The entry point of a name and stage, where one of both is enough to tell it.
pub(crate) fn choose(
    points: &[Choice<'_>],
    name: Option<&str>,
    stage: Option<Stage>,
) -> Result<(usize, Stage)> {
    let describe = |at: usize| format!("`{}` ({})", points[at].name, points[at].model);
    let matching: Vec<usize> = (0..points.len())
        .filter(|&at| name.is_none_or(|name| points[at].name == name))
        .filter(|&at| stage.is_none_or(|stage| points[at].stage == Some(stage)))
        .collect();
    match matching[..] {
        [at] => match points[at].stage {
            Some(found) => Ok((at, found)),
            None => Err(ShaderError::Unsupported {
                feature: format!("the entry point {}", describe(at)),
                at: At::default(),
            }),
        },
        [] => Err(ShaderError::NoEntryPoint {
            name: name.map(str::to_owned),
            stage,
            available: (0..points.len()).map(describe).collect(),
        }),
        _ => Err(ShaderError::AmbiguousEntryPoint {
            stage,
            available: matching.into_iter().map(describe).collect(),
        }),
    }
}

/// The value of a pipeline constant as its type has it.
pub(crate) fn known_override(name: &str, kind: Kind, value: f64, at: At) -> Result<Known> {
    let whole = |low: f64, high: f64| value.trunc() >= low && value.trunc() <= high;
    let known = match kind {
        Kind::Bool if !value.is_nan() => Some(Known::Bool(value != 0.0)),
        Kind::F32 if (value as f32).is_finite() => Some(Known::Word((value as f32).to_bits())),
        Kind::I32 if whole(f64::from(i32::MIN), f64::from(i32::MAX)) => {
            Some(Known::Word(value as i32 as u32))
        }
        Kind::U32 if whole(0.0, f64::from(u32::MAX)) => Some(Known::Word(value as u32)),
        _ => None,
    };
    known.ok_or_else(|| ShaderError::OverrideRange {
        name: name.to_owned(),
        kind: match kind {
            Kind::F32 => "an f32",
            Kind::I32 => "an i32",
            Kind::U32 => "a u32",
            Kind::Bool => "a bool",
        },
        value,
        at,
    })
}

fn given_overrides(
    checked: &NagaModule,
    overrides: &Overrides,
) -> Result<HashMap<Handle<naga::Override>, Known>> {
    let declared = &checked.module.overrides;
    let key = |item: &naga::Override| match item.id {
        Some(id) => id.to_string(),
        None => item.name.clone().unwrap_or_default(),
    };
    let mut given = HashMap::new();
    for (name, &value) in overrides {
        let Some((handle, item)) = declared.iter().find(|(_, item)| key(item) == *name) else {
            return Err(ShaderError::UnknownOverride {
                name: name.clone(),
                available: declared.iter().map(|(_, item)| key(item)).collect(),
            });
        };
        let span = declared.get_span(handle);
        let kind = match checked.module.types[item.ty].inner {
            naga::TypeInner::Scalar(scalar) => Types::new(checked).kind(scalar, span)?,
            _ => return checked.unsupported("an override that is no scalar", span),
        };
        let known = known_override(name, kind, value, checked.locate(span))?;
        given.insert(handle, known);
    }
    Ok(given)
}

impl<'a> Lowerer<'a> {
    /// A frame for the module's constant expressions.
    fn constant_frame(&self) -> Frame<'a> {
        Frame {
            expressions: &self.module.global_expressions,
            info: None,
            arguments: Vec::new(),
            values: vec![None; self.module.global_expressions.len()],
            locals: Vec::new(),
            result: 0,
            returned: 0,
        }
    }

    /// Type of an expression; of a pointer, what it points to.
    fn ty(&mut self, f: &Frame<'a>, handle: Expr) -> Result<Rc<Ty>> {
        let resolution = match f.info {
            Some(info) => &info[handle].ty,
            None => &self.info[handle],
        };
        let span = f.expressions.get_span(handle);
        match resolution {
            naga::proc::TypeResolution::Handle(ty) => self.types.handle(*ty, span),
            naga::proc::TypeResolution::Value(inner) => self.types.inner(inner, span),
        }
    }

    /// Kind of the leaves of a scalar or vector expression.
    fn kind(&mut self, f: &Frame<'a>, handle: Expr) -> Result<Kind> {
        Ok(self.ty(f, handle)?.kind())
    }

    fn entry_point(&mut self, point: &'a naga::EntryPoint, info: &'a FunctionInfo) -> Result<()> {
        self.array_lengths();
        self.workgroup(point)?;
        self.resources(info)?;
        self.private_variables(info)?;
        self.workgroup_variables(info)?;
        let early = matches!(point.early_depth_test, Some(naga::EarlyDepthTest::Force));
        self.b.function().interface.early_depth = early;
        let arguments = self.inputs(&point.function)?;
        let results = self.results(&point.function)?;
        let result = self.call(&point.function, info, arguments, None, Span::UNDEFINED)?;
        match result {
            Some(result) => self.outputs(results, &result)?,
            None => {
                // The shader never ends; its last block is there for form's sake.
                let last = self.b.block();
                self.b.start(last);
            }
        }
        Ok(())
    }
}
