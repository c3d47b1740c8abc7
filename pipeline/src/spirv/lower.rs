//! A module in, SSA out: one entry point with everything it calls inlined.
//!
//! Ids whose values are used in other blocks live in slots as variables do, so that a value has a place wherever its
//! definition dominates in the module, behind all guards that early returns put around it.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use spirv::Op;

use super::flow::Construct;
use super::function::Function;
use super::interface::Outlet;
use super::interpolation::Shadows;
use super::module::{Entry, Module, Result};
use super::numbers::Number;
use super::uses::{Uses, is_constant};
pub(super) use super::val::{Handle, Val};
use super::words::Inst;
use crate::error::ShaderError;
use crate::ir::{self, Known, Stage, Type, Value};
use crate::lower::geometry::Strip;
use crate::lower::types::{Kind, Ty};
use crate::lower::{CALL_DEPTH, Overrides, Slot, Writer};

/// Most words of all values that instructions give.
const VALUE_WORDS: usize = 1 << 23;
/// Most constants that are made of each other.
const CONSTANT_DEPTH: usize = 500;

/// An activation of a function.
pub(super) struct Frame<'a> {
    pub(super) function: &'a Function,
    values: HashMap<u32, Val>,
    /// First slot, and number of slots, of ids that live in slots.
    slots: HashMap<u32, (usize, usize)>,
    /// Blocks that were lowered.
    pub(super) seen: Vec<bool>,
    pub(super) constructs: Vec<Construct>,
    /// First slot of the result, and its words.
    pub(super) result: (usize, usize),
    /// Slot of the flag that says whether the function has returned.
    pub(super) returned: usize,
}

/// One entry point being lowered.
pub(super) struct Lowerer<'a> {
    pub(super) module: &'a Module,
    pub(super) writer: Writer,
    pub(super) uses: Uses,
    pub(super) types: HashMap<u32, Rc<Ty>>,
    constants: HashMap<u32, Rc<[Value]>>,
    constant_depth: usize,
    /// Specialisation constants with a value from outside.
    given: HashMap<u32, Known>,
    pub(super) globals: HashMap<u32, Val>,
    pub(super) outlets: Vec<Outlet>,
    /// Inputs that are asked for at other places than their own.
    pub(super) shadows: HashMap<u32, Shadows>,
    /// The vertices that a geometry shader emits.
    pub(super) strip: Option<Strip>,
    /// How many clip distances are written.
    pub(super) clip_distances: usize,
    /// Comparisons with NaN count.
    pub(super) keeps_nan: bool,
    /// Slot of the flag that says whether the invocation was killed.
    pub(super) killed: usize,
    /// Slot that says whether it was made a helper, where that is asked for.
    pub(super) demoted: Option<usize>,
    pub(super) frame: Frame<'a>,
    words: usize,
    depth: usize,
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

/// Lowers an entry point.
pub(super) fn lower(
    module: &Module,
    entry: &Entry,
    stage: Stage,
    overrides: &Overrides,
) -> Result<ir::Function> {
    let mut writer = Writer::new(&entry.name, stage, module.text.clone());
    let killed = writer.flag();
    let function = &module.functions[module.function_of[&entry.function]];
    let uses = Uses::of(module, entry.function);
    let clear = writer.b.bit(false);
    let demoted = uses
        .asks_for_helpers
        .then(|| writer.slots(Slot::Variable, &[clear]));
    let mut lowerer = Lowerer {
        module,
        writer,
        uses,
        types: HashMap::new(),
        constants: HashMap::new(),
        constant_depth: 0,
        given: super::constants::given(module, overrides)?,
        globals: HashMap::new(),
        outlets: Vec::new(),
        shadows: HashMap::new(),
        strip: None,
        clip_distances: 0,
        keeps_nan: false,
        killed,
        demoted,
        frame: Frame::empty(function),
        words: 0,
        depth: 0,
    };
    lowerer.modes(entry)?;
    lowerer.variables(entry)?;
    if lowerer.call(function, Vec::new())?.is_none() {
        // The shader never ends; its last block is there for form's sake.
        let last = lowerer.b.block();
        lowerer.b.start(last);
    }
    if stage != Stage::Geometry {
        lowerer.outputs()?;
    }
    Ok(lowerer.writer.finish())
}

impl<'a> Frame<'a> {
    fn empty(function: &'a Function) -> Frame<'a> {
        Frame {
            function,
            values: HashMap::new(),
            slots: HashMap::new(),
            seen: vec![false; function.blocks.len()],
            constructs: Vec::new(),
            result: (0, 0),
            returned: 0,
        }
    }
}

impl<'a> Lowerer<'a> {
    pub(super) fn error<T>(&self, inst: &Inst, message: impl Into<String>) -> Result<T> {
        Err(self.module.error(inst, message))
    }

    /// What an error about what is lowered says of the instruction.
    pub(super) fn at(&self, inst: &Inst, error: ShaderError) -> ShaderError {
        match error {
            ShaderError::Unsupported { feature, .. } if !feature.contains("(instruction ") => {
                let named = self.module.lacks::<()>(inst, feature);
                named.err().unwrap_or_else(|| self.module.error(inst, ""))
            }
            error => error,
        }
    }

    /// Operands of an instruction, as many as are asked for.
    pub(super) fn operands<const N: usize>(&self, inst: &Inst) -> Result<[u32; N]> {
        let operands = self.module.words.operands(inst);
        match operands.first_chunk() {
            Some(chunk) => Ok(*chunk),
            None => {
                let count = operands.len();
                self.error(inst, format!("it has {count} operands, {N} are needed"))
            }
        }
    }

    /// Counts words that a value takes.
    pub(super) fn spend(&mut self, inst: &Inst, words: usize) -> Result<()> {
        self.words += words;
        if self.words > VALUE_WORDS {
            return Err(ShaderError::TooLarge {
                what: "words in all values",
                needed: self.words as u64,
                limit: VALUE_WORDS as u64,
                at: self.module.text.locate(inst.origin),
            });
        }
        Ok(())
    }

    /// Inlines a function. The result's leaves; none when it never returns.
    pub(super) fn call(
        &mut self,
        function: &'a Function,
        arguments: Vec<Val>,
    ) -> Result<Option<Vec<Value>>> {
        self.check_size()?;
        if self.depth == CALL_DEPTH {
            return Err(super::words::too_large(
                "calls inside calls",
                CALL_DEPTH + 1,
                CALL_DEPTH,
            ));
        }
        self.depth += 1;
        let mark = self.env.len();
        let mut frame = Frame::empty(function);
        frame.returned = self.flag();
        let result = match self.module.types.get(&function.result) {
            Some(super::types::Type::Void) | None => Vec::new(),
            Some(_) => {
                let head = self.module.definition(function.id);
                let ty = self.ty(head, function.result)?;
                self.zeros(&ty)?
            }
        };
        frame.result = (self.slots(Slot::Variable, &result), result.len());
        let params = function.params.iter().map(|(id, _)| *id);
        frame.values = params.zip(arguments).collect();
        let outer = std::mem::replace(&mut self.frame, frame);
        self.place_ids()?;
        let flow = self.walk(0)?;
        let frame = std::mem::replace(&mut self.frame, outer);
        self.depth -= 1;
        if flow.left {
            return Ok(None);
        }
        let (first, words) = frame.result;
        let values = self.env[first..first + words].to_vec();
        self.drop_slots(mark);
        Ok(Some(values))
    }

    /// Gives slots to the ids that need them.
    fn place_ids(&mut self) -> Result<()> {
        let mut counts = HashMap::new();
        for &id in &self.frame.function.crossing {
            let Some(inst) = self.module.definition(id) else {
                continue;
            };
            let (first, count) = match self.module.types.get(&inst.ty) {
                Some(ty) if ty.is_value() => {
                    let ty = self.ty(Some(inst), inst.ty)?;
                    let zeros = self.zeros(&ty)?;
                    let first = self.slots(Slot::Settled, &zeros);
                    let count = zeros.len();
                    self.frame.values.insert(id, Val::Words(zeros.into()));
                    (first, count)
                }
                _ => {
                    let count = self.dynamic(id, &mut counts);
                    let zeros = vec![self.b.word(0); count];
                    (self.slots(Slot::Settled, &zeros), count)
                }
            };
            self.spend(inst, count)?;
            self.frame.slots.insert(id, (first, count));
        }
        Ok(())
    }

    /// SSA values that a pointer or a resource may be made of.
    fn dynamic(&self, id: u32, counts: &mut HashMap<u32, usize>) -> usize {
        if let Some(val) = self.frame.values.get(&id) {
            return val.values().len();
        }
        if let Some(&count) = counts.get(&id) {
            return count;
        }
        let Some(inst) = self.module.definition(id) else {
            return 0;
        };
        let operands = self.module.words.operands(inst);
        let mut of = |at: usize| match operands.get(at) {
            // Blocks may be in any order, but no value is made of itself.
            Some(&id) if id != inst.id => self.dynamic(id, counts),
            _ => 0,
        };
        let count = match inst.op {
            // An index of an array of resources counts for texture and sampler.
            Op::AccessChain | Op::InBoundsAccessChain => of(0) + operands.len() + 1,
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => of(0) + operands.len() + 1,
            // Element of an array of buffers, and offset.
            Op::Phi | Op::Select => 2,
            Op::CopyObject | Op::Load | Op::Image => of(0),
            Op::SampledImage => of(0) + of(1),
            Op::ImageTexelPointer => of(0) + 4,
            _ => 0,
        };
        counts.insert(id, count);
        count
    }

    /// What a phi stands for, once a way leads to it.
    pub(super) fn known_val(&mut self, id: u32) -> Option<&Val> {
        self.frame.values.get(&id)
    }

    pub(super) fn keep_val(&mut self, id: u32, val: Val) {
        self.frame.values.insert(id, val);
    }

    /// The slots of an id.
    pub(super) fn slots_of(&self, id: u32) -> std::ops::Range<usize> {
        let (first, count) = self.frame.slots.get(&id).copied().unwrap_or_default();
        first..first + count
    }

    /// What an id is.
    pub(super) fn val(&mut self, inst: &Inst, id: u32) -> Result<Val> {
        if let Some(val) = self.frame.values.get(&id) {
            return Ok(match self.frame.slots.get(&id) {
                Some(&(first, count)) => {
                    let count = count.min(val.values().len());
                    val.with(&self.env[first..first + count])
                }
                None => val.clone(),
            });
        }
        if let Some(val) = self.globals.get(&id) {
            return Ok(val.clone());
        }
        match self.module.definition(id) {
            Some(of) if is_constant(of.op) => Ok(Val::Words(self.constant(of)?)),
            Some(of) if of.op == Op::Variable => self.error(inst, "it uses a variable of no use"),
            _ => self.error(inst, format!("{} has no value here", self.module.name(id))),
        }
    }

    /// The leaves of an id.
    pub(super) fn words(&mut self, inst: &Inst, id: u32) -> Result<Rc<[Value]>> {
        match self.val(inst, id)? {
            Val::Words(words) => Ok(words),
            _ => self.error(inst, format!("{} is no value", self.module.name(id))),
        }
    }

    /// The word of a scalar id.
    pub(super) fn word(&mut self, inst: &Inst, id: u32) -> Result<Value> {
        match self.words(inst, id)?[..] {
            [word] if self.b.ty(word) == Type::Word => Ok(word),
            // Of an index of 64 bits, the low word.
            [low, _] if self.module.number_of(id) == Some(Number::Int(64, false)) => Ok(low),
            [low, _] if self.module.number_of(id) == Some(Number::Int(64, true)) => Ok(low),
            _ => self.error(inst, format!("{} is no number", self.module.name(id))),
        }
    }

    /// The bool of a scalar id.
    pub(super) fn bit(&mut self, inst: &Inst, id: u32) -> Result<Value> {
        match self.words(inst, id)?[..] {
            [bit] if self.b.ty(bit) == Type::Bool => Ok(bit),
            _ => self.error(inst, format!("{} is no bool", self.module.name(id))),
        }
    }

    /// Type of the value of an id.
    pub(super) fn type_of(&mut self, inst: &Inst, id: u32) -> Result<Rc<Ty>> {
        let ty = self.module.definition(id).map_or(0, |of| of.ty);
        self.ty(Some(inst), ty)
    }

    /// Keeps what an instruction gives.
    pub(super) fn set(&mut self, inst: &Inst, val: Val) -> Result<()> {
        if let Val::Words(words) = &val {
            let ty = self.ty(Some(inst), inst.ty)?;
            self.check_words(&ty)?;
            self.spend(inst, words.len())?;
            self.check_leaves(inst, &ty, words)?;
        }
        if let Some(&(first, count)) = self.frame.slots.get(&inst.id) {
            for (at, value) in val.values().into_iter().enumerate().take(count) {
                self.env[first + at] = value;
            }
        }
        self.frame.values.insert(inst.id, val);
        Ok(())
    }

    /// Sets a phi on the way to its block.
    pub(super) fn arrive(&mut self, from: usize, to: usize) -> Result<()> {
        let function = self.frame.function;
        let Some(arrivals) = function.arrivals.get(&(from, to)) else {
            return Ok(());
        };
        let last = &self.module.words.insts[function.blocks[from].last];
        let mut values = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            let pointer = self.module.definition(arrival.phi).map_or(0, |phi| phi.ty);
            values.push(match self.module.pointer(pointer) {
                Some(_) => self.arriving_pointer(last, arrival.phi, arrival.value)?,
                None => self.words(last, arrival.value)?,
            });
        }
        for (arrival, words) in arrivals.iter().zip(values) {
            let (Some(&(first, _)), Some(inst)) = (
                self.frame.slots.get(&arrival.phi),
                self.module.definition(arrival.phi),
            ) else {
                continue;
            };
            if self.module.pointer(inst.ty).is_none() {
                let ty = self.ty(Some(inst), inst.ty)?;
                self.check_leaves(inst, &ty, &words)?;
            }
            self.env[first..first + words.len()].copy_from_slice(&words);
        }
        Ok(())
    }

    /// Leaves are those of a type.
    pub(super) fn check_leaves(&self, inst: &Inst, ty: &Ty, words: &[Value]) -> Result<()> {
        let mut kinds = Vec::with_capacity(words.len());
        ty.leaves(0, &mut |kind, _| kinds.push(kind == Kind::Bool));
        let found = words.iter().map(|word| self.b.ty(*word) == Type::Bool);
        if !kinds.iter().copied().eq(found) {
            let message = format!(
                "{} words do not fit its type of {}",
                words.len(),
                kinds.len()
            );
            return self.error(inst, message);
        }
        Ok(())
    }

    /// The leaves of a constant.
    pub(super) fn constant(&mut self, inst: &Inst) -> Result<Rc<[Value]>> {
        if let Some(words) = self.constants.get(&inst.id) {
            return Ok(words.clone());
        }
        if self.constant_depth == CONSTANT_DEPTH {
            let what = "constants made of each other";
            return Err(super::words::too_large(
                what,
                CONSTANT_DEPTH + 1,
                CONSTANT_DEPTH,
            ));
        }
        self.constant_depth += 1;
        let known = self.given.get(&inst.id).copied();
        let words: Rc<[Value]> = match known {
            Some(known) => {
                let word = self.b.constant(known);
                self.fit(inst, vec![word])?.into()
            }
            None => self.make_constant(inst)?.into(),
        };
        self.constant_depth -= 1;
        let ty = self.ty(Some(inst), inst.ty)?;
        self.check_words(&ty)?;
        self.spend(inst, words.len())?;
        self.check_leaves(inst, &ty, &words)?;
        self.constants.insert(inst.id, words.clone());
        Ok(words)
    }
}
