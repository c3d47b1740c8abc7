//! What pointers point to: variables, buffers, push constants; loads, stores and their bounds.

use std::rc::Rc;

use super::types::{Kind, Leaf, Narrow, Ty};
use super::{Result, Slot, Writer};
use crate::ir::{Access, AtomicOp, LaneOp, Local, Loop, Op, Type, Value};

/// Variables up to this many words are selected from when indexed at run time; larger ones are arrays in memory.
const SELECTED_WORDS: u32 = 16;
/// Variables above this many words are arrays in memory even when no index is a run-time one.
const SLOT_WORDS: u32 = 256;
/// Arrays above this many words are cleared by a loop.
const CLEARED_INLINE: u32 = 64;
/// An offset that lies outside every buffer, with room for a value behind it.
const OUTSIDE: u32 = 0xfff0_0000;
/// Most words of one buffer access.
const RUN_WORDS: usize = 16;

/// A pointer: where it starts, and which part of that it means.
#[derive(Clone)]
pub(crate) struct Pointer {
    pub(crate) root: Root,
    pub(crate) ty: Rc<Ty>,
    /// Leaves before the part, as far as they are known now.
    words: u32,
    /// Bytes before the part, as far as they are known now.
    bytes: u32,
    /// Run-time indices on the way to the part.
    path: Vec<Index>,
}

/// What a pointer points into.
#[derive(Clone, Copy)]
pub(crate) enum Root {
    /// SSA variables, from this slot on.
    Slots(usize),
    /// A private array.
    Local(u32),
    /// A uniform or storage buffer.
    Buffer(Access),
    /// Push constants.
    Push,
    /// Memory of the workgroup, where leaves lie word by word.
    Shared,
}

#[derive(Clone, Copy)]
struct Index {
    value: Value,
    words: u32,
    bytes: u32,
    /// None where the buffer's size is the bound.
    count: Option<u32>,
}

impl Pointer {
    pub(crate) fn new(root: Root, ty: Rc<Ty>) -> Pointer {
        Pointer {
            root,
            ty,
            words: 0,
            bytes: 0,
            path: Vec::new(),
        }
    }

    /// A variable in the memory of the workgroup, from a word on.
    pub(super) fn shared(first: u32, ty: Rc<Ty>) -> Pointer {
        Pointer {
            words: first,
            ..Pointer::new(Root::Shared, ty)
        }
    }

    /// The same part at a byte offset that a value says: of its buffer, or of the words that a workgroup shares.
    fn at_offset(&self, offset: Value) -> Pointer {
        let mut place = Pointer::new(self.root, self.ty.clone());
        place.path.push(Index {
            value: offset,
            words: 0,
            bytes: 1,
            count: None,
        });
        place
    }

    /// The values that it is made of: run-time indices, and the element of an array of buffers.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        let element = match self.root {
            Root::Buffer(access) => access.element,
            _ => None,
        };
        let indices = self.path.iter().map(|index| index.value);
        element.into_iter().chain(indices)
    }

    /// The same pointer of other values, as many.
    pub(crate) fn with(&self, values: &[Value]) -> Pointer {
        let mut place = self.clone();
        let mut next = values.iter().copied();
        if let Root::Buffer(access) = &mut place.root
            && let Some(element) = &mut access.element
        {
            *element = next.next().unwrap_or(*element);
        }
        for (index, value) in place.path.iter_mut().zip(next) {
            index.value = value;
        }
        place
    }

    /// A part by its number.
    pub(crate) fn part(&self, index: u32) -> Option<Pointer> {
        let part = self.ty.part(index)?;
        Some(Pointer {
            root: self.root,
            ty: part.ty,
            words: self.words.wrapping_add(part.words),
            bytes: self.bytes.wrapping_add(part.bytes),
            path: self.path.clone(),
        })
    }

    /// A part by a run-time index.
    pub(crate) fn index(&self, value: Value) -> Option<Pointer> {
        let step = self.ty.part(1)?;
        let mut place = self.clone();
        place.path.push(Index {
            value,
            words: step.words,
            bytes: step.bytes,
            count: self.ty.parts(),
        });
        place.ty = step.ty;
        Some(place)
    }
}

/// What an address counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Leaves.
    Words,
    /// Bytes, as a buffer has them.
    Bytes,
    /// Bytes of leaves that lie word by word.
    Packed,
}

impl Unit {
    fn of(self, words: u32, bytes: u32) -> u32 {
        match self {
            Unit::Words => words,
            Unit::Bytes => bytes,
            Unit::Packed => words.wrapping_mul(4),
        }
    }
}

/// A run-time address: a sum, and whether it may be used.
struct Address {
    offset: Value,
    inside: Option<Value>,
}

impl Writer {
    /// A new variable with these initial leaves.
    pub(crate) fn variable(
        &mut self,
        name: Option<&str>,
        ty: Rc<Ty>,
        indexed: bool,
        initial: Option<Rc<[Value]>>,
    ) -> Result<Pointer> {
        let words = self.check_words(&ty)?;
        if words > SLOT_WORDS || (indexed && words > SELECTED_WORDS) {
            let local = self.array(name.unwrap_or("array"), words);
            let place = Pointer::new(Root::Local(local), ty);
            match initial {
                Some(initial) => self.store(&place, &initial)?,
                None => self.clear(local, words),
            }
            return Ok(place);
        }
        let initial = match initial {
            Some(initial) => initial.to_vec(),
            None => self.zeros(&ty)?,
        };
        let first = self.slots(Slot::Variable, &initial);
        Ok(Pointer::new(Root::Slots(first), ty))
    }

    /// A new private array. One word more than asked for takes stores that are out of bounds.
    fn array(&mut self, name: &str, words: u32) -> u32 {
        let origin = self.b.origin();
        let locals = &mut self.b.function().locals;
        locals.push(Local {
            name: name.to_owned(),
            words: words + 1,
            origin,
        });
        locals.len() as u32 - 1
    }

    fn clear(&mut self, local: u32, words: u32) {
        let zero = self.b.word(0);
        if words <= CLEARED_INLINE {
            for at in 0..words {
                let at = self.b.word(at);
                self.b.effect(Op::StoreLocal(local), vec![at, zero]);
            }
            return;
        }
        let [header, continuing, merge] = [(); 3].map(|()| self.b.block());
        let entry = self.b.jump(header);
        self.b.add_argument(entry, zero);
        self.b.start(header);
        self.b.set_loop(header, Loop { merge, continuing });
        let at = self.b.param(header, Type::Word);
        self.b.effect(Op::StoreLocal(local), vec![at, zero]);
        self.b.jump(continuing);
        self.b.start(continuing);
        let one = self.b.word(1);
        let next = self.b.alu(LaneOp::IAdd, &[at, one]);
        let end = self.b.word(words);
        let more = self.b.alu(LaneOp::ULt, &[next, end]);
        let [back, _] = self.b.branch(more, header, merge, merge);
        self.b.add_argument(back, next);
        self.b.start(merge);
    }

    /// A pointer into a buffer as a place that a value says, moved by so many bytes; none of other pointers. Such pointers
    /// differ in their values alone where they are of one type and into one buffer.
    pub(crate) fn by_offset(&mut self, place: &Pointer, by: Value) -> Option<Pointer> {
        let Root::Buffer(_) = place.root else {
            return None;
        };
        let offset = self.address(place, Unit::Bytes, OUTSIDE).offset;
        let offset = self.b.alu(LaneOp::IAdd, &[offset, by]);
        Some(place.at_offset(offset))
    }

    /// The value that a pointer points to.
    pub(crate) fn load(&mut self, place: &Pointer) -> Result<Rc<[Value]>> {
        let words = self.check_words(&place.ty)?;
        self.check_size()?;
        Ok(match place.root {
            Root::Slots(base) => self.load_slots(base + place.words as usize, &place.path, words),
            Root::Local(local) => self.load_local(local, place),
            Root::Buffer(access) => self.load_bytes(Op::LoadBuffer(access), place),
            Root::Push => self.load_bytes(Op::LoadPush, place),
            Root::Shared => self.load_shared(place),
        }
        .into())
    }

    /// Stores a value. The caller knows that the pointer may be stored to.
    pub(crate) fn store(&mut self, place: &Pointer, values: &[Value]) -> Result<()> {
        self.check_words(&place.ty)?;
        self.check_size()?;
        match place.root {
            Root::Slots(base) => {
                self.store_slots(base + place.words as usize, &place.path, None, values);
            }
            Root::Local(local) => self.store_local(local, place, values),
            Root::Buffer(access) => self.store_bytes(access, place, values),
            Root::Shared => self.store_shared(place, values),
            Root::Push => return self.refuse("a store to push constants"),
        }
        Ok(())
    }

    fn load_slots(&mut self, base: usize, path: &[Index], words: u32) -> Vec<Value> {
        let Some((index, rest)) = path.split_first() else {
            return self.env[base..base + words as usize].to_vec();
        };
        let mut result: Vec<Value> = Vec::new();
        for i in 0..index.count.unwrap_or(0) {
            let part = self.load_slots(base + (i * index.words) as usize, rest, words);
            if result.is_empty() {
                result = part.iter().map(|&leaf| self.zero_like(leaf)).collect();
            }
            let number = self.b.word(i);
            let hit = self.b.alu(LaneOp::IEq, &[index.value, number]);
            for (sum, leaf) in result.iter_mut().zip(part) {
                *sum = self.b.select(hit, leaf, *sum);
            }
        }
        result
    }

    fn zero_like(&mut self, value: Value) -> Value {
        match self.b.ty(value) {
            Type::Bool => self.zero(Kind::Bool),
            Type::Word => self.zero(Kind::U32),
        }
    }

    fn store_slots(
        &mut self,
        base: usize,
        path: &[Index],
        condition: Option<Value>,
        values: &[Value],
    ) {
        let Some((index, rest)) = path.split_first() else {
            for (at, &value) in values.iter().enumerate() {
                let old = self.env[base + at];
                self.env[base + at] = match condition {
                    Some(condition) => self.b.select(condition, value, old),
                    None => value,
                };
            }
            return;
        };
        for i in 0..index.count.unwrap_or(0) {
            let number = self.b.word(i);
            let hit = self.b.alu(LaneOp::IEq, &[index.value, number]);
            let hit = match condition {
                Some(condition) => self.b.and(condition, hit),
                None => hit,
            };
            if self.b.known_bool(hit) != Some(false) {
                self.store_slots(base + (i * index.words) as usize, rest, Some(hit), values);
            }
        }
    }

    /// `value * factor`.
    pub(super) fn scale(&mut self, value: Value, factor: u32) -> Value {
        if factor.is_power_of_two() {
            let shift = self.b.word(factor.trailing_zeros());
            self.b.alu(LaneOp::Shl, &[value, shift])
        } else {
            let factor = self.b.word(factor);
            self.b.alu(LaneOp::IMul, &[value, factor])
        }
    }

    /// Sum of a place's offsets, replaced by `instead` where an index is out of bounds.
    fn address(&mut self, place: &Pointer, unit: Unit, instead: u32) -> Address {
        let mut offset = self.b.word(0);
        let mut inside: Option<Value> = None;
        let start = unit.of(place.words, place.bytes);
        for index in &place.path {
            let step = unit.of(index.words, index.bytes);
            let part = self.scale(index.value, step);
            offset = self.b.alu(LaneOp::IAdd, &[offset, part]);
            // Without a count the buffer's size is the bound; the offset must only not wrap around.
            let bound = index.count.unwrap_or((OUTSIDE - start) / step.max(1));
            let bound = self.b.word(bound);
            let below = self.b.alu(LaneOp::ULt, &[index.value, bound]);
            inside = Some(match inside {
                Some(inside) => self.b.and(inside, below),
                None => below,
            });
        }
        let start = self.b.word(start);
        offset = self.b.alu(LaneOp::IAdd, &[offset, start]);
        if let Some(inside) = inside {
            let instead = self.b.word(instead);
            offset = self.b.select(inside, offset, instead);
        }
        Address { offset, inside }
    }

    pub(super) fn plus(&mut self, offset: Value, more: u32) -> Value {
        let more = self.b.word(more);
        self.b.alu(LaneOp::IAdd, &[offset, more])
    }

    fn load_local(&mut self, local: u32, place: &Pointer) -> Vec<Value> {
        let address = self.address(place, Unit::Words, 0);
        let kinds = kinds(&place.ty);
        let mut values = Vec::with_capacity(kinds.len());
        for (at, kind) in kinds.into_iter().enumerate() {
            let index = self.plus(address.offset, at as u32);
            let mut value = self.b.single(Op::LoadLocal(local), vec![index], Type::Word);
            if let Some(inside) = address.inside {
                let zero = self.b.word(0);
                value = self.b.select(inside, value, zero);
            }
            values.push(self.of_kind(kind, value));
        }
        values
    }

    /// A word as a leaf of a kind: a bool is whether it is not zero.
    fn of_kind(&mut self, kind: Kind, word: Value) -> Value {
        if kind != Kind::Bool {
            return word;
        }
        let zero = self.b.word(0);
        self.b.alu(LaneOp::INe, &[word, zero])
    }

    fn load_shared(&mut self, place: &Pointer) -> Vec<Value> {
        let address = self.address(place, Unit::Packed, OUTSIDE);
        let mut values = Vec::new();
        for (part, kinds) in (0..).zip(kinds(&place.ty).chunks(RUN_WORDS)) {
            let offset = self.plus(address.offset, 4 * RUN_WORDS as u32 * part);
            let types = vec![Type::Word; kinds.len()];
            let words = self.b.inst(Op::LoadShared, vec![offset], &types);
            for (&kind, word) in kinds.iter().zip(words) {
                values.push(self.of_kind(kind, word));
            }
        }
        values
    }

    fn store_shared(&mut self, place: &Pointer, values: &[Value]) {
        let address = self.address(place, Unit::Packed, OUTSIDE);
        for (part, values) in (0..).zip(values.chunks(RUN_WORDS)) {
            let mut args = vec![self.plus(address.offset, 4 * RUN_WORDS as u32 * part)];
            for &value in values {
                args.push(self.as_word(value));
            }
            self.b.effect(Op::StoreShared, args);
        }
    }

    fn store_local(&mut self, local: u32, place: &Pointer, values: &[Value]) {
        let spare = self.b.function().locals[local as usize].words - 1;
        let address = self.address(place, Unit::Words, spare);
        for (at, &value) in values.iter().enumerate() {
            let value = self.as_word(value);
            let mut index = self.plus(address.offset, at as u32);
            if let (Some(inside), true) = (address.inside, at > 0) {
                let spare = self.b.word(spare);
                index = self.b.select(inside, index, spare);
            }
            self.b.effect(Op::StoreLocal(local), vec![index, value]);
        }
    }

    /// A bool as 0 or 1; a word as it is.
    pub(crate) fn as_word(&mut self, value: Value) -> Value {
        if self.b.ty(value) == Type::Word {
            return value;
        }
        let (one, zero) = (self.b.word(1), self.b.word(0));
        self.b.select(value, one, zero)
    }

    fn load_bytes(&mut self, op: Op, place: &Pointer) -> Vec<Value> {
        let address = self.address(place, Unit::Bytes, OUTSIDE);
        let mut values = Vec::new();
        for run in runs(&place.ty) {
            let offset = self.plus(address.offset, run.start);
            if let Some(narrow) = run.narrow {
                let (offset, shift) = self.part_of_word(offset);
                let word = self.b.single(op.clone(), vec![offset], Type::Word);
                let part = self.b.alu(LaneOp::Shr, &[word, shift]);
                values.push(self.widen(narrow, part));
                continue;
            }
            let types = vec![Type::Word; run.words];
            values.extend(self.b.inst(op.clone(), vec![offset], &types));
        }
        values
    }

    fn store_bytes(&mut self, access: Access, place: &Pointer, values: &[Value]) {
        let address = self.address(place, Unit::Bytes, OUTSIDE);
        let mut rest = values;
        for run in runs(&place.ty) {
            let (now, later) = rest.split_at(run.words);
            rest = later;
            let offset = self.plus(address.offset, run.start);
            if let Some(narrow) = run.narrow {
                self.store_narrow(access, narrow, offset, now[0]);
                continue;
            }
            let mut args = vec![offset];
            args.extend(now);
            self.b.effect(Op::StoreBuffer(access), args);
        }
    }

    /// The word that holds the byte at an offset, and how far to the left it is there.
    fn part_of_word(&mut self, offset: Value) -> (Value, Value) {
        let [all, low, three] = [!3, 3, 3].map(|word| self.b.word(word));
        let word = self.b.alu(LaneOp::And, &[offset, all]);
        let byte = self.b.alu(LaneOp::And, &[offset, low]);
        (word, self.b.alu(LaneOp::Shl, &[byte, three]))
    }

    /// Stores a part of a word. Other invocations may store the other parts meanwhile, so both steps are atomic: what no
    /// other touches is cleared, then set.
    fn store_narrow(&mut self, access: Access, narrow: Narrow, offset: Value, value: Value) {
        let (offset, shift) = self.part_of_word(offset);
        let mask = self.b.word(u32::MAX >> (32 - 8 * narrow.bytes()));
        let mask = self.b.alu(LaneOp::Shl, &[mask, shift]);
        let others = self.b.alu(LaneOp::Not, &[mask]);
        let bits = self.raw(narrow, value);
        let bits = self.b.alu(LaneOp::Shl, &[bits, shift]);
        for (op, word) in [(AtomicOp::And, others), (AtomicOp::Or, bits)] {
            let op = Op::AtomicBuffer(access, op);
            self.b.single(op, vec![offset, word], Type::Word);
        }
    }

    /// The word that a narrow number is, from its bits and any above them.
    pub(crate) fn widen(&mut self, narrow: Narrow, bits: Value) -> Value {
        let above = self.b.word(32 - 8 * narrow.bytes());
        let mask = self.b.word(u32::MAX >> (32 - 8 * narrow.bytes()));
        match narrow {
            Narrow::I8 | Narrow::I16 => {
                let left = self.b.alu(LaneOp::Shl, &[bits, above]);
                self.b.alu(LaneOp::Sar, &[left, above])
            }
            Narrow::U8 | Narrow::U16 => self.b.alu(LaneOp::And, &[bits, mask]),
            Narrow::F16 => {
                let half = self.b.alu(LaneOp::And, &[bits, mask]);
                self.b.alu(LaneOp::F16ToF32, &[half])
            }
        }
    }

    /// The bits of a narrow number, with zeros above.
    pub(crate) fn raw(&mut self, narrow: Narrow, word: Value) -> Value {
        let mask = self.b.word(u32::MAX >> (32 - 8 * narrow.bytes()));
        match narrow {
            Narrow::F16 => self.b.alu(LaneOp::F32ToF16, &[word]),
            _ => self.b.alu(LaneOp::And, &[word, mask]),
        }
    }

    /// An atomic operation on a variable: its operands are the value, and the comparator where there is one. Gives the
    /// old value.
    pub(crate) fn atomic(
        &mut self,
        place: &Pointer,
        op: AtomicOp,
        operands: impl IntoIterator<Item = Value>,
    ) -> Result<Value> {
        let (op, unit) = match place.root {
            Root::Buffer(access) => (Op::AtomicBuffer(access, op), Unit::Bytes),
            Root::Shared => (Op::AtomicShared(op), Unit::Packed),
            _ => return self.refuse("an atomic operation outside storage buffers and workgroups"),
        };
        let mut args = vec![self.address(place, unit, OUTSIDE).offset];
        args.extend(operands);
        Ok(self.b.single(op, args, Type::Word))
    }

    /// The value of an atomic variable, by an operation that leaves it as it is.
    pub(crate) fn load_atomic(&mut self, place: &Pointer) -> Result<Value> {
        let zero = self.b.word(0);
        self.atomic(place, AtomicOp::Or, [zero])
    }

    /// Number of elements of a run-time array.
    pub(crate) fn array_length(&mut self, place: &Pointer) -> Result<Value> {
        let (Root::Buffer(access), Ty::Array { stride, .. }) = (place.root, &*place.ty) else {
            return self.refuse("the length of an array outside a storage buffer");
        };
        let bytes = self
            .b
            .single(Op::BufferBytes(access), Vec::new(), Type::Word);
        let start = self.b.word(place.bytes);
        let room = self.b.alu(LaneOp::ISub, &[bytes, start]);
        let stride = self.b.word(*stride);
        let length = self.b.alu(LaneOp::UDiv, &[room, stride]);
        let zero = self.b.word(0);
        let empty = self.b.alu(LaneOp::ULt, &[bytes, start]);
        Ok(self.b.select(empty, zero, length))
    }

    /// A part of a value by a run-time index.
    pub(crate) fn index_value(
        &mut self,
        ty: &Rc<Ty>,
        values: &Rc<[Value]>,
        index: Value,
    ) -> Result<Rc<[Value]>> {
        let mark = self.env.len();
        let place = if values.len() > SELECTED_WORDS as usize {
            let local = self.table(values)?;
            Pointer::new(Root::Local(local), ty.clone())
        } else {
            let first = self.slots(Slot::Variable, values);
            Pointer::new(Root::Slots(first), ty.clone())
        };
        let Some(part) = place.index(index) else {
            return self.refuse("an index into this type");
        };
        let result = self.load(&part)?;
        self.env.truncate(mark);
        Ok(result)
    }

    /// A private array that holds these values; constant ones are written once, where they are first used.
    fn table(&mut self, values: &Rc<[Value]>) -> Result<u32> {
        self.check_size()?;
        let constant = values.iter().all(|value| self.b.known(*value).is_some());
        if constant && let Some(&local) = self.tables.get(values) {
            return Ok(local);
        }
        let local = self.array("table", values.len() as u32);
        let mut stores = Vec::with_capacity(values.len());
        for (at, &value) in values.iter().enumerate() {
            let at = self.b.word(at as u32);
            stores.push(vec![at, self.as_word(value)]);
        }
        if constant {
            self.tables.insert(values.clone(), local);
            stores
                .into_iter()
                .for_each(|args| self.b.at_entry(Op::StoreLocal(local), args));
        } else {
            stores
                .into_iter()
                .for_each(|args| self.b.effect(Op::StoreLocal(local), args));
        }
        Ok(local)
    }
}

/// Kinds of the leaves of a type.
fn kinds(ty: &Ty) -> Vec<Kind> {
    let mut kinds = Vec::new();
    ty.leaves(0, &mut |kind, _| kinds.push(kind));
    kinds
}

/// Leaves that follow each other without a gap.
struct Run {
    start: u32,
    words: usize,
    /// One narrow leaf.
    narrow: Option<Narrow>,
}

fn runs(ty: &Ty) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    ty.walk(0, &mut |leaf, at| {
        let narrow = match leaf {
            Leaf::Narrow(narrow) => Some(narrow),
            Leaf::Kind(_) => None,
        };
        match runs.last_mut() {
            Some(run)
                if run.words < RUN_WORDS
                    && run.start + 4 * run.words as u32 == at
                    && (run.narrow, narrow) == (None, None) =>
            {
                run.words += 1;
            }
            _ => runs.push(Run {
                start: at,
                words: 1,
                narrow,
            }),
        }
    });
    runs
}
