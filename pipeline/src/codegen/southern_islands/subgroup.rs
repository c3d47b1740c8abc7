//! What the lanes of a wave tell each other. In: operations of the SSA. Out: scalar masks, V_READLANE, DS_SWIZZLE_B32.
//!
//! A value that other lanes read is copied, under a full mask, to a register in which lanes that take no part have what
//! the operation needs there. Such registers are written in lanes that are off, so nothing else has them.

use southern_islands::isa::scalar::{Sop1Op, Sop2Op, SopcOp};
use southern_islands::isa::vector::{VectorOp, Vop2Op};

use super::machine::{EXEC, Inst, Modifiers, Op, Operand};
use super::select::Select;
use super::{spill, table};
use crate::codegen::Result;
use crate::ir::{
    Builtin, Inst as IrInst, LaneOp, Op as IrOp, SubgroupOp, Value, exclusive_start, identity,
};

/// Lanes of a wave.
pub(super) const LANES: u32 = 64;
const LAST_LANE: u32 = LANES - 1;
const EXECUTED: Operand = Operand::Code(EXEC);

/// Lanes whose bit `step` is set, of 32.
fn upper(step: u32) -> u32 {
    (0..32).fold(0, |mask, lane| mask | (lane >> step & 1) << lane)
}

impl Select<'_> {
    /// Whether the function has operations of subgroups.
    pub(super) fn has_subgroups(&self) -> bool {
        let mut insts = self.function.insts();
        insts.any(|inst| matches!(inst.op, IrOp::Subgroup(_)))
    }

    /// Selects an operation.
    pub(super) fn subgroup(&mut self, op: SubgroupOp, inst: &IrInst) -> Result<()> {
        let result = inst.results[0];
        match op {
            SubgroupOp::Ballot => {
                let mask = self.mask(inst.args[0]);
                let part = self.part();
                let lanes = self.code.scalar(2);
                self.scalar2(Sop2Op::S_AND_B64, lanes, mask, part);
                self.define(result, lanes.word(0));
                self.define(inst.results[1], lanes.word(1));
            }
            SubgroupOp::First => {
                let value = self.word(inst.args[0]);
                let word = match self.entry.live {
                    _ if !value.is_vector() => value,
                    None => self.in_scalar(value),
                    Some(_) => {
                        let part = self.part();
                        let all = self.whole(0, value, part, 0);
                        let first = self.code.scalar(1);
                        self.scalar1(Sop1Op::S_FF1_I32_B64, first, part);
                        self.lane(all, first)
                    }
                };
                self.define(result, word);
            }
            SubgroupOp::Shuffle => return self.shuffle(inst),
            SubgroupOp::Quad(pattern) => {
                let value = self.vector_word(inst.args[0]);
                let dst = self.quad(value, pattern.map(u16::from));
                self.define(result, dst);
            }
            SubgroupOp::Exclusive(LaneOp::IAdd) if self.defs.constant(inst.args[0]) == Some(1) => {
                let part = self.part();
                let count = self.lanes_below(part);
                self.define(result, count);
            }
            SubgroupOp::Reduce(op) => {
                let sums = self.scan(op, inst, false);
                let last = self.lane(sums, Operand::Const(LAST_LANE));
                self.define(result, last);
            }
            SubgroupOp::Inclusive(op) => {
                let sums = self.scan(op, inst, false);
                let own = self.vector_copy(sums);
                self.define(result, own);
            }
            SubgroupOp::Exclusive(op) => {
                let sums = self.scan(op, inst, true);
                let own = self.vector_copy(sums);
                self.define(result, own);
            }
        }
        Ok(())
    }

    /// Lanes that take part: those that are here and no helpers, or all that are here if there are only helpers.
    fn part(&mut self) -> Operand {
        let Some(live) = self.entry.live else {
            return EXECUTED;
        };
        let part = self.code.mask();
        self.scalar2(Sop2Op::S_AND_B64, part, EXECUTED, live);
        self.scalar2(Sop2Op::S_CSELECT_B64, part, part, EXECUTED);
        part
    }

    /// How many lanes of a mask are below each lane.
    fn lanes_below(&mut self, mask: Operand) -> Operand {
        let half = |mask: Operand, at: u32| match mask {
            Operand::Code(code) => Operand::Code(code + at as u16),
            register => register.word(at),
        };
        let zero = Operand::Const(0);
        let low = self.count_below(Vop2Op::V_MBCNT_LO_U32_B32, half(mask, 0), zero);
        self.count_below(Vop2Op::V_MBCNT_HI_U32_B32, half(mask, 1), low)
    }

    fn count_below(&mut self, op: Vop2Op, mask: Operand, onto: Operand) -> Operand {
        self.compute(VectorOp::Two(op), &[mask, onto])
    }

    /// Number of each lane.
    pub(super) fn lane_number(&mut self) -> Operand {
        self.lanes_below(Operand::Const(u32::MAX))
    }

    /// One of the registers that are written in all lanes.
    fn shared_row(&mut self, at: usize) -> Operand {
        while self.entry.whole_rows.len() <= at {
            let row = self.code.vector(1);
            if let Some(group) = self.code.groups.last_mut() {
                group.keep = true;
            }
            self.entry.whole_rows.push(row);
        }
        self.entry.whole_rows[at]
    }

    /// To be called when all code is there.
    pub(super) fn hold_whole_rows(&mut self) {
        let rows = std::mem::take(&mut self.entry.whole_rows);
        if !rows.is_empty() {
            spill::hold(&mut self.code, &rows);
        }
    }

    fn set_exec(&mut self, mask: Operand) {
        self.scalar1(Sop1Op::S_MOV_B64, EXECUTED, mask);
    }

    /// The value in the lanes of `part`, and `fill` in all others.
    fn whole(&mut self, at: usize, value: Operand, part: Operand, fill: u32) -> Operand {
        let row = self.shared_row(at);
        let here = self.code.mask();
        self.scalar1(Sop1Op::S_MOV_B64, here, EXECUTED);
        self.set_exec(Operand::Const(u32::MAX));
        self.vector_move(row, Operand::Const(fill));
        self.set_exec(if part == EXECUTED { here } else { part });
        self.vector_move(row, value);
        if part != EXECUTED {
            self.set_exec(here);
        }
        row
    }

    /// What a register holds in a lane.
    fn lane(&mut self, row: Operand, lane: Operand) -> Operand {
        let word = self.code.scalar(1);
        let read = Op::Vector(VectorOp::Two(Vop2Op::V_READLANE_B32));
        self.push(Inst::new(read, Some(word), vec![row, lane]));
        word
    }

    /// What a lane number is the own one changed by, where DS_SWIZZLE reaches that: among 32 lanes.
    fn swapped_by(&self, lane: Value) -> Option<u32> {
        let (LaneOp::Xor, &[a, b]) = self.defs.alu(lane)? else {
            return None;
        };
        let own = |value: Value| {
            let inst = self.defs.inst(value);
            inst.is_some_and(|inst| inst.op == IrOp::Builtin(Builtin::SubgroupInvocation))
        };
        let other = match (own(a), own(b)) {
            (true, _) => b,
            (_, true) => a,
            _ => return None,
        };
        self.defs.constant(other).filter(|by| *by < 32)
    }

    fn shuffle(&mut self, inst: &IrInst) -> Result<()> {
        let value = self.word(inst.args[0]);
        if let Some(by) = self.swapped_by(inst.args[1]) {
            let from = match self.entry.live {
                None => self.in_vector(value),
                Some(_) => {
                    let part = self.part();
                    self.whole(0, value, part, 0)
                }
            };
            let dst = self.code.vector(1);
            // All bits of the lane's number, changed; sources that are off give zero. [SI 9.3 DS_SWIZZLE]
            let pattern = Op::Swizzle(31 | (by as u16) << 10);
            self.push(Inst::new(pattern, Some(dst), vec![from]));
            self.define(inst.results[0], dst);
            return Ok(());
        }
        let part = self.part();
        let all = self.whole(0, value, part, 0);
        if !self.structure.is_divergent(inst.args[1]) {
            let lane = self.scalar_word(inst.args[1]);
            let word = match lane {
                Operand::Const(lane) if lane < LANES => self.lane(all, Operand::Const(lane)),
                Operand::Const(_) => Operand::Const(0),
                lane => self.lane_or_zero(all, lane),
            };
            self.define(inst.results[0], word);
            return Ok(());
        }
        let lanes = self.vector_word(inst.args[1]);
        let dst = self.code.vector(1);
        self.for_each_value(lanes, &mut |select, lane| {
            let word = select.lane_or_zero(all, lane);
            select.vector_move(dst, word);
            Ok(())
        })?;
        self.define(inst.results[0], dst);
        Ok(())
    }

    /// What a register holds in a lane, zero if there is no such lane. The scalar unit takes the number first, as
    /// V_READLANE must not follow what wrote it with the vector unit. [SI 4.5]
    fn lane_or_zero(&mut self, row: Operand, lane: Operand) -> Operand {
        let inside = self.code.scalar(1);
        self.scalar2(Sop2Op::S_AND_B32, inside, lane, Operand::Const(LAST_LANE));
        let word = self.lane(row, inside);
        self.scalar_compare(SopcOp::S_CMP_LT_U32, lane, Operand::Const(LANES));
        let found = self.code.scalar(1);
        self.scalar2(Sop2Op::S_CSELECT_B32, found, word, Operand::Const(0));
        found
    }

    /// Combined values up to each lane, or before it. Upper halves of runs of 2, 4, 8, 16, 32 and 64 lanes take what their
    /// lower half comes to.
    fn scan(&mut self, op: LaneOp, inst: &IrInst, exclusive: bool) -> Operand {
        let (Some(none), Some(code)) = (identity(op), table::vector(op)) else {
            debug_assert!(false, "{op:?} combines no values");
            return Operand::Const(0);
        };
        let value = self.word(inst.args[0]);
        let part = self.part();
        let sums = self.whole(0, value, part, none);
        let [lower, before] = [1, 2].map(|at| self.shared_row(at));
        let here = self.code.mask();
        self.scalar1(Sop1Op::S_MOV_B64, here, EXECUTED);
        self.set_exec(Operand::Const(u32::MAX));
        if exclusive {
            self.vector_move(before, Operand::Const(exclusive_start(op)));
        }
        let plain = Modifiers::default();
        let low = [EXEC, EXEC + 1].map(Operand::Code);
        for step in 0..LANES.ilog2() {
            let from = if step < 5 {
                // Lanes of an upper half read the last of their lower half.
                let keep = 31 & !((2 << step) - 1);
                let last = (1 << step) - 1;
                let pattern = Op::Swizzle(keep as u16 | (last as u16) << 5);
                self.push(Inst::new(pattern, Some(lower), vec![sums]));
                let mask = Operand::Const(upper(step));
                for half in low {
                    self.scalar1(Sop1Op::S_MOV_B32, half, mask);
                }
                lower
            } else {
                let last = self.lane(sums, Operand::Const(31));
                self.scalar1(Sop1Op::S_MOV_B32, low[0], Operand::Const(0));
                last
            };
            if exclusive {
                self.vector(code, before, &[from, before], plain);
            }
            self.vector(code, sums, &[from, sums], plain);
            self.set_exec(Operand::Const(u32::MAX));
        }
        self.set_exec(here);
        if exclusive { before } else { sums }
    }
}
