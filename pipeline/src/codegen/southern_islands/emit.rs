//! Machine instructions with registers to words.
//!
//! In: blocks in layout order and the register of every unit. Out: the shortest encodings, with waits and branch offsets.
//! [SI 12]

use southern_islands::isa::image::MimgOp;
use southern_islands::isa::memory::{DsOp, MubufOp};
use southern_islands::isa::operand::{self, VGPR};
use southern_islands::isa::scalar::SoppOp;
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};
use southern_islands::isa::words::{Ds, Exp, Mimg, Mubuf, Smrd, Vintrp, Vop3a, Vop3b};
use southern_islands::isa::{self, encode};

use super::machine::{
    Branch, BufferBits, Code, ExportBits, ImageBits, Inst, Modifiers, Op, Operand, SCALAR, Shape,
    VCC, VECTOR, When,
};
use super::wait::{self, Flow};
use crate::codegen::regalloc::{Assignment, Instruction};
use crate::codegen::{CompileError, Lines, Result, Stats};
use crate::ir::{Function, Origin};

/// A skip over fewer instructions than this costs more than it saves.
const WORTH_SKIPPING: usize = 4;

/// Virtual registers to operand codes.
pub(super) struct Registers<'a> {
    pub assignment: &'a Assignment,
}

impl Registers<'_> {
    /// The operand's code; a vector register has its number and 256.
    fn code(&self, operand: Operand) -> operand::Operand {
        match operand {
            Operand::Reg { unit, vector, .. } => {
                let register = self.assignment.locations[unit as usize].register;
                operand::Operand::Code(register + if vector { VGPR } else { 0 })
            }
            Operand::Code(code) => operand::Operand::Code(code),
            Operand::Const(bits) => operand::Operand::constant(bits),
        }
    }

    /// Number of a register in its file.
    fn number(&self, operand: Operand) -> u8 {
        (self.code(operand).code() & 255) as u8
    }

    fn touched(&self, operand: Operand) -> wait::Registers {
        match operand {
            Operand::Reg {
                unit,
                words,
                vector,
            } => (
                vector,
                self.assignment.locations[unit as usize].register,
                u16::from(words),
            ),
            Operand::Code(code) => (false, code, 2),
            Operand::Const(_) => (false, 0, 0),
        }
    }

    /// Whether the instruction moves a register to itself.
    fn does_nothing(&self, inst: &Inst) -> bool {
        let copies = inst.is_copy() && matches!(inst.src[0], Operand::Reg { .. });
        let same = || {
            inst.dst
                .is_some_and(|dst| self.code(dst) == self.code(inst.src[0]))
        };
        inst.op == Op::Undefined || (copies && same())
    }

    fn encode(&self, inst: &Inst, out: &mut Vec<u32>) {
        let src = |i: usize| self.code(inst.src[i]);
        let dst = || inst.dst.map_or(0, |dst| self.number(dst));
        let made = match inst.op {
            Op::Scalar1(op) => isa::Inst::sop1(op, dst(), src(0)),
            Op::Scalar2(op) => isa::Inst::sop2(op, dst(), src(0), src(1)),
            Op::ScalarCompare(op) => isa::Inst::sopc(op, src(0), src(1)),
            Op::Program(op, simm) => isa::Inst::sopp(op, simm),
            Op::ScalarLoad(op) => {
                let (imm, offset) = match inst.src[1] {
                    Operand::Const(words) => (true, words as u8),
                    register => (false, self.number(register)),
                };
                isa::Inst::Smrd(Smrd {
                    op,
                    sdst: dst(),
                    sbase: self.number(inst.src[0]) / 2,
                    imm,
                    offset,
                })
            }
            Op::Vector(op) => self.vector(op, inst),
            Op::Interpolate(op, attr, attrchan) => {
                let vsrc = match inst.src[0] {
                    Operand::Const(selector) => selector as u8,
                    register => self.number(register),
                };
                isa::Inst::Vintrp(Vintrp {
                    vdst: dst(),
                    op,
                    attr,
                    attrchan,
                    vsrc,
                })
            }
            Op::Swizzle(pattern) => isa::Inst::Ds(Ds {
                vdst: dst(),
                data1: 0,
                data0: 0,
                addr: self.number(inst.src[0]),
                op: DsOp::DS_SWIZZLE_B32,
                gds: false,
                offset1: (pattern >> 8) as u8,
                offset0: pattern as u8,
            }),
            Op::Share(op, [offset0, offset1]) => {
                let data = |at: usize| inst.src.get(at).map_or(0, |data| self.number(*data));
                isa::Inst::Ds(Ds {
                    vdst: dst(),
                    data1: data(2),
                    data0: data(1),
                    addr: self.number(inst.src[0]),
                    op,
                    gds: false,
                    offset1,
                    offset0,
                })
            }
            Op::Buffer(op, bits, shape) => isa::Inst::Mubuf(self.mubuf(inst, op, bits, shape)),
            Op::Image(op, bits, shape) => isa::Inst::Mimg(self.mimg(inst, op, bits, shape)),
            Op::Export(bits) => isa::Inst::Exp(self.exp(inst, bits)),
            Op::Undefined => return,
        };
        encode(made, out);
    }

    fn mubuf(&self, inst: &Inst, op: MubufOp, bits: BufferBits, shape: Shape) -> Mubuf {
        let (vaddr, vdata) = self.address_and_data(inst, 2, shape);
        Mubuf {
            soffset: self.code(inst.src[1]).code() as u8,
            tfe: false,
            slc: false,
            srsrc: self.number(inst.src[0]) / 4,
            vdata,
            vaddr,
            op,
            lds: false,
            addr64: false,
            glc: bits.glc,
            idxen: bits.idxen,
            offen: bits.offen,
            offset: bits.offset,
        }
    }

    fn mimg(&self, inst: &Inst, op: MimgOp, bits: ImageBits, shape: Shape) -> Mimg {
        let first = 1 + usize::from(shape.sampler);
        let (vaddr, vdata) = self.address_and_data(inst, first, shape);
        Mimg {
            ssamp: match shape.sampler {
                true => self.number(inst.src[1]) / 4,
                false => 0,
            },
            srsrc: self.number(inst.src[0]) / 4,
            vdata,
            vaddr,
            slc: false,
            op,
            lwe: false,
            tfe: false,
            r128: false,
            da: bits.da,
            glc: bits.glc,
            unorm: bits.unorm,
            dmask: bits.dmask,
        }
    }

    fn exp(&self, inst: &Inst, bits: ExportBits) -> Exp {
        let source = |i: usize| match inst.src.get(i) {
            Some(&operand) if operand.is_vector() => self.number(operand),
            _ => 0,
        };
        Exp {
            vsrc3: source(3),
            vsrc2: source(2),
            vsrc1: source(1),
            vsrc0: source(0),
            vm: bits.valid,
            done: bits.done,
            compr: bits.compressed,
            tgt: bits.target,
            en: bits.en,
        }
    }

    /// VADDR and VDATA: operands from `first`; a result has the place of the data.
    fn address_and_data(&self, inst: &Inst, first: usize, shape: Shape) -> (u8, u8) {
        let vaddr = match shape.address {
            true => self.number(inst.src[first]),
            false => 0,
        };
        let data = match shape.data {
            true => inst.src.last().copied(),
            false => inst.dst,
        };
        (vaddr, data.map_or(0, |data| self.number(data)))
    }

    /// A vector instruction in the shortest encoding that fits.
    fn vector(&self, op: VectorOp, inst: &Inst) -> isa::Inst {
        let src: Vec<operand::Operand> = inst.src.iter().map(|&s| self.code(s)).collect();
        let vdst = inst.dst.map_or(0, |dst| self.number(dst));
        let plain = inst.mods.is_plain();
        let vgpr = |i: usize| src[i].code() >= VGPR;
        let to_vcc = |operand: Option<Operand>| {
            operand.is_some_and(|o| self.code(o) == operand::Operand::Code(VCC))
        };
        match op {
            VectorOp::One(Vop1Op::V_MOVRELS_B32 | Vop1Op::V_MOVRELD_B32) => {
                let VectorOp::One(op) = op else {
                    unreachable!()
                };
                return isa::Inst::vop1(op, vdst, src[0]);
            }
            VectorOp::One(op) if plain => return isa::Inst::vop1(op, vdst, src[0]),
            VectorOp::Two(op @ (Vop2Op::V_READLANE_B32 | Vop2Op::V_WRITELANE_B32)) => {
                return isa::Inst::vop2(op, vdst, src[0], src[1].code() as u8);
            }
            VectorOp::Two(op @ Vop2Op::V_MADAK_F32) => {
                let constant = src[2].literal().unwrap_or_default();
                let number = (src[1].code() & 255) as u8;
                return isa::Inst::mad_constant(op, vdst, src[0].code(), number, constant);
            }
            VectorOp::Two(op @ Vop2Op::V_MADMK_F32) => {
                let constant = src[1].literal().unwrap_or_default();
                let number = (src[2].code() & 255) as u8;
                return isa::Inst::mad_constant(op, vdst, src[0].code(), number, constant);
            }
            VectorOp::Two(op) if plain && vgpr(1) => {
                let mask_in = src.get(2).is_none_or(|mask| mask.code() == VCC);
                let carry_out = inst.dst2.is_none() || to_vcc(inst.dst2);
                if mask_in && carry_out {
                    return isa::Inst::vop2(op, vdst, src[0], (src[1].code() & 255) as u8);
                }
            }
            VectorOp::Compare(op) if plain && vgpr(1) && to_vcc(inst.dst) => {
                return isa::Inst::vopc(op, src[0], (src[1].code() & 255) as u8);
            }
            VectorOp::Three(Vop3Op::V_MAD_F32) if plain && vgpr(2) => {
                let onto = src[2].code() & 255 == u16::from(vdst);
                let (a, b) = if vgpr(1) { (0, 1) } else { (1, 0) };
                if onto && vgpr(b) {
                    let op = Vop2Op::V_MAC_F32;
                    return isa::Inst::vop2(op, vdst, src[a], (src[b].code() & 255) as u8);
                }
            }
            _ => {}
        }
        let code = |i: usize| src.get(i).map_or(0, |s| s.code());
        let Modifiers { neg, abs, clamp } = inst.mods;
        debug_assert!(
            src.iter().all(|s| s.literal().is_none()),
            "a literal in {inst:?}"
        );
        match inst.dst2 {
            Some(sdst) => isa::Inst::Vop3b(Vop3b {
                neg,
                omod: 0,
                src2: code(2),
                src1: code(1),
                src0: code(0),
                op,
                sdst: self.number(sdst),
                vdst,
            }),
            None => isa::Inst::Vop3a(Vop3a {
                neg,
                omod: 0,
                src2: code(2),
                src1: code(1),
                src0: code(0),
                op,
                clamp,
                abs,
                vdst,
            }),
        }
    }
}

/// Encodes the code; counts its instructions.
pub(super) fn emit(
    code: &Code,
    registers: &Registers<'_>,
    function: &Function,
) -> Result<(Vec<u32>, Stats, Lines)> {
    let mut place = vec![usize::MAX; code.blocks.len()];
    for (i, &b) in code.order.iter().enumerate() {
        place[b] = i;
    }
    let blocks: Vec<Vec<Inst>> = code
        .order
        .iter()
        .map(|&b| {
            let insts = code.blocks[b].insts.iter();
            insts
                .filter(|inst| !registers.does_nothing(inst))
                .cloned()
                .collect()
        })
        .collect();
    let mut ends: Vec<(Vec<Branch>, bool)> = code
        .order
        .iter()
        .map(|&b| {
            let block = &code.blocks[b];
            let branches = block.branches.iter().map(|branch| Branch {
                to: place[branch.to],
                ..*branch
            });
            (branches.collect(), block.falls)
        })
        .collect();
    tidy(&blocks, &mut ends);
    let next = ends
        .iter()
        .enumerate()
        .map(|(b, (branches, falls))| {
            let mut next: Vec<usize> = branches.iter().map(|branch| branch.to).collect();
            if *falls && b + 1 < ends.len() {
                next.push(b + 1);
            }
            next
        })
        .collect();
    let touched = |operand: Operand| registers.touched(operand);
    let mut flow = Flow {
        blocks,
        next,
        registers: &touched,
    };
    wait::insert(&mut flow);
    link(&flow.blocks, &ends, registers, function)
}

/// Leads branches past empty blocks, turns conditions around that jump over a jump, and drops skips of little code.
fn tidy(blocks: &[Vec<Inst>], ends: &mut [(Vec<Branch>, bool)]) {
    // The block in which a jump to `b` really ends.
    let follow = |ends: &[(Vec<Branch>, bool)], mut b: usize| {
        for _ in 0..ends.len() {
            if !blocks[b].is_empty() {
                break;
            }
            match (&ends[b].0[..], ends[b].1) {
                ([], true) if b + 1 < ends.len() => b += 1,
                ([only], _) if only.when == When::Always => b = only.to,
                _ => break,
            }
        }
        b
    };
    for b in 0..ends.len() {
        for i in 0..ends[b].0.len() {
            ends[b].0[i].to = follow(ends, ends[b].0[i].to);
        }
    }
    bury(blocks, ends);
    for b in 0..ends.len() {
        // Skips that save next to nothing.
        let kept: Vec<Branch> = ends[b].0.clone();
        let kept = kept.into_iter().filter(|branch| {
            let spared = branch.skip && branch.when != When::Always && branch.to > b;
            !spared || worth(blocks, ends, b, branch.to)
        });
        ends[b].0 = kept.collect();
        // `if c goto x; goto y; x:` becomes `if !c goto y; x:`.
        let target = ends[b].1.then_some(b + 1).filter(|&n| n < ends.len());
        if let (Some(next), [only]) = (target, &ends[b].0[..])
            && blocks[next].is_empty()
            && let ([jump], _) = (&ends[next].0[..], ends[next].1)
            && jump.when == When::Always
            && only.to == follow(ends, next + 1)
            && let Some(when) = opposite(only.when)
        {
            let flipped = Branch {
                when,
                to: jump.to,
                skip: only.skip,
            };
            ends[b].0 = vec![flipped];
            // What was fallen into goes on to where the condition led.
            let after = next + 1;
            if after < ends.len() {
                ends[next].0 = Vec::new();
                ends[next].1 = true;
            }
        }
    }
}

/// Takes jumps away that nothing leads to any more.
fn bury(blocks: &[Vec<Inst>], ends: &mut [(Vec<Branch>, bool)]) {
    let mut wanted = vec![false; ends.len()];
    for (branches, _) in ends.iter() {
        for branch in branches {
            wanted[branch.to] = true;
        }
    }
    let mut fallen_into = true;
    for b in 0..ends.len() {
        if !fallen_into && !wanted[b] && blocks[b].is_empty() {
            // What comes before goes elsewhere, so this may as well be fallen through.
            ends[b] = (Vec::new(), true);
            continue;
        }
        fallen_into = ends[b].1 && !ends[b].0.iter().any(|e| e.when == When::Always);
    }
}

fn worth(blocks: &[Vec<Inst>], ends: &[(Vec<Branch>, bool)], from: usize, to: usize) -> bool {
    let over = from + 1..to;
    let memory = |inst: &Inst| {
        matches!(
            inst.op,
            Op::Buffer(..) | Op::Image(..) | Op::Export(_) | Op::ScalarLoad(_) | Op::Share(..)
        )
    };
    let count: usize = over.clone().map(|b| blocks[b].len()).sum();
    // A way back may be one that nothing ends.
    let special = over.clone().any(|b| {
        let mut branches = ends[b].0.iter();
        blocks[b].iter().any(memory) || branches.any(|e| e.when != When::Always || e.to <= b)
    });
    count >= WORTH_SKIPPING || special
}

fn opposite(when: When) -> Option<When> {
    match when {
        When::Always => None,
        When::Scc0 => Some(When::Scc1),
        When::Scc1 => Some(When::Scc0),
        When::ExecZero => Some(When::ExecNonZero),
        When::ExecNonZero => Some(When::ExecZero),
    }
}

/// Lays the blocks out and fills in the distances of branches.
fn link(
    blocks: &[Vec<Inst>],
    ends: &[(Vec<Branch>, bool)],
    registers: &Registers<'_>,
    function: &Function,
) -> Result<(Vec<u32>, Stats, Lines)> {
    let mut words = Vec::new();
    let mut places = Vec::new();
    let mut stats = Stats::new(COUNTERS);
    let mut starts = vec![0; blocks.len()];
    let mut open: Vec<(usize, usize, When, usize)> = Vec::new();
    for (b, insts) in blocks.iter().enumerate() {
        starts[b] = words.len();
        for inst in insts {
            count(&mut stats, inst);
            places.push((words.len() as u32, inst.origin));
            registers.encode(inst, &mut words);
        }
        for branch in &ends[b].0 {
            // Empty blocks in between are fallen through, or lead to the same place.
            let here = branch.to > b
                && (b + 1..branch.to).all(|n| {
                    let leads = match &ends[n].0[..] {
                        [] => ends[n].1,
                        [first, ..] => first.when == When::Always && first.to == branch.to,
                    };
                    blocks[n].is_empty() && leads
                });
            if here && branch.when == When::Always {
                continue;
            }
            stats.add("branches", 1);
            stats.add("instructions", 1);
            open.push((b, words.len(), branch.when, branch.to));
            words.push(0);
        }
    }
    for (b, at, when, to) in open {
        let distance = starts[to] as i64 - (at as i64 + 1);
        let simm = i16::try_from(distance).map_err(|_| CompileError::Distance {
            entry: function.name.clone(),
            target: super::select::TARGET,
            words: distance.unsigned_abs() as usize,
            at: function.text.locate(last_origin(&blocks[b])),
        })?;
        words[at] = isa::Inst::sopp(when.op(), simm as u16).words()[0];
    }
    stats.add("bytes", 4 * words.len() as u32);
    Ok((words, stats, Lines::new(&function.text, places)))
}

/// Where the end of a block comes from.
fn last_origin(insts: &[Inst]) -> Origin {
    let mut origins = insts.iter().rev().map(|inst| inst.origin);
    origins.find(|o| o.is_known()).unwrap_or_default()
}

/// What is counted of compiled code.
#[rustfmt::skip]
const COUNTERS: &[&str] = &[
    "instructions", "scalar", "vector", "scalar memory", "buffer", "image", "local",
    "exports", "branches", "waits", "bytes", "scalar registers", "vector registers", "spills",
];

fn count(stats: &mut Stats, inst: &Inst) {
    stats.add("instructions", 1);
    let counter = match inst.op {
        Op::Scalar1(_) | Op::Scalar2(_) | Op::ScalarCompare(_) => "scalar",
        Op::Program(SoppOp::S_WAITCNT, _) => "waits",
        // `link` counts branches; what remains ends the program.
        Op::Program(..) => return,
        Op::ScalarLoad(_) => "scalar memory",
        Op::Vector(_) | Op::Interpolate(..) => "vector",
        Op::Swizzle(_) | Op::Share(..) => "local",
        Op::Buffer(..) => "buffer",
        Op::Image(..) => "image",
        Op::Export(_) => "exports",
        Op::Undefined => return,
    };
    stats.add(counter, 1);
}

/// Numbers of the banks, for messages.
pub(super) fn bank_name(bank: u8) -> &'static str {
    match bank {
        SCALAR => "scalar",
        VECTOR => "vector",
        _ => "unknown",
    }
}
