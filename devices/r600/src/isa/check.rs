//! Rules of the hardware that decoding does not see: what a compiler must not write.
//!
//! [`check`] looks at a whole program. The emulated machine runs programs that break most of these rules, with the
//! meaning that is documented at the rule; the assembler and strict runs refuse them.

use lanes::LaneOp::{SarOver, ShlOver, ShrOver};

use super::alu::{Sem, Units};
use super::cf::{AluHead, CfSem, Flow};
use super::export::Memory;
use super::group::{Group, Operand, Source, Unit};
use super::ports::{PortError, check_ports};
use super::program::{Cf, EncodeError, Program};
use super::stack::{StackError, StackFault, stack_size};
use super::words::{Cond, Export, IndexMode, KcacheMode, Omod};
use crate::sx::Target;

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// In a group of an ALU clause.
    #[error("instruction {cf}, group {group}: {rule}")]
    Group {
        /// Index of the control-flow instruction.
        cf: usize,
        /// Index of the group in its clause.
        group: usize,
        /// What is wrong.
        rule: GroupRule,
    },
    /// In a control-flow instruction.
    #[error("instruction {cf}: {rule}")]
    Flow {
        /// Index of the control-flow instruction.
        cf: usize,
        /// What is wrong.
        rule: FlowRule,
    },
    /// Of the stack.
    #[error(transparent)]
    Stack(#[from] StackError),
}

/// Rules of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupRule {
    /// Read ports.
    #[error(transparent)]
    Ports(#[from] PortError),
    /// A constant outside the locked lines. It reads as 0.
    #[error("KC{group}[{index}] is not locked: {locked} constants are")]
    Unlocked {
        /// Lock group.
        group: u8,
        /// Constant.
        index: u8,
        /// Constants that are locked.
        locked: u16,
    },
    /// A locked constant indexed by the address register.
    #[error("locked constants cannot be indexed by AR")]
    KcacheIndex,
    /// PV or PS in the first group of a clause. They hold what the clause before left.
    #[error("PV and PS are undefined in the first group of a clause")]
    NoPrevious,
    /// AR before a MOVA of the clause.
    #[error("AR is used before the clause writes it")]
    NoAddress,
    /// AR used beside a MOVA.
    #[error("AR is used in the group that writes it")]
    AddressAtOnce,
    /// A clause that writes AR without USES_WATERFALL.
    #[error("the clause writes AR and does not set USES_WATERFALL")]
    Waterfall,
    /// More than one instruction that sets a predicate or kills.
    #[error("{count} instructions of a group set predicates or kill, 1 is possible")]
    Predicates {
        /// Instructions found.
        count: usize,
    },
    /// UPDATE_PRED or UPDATE_EXECUTE_MASK without a predicate.
    #[error("{op} sets no predicate that could be kept")]
    NoPredicate {
        /// Mnemonic.
        op: &'static str,
    },
    /// A kill that is not in the last group of its clause.
    #[error("a kill must be in the last group of its clause")]
    KillBefore,
    /// A reduction that does not take all four vector slots, or does not do the same in each.
    #[error("{op} must take all four vector slots with the same OMOD and CLAMP")]
    Reduction {
        /// Mnemonic.
        op: &'static str,
    },
    /// OMOD or CLAMP on an integer. They act on the bits as a float.
    #[error("{op} gives no float that OMOD or CLAMP could change")]
    IntegerModifier {
        /// Mnemonic.
        op: &'static str,
    },
    /// An operand select that means nothing. It reads as 0.
    #[error("operand select {sel} is not defined")]
    Select {
        /// SRC_SEL.
        sel: u16,
    },
    /// An instruction for Trans in a vector unit whose group has another for Trans.
    #[error("{op} runs on Trans only, which another instruction takes")]
    TransOnly {
        /// Mnemonic.
        op: &'static str,
    },
}

/// Rules of control-flow instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlowRule {
    /// A condition on an instruction that does not branch. It counts.
    #[error("{op} does not branch and must have COND = ACTIVE")]
    Condition {
        /// Mnemonic.
        op: &'static str,
    },
    /// Both pixel modes. Whole-quad mode wins.
    #[error("WHOLE_QUAD_MODE and VALID_PIXEL_MODE exclude each other")]
    Modes,
    /// An export to nowhere.
    #[error("{kind} target {at} does not exist")]
    Target {
        /// Type.
        kind: &'static str,
        /// ARRAY_BASE.
        at: u16,
    },
    /// A read of memory that can only be written.
    #[error("{op} cannot read")]
    WriteOnly {
        /// Mnemonic.
        op: &'static str,
    },
    /// Scratch and reduction memory in elements other than four words.
    #[error("{op} must have ELEM_SIZE = 3, not {elem_size}")]
    ElementSize {
        /// Mnemonic.
        op: &'static str,
        /// ELEM_SIZE.
        elem_size: u8,
    },
}

impl Illegal {
    /// Index of the control-flow instruction.
    pub fn cf(&self) -> Option<usize> {
        match self {
            Illegal::Group { cf, .. } | Illegal::Flow { cf, .. } => Some(*cf),
            Illegal::Stack(error) => Some(error.cf as usize),
        }
    }
}

impl EncodeError {
    /// Index of the control-flow instruction, if the error is one's.
    pub fn cf(&self) -> Option<usize> {
        match self {
            EncodeError::Group { cf, .. }
            | EncodeError::ClauseSize { cf, .. }
            | EncodeError::Overlap { cf, .. }
            | EncodeError::Alignment { cf, .. } => Some(*cf),
            EncodeError::TooLong => None,
        }
    }
}

/// The first broken rule of a program. That its control flow has an end is not asked.
pub fn check(program: &Program) -> Result<(), Illegal> {
    for (cf, found) in program.cf.iter().enumerate() {
        let rule = match found {
            Cf::Flow(inst) | Cf::Fetch { head: inst, .. } => flow(inst),
            Cf::Export(inst) => export(inst),
            Cf::Memory(inst) => memory(inst),
            Cf::Alu { head, groups } => {
                // Who writes later numbers does not know the flag.
                let head = AluHead {
                    uses_waterfall: head.uses_waterfall || program.later_mova,
                    ..*head
                };
                clause(&head, groups).map_err(|(group, rule)| Illegal::Group {
                    cf,
                    group,
                    rule,
                })?;
                Ok(())
            }
        };
        rule.map_err(|rule| Illegal::Flow { cf, rule })?;
    }
    match stack_size(program) {
        Err(error) if error.fault != StackFault::RanOff => Err(error.into()),
        _ => Ok(()),
    }
}

fn modes(whole_quads: bool, valid: bool) -> Result<(), FlowRule> {
    match whole_quads && valid {
        true => Err(FlowRule::Modes),
        false => Ok(()),
    }
}

fn flow(inst: &Flow) -> Result<(), FlowRule> {
    modes(inst.whole_quad_mode, inst.valid_pixel_mode)?;
    let op = inst.op.name();
    let branches = !matches!(
        inst.op.sem(),
        CfSem::Nop | CfSem::Tex | CfSem::Vtx | CfSem::Return | CfSem::Emit { .. }
    );
    match inst.cond != Cond::Active && !branches {
        true => Err(FlowRule::Condition { op }),
        false => Ok(()),
    }
}

fn export(inst: &Export) -> Result<(), FlowRule> {
    modes(inst.whole_quad_mode, inst.valid_pixel_mode)?;
    for n in 0..=u16::from(inst.burst_count) {
        let at = inst.array_base + n;
        let kind = inst.kind.name();
        Target::new(inst.kind, at).ok_or(FlowRule::Target { kind, at })?;
    }
    Ok(())
}

fn memory(inst: &Memory) -> Result<(), FlowRule> {
    modes(inst.whole_quad_mode, inst.valid_pixel_mode)?;
    let (op, space) = (inst.op.name(), inst.op.sem());
    if inst.reads() && !space.readable() {
        return Err(FlowRule::WriteOnly { op });
    }
    let elem_size = inst.elem_size;
    match space.readable() && elem_size != 3 {
        true => Err(FlowRule::ElementSize { op, elem_size }),
        false => Ok(()),
    }
}

fn clause(head: &AluHead, groups: &[Group]) -> Result<(), (usize, GroupRule)> {
    let mut addressed = false;
    for (at, group) in groups.iter().enumerate() {
        let last = at + 1 == groups.len();
        let rule = rules(head, group, at == 0, last, addressed);
        rule.map_err(|rule| (at, rule))?;
        addressed |= group.insts().any(|(_, inst)| inst.facts().is_mova());
    }
    Ok(())
}

fn rules(
    head: &AluHead,
    group: &Group,
    first: bool,
    last: bool,
    addressed: bool,
) -> Result<(), GroupRule> {
    let facts = || group.insts().map(|(_, inst)| (inst, inst.facts()));
    let mova = facts().any(|(_, facts)| facts.is_mova());
    if mova && !head.uses_waterfall {
        return Err(GroupRule::Waterfall);
    }
    let predicates = facts().filter(|(_, facts)| facts.is_predicate() || facts.is_kill());
    let count = predicates.count();
    if count > 1 {
        return Err(GroupRule::Predicates { count });
    }
    if !last && facts().any(|(_, facts)| facts.is_kill()) {
        return Err(GroupRule::KillBefore);
    }
    for (unit, inst) in group.insts() {
        let (op, facts) = (inst.op.name(), inst.facts());
        if (inst.update_pred || inst.update_execute_mask) && !facts.is_predicate() {
            return Err(GroupRule::NoPredicate { op });
        }
        // Compilers put shifts into vector units, beside others on Trans. [ERRATA 22]
        let shift = matches!(facts.sem, Sem::Alu(ShlOver | ShrOver | SarOver));
        if facts.units == Units::Trans && unit != Unit::Trans && !shift {
            let trans = &group.slots[Unit::Trans as usize];
            if trans.is_some_and(|other| other.facts().units == Units::Trans) {
                return Err(GroupRule::TransOnly { op });
            }
        }
        if (inst.omod != Omod::Off || inst.clamp) && !facts.gives_float() {
            return Err(GroupRule::IntegerModifier { op });
        }
        if facts.is_reduction() {
            let same = group.slots[..4].iter().all(|slot| {
                slot.is_some_and(|other| {
                    (other.op, other.omod, other.clamp) == (inst.op, inst.omod, inst.clamp)
                })
            });
            if !same {
                return Err(GroupRule::Reduction { op });
            }
        }
        let by_address = inst.index_mode != IndexMode::Loop;
        let relative = inst.dst_rel || inst.sources().iter().any(|operand| operand.rel);
        if relative && by_address {
            if mova {
                return Err(GroupRule::AddressAtOnce);
            }
            if !addressed {
                return Err(GroupRule::NoAddress);
            }
        }
        for operand in inst.sources() {
            source(head, operand, first, by_address)?;
        }
    }
    Ok(check_ports(group)?)
}

fn source(
    head: &AluHead,
    operand: &Operand,
    first: bool,
    by_address: bool,
) -> Result<(), GroupRule> {
    match operand.source() {
        None => Err(GroupRule::Select { sel: operand.sel }),
        Some(Source::Pv | Source::Ps) if first => Err(GroupRule::NoPrevious),
        Some(Source::Kcache { group, index }) => {
            let lock = head.locks()[usize::from(group)];
            if operand.rel && by_address {
                return Err(GroupRule::KcacheIndex);
            }
            let locked = lock.constants();
            match u16::from(index) < locked && lock.mode != KcacheMode::Nop {
                true => Ok(()),
                false => Err(GroupRule::Unlocked {
                    group,
                    index,
                    locked,
                }),
            }
        }
        _ => Ok(()),
    }
}
