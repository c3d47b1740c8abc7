//! Control flow: every instruction with every stack of frames that it can be reached with. [R5XX 7.5.5]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lanes::LaneOp::{IAdd, IMax, IMin, ISub, Mov};
use lanes::{Builder, Label, Origin, Src, Step, When};

use super::super::inst::{DstFile, Inst, Mode, Operand, SrcFile, Target, Third};
use super::super::ops::FlowOp;
use super::super::program::{Control, FlowSlot};
use super::{
    ACTIVE, CONSTANTS, Constant, FRAMES, LIMITS, Layout, LiftError, Lifted, MAX_FRAMES, MAX_STATES,
    PREDICATE, Port,
};
use crate::isa::arithmetic::clear;

/// An instruction with the slots of the loops and calls that it is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    pc: u16,
    frames: Vec<u8>,
}

/// A program being lifted.
pub(super) struct Lifter<'a> {
    code: &'a [[u32; 4]],
    pub(super) control: &'a Control,
    pub(super) b: Builder,
    pub(super) layout: Layout,
    /// Scalars of constants; all of them lie in order where one is read with an index.
    pub(super) constants: BTreeMap<Constant, u16>,
    ports: Vec<Port>,
    pub(super) written: u128,
    /// Scalar of the loop index that is visible.
    pub(super) loop_index: Option<u16>,
    /// The instruction's writes depend on the predicate.
    pub(super) predicated: bool,
    /// The instruction sets the predicate.
    pub(super) next_predicate: bool,
    /// Rows that the instruction has taken for values in between.
    pub(super) scratch: u16,
    scratch_end: u16,
    labels: HashMap<State, Label>,
    waiting: Vec<State>,
    done: HashSet<State>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(code: &'a [[u32; 4]], control: &'a Control) -> Result<Self, LiftError> {
        let insts = reachable(code, control)?;
        let layout = layout(&insts)?;
        let mut constants = BTreeSet::new();
        for inst in insts.values() {
            for operand in read_operands(inst) {
                if operand.file != SrcFile::Constant {
                    continue;
                }
                match operand.mode {
                    Mode::Absolute if operand.offset <= control.const_max => {
                        let index = control.const_base.wrapping_add(operand.offset);
                        constants.extend((0..4).map(|component| Constant { index, component }));
                    }
                    Mode::Absolute => {}
                    Mode::Address(_) | Mode::Loop => {
                        let all = (0..=control.const_max).flat_map(|offset| {
                            let index = control.const_base.wrapping_add(offset);
                            (0..4).map(move |component| Constant { index, component })
                        });
                        constants.extend(all);
                    }
                }
            }
        }
        // In the order of offsets, which wrap around the memory.
        let mut constants: Vec<Constant> = constants.into_iter().collect();
        constants.sort_by_key(|constant| constant.index.wrapping_sub(control.const_base));
        let constants = constants.into_iter().zip(CONSTANTS..).collect();
        let scratch = layout.end();
        Ok(Lifter {
            code,
            control,
            b: Builder::new(ACTIVE),
            layout,
            constants,
            ports: Vec::new(),
            written: 0,
            loop_index: None,
            predicated: false,
            next_predicate: false,
            scratch,
            scratch_end: scratch,
            labels: HashMap::new(),
            waiting: Vec::new(),
            done: HashSet::new(),
        })
    }

    pub(super) fn run(mut self) -> Result<Lifted, LiftError> {
        clear(&mut self.b, PREDICATE);
        self.waiting.push(State {
            pc: self.control.first,
            frames: Vec::new(),
        });
        while let Some(state) = self.waiting.pop() {
            let mut next = (!self.done.contains(&state)).then_some(state);
            while let Some(state) = next.take() {
                if self.done.contains(&state) {
                    let label = self.label(&state);
                    self.b.branch(When::Always, label);
                    break;
                }
                self.done.insert(state.clone());
                let label = self.label(&state);
                self.b.place(label);
                next = self.state(&state)?;
            }
        }
        let scalars = CONSTANTS + self.constants.len() as u16;
        let mut program = self.b.finish(self.scratch_end.max(1), scalars);
        program.merge_ticks();
        program.temporaries = self.scratch_end.saturating_sub(self.layout.end());
        Ok(Lifted {
            program,
            ports: self.ports,
            constants: self.constants.into_iter().collect(),
            layout: self.layout,
            written: self.written,
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

    pub(super) fn port(&mut self, port: Port) {
        self.b.port(port.effects());
        self.ports.push(port);
    }

    fn slot(&self, slot: u8) -> FlowSlot {
        self.control.slots[usize::from(slot)]
    }

    fn frame(depth: usize) -> u16 {
        FRAMES + 2 * depth as u16
    }

    /// Scalar of the index that an instruction in these frames sees.
    fn index_of(&self, frames: &[u8]) -> Option<u16> {
        let is_loop = |slot: &u8| self.slot(*slot).op == FlowOp::PVS_FC_LOOP;
        let depth = frames.iter().rposition(is_loop)?;
        Some(Self::frame(depth) + 1)
    }

    /// Appends an instruction and what follows it; gives the next state unless the program ends.
    fn state(&mut self, state: &State) -> Result<Option<State>, LiftError> {
        let pc = state.pc;
        let inst = decode(self.code, pc)?;
        self.b.origin(Origin {
            pc: 16 * u32::from(pc),
            word: inst.encode()[0],
        });
        self.b.push(Step::Tick { instructions: 1 });
        self.loop_index = self.index_of(&state.frames);
        self.scratch = self.layout.end();
        self.instruction(&inst);
        let follow = follow(self.control, state)?;
        for again in follow.again {
            let depth = again.frames.len() - 1;
            let slot = again.frames[depth];
            self.step_loop(depth, self.slot(slot).step);
            let label = self.label(&again);
            self.b.branch(When::NonZero(Self::frame(depth)), label);
            self.waiting.push(again);
        }
        match follow.then {
            Then::End => {
                self.b.push(Step::End);
                Ok(None)
            }
            Then::Go(next) => Ok(Some(next)),
            Then::Enter(next) => {
                self.enter_loop(&next.frames);
                Ok(Some(next))
            }
        }
    }

    /// The innermost frame becomes a loop that begins.
    fn enter_loop(&mut self, frames: &[u8]) {
        let Some((at, outside)) = frames.split_last() else {
            return;
        };
        let slot = self.slot(*at);
        let first = match (slot.inherit, self.index_of(outside)) {
            (true, Some(outer)) => Src::Scalar(outer),
            (true, None) => Src::Const(0),
            (false, _) => Src::Const(slot.init.into()),
        };
        let frame = Self::frame(outside.len());
        let count = Src::Const(slot.count_or_target.into());
        self.b.uniform(Mov, frame, &[count]);
        self.b.uniform(Mov, frame + 1, &[first]);
    }

    /// One iteration is over: the count falls, the index steps and stays within -256 to 255.
    fn step_loop(&mut self, depth: usize, step: i8) {
        let [count, index] = [0, 1].map(|part| Self::frame(depth) + part);
        let b = &mut self.b;
        b.uniform(ISub, count, &[Src::Scalar(count), Src::Const(1)]);
        if step != 0 {
            let step = Src::Const(i32::from(step) as u32);
            b.uniform(IAdd, index, &[Src::Scalar(index), step]);
            b.uniform(IMin, index, &[Src::Scalar(index), Src::Const(255)]);
            let lowest = Src::Const(-256i32 as u32);
            b.uniform(IMax, index, &[Src::Scalar(index), lowest]);
        }
    }
}

/// The address after this one; the code memory wraps.
fn next(pc: u16) -> u16 {
    (pc + 1) % super::super::program::MAX_INSTRUCTIONS as u16
}

/// What comes after an instruction.
struct Follow {
    /// Loops that may go on, innermost first.
    again: Vec<State>,
    /// Where control goes when none does.
    then: Then,
}

enum Then {
    End,
    Go(State),
    /// As `Go`, and the innermost frame is a loop that begins.
    Enter(State),
}

/// What comes after the instruction of a state: frames that end there, the slot that acts there, the next address.
fn follow(control: &Control, state: &State) -> Result<Follow, LiftError> {
    let State { pc, mut frames } = state.clone();
    let slot_of = |slot: &u8| control.slots[usize::from(*slot)];
    let mut again = Vec::new();
    while let Some(slot) = frames.last().map(slot_of).filter(|slot| slot.last == pc) {
        if slot.op == FlowOp::PVS_FC_JSR {
            frames.pop();
            let then = Then::Go(State {
                pc: slot.rtn,
                frames,
            });
            return Ok(Follow { again, then });
        }
        again.push(State {
            pc: slot.rtn,
            frames: frames.clone(),
        });
        frames.pop();
    }
    // The lowest slot wins.
    let acts = |slot: &FlowSlot| slot.op != FlowOp::PVS_FC_NO_OP && slot.act == pc;
    let Some(at) = control.slots.iter().position(acts) else {
        let then = match pc == control.last {
            true => Then::End,
            false => Then::Go(State {
                pc: next(pc),
                frames,
            }),
        };
        return Ok(Follow { again, then });
    };
    let slot = control.slots[at];
    let target = slot.count_or_target;
    if slot.op == FlowOp::PVS_FC_JUMP {
        let then = Then::Go(State { pc: target, frames });
        return Ok(Follow { again, then });
    }
    if frames.len() >= MAX_FRAMES {
        let (slot, limit) = (at, MAX_FRAMES);
        return Err(LiftError::Frames { slot, pc, limit });
    }
    frames.push(at as u8);
    let then = match slot.op {
        FlowOp::PVS_FC_LOOP if !(1..=255).contains(&target) => {
            let (slot, count) = (at, target);
            return Err(LiftError::LoopCount { slot, count });
        }
        FlowOp::PVS_FC_LOOP => Then::Enter(State {
            pc: next(pc),
            frames,
        }),
        _ => Then::Go(State { pc: target, frames }),
    };
    Ok(Follow { again, then })
}

fn decode(code: &[[u32; 4]], pc: u16) -> Result<Inst, LiftError> {
    let count = code.len();
    let words = code.get(usize::from(pc));
    let words = words.ok_or(LiftError::End { pc, count })?;
    Inst::decode(*words).map_err(|error| LiftError::Decode { pc, error })
}

/// Instructions that control can reach.
fn reachable(code: &[[u32; 4]], control: &Control) -> Result<BTreeMap<u16, Inst>, LiftError> {
    let mut found = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![State {
        pc: control.first,
        frames: Vec::new(),
    }];
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return Err(LiftError::TooLarge { limit: MAX_STATES });
        }
        found.insert(state.pc, decode(code, state.pc)?);
        let follow = follow(control, &state)?;
        waiting.extend(follow.again);
        match follow.then {
            Then::Go(next) | Then::Enter(next) => waiting.push(next),
            Then::End => {}
        }
    }
    Ok(found)
}

/// Sources that an instruction reads.
pub(super) fn read_operands(inst: &Inst) -> Vec<Operand> {
    let sources = inst.operands();
    let mut read: Vec<Operand> = match inst.op.vector() {
        Some(sem) => sources[..sem.operands()].to_vec(),
        None => {
            let used = match inst.op {
                super::super::inst::Op::Math(op) => op.sem().sources(),
                _ => [false; 3],
            };
            let used = sources.into_iter().zip(used);
            used.filter(|(_, used)| *used).map(|(of, _)| of).collect()
        }
    };
    if let Third::Math(math) = inst.third
        && math.op.sem().operands() > 0
    {
        read.push(math.operand());
    }
    // Constant swizzles read nothing.
    read.retain(|operand| !operand.is_constant());
    read
}

/// Rows for the registers that these instructions name.
fn layout(insts: &BTreeMap<u16, Inst>) -> Result<Layout, LiftError> {
    // Vectors of temporaries, inputs, outputs, alternate temporaries.
    let mut counts = [0u16; 4];
    let mut address = false;
    let mut note = |pc: u16, file: usize, offset: u16, mode: Mode| {
        let (name, limit) = LIMITS[file];
        if mode != Mode::Absolute {
            counts[file] = limit;
        } else if offset >= limit {
            return Err(LiftError::Register {
                pc,
                file: name,
                offset,
                limit,
            });
        }
        counts[file] = counts[file].max(offset + 1);
        Ok(())
    };
    for (pc, inst) in insts {
        for operand in read_operands(inst) {
            address |= matches!(operand.mode, Mode::Address(_));
            let file = match operand.file {
                SrcFile::Temp => 0,
                SrcFile::Input => 1,
                SrcFile::AltTemp => 3,
                SrcFile::Constant => continue,
            };
            // An index may make up for an offset that is too high.
            let offset = u16::from(operand.offset);
            let offset = if operand.mode == Mode::Absolute {
                offset
            } else {
                0
            };
            note(*pc, file, offset, operand.mode)?;
        }
        let Target {
            file,
            offset,
            mode,
            mask,
        } = inst.target;
        if let Third::Math(math) = inst.third {
            note(*pc, 3, math.dst.into(), Mode::Absolute)?;
        }
        if mask == 0 {
            continue;
        }
        address |= matches!(mode, Mode::Address(_));
        let offset = if mode == Mode::Absolute { offset } else { 0 };
        match file {
            DstFile::Temp => note(*pc, 0, offset.into(), mode)?,
            DstFile::Input => note(*pc, 1, offset.into(), mode)?,
            DstFile::Output | DstFile::OutputX => note(*pc, 2, offset.into(), mode)?,
            DstFile::AltTemp => note(*pc, 3, offset.into(), mode)?,
            DstFile::Address => address = true,
        }
    }
    let mut at = 0;
    let mut rows = |count: u16| {
        let range = at..at + 4 * count;
        at = range.end;
        range
    };
    Ok(Layout {
        temps: rows(counts[0]),
        inputs: rows(counts[1]),
        outputs: rows(counts[2]),
        alternates: rows(counts[3]),
        address: rows(address.into()),
    })
}
