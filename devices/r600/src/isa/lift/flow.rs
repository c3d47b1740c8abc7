//! Control flow: every instruction with every stack that it can be reached with.
//!
//! What the stack holds is known at every instruction, so each of its levels has scalars of its own and a state of the
//! lifter is an instruction with the kinds of entries on the stack.

use std::collections::{BTreeMap, HashMap, HashSet};

use lanes::{Builder, Label, Origin, Src, Step, When, WideOp};

use super::super::cf::{AluClauseSem, AluHead, CfSem, Flow, LoopKind};
use super::super::export::Memory;
use super::super::fetch::{Fetch, TexSem};
use super::super::group::Group;
use super::super::program::{Cf, Program};
use super::super::words::{Cond, Export};
use super::clause::Failed;
use super::derivative;
use super::effects::of_port;
use super::operation::{clear, copy, wide};
use super::simplify;
use super::{
    ACTIVE, Action, BROKEN, CONSTANTS, CONTINUED, Constant, EXTRA_ROWS, FAILED, LEVEL, LiftError,
    Lifted, MAX_DEPTH, MAX_STATES, Port, SAVED, Setup, TEMP, VALID,
};

/// An entry of the stack. The index of an entry is its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    /// Active lanes.
    Mask,
    /// Active, broken and continued lanes.
    Full,
    /// The same, and the state of a loop.
    Loop { kind: LoopKind, constant: u8 },
    /// Where a subroutine returns to.
    Return { place: Instruction, depth: u8 },
}

/// An instruction of the program or of its fetch program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Instruction {
    pub(super) fetch: bool,
    pub(super) at: u32,
}

/// A place with what the stack holds there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) place: Instruction,
    pub(super) stack: Vec<Frame>,
    /// Nesting depth of calls.
    pub(super) depth: u8,
}

/// Parts of a level of the stack, as scalars from its first.
pub(super) const LEVEL_ACTIVE: u16 = 0;
pub(super) const LEVEL_BROKEN: u16 = 2;
pub(super) const LEVEL_CONTINUED: u16 = 4;
pub(super) const LEVEL_LANES: u16 = 6;
pub(super) const LEVEL_COUNT: u16 = 8;
pub(super) const LEVEL_INDEX: u16 = 9;

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
pub(super) enum Passing {
    /// Exactly the active ones.
    Active,
    /// Those of a scalar pair.
    Pair(u16),
    /// None.
    None,
}

impl Passing {
    /// The scalar pair that holds them; none where there are none.
    pub(super) fn pair(self) -> Option<u16> {
        match self {
            Passing::None => None,
            Passing::Active => Some(ACTIVE),
            Passing::Pair(pair) => Some(pair),
        }
    }
}

/// Whether some instruction of a program ends an iteration early.
fn continues(program: &Program) -> bool {
    program.cf.iter().any(|cf| match cf {
        Cf::Alu { head, .. } => head.op.sem() == AluClauseSem::Continue,
        Cf::Flow(inst) => inst.op.sem() == CfSem::Continue,
        _ => false,
    })
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
    /// Masks made so far.
    pub(super) masks: u16,
    /// Whether some instruction ends an iteration early.
    pub(super) continues: bool,
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
            masks: 0,
            continues: continues(program) || setup.fetch.is_some_and(continues),
        }
    }

    pub(super) fn run(mut self) -> Result<Lifted, LiftError> {
        clear(&mut self.b, BROKEN);
        clear(&mut self.b, CONTINUED);
        self.waiting.push(State {
            place: Instruction {
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
        let mut program = self.b.finish(rows, scalars);
        program.temporaries = EXTRA_ROWS;
        simplify::run(&mut program);
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

    pub(super) fn go(&mut self, when: When, state: State) {
        let label = self.later(state);
        self.b.branch(when, label);
    }

    pub(super) fn code(&self, fetch: bool) -> &'a Program {
        match (fetch, self.setup.fetch) {
            (true, Some(program)) => program,
            _ => self.program,
        }
    }

    pub(super) fn level(&self, level: usize) -> u16 {
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
        let port = Port {
            action,
            loop_index: self.loop_index,
            pc: self.origin.pc,
            word: self.origin.word,
        };
        let rows = self.rows.first() + EXTRA_ROWS;
        self.b.port(of_port(&port, self.setup, rows));
        self.ports.push(port);
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

    pub(super) fn test_flow(&mut self, inst: &Flow) -> Passing {
        self.test(
            inst.cond,
            inst.cf_const,
            inst.whole_quad_mode,
            inst.valid_pixel_mode,
        )
    }

    /// Branches where no lane passes.
    pub(super) fn when_none(passing: Passing) -> Option<When> {
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

    fn alu(&mut self, head: &AluHead, groups: &[Group], mut next: State) -> Option<State> {
        let sem = head.op.sem();
        if matches!(sem, AluClauseSem::PushBefore | AluClauseSem::ElseAfter) {
            self.push_mask(&mut next.stack);
        }
        let passing = self.test(Cond::Active, 0, head.whole_quad_mode, false);
        self.enter(passing);
        let failed = self.clause(head, groups);
        self.leave(passing);
        let gone = match sem {
            AluClauseSem::Break => Some(BROKEN),
            AluClauseSem::Continue => Some(CONTINUED),
            _ => None,
        };
        if gone.is_some() && failed != Failed::None && !Self::in_loop(&next.stack) {
            self.b.trap(format!("{} outside a loop", head.op.name()));
            return None;
        }
        if let Failed::Others(pair) = failed
            && passing == Passing::Active
        {
            if let Some(gone) = gone {
                wide(&mut self.b, WideOp::Or64, gone, gone, FAILED);
            }
            copy(&mut self.b, ACTIVE, pair);
        } else if failed != Failed::None {
            if let Some(gone) = gone {
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
            match *inst {
                Fetch::Vtx(inst) => self.port(Action::Vtx(inst)),
                Fetch::Tex(inst) => match derivative::sides(&inst) {
                    Some(sides) => self.derivative(&inst, sides),
                    None => self.port(Action::Tex(inst)),
                },
            }
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
    pub(super) fn masked_port(&mut self, passing: Passing, action: Action) {
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
}
