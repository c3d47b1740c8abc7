//! The lifter: every instruction with every content of the stacks that it can be reached with.

use std::collections::{BTreeMap, HashMap, HashSet};

use lanes::{Builder, Label, Origin, Step, When, WideOp};

use super::super::codes::PredSelect;
use super::super::inst::{Body, Fc, Inst, Predicate, Source};
use super::super::ops::{FcSem, LoopKind};
use super::clean::clean_channels;
use super::operands::Cache;
use super::tex::{joins, reads_result};
use super::{
    ACTIVE, BRANCH, CONSTANTS, Constant, DONE, Layout, LiftError, Lifted, MAX_INSTRUCTIONS,
    MAX_STATES, PREDICATES, Port, RESULT, SAVED, SQUARE, START, Setup, TEMP,
};
use crate::isa::arithmetic::{clear, copy, wide};

/// An instruction with what the stacks hold there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) pc: u16,
    pub(super) loops: Vec<LoopKind>,
    pub(super) calls: Vec<u16>,
}

/// A program being lifted.
pub(super) struct Lifter<'a> {
    code: &'a [[u32; 6]],
    pub(super) setup: &'a Setup,
    pub(super) b: Builder,
    pub(super) layout: Layout,
    pub(super) constants: BTreeMap<Constant, u16>,
    /// First scalar of all constants, where one is read with an index.
    pub(super) file: Option<u16>,
    /// Scalars taken so far.
    scalars: u16,
    /// Channels of temporaries without denormals.
    pub(super) clean: Vec<bool>,
    pub(super) ports: Vec<Port>,
    /// Row of the branch counters.
    pub(super) counter: u16,
    /// Some pixels may not be active.
    pub(super) divergent: bool,
    /// Some pixels may be done before the others.
    ends_early: bool,
    /// Predicates or ALU results are written or read.
    tests: bool,
    written: [u8; 4],
    kills: bool,
    pub(super) pc: u16,
    /// Scalar of the loop variable.
    pub(super) loop_variable: Option<u16>,
    /// What the instruction has read.
    pub(super) cache: Cache,
    pub(super) scratch: u16,
    scratch_begin: u16,
    scratch_end: u16,
    labels: HashMap<State, Label>,
    waiting: Vec<State>,
    done: HashSet<State>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(code: &'a [[u32; 6]], setup: &'a Setup) -> Result<Self, LiftError> {
        let insts = reachable(code, setup)?;
        let mut layout = Layout {
            temps: 0..4 * setup.temps,
            ..Layout::default()
        };
        let mut next = layout.temps.end;
        let mut rows = |count: u16| {
            next += count;
            next - count
        };
        let (mut written, mut kills) = ([0; 4], false);
        let (mut divergent, mut ends_early) = (false, false);
        for (pc, inst) in &insts {
            ends_early |= inst.last && *pc != setup.end;
            divergent |= ends_early;
            match &inst.body {
                Body::Alu(alu) if alu.out => {
                    written[usize::from(alu.rgb.target & 3)] |= alu.rgb.omask;
                    written[usize::from(alu.alpha.target & 3)] |= alu.alpha.omask << 3;
                    if alu.depth && layout.depth.is_none() {
                        layout.depth = Some(rows(1));
                    }
                }
                Body::Alu(alu) if alu.depth && layout.depth.is_none() => {
                    layout.depth = Some(rows(1));
                }
                Body::Alu(_) => {}
                Body::Tex(tex) => kills |= super::tex::stops(tex, setup),
                Body::Fc(_) => divergent = true,
            }
        }
        for (target, mask) in layout.targets.iter_mut().zip(written) {
            *target = (mask != 0).then(|| rows(4));
        }
        let counter = rows(1);
        let tests = insts.values().any(tests);
        let scratch = next;
        let file = reads_with_index(&insts).then_some(CONSTANTS);
        Ok(Lifter {
            clean: clean_channels(&insts, setup),
            code,
            setup,
            b: Builder::new(ACTIVE),
            layout,
            constants: BTreeMap::new(),
            file,
            scalars: CONSTANTS + if file.is_some() { 1024 } else { 0 },
            ports: Vec::new(),
            counter,
            divergent,
            ends_early,
            tests,
            written,
            kills,
            pc: 0,
            loop_variable: None,
            cache: Cache::default(),
            scratch,
            scratch_begin: scratch,
            scratch_end: scratch,
            labels: HashMap::new(),
            waiting: Vec::new(),
            done: HashSet::new(),
        })
    }

    pub(super) fn run(mut self) -> Result<Lifted, LiftError> {
        // Without flow control no pixel is ever disabled, and nothing reads the ALU result.
        if self.divergent {
            copy(&mut self.b, START, ACTIVE);
            copy(&mut self.b, BRANCH, ACTIVE);
            clear(&mut self.b, DONE);
        }
        if self.divergent || self.tests {
            clear(&mut self.b, RESULT);
            for channel in 0..4 {
                clear(&mut self.b, PREDICATES + 2 * channel);
            }
        }
        self.waiting.push(State {
            pc: self.setup.start % MAX_INSTRUCTIONS,
            loops: Vec::new(),
            calls: Vec::new(),
        });
        while let Some(state) = self.waiting.pop() {
            let mut next = (!self.done.contains(&state)).then_some(state);
            while let Some(state) = next.take() {
                if self.done.contains(&state) {
                    let label = self.label(&state);
                    self.b.branch(When::Always, label);
                    break;
                }
                if self.done.len() >= MAX_STATES {
                    return Err(LiftError::TooLarge { limit: MAX_STATES });
                }
                self.done.insert(state.clone());
                let label = self.label(&state);
                self.b.place(label);
                next = self.state(&state)?;
            }
        }
        let file = self.file.into_iter().flat_map(whole_file);
        let mut program = self.b.finish(self.scratch_end, self.scalars);
        program.merge_ticks();
        program.temporaries = self.scratch_end - self.counter;
        Ok(Lifted {
            program,
            ports: self.ports,
            constants: file.chain(self.constants).collect(),
            layout: self.layout,
            written: self.written,
            kills: self.kills,
        })
    }

    fn label(&mut self, state: &State) -> Label {
        if let Some(label) = self.labels.get(state) {
            return *label;
        }
        let label = self.b.label();
        self.labels.insert(state.clone(), label);
        label
    }

    /// A label of a state that will be lifted if it is not yet.
    pub(super) fn later(&mut self, state: State) -> Label {
        let label = self.label(&state);
        self.waiting.push(state);
        label
    }

    /// A row for a value within this instruction.
    pub(super) fn row(&mut self) -> u16 {
        self.rows(1)
    }

    /// Some rows in order.
    pub(super) fn rows(&mut self, count: u16) -> u16 {
        let row = self.scratch;
        self.scratch += count;
        self.scratch_end = self.scratch_end.max(self.scratch);
        row
    }

    /// Appends an instruction; gives the state after it unless control always goes elsewhere.
    fn state(&mut self, state: &State) -> Result<Option<State>, LiftError> {
        let pc = state.pc;
        let inst = decode(self.code, pc)?;
        self.begin(pc, &inst);
        self.scratch = self.scratch_begin;
        self.cache = Cache::default();
        let variable = state.loops.iter().rposition(|kind| *kind == LoopKind::Loop);
        self.loop_variable = variable.map(|depth| Self::frame(depth) + 1);
        let wide_writes = inst.write_inactive && self.divergent;
        if wide_writes {
            copy(&mut self.b, SAVED, ACTIVE);
            wide(&mut self.b, WideOp::AndNot64, ACTIVE, START, DONE);
        }
        if inst.last && pc != self.setup.end && matches!(inst.body, Body::Fc(_)) {
            wide(&mut self.b, WideOp::Or64, DONE, DONE, ACTIVE);
            clear(&mut self.b, ACTIVE);
        }
        let next = State {
            pc: next(pc),
            ..state.clone()
        };
        let end = self.setup.end % MAX_INSTRUCTIONS;
        let next = match &inst.body {
            Body::Alu(alu) => {
                self.alu(alu)?;
                Some(next)
            }
            Body::Tex(tex) => {
                let joins = self.lookups(state, &inst)?;
                self.tex(tex, &joins)?;
                let pc = joins.last().map_or(next.pc, |(pc, _)| self::next(*pc));
                Some(State { pc, ..next })
            }
            Body::Fc(fc) => self.fc(fc, state, next, pc == end),
        };
        if wide_writes && !matches!(inst.body, Body::Fc(_)) {
            copy(&mut self.b, ACTIVE, SAVED);
        }
        if pc == end {
            self.b.push(Step::End);
            return Ok(None);
        }
        if inst.last && !matches!(inst.body, Body::Fc(_)) {
            self.finish_pixels(&inst);
        }
        Ok(next)
    }

    /// Counts an instruction.
    pub(super) fn begin(&mut self, pc: u16, inst: &Inst) {
        self.pc = pc;
        self.b.origin(Origin {
            pc: 24 * u32::from(pc),
            word: inst.encode()[0],
        });
        self.b.push(Step::Tick { instructions: 1 });
    }

    /// Lookups behind a lookup that read nothing which those before them write, so that one call makes them all.
    fn lookups(&self, state: &State, first: &Inst) -> Result<Vec<(u16, Inst)>, LiftError> {
        let end = self.setup.end % MAX_INSTRUCTIONS;
        let plain = |pc: u16, inst: &Inst| {
            let everywhere = inst.write_inactive && self.divergent;
            pc != end && !inst.last && !everywhere && joins(inst, self.setup)
        };
        let mut found: Vec<(u16, Inst)> = Vec::new();
        if !plain(state.pc, first) {
            return Ok(found);
        }
        let mut pc = next(state.pc);
        while found.len() + 1 < SQUARE {
            let at = State {
                pc,
                ..state.clone()
            };
            let inst = decode(self.code, pc)?;
            let before = || found.iter().map(|(_, inst)| inst).chain([first]);
            if self.labels.contains_key(&at)
                || !plain(pc, &inst)
                || before().any(|before| reads_result(&inst, before))
            {
                break;
            }
            found.push((pc, inst));
            pc = next(pc);
        }
        Ok(found)
    }

    /// Active pixels are done; the wave ends with the last of them at an OUT that waits. [R5XX 8.6.6]
    fn finish_pixels(&mut self, inst: &Inst) {
        wide(&mut self.b, WideOp::Or64, DONE, DONE, ACTIVE);
        clear(&mut self.b, ACTIVE);
        let out = matches!(&inst.body, Body::Alu(alu) if alu.out);
        if out && inst.sem_wait {
            let on = self.b.label();
            wide(&mut self.b, WideOp::AndNot64, TEMP, START, DONE);
            self.b.branch(When::MaskNonZero(TEMP), on);
            self.b.push(Step::End);
            self.b.place(on);
        }
    }

    /// Whether pixels may be done before the program is.
    pub(super) fn ends_early(&self) -> bool {
        self.ends_early
    }

    /// The pixels that a predicate lets pass: a pair and whether its complement is meant.
    pub(super) fn gate(select: PredSelect, invert: bool, channel: usize) -> Option<(u16, bool)> {
        let at = match select {
            PredSelect::None => return None,
            PredSelect::Each => channel as u16,
            PredSelect::R => 0,
            PredSelect::G => 1,
            PredSelect::B => 2,
            PredSelect::A => 3,
        };
        Some((PREDICATES + 2 * at, invert))
    }

    /// A scalar that nothing else uses.
    pub(super) fn scalar(&mut self) -> u16 {
        self.scalars += 1;
        self.scalars - 1
    }

    /// The scalar of a constant.
    pub(super) fn constant(&mut self, constant: Constant) -> u16 {
        if let Some(at) = self.constants.get(&constant) {
            return *at;
        }
        let at = self.scalar();
        self.constants.insert(constant, at);
        at
    }

    /// `temporary` exists.
    pub(super) fn check(&self, at: u8) -> Result<(), LiftError> {
        let (at, temps, pc) = (u16::from(at), self.setup.temps, self.pc);
        match at < temps {
            true => Ok(()),
            false => Err(LiftError::Temporary { pc, at, temps }),
        }
    }
}

/// The address after this one; the code memory wraps.
fn next(pc: u16) -> u16 {
    (pc + 1) % MAX_INSTRUCTIONS
}

fn decode(code: &[[u32; 6]], pc: u16) -> Result<Inst, LiftError> {
    let count = code.len();
    let words = code.get(usize::from(pc));
    let words = words.ok_or(LiftError::End { pc, count })?;
    Inst::decode(*words).map_err(|error| LiftError::Decode { pc, error })
}

/// Where a jump goes.
pub(super) fn target(fc: &Fc, setup: &Setup) -> u16 {
    let offset = if fc.global { 0 } else { setup.offset };
    (fc.target + offset) % MAX_INSTRUCTIONS
}

/// Instructions that control can reach, returns anywhere behind calls.
fn reachable(code: &[[u32; 6]], setup: &Setup) -> Result<BTreeMap<u16, Inst>, LiftError> {
    let end = setup.end % MAX_INSTRUCTIONS;
    if !matches!(decode(code, end)?.body, Body::Alu(alu) if alu.out) {
        return Err(LiftError::LastIsNotOut { pc: end });
    }
    let mut found = BTreeMap::new();
    let mut waiting = vec![setup.start % MAX_INSTRUCTIONS];
    while let Some(pc) = waiting.pop() {
        if found.contains_key(&pc) {
            continue;
        }
        let inst = decode(code, pc)?;
        found.insert(pc, inst);
        if pc == end {
            continue;
        }
        let mut onward = true;
        if let Body::Fc(fc) = &inst.body {
            let pops = fc.address == super::super::codes::AddressOp::Pop;
            if !pops {
                waiting.push(target(fc, setup));
            }
            // These jump in any case: all pixels want to.
            let plain = matches!(fc.op.sem(), FcSem::Jump) && !fc.jump_any && !fc.b_else;
            let always = plain && fc.jump_func == 0xff;
            let calls = fc.address == super::super::codes::AddressOp::Push;
            onward = !always || calls;
        }
        if onward {
            waiting.push(next(pc));
        }
    }
    Ok(found)
}

/// Whether an instruction writes or reads predicates or ALU results.
fn tests(inst: &Inst) -> bool {
    let gated = |predicate: &Predicate| predicate.select != PredSelect::None;
    match &inst.body {
        Body::Alu(alu) => {
            let tested = !alu.out && (alu.rgb.omask | alu.alpha.omask) != 0;
            let gates = [alu.rgb.predicate, alu.alpha.predicate];
            tested || alu.result.is_some() || gates.iter().any(gated)
        }
        Body::Tex(tex) => tex.predicates.iter().any(gated),
        Body::Fc(_) => true,
    }
}

/// Whether an instruction reads a constant with an index.
fn reads_with_index(insts: &BTreeMap<u16, Inst>) -> bool {
    let indexed = |source: &Source| matches!(source, Source::Constant { relative: true, .. });
    insts.values().any(|inst| match &inst.body {
        Body::Alu(alu) => {
            let sources = alu.rgb.sources.src.iter().chain(&alu.alpha.sources.src);
            sources.into_iter().any(indexed)
        }
        Body::Tex(_) | Body::Fc(_) => false,
    })
}

/// All constants in order, from scalar `file` on.
fn whole_file(file: u16) -> impl Iterator<Item = (Constant, u16)> {
    let constants = (0..=255u8).flat_map(|index| (0..4).map(move |channel| (index, channel)));
    constants.zip(file..).map(|((index, channel), at)| {
        let constant = Constant::Float {
            index,
            channel,
            flushed: false,
        };
        (constant, at)
    })
}
