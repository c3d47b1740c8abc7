//! The memory of a workgroup: local data share, and where its waves wait for each other.
//!
//! In: loads, stores, atomics and barriers of the SSA. Out: DS instructions and S_BARRIER. Addresses outside of the share
//! read zero and write nothing; M0 does not limit them further. [SI 9.3]

use southern_islands::isa::memory::DsOp;
use southern_islands::isa::scalar::{Sop1Op, SoppOp};

use super::machine::{Inst, M0, Op, Operand};
use super::select::Select;
use super::spill::Array;
use super::wait;
use crate::ir::{AtomicOp, Inst as IrInst, Op as IrOp, Value};

/// M0 that limits no address.
const UNLIMITED: u32 = u32::MAX;
/// Words that a pair of offsets reaches.
const PAIR_REACH: u32 = 255;

/// A byte address: a register, and a constant part that the instruction adds.
#[derive(Clone, Copy)]
struct Place {
    register: Operand,
    offset: u32,
}

impl Select<'_> {
    /// Sets M0 for data share instructions, unless private arrays use it in between.
    pub(super) fn share_prologue(&mut self) {
        let function = self.function;
        let of_share = |op: &IrOp| {
            matches!(
                op,
                IrOp::LoadShared | IrOp::StoreShared | IrOp::AtomicShared(_)
            )
        };
        if !function.insts().any(|inst| of_share(&inst.op)) && !self.has_subgroups() {
            return;
        }
        let indexed = function.insts().any(|inst| match &inst.op {
            IrOp::LoadLocal(local) | IrOp::StoreLocal(local) => {
                let held = matches!(self.arrays[*local as usize], Array::Registers(_));
                held && self.defs.constant(inst.args[0]).is_none()
            }
            _ => false,
        });
        self.entry.shares_m0 = indexed;
        if !indexed {
            self.set_m0();
        }
    }

    fn set_m0(&mut self) {
        self.scalar1(
            Sop1Op::S_MOV_B32,
            Operand::Code(M0),
            Operand::Const(UNLIMITED),
        );
    }

    fn share_place(&mut self, address: Value, words: u32) -> Place {
        if self.entry.shares_m0 {
            self.set_m0();
        }
        // What the instruction adds does not wrap around, as a sum in the shader may: only constants go there.
        let reach = 4 * (PAIR_REACH + 1 - words);
        match self.word(address) {
            Operand::Const(bytes) if bytes < reach => Place {
                register: self.in_vector(Operand::Const(0)),
                offset: bytes,
            },
            word => Place {
                register: self.in_vector(word),
                offset: 0,
            },
        }
    }

    fn share(&mut self, op: DsOp, offsets: [u8; 2], dst: Option<Operand>, src: Vec<Operand>) {
        self.push(Inst::new(Op::Share(op, offsets), dst, src));
    }

    pub(super) fn load_shared(&mut self, inst: &IrInst) {
        let count = inst.results.len() as u32;
        let Place { register, offset } = self.share_place(inst.args[0], count);
        let first = offset / 4;
        for at in (0..count).step_by(2) {
            let word = first + at;
            if at + 1 == count {
                let dst = self.code.vector(1);
                let offset = (4 * word).to_le_bytes();
                self.share(
                    DsOp::DS_READ_B32,
                    [offset[0], offset[1]],
                    Some(dst),
                    vec![register],
                );
                self.define(inst.results[at as usize], dst);
            } else {
                let dst = self.code.vector(2);
                let offsets = [word as u8, word as u8 + 1];
                self.share(DsOp::DS_READ2_B32, offsets, Some(dst), vec![register]);
                for n in 0..2 {
                    self.define(inst.results[(at + n) as usize], dst.word(n));
                }
            }
        }
    }

    pub(super) fn store_shared(&mut self, inst: &IrInst) {
        let values = &inst.args[1..];
        let place = self.share_place(inst.args[0], values.len() as u32);
        let mut word = place.offset / 4;
        for pair in values.chunks(2) {
            let mut src = vec![place.register];
            for &value in pair {
                src.push(self.vector_word(value));
            }
            match pair.len() {
                1 => {
                    let offset = (4 * word).to_le_bytes();
                    self.share(DsOp::DS_WRITE_B32, [offset[0], offset[1]], None, src);
                }
                _ => {
                    let offsets = [word as u8, word as u8 + 1];
                    self.share(DsOp::DS_WRITE2_B32, offsets, None, src);
                }
            }
            word += 2;
        }
    }

    pub(super) fn atomic_shared(&mut self, op: AtomicOp, inst: &IrInst) {
        let Place { register, offset } = self.share_place(inst.args[0], 1);
        let [plain, returning] = share_codes(op);
        let result = inst.results[0];
        let read = self.structure.uses[result.0 as usize] > 0;
        // DS_CMPST takes the comparator first, unlike buffers and images. [SI 9.3]
        let operands = inst.args[1..].iter().rev();
        let mut src = vec![register];
        for &value in operands {
            src.push(self.vector_word(value));
        }
        let dst = read.then(|| self.code.vector(1));
        let op = if read { returning } else { plain };
        let dst = match (dst, op == returning) {
            // An exchange has no other form.
            (None, true) => Some(self.code.vector(1)),
            (dst, _) => dst,
        };
        let offset = offset.to_le_bytes();
        self.share(op, [offset[0], offset[1]], dst, src);
        if let Some(dst) = dst {
            self.define(result, dst);
        }
    }

    /// Waits for the other waves of the workgroup, behind everything that this one has stored.
    pub(super) fn barrier(&mut self) {
        self.fence();
        self.program(SoppOp::S_BARRIER, 0);
    }

    /// Waits for what was stored.
    pub(super) fn fence(&mut self) {
        self.program(SoppOp::S_WAITCNT, wait::EVERYTHING);
    }
}

/// Codes of an atomic operation without and with the old value.
fn share_codes(op: AtomicOp) -> [DsOp; 2] {
    use DsOp as D;
    match op {
        AtomicOp::Add => [D::DS_ADD_U32, D::DS_ADD_RTN_U32],
        AtomicOp::Sub => [D::DS_SUB_U32, D::DS_SUB_RTN_U32],
        AtomicOp::And => [D::DS_AND_B32, D::DS_AND_RTN_B32],
        AtomicOp::Or => [D::DS_OR_B32, D::DS_OR_RTN_B32],
        AtomicOp::Xor => [D::DS_XOR_B32, D::DS_XOR_RTN_B32],
        AtomicOp::IMin => [D::DS_MIN_I32, D::DS_MIN_RTN_I32],
        AtomicOp::IMax => [D::DS_MAX_I32, D::DS_MAX_RTN_I32],
        AtomicOp::UMin => [D::DS_MIN_U32, D::DS_MIN_RTN_U32],
        AtomicOp::UMax => [D::DS_MAX_U32, D::DS_MAX_RTN_U32],
        AtomicOp::Exchange => [D::DS_WRXCHG_RTN_B32; 2],
        AtomicOp::CompareExchange => [D::DS_CMPST_B32, D::DS_CMPST_RTN_B32],
    }
}
