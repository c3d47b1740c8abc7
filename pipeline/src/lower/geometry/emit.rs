//! What a geometry stage emits: vertices and the ends of strips.

use naga::{Binding, BuiltIn, Function, Handle, Span};

use super::{EMIT_VERTEX, END_PRIMITIVE, GeometryStage, call_of, check_emitted, stages};
use crate::error::{At, ShaderError};
use crate::ir::{LaneOp, Op, OutputBuiltin, Value};
use crate::lower::flow::{Branching, Flow};
use crate::lower::interface::Item;
use crate::lower::{Lowerer, Result, Slot, Val, Writer};

/// What a geometry stage calls.
pub(in crate::lower) struct Emitter {
    emit: Option<Handle<Function>>,
    end: Option<Handle<Function>>,
    /// Words of the argument, in the order of those of an emitted vertex.
    order: Vec<usize>,
    strip: Strip,
}

/// The vertices of an invocation, counted.
#[derive(Clone, Copy)]
pub(crate) struct Strip {
    /// Slot of the number of vertices emitted.
    count: usize,
    max_vertices: u32,
}

impl Strip {
    /// Of an invocation that emits so many at most.
    pub(crate) fn new(writer: &mut Writer, max_vertices: u32) -> Strip {
        let none = writer.b.word(0);
        Strip {
            count: writer.slots(Slot::Variable, &[none]),
            max_vertices,
        }
    }

    /// Emits a vertex of these words, unless there are too many; known to be so, it is refused `at` its place.
    pub(crate) fn emit<L: Branching>(
        self,
        lowerer: &mut L,
        words: impl IntoIterator<Item = Value>,
        at: At,
    ) -> Result<()> {
        let (slot, limit) = (self.count, self.max_vertices);
        let count = lowerer.env[slot];
        let known = lowerer.b.known_word(count);
        if let Some(emitted) = known.filter(|count| *count >= limit) {
            return Err(ShaderError::TooLarge {
                what: "vertices of a geometry stage",
                needed: u64::from(emitted) + 1,
                limit: limit.into(),
                at,
            });
        }
        let all: Vec<Value> = std::iter::once(count).chain(words).collect();
        let limit = lowerer.b.word(limit);
        let fits = lowerer.b.alu(LaneOp::ULt, &[count, limit]);
        lowerer.either(
            fits,
            |this: &mut L| {
                this.b.effect(Op::EmitVertex, all);
                let one = this.b.word(1);
                this.env[slot] = this.b.alu(LaneOp::IAdd, &[count, one]);
                Ok(Flow::default())
            },
            |_| Ok::<_, ShaderError>(Flow::default()),
        )?;
        Ok(())
    }
}

impl<'a> Lowerer<'a> {
    /// Finds what a stage calls, and what it emits.
    pub(super) fn emitter(&mut self, stage: &GeometryStage<'a>) -> Result<()> {
        let module = self.module;
        let find = |wanted: &str| {
            let own = format!("{}_{wanted}", stage.name);
            let of = |name: &str| {
                let named = |function: &Function| function.name.as_deref() == Some(name);
                let mut all = module.functions.iter();
                all.find(|(_, at)| named(at) && call_of(module, at).is_some())
            };
            of(&own).or_else(|| of(wanted)).map(|(handle, _)| handle)
        };
        let (emit, end) = (find(EMIT_VERTEX), find(END_PRIMITIVE));
        let mut order = Vec::new();
        if let Some(emit) = emit {
            order = self.emitted(module.functions[emit].arguments[0].ty)?;
            let at = self.checked.locate(stage.span);
            check_emitted(stage.max_vertices, order.len(), at)?;
        }
        let strip = Strip::new(&mut self.writer, stage.max_vertices);
        self.emitter = Some(Emitter {
            emit,
            end,
            order,
            strip,
        });
        Ok(())
    }

    /// Notes what emitted vertices have; the words of the argument in that order.
    fn emitted(&mut self, ty: Handle<naga::Type>) -> Result<Vec<usize>> {
        let (mut first, mut order) = (0, Vec::new());
        let (mut builtins, mut outputs) = (Vec::new(), Vec::new());
        for member in self.members(ty)? {
            let words = member.ty.words() as usize;
            let range = first..first + words;
            first = range.end;
            let one = |builtin| vec![builtin];
            let found = match (member.binding, member.name) {
                (Some(binding @ Binding::Location { .. }), _) => {
                    let item = Item {
                        binding: binding.clone(),
                        ty: member.ty.clone(),
                        span: member.span,
                    };
                    outputs.extend(self.varying(&item)?.map(|varying| (varying, range)));
                    continue;
                }
                (Some(Binding::BuiltIn(BuiltIn::Position { .. })), _) => {
                    one(OutputBuiltin::Position)
                }
                (Some(Binding::BuiltIn(BuiltIn::ClipDistances)), _) => (0..words.min(8) as u8)
                    .map(OutputBuiltin::ClipDistance)
                    .collect(),
                (Some(Binding::BuiltIn(BuiltIn::PointSize)), _) | (None, "point_size") => {
                    one(OutputBuiltin::PointSize)
                }
                (None, "layer") => one(OutputBuiltin::Layer),
                (None, "viewport_index") => one(OutputBuiltin::Viewport),
                (_, name) => {
                    let feature = format!("`{name}` of an emitted vertex");
                    return self.unsupported(feature, member.span);
                }
            };
            let needed: usize = found.iter().map(|builtin| builtin.words()).sum();
            if needed != words {
                let message = format!("`{}` has {words} words instead of {needed}", member.name);
                return self.invalid(message, member.span);
            }
            builtins.extend(found);
            order.extend(range);
        }
        outputs.sort_by_key(|(varying, _)| varying.location);
        let (varyings, ranges): (Vec<_>, Vec<_>) = outputs.into_iter().unzip();
        order.extend(ranges.into_iter().flatten());
        let interface = &mut self.b.function().interface;
        interface.outputs = varyings;
        if let Some(geometry) = &mut interface.geometry {
            geometry.builtins = builtins;
        }
        Ok(order)
    }

    /// A call that emits a vertex or ends a primitive; whether it is one.
    pub(in crate::lower) fn emits(
        &mut self,
        function: Handle<Function>,
        arguments: &[Val],
        span: Span,
    ) -> Result<bool> {
        let Some(emits) = call_of(self.module, &self.module.functions[function]) else {
            return Ok(false);
        };
        let Some(emitter) = &self.emitter else {
            // Where no stage calls it, it is a function that does nothing.
            return match stages(self.module).next() {
                Some(_) => self.invalid("a vertex is emitted outside a geometry stage", span),
                None => Ok(false),
            };
        };
        if ![emitter.emit, emitter.end].contains(&Some(function)) {
            return self.invalid("this function belongs to another geometry stage", span);
        }
        if !emits {
            self.b.effect(Op::EndPrimitive, Vec::new());
            return Ok(true);
        }
        let strip = emitter.strip;
        let Some(Val::Words(words)) = arguments.first() else {
            return Ok(false);
        };
        let words: Vec<Value> = emitter.order.iter().map(|at| words[*at]).collect();
        let at = self.checked.locate(span);
        strip.emit(self, words, at)?;
        Ok(true)
    }
}
