//! Which registers an instruction reads and writes, derived from its meaning.
//!
//! SCC is left out, and so are the registers that M0 selects at run time: only the register that the instruction names
//! is listed. Of an image address, whose length depends on the descriptor, the registers are those of one dimension.

use std::ops::Range;

use lanes::{Operand, PortEffects};

use super::decode::Inst;
use super::image::ImageSem;
use super::lift::{Allocation, LDS_DIRECT_SLOT, SCALAR_SLOTS};
use super::memory::{Atomic, BufferSem, DsSem, SmrdSem};
use super::operand::{
    EXEC, EXECZ, LDS_DIRECT, M0, SGPRS, TBA, TTMP, VCC, VCCZ, VGPR, is_scalar_register,
};
use super::scalar::{Condition, Sem as ScalarSem, SemC, SemK, SemP};
use super::text::form::{self, Destination, VectorForm};
use super::vector::{Interpolation, Sem, VectorOp, Vop2Op};
use super::words::{Ds, Exp, Mimg, Smrd, Vintrp};

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// VGPRs, 64 a word.
    pub vectors: [u64; 4],
    /// Scalars by operand code, 0 to 127.
    pub scalars: u128,
    /// One more than the highest VGPR, also where it is none.
    vector_end: u16,
    /// One more than the highest SGPR, also where it is none.
    scalar_end: u16,
}

impl Registers {
    fn vector(&mut self, first: u16, count: u16) {
        if count > 0 {
            self.vector_end = self.vector_end.max(first + count);
        }
        for n in first..(first + count).min(256) {
            self.vectors[usize::from(n / 64)] |= 1 << (n % 64);
        }
    }

    fn scalar(&mut self, first: u16, count: u16) {
        if first < SGPRS && count > 0 {
            self.scalar_end = self.scalar_end.max(first + count);
        }
        for n in first..(first + count).min(128) {
            self.scalars |= 1 << n;
        }
    }

    /// A source by its code.
    fn source(&mut self, code: u16, count: u16) {
        match code {
            VCCZ => self.scalar(VCC.into(), 2),
            EXECZ => self.scalar(EXEC.into(), 2),
            LDS_DIRECT => self.scalar(M0.into(), 1),
            VGPR.. => self.vector(code - VGPR, count),
            code if is_scalar_register(code) => self.scalar(code, count),
            _ => {}
        }
    }

    /// Numbers of the VGPRs.
    pub fn vectors(self) -> impl Iterator<Item = u16> {
        (0..256).filter(move |n| self.vectors[usize::from(n / 64)] >> (n % 64) & 1 == 1)
    }

    /// Operand codes of the scalars.
    pub fn scalars(self) -> impl Iterator<Item = u16> {
        (0..128).filter(move |n| self.scalars >> n & 1 == 1)
    }

    /// Whether a scalar is in the set.
    pub fn has_scalar(self, code: u8) -> bool {
        self.scalars >> code & 1 == 1
    }
}

/// What an instruction does to registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Registers read when it is issued.
    pub reads: Registers,
    /// Registers read later: data of stores, exports and global data share.
    pub reads_late: Registers,
    /// Registers written when it is issued.
    pub writes: Registers,
    /// Registers written later: results of memory.
    pub writes_late: Registers,
}

impl Effects {
    /// The highest register that the instruction names and a wave of this allocation does not have, by name.
    pub fn first_outside(&self, allocation: Allocation) -> Option<String> {
        let sets = [self.reads, self.reads_late, self.writes, self.writes_late];
        let vector = sets.map(|set| set.vector_end).into_iter().max()?;
        let scalar = sets.map(|set| set.scalar_end).into_iter().max()?;
        if vector > allocation.vgprs {
            Some(format!("v{}", vector - 1))
        } else if scalar > allocation.sgprs {
            Some(format!("s{}", scalar - 1))
        } else {
            None
        }
    }

    /// What the port of an instruction does in waves of this allocation, whose programs have `rows` rows. Where the
    /// instruction names a VGPR that a wave does not have, it reads VGPR 0 and writes nothing.
    pub(super) fn of_port(inst: Inst, vgprs: u16, rows: u16) -> PortEffects {
        let effects = match inst {
            // It stands for the operand LDS_DIRECT alone.
            Inst::Vop2(..) | Inst::Vop1(..) | Inst::Vopc(..) | Inst::Vop3a(_) | Inst::Vop3b(_) => {
                return PortEffects {
                    reads_scalars: vec![M0.into()],
                    writes_scalars: vec![LDS_DIRECT_SLOT],
                    overwrites: true,
                    uncounted: true,
                    cost: ROW_COST,
                    ..PortEffects::default()
                };
            }
            Inst::Smrd(w) => return smrd_port(w),
            inst => Effects::of(inst),
        };
        let Effects {
            reads, reads_late, ..
        } = effects;
        let mut vectors: Vec<u16> = reads.vectors().chain(reads_late.vectors()).collect();
        if let Inst::Mimg(w) = inst {
            // How much of the longest address counts, the descriptor says.
            let first = u16::from(w.vaddr);
            let longest = w.op.sem().longest_address(w.da);
            vectors.extend(first..first + u16::from(longest));
        }
        let mut port = PortEffects {
            reads_rows: vectors
                .into_iter()
                .map(|at| if at < vgprs { at } else { 0 })
                .collect(),
            reads_scalars: reads.scalars().chain(reads_late.scalars()).collect(),
            overwrites: match inst {
                Inst::Vintrp(_) => true,
                // Samples, gathers and loads give all that is asked for, where the wave has all its registers.
                Inst::Mimg(w) => {
                    let end = effects.writes_late.vector_end;
                    let gives = matches!(
                        w.op.sem(),
                        ImageSem::Sample(_) | ImageSem::Gather(_) | ImageSem::Load { .. }
                    );
                    gives && end <= vgprs.min(rows)
                }
                _ => false,
            },
            may_fail: !matches!(inst, Inst::Vintrp(_) | Inst::Exp(_) | Inst::Sopp(_)),
            // Image instructions charge what their descriptors make of them.
            uncounted: !matches!(inst, Inst::Mimg(_)),
            blind: true,
            cost: port_cost(inst),
            ..PortEffects::default()
        };
        for set in [effects.writes, effects.writes_late] {
            port.writes_rows
                .extend(set.vectors().filter(|at| *at < rows));
            port.writes_scalars.extend(set.scalars());
        }
        port.reads_rows.sort_unstable();
        port.reads_rows.dedup();
        port
    }

    /// The effects of an instruction.
    pub fn of(inst: Inst) -> Effects {
        let mut e = Effects::default();
        match inst {
            Inst::Sop2(w, _) => {
                e.scalar(form::sop2(w.op), w.sdst, [w.ssrc0, w.ssrc1]);
                e.scalar_special(w.op.sem(), w.sdst);
            }
            Inst::Sop1(w, _) => {
                e.scalar(form::sop1(w.op), w.sdst, [w.ssrc0, 128]);
                e.scalar_special(w.op.sem(), w.sdst);
            }
            Inst::Sopc(w, _) => {
                if w.op.sem() != SemC::SetSkip {
                    e.scalar(form::sopc(w.op), 125, [w.ssrc0, w.ssrc1]);
                }
            }
            Inst::Sopk(w, _) => e.constant(w.op.sem(), w.sdst),
            Inst::Sopp(w) => e.control(w.op.sem()),
            Inst::Smrd(w) => e.smrd(w),
            Inst::Vop2(w, _) => {
                let second = match w.op {
                    // The field holds a scalar code for these two.
                    Vop2Op::V_READLANE_B32 | Vop2Op::V_WRITELANE_B32 => w.vsrc1.into(),
                    _ => VGPR + u16::from(w.vsrc1),
                };
                let sources = [w.src0, second, VCC.into()];
                e.vector(VectorOp::Two(w.op), w.vdst, VCC, sources);
            }
            Inst::Vop1(w, _) => e.vector(VectorOp::One(w.op), w.vdst, VCC, [w.src0, 128, 128]),
            Inst::Vopc(w, _) => {
                let sources = [w.src0, VGPR + u16::from(w.vsrc1), 128];
                e.vector(VectorOp::Compare(w.op), VCC, VCC, sources);
            }
            Inst::Vop3a(w) => e.vector(w.op, w.vdst, VCC, [w.src0, w.src1, w.src2]),
            Inst::Vop3b(w) => e.vector(w.op, w.vdst, w.sdst, [w.src0, w.src1, w.src2]),
            Inst::Vintrp(w) => e.interpolation(w),
            Inst::Ds(w) => e.data_share(w),
            Inst::Mubuf(w) => {
                e.buffer_address([w.addr64, w.idxen, w.offen], w.vaddr, w.srsrc, w.soffset);
                e.buffer(w.op.sem(), w.vdata, w.glc, w.tfe, w.lds);
            }
            Inst::Mtbuf(w) => {
                e.buffer_address([w.addr64, w.idxen, w.offen], w.vaddr, w.srsrc, w.soffset);
                e.buffer(w.op.sem(), w.vdata, w.glc, w.tfe, false);
            }
            Inst::Mimg(w) => e.image(w),
            Inst::Exp(w) => e.export(w),
        }
        e
    }

    fn scalar(&mut self, [dst, s0, s1]: [u16; 3], sdst: u8, sources: [u8; 2]) {
        self.reads.source(sources[0].into(), s0);
        self.reads.source(sources[1].into(), s1);
        self.writes.scalar(sdst.into(), dst);
    }

    fn scalar_special(&mut self, sem: ScalarSem, sdst: u8) {
        match sem {
            ScalarSem::SaveExec(_) | ScalarSem::SaveExecInverted(_) => {
                self.reads.scalar(EXEC.into(), 2);
                self.writes.scalar(EXEC.into(), 2);
            }
            ScalarSem::PickMove(size) | ScalarSem::BitSet { size, .. } => {
                self.reads.scalar(sdst.into(), size.into());
            }
            ScalarSem::RelativeSource(_) | ScalarSem::RelativeDestination(_) => {
                self.reads.scalar(M0.into(), 1);
            }
            _ => {}
        }
    }

    fn constant(&mut self, sem: SemK, sdst: u8) {
        let sdst = u16::from(sdst);
        match sem {
            SemK::Move | SemK::GetReg => self.writes.scalar(sdst, 1),
            SemK::PickMove | SemK::Alu(..) => {
                self.reads.scalar(sdst, 1);
                self.writes.scalar(sdst, 1);
            }
            SemK::Compare(..) | SemK::SetReg => self.reads.scalar(sdst, 1),
            SemK::Fork => self.reads.scalar(sdst, 2),
            SemK::SetRegLiteral => {}
        }
    }

    fn control(&mut self, sem: SemP) {
        match sem {
            SemP::Branch(Condition::VccZ | Condition::VccNz) => self.reads.scalar(VCC.into(), 2),
            SemP::Branch(Condition::ExecZ | Condition::ExecNz) => self.reads.scalar(EXEC.into(), 2),
            SemP::Port | SemP::PortHalt => self.reads.scalar(M0.into(), 1),
            SemP::Trap => {
                self.reads.scalar(TBA.into(), 2);
                self.writes.scalar(TTMP.into(), 2);
            }
            _ => {}
        }
    }

    fn smrd(&mut self, w: Smrd) {
        let [base, loaded] = smrd_scalars(w.op.sem());
        self.reads.scalar(u16::from(w.sbase) * 2, base);
        if !w.imm && base > 0 {
            self.reads.source(w.offset.into(), 1);
        }
        self.writes_late.scalar(w.sdst.into(), loaded);
    }

    fn interpolation(&mut self, w: Vintrp) {
        self.reads.scalar(M0.into(), 1);
        self.reads.scalar(EXEC.into(), 2);
        if w.op.sem() != Interpolation::Move {
            self.reads.vector(w.vsrc.into(), 1);
        }
        if w.op.sem() == Interpolation::Second {
            self.reads.vector(w.vdst.into(), 1);
        }
        self.writes.vector(w.vdst.into(), 1);
    }

    fn data_share(&mut self, w: Ds) {
        let [vdst, addr, data0, data1] = w.op.sem().registers().map(u16::from);
        self.reads.scalar(EXEC.into(), 2);
        if w.op.sem() != DsSem::Swizzle {
            self.reads.scalar(M0.into(), 1);
        }
        self.reads.vector(w.addr.into(), addr);
        // Only the global share reads its data later. [SI 4.4]
        let data = match w.gds {
            true => &mut self.reads_late,
            false => &mut self.reads,
        };
        data.vector(w.data0.into(), data0);
        data.vector(w.data1.into(), data1);
        self.writes_late.vector(w.vdst.into(), vdst);
    }

    fn export(&mut self, w: Exp) {
        self.reads.scalar(EXEC.into(), 2);
        let sources = [w.vsrc0, w.vsrc1, w.vsrc2, w.vsrc3];
        let enabled = |n: usize| match w.compr {
            true => n < 2 && w.en >> (2 * n) & 1 == 1,
            false => w.en >> n & 1 == 1,
        };
        for (_, source) in sources.iter().enumerate().filter(|(n, _)| enabled(*n)) {
            self.reads_late.vector(u16::from(*source), 1);
        }
    }

    fn vector(&mut self, op: VectorOp, vdst: u8, sdst: u8, sources: [u16; 3]) {
        let wide = |ty: &Operand| matches!(ty, Operand::F64 | Operand::U64 | Operand::I64);
        let form = VectorForm::of(op);
        self.reads.scalar(EXEC.into(), 2);
        for (ty, code) in form.src.iter().zip(sources) {
            self.reads.source(code, 1 + u16::from(wide(ty)));
        }
        if form.mask_in {
            self.reads.source(sources[2], 2);
        }
        match form.destination {
            Destination::None => {}
            Destination::Vector(count) => self.writes.vector(vdst.into(), count),
            Destination::Scalar(count) => self.writes.scalar(vdst.into(), count),
        }
        if form.mask_out {
            self.writes.scalar(sdst.into(), 2);
        }
        if let VectorOp::Compare(op) = op
            && op.writes_exec()
        {
            self.writes.scalar(EXEC.into(), 2);
        }
        match op.sem() {
            Some(Sem::Onto(_) | Sem::WriteLane) => self.reads.vector(vdst.into(), 1),
            Some(Sem::DivFmas(..) | Sem::DivFmasWide(..)) => self.reads.scalar(VCC.into(), 2),
            Some(Sem::Relative(_)) => self.reads.scalar(M0.into(), 1),
            _ => {}
        }
    }

    fn buffer(&mut self, sem: BufferSem, vdata: u8, glc: bool, tfe: bool, lds: bool) {
        self.reads.scalar(EXEC.into(), 2);
        let vdata = u16::from(vdata);
        let count = u16::from(sem.registers());
        match sem {
            BufferSem::LoadFormat(_) | BufferSem::Load(_) if lds => self.reads.scalar(M0.into(), 1),
            BufferSem::LoadFormat(_) | BufferSem::Load(_) => {
                self.writes_late.vector(vdata, count + u16::from(tfe))
            }
            BufferSem::StoreFormat(_) | BufferSem::Store(_) => self.reads_late.vector(vdata, count),
            BufferSem::Atomic { size, .. } => {
                self.reads_late.vector(vdata, count);
                if glc {
                    self.writes_late
                        .vector(vdata, u16::from(size / 4) + u16::from(tfe));
                }
            }
            BufferSem::Invalidate => {}
        }
    }

    fn buffer_address(
        &mut self,
        [wide, idxen, offen]: [bool; 3],
        vaddr: u8,
        srsrc: u8,
        soffset: u8,
    ) {
        let addresses = match wide {
            true => 2,
            false => u16::from(idxen) + u16::from(offen),
        };
        self.reads.vector(vaddr.into(), addresses);
        self.reads.scalar(u16::from(srsrc) * 4, 4);
        self.reads.source(soffset.into(), 1);
    }

    fn image(&mut self, w: Mimg) {
        let sem = w.op.sem();
        self.reads.scalar(EXEC.into(), 2);
        self.reads
            .scalar(u16::from(w.srsrc) * 4, if w.r128 { 4 } else { 8 });
        if sem.has_sampler() {
            self.reads.scalar(u16::from(w.ssamp) * 4, 4);
        }
        self.reads
            .vector(w.vaddr.into(), sem.address_registers(1).into());
        let vdata = u16::from(w.vdata);
        let enabled = w.dmask.count_ones() as u16;
        match sem {
            ImageSem::Store { .. } => self.reads_late.vector(vdata, enabled),
            ImageSem::Atomic(op) => {
                let twice = matches!(op, Atomic::CompareSwap | Atomic::FCompareSwap);
                self.reads_late.vector(vdata, enabled);
                if w.glc {
                    let returned = if twice { enabled / 2 } else { enabled };
                    self.writes_late
                        .vector(vdata, returned.max(1) + u16::from(w.tfe));
                }
            }
            ImageSem::Gather(_) => self.writes_late.vector(vdata, 4 + u16::from(w.tfe)),
            _ => self.writes_late.vector(vdata, enabled + u16::from(w.tfe)),
        }
    }
}

/// What a port costs that touches a row at once, and one that touches memory lane by lane, a row each.
const ROW_COST: u32 = 64;
const LANES_COST: u32 = 1024;

/// What the port of an instruction costs a wave. Images charge for their texels as they go.
fn port_cost(inst: Inst) -> u32 {
    let buffer = |sem: BufferSem| match sem {
        BufferSem::Invalidate => ROW_COST,
        BufferSem::Atomic { .. } => 4 * LANES_COST,
        _ => LANES_COST * (1 + u32::from(sem.registers())),
    };
    match inst {
        Inst::Vintrp(_) | Inst::Sopp(_) => ROW_COST,
        Inst::Exp(_) => 4 * ROW_COST,
        Inst::Mubuf(w) => buffer(w.op.sem()),
        Inst::Mtbuf(w) => buffer(w.op.sem()),
        Inst::Ds(_) => 4 * LANES_COST,
        _ => LANES_COST,
    }
}

/// One more than the last destination of a scalar load.
const SMRD_END: u16 = VCC as u16 + 2;

/// Scalars that a load writes, all of them unless it faults. Destinations are SGPRs and VCC; what would lie beyond is
/// dropped. [SI 7.2]
pub(crate) fn loaded(inst: &Smrd) -> Range<u16> {
    let [_, count] = smrd_scalars(inst.op.sem());
    let first = u16::from(inst.sdst);
    first..(first + count).min(SMRD_END).max(first)
}

/// Scalars of the base, and of what is loaded.
fn smrd_scalars(sem: SmrdSem) -> [u16; 2] {
    match sem {
        SmrdSem::Load(count) => [2, count.into()],
        SmrdSem::Buffer(count) => [4, count.into()],
        SmrdSem::Time => [0, 2],
        SmrdSem::Invalidate => [0, 0],
    }
}

/// A load makes what it writes from scalars alone, and from memory.
fn smrd_port(inst: Smrd) -> PortEffects {
    let [base, _] = smrd_scalars(inst.op.sem());
    if base == 0 {
        return PortEffects {
            writes_scalars: loaded(&inst).collect(),
            cost: ROW_COST,
            ..PortEffects::default()
        };
    }
    let first = u16::from(inst.sbase) * 2;
    let offset = (!inst.imm).then_some(u16::from(inst.offset));
    let mut reads: Vec<u16> = (first..first + base).chain(offset).collect();
    let known = reads.iter().all(|at| *at < SCALAR_SLOTS);
    reads.retain(|at| *at < SCALAR_SLOTS);
    PortEffects {
        reads_scalars: reads,
        writes_scalars: loaded(&inst).collect(),
        overwrites: known,
        wave_uniform: known,
        may_fail: true,
        uncounted: true,
        cost: 4 * ROW_COST,
        ..PortEffects::default()
    }
}
