//! Control flow: branches, loops and calls on masks.
//!
//! What the stack holds is known at every instruction, so each of its levels has scalars of its own and a state of the
//! lifter is an instruction with the kinds of entries on the stack.

use std::collections::{BTreeMap, HashMap, HashSet};

use lanes::LaneOp::{IAdd, ISub};
use lanes::{Builder, Label, Origin, Src, Step, When, WideOp};

use super::super::cf::{AluClauseSem, AluHead, CfSem, Flow, LoopKind};
use super::super::export::Memory;
use super::super::fetch::{Fetch, TexSem};
use super::super::group::Group;
use super::super::program::{Cf, Program};
use super::super::words::{Cond, Export};
use super::operation::{clear, copy, wide};
use super::{
    ACTIVE, Action, BROKEN, CONSTANTS, CONTINUED, Constant, EXTRA_ROWS, FAILED, Kind, LEVEL,
    LiftError, Lifted, MAX_DEPTH, MAX_STATES, Port, SAVED, Setup, TEMP, VALID,
};

/// An entry of the stack. The index of an entry is its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Frame {
    /// Active lanes.
    Mask,
    /// Active, broken and continued lanes.
    Full,
    /// The same, and the state of a loop.
    Loop { kind: LoopKind, constant: u8 },
    /// Where a subroutine returns to.
    Return { place: Place, depth: u8 },
}

/// An instruction of the program or of its fetch program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    fetch: bool,
    at: u32,
}

/// A place with what the stack holds there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    place: Place,
    stack: Vec<Frame>,
    /// Nesting depth of calls.
    depth: u8,
}

/// Parts of a level of the stack, as scalars from its first.
const LEVEL_ACTIVE: u16 = 0;
const LEVEL_BROKEN: u16 = 2;
const LEVEL_CONTINUED: u16 = 4;
const LEVEL_LANES: u16 = 6;
const LEVEL_COUNT: u16 = 8;
const LEVEL_INDEX: u16 = 9;

/// Numbers of the rows beside the registers.
#[derive(Clone, Copy)]
pub(super) struct Rows(u16);

impl Rows {
    /// The first row that is no register.
    pub(super) fn first(self) -> u16 {
        self.0
    }

    /// PV.x to PV.w, PS.
    pub(super) fn previous(self, unit: usize) -> u16 {
        self.0 + unit as u16
    }

    /// AR.x to AR.w.
    pub(super) fn address(self, elem: usize) -> u16 {
        self.0 + 5 + elem as u16
    }

    /// The result of a slot that has to wait.
    pub(super) fn result(self, unit: usize) -> u16 {
        self.0 + 9 + unit as u16
    }

    /// An operand with modifiers.
    pub(super) fn operand(self, at: usize) -> u16 {
        self.0 + 14 + at as u16
    }

    /// For a value within an operation.
    pub(super) fn spare(self) -> u16 {
        self.0 + 17
    }

    /// An axis of a cube's direction.
    pub(super) fn axis(self, at: usize) -> u16 {
        self.0 + 18 + at as u16
    }
}

/// Lanes that pass a condition test.
#[derive(Clone, Copy, PartialEq)]
enum Passing {
    /// Exactly the active ones.
    Active,
    /// Those of a scalar pair.
    Pair(u16),
    /// None.
    None,
}

/// A program being lifted.
pub(super) struct Lifter<'a> {
    program: &'a Program,
    pub(super) setup: &'a Setup<'a>,
    pub(super) constants: BTreeMap<Constant, u16>,
    pub(super) b: Builder,
    pub(super) rows: Rows,
    ports: Vec<Port>,
    labels: HashMap<State, Label>,
    waiting: Vec<State>,
    done: HashSet<State>,
    first_level: u16,
    levels: usize,
    origin: Origin,
    /// Scalar of the loop index at the current instruction.
    loop_index: Option<u16>,
}

impl<'a> Lifter<'a> {
    pub(super) fn new(
        program: &'a Program,
        setup: &'a Setup<'a>,
        constants: BTreeMap<Constant, u16>,
    ) -> Lifter<'a> {
        let after = CONSTANTS + constants.len() as u16;
        Lifter {
            program,
            setup,
            // Levels are pairs.
            first_level: after.next_multiple_of(2),
            constants,
            b: Builder::new(ACTIVE),
            rows: Rows(setup.rows()),
            ports: Vec::new(),
            labels: HashMap::new(),
            waiting: Vec::new(),
            done: HashSet::new(),
            levels: 0,
            origin: Origin::default(),
            loop_index: None,
        }
    }

    pub(super) fn run(mut self) -> Result<Lifted, LiftError> {
        clear(&mut self.b, BROKEN);
        clear(&mut self.b, CONTINUED);
        self.waiting.push(State {
            place: Place {
                fetch: false,
                at: 0,
            },
            stack: Vec::new(),
            depth: 0,
        });
        while let Some(state) = self.waiting.pop() {
            let mut next = (!self.done.contains(&state)).then_some(state);
            while let Some(state) = next.take() {
                if self.done.contains(&state) {
                    // A label must lead there, as the steps are elsewhere.
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
                next = self.state(&state);
            }
        }
        let rows = self.rows.first() + EXTRA_ROWS;
        let scalars = self.first_level + self.levels as u16 * LEVEL + 2;
        let program = self.b.finish(rows, scalars);
        Ok(Lifted {
            program,
            ports: self.ports,
            constants: self.constants.into_iter().collect(),
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
    fn later(&mut self, state: State) -> Label {
        let label = self.label(&state);
        if !self.done.contains(&state) {
            self.waiting.push(state);
        }
        label
    }

    fn go(&mut self, when: When, state: State) {
        let label = self.later(state);
        self.b.branch(when, label);
    }

    fn code(&self, fetch: bool) -> &'a Program {
        match (fetch, self.setup.fetch) {
            (true, Some(program)) => program,
            _ => self.program,
        }
    }

    fn level(&self, level: usize) -> u16 {
        self.first_level + level as u16 * LEVEL
    }

    /// Appends an instruction; gives the state after it unless control always goes elsewhere.
    fn state(&mut self, state: &State) -> Option<State> {
        let program = self.code(state.place.fetch);
        let at = state.place.at;
        let Some(cf) = program.cf.get(at as usize) else {
            self.b.trap(format!(
                "control flow ran past its last instruction to slot {at}"
            ));
            return None;
        };
        self.levels = self.levels.max(state.stack.len() + 1);
        let slot = cf.pack(program.numbering);
        self.origin = Origin {
            pc: 8 * at,
            word: slot as u32,
        };
        self.b.origin(self.origin);
        let innermost = state
            .stack
            .iter()
            .rposition(|frame| matches!(frame, Frame::Loop { kind, .. } if *kind == LoopKind::Dx9));
        self.loop_index = innermost.map(|level| self.level(level) + LEVEL_INDEX);
        let mut next = state.clone();
        next.place.at += 1;
        if state.stack.len() > MAX_DEPTH {
            self.b
                .trap(format!("the stack has more than {MAX_DEPTH} entries"));
            return None;
        }
        let groups = match cf {
            Cf::Alu { groups, .. } => groups.len() as u32,
            _ => 0,
        };
        self.b.push(Step::Tick {
            instructions: 1 + groups,
        });
        let next = match cf {
            Cf::Alu { head, groups } => self.alu(head, groups, next),
            Cf::Fetch { head, insts } => self.fetch(head, insts, next),
            Cf::Export(inst) => self.export(inst, next),
            Cf::Memory(inst) => self.memory(inst, next),
            Cf::Flow(inst) => {
                let ended = self.flow(inst, state, next);
                match ended {
                    Ok(next) => next,
                    Err(reason) => {
                        self.b.trap(format!("{}: {reason}", inst.op.name()));
                        None
                    }
                }
            }
        };
        if cf.ends() {
            self.b.push(Step::End);
            return None;
        }
        next
    }

    /// Appends what the device does.
    pub(super) fn port(&mut self, action: Action) {
        let port = self.ports.len() as u32;
        self.ports.push(Port {
            action,
            loop_index: self.loop_index,
            pc: self.origin.pc,
            word: self.origin.word,
        });
        self.b.push(Step::Port { port });
    }

    /// The condition test. [R600 3.6.5]
    fn test(&mut self, cond: Cond, constant: u8, whole_quads: bool, valid: bool) -> Passing {
        if cond == Cond::False {
            return Passing::None;
        }
        let mut pair = ACTIVE;
        if whole_quads {
            self.b.push(Step::UniformWide {
                op: WideOp::WholeQuads,
                dst: TEMP,
                src: [Src::Scalar(ACTIVE), Src::Const(0), Src::Const(0)],
            });
            pair = TEMP;
        } else if valid {
            wide(&mut self.b, WideOp::And64, TEMP, ACTIVE, VALID);
            pair = TEMP;
        }
        if cond != Cond::Active {
            let (yes, no) = match cond {
                Cond::Bool => (Src::Scalar(pair), Src::Const(0)),
                _ => (Src::Const(0), Src::Scalar(pair)),
            };
            let flag = self.constants.get(&Constant::Bool(constant));
            let flag = flag.map_or(Src::Const(0), |slot| Src::Scalar(*slot));
            self.b.push(Step::UniformWide {
                op: WideOp::Pick64,
                dst: TEMP,
                src: [yes, no, flag],
            });
            pair = TEMP;
        }
        match pair {
            ACTIVE => Passing::Active,
            pair => Passing::Pair(pair),
        }
    }

    fn test_flow(&mut self, inst: &Flow) -> Passing {
        self.test(
            inst.cond,
            inst.cf_const,
            inst.whole_quad_mode,
            inst.valid_pixel_mode,
        )
    }

    /// Branches where no lane passes.
    fn when_none(passing: Passing) -> Option<When> {
        match passing {
            Passing::Active => Some(When::MaskZero(ACTIVE)),
            Passing::Pair(pair) => Some(When::MaskZero(pair)),
            Passing::None => Some(When::Always),
        }
    }

    /// Makes the passing lanes active for a clause or an export.
    fn enter(&mut self, passing: Passing) {
        match passing {
            Passing::Active => {}
            Passing::Pair(pair) => {
                copy(&mut self.b, SAVED, ACTIVE);
                copy(&mut self.b, ACTIVE, pair);
            }
            Passing::None => {
                copy(&mut self.b, SAVED, ACTIVE);
                clear(&mut self.b, ACTIVE);
            }
        }
    }

    fn leave(&mut self, passing: Passing) {
        if passing != Passing::Active {
            copy(&mut self.b, ACTIVE, SAVED);
        }
    }

    fn in_loop(stack: &[Frame]) -> bool {
        stack
            .iter()
            .any(|frame| matches!(frame, Frame::Loop { .. }))
    }

    fn push_mask(&mut self, stack: &mut Vec<Frame>) {
        let level = self.level(stack.len());
        copy(&mut self.b, level + LEVEL_ACTIVE, ACTIVE);
        stack.push(Frame::Mask);
    }

    fn push_full(&mut self, stack: &mut Vec<Frame>, frame: Frame) {
        let level = self.level(stack.len());
        copy(&mut self.b, level + LEVEL_ACTIVE, ACTIVE);
        copy(&mut self.b, level + LEVEL_BROKEN, BROKEN);
        copy(&mut self.b, level + LEVEL_CONTINUED, CONTINUED);
        stack.push(frame);
    }

    /// `active &= !(broken | continued)`
    fn drop_gone(&mut self) {
        wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, BROKEN);
        wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, CONTINUED);
    }

    /// Restores lane state. Lanes that broke or continued since the push stay away. [R600 3.6, ERRATA 20]
    fn pop(&mut self, stack: &mut Vec<Frame>, count: u8) -> Result<(), String> {
        for _ in 0..count {
            let Some(frame) = stack.pop() else {
                return Err("pops from an empty stack".into());
            };
            let level = self.level(stack.len());
            match frame {
                Frame::Mask => {
                    copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE);
                    if Self::in_loop(stack) {
                        self.drop_gone();
                    }
                }
                Frame::Full => {
                    copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE);
                    for (gone, saved) in [(BROKEN, LEVEL_BROKEN), (CONTINUED, LEVEL_CONTINUED)] {
                        // Of the lanes gone now, those that were live at the push count.
                        wide(&mut self.b, WideOp::And64, gone, gone, ACTIVE);
                        wide(&mut self.b, WideOp::Or64, gone, gone, level + saved);
                    }
                    self.drop_gone();
                }
                Frame::Loop { .. } => return Err("pops the entry of a loop".into()),
                Frame::Return { .. } => return Err("pops the entry of a call".into()),
            }
        }
        Ok(())
    }

    /// ELSE without its jump: swaps the sides of the entry on top of the stack.
    fn swap(&mut self, stack: &[Frame], cond: (Cond, u8), valid: bool) -> Result<(), String> {
        let Some(Frame::Mask | Frame::Full) = stack.last() else {
            return Err("finds no pushed lane state on top of the stack".into());
        };
        let level = self.level(stack.len() - 1);
        let turned = TEMP + 2;
        // Lanes that were active at the push and are not now; those that are now, of the same condition, go.
        copy(&mut self.b, turned, level + LEVEL_ACTIVE);
        if Self::in_loop(stack) {
            wide(&mut self.b, WideOp::AndNot64, turned, turned, BROKEN);
            wide(&mut self.b, WideOp::AndNot64, turned, turned, CONTINUED);
        }
        if valid {
            wide(&mut self.b, WideOp::And64, turned, turned, VALID);
        }
        let (cond, constant) = cond;
        if cond != Cond::Active {
            let flag = self.constants.get(&Constant::Bool(constant));
            let flag = flag.map_or(Src::Const(0), |slot| Src::Scalar(*slot));
            let (yes, no) = match cond {
                Cond::Bool => (Src::Scalar(turned), Src::Const(0)),
                Cond::NotBool => (Src::Const(0), Src::Scalar(turned)),
                _ => (Src::Const(0), Src::Const(0)),
            };
            self.b.push(Step::UniformWide {
                op: WideOp::Pick64,
                dst: turned,
                src: [yes, no, flag],
            });
        }
        wide(&mut self.b, WideOp::Xor64, ACTIVE, ACTIVE, turned);
        if valid {
            wide(&mut self.b, WideOp::And64, ACTIVE, ACTIVE, VALID);
        }
        Ok(())
    }

    /// Goes to `to` with entries popped where `when` holds.
    fn jump(&mut self, when: Option<When>, to: &State, pops: u8) -> Result<(), String> {
        let mut target = to.clone();
        let Some(when) = when else { return Ok(()) };
        if pops == 0 {
            self.go(when, target);
            return Ok(());
        }
        let over = self.b.label();
        let always = when == When::Always;
        if !always {
            self.b.branch(opposite(when), over);
        }
        let popped = self.pop(&mut target.stack, pops);
        match popped {
            Ok(()) => self.go(When::Always, target),
            Err(reason) if always => return Err(reason),
            // Only the way that jumps is wrong.
            Err(reason) => self.b.trap(reason),
        }
        self.b.place(over);
        Ok(())
    }

    fn alu(&mut self, head: &AluHead, groups: &[Group], mut next: State) -> Option<State> {
        let sem = head.op.sem();
        if matches!(sem, AluClauseSem::PushBefore | AluClauseSem::ElseAfter) {
            self.push_mask(&mut next.stack);
        }
        let passing = self.test(Cond::Active, 0, head.whole_quad_mode, false);
        self.enter(passing);
        let failed = self.clause(head, groups);
        self.leave(passing);
        if failed {
            let gone = match sem {
                AluClauseSem::Break => Some(BROKEN),
                AluClauseSem::Continue => Some(CONTINUED),
                _ => None,
            };
            if let Some(gone) = gone {
                if !Self::in_loop(&next.stack) {
                    self.b.trap(format!("{} outside a loop", head.op.name()));
                    return None;
                }
                wide(&mut self.b, WideOp::And64, TEMP, FAILED, ACTIVE);
                wide(&mut self.b, WideOp::Or64, gone, gone, TEMP);
            }
            wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, FAILED);
        }
        let after = match sem {
            AluClauseSem::PopAfter(count) => self.pop(&mut next.stack, count),
            AluClauseSem::ElseAfter => self.swap(&next.stack, (Cond::Active, 0), false),
            _ => Ok(()),
        };
        if let Err(reason) = after {
            self.b.trap(format!("{}: {reason}", head.op.name()));
            return None;
        }
        Some(next)
    }

    fn fetch(&mut self, head: &Flow, insts: &[Fetch], next: State) -> Option<State> {
        let passing = self.test_flow(head);
        self.enter(passing);
        let over = self.b.label();
        self.b.branch(When::MaskZero(ACTIVE), over);
        let mut gradients = false;
        for inst in insts {
            let whole_quads = match inst {
                Fetch::Vtx(inst) => inst.fetch_whole_quad,
                Fetch::Tex(inst) => inst.fetch_whole_quad,
            };
            let whole_quads = whole_quads && !head.whole_quad_mode;
            if whole_quads {
                copy(&mut self.b, TEMP + 4, ACTIVE);
                self.b.push(Step::UniformWide {
                    op: WideOp::WholeQuads,
                    dst: ACTIVE,
                    src: [Src::Scalar(ACTIVE), Src::Const(0), Src::Const(0)],
                });
            }
            self.port(match *inst {
                Fetch::Vtx(inst) => Action::Vtx(inst),
                Fetch::Tex(inst) => Action::Tex(inst),
            });
            if let Fetch::Tex(inst) = inst {
                let sem = inst.op.sem();
                gradients |= matches!(sem, TexSem::SetGradientsH | TexSem::SetGradientsV);
            }
            if whole_quads {
                copy(&mut self.b, ACTIVE, TEMP + 4);
            }
        }
        if gradients {
            self.port(Action::EndTexClause);
        }
        self.b.place(over);
        self.leave(passing);
        Some(next)
    }

    /// A port for the lanes that pass, if there are any.
    fn masked_port(&mut self, passing: Passing, action: Action) {
        self.enter(passing);
        let over = self.b.label();
        self.b.branch(When::MaskZero(ACTIVE), over);
        self.port(action);
        self.b.place(over);
        self.leave(passing);
    }

    fn export(&mut self, inst: &Export, next: State) -> Option<State> {
        let passing = self.test(Cond::Active, 0, inst.whole_quad_mode, inst.valid_pixel_mode);
        self.masked_port(passing, Action::Export(*inst));
        Some(next)
    }

    fn memory(&mut self, inst: &Memory, next: State) -> Option<State> {
        let passing = self.test(Cond::Active, 0, inst.whole_quad_mode, inst.valid_pixel_mode);
        self.masked_port(passing, Action::Memory(*inst));
        Some(next)
    }

    fn flow(
        &mut self,
        inst: &Flow,
        state: &State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let target = State {
            place: Place {
                at: inst.addr,
                ..state.place
            },
            ..state.clone()
        };
        match inst.op.sem() {
            CfSem::Nop | CfSem::Tex | CfSem::Vtx => {}
            CfSem::Jump => {
                let passing = self.test_flow(inst);
                self.jump(Self::when_none(passing), &target, inst.pop_count)?;
                if passing == Passing::None {
                    return Ok(None);
                }
            }
            CfSem::Push => {
                let passing = self.test_flow(inst);
                self.jump(Self::when_none(passing), &target, inst.pop_count)?;
                self.push(inst, &mut next.stack);
                match passing {
                    Passing::None => return Ok(None),
                    Passing::Active => {}
                    Passing::Pair(pair) => {
                        if Self::in_loop(&next.stack) {
                            wide(&mut self.b, WideOp::AndNot64, BROKEN, BROKEN, pair);
                            wide(&mut self.b, WideOp::AndNot64, CONTINUED, CONTINUED, pair);
                        }
                        copy(&mut self.b, ACTIVE, pair);
                    }
                }
            }
            CfSem::PushElse => {
                self.push(inst, &mut next.stack);
                self.swap(
                    &next.stack,
                    (inst.cond, inst.cf_const),
                    inst.valid_pixel_mode,
                )?;
                let target = State {
                    stack: next.stack.clone(),
                    ..target
                };
                self.jump(Some(When::MaskZero(ACTIVE)), &target, 0)?;
            }
            CfSem::Pop => {
                self.pop(&mut next.stack, inst.pop_count)?;
                match self.test_flow(inst) {
                    Passing::Active => {}
                    Passing::Pair(pair) => copy(&mut self.b, ACTIVE, pair),
                    Passing::None => clear(&mut self.b, ACTIVE),
                }
            }
            CfSem::Else => {
                self.swap(
                    &state.stack,
                    (inst.cond, inst.cf_const),
                    inst.valid_pixel_mode,
                )?;
                self.jump(Some(When::MaskZero(ACTIVE)), &target, inst.pop_count)?;
            }
            CfSem::LoopStart(kind) => return self.loop_start(inst, kind, target, next),
            CfSem::LoopEnd => return self.loop_end(inst, target, next),
            CfSem::Break | CfSem::Continue => self.leave_loop(inst, target)?,
            CfSem::Call => {
                let passing = self.test_flow(inst);
                let place = next.place;
                self.call(inst, passing, place, target)?;
            }
            CfSem::CallFs => {
                if state.place.fetch {
                    return Err("inside a fetch program".into());
                }
                if self.setup.fetch.is_some() {
                    let passing = self.test_flow(inst);
                    let place = next.place;
                    let mut target = target;
                    target.place.fetch = true;
                    self.call(inst, passing, place, target)?;
                }
            }
            CfSem::Return => {
                let Some(Frame::Return { place, depth }) = next.stack.pop() else {
                    return Err("outside a subroutine, or with lane state still pushed".into());
                };
                next.place = place;
                next.depth = depth;
                self.go(When::Always, next);
                return Ok(None);
            }
            CfSem::Emit { vertex, cut } => {
                if self.setup.kind != Kind::Geometry {
                    return Err("outside a geometry program".into());
                }
                let passing = self.test_flow(inst);
                self.masked_port(passing, Action::Emit { vertex, cut });
            }
            CfSem::Kill => {
                if self.setup.kind != Kind::Pixel {
                    return Err("outside a pixel program".into());
                }
                match self.test_flow(inst) {
                    Passing::Active => wide(&mut self.b, WideOp::AndNot64, VALID, VALID, ACTIVE),
                    Passing::Pair(pair) => wide(&mut self.b, WideOp::AndNot64, VALID, VALID, pair),
                    Passing::None => {}
                }
                self.jump(Some(When::MaskZero(VALID)), &target, 0)?;
            }
        }
        Ok(Some(next))
    }

    fn push(&mut self, inst: &Flow, stack: &mut Vec<Frame>) {
        match inst.whole_quad_mode {
            true => self.push_full(stack, Frame::Full),
            false => self.push_mask(stack),
        }
    }

    fn call(
        &mut self,
        inst: &Flow,
        passing: Passing,
        place: Place,
        mut target: State,
    ) -> Result<(), String> {
        let depth = target.depth + inst.call_count;
        if depth > 32 || passing == Passing::None {
            return Ok(());
        }
        target.stack.push(Frame::Return {
            place,
            depth: target.depth,
        });
        target.depth = depth;
        let when = match Self::when_none(passing) {
            Some(when) => opposite(when),
            None => When::Always,
        };
        self.go(when, target);
        Ok(())
    }

    fn loop_start(
        &mut self,
        inst: &Flow,
        kind: LoopKind,
        mut after: State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let program = self.code(after.place.fetch);
        after.place.at = program.after_loop(inst, next.place.at - 1);
        let constant = inst.cf_const;
        let part = |lifter: &Lifter<'_>, part| {
            let index = constant;
            let slot = lifter.constants.get(&Constant::Loop { index, part });
            slot.copied().unwrap_or(CONSTANTS)
        };
        if kind != LoopKind::Dx10 {
            let count = part(self, 0);
            self.jump(Some(When::Zero(count)), &after, inst.pop_count)?;
        }
        let passing = self.test_flow(inst);
        self.jump(Self::when_none(passing), &after, inst.pop_count)?;
        let level = self.level(next.stack.len());
        self.push_full(&mut next.stack, Frame::Loop { kind, constant });
        match passing {
            Passing::None => return Ok(None),
            Passing::Active => {}
            Passing::Pair(pair) => copy(&mut self.b, ACTIVE, pair),
        }
        copy(&mut self.b, level + LEVEL_LANES, ACTIVE);
        clear(&mut self.b, BROKEN);
        clear(&mut self.b, CONTINUED);
        let mov = lanes::LaneOp::Mov;
        if kind != LoopKind::Dx10 {
            let count = part(self, 0);
            self.b
                .uniform(mov, level + LEVEL_COUNT, &[Src::Scalar(count)]);
        }
        if kind == LoopKind::Dx9 {
            let first = part(self, 1);
            self.b
                .uniform(mov, level + LEVEL_INDEX, &[Src::Scalar(first)]);
        }
        Ok(Some(next))
    }

    fn loop_end(
        &mut self,
        inst: &Flow,
        mut body: State,
        mut next: State,
    ) -> Result<Option<State>, String> {
        let Some(Frame::Loop { kind, constant }) = next.stack.pop() else {
            return Err("finds no loop on top of the stack".into());
        };
        body.stack = next.stack.clone();
        body.stack.push(Frame::Loop { kind, constant });
        let level = self.level(next.stack.len());
        // Lanes that finished the iteration early take part again, before the test. [R600 3.7, guide 10.4]
        wide(
            &mut self.b,
            WideOp::AndNot64,
            ACTIVE,
            level + LEVEL_LANES,
            BROKEN,
        );
        clear(&mut self.b, CONTINUED);
        let over = self.b.label();
        if kind != LoopKind::Dx10 {
            let count = level + LEVEL_COUNT;
            self.b
                .uniform(ISub, count, &[Src::Scalar(count), Src::Const(1)]);
        }
        if kind == LoopKind::Dx9 {
            let index = level + LEVEL_INDEX;
            let part = Constant::Loop {
                index: constant,
                part: 2,
            };
            let step = self.constants.get(&part).copied().unwrap_or(CONSTANTS);
            self.b
                .uniform(IAdd, index, &[Src::Scalar(index), Src::Scalar(step)]);
        }
        if kind != LoopKind::Dx10 {
            self.b.branch(When::Zero(level + LEVEL_COUNT), over);
        }
        let again = match self.test_flow(inst) {
            Passing::Active => Some(When::MaskNonZero(ACTIVE)),
            Passing::Pair(pair) => Some(When::MaskNonZero(pair)),
            Passing::None => None,
        };
        if let Some(when) = again {
            self.go(when, body);
        }
        self.b.place(over);
        copy(&mut self.b, ACTIVE, level + LEVEL_ACTIVE);
        copy(&mut self.b, BROKEN, level + LEVEL_BROKEN);
        copy(&mut self.b, CONTINUED, level + LEVEL_CONTINUED);
        Ok(Some(next))
    }

    fn leave_loop(&mut self, inst: &Flow, mut end: State) -> Result<(), String> {
        let innermost = |frame: &Frame| matches!(frame, Frame::Loop { .. });
        let Some(level) = end.stack.iter().rposition(innermost) else {
            return Err("outside a loop".into());
        };
        if end.stack[level..]
            .iter()
            .any(|frame| matches!(frame, Frame::Return { .. }))
        {
            return Err("leaves a subroutine".into());
        }
        end.stack.truncate(level + 1);
        let lanes = self.level(level) + LEVEL_LANES;
        let gone = match inst.op.sem() {
            CfSem::Break => BROKEN,
            _ => CONTINUED,
        };
        let pair = match self.test_flow(inst) {
            Passing::Active => ACTIVE,
            Passing::Pair(pair) => pair,
            Passing::None => return Ok(()),
        };
        wide(&mut self.b, WideOp::And64, TEMP, pair, lanes);
        wide(&mut self.b, WideOp::Or64, gone, gone, TEMP);
        wide(&mut self.b, WideOp::AndNot64, ACTIVE, ACTIVE, TEMP);
        // The iteration is over when no lane of the loop is left in it, not even one that waits in a branch.
        wide(&mut self.b, WideOp::AndNot64, TEMP, lanes, BROKEN);
        wide(&mut self.b, WideOp::AndNot64, TEMP, TEMP, CONTINUED);
        self.go(When::MaskZero(TEMP), end);
        Ok(())
    }
}

/// The condition that holds where the other does not.
fn opposite(when: When) -> When {
    match when {
        // Used for conditions on masks and counts only.
        When::Always => When::Always,
        When::Zero(at) => When::NonZero(at),
        When::NonZero(at) => When::Zero(at),
        When::MaskZero(at) => When::MaskNonZero(at),
        When::MaskNonZero(at) => When::MaskZero(at),
    }
}
