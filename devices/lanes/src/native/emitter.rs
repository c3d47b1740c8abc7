//! Machine code of straight steps: a loop over the vectors that a row is, of sixteen or eight lanes. Rows stay in vector
//! registers from step to step; a row is stored when it was written and is read later.
//!
//! Which NaN arithmetic gives is settled late: a register may hold any NaN where the row has arithmetic's one, until it
//! is stored or an operation looks at its bits.

use super::assembler::*;
use super::block::{Future, Parts, Use, uses, written_masks};
use super::recipe::{How, Nan, PRODUCT, Recipe, T, comparison, recipe};
use crate::analysis::live::RegisterSet;
use crate::op::{LaneOp, WideOp};
use crate::step::{Src, Step};

/// Lanes that are enabled, where not all are.
pub(super) const EXEC: K = 1;

/// Masks that hold parts of scalar pairs; one for NaN that is settled, at any time within an operation; two for what lives
/// within an operation.
const PAIRS: [K; 3] = [2, 3, 4];
const SETTLED: K = 5;
const TEMPORARY: K = 6;
const OTHER: K = 7;

/// Arithmetic's NaN.
pub(super) const NAN: u32 = 0x7fc0_0000;

/// What a vector register holds.
#[derive(Clone, Copy)]
struct Held {
    what: Src,
    future: Future,
    /// The row in memory is older.
    newer: bool,
    /// Any NaN stands for arithmetic's.
    any_nan: bool,
    /// Written by the step at hand.
    fresh: bool,
}

/// An operand: of the step, or where it lies.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    Src(Src),
    Place(Place),
}

impl From<Src> for Operand {
    fn from(src: Src) -> Operand {
        Operand::Src(src)
    }
}

impl From<Place> for Operand {
    fn from(place: Place) -> Operand {
        Operand::Place(place)
    }
}

/// Writes the function of steps. `live` are the rows that are read behind them, `whole` masks that they write and that are
/// read whole; `all`: in all lanes.
pub(super) fn function(
    asm: &mut Assembler,
    steps: &[Step],
    live: &RegisterSet,
    whole: &[u16],
    all: bool,
) {
    let skips = !all && written_masks(steps).is_empty();
    let saved = Parts::saved(steps);
    let start = asm.begin((!all).then_some(EXEC), skips, &saved);
    let mut emitter = Emitter {
        asm,
        now: Use::default(),
        held: [None; HELD],
        pairs: [None; PAIRS.len()],
        oldest: 0,
        all,
        busy: None,
        saved,
    };
    for (step, now) in steps.iter().zip(uses(steps, live)) {
        emitter.now = now;
        emitter.step(step);
        for held in emitter.held.iter_mut().flatten() {
            if let Some(future) = now.of(held.what)
                && !matches!(held.what, Src::Row(_) if held.fresh)
            {
                held.future = future;
            }
            held.fresh = false;
        }
    }
    emitter.now = Use::default();
    for register in 0..emitter.asm.width().held() {
        emitter.store(register);
    }
    asm.end(start, whole);
}

/// Writes the code of one vector of lanes, step by step.
pub(super) struct Emitter<'a> {
    asm: &'a mut Assembler,
    /// Of the step that is written.
    now: Use,
    held: [Option<Held>; HELD],
    /// Scalar pairs that mask registers hold.
    pairs: [Option<u16>; PAIRS.len()],
    /// The next of them to give up.
    oldest: usize,
    /// All lanes are enabled.
    all: bool,
    /// The destination of this step.
    busy: Option<usize>,
    /// Numbers that were read before the first chunk.
    saved: Vec<u16>,
}

impl Emitter<'_> {
    /// An instruction.
    pub(super) fn vector(
        &mut self,
        what: Instruction,
        lanes: Lanes,
        registers: (u8, u8),
        last: Place,
        immediate: Option<u8>,
    ) {
        self.asm.vector(what, lanes, registers, last, immediate);
    }

    /// An instruction of one operand.
    pub(super) fn one(
        &mut self,
        what: Instruction,
        out: Zmm,
        a: impl Into<Operand>,
        immediate: Option<u8>,
    ) {
        let a = self.place(a);
        match (what, a) {
            // One word, in all lanes.
            (LOAD, Place::Scalar(_) | Place::Saved(_) | Place::Const(_)) => {
                self.vector(BROADCAST, ALL, (out, 0), a, None);
            }
            _ => self.vector(what, ALL, (out, 0), a, immediate),
        }
    }

    /// An instruction of two operands.
    pub(super) fn two(
        &mut self,
        what: Instruction,
        out: Zmm,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
    ) {
        let (a, b) = (self.reg(a), self.place(b));
        self.vector(what, ALL, (out, a), b, None);
    }

    /// An instruction of an operand and a constant.
    pub(super) fn with(&mut self, what: Instruction, out: Zmm, a: impl Into<Operand>, value: u32) {
        let a = self.reg(a);
        self.vector(what, ALL, (out, a), Place::Const(value), None);
    }

    /// An instruction with a constant of double precision.
    pub(super) fn double(&mut self, what: Instruction, registers: (u8, u8), value: f64) {
        self.asm.double(what, registers, value);
    }

    /// Denormals become zero.
    pub(super) fn flush(&mut self, out: Zmm) {
        if self.asm.width() == Width::Eight {
            return self.asm.flush_narrow(out);
        }
        let exponent = Place::Const(0x7f80_0000);
        self.vector(TEST_NONE, ALL, (TEMPORARY, out), exponent, None);
        let sign = Place::Const(1 << 31);
        self.vector(AND, only(TEMPORARY), (out, out), sign, None);
    }

    /// Where an operand lies: in a register if it is in one or is read again, else in memory.
    pub(super) fn place(&mut self, operand: impl Into<Operand>) -> Place {
        match operand.into() {
            Operand::Place(place) => place,
            Operand::Src(src) => match (self.holder(src), src) {
                (Some(register), _) => Place::Zmm(register as u8),
                (None, Src::Row(row)) if self.is_last(src) => Place::Row(row),
                (None, Src::Row(_)) => Place::Zmm(self.load(src)),
                (None, Src::Scalar(at)) => self.number(at),
                (None, Src::Const(value)) => Place::Const(value),
            },
        }
    }

    /// An operand in a register.
    pub(super) fn reg(&mut self, operand: impl Into<Operand>) -> Zmm {
        match operand.into() {
            Operand::Place(Place::Zmm(register)) => register,
            Operand::Place(Place::Row(row)) => self.load(Src::Row(row)),
            Operand::Place(Place::Scalar(at)) => self.load(Src::Scalar(at)),
            Operand::Place(Place::Saved(n)) => self.load(Src::Scalar(self.saved[usize::from(n)])),
            Operand::Place(Place::Const(value)) => self.load(Src::Const(value)),
            Operand::Src(src) => match self.holder(src) {
                Some(register) => register as u8,
                None => self.load(src),
            },
        }
    }

    /// Where a number lies.
    fn number(&self, at: u16) -> Place {
        match self.saved.iter().position(|saved| *saved == at) {
            Some(n) => Place::Saved(n as u16),
            None => Place::Scalar(at),
        }
    }

    fn holder(&self, src: Src) -> Option<usize> {
        let holds = |held: &Option<Held>| held.is_some_and(|held| held.what == src);
        self.held.iter().position(holds)
    }

    fn load(&mut self, src: Src) -> Zmm {
        let register = self.free();
        let out = register as u8;
        match src {
            Src::Row(row) => self.vector(LOAD, ALL, (out, 0), Place::Row(row), None),
            Src::Scalar(at) => {
                let number = self.number(at);
                self.vector(BROADCAST, ALL, (out, 0), number, None);
            }
            Src::Const(value) => self.vector(BROADCAST, ALL, (out, 0), Place::Const(value), None),
        }
        self.held[register] = Some(Held {
            what: src,
            future: self.now.of(src).unwrap_or_default(),
            newer: false,
            any_nan: false,
            fresh: false,
        });
        out
    }

    /// Whether no later step reads an operand of this one.
    fn is_last(&self, src: Src) -> bool {
        self.now.of(src).is_some_and(|future| future.read.is_none())
    }

    /// A register for something else; operands of this step stay.
    fn free(&mut self) -> usize {
        let mut best = (0, 0);
        let held = 0..self.asm.width().held();
        for register in held.filter(|register| self.busy != Some(*register)) {
            let Some(held) = self.held[register] else {
                return register;
            };
            if self.now.of(held.what).is_some() {
                continue;
            }
            let distance = match held.future.read {
                Some(at) => 1 + at,
                // Storing it now costs no more than later.
                None if held.newer && held.future.live => usize::MAX - 1,
                None => usize::MAX,
            };
            if distance > best.0 {
                best = (distance, register);
            }
        }
        let (_, register) = best;
        self.store(register);
        self.held[register] = None;
        register
    }

    /// Writes a row to memory if its value is newer and read later.
    fn store(&mut self, register: usize) {
        let Some(Held {
            what: Src::Row(row),
            newer: true,
            future: Future { live: true, .. },
            ..
        }) = self.held[register]
        else {
            return;
        };
        self.settle(register);
        let lanes = if self.all { ALL } else { only(EXEC) };
        self.vector(STORE, lanes, (register as u8, 0), Place::Row(row), None);
        if let Some(held) = &mut self.held[register] {
            held.newer = false;
        }
    }

    /// Makes any NaN arithmetic's.
    fn settle(&mut self, register: usize) {
        let Some(held) = &mut self.held[register] else {
            return;
        };
        if std::mem::take(&mut held.any_nan) {
            let at = register as u8;
            if self.asm.width() == Width::Eight {
                return self.asm.settle_narrow(at, NAN);
            }
            self.vector(COMPARE_F, ALL, (SETTLED, at), Place::Zmm(at), Some(3));
            self.vector(BROADCAST, only(SETTLED), (at, 0), Place::Const(NAN), None);
        }
    }

    /// Makes an operand's NaN arithmetic's.
    fn settle_operand(&mut self, src: Src) {
        if let Some(register) = self.holder(src) {
            self.settle(register);
        }
    }

    /// A register for the row that a step writes. Operands of the step keep theirs until [`Emitter::define`].
    fn destination(&mut self) -> Zmm {
        let register = self.free();
        self.busy = Some(register);
        register as u8
    }

    /// The destination has the new value of a row.
    fn define(&mut self, row: u16, any_nan: bool) {
        for held in &mut self.held {
            if held.is_some_and(|held| held.what == Src::Row(row)) {
                *held = None;
            }
        }
        if let Some(register) = self.busy.take() {
            self.held[register] = Some(Held {
                what: Src::Row(row),
                future: self.now.result,
                newer: true,
                any_nan,
                fresh: true,
            });
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Alu { op, dst, src } => {
                let Some(recipe) = recipe(op, src) else {
                    return;
                };
                if self.now.result.live {
                    self.alu(recipe, op, dst, src);
                }
            }
            Step::Compare { op, dst, src } => {
                let Some((what, predicate)) = comparison(op) else {
                    return;
                };
                if what != COMPARE_F {
                    src.into_iter().for_each(|src| self.settle_operand(src));
                }
                let k = self.pair(dst);
                let (a, b) = (self.reg(src[0]), self.place(src[1]));
                let lanes = if self.all { ALL } else { only(EXEC) };
                self.vector(what, lanes, (k, a), b, Some(predicate));
                self.asm.store_mask(k, dst);
            }
            Step::Select { dst, mask, no, yes } => {
                if !self.now.result.live {
                    return;
                }
                let any = |e: &Self, src| {
                    e.holder(src)
                        .is_some_and(|at| e.held[at].is_some_and(|held| held.any_nan))
                };
                // Beside a NaN that keeps its bits another one is settled.
                let loose = [no, yes].map(|src| any(self, src));
                if loose != [true; 2] {
                    [no, yes]
                        .into_iter()
                        .for_each(|src| self.settle_operand(src));
                }
                let k = self.mask(mask);
                let out = self.destination();
                let (no, yes) = (self.reg(no), self.place(yes));
                self.vector(BLEND, only(k), (out, no), yes, None);
                self.define(dst, loose == [true; 2]);
            }
            Step::Swizzle { dst, src, pattern } => {
                let Some((pattern, zeroes)) = pattern.in_quad() else {
                    return;
                };
                if !self.now.result.live {
                    return;
                }
                let from = Src::Row(src);
                // Lanes that are not enabled give what memory has, or zero.
                if !self.all
                    && !zeroes
                    && let Some(register) = self.holder(from)
                    && self.held[register].is_some_and(|held| held.newer)
                {
                    self.settle(register);
                    self.vector(
                        STORE,
                        only(EXEC),
                        (register as u8, 0),
                        Place::Row(src),
                        None,
                    );
                    self.held[register] = None;
                    self.load(from);
                }
                let any = self.holder(from).and_then(|at| self.held[at]);
                let out = self.destination();
                let lanes = pattern
                    .iter()
                    .rev()
                    .fold(0, |all, lane| all << 2 | lane & 3);
                if zeroes && !self.all {
                    let (enabled, from) = (T[0], self.place(from));
                    self.vector(LOAD, zeroing(EXEC), (enabled, 0), from, None);
                    self.one(SHUFFLE, out, Place::Zmm(enabled), Some(lanes));
                } else {
                    self.one(SHUFFLE, out, from, Some(lanes));
                }
                self.define(dst, any.is_some_and(|held| held.any_nan));
            }
            Step::UniformWide { op, dst, src } => self.on_masks(op, dst, src),
            _ => {}
        }
    }

    fn alu(&mut self, recipe: Recipe, op: LaneOp, dst: u16, src: [Src; 3]) {
        for (n, src) in src.iter().enumerate() {
            if recipe.exact >> n & 1 == 1 {
                self.settle_operand(*src);
            }
        }
        let passed = match recipe.nan {
            Nan::Of(n) => self
                .holder(src[usize::from(n)])
                .and_then(|at| self.held[at]),
            _ => None,
        };
        let out = self.destination();
        let [a, b, c] = src;
        match recipe.how {
            How::Move => self.one(LOAD, out, a, None),
            How::One(what, immediate) => self.one(what, out, a, immediate),
            How::Two(what, commutes) => {
                // A value that lies in a register, or a row, comes first.
                let first = |e: &Self, src| {
                    u8::from(e.holder(src).is_some()) * 2 + u8::from(matches!(src, Src::Row(_)))
                };
                match commutes && first(self, b) > first(self, a) {
                    true => self.two(what, out, b, a),
                    false => self.two(what, out, a, b),
                }
            }
            How::With(what, value) => self.with(what, out, a, value),
            How::Product(last, third_first) => {
                let product = PRODUCT;
                match matches!(a, Src::Row(_)) {
                    true => self.two(MUL_F, product, a, b),
                    false => self.two(MUL_F, product, b, a),
                }
                match third_first {
                    true => self.two(last, out, c, Place::Zmm(product)),
                    false => self.two(last, out, Place::Zmm(product), c),
                }
            }
            How::Compared => {
                if let Some((what, predicate)) = comparison(op) {
                    let (a, b) = (self.reg(a), self.place(b));
                    self.vector(what, ALL, (OTHER, a), b, Some(predicate));
                    self.vector(BROADCAST, zeroing(OTHER), (out, 0), Place::Const(1), None);
                }
            }
            How::Many(write) => write(self, src, out),
        }
        if recipe.flush {
            self.flush(out);
        }
        let any = match recipe.nan {
            Nan::Exact => false,
            Nan::Any => true,
            Nan::Of(_) => passed.is_some_and(|held| held.any_nan),
        };
        self.define(dst, any);
    }

    /// A mask register that stands for a scalar pair from here on.
    fn pair(&mut self, at: u16) -> K {
        for pair in &mut self.pairs {
            if pair.is_some_and(|pair| pair.abs_diff(at) < 2) {
                *pair = None;
            }
        }
        let slot = self.oldest;
        self.oldest = (slot + 1) % PAIRS.len();
        self.pairs[slot] = Some(at);
        PAIRS[slot]
    }

    /// The mask register with a scalar pair.
    fn mask(&mut self, at: u16) -> K {
        if let Some(slot) = self.pairs.iter().position(|pair| *pair == Some(at)) {
            // The next one that is loaded is for the same step: it must not take this place.
            if slot == self.oldest {
                self.oldest = (slot + 1) % PAIRS.len();
            }
            return PAIRS[slot];
        }
        let slot = self.oldest;
        self.oldest = (slot + 1) % PAIRS.len();
        self.pairs[slot] = Some(at);
        self.asm.load_mask(PAIRS[slot], at);
        PAIRS[slot]
    }

    fn on_masks(&mut self, op: WideOp, dst: u16, src: [Src; 3]) {
        use WideOp::*;
        let scalar = |n: usize| match src[n] {
            Src::Scalar(at) => at,
            _ => 0,
        };
        // Loads first: two of four stay.
        let a = self.mask(scalar(0));
        let b = if op.params().len() > 1 {
            self.mask(scalar(1))
        } else {
            a
        };
        // Where a source was, if at all: it is read first.
        let out = self.pair(dst);
        match op {
            Mov64 => self.asm.masks(OR, out, a, a),
            Not64 => self.asm.not_mask(out, a),
            And64 => self.asm.masks(AND, out, a, b),
            AndNot64 => self.asm.masks(AND_OF_NOT, out, b, a),
            Or64 => self.asm.masks(OR, out, a, b),
            Xor64 => self.asm.masks(XOR, out, a, b),
            _ => {
                self.asm.not_mask(OTHER, b);
                self.asm.masks(OR, out, a, OTHER);
            }
        }
        self.asm.store_mask(out, dst);
    }
}
