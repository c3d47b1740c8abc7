//! Programs: code, and the registers that steer through it. [R5XX 7.5.5]

use std::fmt;
use std::str::FromStr;

use super::ops::FlowOp;
use super::words::{FlowHigh, FlowLow, LoopIndex};

/// Instructions that fit the code memory.
pub const MAX_INSTRUCTIONS: usize = 1024;
/// Flow control slots.
pub const SLOTS: usize = 16;

/// One flow control slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowSlot {
    /// What happens.
    pub op: FlowOp,
    /// After which instruction.
    pub act: u16,
    /// Where a jump or call goes; how often a loop runs.
    pub count_or_target: u16,
    /// The last instruction of a loop or subroutine.
    pub last: u16,
    /// Where a loop begins again or a call returns to.
    pub rtn: u16,
    /// The first loop index.
    pub init: u8,
    /// What is added to the loop index.
    pub step: i8,
    /// The loop index starts as that of the outer loop.
    pub inherit: bool,
}

/// A slot that does nothing.
pub const NO_FLOW: FlowSlot = FlowSlot {
    op: FlowOp::PVS_FC_NO_OP,
    act: 0,
    count_or_target: 0,
    last: 0,
    rtn: 0,
    init: 0,
    step: 0,
    inherit: false,
};

/// Registers that say how a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    /// The first instruction.
    pub first: u16,
    /// The last instruction.
    pub last: u16,
    /// Flow control.
    pub slots: [FlowSlot; SLOTS],
    /// Where the constants of the program begin.
    pub const_base: u8,
    /// The highest constant that it may read.
    pub const_max: u8,
}

impl FlowSlot {
    /// A slot of its opcode and its registers ADDRS_LW, ADDRS_UW and LOOP_INDEX.
    pub fn from_words(op: FlowOp, low: u32, high: u32, index: u32) -> FlowSlot {
        let (low, high) = (FlowLow::from_word(low), FlowHigh::from_word(high));
        let index = LoopIndex::from_word(index);
        FlowSlot {
            op,
            act: low.act_adrs,
            count_or_target: low.count_or_target,
            last: high.last_inst,
            rtn: high.rtn_inst,
            init: index.init,
            step: index.step,
            inherit: index.repeat_no_fli,
        }
    }

    /// The registers ADDRS_LW, ADDRS_UW and LOOP_INDEX.
    pub fn words(&self) -> [u32; 3] {
        let low = FlowLow {
            count_or_target: self.count_or_target,
            act_adrs: self.act,
        };
        let high = FlowHigh {
            rtn_inst: self.rtn,
            last_inst: self.last,
        };
        let index = LoopIndex {
            repeat_no_fli: self.inherit,
            reserved: 0,
            step: self.step,
            init: self.init,
        };
        [low.pack(), high.pack(), index.pack()]
    }

    /// The slots of VAP_PVS_FLOW_CNTL_OPC and their registers.
    pub fn all(opc: u32, words: &[[u32; 3]; SLOTS]) -> [FlowSlot; SLOTS] {
        std::array::from_fn(|slot| {
            let [low, high, index] = words[slot];
            // Two bits always name an opcode.
            let op = FlowOp::from_code((opc >> (2 * slot) & 3) as u16);
            FlowSlot::from_words(op.unwrap_or(FlowOp::PVS_FC_NO_OP), low, high, index)
        })
    }

    /// VAP_PVS_FLOW_CNTL_OPC of these slots.
    pub fn opc(slots: &[FlowSlot; SLOTS]) -> u32 {
        let codes = slots.iter().enumerate();
        codes.fold(0, |opc, (at, slot)| {
            opc | u32::from(slot.op.code()) << (2 * at)
        })
    }
}

impl Control {
    /// A program of `count` instructions without flow control that may read every constant.
    pub fn straight(count: usize) -> Control {
        Control {
            first: 0,
            last: count.saturating_sub(1) as u16,
            slots: [NO_FLOW; SLOTS],
            const_base: 0,
            const_max: 255,
        }
    }
}

impl fmt::Display for FlowSlot {
    /// `PVS_FC_LOOP act 0, count 4, last 3, rtn 1, init 0, step 1`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} act {}", self.op.name(), self.act)?;
        match self.op {
            FlowOp::PVS_FC_NO_OP => Ok(()),
            FlowOp::PVS_FC_JUMP => write!(f, ", target {}", self.count_or_target),
            FlowOp::PVS_FC_JSR => {
                let (target, last, rtn) = (self.count_or_target, self.last, self.rtn);
                write!(f, ", target {target}, last {last}, rtn {rtn}")
            }
            FlowOp::PVS_FC_LOOP => {
                let (count, last, rtn) = (self.count_or_target, self.last, self.rtn);
                write!(f, ", count {count}, last {last}, rtn {rtn}")?;
                match self.inherit {
                    true => write!(f, ", inherit, step {}", self.step),
                    false => write!(f, ", init {}, step {}", self.init, self.step),
                }
            }
        }
    }
}

impl FromStr for FlowSlot {
    type Err = String;

    fn from_str(text: &str) -> Result<FlowSlot, String> {
        let text = text.trim();
        let wrong = |part: &str| format!("`{part}` is no part of a flow control slot");
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let op = FlowOp::from_name(name).ok_or_else(|| wrong(name))?;
        let mut slot = FlowSlot { op, ..NO_FLOW };
        for part in rest.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            if part == "inherit" {
                slot.inherit = true;
                continue;
            }
            let (key, value) = part.split_once(' ').ok_or_else(|| wrong(part))?;
            let address = || value.trim().parse::<u16>().map_err(|_| wrong(part));
            match key {
                "act" => slot.act = address()?,
                "target" | "count" => slot.count_or_target = address()?,
                "last" => slot.last = address()?,
                "rtn" => slot.rtn = address()?,
                "init" => slot.init = value.trim().parse().map_err(|_| wrong(part))?,
                "step" => slot.step = value.trim().parse().map_err(|_| wrong(part))?,
                _ => return Err(wrong(part)),
            }
        }
        Ok(slot)
    }
}
