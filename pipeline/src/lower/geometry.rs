//! Geometry stages of WGSL, which has none: plain functions over the vertices of a primitive.
//!
//! A function `gs` is a geometry stage if the module has a constant `gs_max_vertices`. It takes an array of 1, 2, 3, 4 or 6
//! vertices, structures whose members have the attributes of vertex outputs, and perhaps a structure of what else it knows:
//! `@builtin(primitive_index)` and a plain member `invocation`. It calls `emit_vertex`, a function without a body whose
//! argument has the attributes of fragment inputs and perhaps plain members `layer`, `viewport_index` and `point_size`, and
//! `end_primitive`, one without arguments. Where stages of a module emit different vertices, the functions are called
//! `gs_emit_vertex` and `gs_end_primitive`.
//!
//! What is emitted beyond the most is dropped.

mod emit;

use std::rc::Rc;

use naga::{
    Binding, BuiltIn, Expression, Function, Handle, Literal, Module, Span, Statement, TypeInner,
};

use super::interface::{Item, head};
use super::types::{Kind, Ty};
use super::{Lowerer, Result, Val};
use crate::error::{At, ShaderError};
use crate::front::messages::separated;
use crate::ir::{Builtin, Geometry, Op, Type, Value};

pub(super) use emit::Emitter;
pub(crate) use emit::Strip;

/// What the constant with the most vertices is called behind the name of the stage.
const MAX_VERTICES: &str = "_max_vertices";
const EMIT_VERTEX: &str = "emit_vertex";
const END_PRIMITIVE: &str = "end_primitive";

/// Vertices that an invocation may emit, and the words that they may have.
const VERTICES: u32 = 256;
const WORDS: u32 = 1024;

/// What is wrong with a number of vertices that an invocation may emit.
pub(crate) fn too_many(vertices: u32) -> Option<String> {
    let fits = (1..=VERTICES).contains(&vertices);
    (!fits).then(|| format!("{vertices} vertices at most; a geometry stage emits 1 to {VERTICES}"))
}

/// Refuses what an invocation may emit where it is too many words.
pub(crate) fn check_emitted(max_vertices: u32, words: usize, at: At) -> Result<()> {
    let needed = u64::from(max_vertices) * words as u64;
    if needed > u64::from(WORDS) {
        return Err(ShaderError::TooLarge {
            what: "words in the vertices of a geometry stage",
            needed,
            limit: WORDS.into(),
            at,
        });
    }
    Ok(())
}

/// A geometry stage of a module.
pub(crate) struct GeometryStage<'a> {
    pub(crate) name: &'a str,
    function: Handle<Function>,
    max_vertices: u32,
    /// The constant that says so.
    span: Span,
}

/// The geometry stages of a module.
pub(crate) fn stages(module: &Module) -> impl Iterator<Item = GeometryStage<'_>> {
    module.constants.iter().filter_map(|(handle, constant)| {
        let name = constant.name.as_deref()?.strip_suffix(MAX_VERTICES)?;
        let named = |function: &Function| function.name.as_deref() == Some(name);
        let (function, _) = module.functions.iter().find(|(_, at)| named(at))?;
        let max_vertices = match module.global_expressions[constant.init] {
            Expression::Literal(Literal::U32(count)) => count,
            Expression::Literal(Literal::I32(count)) => u32::try_from(count).ok()?,
            _ => return None,
        };
        Some(GeometryStage {
            name,
            function,
            max_vertices,
            span: module.constants.get_span(handle),
        })
    })
}

/// A function with nothing in it.
fn is_empty(function: &Function) -> bool {
    let nothing = |statement: &Statement| matches!(statement, Statement::Return { value: None });
    function.body.iter().all(nothing) && function.result.is_none()
}

/// Whether a call of a function emits a vertex (`Some(true)`) or ends a primitive.
fn call_of(module: &Module, function: &Function) -> Option<bool> {
    let name = function.name.as_deref()?;
    let is = |wanted: &str| {
        let before = name.strip_suffix(wanted);
        before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
    };
    match &function.arguments[..] {
        [] if is(END_PRIMITIVE) && is_empty(function) => Some(false),
        [vertex] if is(EMIT_VERTEX) && is_empty(function) => match &module.types[vertex.ty].inner {
            TypeInner::Struct { members, .. } => {
                let bound = members.iter().any(|member| member.binding.is_some());
                bound.then_some(true)
            }
            _ => None,
        },
        _ => None,
    }
}

/// A member of a structure of the interface.
struct Member<'a> {
    name: &'a str,
    binding: Option<&'a Binding>,
    ty: Rc<Ty>,
    span: Span,
}

impl<'a> Lowerer<'a> {
    fn invalid<T>(&self, message: impl Into<String>, span: Span) -> Result<T> {
        Err(ShaderError::Invalid {
            message: message.into(),
            at: self.checked.locate(span),
        })
    }

    /// The name of a function where it is declared, which naga keeps no span of.
    fn declared(&self, function: &Function) -> Span {
        let text = self.checked.text.0.as_deref().unwrap_or_default();
        let end = head(function)
            .to_range()
            .map_or(text.len(), |head| head.end);
        let before = text.get(..end).unwrap_or_default();
        let name = format!("fn {}", function.name.as_deref().unwrap_or_default());
        before.rfind(&name).map_or(Span::UNDEFINED, |at| {
            Span::new(at as u32, (at + name.len()) as u32)
        })
    }

    /// Lowers a geometry stage.
    pub(super) fn geometry(&mut self, stage: &GeometryStage<'a>) -> Result<()> {
        let function = &self.module.functions[stage.function];
        let info = &self.info[stage.function];
        self.array_lengths();
        self.resources(info)?;
        self.private_variables(info)?;
        if function.result.is_some() {
            return self.invalid("a geometry stage returns nothing", self.declared(function));
        }
        if let Some(message) = too_many(stage.max_vertices) {
            return self.invalid(message, stage.span);
        }
        let geometry = Geometry {
            vertices: 0,
            max_vertices: stage.max_vertices,
            declared: None,
            builtins: Vec::new(),
        };
        self.b.function().interface.geometry = Some(geometry);
        let arguments = self.primitive(function)?;
        self.emitter(stage)?;
        self.call(
            function,
            info,
            arguments,
            Some(stage.function),
            Span::UNDEFINED,
        )?;
        Ok(())
    }

    fn members(&mut self, ty: Handle<naga::Type>) -> Result<Vec<Member<'a>>> {
        let module = self.module;
        let span = module.types.get_span(ty);
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else {
            return self.invalid("a geometry stage exchanges structures", span);
        };
        let mut found = Vec::with_capacity(members.len());
        for member in members {
            found.push(Member {
                name: member.name.as_deref().unwrap_or_default(),
                binding: member.binding.as_ref(),
                ty: self.types.handle(member.ty, span)?,
                span,
            });
        }
        Ok(found)
    }

    /// Reads the arguments of a stage.
    fn primitive(&mut self, function: &'a Function) -> Result<Vec<Val>> {
        let module = self.module;
        let mut values = Vec::new();
        let mut vertices = None;
        for argument in &function.arguments {
            values.push(match module.types[argument.ty].inner {
                TypeInner::Array { base, size, .. } if vertices.is_none() => {
                    let count = match size {
                        naga::ArraySize::Constant(count) => count.get(),
                        _ => 0,
                    };
                    vertices = Some(count);
                    self.vertices(base, count, self.declared(function))?
                }
                _ => self.system(argument.ty)?,
            });
        }
        match vertices {
            Some(_) => Ok(values),
            None => self.invalid(
                "a geometry stage takes an array of vertices",
                self.declared(function),
            ),
        }
    }

    /// Reads the vertices of a primitive.
    fn vertices(&mut self, ty: Handle<naga::Type>, count: u32, span: Span) -> Result<Val> {
        if !matches!(count, 1..=4 | 6) {
            let message = format!("{count} vertices; a primitive has 1, 2, 3, 4 or 6");
            return self.invalid(message, span);
        }
        let members = self.members(ty)?;
        let mut items = Vec::new();
        let mut varyings = Vec::new();
        for member in &members {
            let Some(binding) = member.binding else {
                let message = format!("`{}` of a vertex has no attribute", member.name);
                return self.invalid(message, member.span);
            };
            let item = Item {
                binding: binding.clone(),
                ty: member.ty.clone(),
                span: member.span,
            };
            varyings.extend(self.varying(&item)?);
            items.push(item);
        }
        varyings.sort_by_key(|varying| varying.location);
        let interface = &mut self.b.function().interface;
        interface.inputs = varyings;
        if let Some(geometry) = &mut interface.geometry {
            geometry.vertices = count;
        }
        let mut words = Vec::new();
        for vertex in 0..count {
            for item in &items {
                words.extend(self.vertex_words(item, vertex)?);
            }
        }
        Ok(Val::Words(words.into()))
    }

    fn vertex_words(&mut self, item: &Item, vertex: u32) -> Result<Vec<Value>> {
        let op = match item.binding {
            Binding::Location { location, .. } => {
                let inputs = &self.b.function().interface.inputs;
                let found = inputs.iter().position(|input| input.location == location);
                Op::VertexInput {
                    vertex,
                    input: found.unwrap_or(0) as u32,
                    first: 0,
                }
            }
            Binding::BuiltIn(BuiltIn::Position { .. }) => Op::VertexPosition(vertex),
            Binding::BuiltIn(other) => {
                let name = separated(&format!("{other:?}"), '_');
                let feature = format!("the built-in `{name}` of a vertex in a geometry stage");
                return self.unsupported(feature, item.span);
            }
        };
        let types = vec![Type::Word; item.ty.words() as usize];
        Ok(self.b.inst(op, Vec::new(), &types))
    }

    /// Reads what a stage knows besides the vertices.
    fn system(&mut self, ty: Handle<naga::Type>) -> Result<Val> {
        let mut words = Vec::new();
        for member in self.members(ty)? {
            let builtin = match (member.binding, member.name) {
                (Some(Binding::BuiltIn(BuiltIn::PrimitiveIndex)), _) => Builtin::PrimitiveIndex,
                (None, "invocation") => Builtin::InvocationIndex,
                (_, name) => {
                    let feature = format!("`{name}` as an input of a geometry stage");
                    return self.unsupported(feature, member.span);
                }
            };
            if !matches!(*member.ty, Ty::Scalar(Kind::U32)) {
                let message = format!("`{}` is a u32", member.name);
                return self.invalid(message, member.span);
            }
            words.push(self.b.single(Op::Builtin(builtin), Vec::new(), Type::Word));
        }
        Ok(Val::Words(words.into()))
    }
}
