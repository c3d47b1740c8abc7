//! What the stack holds at every instruction, found without running the program.

use std::collections::HashSet;

use super::cf::{AluClauseSem, CfSem};
use super::program::{Cf, Program};

/// Pairs of instruction and stack contents that are followed.
const MAX_STATES: usize = 1 << 14;
/// Entries that a stack may have while it is followed.
const MAX_ENTRIES: usize = 256;

/// A kind of stack entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    /// Active lanes: a sub-entry.
    Mask,
    /// All lane state: an entry.
    Full,
    /// Lane and loop state: an entry.
    Loop,
    /// Return address: a sub-entry.
    Return(u32),
}

/// Why a program's use of the stack is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StackFault {
    /// A pop from an empty stack.
    #[error("pops more than the stack holds")]
    Underflow,
    /// A pop of an entry that a loop or call made.
    #[error("pops an entry that a loop or a call has made")]
    Crossing,
    /// LOOP_END, LOOP_BREAK or LOOP_CONTINUE without a loop.
    #[error("there is no loop that it could belong to")]
    NoLoop,
    /// ELSE without pushed lane state.
    #[error("the top of the stack is no pushed lane state")]
    NoPush,
    /// RETURN without a call.
    #[error("the top of the stack is no call")]
    NoCall,
    /// The program ends with something on the stack.
    #[error("the program ends with {entries} entries on the stack")]
    LeftOver {
        /// Entries left.
        entries: usize,
    },
    /// Control passes the last instruction.
    #[error("control passes the last control-flow instruction")]
    RanOff,
    /// An instruction is reached with stacks of different depth.
    #[error("the stack holds {one} or {other} entries here, depending on the way taken")]
    Inconsistent {
        /// Entries on one way.
        one: usize,
        /// Entries on another.
        other: usize,
    },
    /// The stack grows without end.
    #[error("the stack grows beyond {MAX_ENTRIES} entries")]
    Endless,
    /// More entries than the hardware was given.
    #[error("the stack needs {needed} entries, {size} are there")]
    Size {
        /// Entries needed.
        needed: u32,
        /// Entries there.
        size: u32,
    },
}

/// A wrong use of the stack, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("instruction {cf}: {fault}")]
pub struct StackError {
    /// Index of the control-flow instruction.
    pub cf: u32,
    /// What is wrong.
    pub fault: StackFault,
}

/// Pops mask entries.
fn pop(stack: &mut Vec<Entry>, count: u8) -> Result<(), StackFault> {
    for _ in 0..count {
        match stack.pop() {
            Some(Entry::Mask | Entry::Full) => {}
            Some(Entry::Loop | Entry::Return(_)) => return Err(StackFault::Crossing),
            None => return Err(StackFault::Underflow),
        }
    }
    Ok(())
}

type State = (u32, Vec<Entry>);

/// The states after an instruction.
fn successors(
    program: &Program,
    cf: &Cf,
    at: u32,
    stack: &[Entry],
) -> Result<Vec<State>, StackFault> {
    let mut next = stack.to_vec();
    let in_loop = stack.iter().rposition(|entry| *entry == Entry::Loop);
    let on_mask = |stack: &[Entry]| match stack.last() {
        Some(Entry::Mask | Entry::Full) => Ok(()),
        _ => Err(StackFault::NoPush),
    };
    let mut ways = Vec::with_capacity(2);
    let inst = match cf {
        Cf::Alu { head, .. } => {
            match head.op.sem() {
                AluClauseSem::Plain => {}
                AluClauseSem::PushBefore | AluClauseSem::ElseAfter => next.push(Entry::Mask),
                AluClauseSem::PopAfter(count) => pop(&mut next, count)?,
                AluClauseSem::Break | AluClauseSem::Continue => {
                    in_loop.ok_or(StackFault::NoLoop)?;
                }
            }
            return Ok(vec![(at + 1, next)]);
        }
        Cf::Fetch { .. } | Cf::Export(_) | Cf::Memory(_) => return Ok(vec![(at + 1, next)]),
        Cf::Flow(inst) => inst,
    };
    // The stack where the instruction jumps.
    let mut jump = stack.to_vec();
    let entry = if inst.whole_quad_mode {
        Entry::Full
    } else {
        Entry::Mask
    };
    match inst.op.sem() {
        CfSem::Nop | CfSem::Tex | CfSem::Vtx | CfSem::CallFs | CfSem::Emit { .. } => {}
        CfSem::Kill => ways.push((inst.addr, jump)),
        CfSem::Jump => {
            pop(&mut jump, inst.pop_count)?;
            ways.push((inst.addr, jump));
        }
        CfSem::Push => {
            pop(&mut jump, inst.pop_count)?;
            ways.push((inst.addr, jump));
            next.push(entry);
        }
        CfSem::PushElse => {
            next.push(entry);
            ways.push((inst.addr, next.clone()));
        }
        CfSem::Pop => pop(&mut next, inst.pop_count)?,
        CfSem::Else => {
            on_mask(stack)?;
            pop(&mut jump, inst.pop_count)?;
            ways.push((inst.addr, jump));
        }
        CfSem::LoopStart(_) => {
            pop(&mut jump, inst.pop_count)?;
            let after = program.after_loop(inst, at);
            ways.push((after, jump));
            next.push(Entry::Loop);
        }
        CfSem::LoopEnd => {
            if next.pop() != Some(Entry::Loop) {
                return Err(StackFault::NoLoop);
            }
            ways.push((inst.addr, jump));
        }
        CfSem::Break | CfSem::Continue => {
            let level = in_loop.ok_or(StackFault::NoLoop)?;
            jump.truncate(level + 1);
            ways.push((inst.addr, jump));
        }
        CfSem::Call => {
            jump.push(Entry::Return(at + 1));
            ways.push((inst.addr, jump));
        }
        CfSem::Return => {
            let Some(Entry::Return(to)) = next.pop() else {
                return Err(StackFault::NoCall);
            };
            return Ok(vec![(to, next)]);
        }
    }
    ways.push((at + 1, next));
    Ok(ways)
}

/// Entries of the stack that a program needs in waves of 64 lanes, as STACK_SIZE counts them, or what is wrong with its
/// use. [R600 3.6.5]
pub fn stack_size(program: &Program) -> Result<u32, StackError> {
    let mut seen: HashSet<State> = HashSet::new();
    let mut depths: Vec<Option<usize>> = vec![None; program.cf.len()];
    let mut work: Vec<State> = vec![(0, Vec::new())];
    let mut needed = 0;
    while let Some((at, stack)) = work.pop() {
        let wrong = |fault| StackError { cf: at, fault };
        if seen.contains(&(at, stack.clone())) {
            continue;
        }
        let Some(cf) = program.cf.get(at as usize) else {
            return Err(wrong(StackFault::RanOff));
        };
        if stack.len() > MAX_ENTRIES || seen.len() >= MAX_STATES {
            return Err(wrong(StackFault::Endless));
        }
        // A subroutine may be called at different depths; what lies above its call may not differ.
        let call = stack
            .iter()
            .rposition(|entry| matches!(entry, Entry::Return(_)));
        let own = stack.len() - call.map_or(0, |at| at + 1);
        match depths[at as usize] {
            Some(other) if other != own => {
                return Err(wrong(StackFault::Inconsistent {
                    one: other,
                    other: own,
                }));
            }
            _ => depths[at as usize] = Some(own),
        }
        let ways = successors(program, cf, at, &stack).map_err(wrong)?;
        for (_, stack) in &ways {
            needed = needed.max(size(stack));
        }
        if cf.ends() {
            if let Some((_, stack)) = ways.last().filter(|(_, stack)| !stack.is_empty()) {
                let entries = stack.len();
                return Err(wrong(StackFault::LeftOver { entries }));
            }
        } else {
            work.extend(ways);
        }
        seen.insert((at, stack));
    }
    Ok(needed)
}

/// Entries that a stack takes: whole ones, and four sub-entries each, of which two are extra when anything is pushed.
fn size(stack: &[Entry]) -> u32 {
    let count = |test: fn(&Entry) -> bool| stack.iter().filter(|entry| test(entry)).count() as u32;
    let whole = count(|entry| matches!(entry, Entry::Full | Entry::Loop));
    let subs = count(|entry| matches!(entry, Entry::Mask | Entry::Return(_)));
    let pushed = count(|entry| matches!(entry, Entry::Full | Entry::Mask)) > 0;
    whole + (subs + if pushed { 2 } else { 0 }).div_ceil(4)
}
