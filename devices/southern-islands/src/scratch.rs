//! Scratch memory: which programs store to nothing else, and the slot of every worker's waves.
//!
//! A program reaches scratch memory like any buffer: through a V# that it loads itself and the offset of its wave, a
//! system SGPR that SCRATCH_EN asks for (SPI_TMPRING_SIZE gives its size). A store is *private* when the program shows that it stays
//! in the slot of its wave: V# and offset come from user data by one instruction each, before any branch, and the V#
//! found in memory at the time of the draw spreads lanes and stays inside the slot. Draws all of whose stores are
//! private run on all threads, each with a slot of its own; waves find their slot cleared, so that results never
//! depend on the wave before. All other draws with scratch memory run on one thread with slot 0.

use lanes::{LANES, LaneOp, Wave};
use silicon::{Addr, Memory};

use crate::descriptor::BufferResource;
use crate::isa::effects::Effects;
use crate::isa::memory::{BufferSem, SmrdSem};
use crate::isa::operand::{self, LITERAL};
use crate::isa::scalar::{Sem, SemK, SemP};
use crate::isa::words::{Mubuf, Sop2};
use crate::isa::{Inst, decode};
use crate::regs::SpiTmpringSize;
use crate::sq::stores;
use crate::ta::MemoryUnit;

/// Bytes of a dword of all lanes.
const ROW_BYTES: u64 = 4 * LANES as u64;

/// Where a private store goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivateStore {
    /// First SGPR of the address that the V# lies behind.
    base: u8,
    /// Bytes between that address and the V#.
    at: u64,
    /// SGPR of the wave's offset.
    wave: u8,
    /// Bytes added to the wave's offset.
    add: u32,
    /// Byte offset in a lane's record, where it is constant.
    offset: Option<u16>,
}

/// The V# of a store, and where it lies.
fn descriptor(
    store: &PrivateStore,
    memory: &Memory,
    user: &[u32],
) -> Option<(u64, BufferResource)> {
    let base = usize::from(store.base);
    let (low, high) = (*user.get(base)?, *user.get(base + 1)?);
    let at = u64::from(low) | u64::from(high) << 32;
    let at = at.wrapping_add(store.at) & !3;
    let mut quad = 0;
    for i in (0..4).rev() {
        let word = memory.load(at.wrapping_add(4 * i))?;
        quad = quad << 32 | u128::from(word);
    }
    Some((at, BufferResource::from_word(quad)))
}

/// Whether a V# gives each lane a record of its own.
pub(crate) fn spreads(buffer: &BufferResource) -> bool {
    buffer.swizzle_enable
        && buffer.add_tid_enable
        && buffer.element_size == 1
        && buffer.stride > 0
        && buffer.num_records <= LANES as u32
}

impl PrivateStore {
    /// SGPR of the wave's offset.
    pub(crate) fn sgpr(&self) -> u8 {
        self.wave
    }

    /// Whether it stays where its wave has a slot of some bytes in a ring, through a V# that spreads lanes over records.
    pub(crate) fn stays(&self, memory: &Memory, user: &[u32], (slot, ring): (u64, u64)) -> bool {
        let Some((at, buffer)) = descriptor(self, memory, user) else {
            return false;
        };
        let first = buffer.base_address;
        let apart = at + 16 <= first || at >= first + ring;
        let end = u64::from(self.add) + LANES as u64 * u64::from(buffer.stride);
        let aligned = first.is_multiple_of(4)
            && self.add.is_multiple_of(4)
            && buffer.stride.is_multiple_of(4);
        spreads(&buffer) && aligned && apart && end <= slot && first + ring <= memory.size()
    }
}

/// Who writes an SGPR.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Nobody,
    /// One instruction.
    One(usize),
    Several,
}

/// The stores of a program, from the byte offsets of its instructions; none when one is not private.
pub fn private_stores(words: &[u32], places: &[u32]) -> Option<Vec<PrivateStore>> {
    let mut insts = Vec::with_capacity(places.len());
    for &pc in places {
        insts.push(decode(words.get(pc as usize / 4..)?).ok()?.0);
    }
    let mut writers = [Writer::Nobody; 128];
    for (n, &inst) in insts.iter().enumerate() {
        if let Inst::Sop1(w, _) = inst
            && matches!(w.op.sem(), Sem::RelativeDestination(_))
        {
            return None;
        }
        let effects = Effects::of(inst);
        for written in [effects.writes, effects.writes_late] {
            for code in written.scalars() {
                let writer = &mut writers[usize::from(code)];
                *writer = match *writer {
                    Writer::Nobody => Writer::One(n),
                    _ => Writer::Several,
                };
            }
        }
    }
    let program = Facts {
        straight: insts.iter().position(may_jump).unwrap_or(insts.len()),
        writers,
        insts,
    };
    let numbered = program.insts.iter().enumerate();
    numbered
        .filter(|(_, inst)| stores(inst))
        .map(|(n, inst)| match inst {
            Inst::Mubuf(w) => program.private(n, w),
            _ => None,
        })
        .collect()
}

fn may_jump(inst: &Inst) -> bool {
    match inst {
        Inst::Sopp(w) => !matches!(w.op.sem(), SemP::Nothing | SemP::Wait),
        Inst::Sopk(w, _) => w.op.sem() == SemK::Fork,
        Inst::Sop1(w, _) => matches!(
            w.op.sem(),
            Sem::SetPc | Sem::SwapPc | Sem::ReturnFromTrap | Sem::Fork
        ),
        Inst::Sop2(w, _) => matches!(w.op.sem(), Sem::Fork),
        _ => false,
    }
}

/// A program, and what is known of its SGPRs.
struct Facts {
    insts: Vec<Inst>,
    /// Instructions that every wave runs first, in order.
    straight: usize,
    writers: [Writer; 128],
}

impl Facts {
    fn writer(&self, sgpr: u8) -> Writer {
        let found = self.writers.get(usize::from(sgpr));
        found.copied().unwrap_or(Writer::Several)
    }

    /// The only instruction that writes an SGPR, and that every wave has run before instruction `n`.
    fn only(&self, sgpr: u8, n: usize) -> Option<(usize, &Inst)> {
        match self.writer(sgpr) {
            Writer::One(at) if at < self.straight && at < n => Some((at, &self.insts[at])),
            _ => None,
        }
    }

    /// The store of instruction `n`, if it is private.
    fn private(&self, n: usize, store: &Mubuf) -> Option<PrivateStore> {
        let plain = matches!(store.op.sem(), BufferSem::Store(access) if access.bytes() <= 4);
        if !plain || store.addr64 || store.idxen || store.lds {
            return None;
        }
        let descriptor = store.srsrc * 4;
        let (at, load) = self.only(descriptor, n)?;
        let same = |i| matches!(self.only(descriptor + i, n), Some((other, _)) if other == at);
        let Inst::Smrd(load) = load else { return None };
        let whole = load.sdst == descriptor && load.op.sem() == SmrdSem::Load(4);
        let base = load.sbase * 2;
        let given = |sgpr: u8| self.writer(sgpr) == Writer::Nobody;
        if !whole || !load.imm || !(1..4).all(same) || !given(base) || !given(base + 1) {
            return None;
        }
        let (wave, add) = match self.writer(store.soffset) {
            Writer::Nobody => (store.soffset, 0),
            _ => match self.only(store.soffset, n)?.1 {
                Inst::Sop2(sum, literal) => self.moved(sum, *literal)?,
                _ => return None,
            },
        };
        let is_sgpr = u16::from(wave) < u16::from(operand::VCC);
        (is_sgpr && given(wave)).then_some(PrivateStore {
            base,
            at: u64::from(load.offset) * 4,
            wave,
            add,
            offset: (!store.offen).then_some(store.offset),
        })
    }

    /// A sum of an SGPR and a constant.
    fn moved(&self, sum: &Sop2, literal: Option<u32>) -> Option<(u8, u32)> {
        if !matches!(sum.op.sem(), Sem::Alu(LaneOp::IAdd, _)) {
            return None;
        }
        let constant = |code: u8| match u16::from(code) {
            LITERAL => literal,
            code => operand::inline_value(code),
        };
        match (constant(sum.ssrc0), constant(sum.ssrc1)) {
            (None, Some(add)) => Some((sum.ssrc0, add)),
            (Some(add), None) => Some((sum.ssrc1, add)),
            _ => None,
        }
    }
}

/// Scratch memory of one stage during a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slots {
    /// SGPR of the wave's offset.
    wave: usize,
    /// Bytes of a slot.
    bytes: u64,
    /// First byte of slot 0, and bytes of a slot that are stored to.
    areas: Vec<(u64, u64)>,
}

impl Slots {
    /// The slots of a stage whose waves have `user` in their first SGPRs and the offset in SGPR `wave`; none when its
    /// stores are not private after all.
    pub(crate) fn new(
        stores: &[PrivateStore],
        memory: &Memory,
        ring: SpiTmpringSize,
        user: &[u32],
        wave: usize,
    ) -> Option<Slots> {
        let mut slots = Slots {
            wave,
            bytes: u64::from(ring.wavesize) * 1024,
            areas: Vec::new(),
        };
        for store in stores {
            let (at, buffer) = descriptor(store, memory, user)?;
            // 4 bytes of 64 lanes lie side by side, and every lane has a record of its own.
            let spread = spreads(&buffer) && buffer.index_stride == 3;
            let words = match store.offset {
                Some(offset) => u64::from(offset) / 4 + 1,
                None => u64::from(buffer.stride).div_ceil(4),
            };
            let end = u64::from(store.add) + words * ROW_BYTES;
            let last = u64::from(ring.waves) * slots.bytes;
            let first = buffer.base_address;
            let apart = at + 16 <= first || at >= first + last;
            let inside = first.is_multiple_of(4)
                && store.add.is_multiple_of(4)
                && end <= slots.bytes
                && first + last <= memory.size()
                && apart;
            if !spread || !inside || usize::from(store.wave) != wave {
                return None;
            }
            match slots.areas.iter_mut().find(|area| area.0 == first) {
                Some(area) => area.1 = area.1.max(end),
                None => slots.areas.push((first, end)),
            }
        }
        Some(slots)
    }

    /// Gives the wave a slot, cleared.
    pub(crate) fn start(&self, unit: &mut MemoryUnit, wave: &mut Wave) {
        if self.areas.is_empty() {
            return;
        }
        let offset = unit.scratch_slot as u64 * self.bytes;
        if let Some(scalar) = wave.scalars.get_mut(self.wave) {
            *scalar = offset as u32;
        }
        for &(base, bytes) in &self.areas {
            let cleared = unit.memory.fill(Addr(base + offset), bytes / 4, 0);
            debug_assert!(cleared.is_ok(), "slots lie inside of memory");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::isa::assemble;

    /// The private stores of a program that every instruction of is reached.
    fn found(text: &str) -> Option<Vec<PrivateStore>> {
        let insts = assemble(text).unwrap();
        let mut pc = 0;
        let places: Vec<u32> = insts
            .iter()
            .map(|words| {
                pc += 4 * words.len() as u32;
                pc - 4 * words.len() as u32
            })
            .collect();
        private_stores(&insts.concat(), &places)
    }

    const LOAD: &str = "s_load_dwordx4 s[12:15], s[8:9], 0x40\n";

    #[test]
    fn stores_to_the_own_slot_are_private() {
        let store = |add, offset| PrivateStore {
            base: 8,
            at: 256,
            wave: 11,
            add,
            offset,
        };
        let text = format!(
            "{LOAD}s_add_u32 s10, s11, 0x4b00
            s_waitcnt lgkmcnt(0)
            buffer_store_dword v0, off, s[12:15], s11 offset:8
            s_cbranch_scc0 1
            buffer_store_byte v0, v1, s[12:15], s10 offen offset:4
            s_endpgm"
        );
        let wanted = [store(0, Some(8)), store(0x4b00, None)];
        assert_eq!(found(&text).unwrap(), wanted);
        assert_eq!(found("s_endpgm"), Some(Vec::new()));
    }

    #[test]
    fn other_stores_are_not() {
        let store = "buffer_store_dword v0, off, s[12:15], s11";
        let cases = [
            // The V# comes too late, twice, from elsewhere, through a register.
            format!("{store}\n{LOAD}s_endpgm"),
            format!("s_cbranch_scc0 1\n{LOAD}{store}\ns_endpgm"),
            format!("{LOAD}{store}\ns_mov_b32 s14, 7\ns_endpgm"),
            format!("s_mov_b32 s8, s1\n{LOAD}{store}\ns_endpgm"),
            format!("s_load_dwordx4 s[12:15], s[8:9], s7\n{store}\ns_endpgm"),
            format!("{store}\ns_endpgm"),
            // The wave's offset is not what it was.
            format!("{LOAD}s_add_u32 s11, s11, 8\n{store}\ns_endpgm"),
            format!(
                "{LOAD}s_add_u32 s10, s11, s7\nbuffer_store_dword v0, off, s[12:15], s10\ns_endpgm"
            ),
            // The element is not the lane's.
            format!("{LOAD}buffer_store_dword v0, v1, s[12:15], s11 idxen\ns_endpgm"),
            format!("{LOAD}buffer_store_dwordx2 v[0:1], off, s[12:15], s11\ns_endpgm"),
            format!("{LOAD}buffer_atomic_add v0, off, s[12:15], s11\ns_endpgm"),
            format!("{LOAD}s_movreld_b32 s0, s1\n{store}\ns_endpgm"),
        ];
        for text in cases {
            assert_eq!(found(&text), None, "{text}");
        }
    }

    #[test]
    fn slots_follow_the_descriptor() {
        let text = format!("{LOAD}buffer_store_dword v0, v1, s[12:15], s11 offen\ns_endpgm");
        let stores = found(&text).unwrap();
        let memory = Memory::new(1 << 16);
        let ring = SpiTmpringSize {
            waves: 3,
            wavesize: 2,
            ..SpiTmpringSize::from_word(0)
        };
        let mut user = [0; 10];
        user[8] = 0x100;
        let slots = |stride: u16, base: u64, records: u32| {
            let buffer = BufferResource {
                base_address: base,
                num_records: records,
                stride,
                swizzle_enable: true,
                add_tid_enable: true,
                element_size: 1,
                index_stride: 3,
                ..BufferResource::from_word(0)
            };
            let words = buffer.pack();
            for i in 0..4 {
                let word = (words >> (32 * i)) as u32;
                memory.store(0x200 + 4 * i as u64, word).unwrap();
            }
            Slots::new(&stores, &memory, ring, &user, 11)
        };
        let found = slots(32, 0x1000, 64).unwrap();
        assert_eq!(found.areas, [(0x1000, 2048)]);
        // Too wide for a slot, too many lanes, slots outside of memory, the V# in a slot.
        assert_eq!(slots(36, 0x1000, 64), None);
        assert_eq!(slots(32, 0x1000, 65), None);
        assert_eq!(slots(32, 0xf000, 64), None);
        assert_eq!(slots(32, 0x100, 64), None);

        let mut unit = MemoryUnit::new(memory.clone());
        unit.scratch_slot = 2;
        let mut wave = Wave::new(1, 16);
        for at in [0x1ffc, 0x2000, 0x27fc, 0x2800] {
            memory.store(at, 7).unwrap();
        }
        found.start(&mut unit, &mut wave);
        assert_eq!(wave.scalars[11], 4096);
        let left = [0x1ffc, 0x2000, 0x27fc, 0x2800].map(|at| memory.load(at).unwrap());
        assert_eq!(left, [7, 0, 0, 7]);
    }
}
