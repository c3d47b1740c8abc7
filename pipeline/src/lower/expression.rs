//! Expressions: where their parts come from. What they compute is in `operator`, `math` and `image`.

use std::rc::Rc;

use naga::{Expression, Handle, Literal, Span};

use super::place::{Pointer, Root};
use super::types::{Kind, Ty};
use super::{Expr, Frame, Lowerer, Resource, Result, Val, Writer, origin};
use crate::error::ShaderError;
use crate::ir::{Access, Axis, Detail, LaneOp, Op, Type, Value};

impl<'a> Lowerer<'a> {
    /// The value of an expression, evaluated now unless it was before.
    pub(super) fn value(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Val> {
        match &f.values[handle.index()] {
            Some(value) => Ok(value.clone()),
            None => self.evaluate(f, handle),
        }
    }

    /// The leaves of an expression; a pointer is not loaded from.
    pub(super) fn words(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Rc<[Value]>> {
        match self.value(f, handle)? {
            Val::Words(words) => Ok(words),
            Val::Pointer(_) | Val::Resource(_) => {
                self.unsupported("a pointer or resource as a value", f.span(handle))
            }
        }
    }

    /// The only leaf of a scalar expression.
    pub(super) fn scalar(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Value> {
        match self.words(f, handle)?.first() {
            Some(&value) => Ok(value),
            None => self.unsupported("an empty value", f.span(handle)),
        }
    }

    /// What a pointer expression points to.
    pub(super) fn place(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Pointer> {
        match self.value(f, handle)? {
            Val::Pointer(place) => Ok(place),
            // A buffer that is no array of buffers.
            Val::Resource(resource) => Ok(Pointer::new(Root::Buffer(resource.access), resource.ty)),
            Val::Words(_) => self.unsupported("a value as a pointer", f.span(handle)),
        }
    }

    /// Evaluates an expression here and now.
    pub(super) fn evaluate(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Val> {
        let outer = self.b.set_origin(origin(f.span(handle)));
        let value = self.evaluate_here(f, handle);
        self.b.set_origin(outer);
        value
    }

    fn evaluate_here(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Val> {
        let span = f.span(handle);
        self.check_size()?;
        let expression = &f.expressions[handle];
        let words: Vec<Value> = match *expression {
            Expression::Literal(literal) => vec![self.literal(literal, span)?],
            Expression::Constant(constant) => {
                let init = self.module.constants[constant].init;
                return self.constant_value(init);
            }
            Expression::Override(item) => return Ok(Val::Words(self.override_value(item)?)),
            Expression::ZeroValue(ty) => {
                let ty = self.types.handle(ty, span)?;
                self.zeros(&ty)?
            }
            Expression::Compose { ref components, .. } => self.compose(f, handle, components)?,
            Expression::Access { base, index } => {
                let base = self.indexed_base(f, base)?;
                let index = self.scalar(f, index)?;
                return self.access(base, index, span);
            }
            Expression::AccessIndex { base, index } => {
                let base = self.indexed_base(f, base)?;
                return self.member(base, index, span);
            }
            Expression::Splat { size, value } => {
                vec![self.scalar(f, value)?; size as usize]
            }
            Expression::Swizzle {
                size,
                vector,
                pattern,
            } => {
                let vector = self.words(f, vector)?;
                let chosen = pattern[..size as usize].iter();
                chosen.map(|&at| vector[at as usize]).collect()
            }
            Expression::FunctionArgument(index) => return Ok(f.arguments[index as usize].clone()),
            Expression::GlobalVariable(variable) => return self.global(variable, span),
            Expression::LocalVariable(variable) => return Ok(f.locals[variable.index()].clone()),
            Expression::Load { pointer } => {
                let place = self.place(f, pointer)?;
                if self.shared_atomic(f, pointer, &place) {
                    return Ok(Val::Words([self.writer.load_atomic(&place)?].into()));
                }
                return Ok(Val::Words(self.load(&place)?));
            }
            Expression::ImageSample { .. } => self.image_sample(f, handle)?,
            Expression::ImageLoad {
                image,
                coordinate,
                array_index,
                sample,
                level,
            } => self.image_load(
                f,
                [Some(image), Some(coordinate), array_index, sample, level],
            )?,
            Expression::ImageQuery { image, query } => self.image_query(f, image, query)?,
            Expression::Unary { op, expr } => self.unary(f, op, expr)?,
            Expression::Binary { op, left, right } => self.binary(f, op, left, right)?,
            Expression::Select {
                condition,
                accept,
                reject,
            } => self.select(f, [condition, accept, reject])?,
            Expression::Derivative { axis, ctrl, expr } => self.derivative(f, axis, ctrl, expr)?,
            Expression::Relational { fun, argument } => self.relational(f, fun, argument)?,
            Expression::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => self.math(f, fun, arg, [arg1, arg2, arg3])?,
            Expression::As {
                expr,
                kind,
                convert,
            } => self.cast(f, handle, expr, kind, convert)?,
            Expression::ArrayLength(pointer) => {
                let place = self.place(f, pointer)?;
                vec![self.array_length(&place)?]
            }
            Expression::CallResult(_) | Expression::AtomicResult { .. } => {
                // naga found the statement that gives it to come first; it was then in code that is never run.
                let ty = self.ty(f, handle)?;
                self.zeros(&ty)?
            }
            ref other => return self.unsupported(missing(other), span),
        };
        let words = match computes(expression) {
            true => self.fit(f, handle, words)?,
            false => words,
        };
        Ok(Val::Words(words.into()))
    }

    /// What an expression has computed, as its type has it.
    pub(super) fn fit(
        &mut self,
        f: &mut Frame<'a>,
        handle: Expr,
        words: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let ty = self.ty(f, handle)?;
        Ok(self.fit_words(&ty, words))
    }

    fn compose(&mut self, f: &mut Frame<'a>, handle: Expr, parts: &[Expr]) -> Result<Vec<Value>> {
        let ty = self.ty(f, handle)?;
        self.check_words(&ty)?;
        let mut words = Vec::new();
        for &part in parts {
            words.extend(self.words(f, part)?.iter());
        }
        Ok(words)
    }

    fn select(&mut self, f: &mut Frame<'a>, parts: [Expr; 3]) -> Result<Vec<Value>> {
        let [condition, accept, reject] = parts;
        let condition = self.words(f, condition)?;
        let accept = self.words(f, accept)?;
        let reject = self.words(f, reject)?;
        let sides = accept.iter().zip(reject.iter());
        let chosen = condition.iter().cycle().zip(sides);
        Ok(chosen
            .map(|(&condition, (&accept, &reject))| self.b.select(condition, accept, reject))
            .collect())
    }

    fn literal(&mut self, literal: Literal, span: Span) -> Result<Value> {
        Ok(match literal {
            Literal::F32(value) => self.b.float(value),
            Literal::U32(value) => self.b.word(value),
            Literal::I32(value) => self.b.word(value as u32),
            Literal::Bool(bit) => self.b.bit(bit),
            // What is left abstract is in code whose type does not matter.
            Literal::AbstractInt(value) => self.b.word(value as u32),
            Literal::AbstractFloat(value) => self.b.float(value as f32),
            Literal::F64(_) => return self.unsupported("the type f64", span),
            Literal::F16(value) => self.b.float(value.to_f32()),
            Literal::U16(_) => return self.unsupported("the type u16", span),
            Literal::I16(_) => return self.unsupported("the type i16", span),
            Literal::U64(_) => return self.unsupported("the type u64", span),
            Literal::I64(_) => return self.unsupported("the type i64", span),
        })
    }

    fn constant_value(&mut self, init: Expr) -> Result<Val> {
        let mut frame = self.constant_frame();
        self.value(&mut frame, init)
    }

    pub(super) fn override_value(&mut self, handle: Handle<naga::Override>) -> Result<Rc<[Value]>> {
        if let Some(words) = self.overrides.get(&handle) {
            return Ok(words.clone());
        }
        let item = &self.module.overrides[handle];
        let words: Rc<[Value]> = match (self.given.get(&handle), item.init) {
            (Some(&known), _) => {
                let ty = self.types.handle(item.ty, Span::UNDEFINED)?;
                let word = self.b.constant(known);
                self.fit_words(&ty, vec![word]).into()
            }
            (None, Some(init)) => match self.constant_value(init)? {
                Val::Words(words) => words,
                Val::Pointer(_) | Val::Resource(_) => [].into(),
            },
            (None, None) => {
                let id = item.id.map(|id| id.to_string());
                return Err(ShaderError::MissingOverride {
                    name: item.name.clone().or(id).unwrap_or_default(),
                    at: self.checked.locate(self.module.overrides.get_span(handle)),
                });
            }
        };
        self.overrides.insert(handle, words.clone());
        Ok(words)
    }

    fn global(&mut self, variable: Handle<naga::GlobalVariable>, span: Span) -> Result<Val> {
        if let Some(value) = self.globals.get(&variable) {
            return Ok(value.clone());
        }
        let global = &self.module.global_variables[variable];
        // Only named, never read, written or asked for its length: it takes no slot of the interface.
        let access = Access {
            resource: u32::MAX,
            element: None,
        };
        let ty = self.types.handle(global.ty, span)?;
        Ok(match &*ty {
            Ty::Bindings(..) | Ty::Opaque => Val::Resource(Resource {
                access,
                global: variable,
                ty,
            }),
            _ => Val::Pointer(Pointer::new(Root::Buffer(access), ty)),
        })
    }

    /// What an index is applied to, with its type when it is a value.
    fn indexed_base(&mut self, f: &mut Frame<'a>, base: Expr) -> Result<(Val, Option<Rc<Ty>>)> {
        let value = self.value(f, base)?;
        let ty = match &value {
            Val::Words(_) => Some(self.ty(f, base)?),
            Val::Pointer(_) | Val::Resource(_) => None,
        };
        Ok((value, ty))
    }

    /// `base[index]`.
    fn access(
        &mut self,
        (base, ty): (Val, Option<Rc<Ty>>),
        index: Value,
        span: Span,
    ) -> Result<Val> {
        let parts = match (&base, &ty) {
            (Val::Pointer(place), _) => place.ty.parts(),
            (Val::Resource(resource), _) => match &*resource.ty {
                Ty::Bindings(_, count) => *count,
                ty => ty.parts(),
            },
            (Val::Words(_), Some(ty)) => ty.parts(),
            (Val::Words(_), None) => None,
        };
        if let (Some(number), Some(parts)) = (self.b.known_word(index), parts)
            && number < parts
        {
            return self.member((base, ty), number, span);
        }
        let place = match (base, ty) {
            (Val::Pointer(place), _) => place.index(index),
            (Val::Words(words), Some(ty)) => {
                return Ok(Val::Words(self.index_value(&ty, &words, index)?));
            }
            (Val::Resource(resource), _) => match &*resource.ty {
                Ty::Bindings(element, count) => {
                    let count = count.unwrap_or(1);
                    let last = self.b.word(count - 1);
                    let index = self.b.alu(LaneOp::UMin, &[index, last]);
                    return Ok(resource.element(element, index));
                }
                _ => Pointer::new(Root::Buffer(resource.access), resource.ty.clone()).index(index),
            },
            (Val::Words(_), None) => None,
        };
        match place {
            Some(place) => Ok(Val::Pointer(place)),
            None => self.unsupported("an index into this type", span),
        }
    }

    /// A part of a value or pointer by its number.
    fn member(&mut self, (base, ty): (Val, Option<Rc<Ty>>), index: u32, span: Span) -> Result<Val> {
        let part = match (base, ty) {
            (Val::Words(words), Some(ty)) => ty.part(index).and_then(|part| {
                let from = part.words as usize;
                let words = words.get(from..from + part.ty.words() as usize)?;
                Some(Val::Words(words.into()))
            }),
            (Val::Pointer(place), _) => place.part(index).map(Val::Pointer),
            (Val::Resource(resource), _) => match &*resource.ty {
                Ty::Bindings(element, _) => {
                    let index = self.b.word(index);
                    Some(resource.element(element, index))
                }
                _ => Pointer::new(Root::Buffer(resource.access), resource.ty.clone())
                    .part(index)
                    .map(Val::Pointer),
            },
            (Val::Words(_), None) => None,
        };
        match part {
            Some(part) => Ok(part),
            None => self.unsupported("a part of this type", span),
        }
    }

    fn derivative(
        &mut self,
        f: &mut Frame<'a>,
        axis: naga::DerivativeAxis,
        control: naga::DerivativeControl,
        expr: Expr,
    ) -> Result<Vec<Value>> {
        use naga::DerivativeAxis as A;
        let detail = match control {
            naga::DerivativeControl::Fine => Detail::Fine,
            naga::DerivativeControl::Coarse | naga::DerivativeControl::None => Detail::Coarse,
        };
        let words = self.words(f, expr)?;
        let axes = match axis {
            A::X => vec![Axis::X],
            A::Y => vec![Axis::Y],
            A::Width => vec![Axis::X, Axis::Y],
        };
        Ok(self.derivatives(&words, &axes, detail))
    }

    fn cast(
        &mut self,
        f: &mut Frame<'a>,
        handle: Expr,
        expr: Expr,
        kind: naga::ScalarKind,
        convert: Option<naga::Bytes>,
    ) -> Result<Vec<Value>> {
        let words = self.words(f, expr)?;
        let from = self.kind(f, expr)?;
        let to = self.ty(f, handle)?.kind();
        if convert.is_none() && from != Kind::Bool && kind != naga::ScalarKind::Bool {
            return Ok(words.to_vec());
        }
        Ok(words.iter().map(|&v| self.convert(v, from, to)).collect())
    }
}

impl Writer {
    /// Derivatives along an axis; along both, the sum of their magnitudes.
    pub(crate) fn derivatives(
        &mut self,
        words: &[Value],
        axes: &[Axis],
        detail: Detail,
    ) -> Vec<Value> {
        let mut along: Vec<Vec<Value>> = Vec::with_capacity(words.len());
        for &word in words {
            let slopes = axes.iter().map(|&axis| {
                let op = Op::Derivative { axis, detail };
                self.b.single(op, vec![word], Type::Word)
            });
            along.push(slopes.collect());
        }
        let mut sums = Vec::with_capacity(words.len());
        for slopes in along {
            sums.push(match slopes[..] {
                [x, y] => {
                    let x = self.b.alu(LaneOp::FAbs, &[x]);
                    let y = self.b.alu(LaneOp::FAbs, &[y]);
                    self.b.alu(LaneOp::FAdd, &[x, y])
                }
                _ => slopes[0],
            });
        }
        sums
    }

    /// Conversion of one leaf.
    pub(crate) fn convert(&mut self, value: Value, from: Kind, to: Kind) -> Value {
        use Kind::{Bool, F32, I32, U32};
        match (from, to) {
            (F32, I32) => self.b.alu(LaneOp::F32ToI32, &[value]),
            (F32, U32) => self.b.alu(LaneOp::F32ToU32, &[value]),
            (I32, F32) => self.b.alu(LaneOp::I32ToF32, &[value]),
            (U32, F32) => self.b.alu(LaneOp::U32ToF32, &[value]),
            (Bool, F32) => {
                let (one, zero) = (self.b.float(1.0), self.b.float(0.0));
                self.b.select(value, one, zero)
            }
            (Bool, I32 | U32) => self.as_word(value),
            (F32, Bool) => {
                let zero = self.b.float(0.0);
                self.b.alu(LaneOp::FNe, &[value, zero])
            }
            (I32 | U32, Bool) => {
                let zero = self.b.word(0);
                self.b.alu(LaneOp::INe, &[value, zero])
            }
            (F32, F32) | (Bool, Bool) | (I32 | U32, I32 | U32) => value,
        }
    }
}

impl Frame<'_> {
    pub(super) fn span(&self, handle: Expr) -> Span {
        self.expressions.get_span(handle)
    }
}

impl Resource {
    /// An element of an array of resources.
    fn element(&self, ty: &Rc<Ty>, index: Value) -> Val {
        let access = Access {
            resource: self.access.resource,
            element: Some(index),
        };
        match **ty {
            Ty::Opaque => Val::Resource(Resource {
                access,
                global: self.global,
                ty: ty.clone(),
            }),
            _ => Val::Pointer(Pointer::new(Root::Buffer(access), ty.clone())),
        }
    }
}

/// Whether an expression computes numbers, rather than choosing or moving them.
fn computes(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Math { .. }
            | Expression::Derivative { .. }
            | Expression::As { .. }
    )
}

/// What an expression is that no chip has.
fn missing(expression: &Expression) -> &'static str {
    match expression {
        Expression::WorkGroupUniformLoadResult { .. } => "a workgroup operation",
        Expression::CooperativeLoad { .. } | Expression::CooperativeMultiplyAdd { .. } => {
            "a cooperative matrix"
        }
        Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. } => "ray tracing",
        _ => "an expression of this kind",
    }
}
