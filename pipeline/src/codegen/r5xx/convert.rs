//! Instructions without control flow: operations of floats as [`Build::legal`] has them, integers as floats, loads as
//! constants that the driver writes.
//!
//! An integer is the float of its value as a signed number. Results have to be exact: their bounds must be within 2^24.

use super::flatten::Flatten;
use super::interface::{CONSTANTS, UNITS};
use super::kinds::{Kind, operands};
use super::ranges::{EXACT, Range};
use crate::codegen::{Bound, ConstantSource, DriverValue, Number, Result};
use crate::ir::{
    Access, BoolOp, Builtin, Inst, LaneOp, Op, OutputBuiltin, ResourceKind, Stage, Type, Value,
};

/// Places that a load at an address of its own may read.
const PLACES: usize = 64;

impl Flatten<'_> {
    /// Writes what an instruction means.
    pub(super) fn inst(&mut self, inst: &Inst) -> Result<()> {
        let results = match &inst.op {
            Op::Const(_) | Op::ConstBool(_) => return Ok(()),
            Op::Alu(op) => vec![self.alu(*op, inst)?],
            Op::Select => {
                let condition = self.bool(inst.args[0]);
                let [yes, no] =
                    [1, 2].map(|at| self.meeting_result(inst.args[at], inst.results[0]));
                vec![self.to.select(condition, yes, no)]
            }
            Op::Bool(op) => {
                let [a, b] = [0, 1].map(|at| self.bool(inst.args[at]));
                vec![match op {
                    BoolOp::And => self.to.and(a, b),
                    BoolOp::Or => self.to.or(a, b),
                    BoolOp::Xor => {
                        let other = self.to.not(b);
                        self.to.select(a, other, b)
                    }
                }]
            }
            Op::BoolNot => {
                let a = self.bool(inst.args[0]);
                vec![self.to.not(a)]
            }
            Op::Input { .. } => {
                self.to
                    .push(inst.op.clone(), Vec::new(), inst.results.len(), Type::Word)
            }
            Op::Builtin(builtin) => vec![self.builtin(*builtin, inst)?],
            Op::Output { output, .. } => {
                let scalar = self.old.interface.outputs[*output as usize].scalar;
                let kind = match scalar {
                    crate::ir::Scalar::Float => Kind::Float,
                    _ => Kind::Integer,
                };
                let args: Vec<Value> = inst
                    .args
                    .iter()
                    .map(|arg| self.word(*arg, Some(kind)))
                    .collect();
                self.to.push(inst.op.clone(), args, 0, Type::Word)
            }
            Op::OutputBuiltin(builtin) => {
                let what = match builtin {
                    OutputBuiltin::Position
                    | OutputBuiltin::PointSize
                    | OutputBuiltin::FragDepth => None,
                    OutputBuiltin::ClipDistance(_) => Some("clip distances"),
                    OutputBuiltin::FragStencil => Some("a stencil reference of the shader's own"),
                    OutputBuiltin::SampleMask => Some("a sample mask of the shader's own"),
                    OutputBuiltin::Layer => Some("layers that a shader chooses"),
                    OutputBuiltin::Viewport => Some("viewports that a shader chooses"),
                };
                if let Some(what) = what {
                    return Err(self.errors.lacks(what, inst.origin));
                }
                let args: Vec<Value> = inst
                    .args
                    .iter()
                    .map(|arg| self.word(*arg, Some(Kind::Float)))
                    .collect();
                self.to.push(inst.op.clone(), args, 0, Type::Word)
            }
            Op::LoadBuffer(access) => return self.load_buffer(*access, inst),
            Op::LoadPush => {
                return self.load(inst, |offset, number| ConstantSource::Push {
                    offset,
                    number,
                });
            }
            Op::LoadLocal(local) => vec![self.load_local(*local as usize, inst)],
            Op::StoreLocal(local) => {
                self.store_local(*local as usize, inst);
                Vec::new()
            }
            Op::StoreBuffer(_) | Op::AtomicBuffer(..) | Op::BufferBytes(_) => {
                return Err(self.errors.lacks("storage buffers", inst.origin));
            }
            Op::LoadShared | Op::StoreShared | Op::AtomicShared(_) | Op::Barrier | Op::Fence => {
                return Err(self.errors.lacks("workgroups", inst.origin));
            }
            Op::Subgroup(_) => {
                return Err(self.errors.lacks("subgroup operations", inst.origin));
            }
            Op::VertexInput { .. } if self.old.stage == Stage::Fragment => {
                return Err(self.errors.lacks("inputs of each vertex", inst.origin));
            }
            Op::VertexInput { .. } | Op::VertexPosition(_) | Op::EmitVertex | Op::EndPrimitive => {
                return Err(self.errors.lacks("the geometry stage", inst.origin));
            }
            Op::Image(image) => self.image(image, inst)?,
            Op::Derivative { .. } => {
                let a = self.word(inst.args[0], Some(Kind::Float));
                self.to.push(inst.op.clone(), vec![a], 1, Type::Word)
            }
            Op::Discard => {
                let mut which = self.bool(inst.args[0]);
                if let Some(mask) = self.mask {
                    which = self.to.and(mask, which);
                }
                self.to.push(Op::Discard, vec![which], 0, Type::Bool)
            }
        };
        self.map.extend(inst.results.iter().copied().zip(results));
        Ok(())
    }

    fn meeting_result(&mut self, arg: Value, result: Value) -> Value {
        match self.old.types[result.0 as usize] {
            Type::Bool => self.bool(arg),
            Type::Word => self.word(arg, self.kinds.of(result)),
        }
    }

    fn alu(&mut self, op: LaneOp, inst: &Inst) -> Result<Value> {
        let kinds = operands(op);
        let result = inst.results[0];
        if op == LaneOp::Mov {
            return Ok(self.meeting_result(inst.args[0], result));
        }
        let args: Vec<Value> = inst
            .args
            .iter()
            .zip(&kinds)
            .map(|(arg, kind)| self.word(*arg, *kind))
            .collect();
        let gives_integer = super::kinds::result(op) == Some(Kind::Integer)
            && self.old.types[result.0 as usize] == Type::Word;
        let takes_integer = kinds.contains(&Some(Kind::Integer));
        if !gives_integer && !takes_integer {
            let made = self.to.legal(op, &args);
            return made.ok_or_else(|| self.lacks_op(op, inst));
        }
        // These give one of their operands, or what a float is: nothing is lost.
        let keeps = matches!(
            op,
            LaneOp::IMin
                | LaneOp::IMax
                | LaneOp::UMin
                | LaneOp::UMax
                | LaneOp::IMed3
                | LaneOp::F32ToI32
                | LaneOp::F32ToI32Floor
                | LaneOp::F32ToU32
        );
        if gives_integer && !keeps {
            let range = self.ranges.of(&self.known, result, Kind::Integer);
            if !range.is_exact() {
                return Err(self.too_large(range, inst));
            }
        }
        self.integer(op, inst, &args)
    }

    pub(super) fn lacks_op(&self, op: LaneOp, inst: &Inst) -> crate::codegen::CompileError {
        self.errors
            .lacks(format!("the operation {}", op.name()), inst.origin)
    }

    fn too_large(&self, range: Range, inst: &Inst) -> crate::codegen::CompileError {
        let bounds = match range.low.is_finite() && range.high.is_finite() {
            true => format!("between {:.0} and {:.0}", range.low, range.high),
            false => "whose bounds are not known".to_owned(),
        };
        let what = format!("an integer {bounds}, where numbers are exact to {EXACT:.0}");
        self.errors.lacks(what, inst.origin)
    }

    fn builtin(&mut self, builtin: Builtin, inst: &Inst) -> Result<Value> {
        let own = |x: &mut Self, ty| Ok(x.to.push(inst.op.clone(), Vec::new(), 1, ty)[0]);
        // A built-in input may have no place of its own; its first user has.
        let mut users = self
            .old
            .insts()
            .filter(|user| user.args.contains(&inst.results[0]));
        let user = users.find_map(|user| user.origin.is_known().then_some(user.origin));
        let origin = inst.origin.or(user.unwrap_or_default());
        let lacks = |x: &Self, what: &str| Err(x.errors.lacks(what, origin));
        match builtin {
            Builtin::VertexIndex | Builtin::InstanceIndex | Builtin::PointCoord(_) => {
                own(self, Type::Word)
            }
            // The chip says which faces are back.
            Builtin::FrontFacing => {
                let back = own(self, Type::Bool)?;
                Ok(self.to.not(back))
            }
            Builtin::DrawIndex => Ok(self.driver(DriverValue::DrawIndex)),
            Builtin::FragCoord(0 | 1) => {
                let column = own(self, Type::Word)?;
                let half = self.to.float(0.5);
                Ok(self.to.add(column, half))
            }
            Builtin::FragCoord(component) => {
                let [z, w] = [2, 3].map(|at| self.to.clip_position(at));
                let inverse = self.to.op(LaneOp::FRcp, &[w]);
                if component == 3 {
                    return Ok(inverse);
                }
                let z = self.to.mul(z, inverse);
                let scale = self.driver(DriverValue::ViewportScale(2));
                let offset = self.driver(DriverValue::ViewportOffset(2));
                Ok(self.to.op(LaneOp::FMad, &[z, scale, offset]))
            }
            Builtin::BaseVertex => lacks(self, "the base vertex as an input"),
            Builtin::BaseInstance => lacks(self, "the first instance as an input"),
            Builtin::PrimitiveIndex => lacks(self, "the primitive index"),
            Builtin::SampleIndex => lacks(self, "the sample index"),
            Builtin::SampleCount => lacks(self, "the number of samples as an input"),
            Builtin::SampleMask => lacks(self, "the coverage of a pixel as an input"),
            Builtin::Layer => lacks(self, "array layers"),
            Builtin::Barycentric(_) => lacks(self, "barycentric coordinates"),
            Builtin::InvocationIndex => lacks(self, "the geometry stage"),
            Builtin::LocalId(_) | Builtin::WorkgroupId(_) | Builtin::WorkgroupCount(_) => {
                lacks(self, "workgroups")
            }
            Builtin::SubgroupSize
            | Builtin::SubgroupInvocation
            | Builtin::SubgroupId
            | Builtin::SubgroupCount => lacks(self, "subgroup operations"),
        }
    }

    pub(super) fn driver(&mut self, value: DriverValue) -> Value {
        self.to.constant(ConstantSource::Driver(value))
    }

    fn load_buffer(&mut self, access: Access, inst: &Inst) -> Result<()> {
        let resource = &self.old.interface.resources[access.resource as usize];
        if !matches!(resource.kind, ResourceKind::Uniform { .. }) {
            return Err(self.errors.lacks("storage buffers", inst.origin));
        }
        let element = self.element(access, inst)?;
        let key = [access.resource, element];
        let bank = self.banks.iter().position(|bank| *bank == key);
        let bank = bank.unwrap_or_else(|| {
            self.banks.push(key);
            self.banks.len() - 1
        }) as u32;
        self.load(inst, |offset, number| ConstantSource::Uniform {
            bank,
            offset,
            number,
        })
    }

    /// The element of a binding array, which has to be known.
    pub(super) fn element(&self, access: Access, inst: &Inst) -> Result<u32> {
        let Some(element) = access.element else {
            return Ok(0);
        };
        let known = self.known.constant(element);
        known.ok_or_else(|| {
            self.errors
                .lacks("a binding array indexed at run time", inst.origin)
        })
    }

    /// Words at a byte offset: constants, or one of several places.
    fn load(&mut self, inst: &Inst, source: impl Fn(u32, Number) -> ConstantSource) -> Result<()> {
        let offset = inst.args[0];
        let range = self.ranges.of(&self.known, offset, Kind::Integer);
        let step = f64::from(1u32 << range.zeros.clamp(2, 24));
        let places = ((range.high - range.low) / step).floor() + 1.0;
        let fits = range.low >= 0.0 && places <= PLACES as f64;
        let first = range.low as u32;
        let indexed = self.old.stage == Stage::Vertex
            && self.known.constant(offset).is_none()
            && range.low >= 0.0
            && places > 1.0
            && range.high < f64::from(16 * CONSTANTS as u32)
            && range.zeros >= 4;
        if self.known.constant(offset).is_none() && !fits && !indexed {
            let what = match places.is_finite() {
                true => {
                    format!("a uniform at one of {places} places, where {PLACES} are possible")
                }
                false => "a uniform at an address whose bounds are not known".to_owned(),
            };
            return Err(self.errors.lacks(what, inst.origin));
        }
        let index = self.word(offset, Some(Kind::Integer));
        if indexed {
            // Vectors, from the first line of the buffer on: other loads share what they read.
            let line = self.to.float(-(f64::from(first / 16 * 16)) as f32);
            let moved = self.to.add(index, line);
            let sixteenth = self.to.float(1.0 / 16.0);
            let number = self.to.scaled(moved, sixteenth);
            let vectors = self.longest(inst);
            for (kind, integer) in [(Number::Float, false), (Number::Sint, true)] {
                let word = |at: u32| source(4 * at, kind);
                let mut at = first / 4;
                let mut left = &inst.results[..];
                while !left.is_empty() {
                    // As much as lies in one vector.
                    let (these, others) = left.split_at(left.len().min(4 - at as usize % 4));
                    let values = self.to.indexed(word, vectors, at, number, these.len());
                    for (result, value) in these.iter().zip(values) {
                        self.loaded.insert((*result, integer), value);
                    }
                    (at, left) = (at + these.len() as u32, others);
                }
            }
            return Ok(());
        }
        for (at, result) in inst.results.iter().enumerate() {
            let integer = match self.kinds.is_unsigned(*result) {
                true => Number::Uint,
                false => Number::Sint,
            };
            for (number, integer) in [(Number::Float, false), (integer, true)] {
                let word = |x: &mut Self, first: f64| {
                    x.to.constant(source(first as u32 + 4 * at as u32, number))
                };
                let value = match self.known.constant(offset) {
                    Some(offset) => word(self, offset.into()),
                    None => {
                        let mut value = word(self, range.low);
                        for place in 1..places as u32 {
                            let first = range.low + step * f64::from(place);
                            let limit = self.to.float(first as f32);
                            let here = self.to.compare(LaneOp::FGe, index, limit);
                            let other = word(self, first);
                            value = self.to.select(here, other, value);
                        }
                        value
                    }
                };
                self.loaded.insert((*result, integer), value);
            }
        }
        Ok(())
    }

    /// Vectors up to the last that loads with an index from the same place read.
    fn longest(&self, inst: &Inst) -> u32 {
        let ends = self
            .old
            .insts()
            .filter(|other| other.op == inst.op)
            .filter_map(|other| {
                let range = self.ranges.of(&self.known, other.args[0], Kind::Integer);
                let constant = self.known.constant(other.args[0]).is_some();
                let fits = range.low >= 0.0 && range.high < f64::from(16 * CONSTANTS as u32);
                let end = range.high as u32 + 4 * other.results.len() as u32;
                (!constant && fits).then(|| end.div_ceil(16))
            });
        ends.max().unwrap_or(1)
    }

    fn load_local(&mut self, local: usize, inst: &Inst) -> Value {
        let words = self.locals[local].clone();
        if let Some(at) = self.known.constant(inst.args[0]) {
            return words[(at as usize).min(words.len() - 1)];
        }
        let index = self.word(inst.args[0], Some(Kind::Integer));
        let mut value = words[0];
        for (at, word) in words.iter().enumerate().skip(1) {
            let limit = self.to.float(at as f32);
            let here = self.to.compare(LaneOp::FGe, index, limit);
            value = self.to.select(here, *word, value);
        }
        value
    }

    fn store_local(&mut self, local: usize, inst: &Inst) {
        let kind = self.kinds.of(inst.args[1]).or(Some(Kind::Float));
        let new = self.word(inst.args[1], kind);
        let known = self.known.constant(inst.args[0]);
        let index = self.word(inst.args[0], Some(Kind::Integer));
        for at in 0..self.locals[local].len() {
            let mut here = match known {
                Some(known) if known as usize == at => self.to.bit(true),
                Some(_) => continue,
                None => {
                    let place = self.to.float(at as f32);
                    self.to.compare(LaneOp::FEq, index, place)
                }
            };
            if let Some(mask) = self.mask {
                here = self.to.and(mask, here);
            }
            let old = self.locals[local][at];
            self.locals[local][at] = self.to.select(here, new, old);
        }
    }

    /// What the driver binds to the banks.
    pub fn bound(&self) -> Result<Vec<Bound>> {
        let banks = (0..).zip(&self.banks);
        let bound =
            banks.map(|(slot, bank)| super::program::bound(self.old, self.options, *bank, slot));
        bound.collect()
    }

    /// Texture units are those of the pixel unit.
    pub(super) fn has_textures(&self, inst: &Inst) -> Result<()> {
        match self.old.stage {
            Stage::Vertex => Err(self
                .errors
                .lacks("textures in a vertex shader", inst.origin)),
            _ => Ok(()),
        }
    }

    /// The unit of a texture and a sampler.
    pub(super) fn unit(&mut self, pair: super::textures::Pair, inst: &Inst) -> Result<u32> {
        let found = self.units.iter().position(|unit| *unit == pair);
        if found.is_none() && self.units.len() == UNITS {
            let what = format!("more than {UNITS} pairs of texture and sampler");
            return Err(self.errors.lacks(what, inst.origin));
        }
        Ok(found.unwrap_or_else(|| {
            self.units.push(pair);
            self.units.len() - 1
        }) as u32)
    }
}
