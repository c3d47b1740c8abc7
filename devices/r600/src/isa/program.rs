//! Whole programs: control flow with the clauses it starts.
//!
//! In memory a program is its control-flow instructions from address 0 on, then clauses that they point at. Addresses
//! count 64-bit slots. [R600 2.1, 3.1]

use std::cell::Cell;

use super::alu::Op2;
use super::cf::{AluClauseOp, AluHead, CfOp, CfSem, Flow};
use super::export::{Export, ExportOp, Memory, MemoryOp};
use super::fetch::{Fetch, FetchFormat};
use super::group::{AluInst, Group, GroupError};

/// NOP that ends a program, as a slot, and the bit that does not matter there.
const END_NOP: u64 = 1 << 53;
const BARRIER: u64 = 1 << 63;
/// Slots that a program may have: the reach of the address of an ALU clause.
pub const MAX_SLOTS: usize = 1 << 22;

/// A control-flow instruction with the clause it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cf {
    /// Branches, loops, calls and the like. `addr` is the index of a control-flow instruction.
    Flow(Flow),
    /// A clause of ALU groups.
    Alu {
        /// The instruction; `addr` and `count` are where the clause lies.
        head: AluHead,
        /// The clause.
        groups: Vec<Group>,
    },
    /// A clause of fetches.
    Fetch {
        /// The instruction; `addr` and `count` are where the clause lies.
        head: Flow,
        /// The clause, one to eight instructions.
        insts: Vec<Fetch>,
    },
    /// An export.
    Export(Export),
    /// An access to memory.
    Memory(Memory),
}

/// A program.
///
/// A compiler fills `cf` with clauses in any order and calls [`Program::place`]; decoding keeps the addresses found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Control-flow instructions; the index is the address.
    pub cf: Vec<Cf>,
    /// Slots that belong to neither control flow nor a clause and are not zero, by address.
    pub data: Vec<(u32, u64)>,
    /// Slots in all; more than the instructions take where zeros follow.
    pub slots: u32,
    /// Opcode numbers of control flow.
    pub numbering: Numbering,
    /// MOVA_INT has the number that later chips give it. [ERRATA 31]
    pub later_mova: bool,
}

/// Where an ALU instruction of two sources has its opcode, and all bits that tell it from one of three.
const OP2: (u32, u64) = (40, 0x3ff);
/// MOVA_INT, and its number on later chips.
const MOVA_INT: u64 = Op2::MOVA_INT.code() as u64;
const LATER_MOVA_INT: u64 = 204;

/// An ALU instruction with another opcode if it has the one given.
fn renumbered(slot: u64, from: u64, to: u64) -> u64 {
    let (shift, mask) = OP2;
    match slot >> shift & mask == from {
        true => slot ^ (from ^ to) << shift,
        false => slot,
    }
}

/// Opcode numbers of general control flow: the same up to 9. [ERRATA 18]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// Those that the chip reads.
    #[default]
    Shipped,
    /// Those of the manual, and of the table [`CfOp`]. Only text can ask for them.
    Manual,
}

impl Numbering {
    /// Numbers of the shipped chip for the manual's from 10 on.
    const SHIPPED: [u16; 12] = [11, 12, 14, 18, 20, 19, 10, 13, 21, 22, 23, 24];

    /// The manual's opcode for a number in a program.
    fn manual(self, code: u16) -> Option<u16> {
        match (self, code) {
            (Numbering::Shipped, 10..32) => {
                let at = Numbering::SHIPPED.iter().position(|own| *own == code)?;
                Some(10 + at as u16)
            }
            _ => Some(code),
        }
    }

    /// The number in a program for the manual's opcode.
    pub fn number(self, code: u16) -> u16 {
        match (self, code) {
            (Numbering::Shipped, 10..22) => Numbering::SHIPPED[usize::from(code - 10)],
            _ => code,
        }
    }
}

/// Words that are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DecodeError {
    /// Byte offset.
    pub pc: u32,
    /// The word there.
    pub word: u32,
    /// What is wrong.
    pub reason: DecodeReason,
}

/// What is wrong with words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeReason {
    /// An odd number of words.
    #[error("a program is made of 64-bit slots, {words} words are not")]
    Odd {
        /// Words given.
        words: usize,
    },
    /// Too many words.
    #[error("a program has at most {MAX_SLOTS} slots of 64 bits, not {slots}")]
    TooLong {
        /// Slots given.
        slots: usize,
    },
    /// No control-flow instruction.
    #[error("CF_INST has no opcode {code}")]
    Cf {
        /// Bits 29:23 of the second word.
        code: u32,
    },
    /// A reserved value in a known instruction.
    #[error("{name} has a reserved bit or value set")]
    Reserved {
        /// Its mnemonic or format.
        name: &'static str,
    },
    /// No ALU instruction.
    #[error("ALU_INST has no opcode {code} of {sources} sources")]
    Alu {
        /// Opcode.
        code: u32,
        /// 2 or 3.
        sources: u32,
    },
    /// No fetch instruction.
    #[error("a clause of {format} holds opcode {code}, or a reserved bit or value is set")]
    Fetch {
        /// Kind of clause.
        format: FetchFormat,
        /// Opcode.
        code: u32,
    },
    /// A clause that lies outside the program.
    #[error("a clause at slot {addr} of {count} slots ends beyond the program's {slots}")]
    Clause {
        /// First slot.
        addr: u32,
        /// Slots.
        count: u32,
        /// Slots of the program.
        slots: u32,
    },
    /// A fetch clause at an odd slot.
    #[error("a fetch clause at slot {addr} is not aligned to 16 bytes")]
    Alignment {
        /// First slot.
        addr: u32,
    },
    /// A group that the end of its clause cuts.
    #[error("the clause ends inside a group")]
    CutGroup,
    /// A group that cannot be.
    #[error(transparent)]
    Group(#[from] GroupError),
}

/// A program that cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A group with instructions where they cannot run.
    #[error("instruction {cf}, group {group}: {error}")]
    Group {
        /// Index of the control-flow instruction.
        cf: usize,
        /// Index of the group in its clause.
        group: usize,
        /// What is wrong.
        error: GroupError,
    },
    /// A clause with too few or too many slots or instructions.
    #[error("instruction {cf}: a clause has {count} {unit}, 1 to {limit} are possible")]
    ClauseSize {
        /// Index of the control-flow instruction.
        cf: usize,
        /// Size found.
        count: usize,
        /// What is counted.
        unit: &'static str,
        /// Largest size.
        limit: usize,
    },
    /// Two things at one address that differ.
    #[error("instruction {cf}: its clause at slot {addr} lies over other words")]
    Overlap {
        /// Index of the control-flow instruction.
        cf: usize,
        /// First slot of the clause.
        addr: u32,
    },
    /// A fetch clause at an odd slot.
    #[error("instruction {cf}: a fetch clause at slot {addr} is not aligned to 16 bytes")]
    Alignment {
        /// Index of the control-flow instruction.
        cf: usize,
        /// First slot.
        addr: u32,
    },
    /// Too many slots.
    #[error("the program has more than {MAX_SLOTS} slots of 64 bits")]
    TooLong,
}

/// Slots that an ALU clause may have.
pub const ALU_CLAUSE_SLOTS: usize = 128;
/// Instructions that a fetch clause may have.
pub const FETCH_CLAUSE_INSTS: usize = 8;

impl Cf {
    /// Whether the program ends after this instruction.
    pub fn ends(&self) -> bool {
        match self {
            Cf::Flow(inst) | Cf::Fetch { head: inst, .. } => inst.end_of_program,
            Cf::Export(inst) => inst.end_of_program,
            Cf::Memory(inst) => inst.end_of_program,
            Cf::Alu { .. } => false,
        }
    }

    /// Mnemonic.
    pub fn name(&self) -> &'static str {
        match self {
            Cf::Flow(inst) | Cf::Fetch { head: inst, .. } => inst.op.name(),
            Cf::Alu { head, .. } => head.op.name(),
            Cf::Export(inst) => inst.op.name(),
            Cf::Memory(inst) => inst.op.name(),
        }
    }

    /// Start and size of its clause in slots.
    pub fn clause(&self) -> Option<(u32, u32)> {
        match self {
            Cf::Alu { head, .. } => Some((head.addr, u32::from(head.count) + 1)),
            Cf::Fetch { head, .. } => Some((head.addr, 2 * (u32::from(head.count) + 1))),
            _ => None,
        }
    }

    /// The instruction's own slot.
    pub(crate) fn pack(&self, numbering: Numbering) -> u64 {
        match self {
            Cf::Flow(inst) | Cf::Fetch { head: inst, .. } => {
                let code = inst.op.code();
                let change = code ^ numbering.number(code);
                inst.pack() ^ u64::from(change) << 55
            }
            Cf::Alu { head, .. } => head.pack(),
            Cf::Export(inst) => inst.pack(),
            Cf::Memory(inst) => inst.pack(),
        }
    }

    /// The clause's slots.
    fn body(&self, out: &mut Vec<u64>) {
        match self {
            Cf::Alu { groups, .. } => groups.iter().for_each(|group| group.encode(out)),
            Cf::Fetch { insts, .. } => {
                for inst in insts {
                    let [a, b, c, d] = inst.pack().map(u64::from);
                    out.extend([a | b << 32, c | d << 32]);
                }
            }
            _ => {}
        }
    }
}

/// Reads slots of a program.
struct Reader<'a> {
    words: &'a [u32],
    numbering: Numbering,
    /// An instruction had the number of later chips.
    later_mova: Cell<bool>,
}

impl Reader<'_> {
    fn slots(&self) -> u32 {
        (self.words.len() / 2) as u32
    }

    fn slot(&self, at: u32) -> u64 {
        let at = 2 * at as usize;
        u64::from(self.words[at]) | u64::from(self.words[at + 1]) << 32
    }

    /// At the first word of a slot.
    fn error(&self, at: u32, reason: DecodeReason) -> DecodeError {
        self.error_at(2 * at, reason)
    }

    /// At the second word of a slot, where control flow and ALU instructions have their opcodes.
    fn opcode_error(&self, at: u32, reason: DecodeReason) -> DecodeError {
        self.error_at(2 * at + 1, reason)
    }

    fn error_at(&self, word: u32, reason: DecodeReason) -> DecodeError {
        DecodeError {
            pc: 4 * word,
            word: self.words.get(word as usize).copied().unwrap_or(0),
            reason,
        }
    }

    fn clause(&self, at: u32, addr: u32, count: u32) -> Result<(), DecodeError> {
        let slots = self.slots();
        match addr.checked_add(count) {
            Some(end) if end <= slots => Ok(()),
            _ => Err(self.error(at, DecodeReason::Clause { addr, count, slots })),
        }
    }

    fn cf(&self, at: u32) -> Result<Cf, DecodeError> {
        let slot = self.slot(at);
        let code = (slot >> 55) as u32 & 127;
        let reserved = |name| self.error(at, DecodeReason::Reserved { name });
        let unknown = || self.opcode_error(at, DecodeReason::Cf { code });
        if code & 64 != 0 {
            let op = AluClauseOp::from_code((code >> 3) as u16).ok_or_else(unknown)?;
            let head = AluHead::unpack(slot).ok_or_else(|| reserved(op.name()))?;
            let groups = self.groups(at, &head)?;
            return Ok(Cf::Alu { head, groups });
        }
        let manual = self.numbering.manual(code as u16).ok_or_else(unknown)?;
        let slot = slot ^ (u64::from(manual) ^ u64::from(code)) << 55;
        let code = manual;
        if let Some(op) = CfOp::from_code(code) {
            let head = Flow::unpack(slot).ok_or_else(|| reserved(op.name()))?;
            let format = match op.sem() {
                CfSem::Tex => FetchFormat::Tex,
                CfSem::Vtx => FetchFormat::Vtx,
                _ => return Ok(Cf::Flow(head)),
            };
            let insts = self.fetches(at, &head, format)?;
            return Ok(Cf::Fetch { head, insts });
        }
        if let Some(op) = ExportOp::from_code(code) {
            return Export::unpack(slot)
                .map(Cf::Export)
                .ok_or_else(|| reserved(op.name()));
        }
        let op = MemoryOp::from_code(code).ok_or_else(unknown)?;
        Memory::unpack(slot)
            .map(Cf::Memory)
            .ok_or_else(|| reserved(op.name()))
    }

    fn fetches(
        &self,
        at: u32,
        head: &Flow,
        format: FetchFormat,
    ) -> Result<Vec<Fetch>, DecodeError> {
        let count = u32::from(head.count) + 1;
        self.clause(at, head.addr, 2 * count)?;
        if !head.addr.is_multiple_of(2) {
            return Err(self.error(at, DecodeReason::Alignment { addr: head.addr }));
        }
        let fetch = |n| {
            let slot = head.addr + 2 * n;
            let words = [0, 1, 2, 3].map(|i| self.words[2 * slot as usize + i]);
            let code = words[0] & 31;
            Fetch::unpack(words, format)
                .ok_or_else(|| self.error(slot, DecodeReason::Fetch { format, code }))
        };
        (0..count).map(fetch).collect()
    }

    fn groups(&self, at: u32, head: &AluHead) -> Result<Vec<Group>, DecodeError> {
        let count = u32::from(head.count) + 1;
        self.clause(at, head.addr, count)?;
        let end = head.addr + count;
        let mut groups = Vec::new();
        let mut next = head.addr;
        while next < end {
            let start = next;
            let mut insts: Vec<AluInst> = Vec::with_capacity(5);
            loop {
                if next >= end {
                    return Err(self.error(start, DecodeReason::CutGroup));
                }
                let (inst, last) = self.alu(next)?;
                next += 1;
                insts.push(inst);
                if last {
                    break;
                }
                if insts.len() >= 5 {
                    return Err(self.error(start, GroupError::TooLong.into()));
                }
            }
            let mut group =
                Group::new(&insts, [0; 4]).map_err(|error| self.error(start, error.into()))?;
            let literals = group.literal_count() as u32;
            if next + literals / 2 > end {
                return Err(self.error(start, DecodeReason::CutGroup));
            }
            let words = &self.words[2 * next as usize..][..literals as usize];
            group.literals[..words.len()].copy_from_slice(words);
            next += literals / 2;
            groups.push(group);
        }
        Ok(groups)
    }

    fn alu(&self, at: u32) -> Result<(AluInst, bool), DecodeError> {
        let written = self.slot(at);
        let slot = renumbered(written, LATER_MOVA_INT, MOVA_INT);
        if slot != written {
            self.later_mova.set(true);
        }
        if let Some(found) = AluInst::unpack(slot) {
            return Ok(found);
        }
        let three = slot >> 47 & 7 != 0;
        let code = (slot >> if three { 45 } else { 40 }) as u32 & if three { 31 } else { 127 };
        let known = match three {
            true => super::alu::Op3::from_code(code as u16).map(|op| op.name()),
            false => super::alu::Op2::from_code(code as u16).map(|op| op.name()),
        };
        let sources = if three { 3 } else { 2 };
        Err(match known {
            Some(name) => self.error(at, DecodeReason::Reserved { name }),
            None => self.opcode_error(at, DecodeReason::Alu { code, sources }),
        })
    }
}

impl Program {
    /// The program in these words.
    ///
    /// Control flow goes on until a slot where a clause begins that it has started so far, but not beyond the
    /// instruction that ends the program unless something jumps there.
    pub fn decode(words: &[u32]) -> Result<Program, DecodeError> {
        Program::decode_as(words, Numbering::Shipped)
    }

    /// The program in these words with the opcode numbers given.
    pub fn decode_as(words: &[u32], numbering: Numbering) -> Result<Program, DecodeError> {
        let reader = Reader {
            words,
            numbering,
            later_mova: Cell::new(false),
        };
        let slots = words.len() / 2;
        if !words.len().is_multiple_of(2) {
            let words = words.len();
            return Err(reader.error(slots as u32, DecodeReason::Odd { words }));
        }
        if slots > MAX_SLOTS {
            return Err(reader.error(0, DecodeReason::TooLong { slots }));
        }
        let slots = slots as u32;
        let mut program = Program {
            slots,
            numbering,
            ..Program::default()
        };
        // First slot of the clauses, and the last slot that is known to be control flow.
        let (mut limit, mut reach) = (slots, 0);
        while (program.cf.len() as u32) < limit {
            let at = program.cf.len() as u32;
            let over = at > reach && program.cf.last().is_some_and(Cf::ends);
            // Some compilers write a second end behind one that an export brings. What else follows is no control flow.
            if over && reader.slot(at) & !BARRIER != END_NOP {
                break;
            }
            let cf = reader.cf(at)?;
            if let Some((addr, _)) = cf.clause() {
                limit = limit.min(addr);
            }
            if !cf.ends() {
                reach = reach.max(at + 1);
            }
            if let Some(target) = cf.target() {
                reach = reach.max(target);
            }
            program.cf.push(cf);
        }
        program.keep_data(&reader);
        program.later_mova = reader.later_mova.get();
        Ok(program)
    }

    /// Where a loop's start at index `at` goes when nobody enters: its address, or one further where that names the
    /// loop's own end. [ERRATA 21]
    pub(crate) fn after_loop(&self, start: &Flow, at: u32) -> u32 {
        match self.cf.get(start.addr as usize) {
            Some(Cf::Flow(end)) if end.op.sem() == CfSem::LoopEnd && end.addr == at + 1 => {
                start.addr + 1
            }
            _ => start.addr,
        }
    }

    /// Notes slots that nothing claims.
    fn keep_data(&mut self, reader: &Reader<'_>) {
        let mut claimed = vec![false; self.slots as usize];
        claimed[..self.cf.len()].fill(true);
        for (addr, count) in self.cf.iter().filter_map(Cf::clause) {
            claimed[addr as usize..][..count as usize].fill(true);
        }
        let free = (0..self.slots).filter(|at| !claimed[*at as usize]);
        let data = free.map(|at| (at, reader.slot(at)));
        self.data = data.filter(|(_, slot)| *slot != 0).collect();
    }

    /// Gives every clause its size and address: after the control flow, ALU clauses first. [R600 3.1]
    pub fn place(&mut self) {
        let mut next = self.cf.len() as u32;
        for cf in &mut self.cf {
            if let Cf::Alu { head, groups } = cf {
                let size: usize = groups.iter().map(Group::size).sum();
                head.addr = next;
                head.count = size.saturating_sub(1).min(127) as u8;
                next += size as u32;
            }
        }
        for cf in &mut self.cf {
            if let Cf::Fetch { head, insts } = cf {
                next = next.next_multiple_of(2);
                head.addr = next;
                head.count = insts.len().saturating_sub(1).min(7) as u8;
                next += 2 * insts.len() as u32;
            }
        }
        self.slots = next;
    }

    /// Slots that the instructions and data take.
    pub fn implied_slots(&self) -> usize {
        let ends = self.cf.iter().filter_map(Cf::clause);
        let end = ends
            .map(|(addr, count)| addr as usize + count as usize)
            .max();
        let data = self.data.last().map_or(0, |(at, _)| *at as usize + 1);
        self.cf.len().max(data).max(end.unwrap_or(0))
    }

    /// The words of the program, with clauses at the addresses that their heads say.
    pub fn encode(&self) -> Result<Vec<u32>, EncodeError> {
        let size = (self.slots as usize).max(self.implied_slots());
        if size > MAX_SLOTS {
            return Err(EncodeError::TooLong);
        }
        let mut image: Vec<Option<u64>> = vec![None; size];
        for (slot, cf) in image.iter_mut().zip(&self.cf) {
            *slot = Some(cf.pack(self.numbering));
        }
        let mut body = Vec::new();
        for (at, cf) in self.cf.iter().enumerate() {
            let Some((addr, count)) = cf.clause() else {
                continue;
            };
            cf.check_size(at, count)?;
            body.clear();
            cf.body(&mut body);
            if let (true, Cf::Alu { groups, .. }) = (self.later_mova, cf) {
                let mut first = 0;
                for group in groups {
                    let insts = group.size() - group.literal_count() / 2;
                    for slot in &mut body[first..first + insts] {
                        *slot = renumbered(*slot, MOVA_INT, LATER_MOVA_INT);
                    }
                    first += group.size();
                }
            }
            for (slot, word) in image[addr as usize..].iter_mut().zip(&body) {
                if slot.is_some_and(|old| old != *word) {
                    return Err(EncodeError::Overlap { cf: at, addr });
                }
                *slot = Some(*word);
            }
        }
        for (at, word) in &self.data {
            image[*at as usize].get_or_insert(*word);
        }
        let slots = image.into_iter().map(Option::unwrap_or_default);
        Ok(slots
            .flat_map(|slot| [slot as u32, (slot >> 32) as u32])
            .collect())
    }
}

impl Cf {
    /// Where it can jump to: a control-flow instruction of this program.
    pub fn target(&self) -> Option<u32> {
        let Cf::Flow(inst) = self else { return None };
        use CfSem::*;
        match inst.op.sem() {
            LoopStart(_) | LoopEnd | Continue | Break | Push | PushElse | Call | Jump | Else
            | Kill => Some(inst.addr),
            // POP never jumps; a fetch program has a base of its own.
            Nop | Tex | Vtx | Pop | CallFs | Return | Emit { .. } => None,
        }
    }

    /// Whether the clause is as large as its head says, and each group possible.
    fn check_size(&self, cf: usize, slots: u32) -> Result<(), EncodeError> {
        let (count, unit, limit, said) = match self {
            Cf::Alu { groups, .. } => {
                let count = groups.iter().map(Group::size).sum();
                (count, "slots", ALU_CLAUSE_SLOTS, slots as usize)
            }
            Cf::Fetch { insts, head } => {
                if !head.addr.is_multiple_of(2) {
                    let addr = head.addr;
                    return Err(EncodeError::Alignment { cf, addr });
                }
                let said = slots as usize / 2;
                (insts.len(), "instructions", FETCH_CLAUSE_INSTS, said)
            }
            _ => return Ok(()),
        };
        if count != said {
            return Err(EncodeError::ClauseSize {
                cf,
                count,
                unit,
                limit,
            });
        }
        if let Cf::Alu { groups, .. } = self {
            for (group, found) in groups.iter().enumerate() {
                let wrong = |error| EncodeError::Group { cf, group, error };
                found.check().map_err(wrong)?;
            }
        }
        Ok(())
    }
}
