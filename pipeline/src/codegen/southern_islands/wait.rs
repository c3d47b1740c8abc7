//! S_WAITCNT: results of memory instructions are waited for where they are read, and no earlier.
//!
//! Vector memory returns in order, so a count says how many younger operations may still be under way. Scalar loads
//! return in any order: only zero helps. Data of stores and exports may not be overwritten before they were read.
//! [SI 4.4, table 4.2: none of the other hazards can occur in code made here.]

use southern_islands::isa::scalar::SoppOp;

use super::machine::{EXEC, Inst, Op, Operand};

/// S_WAITCNT for everything that is under way.
pub(super) const EVERYTHING: u16 = 0;

/// Lane masks of the file sizes.
type Set = [u64; 4];

const NONE: u8 = u8::MAX;
/// Highest count that VM_CNT can be waited for and still means something.
const OLDEST: u8 = 14;

/// Registers of an operand: vector bank or not, first, count.
pub(super) type Registers = (bool, u16, u16);

/// What is under way.
#[derive(Clone, PartialEq)]
struct Pending {
    /// Per vector register, how many vector memory operations were begun after the one that will write it.
    age: [u8; 256],
    /// Vector registers that data share operations will write.
    local: Set,
    /// Scalar registers that scalar loads will write.
    scalar: Set,
    /// Vector registers that stores and exports will read.
    held: Set,
    /// An export is under way.
    export: bool,
}

impl Pending {
    fn none() -> Pending {
        Pending {
            age: [NONE; 256],
            local: [0; 4],
            scalar: [0; 4],
            held: [0; 4],
            export: false,
        }
    }

    fn join(&mut self, other: &Pending) -> bool {
        let before = self.clone();
        for (a, b) in self.age.iter_mut().zip(&other.age) {
            *a = (*a).min(*b);
        }
        for i in 0..4 {
            self.local[i] |= other.local[i];
            self.scalar[i] |= other.scalar[i];
            self.held[i] |= other.held[i];
        }
        self.export |= other.export;
        *self != before
    }
}

fn has(set: &Set, at: u16) -> bool {
    set[at as usize / 64] >> (at % 64) & 1 == 1
}

fn add(set: &mut Set, at: u16) {
    set[at as usize / 64] |= 1 << (at % 64);
}

/// Counts to wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wait {
    vector: u8,
    export: u8,
    local: u8,
}

const NO_WAIT: Wait = Wait {
    vector: 15,
    export: 7,
    local: 15,
};

impl Wait {
    fn encoded(self) -> u16 {
        u16::from(self.vector) | u16::from(self.export) << 4 | u16::from(self.local) << 8
    }
}

/// Code as waits need it: instructions of a block with the registers they touch, and where blocks go on.
pub(super) struct Flow<'a> {
    pub blocks: Vec<Vec<Inst>>,
    pub next: Vec<Vec<usize>>,
    pub registers: &'a dyn Fn(Operand) -> Registers,
}

/// Inserts waits into all blocks.
pub(super) fn insert(flow: &mut Flow<'_>) {
    let count = flow.blocks.len();
    let mut entry: Vec<Option<Pending>> = vec![None; count];
    if count == 0 {
        return;
    }
    entry[0] = Some(Pending::none());
    let mut work = vec![0];
    while let Some(b) = work.pop() {
        let Some(mut state) = entry[b].clone() else {
            continue;
        };
        for inst in &flow.blocks[b] {
            step(&mut state, inst, flow.registers);
        }
        for &next in &flow.next[b] {
            let changed = match &mut entry[next] {
                Some(old) => old.join(&state),
                slot => {
                    *slot = Some(state.clone());
                    true
                }
            };
            if changed && !work.contains(&next) {
                work.push(next);
            }
        }
    }
    for (b, start) in entry.into_iter().enumerate() {
        let mut state = start.unwrap_or_else(Pending::none);
        let mut out = Vec::with_capacity(flow.blocks[b].len());
        for inst in std::mem::take(&mut flow.blocks[b]) {
            let wait = step(&mut state, &inst, flow.registers);
            if wait != NO_WAIT {
                let op = Op::Program(SoppOp::S_WAITCNT, wait.encoded());
                out.push(Inst::new(op, None, Vec::new()));
            }
            out.push(inst);
        }
        flow.blocks[b] = out;
    }
}

/// The wait that an instruction needs; the state becomes that behind the instruction.
fn step(state: &mut Pending, inst: &Inst, registers: &dyn Fn(Operand) -> Registers) -> Wait {
    let mut wait = NO_WAIT;
    let mut touch = |operand: Operand, write: bool| {
        let (vector, first, count) = registers(operand);
        for at in first..first + count {
            if vector {
                let age = state.age[at as usize];
                if age != NONE {
                    wait.vector = wait.vector.min(age.min(OLDEST));
                }
                if has(&state.local, at) {
                    wait.local = 0;
                }
                if write && has(&state.held, at) {
                    wait.export = 0;
                }
            } else {
                if has(&state.scalar, at) {
                    wait.local = 0;
                }
                if write && at == EXEC && state.export {
                    wait.export = 0;
                }
            }
        }
    };
    for &operand in &inst.src {
        touch(operand, false);
    }
    for operand in [inst.dst, inst.dst2].into_iter().flatten() {
        touch(operand, true);
    }
    if inst.saves_exec() {
        touch(Operand::Code(EXEC), true);
    }
    if wait.vector < 15 {
        for age in &mut state.age {
            if *age != NONE && *age >= wait.vector {
                *age = NONE;
            }
        }
    }
    if wait.local == 0 {
        state.local = [0; 4];
        state.scalar = [0; 4];
    }
    if wait.export == 0 {
        state.held = [0; 4];
        state.export = false;
    }
    begin(state, inst, registers);
    wait
}

/// Notes what an instruction leaves under way.
fn begin(state: &mut Pending, inst: &Inst, registers: &dyn Fn(Operand) -> Registers) {
    let range = |operand: Operand| {
        let (_, first, count) = registers(operand);
        first..first + count
    };
    match inst.op {
        Op::ScalarLoad(_) => {
            for at in inst.dst.into_iter().flat_map(range) {
                add(&mut state.scalar, at);
            }
        }
        Op::Program(SoppOp::S_WAITCNT, EVERYTHING) => *state = Pending::none(),
        Op::Swizzle(_) | Op::Share(..) => {
            for at in inst.dst.into_iter().flat_map(range) {
                add(&mut state.local, at);
            }
        }
        Op::Buffer(_, _, shape) | Op::Image(_, _, shape) => {
            for age in &mut state.age {
                if *age != NONE {
                    *age = (*age + 1).min(NONE - 1);
                }
            }
            for at in inst.dst.into_iter().flat_map(range) {
                state.age[at as usize] = 0;
            }
            if let (true, Some(&data)) = (shape.data, inst.src.last()) {
                for at in range(data) {
                    add(&mut state.held, at);
                }
            }
        }
        Op::Export(_) => {
            state.export = true;
            for &operand in &inst.src {
                if operand.is_vector() {
                    for at in range(operand) {
                        add(&mut state.held, at);
                    }
                }
            }
        }
        _ => {}
    }
}
