//! One instruction after the other: values, calls, memory.

use std::rc::Rc;

use spirv::Op;

use super::lower::{Handle, Lowerer, Val};
use super::module::{Result, Set};
use super::subgroup::is_subgroup;
use super::types::Type;
use super::words::Inst;
use crate::ir::{self, Access, Axis, Detail, LaneOp, Stage, Value};
use crate::lower::flow::Flow;
use crate::lower::place::{Pointer, Root};
use crate::lower::types::{Kind, Ty};

impl<'a> Lowerer<'a> {
    /// Lowers an instruction that ends no block.
    pub(super) fn instruction(&mut self, inst: &Inst) -> Result<Flow> {
        self.check_size()?;
        let module = self.module;
        let ids = module.words.operands(inst);
        match inst.op {
            Op::Nop | Op::Line | Op::NoLine | Op::Phi => {}
            Op::MemoryBarrier => self.fence(),
            Op::LifetimeStart | Op::LifetimeStop => {}
            Op::Undef => {
                let ty = self.ty(Some(inst), inst.ty)?;
                let zeros = self.zeros(&ty)?;
                self.set(inst, Val::Words(zeros.into()))?;
            }
            Op::Variable => self.local_variable(inst)?,
            Op::FunctionCall => return self.function_call(inst, ids),
            Op::ExtInst => self.extended_instruction(inst, ids)?,
            Op::Load => self.load_instruction(inst)?,
            Op::Store => {
                let [pointer, value] = self.operands(inst)?;
                let words = self.words(inst, value)?;
                self.store_to(inst, pointer, &words)?;
            }
            Op::CopyMemory => {
                let [to, from] = self.operands(inst)?;
                let from = self.pointer(inst, from)?;
                let words = self.load(&from)?;
                self.spend(inst, words.len())?;
                self.store_to(inst, to, &words)?;
            }
            Op::CopyObject => {
                let [of] = self.operands(inst)?;
                let val = self.val(inst, of)?;
                self.set(inst, val)?;
            }
            Op::AccessChain | Op::InBoundsAccessChain => self.access_chain(inst, ids)?,
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => self.element_chain(inst, ids)?,
            Op::Select if module.pointer(inst.ty).is_some() => self.select_pointer(inst)?,
            Op::PtrEqual | Op::PtrNotEqual => self.same_pointers(inst)?,
            Op::ArrayLength => {
                let [pointer, member] = self.operands(inst)?;
                let pointer = self.pointer(inst, pointer)?;
                let Some(array) = pointer.part(member) else {
                    return self.error(inst, format!("there is no member {member}"));
                };
                let length = self.array_length(&array)?;
                self.set(inst, Val::Words([length].into()))?;
            }
            Op::DPdx | Op::DPdxCoarse => self.derivative(inst, &[Axis::X], Detail::Coarse)?,
            Op::DPdy | Op::DPdyCoarse => self.derivative(inst, &[Axis::Y], Detail::Coarse)?,
            Op::DPdxFine => self.derivative(inst, &[Axis::X], Detail::Fine)?,
            Op::DPdyFine => self.derivative(inst, &[Axis::Y], Detail::Fine)?,
            Op::Fwidth | Op::FwidthCoarse => {
                self.derivative(inst, &[Axis::X, Axis::Y], Detail::Coarse)?;
            }
            Op::FwidthFine => self.derivative(inst, &[Axis::X, Axis::Y], Detail::Fine)?,
            Op::DemoteToHelperInvocation => {
                if self.b.function().stage != Stage::Fragment {
                    return self.error(inst, "only fragment shaders have helpers");
                }
                let yes = self.b.bit(true);
                self.b.effect(ir::Op::Discard, vec![yes]);
                if let Some(demoted) = self.demoted {
                    self.raise(demoted);
                }
            }
            Op::IsHelperInvocationEXT => {
                if self.b.function().stage != Stage::Fragment {
                    return self.error(inst, "only fragment shaders have helpers");
                }
                let helper = self.is_helper();
                self.set(inst, Val::Words([helper].into()))?;
            }
            Op::ControlBarrier => self.control_barrier(inst)?,
            Op::EmitVertex | Op::EmitStreamVertex | Op::EndPrimitive | Op::EndStreamPrimitive => {
                self.emission(inst)?
            }
            op if is_atomic(op) => self.atomic(inst, ids)?,
            op if is_subgroup(op) => self.subgroup_instruction(inst, ids)?,
            op if is_image(op) => self.image_instruction(inst, ids)?,
            op => {
                let words = self.compute(inst, op, ids)?;
                self.set(inst, Val::Words(words.into()))?;
            }
        }
        Ok(Flow::default())
    }

    fn derivative(&mut self, inst: &Inst, axes: &[Axis], detail: Detail) -> Result<()> {
        let [of] = self.operands(inst)?;
        let words = self.words(inst, of)?;
        if self.b.function().stage != Stage::Fragment || !self.are_words(&words) {
            return self.error(inst, "only fragment shaders have derivatives, of floats");
        }
        let slopes = self.derivatives(&words, axes, detail);
        let slopes = self.fit(inst, slopes)?;
        self.set(inst, Val::Words(slopes.into()))
    }

    fn local_variable(&mut self, inst: &Inst) -> Result<()> {
        let Some((spirv::StorageClass::Function, pointee)) = self.module.pointer(inst.ty) else {
            return self.error(inst, "variables in functions are of class Function");
        };
        if self.module.types.get(&pointee) == Some(&Type::Void) {
            // Nobody can load or store what is nothing.
            return Ok(());
        }
        let ty = self.ty(Some(inst), pointee)?;
        let initial = match self.module.words.operands(inst) {
            [_, initial, ..] => Some(self.words(inst, *initial)?),
            _ => None,
        };
        let place = self.private(inst, ty, initial)?;
        self.set(inst, Val::Pointer(place))
    }

    /// A variable that an invocation has for itself.
    pub(super) fn private(
        &mut self,
        inst: &Inst,
        ty: Rc<Ty>,
        initial: Option<Rc<[Value]>>,
    ) -> Result<Pointer> {
        if let Some(initial) = &initial {
            self.check_leaves(inst, &ty, initial)?;
        }
        let words = self.check_words(&ty)?;
        self.spend(inst, words as usize)?;
        let name = self.module.name(inst.id);
        let indexed = self.uses.indexed(inst.id);
        self.variable(Some(&name), ty, indexed, initial)
    }

    fn function_call(&mut self, inst: &Inst, ids: &[u32]) -> Result<Flow> {
        let Some((&callee, arguments)) = ids.split_first() else {
            return self.error(inst, "it has no operands");
        };
        let Some(&number) = self.module.function_of.get(&callee) else {
            return self.error(inst, format!("%{callee} is no function"));
        };
        let function = &self.module.functions[number];
        let types = arguments
            .iter()
            .map(|id| self.module.definition(*id).map_or(0, |of| of.ty));
        if !types.eq(function.params.iter().map(|(_, ty)| *ty)) || inst.ty != function.result {
            return self.error(inst, "its operands are not the parameters of the function");
        }
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.val(inst, argument)?);
        }
        let Some(words) = self.call(function, values)? else {
            return Ok(Flow::left());
        };
        self.b.set_origin(inst.origin);
        if self.module.types.get(&inst.ty) != Some(&Type::Void) {
            self.set(inst, Val::Words(words.into()))?;
        }
        Ok(Flow::default())
    }

    fn extended_instruction(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        let [set, number] = self.operands(inst)?;
        match self.module.sets.get(&set) {
            Some(Set::Glsl) => self.glsl(inst, number, &ids[2..]),
            Some(Set::NonSemantic) => Ok(()),
            Some(Set::Other(name)) => self
                .module
                .lacks(inst, format!("instruction {number} of {name}")),
            None => self.error(inst, format!("%{set} is no set of instructions")),
        }
    }

    /// What a pointer points to.
    pub(super) fn pointer(&mut self, inst: &Inst, id: u32) -> Result<Pointer> {
        match self.val(inst, id)? {
            Val::Pointer(pointer) => Ok(pointer),
            _ => self.error(
                inst,
                format!("{} is no pointer to a value", self.module.name(id)),
            ),
        }
    }

    fn load_instruction(&mut self, inst: &Inst) -> Result<()> {
        let [pointer] = self.operands(inst)?;
        let val = match self.val(inst, pointer)? {
            Val::Pointer(place) => {
                let words = self.check_words(&place.ty)?;
                self.spend(inst, words as usize)?;
                Val::Words(self.load(&place)?)
            }
            Val::Handle(handle) if handle.count.is_none() => Val::Handle(handle),
            _ => return self.error(inst, "it loads from no pointer"),
        };
        self.set(inst, val)
    }

    /// Stores to a variable or a buffer that may be written.
    pub(super) fn store_to(&mut self, inst: &Inst, pointer: u32, words: &[Value]) -> Result<()> {
        let place = self.pointer(inst, pointer)?;
        let ty = place.ty.clone();
        self.check_leaves(inst, &ty, words)?;
        if let Root::Buffer(access) = place.root {
            self.check_writable(inst, access)?;
        }
        self.store(&place, words)
    }

    fn check_writable(&mut self, inst: &Inst, access: Access) -> Result<()> {
        let resources = &self.b.function().interface.resources;
        match resources
            .get(access.resource as usize)
            .map(|resource| resource.kind)
        {
            Some(ir::ResourceKind::Storage {
                read_only: false, ..
            }) => Ok(()),
            _ => self.error(inst, "it stores to what cannot be written"),
        }
    }

    fn access_chain(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        let Some((&base, indices)) = ids.split_first() else {
            return self.error(inst, "it has no operands");
        };
        let mut val = self.val(inst, base)?;
        for &index in indices {
            let index = self.word(inst, index)?;
            val = match val {
                Val::Pointer(place) => Val::Pointer(self.inside(inst, place, index)?),
                Val::Buffers(access, ty, count) => {
                    let element = self.element(index, count);
                    let root = Root::Buffer(Access {
                        element: Some(element),
                        ..access
                    });
                    Val::Pointer(Pointer::new(root, ty))
                }
                Val::Handle(handle) => {
                    let Some(count) = handle.count else {
                        return self.error(inst, "it indexes what is no array");
                    };
                    let element = Some(self.element(index, count));
                    let with = |access: Access| Access { element, ..access };
                    Val::Handle(Handle {
                        texture: handle.texture.map(with),
                        sampler: handle.sampler.map(with),
                        count: None,
                        ..handle
                    })
                }
                Val::Words(_) | Val::Texel(..) => {
                    return self.error(inst, format!("{} is no pointer", self.module.name(base)));
                }
            };
        }
        self.set(inst, val)
    }

    /// The element of an array of resources: the last one stands for those beyond.
    fn element(&mut self, index: Value, count: u32) -> Value {
        let last = self.b.word(count - 1);
        self.b.alu(LaneOp::UMin, &[index, last])
    }

    pub(super) fn inside(&mut self, inst: &Inst, place: Pointer, index: Value) -> Result<Pointer> {
        let known = self.b.known_word(index);
        let part = match (&*place.ty, known, place.ty.parts()) {
            (Ty::Struct(_), Some(member), _) => place.part(member),
            (Ty::Struct(_), None, _) => return self.error(inst, "the index of a member varies"),
            (_, Some(number), Some(parts)) if number < parts => place.part(number),
            _ => place.index(index),
        };
        match part {
            Some(part) => Ok(part),
            None => self.error(inst, "it indexes what has no such part"),
        }
    }

    fn atomic(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        use ir::AtomicOp as A;
        let Some(&pointer) = ids.first() else {
            return self.error(inst, "it has no operands");
        };
        let place = self.val(inst, pointer)?;
        // Scope and semantics stand between pointer and value.
        let first = match inst.op {
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => 4,
            _ => 3,
        };
        let mut operands = Vec::new();
        for &id in ids.get(first..).unwrap_or(&[]) {
            operands.push(self.word(inst, id)?);
        }
        let one = self.b.word(1);
        let zero = self.b.word(0);
        let op = match inst.op {
            Op::AtomicLoad => {
                operands = vec![zero];
                A::Or
            }
            Op::AtomicStore | Op::AtomicExchange => A::Exchange,
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => A::CompareExchange,
            Op::AtomicIIncrement | Op::AtomicIDecrement => {
                operands = vec![one];
                match inst.op {
                    Op::AtomicIIncrement => A::Add,
                    _ => A::Sub,
                }
            }
            Op::AtomicIAdd => A::Add,
            Op::AtomicISub => A::Sub,
            Op::AtomicSMin => A::IMin,
            Op::AtomicUMin => A::UMin,
            Op::AtomicSMax => A::IMax,
            Op::AtomicUMax => A::UMax,
            Op::AtomicAnd => A::And,
            Op::AtomicOr => A::Or,
            Op::AtomicXor => A::Xor,
            op => return self.module.lacks(inst, format!("Op{op:?}")),
        };
        let wanted = if op == A::CompareExchange { 2 } else { 1 };
        if operands.len() != wanted {
            let count = operands.len();
            return self.error(inst, format!("it has {count} values, {wanted} are needed"));
        }
        let old = match place {
            Val::Pointer(place) => {
                if !matches!(*place.ty, Ty::Scalar(Kind::I32 | Kind::U32 | Kind::F32)) {
                    let of = self.module.definition(pointer).map_or(0, |of| of.ty);
                    let pointee = self.module.pointer(of).map_or(0, |(_, pointee)| pointee);
                    let number = self.module.number(pointee);
                    if number.is_some_and(|number| number.words() > 1) {
                        let feature = format!("Op{:?} of 64-bit integers", inst.op);
                        return self.module.lacks(inst, feature);
                    }
                    return self.error(inst, "it points to no number");
                }
                match (inst.op, place.root) {
                    (Op::AtomicLoad, Root::Buffer(_)) => self.load(&place)?[0],
                    (_, root) => {
                        if let Root::Buffer(access) = root {
                            self.check_writable(inst, access)?;
                        }
                        self.writer.atomic(&place, op, operands)?
                    }
                }
            }
            Val::Texel(texture, at) => {
                let mut args = at.to_vec();
                args.extend(operands);
                self.note_storage(texture.access, true, true);
                self.texture_op(ir::ImageKind::Atomic(op), texture, args)[0]
            }
            _ => return self.error(inst, "it points to no number"),
        };
        match inst.id {
            0 => Ok(()),
            _ => self.set(inst, Val::Words([old].into())),
        }
    }
}

fn is_atomic(op: Op) -> bool {
    matches!(
        op,
        Op::AtomicLoad
            | Op::AtomicStore
            | Op::AtomicExchange
            | Op::AtomicCompareExchange
            | Op::AtomicCompareExchangeWeak
            | Op::AtomicIIncrement
            | Op::AtomicIDecrement
            | Op::AtomicIAdd
            | Op::AtomicISub
            | Op::AtomicSMin
            | Op::AtomicUMin
            | Op::AtomicSMax
            | Op::AtomicUMax
            | Op::AtomicAnd
            | Op::AtomicOr
            | Op::AtomicXor
            | Op::AtomicFAddEXT
            | Op::AtomicFMinEXT
            | Op::AtomicFMaxEXT
    )
}

/// Opcodes 86 to 107 are the image instructions, 305 to 316 and 320 those of sparse images.
fn is_image(op: Op) -> bool {
    matches!(op as u32, 86..=107 | 305..=316 | 320) || op == Op::ImageTexelPointer
}
