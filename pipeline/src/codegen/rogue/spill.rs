//! Scratch memory: values that found no register, and long private arrays.
//!
//! Every lane has a block of its own; a pair of units holds its address. A spilled unit is stored behind what defines it and
//! loaded before what reads it, into registers that live no longer.

use ::rogue::isa::alu::{Alu, Modifiers, Wide};
use ::rogue::isa::backend::{Amount, Backend, LoadCache, StoreCache};
use ::rogue::isa::phase2::{Feed, Selectors};
use ::rogue::lift::SpecialRegister;

use super::constants::Pool;
use super::entry::SCRATCH;
use super::machine::{
    Access, Back, Body, Code, Dst, Inst, Main, Operand, Phase, Unit, ZERO, constant, shared,
};
use crate::codegen::regalloc::Instruction;

/// Words of a lane.
const MOST_WORDS: u32 = 8192;

/// Where spilled values are.
#[derive(Debug, Default)]
pub(super) struct Spills {
    /// Pair of units with the address of the lane's block.
    base: Option<Unit>,
    /// Words of a lane.
    words: u32,
    /// Shared register with the bytes of a block.
    bytes: u16,
    /// Values spilled.
    pub count: u32,
}

const WIDE: fn(Wide) -> Alu = |op| Alu::Wide {
    op,
    signed: false,
    carry: false,
    mods: [Modifiers {
        floor: false,
        abs: false,
        neg: false,
    }; 3],
};

/// {W1:W0} from a 64-bit operation.
fn pair(op: Wide, src: [Operand; 3], high: Operand, to: Unit) -> Inst {
    Inst::new(Body::Main(Main {
        p0: Some(Phase {
            alu: WIDE(op),
            src: src.to_vec(),
        }),
        extra: Some(high),
        selectors: Selectors {
            is5: Feed::FTE,
            ..Selectors::default()
        },
        w: [Some(Dst::Unit(to)), Some(Dst::Unit(to + 1))],
        ..Main::default()
    }))
}

impl Spills {
    /// Takes words for arrays.
    pub fn begin(&mut self, code: &mut Code, pool: &mut Pool, words: u32) {
        self.words += words;
        self.reserve(code, pool);
    }

    /// The address of the lane's block.
    pub fn base(&self) -> [Operand; 2] {
        let base = self.base.unwrap_or(super::machine::FIRST);
        [Operand::Unit(base), Operand::Unit(base + 1)]
    }

    /// Makes the address of the lane's block at the start of the code.
    fn reserve(&mut self, code: &mut Code, pool: &mut Pool) {
        if self.base.is_some() {
            return;
        }
        let base = code.row(2);
        code.kept.push(base);
        self.base = Some(base);
        self.bytes = pool.reserve();
        let lane = constant(SpecialRegister::LOCAL_ADDR_INST_NUM.code());
        let src = [shared(self.bytes), lane, shared(SCRATCH)];
        let inst = pair(Wide::MADD64, src, shared(SCRATCH + 1), base);
        code.blocks[code.order[0]].insts.insert(0, inst);
    }

    /// Says how large the blocks are.
    pub fn finish(&self, pool: &mut Pool) {
        if self.base.is_some() {
            pool.set(self.bytes, 4 * self.words);
        }
    }

    /// Bytes of a wave of 64 lanes.
    pub fn scratch_bytes(&self) -> u32 {
        256 * self.words
    }

    /// Moves units to memory; none where there is no room, or one must stay.
    pub fn spill(&mut self, code: &mut Code, pool: &mut Pool, units: &[Unit]) -> Option<()> {
        self.reserve(code, pool);
        let mut place: Vec<Option<u32>> = vec![None; code.units as usize];
        for &unit in units {
            if code.kept.contains(&unit)
                || code
                    .rows
                    .iter()
                    .any(|(first, words)| (*first..first + words).contains(&unit))
            {
                return None;
            }
            place[unit as usize] = Some(self.words);
            self.words += 1;
            self.count += 1;
        }
        if units.is_empty() || self.words > MOST_WORDS {
            return None;
        }
        for block in 0..code.blocks.len() {
            let insts = std::mem::take(&mut code.blocks[block].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.around(code, pool, inst, &place, &mut out)?;
            }
            code.blocks[block].insts = out;
        }
        Some(())
    }

    fn address(
        &mut self,
        code: &mut Code,
        pool: &mut Pool,
        slot: u32,
        out: &mut Vec<Inst>,
    ) -> Unit {
        let at = code.row(2);
        code.kept.push(at);
        let number = super::constants::number(4 * slot).map(constant);
        let known = number.or_else(|| pool.register(4 * slot).map(shared));
        let offset = known.unwrap_or_else(|| {
            let own = code.unit();
            code.kept.push(own);
            out.push(super::bits::immediate(own, 4 * slot));
            Operand::Unit(own)
        });
        let [low, high] = self.base();
        out.push(pair(Wide::ADD64, [offset, ZERO, low], high, at));
        at
    }

    /// An instruction with loads before and stores behind it.
    fn around(
        &mut self,
        code: &mut Code,
        pool: &mut Pool,
        mut inst: Inst,
        place: &[Option<u32>],
        out: &mut Vec<Inst>,
    ) -> Option<()> {
        let spilled = |unit: Unit| place.get(unit as usize).copied().flatten();
        let (mut reads, mut writes): (Vec<Unit>, Vec<Unit>) = (Vec::new(), Vec::new());
        inst.each_read(|unit| reads.push(unit));
        inst.each_write(|unit| writes.push(unit));
        let mut names: Vec<(Unit, Unit)> = Vec::new();
        for &unit in reads.iter().chain(&writes) {
            if spilled(unit).is_some() && !names.iter().any(|(from, _)| *from == unit) {
                let own = code.unit();
                code.kept.push(own);
                names.push((unit, own));
            }
        }
        for &(unit, own) in names.iter().filter(|(unit, _)| reads.contains(unit)) {
            let at = self.address(code, pool, spilled(unit)?, out);
            let op = Backend::Ld {
                drc: 0,
                burst: Amount::Number(1),
                address: 4,
                cache: LoadCache::NORMAL,
                slc: Some(0),
            };
            let slots = vec![(3, Access::Writes(own, 1)), (4, Access::Reads(at, 2))];
            out.push(Inst::new(Body::Main(Main {
                back: Some(Back { op, slots }),
                ..Main::default()
            })));
        }
        let name = |unit: Unit| {
            let found = names.iter().find(|(from, _)| *from == unit);
            found.map_or(unit, |(_, to)| *to)
        };
        inst.rename(name);
        out.push(inst);
        for &(unit, own) in names.iter().filter(|(unit, _)| writes.contains(unit)) {
            let at = self.address(code, pool, spilled(unit)?, out);
            let op = Backend::St {
                drc: 0,
                data: 3,
                size: 2,
                burst: Amount::Number(1),
                address: 4,
                mask: None,
                tiled: false,
                cache: StoreCache::WRITETHROUGH,
                slc: 0,
            };
            let data = Access::Value(Operand::Unit(own));
            let slots = vec![(3, data), (4, Access::Reads(at, 2))];
            out.push(Inst::new(Body::Main(Main {
                back: Some(Back { op, slots }),
                ..Main::default()
            })));
        }
        Some(())
    }
}
