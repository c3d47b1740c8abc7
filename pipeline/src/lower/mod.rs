//! naga module in, SSA out: one entry point with everything it calls inlined, every vector taken apart.
//!
//! - `types`: types as trees of words, and their layout in buffers.
//! - `place`: what pointers point to; loads, stores and bounds.
//! - `interface`: entry-point inputs and outputs, resources.
//! - `statement`, `flow`: structured control flow; variables become SSA while it is walked.
//! - `expression`, `operator`, `math`, `transcendental`, `bits`, `image`: what expressions compute.
//! - `names`: words for messages.
//! - `indexing`: which variables are indexed at run time.
//!
//! Out-of-bounds accesses read zero and write nothing. Everything is expanded to operations that every chip has, in
//! one fixed order, so that all chips give the same bits.

mod bits;
mod expression;
mod flow;
mod image;
mod indexing;
mod interface;
mod math;
mod names;
mod operator;
mod place;
mod statement;
mod transcendental;
mod types;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Arena, Expression, Handle, Span};

use crate::error::ShaderError;
use crate::guard::{self, Panicked};
use crate::ir::{Builder, Function, Known, Origin, Stage, Terminator, Value};
use crate::wgsl::{CheckedModule, stage_from};
use flow::{Breakable, LoopEdges};
use indexing::Indexed;
use place::Pointer;
use types::{Kind, Ty, Types};

/// Values of pipeline constants, by name or, for an override with `@id`, by number.
pub type Overrides = BTreeMap<String, f64>;

/// What lowering a part of a shader gives.
type Result<T, E = ShaderError> = std::result::Result<T, E>;

/// An expression of a naga function or module.
type Expr = Handle<Expression>;

/// Most instructions that inlining may make.
const INSTRUCTIONS: usize = 200_000;
/// Most calls inside calls.
const CALL_DEPTH: usize = 60;
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
    guard::run(|| lower_here(checked, entry, stage, overrides))
        .unwrap_or_else(|Panicked(reason)| Err(ShaderError::Compiler { reason }))
}

fn lower_here(
    checked: &CheckedModule,
    entry: Option<&str>,
    stage: Option<Stage>,
    overrides: &Overrides,
) -> Result<Function, ShaderError> {
    let (index, stage) = choose(checked, entry, stage)?;
    let point = &checked.module.entry_points[index];
    let mut lowerer = Lowerer {
        checked,
        module: &checked.module,
        info: &checked.info,
        types: Types::new(checked),
        indexed: Indexed::find(&checked.module),
        b: Builder::new(&point.name, stage),
        env: Vec::new(),
        flags: Vec::new(),
        globals: HashMap::new(),
        overrides: HashMap::new(),
        given: given_overrides(checked, overrides)?,
        loops: Vec::new(),
        breakables: Vec::new(),
        tables: HashMap::new(),
        depth: 0,
        branches: 0,
    };
    lowerer.entry_point(point, checked.info.get_entry_point(index))?;
    let mut function = lowerer.b.finish();
    function.text = checked.text.clone();
    crate::passes::clean(&mut function);
    debug_assert_eq!(
        crate::ir::verify(&function),
        Ok(()),
        "{}",
        crate::ir::print(&function)
    );
    Ok(function)
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
    checked: &'a CheckedModule,
    module: &'a naga::Module,
    info: &'a ModuleInfo,
    types: Types<'a>,
    indexed: Indexed,
    b: Builder,
    /// Current value of every variable word ("slot").
    env: Vec<Value>,
    /// Slots that are flags, see `flow`.
    flags: Vec<usize>,
    globals: HashMap<Handle<naga::GlobalVariable>, Val>,
    /// Overrides already evaluated.
    overrides: HashMap<Handle<naga::Override>, Rc<[Value]>>,
    /// Overrides with a value from outside.
    given: HashMap<Handle<naga::Override>, Known>,
    loops: Vec<LoopEdges>,
    breakables: Vec<Breakable>,
    /// Private arrays that hold constant tables.
    tables: HashMap<Rc<[Value]>, u32>,
    depth: usize,
    /// Branches and loops around what is being lowered.
    branches: usize,
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

impl CheckedModule {
    fn unsupported<T>(&self, feature: impl Into<String>, span: Span) -> Result<T> {
        Err(ShaderError::Unsupported {
            feature: feature.into(),
            at: self.locate(span),
        })
    }
}

fn choose(
    checked: &CheckedModule,
    name: Option<&str>,
    stage: Option<Stage>,
) -> Result<(usize, Stage)> {
    let points = &checked.module.entry_points;
    let describe = |at: usize| {
        let stage = format!("{:?}", points[at].stage).to_lowercase();
        format!("`{}` ({stage})", points[at].name)
    };
    let matching: Vec<usize> = (0..points.len())
        .filter(|&at| name.is_none_or(|name| points[at].name == name))
        .filter(|&at| stage.is_none_or(|stage| stage_from(points[at].stage) == Some(stage)))
        .collect();
    match matching[..] {
        [at] => match stage_from(points[at].stage) {
            Some(found @ (Stage::Vertex | Stage::Fragment)) => Ok((at, found)),
            _ => checked.unsupported(format!("the entry point {}", describe(at)), Span::UNDEFINED),
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

fn given_overrides(
    checked: &CheckedModule,
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
        let Some(known) = known else {
            return Err(ShaderError::OverrideRange {
                name: name.clone(),
                kind: match kind {
                    Kind::F32 => "an f32",
                    Kind::I32 => "an i32",
                    Kind::U32 => "a u32",
                    Kind::Bool => "a bool",
                },
                value,
                at: checked.locate(span),
            });
        };
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

    /// Refuses what inlining has made too large.
    fn check_size(&self, span: Span) -> Result<()> {
        if self.b.written() > INSTRUCTIONS {
            return Err(ShaderError::TooLarge {
                what: "instructions",
                needed: self.b.written() as u64,
                limit: INSTRUCTIONS as u64,
                at: self.checked.locate(span),
            });
        }
        Ok(())
    }

    /// Goes into a branch or a loop, unless there are too many around it.
    fn enter(&mut self) -> Result<()> {
        self.branches += 1;
        if self.branches > BRANCH_DEPTH {
            return Err(ShaderError::TooLarge {
                what: "branches inside each other",
                needed: self.branches as u64,
                limit: BRANCH_DEPTH as u64,
                at: self.checked.text.locate(self.b.origin()),
            });
        }
        Ok(())
    }

    /// Refuses values and variables that are too large to take apart.
    fn check_words(&self, ty: &Ty, span: Span) -> Result<u32> {
        let words = ty.words();
        if words > VALUE_WORDS {
            return Err(ShaderError::TooLarge {
                what: "words in one value",
                needed: words,
                limit: VALUE_WORDS,
                at: self.checked.locate(span),
            });
        }
        Ok(words as u32)
    }

    /// The zero of a kind.
    fn zero(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Bool => self.b.bit(false),
            _ => self.b.word(0),
        }
    }

    /// The zero value of a type, leaf by leaf.
    fn zeros(&mut self, ty: &Ty, span: Span) -> Result<Vec<Value>> {
        self.check_words(ty, span)?;
        let mut kinds = Vec::new();
        ty.leaves(0, &mut |kind, _| kinds.push(kind));
        Ok(kinds.into_iter().map(|kind| self.zero(kind)).collect())
    }

    fn entry_point(&mut self, point: &'a naga::EntryPoint, info: &'a FunctionInfo) -> Result<()> {
        self.resources(info)?;
        self.private_variables(info)?;
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
        self.b.end(Terminator::Return);
        self.note_effects();
        Ok(())
    }
}
