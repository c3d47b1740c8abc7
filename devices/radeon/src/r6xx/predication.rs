//! Predication: packets with bit 0 of their header set are executed only where a result in memory is as asked for.
//! [PM4 packets SET_PREDICATION]
//!
//! In: the packet, and what queries wrote. Out: whether a packet is left out. Everything before the packet is finished, so
//! WAIT_HINT has nothing to choose.

use silicon::{Memory, Trap};

use crate::packets::Packet;

isa::word! {
    /// Second word of SET_PREDICATION: values of PRED_OP in [`op`].
    pub struct PredicationControl: u32 where {
        continued: bool [31:31],
        reserved_19: u16 [30:19],
        pred_op: u8 [18:16],
        reserved_13: u8 [15:13],
        wait_hint: bool [12:12],
        reserved_9: u8 [11:9],
        draw_visible: bool [8:8],
        start_address_hi: u8 [7:0],
    }
}

/// PredicationControl.PRED_OP.
pub mod op {
    /// Packets are executed whatever their bit says.
    pub const CLEAR: u8 = 0;
    /// Samples passed between two counters of ZPASS_DONE.
    pub const ZPASS: u8 = 1;
    /// Fewer primitives were written by stream-out than there were, between two pairs of counters.
    pub const PRIMCOUNT: u8 = 2;
    /// A value of 64 bits is not 0.
    pub const BOOL64: u8 = 3;
}

/// Counters of ZPASS_DONE that have been written.
const WRITTEN: u64 = 1 << 63;

/// What the last packets set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predication {
    /// Whether something is visible, and whether that lets packets through; none without a condition.
    condition: Option<(bool, bool)>,
}

impl Predication {
    /// Whether a packet is left out.
    pub fn skips(&self, packet: &Packet) -> bool {
        let differs = |(visible, wanted)| visible != wanted;
        packet.header & 1 != 0 && self.condition.is_some_and(differs)
    }

    /// Executes SET_PREDICATION.
    pub fn set(&mut self, packet: &Packet, memory: &Memory) -> Result<(), Trap> {
        let word = packet.word(1)?;
        let control = PredicationControl::from_word(word);
        let address = u64::from(packet.word(0)? & !0xf) | u64::from(word & 0xff) << 32;
        let load = |n: u64| {
            let at = address + 8 * n;
            let [low, high] = [at, at + 4].map(|at| memory.load(at).map(u64::from));
            let outside = || packet.trap(format!("a predicate at {at:#x} is outside memory"));
            Ok(low.ok_or_else(outside)? | high.ok_or_else(outside)? << 32)
        };
        let visible = match control.pred_op {
            op::CLEAR => {
                self.condition = None;
                return Ok(());
            }
            op::ZPASS => {
                let (begin, end) = (load(0)?, load(1)?);
                begin & end & WRITTEN != 0 && begin != end
            }
            op::PRIMCOUNT => {
                let [written, needed] = [(0, 2), (1, 3)];
                let passed = |(begin, end)| Ok(load(end)?.wrapping_sub(load(begin)?));
                passed(written)? != passed(needed)?
            }
            op::BOOL64 => load(0)? != 0,
            other => return Err(packet.trap(format!("SET_PREDICATION has no operation {other}"))),
        };
        let before = self.condition.is_some_and(|(visible, _)| visible);
        self.condition = Some((visible || control.continued && before, control.draw_visible));
        Ok(())
    }
}
