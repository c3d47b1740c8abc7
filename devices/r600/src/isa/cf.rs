//! Control flow: the program's outermost instructions.

use isa::ops;

pub use super::words::{AluHead, Flow};
use super::words::{Cond, KcacheMode};

/// What a control-flow instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CfSem {
    /// Nothing.
    Nop,
    /// Runs a clause of texture fetches.
    Tex,
    /// Runs a clause of vertex fetches.
    Vtx,
    /// Enters a loop.
    LoopStart(LoopKind),
    /// Ends an iteration.
    LoopEnd,
    /// Lanes go to the end of the iteration.
    Continue,
    /// Lanes leave the loop.
    Break,
    /// Saves lane state, or jumps.
    Push,
    /// Saves lane state and inverts.
    PushElse,
    /// Restores lane state.
    Pop,
    /// Enters a subroutine.
    Call,
    /// Enters the fetch program.
    CallFs,
    /// Leaves a subroutine or the fetch program.
    Return,
    /// Jumps when no lane passes.
    Jump,
    /// Swaps the sides of a branch.
    Else,
    /// A vertex or the end of a strip is complete.
    Emit {
        /// A vertex is complete.
        vertex: bool,
        /// The strip ends.
        cut: bool,
    },
    /// Lanes become invalid.
    Kill,
}

/// The kinds of loop. LOOP_END serves all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopKind {
    /// Counted, with a loop index.
    Dx9,
    /// Not counted.
    Dx10,
    /// Counted, the loop index of the loop around it stays.
    NoAl,
}

use CfSem::*;

ops! {
    /// CF_DWORD1 CF_INST. [R600 7.1, 8.1]
    pub enum CfOp: CfSem {
        NOP              = 0  "NOP"              Nop;
        TEX              = 1  "TEX"              Tex;
        VTX              = 2  "VTX"              Vtx;
        VTX_TC           = 3  "VTX_TC"           Vtx;
        LOOP_START       = 4  "LOOP_START"       LoopStart(LoopKind::Dx9);
        LOOP_END         = 5  "LOOP_END"         LoopEnd;
        LOOP_START_DX10  = 6  "LOOP_START_DX10"  LoopStart(LoopKind::Dx10);
        LOOP_START_NO_AL = 7  "LOOP_START_NO_AL" LoopStart(LoopKind::NoAl);
        LOOP_CONTINUE    = 8  "LOOP_CONTINUE"    Continue;
        LOOP_BREAK       = 9  "LOOP_BREAK"       Break;
        PUSH             = 10 "PUSH"             Push;
        PUSH_ELSE        = 11 "PUSH_ELSE"        PushElse;
        POP              = 12 "POP"              Pop;
        CALL             = 13 "CALL"             Call;
        RETURN           = 14 "RETURN"           Return;
        CALL_FS          = 15 "CALL_FS"          CallFs;
        JUMP             = 16 "JUMP"             Jump;
        ELSE             = 17 "ELSE"             Else;
        EMIT_VERTEX      = 18 "EMIT_VERTEX"      Emit { vertex: true, cut: false };
        EMIT_CUT_VERTEX  = 19 "EMIT_CUT_VERTEX"  Emit { vertex: true, cut: true };
        CUT_VERTEX       = 20 "CUT_VERTEX"       Emit { vertex: false, cut: true };
        KILL             = 21 "KILL"             Kill;
    }
}

/// What happens around an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluClauseSem {
    /// Failing lanes become inactive.
    Plain,
    /// Lane state is saved before.
    PushBefore,
    /// This many entries are popped after.
    PopAfter(u8),
    /// Failing lanes go to the end of the iteration.
    Continue,
    /// Failing lanes leave the loop.
    Break,
    /// Lane state is saved before, ELSE follows.
    ElseAfter,
}

ops! {
    /// CF_ALU_DWORD1 CF_INST. [R600 7.1, 8.1]
    pub enum AluClauseOp: AluClauseSem {
        ALU             = 8  "ALU"             AluClauseSem::Plain;
        ALU_PUSH_BEFORE = 9  "ALU_PUSH_BEFORE" AluClauseSem::PushBefore;
        ALU_POP_AFTER   = 10 "ALU_POP_AFTER"   AluClauseSem::PopAfter(1);
        ALU_POP2_AFTER  = 11 "ALU_POP2_AFTER"  AluClauseSem::PopAfter(2);
        ALU_CONTINUE    = 13 "ALU_CONTINUE"    AluClauseSem::Continue;
        ALU_BREAK       = 14 "ALU_BREAK"       AluClauseSem::Break;
        ALU_ELSE_AFTER  = 15 "ALU_ELSE_AFTER"  AluClauseSem::ElseAfter;
    }
}

impl Flow {
    /// An instruction with BARRIER set and everything else zero.
    pub fn new(op: CfOp) -> Flow {
        Flow {
            barrier: true,
            whole_quad_mode: false,
            op,
            valid_pixel_mode: false,
            end_of_program: false,
            call_count: 0,
            count: 0,
            cond: Cond::Active,
            cf_const: 0,
            pop_count: 0,
            addr: 0,
        }
    }

    /// The same with a jump target or clause address.
    pub fn to(self, addr: u32) -> Flow {
        Flow { addr, ..self }
    }

    /// The same with a number of stack entries to pop.
    pub fn pops(self, pop_count: u8) -> Flow {
        Flow { pop_count, ..self }
    }
}

impl AluHead {
    /// A head with BARRIER set, no locks, no address.
    pub fn new(op: AluClauseOp) -> AluHead {
        AluHead {
            barrier: true,
            whole_quad_mode: false,
            op,
            uses_waterfall: false,
            count: 0,
            kcache_addr1: 0,
            kcache_addr0: 0,
            kcache_mode1: KcacheMode::Nop,
            kcache_mode0: KcacheMode::Nop,
            kcache_bank1: 0,
            kcache_bank0: 0,
            addr: 0,
        }
    }

    /// The locks of the two groups.
    pub fn locks(&self) -> [Lock; 2] {
        [
            Lock {
                mode: self.kcache_mode0,
                bank: self.kcache_bank0,
                line: self.kcache_addr0,
            },
            Lock {
                mode: self.kcache_mode1,
                bank: self.kcache_bank1,
                line: self.kcache_addr1,
            },
        ]
    }

    /// Locks lines for a group, 0 or 1.
    pub fn set_lock(&mut self, group: usize, lock: Lock) {
        let Lock { mode, bank, line } = lock;
        match group {
            0 => {
                (self.kcache_mode0, self.kcache_bank0, self.kcache_addr0) = (mode, bank, line);
            }
            _ => {
                (self.kcache_mode1, self.kcache_bank1, self.kcache_addr1) = (mode, bank, line);
            }
        }
    }
}

/// Lines of a constant buffer that an ALU clause can read. A line is 16 constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// How many lines.
    pub mode: KcacheMode,
    /// Constant buffer, 0..15.
    pub bank: u8,
    /// First line.
    pub line: u8,
}

impl Lock {
    /// Constants that can be read: 0, 16 or 32.
    pub fn constants(&self) -> u16 {
        match self.mode {
            KcacheMode::Nop => 0,
            KcacheMode::Lock1 => 16,
            KcacheMode::Lock2 | KcacheMode::LockLoopIndex => 32,
        }
    }
}
