//! Finds programs that rely on undefined timing: missing S_WAITCNT and missing wait states. [SI 4.4, 4.5]
//!
//! The device runs every memory operation at once, which is one of the schedules that a correct program allows. This
//! check follows all paths of a program and reports the first instruction that another schedule would feed with the
//! wrong value. Programs that jump to addresses in registers are followed up to the jump only.

mod state;

use std::collections::BTreeMap;

use super::decode::{Inst, decode};
use super::effects::Effects;
use super::operand::{EXEC, VCC};
use super::scalar::{Condition, Sem, SemK, SemP, SopcOp};
use super::vector::VectorOp;
use state::{Late, State};

/// A place where timing decides what a program does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {pc:#x}: {rule} (word {word:#010x})")]
pub struct Hazard {
    /// Byte offset of the instruction.
    pub pc: u32,
    /// Its first word.
    pub word: u32,
    /// What it needs.
    pub rule: Rule,
}

/// Rules about timing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// A VGPR is used before memory has written it.
    #[error("v{register} is used while {counter} still counts the operation that writes it")]
    VectorPending {
        /// VGPR.
        register: u16,
        /// `vmcnt` or `lgkmcnt`.
        counter: &'static str,
    },
    /// A scalar is used before memory has written it.
    #[error("scalar {register} is used while lgkmcnt still counts the load that writes it")]
    ScalarPending {
        /// Operand code.
        register: u16,
    },
    /// A VGPR is overwritten before a store or export has read it.
    #[error("v{register} is written while expcnt still counts the operation that reads it")]
    Overwritten {
        /// VGPR.
        register: u16,
    },
    /// EXEC is written before an export has read it.
    #[error("EXEC is written while expcnt still counts an export")]
    ExecPending,
    /// Too few instructions lie between two.
    #[error("{second} needs {needed} wait states after {first}, and has {found}")]
    WaitStates {
        /// What came first.
        first: &'static str,
        /// What came too early.
        second: &'static str,
        /// States needed.
        needed: u8,
        /// States found.
        found: u8,
    },
}

/// Checks all paths of a program; the hazard with the lowest address is reported.
pub fn check_timing(words: &[u32]) -> Result<(), Hazard> {
    let mut at_entry: BTreeMap<usize, State> = BTreeMap::new();
    let mut work = vec![(0, State::default())];
    let mut found: BTreeMap<usize, Hazard> = BTreeMap::new();
    while let Some((pc, state)) = work.pop() {
        let known = at_entry.get(&pc);
        let state = match known {
            Some(known) => {
                let merged = known.merge(&state);
                if merged == *known {
                    continue;
                }
                merged
            }
            None => state,
        };
        at_entry.insert(pc, state.clone());
        let Some(Ok((inst, count))) = words.get(pc..).map(decode) else {
            // Not an instruction: the lift reports it.
            continue;
        };
        let mut state = state;
        if let Err(rule) = step(&mut state, inst) {
            found.entry(pc).or_insert(Hazard {
                pc: 4 * pc as u32,
                word: words[pc],
                rule,
            });
        }
        for next in successors(inst, pc + count) {
            work.push((next, state.clone()));
        }
    }
    found.into_values().next().map_or(Ok(()), Err)
}

fn successors(inst: Inst, after: usize) -> Vec<usize> {
    let target = |simm16: u16| usize::try_from(after as i64 + i64::from(simm16 as i16)).ok();
    match inst {
        Inst::Sopp(w) => match w.op.sem() {
            SemP::End | SemP::PortHalt => vec![],
            SemP::Branch(Condition::Always) => target(w.simm16).into_iter().collect(),
            SemP::Branch(_) => target(w.simm16).into_iter().chain([after]).collect(),
            _ => vec![after],
        },
        Inst::Sopk(w, _) if w.op.sem() == SemK::Fork => {
            target(w.simm16).into_iter().chain([after]).collect()
        }
        Inst::Sop1(w, _)
            if matches!(w.op.sem(), Sem::SetPc | Sem::SwapPc | Sem::ReturnFromTrap) =>
        {
            vec![]
        }
        _ => vec![after],
    }
}

/// Checks an instruction against what is pending, then adds what it leaves pending.
fn step(state: &mut State, inst: Inst) -> Result<(), Rule> {
    if let Inst::Sopp(w) = inst {
        match w.op.sem() {
            SemP::Wait => {
                state.wait(w.simm16);
                state.pass(1);
                return Ok(());
            }
            SemP::Nothing if w.op == super::scalar::SoppOp::S_NOP => {
                state.pass(1 + (w.simm16 & 7) as u8);
                return Ok(());
            }
            _ => {}
        }
    }
    let effects = Effects::of(inst);
    let checked =
        check_pending(state, inst, &effects).and_then(|()| state.check_states(inst, &effects));
    state.pass(1);
    issue(state, inst, &effects);
    checked
}

fn check_pending(state: &State, inst: Inst, effects: &Effects) -> Result<(), Rule> {
    for set in [
        effects.reads,
        effects.reads_late,
        effects.writes,
        effects.writes_late,
    ] {
        for register in set.vectors() {
            let pending = &state.vectors[usize::from(register)];
            // Loads return in order among themselves, so a load may follow a load to the same register.
            let same_kind = set == effects.writes_late;
            if pending.vm.is_some() && !(same_kind && is_vector_memory(inst)) {
                return Err(Rule::VectorPending {
                    register,
                    counter: "vmcnt",
                });
            }
            if pending.lgkm.is_some() && !(same_kind && matches!(inst, Inst::Ds(_))) {
                return Err(Rule::VectorPending {
                    register,
                    counter: "lgkmcnt",
                });
            }
        }
        if let Some(register) = set
            .scalars()
            .find(|r| state.scalars[usize::from(*r)].is_some())
        {
            return Err(Rule::ScalarPending { register });
        }
    }
    for set in [effects.writes, effects.writes_late] {
        if let Some(register) = set
            .vectors()
            .find(|r| state.vectors[usize::from(*r)].exp.is_some())
        {
            return Err(Rule::Overwritten { register });
        }
    }
    if effects.writes.has_scalar(EXEC) && state.export.is_some() {
        return Err(Rule::ExecPending);
    }
    Ok(())
}

fn is_vector_memory(inst: Inst) -> bool {
    matches!(inst, Inst::Mubuf(_) | Inst::Mtbuf(_) | Inst::Mimg(_))
}

fn issue(state: &mut State, inst: Inst, effects: &Effects) {
    match inst {
        Inst::Mubuf(_) | Inst::Mtbuf(_) | Inst::Mimg(_) => {
            let stores = effects.reads_late.vectors().next().is_some();
            state.issue_vector_memory(effects, stores);
        }
        Inst::Ds(w) => state.issue_share(effects, w.gds),
        Inst::Smrd(_) => state.issue_scalar_load(effects),
        Inst::Sopp(w) if matches!(w.op.sem(), SemP::Port) => state.issue_message(),
        Inst::Exp(_) => state.issue_export(effects),
        _ => {}
    }
    let vector = matches!(
        inst,
        Inst::Vop1(..) | Inst::Vop2(..) | Inst::Vopc(..) | Inst::Vop3a(_) | Inst::Vop3b(_)
    );
    if vector {
        state.since.vector_wrote(effects.writes);
    }
    match inst {
        Inst::Sopk(w, _) if matches!(w.op.sem(), SemK::SetReg | SemK::SetRegLiteral) => {
            state.since.set_register(w.simm16)
        }
        Inst::Sopc(w, _) if w.op == SopcOp::S_SETVSKIP => state.since.set_skip = Late::NOW,
        _ => {}
    }
}

/// Whether a vector instruction reads EXECZ or VCCZ as data.
fn reads_zero_bit(inst: Inst) -> bool {
    let codes = match inst {
        Inst::Vop1(w, _) => [w.src0, 0, 0],
        Inst::Vop2(w, _) => [w.src0, 0, 0],
        Inst::Vopc(w, _) => [w.src0, 0, 0],
        Inst::Vop3a(w) => [w.src0, w.src1, w.src2],
        Inst::Vop3b(w) => [w.src0, w.src1, w.src2],
        _ => return false,
    };
    codes
        .iter()
        .any(|c| matches!(*c, super::operand::VCCZ | super::operand::EXECZ))
}

/// The operation of a vector ALU instruction.
fn vector_op(inst: Inst) -> Option<VectorOp> {
    match inst {
        Inst::Vop1(w, _) => Some(VectorOp::One(w.op)),
        Inst::Vop2(w, _) => Some(VectorOp::Two(w.op)),
        Inst::Vopc(w, _) => Some(VectorOp::Compare(w.op)),
        Inst::Vop3a(w) => Some(w.op),
        Inst::Vop3b(w) => Some(w.op),
        _ => None,
    }
}

/// Scalars that V_READLANE and V_WRITELANE take the lane number from.
fn lane_select(inst: Inst) -> Option<u16> {
    match inst {
        // In VOP2 the field of the second source holds a scalar code for these two.
        Inst::Vop2(w, _) => Some(u16::from(w.vsrc1)),
        Inst::Vop3a(w) => Some(w.src1),
        _ => None,
    }
    .filter(|code| *code < 128 && *code != u16::from(VCC) + 2)
}

#[cfg(test)]
mod tests;
