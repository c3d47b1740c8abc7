//! Clauses and control flow to microcode.
//!
//! In: scheduled clauses and the location of every unit. Out: a program whose clauses lie behind the control flow that
//! starts them. [R600 3, 4]

use r600::isa::alu::{AluOp, Op2};
use r600::isa::cf::{AluClauseOp, AluHead, CfOp, Flow, Lock};
use r600::isa::export::Memory;
use r600::isa::fetch::Fetch;
use r600::isa::group::{AluInst, Group as IsaGroup, Operand as IsaOperand, Source};
use r600::isa::words::{Cond, Elem, KcacheMode, MemoryType, Select, SourceSelect};
use r600::isa::{Cf, Program};

use super::allocate::is_written;
use super::group::{self, Forward, Locks, Read, Slot};
use super::machine::{
    Code, FlowKind, Inst, Lane, MemoryAccess, Operand, Part, Piece, Relative, Unit,
};
use super::schedule::{Clause, FILLER, Group};
use crate::codegen::Stats;
use crate::codegen::regalloc::Assignment;
use crate::ir::Origin;

const ELEMS: [Elem; 4] = [Elem::X, Elem::Y, Elem::Z, Elem::W];
const SELECTS: [Select; 4] = [Select::X, Select::Y, Select::Z, Select::W];
const SOURCES: [SourceSelect; 4] = [
    SourceSelect::X,
    SourceSelect::Y,
    SourceSelect::Z,
    SourceSelect::W,
];

/// Writes the program of one shader.
pub struct Emitter<'a> {
    pub code: &'a Code,
    pub registers: &'a Assignment,
    pub unread: &'a [bool],
    pub stats: Stats,
    /// Words, and where the code from there on comes from.
    pub places: Vec<(u32, Origin)>,
}

impl Emitter<'_> {
    /// The program, its clauses in place.
    pub fn program(&mut self, clauses: &[Vec<Clause>]) -> Program {
        let mut program = Program::default();
        let mut labels = vec![0u32; self.code.labels];
        // Control-flow instructions whose address is that of a label.
        let mut jumps: Vec<(usize, usize)> = Vec::new();
        let mut origins = Vec::new();
        for (n, piece) in self.code.pieces.iter().enumerate() {
            match *piece {
                Piece::Label(label) => labels[label] = program.cf.len() as u32,
                Piece::Flow(FlowKind::Else, end, _) if self.is_empty(n + 1, end, clauses) => {}
                Piece::Flow(FlowKind::BreakFailing, ..) => {}
                Piece::Flow(kind, label, pops) => {
                    jumps.push((program.cf.len(), label));
                    program.cf.push(Cf::Flow(flow(kind, pops)));
                    self.stats.add("branches", 1);
                }
                Piece::Block(block) => {
                    let insts = &self.code.blocks[block].insts;
                    let origin = self.code.blocks[block].origin;
                    let next = self.code.pieces.get(n + 1);
                    let leaves = matches!(next, Some(Piece::Flow(FlowKind::BreakFailing, ..)));
                    for clause in &clauses[block] {
                        origins.push((program.cf.len(), origin));
                        program.cf.push(self.clause(insts, clause, leaves));
                    }
                }
            }
        }
        for (at, label) in jumps {
            if let Cf::Flow(flow) = &mut program.cf[at] {
                flow.addr = labels[label];
            }
        }
        program.place();
        for (n, origin) in origins {
            self.places.push((2 * n as u32, origin));
            if let Some((slot, _)) = program.cf[n].clause() {
                self.places.push((2 * slot, origin));
            }
        }
        program
    }

    /// Whether nothing stands between a piece and a label: copies to parameters may all be gone.
    fn is_empty(&self, first: usize, label: usize, clauses: &[Vec<Clause>]) -> bool {
        let pieces = self.code.pieces[first..].iter();
        let mut rest = pieces.skip_while(|piece| match piece {
            Piece::Block(block) => clauses[*block].is_empty(),
            _ => false,
        });
        matches!(rest.next(), Some(Piece::Label(found)) if *found == label)
    }

    /// A clause; in one that ends in a predicate, lanes that fail may leave the loop.
    fn clause(&mut self, insts: &[Inst], clause: &Clause, leaves: bool) -> Cf {
        self.stats.add("clauses", 1);
        match clause {
            Clause::Alu {
                groups,
                locks,
                branches,
            } => {
                let op = match (branches, leaves) {
                    (true, true) => AluClauseOp::ALU_BREAK,
                    (true, false) => AluClauseOp::ALU_PUSH_BEFORE,
                    (false, _) => AluClauseOp::ALU,
                };
                let mut head = AluHead::new(op);
                for (at, lock) in locks.0.iter().enumerate() {
                    let Some((bank, line, two)) = *lock else {
                        continue;
                    };
                    let mode = match two {
                        true => KcacheMode::Lock2,
                        false => KcacheMode::Lock1,
                    };
                    let line = line as u8;
                    head.set_lock(at, Lock { mode, bank, line });
                }
                head.uses_waterfall = groups.iter().any(|group| group.index.is_some());
                let groups = groups
                    .iter()
                    .map(|group| self.group(insts, group, locks))
                    .collect();
                Cf::Alu { head, groups }
            }
            Clause::Fetch(nodes) => {
                let mut fetches = Vec::new();
                for &node in nodes {
                    let Inst::Fetch(parts) = &insts[node] else {
                        continue;
                    };
                    fetches.extend(parts.iter().map(|part| self.part(part)));
                }
                let vertex = matches!(fetches.first(), Some(Fetch::Vtx(_)));
                let count = fetches.len() as u32;
                self.stats.add("instructions", count);
                let op = if vertex {
                    self.stats.add("buffer", count);
                    CfOp::VTX
                } else {
                    self.stats.add("image", count);
                    CfOp::TEX
                };
                Cf::Fetch {
                    head: Flow::new(op),
                    insts: fetches,
                }
            }
            Clause::Other(node) => {
                self.stats.add("instructions", 1);
                match &insts[*node] {
                    Inst::Memory(access) => Cf::Memory(self.memory(access)),
                    Inst::Emit { vertex, cut } => {
                        self.stats.add("exports", 1);
                        Cf::Flow(Flow::new(match (vertex, cut) {
                            (true, false) => CfOp::EMIT_VERTEX,
                            (true, true) => CfOp::EMIT_CUT_VERTEX,
                            (false, _) => CfOp::CUT_VERTEX,
                        }))
                    }
                    Inst::End => {
                        let mut end = Flow::new(CfOp::NOP);
                        end.end_of_program = true;
                        Cf::Flow(end)
                    }
                    Inst::Export(export, lanes) => {
                        self.stats.add("exports", 1);
                        let mut export = *export;
                        let (gpr, selects) = self.selects(lanes);
                        export.rw_gpr = gpr;
                        Cf::Export(export.with_selects(selects))
                    }
                    _ => Cf::Flow(Flow::new(CfOp::NOP)),
                }
            }
        }
    }

    fn place(&self, unit: Unit) -> (u8, u8) {
        let location = self.registers.locations[unit as usize];
        (location.register as u8, location.channel)
    }

    fn selects(&self, lanes: &[Lane; 4]) -> (u8, [Select; 4]) {
        let mut gpr = 0;
        let selects = lanes.map(|lane| match lane {
            Lane::Unit(unit) => {
                let (at, elem) = self.place(unit);
                gpr = at;
                SELECTS[usize::from(elem)]
            }
            Lane::Zero => Select::Zero,
            Lane::One => Select::One,
            Lane::None => Select::Mask,
        });
        (gpr, selects)
    }

    fn part(&self, part: &Part) -> Fetch {
        let (mut gpr, mut selects) = (0, [Select::Mask; 4]);
        for (component, unit) in part.dst.iter().enumerate() {
            if let Some(unit) = unit {
                let (at, elem) = self.place(*unit);
                gpr = at;
                selects[usize::from(elem)] = SELECTS[component];
            }
        }
        let mut from = 0;
        let sources = part.src.map(|lane| match lane {
            Lane::Unit(unit) => {
                let (at, elem) = self.place(unit);
                from = at;
                SOURCES[usize::from(elem)]
            }
            Lane::One => SourceSelect::One,
            Lane::Zero | Lane::None => SourceSelect::Zero,
        });
        match part.inst {
            Fetch::Tex(mut tex) => {
                (tex.src_gpr, tex.dst_gpr) = (from, gpr);
                Fetch::Tex(tex.with_sources(sources).with_selects(selects))
            }
            Fetch::Vtx(mut vtx) => {
                (vtx.src_gpr, vtx.dst) = (from, gpr);
                if let Lane::Unit(unit) = part.src[0] {
                    vtx.src_sel_x = ELEMS[usize::from(self.place(unit).1)];
                }
                Fetch::Vtx(vtx.with_selects(selects))
            }
        }
    }

    fn memory(&self, access: &MemoryAccess) -> Memory {
        let kind = match (access.load, access.index) {
            (true, None) => MemoryType::Read,
            (true, Some(_)) => MemoryType::ReadInd,
            (false, None) => MemoryType::Write,
            (false, Some(_)) => MemoryType::WriteInd,
        };
        let mut memory = Memory::new(access.op, kind, access.slot, 0);
        memory.array_size = access.slots - 1;
        memory.comp_mask = 0;
        for unit in access.words.iter().flatten() {
            let (gpr, elem) = self.place(*unit);
            memory.rw_gpr = gpr;
            memory.comp_mask |= 1 << elem;
        }
        if let Some(index) = access.index {
            memory.index_gpr = self.place(index).0;
        }
        memory
    }

    fn group(&mut self, insts: &[Inst], group: &Group, locks: &Locks) -> IsaGroup {
        let literals = group::literals(&group.slots);
        let mut words = [0; 4];
        words[..literals.len()].copy_from_slice(&literals);
        self.stats.add("groups", 1);
        let slots = group.slots.each_ref().map(|slot| {
            let slot = slot.as_ref()?;
            self.stats.add("instructions", 1);
            if slot.node == usize::MAX {
                let mut filler = AluInst::new(FILLER, 0, ELEMS[usize::from(slot.elem)], &[]);
                filler.write = false;
                return Some(filler);
            }
            self.stats.add("slots", 1);
            Some(self.alu(insts, group, slot, locks, &literals))
        });
        IsaGroup {
            slots,
            literals: words,
        }
    }

    fn alu(
        &self,
        insts: &[Inst],
        group: &Group,
        slot: &Slot,
        locks: &Locks,
        literals: &[u32],
    ) -> AluInst {
        let elem = ELEMS[usize::from(slot.elem)];
        let Inst::Alu(alu) = &insts[slot.node] else {
            return AluInst::new(FILLER, 0, elem, &[]);
        };
        if slot.part == u8::MAX {
            let operand = group.index.unwrap_or(Operand::word(0));
            let source = source(&operand, &slot.reads[0], locks, literals, self);
            let mut inst = AluInst::new(Op2::MOVA_INT, 0, elem, &[source]);
            inst.write = false;
            inst.bank_swizzle = slot.swizzle;
            return inst;
        }
        let operands: Vec<Operand> = match alu.cube {
            Some(_) => group::cube_operands(alu, slot.part).to_vec(),
            None => alu.src.clone(),
        };
        let mut src: Vec<IsaOperand> = slot
            .reads
            .iter()
            .zip(&operands)
            .map(|(read, operand)| source(operand, read, locks, literals, self))
            .collect();
        let mut gpr = 0;
        let mut write = false;
        if let Some(unit) = group::written(alu, slot.part) {
            gpr = self.place(unit).0;
            write = is_written(&insts[slot.node], self.unread, unit);
        }
        match alu.relative {
            Some(Relative::Load(array)) => {
                let (first, elem) = self.place(array.first);
                src[0] = IsaOperand::gpr(first, ELEMS[usize::from(elem)]);
                src[0].rel = true;
            }
            Some(Relative::Store(array)) => {
                gpr = self.place(array.first).0;
                write = true;
            }
            None => {}
        }
        let mut inst = AluInst::new(alu.op, gpr, elem, &src);
        inst.write = write || alu.op.is_op3();
        inst.dst_rel = matches!(alu.relative, Some(Relative::Store(_)));
        inst.clamp = alu.clamp;
        inst.bank_swizzle = slot.swizzle;
        let predicate = matches!(alu.op, AluOp::Op2(_)) && alu.op.facts().is_predicate();
        inst.update_pred = predicate;
        inst.update_execute_mask = predicate;
        inst
    }
}

fn source(
    operand: &Operand,
    read: &Read,
    locks: &Locks,
    literals: &[u32],
    emitter: &Emitter<'_>,
) -> IsaOperand {
    let plain = |source| IsaOperand::new(source, Elem::X);
    let mut found = match *read {
        Read::Register(unit, _) => match emitter.registers.locations.get(unit as usize) {
            Some(at) => IsaOperand::gpr(at.register as u8, ELEMS[usize::from(at.channel)]),
            None => plain(Source::Gpr(0)),
        },
        Read::Forward(Forward::Pv(elem)) => IsaOperand::new(Source::Pv, ELEMS[usize::from(elem)]),
        Read::Forward(Forward::Ps) => plain(Source::Ps),
        Read::Word(word) => match word {
            0 => plain(Source::Zero),
            1 => plain(Source::IntOne),
            u32::MAX => plain(Source::IntMinusOne),
            0x3f80_0000 => plain(Source::One),
            0x3f00_0000 => plain(Source::Half),
            _ => {
                let at = literals.iter().position(|other| *other == word);
                IsaOperand::new(Source::Literal, ELEMS[at.unwrap_or(0)])
            }
        },
        Read::Constant(bank, index, elem) => {
            let (group, index) = locks.find(bank, index).unwrap_or((0, 0));
            IsaOperand::new(Source::Kcache { group, index }, ELEMS[usize::from(elem)])
        }
    };
    found.neg = operand.neg;
    found.abs = operand.abs;
    found
}

fn flow(kind: FlowKind, pops: u8) -> Flow {
    let op = match kind {
        FlowKind::PushQuads => CfOp::PUSH,
        FlowKind::Pop => CfOp::POP,
        FlowKind::Jump | FlowKind::JumpHelpers | FlowKind::JumpAlways => CfOp::JUMP,
        FlowKind::Else => CfOp::ELSE,
        FlowKind::LoopStart => CfOp::LOOP_START_DX10,
        FlowKind::LoopEnd | FlowKind::LoopEndLive => CfOp::LOOP_END,
        FlowKind::Break | FlowKind::BreakFailing => CfOp::LOOP_BREAK,
        FlowKind::Continue => CfOp::LOOP_CONTINUE,
    };
    let mut flow = Flow::new(op).pops(pops);
    flow.whole_quad_mode = kind == FlowKind::PushQuads;
    flow.valid_pixel_mode = matches!(kind, FlowKind::JumpHelpers | FlowKind::LoopEndLive);
    if kind == FlowKind::JumpAlways {
        flow.cond = Cond::False;
    }
    flow
}
