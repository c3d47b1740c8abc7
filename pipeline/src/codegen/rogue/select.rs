//! The state of instruction selection, and values.
//!
//! A bool is a word, all ones or zero. Signs and magnitudes, saturation and comparisons are taken into the operations that
//! read them where those can.

use std::collections::HashMap;

use ::rogue::isa::alu::{Alu, Modifiers, Single};
use ::rogue::isa::phase2::{Feed, Mov};
use ::rogue::isa::{Bank, Register};
use lanes::LaneOp;

use super::TARGET;
use super::constants;
use super::machine::{Body, Code, Dst, Inst, Main, Operand, Phase, Unit, constant, fed, shared};
pub(super) use super::source::{Condition, Source};
use crate::codegen::definitions::Definitions;
use crate::codegen::structure::Structure;
use crate::codegen::{CompileError, Options};
use crate::ir::{Function, Inst as IrInst, Op as IrOp, Origin, Terminator, Value};

/// Instruction selection of one function.
pub(super) struct Select<'a> {
    pub function: &'a Function,
    pub options: &'a Options,
    pub structure: Structure,
    pub code: Code,
    /// Block that instructions are appended to.
    pub at: usize,
    pub places: Vec<Option<Operand>>,
    pub defs: Definitions<'a>,
    /// Every reader takes the value as part of itself.
    absorbed: Vec<bool>,
    /// The saturation that is the only reader.
    clamped: Vec<Option<Value>>,
    pub loops: HashMap<usize, super::loops::LoopBlocks>,
    pub entry: super::entry::Entry,
    pub bindings: super::memory::Bindings,
    /// Constants in shared registers.
    pub pool: constants::Pool,
    /// Registers moved to units in this block.
    moved: HashMap<Operand, Unit>,
    /// Where the code being selected comes from.
    pub origin: Origin,
    pub arrays: Vec<super::arrays::Array>,
    pub spills: super::spill::Spills,
}

impl<'a> Select<'a> {
    pub fn new(
        function: &'a Function,
        options: &'a Options,
        structure: Structure,
    ) -> Result<Select<'a>, CompileError> {
        let values = function.types.len();
        let mut select = Select {
            function,
            options,
            structure,
            code: Code::new(),
            at: 0,
            places: vec![None; values],
            defs: Definitions::new(function),
            absorbed: vec![false; values],
            clamped: vec![None; values],
            loops: HashMap::new(),
            entry: super::entry::Entry::default(),
            bindings: super::memory::Bindings::default(),
            pool: constants::Pool::default(),
            moved: HashMap::new(),
            origin: Origin::default(),
            arrays: Vec::new(),
            spills: super::spill::Spills::default(),
        };
        select.bindings = select.bind()?;
        select.plan();
        Ok(select)
    }

    pub fn unsupported(&self, what: impl Into<String>) -> CompileError {
        CompileError::unsupported(self.function, TARGET, what, self.origin)
    }

    // ---- what readers take along ----

    fn plan(&mut self) {
        let mut uses = vec![0u32; self.places.len()];
        let mut taken = vec![0u32; self.places.len()];
        for block in &self.function.blocks {
            for inst in &block.insts {
                inst.operands().for_each(|v| uses[v.0 as usize] += 1);
                self.plan_inst(inst, &mut taken);
            }
            block.end.operands().for_each(|v| uses[v.0 as usize] += 1);
            if let Terminator::Branch { condition, .. } = block.end {
                self.plan_condition(condition, &mut taken);
            }
        }
        for value in 0..uses.len() {
            let takes = match self.defs.inst(Value(value as u32)).map(|inst| &inst.op) {
                Some(IrOp::Alu(LaneOp::FNeg | LaneOp::FAbs) | IrOp::BoolNot) => true,
                Some(IrOp::Alu(op)) => super::comparisons::test(*op).is_some(),
                _ => false,
            };
            self.absorbed[value] = uses[value] > 0 && takes && taken[value] == uses[value];
        }
        for value in 0..uses.len() {
            let result = Value(value as u32);
            if let Some((LaneOp::FSat, &[from])) = self.defs.alu(result)
                && uses[from.0 as usize] == 1
                && let Some((LaneOp::FAdd | LaneOp::FSub | LaneOp::FMul | LaneOp::FMad, _)) =
                    self.defs.alu(from)
            {
                self.clamped[from.0 as usize] = Some(result);
            }
        }
    }

    fn plan_inst(&self, inst: &IrInst, taken: &mut [u32]) {
        match &inst.op {
            IrOp::Alu(op) if super::alu::takes_signs(*op) => {
                for &arg in &inst.args {
                    self.plan_signs(arg, taken);
                }
            }
            IrOp::Select => self.plan_condition(inst.args[0], taken),
            IrOp::Discard => self.plan_condition(inst.args[0], taken),
            _ => {}
        }
    }

    fn plan_signs(&self, value: Value, taken: &mut [u32]) {
        if let Some((LaneOp::FNeg | LaneOp::FAbs, _)) = self.defs.alu(value) {
            taken[value.0 as usize] += 1;
        }
    }

    /// The condition of a branch or choice is read through negations, and as its comparison.
    fn plan_condition(&self, value: Value, taken: &mut [u32]) {
        let not = matches!(
            self.defs.inst(value).map(|inst| &inst.op),
            Some(IrOp::BoolNot)
        );
        if not || matches!(self.condition(value), (Condition::Compare(..), _)) {
            taken[value.0 as usize] += 1;
        }
    }

    /// A condition without negations around it, and whether it is turned over.
    pub fn condition(&self, mut value: Value) -> (Condition, bool) {
        let mut inverted = false;
        while let Some(IrInst {
            op: IrOp::BoolNot,
            args,
            ..
        }) = self.defs.inst(value)
        {
            value = args[0];
            inverted = !inverted;
        }
        if let Some((op, &[a, b])) = self.defs.alu(value)
            && super::comparisons::test(op).is_some()
        {
            return (Condition::Compare(op, a, b), inverted);
        }
        (Condition::Mask(value), inverted)
    }

    // ---- instructions ----

    pub fn push(&mut self, mut inst: Inst) {
        inst.origin = self.origin;
        self.code.blocks[self.at].insts.push(inst);
    }

    pub fn main(&mut self, main: Main) {
        self.push(Inst::new(Body::Main(main)));
    }

    /// Starts a block.
    pub fn start(&mut self, block: usize) {
        self.at = block;
        self.code.order.push(block);
        self.moved.clear();
    }

    /// One operation of phase 0 whose result goes to a destination.
    pub fn phase_to(&mut self, alu: Alu, mut src: Vec<Operand>, dst: Dst) {
        self.place(&mut src);
        self.main(Main {
            p0: Some(Phase { alu, src }),
            w: [Some(dst), None],
            ..Main::default()
        });
    }

    /// The same into a new unit.
    pub fn phase(&mut self, alu: Alu, src: Vec<Operand>) -> Operand {
        let unit = self.code.unit();
        self.phase_to(alu, src, Dst::Unit(unit));
        Operand::Unit(unit)
    }

    /// Moves sources out of slots where they cannot stand.
    pub fn place(&mut self, src: &mut [Operand]) {
        for (slot, operand) in src.iter_mut().enumerate() {
            if !operand.fits(slot) {
                *operand = Operand::Unit(self.in_unit(*operand));
            }
        }
    }

    /// An operand that fits a slot, itself or moved to a unit.
    pub fn fitting(&mut self, operand: Operand, slot: usize) -> Operand {
        match operand.fits(slot) {
            true => operand,
            false => Operand::Unit(self.in_unit(operand)),
        }
    }

    pub fn move_to(&mut self, to: Unit, from: Operand) {
        self.move_into(Dst::Unit(to), from);
    }

    pub fn move_into(&mut self, dst: Dst, from: Operand) {
        if !from.fits(0) {
            // Only FTE reaches special registers.
            let mov = Mov {
                conditional: false,
                mask: 15,
                w0: Feed::FTE,
                w1: Feed::FT0,
            };
            return self.main(Main {
                mov: Some(mov),
                extra: Some(from),
                w: [Some(dst), None],
                ..Main::default()
            });
        }
        self.phase_to(bypass(Modifiers::default()), vec![from], dst);
    }

    /// An operand in a unit: one that nothing else writes while it is read.
    pub fn in_unit(&mut self, from: Operand) -> Unit {
        if let Operand::Unit(unit) = from
            && unit >= super::machine::FIRST
        {
            return unit;
        }
        let steady = matches!(from, Operand::Register(Register::Plain(bank, _)) if bank != Bank::SPECIAL || from.fits(0));
        if let (true, Some(&unit)) = (steady, self.moved.get(&from)) {
            return unit;
        }
        let unit = self.code.unit();
        self.move_to(unit, from);
        if steady {
            self.moved.insert(from, unit);
        }
        unit
    }

    /// A constant: of the table, or in a shared register.
    pub fn constant(&mut self, bits: u32) -> Operand {
        if let Some(number) = constants::number(bits) {
            return constant(number);
        }
        match self.pool.register(bits) {
            Some(register) => shared(register),
            None => self.immediate(bits),
        }
    }

    // ---- values ----

    /// The unit of a value that several places define: a parameter.
    pub fn param(&mut self, value: Value) -> Unit {
        if let Some(Operand::Unit(unit)) = self.places[value.0 as usize] {
            return unit;
        }
        let unit = self.code.unit();
        self.places[value.0 as usize] = Some(Operand::Unit(unit));
        unit
    }

    pub fn define(&mut self, value: Value, operand: Operand) {
        self.places[value.0 as usize] = Some(operand);
    }

    /// Whether anything reads the value itself.
    pub fn is_used(&self, value: Value) -> bool {
        self.structure.uses[value.0 as usize] > 0
    }

    pub fn is_absorbed(&self, value: Value) -> bool {
        self.absorbed[value.0 as usize]
    }

    pub fn clamped(&self, value: Value) -> Option<Value> {
        self.clamped[value.0 as usize]
    }

    /// The word of a value.
    pub fn word(&mut self, value: Value) -> Operand {
        if let Some(bits) = self.defs.constant(value) {
            return self.constant(bits);
        }
        match self.places[value.0 as usize] {
            Some(operand) => operand,
            None => {
                debug_assert!(false, "{value:?} is read before it is there");
                super::machine::ZERO
            }
        }
    }

    /// A float operand with the sign changes that lead to it.
    pub fn source(&mut self, value: Value) -> Source {
        let (mut at, mut neg, mut abs) = (value, false, false);
        loop {
            match self.defs.alu(at) {
                Some((LaneOp::FNeg, args)) => {
                    neg ^= !abs;
                    at = args[0];
                }
                Some((LaneOp::FAbs, args)) => {
                    abs = true;
                    at = args[0];
                }
                _ => break,
            }
        }
        if let Some(bits) = self.defs.constant(at) {
            let magnitude = if abs { bits & !(1 << 31) } else { bits };
            let whole = if neg { magnitude ^ 1 << 31 } else { magnitude };
            // A table constant of the other sign is as good.
            if constants::number(whole).is_none() && constants::number(whole ^ 1 << 31).is_some() {
                return Source {
                    operand: self.constant(whole ^ 1 << 31),
                    neg: true,
                    abs: false,
                };
            }
            return Source::plain(self.constant(whole));
        }
        let operand = self.word(at);
        Source { operand, neg, abs }
    }

    /// A group that leaves FTE in W0, for backend operations.
    pub fn through(extra: Operand) -> Main {
        Main {
            selectors: fed(Feed::FTE),
            extra: Some(extra),
            ..Main::default()
        }
    }
}

/// MBYP.
pub(super) const fn bypass(mods: Modifiers) -> Alu {
    Alu::Single {
        op: Single::MBYP,
        mods,
    }
}
