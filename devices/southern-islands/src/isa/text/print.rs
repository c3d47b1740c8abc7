//! Instructions to text.

use std::fmt::{self, Display, Formatter, Write};

use lanes::Operand;

use super::super::decode::Inst;
use super::super::image::ImageSem;
use super::super::lift::HwReg;
use super::super::memory::{BufferSem, DsSem, SmrdSem};
use super::super::operand::{EXECZ, LITERAL, SCC, VCC, VCCZ, VGPR, inline_value};
use super::super::scalar::{SemK, SoppOp};
use super::super::vector::{Interpolation, Sem, VectorOp};
use super::super::words::*;
use super::form::{self, Destination, VectorForm};
use super::names::{self, register};

impl Display for Inst {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let mut operands = Operands {
            text: String::new(),
            modifiers: String::new(),
            literal: self.literal().unwrap_or(0),
        };
        operands.inst(self);
        write_name(self, f)?;
        if !operands.text.is_empty() {
            write!(f, " {}", operands.text)?;
        }
        f.write_str(&operands.modifiers)
    }
}

/// Collects the operands of one instruction.
struct Operands {
    text: String,
    modifiers: String,
    literal: u32,
}

impl Operands {
    fn push(&mut self, operand: impl Display) {
        let comma = if self.text.is_empty() { "" } else { ", " };
        let _ = write!(self.text, "{comma}{operand}");
    }

    fn flag(&mut self, set: bool, name: &str) {
        if set {
            let _ = write!(self.modifiers, " {name}");
        }
    }

    fn number(&mut self, name: &str, value: u32) {
        if value != 0 {
            let _ = write!(self.modifiers, " {name}:{value}");
        }
    }

    fn register(&mut self, code: u16, count: u16) {
        let text = register(code, count).unwrap_or_else(|| format!("reserved_{code}"));
        self.push(text);
    }

    fn vgprs(&mut self, first: u8, count: u8) {
        self.register(VGPR + u16::from(first), count.max(1).into());
    }

    /// A source operand as text.
    fn source(&self, code: u16, count: u16) -> String {
        if code == LITERAL {
            return format!("{:#x}", self.literal);
        }
        match inline_value(code) {
            Some(bits) if code >= 240 => format!("{:?}", f32::from_bits(bits)),
            Some(bits) => (bits as i32).to_string(),
            None if matches!(code, VCCZ | EXECZ | SCC) => register(code, 1).unwrap_or_default(),
            None => register(code, count).unwrap_or_else(|| format!("reserved_{code}")),
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match *inst {
            Inst::Sop2(w, _) => self.scalar(form::sop2(w.op), w.sdst, w.ssrc0, w.ssrc1),
            Inst::Sop1(w, _) => self.scalar(form::sop1(w.op), w.sdst, w.ssrc0, 0),
            Inst::Sopc(w, _) => self.scalar(form::sopc(w.op), 0, w.ssrc0, w.ssrc1),
            Inst::Sopk(w, _) => self.sopk(w),
            Inst::Sopp(w) => self.sopp(w),
            Inst::Smrd(w) => self.smrd(w),
            Inst::Vop2(w, _) => {
                let src1 = match w.op.sem() {
                    Sem::ReadLane | Sem::WriteLane => w.vsrc1.into(),
                    _ => VGPR + u16::from(w.vsrc1),
                };
                let op = VectorOp::Two(w.op);
                self.vector(op, w.vdst, VCC, [w.src0, src1, VCC.into()], 0, 0);
            }
            Inst::Vop1(w, _) => {
                let op = VectorOp::One(w.op);
                self.vector(op, w.vdst, VCC, [w.src0, 0, 0], 0, 0);
            }
            Inst::Vopc(w, _) => {
                let src1 = VGPR + u16::from(w.vsrc1);
                let op = VectorOp::Compare(w.op);
                self.vector(op, VCC, VCC, [w.src0, src1, 0], 0, 0);
            }
            Inst::Vop3a(w) => {
                let src = [w.src0, w.src1, w.src2];
                self.vector(w.op, w.vdst, VCC, src, w.neg, w.abs);
                self.flag(w.clamp, "clamp");
                self.output_modifier(w.omod);
            }
            Inst::Vop3b(w) => {
                let src = [w.src0, w.src1, w.src2];
                self.vector(w.op, w.vdst, w.sdst, src, w.neg, 0);
                self.output_modifier(w.omod);
            }
            Inst::Vintrp(w) => self.vintrp(w),
            Inst::Ds(w) => self.ds(w),
            Inst::Mubuf(w) => self.mubuf(w),
            Inst::Mtbuf(w) => self.mtbuf(w),
            Inst::Mimg(w) => self.mimg(w),
            Inst::Exp(w) => self.export(w),
        }
    }

    fn scalar(&mut self, form: form::ScalarForm, sdst: u8, ssrc0: u8, ssrc1: u8) {
        if form[0] > 0 {
            self.register(sdst.into(), form[0]);
        }
        for (count, code) in [(form[1], ssrc0), (form[2], ssrc1)] {
            if count > 0 {
                let text = self.source(code.into(), count);
                self.push(text);
            }
        }
    }

    fn sopk(&mut self, w: Sopk) {
        match w.op.sem() {
            SemK::Fork => {
                self.register(w.sdst.into(), 2);
                self.push(w.simm16 as i16);
            }
            SemK::GetReg => {
                self.register(w.sdst.into(), 1);
                self.push(hardware_register(w.simm16));
            }
            SemK::SetReg => {
                self.push(hardware_register(w.simm16));
                self.register(w.sdst.into(), 1);
            }
            SemK::SetRegLiteral => {
                self.push(hardware_register(w.simm16));
                let literal = self.literal;
                self.push(format_args!("{literal:#x}"));
            }
            _ => {
                self.register(w.sdst.into(), 1);
                self.push(format_args!("{:#x}", w.simm16));
            }
        }
    }

    fn sopp(&mut self, w: Sopp) {
        use SoppOp::*;
        match w.op {
            S_ENDPGM | S_BARRIER | S_ICACHE_INV | S_TTRACEDATA => {}
            S_WAITCNT => self.push(wait_counters(w.simm16)),
            S_SENDMSG | S_SENDMSGHALT => self.push(message(w.simm16)),
            S_BRANCH | S_CBRANCH_SCC0 | S_CBRANCH_SCC1 | S_CBRANCH_VCCZ | S_CBRANCH_VCCNZ
            | S_CBRANCH_EXECZ | S_CBRANCH_EXECNZ => self.push(w.simm16 as i16),
            _ => self.push(w.simm16),
        }
    }

    fn smrd(&mut self, w: Smrd) {
        match w.op.sem() {
            SmrdSem::Load(count) | SmrdSem::Buffer(count) => {
                self.register(w.sdst.into(), count.into());
                let base = match w.op.sem() {
                    SmrdSem::Buffer(_) => 4,
                    _ => 2,
                };
                self.register(u16::from(w.sbase) * 2, base);
                match w.imm {
                    true => self.push(format_args!("{:#x}", w.offset)),
                    false => self.register(w.offset.into(), 1),
                }
            }
            SmrdSem::Time => self.register(w.sdst.into(), 2),
            SmrdSem::Invalidate => {}
        }
    }

    fn vector(&mut self, op: VectorOp, vdst: u8, sdst: u8, src: [u16; 3], neg: u8, abs: u8) {
        let form = VectorForm::of(op);
        match form.destination {
            Destination::None => {}
            Destination::Vector(count) => self.register(VGPR + u16::from(vdst), count),
            Destination::Scalar(count) => self.register(vdst.into(), count),
        }
        if form.mask_out {
            self.register(sdst.into(), 2);
        }
        for (at, &ty) in form.src.iter().enumerate() {
            let wide = matches!(ty, Operand::F64 | Operand::U64 | Operand::I64);
            let mut text = self.source(src[at], 1 + u16::from(wide));
            if abs >> at & 1 == 1 {
                text = format!("|{text}|");
            }
            if neg >> at & 1 == 1 {
                // A minus sign before a number would be part of the number.
                let number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
                text = match number {
                    true => format!("neg({text})"),
                    false => format!("-{text}"),
                };
            }
            self.push(text);
            if form.constant_after == Some(at) {
                let literal = self.literal;
                self.push(format_args!("{literal:#x}"));
            }
        }
        if form.mask_in {
            let text = self.source(src[2], 2);
            self.push(text);
        }
    }

    fn output_modifier(&mut self, omod: u8) {
        let names = ["", " mul:2", " mul:4", " div:2"];
        self.modifiers.push_str(names[usize::from(omod & 3)]);
    }

    fn vintrp(&mut self, w: Vintrp) {
        self.vgprs(w.vdst, 1);
        match (w.op.sem(), names::PARAMETERS.get(usize::from(w.vsrc))) {
            (Interpolation::Move, Some(name)) => self.push(name),
            (Interpolation::Move, None) => self.push(format_args!("invalid_param_{}", w.vsrc)),
            _ => self.vgprs(w.vsrc, 1),
        }
        let channel = names::CHANNELS.as_bytes()[usize::from(w.attrchan & 3)] as char;
        self.push(format_args!("attr{}.{channel}", w.attr));
    }

    fn ds(&mut self, w: Ds) {
        let sem = w.op.sem();
        let fields = [w.vdst, w.addr, w.data0, w.data1];
        for (field, count) in fields.into_iter().zip(sem.registers()) {
            if count > 0 {
                self.vgprs(field, count);
            }
        }
        if sem.has_two_offsets() {
            self.number("offset0", w.offset0.into());
            self.number("offset1", w.offset1.into());
        } else if sem == DsSem::Swizzle && w.offset1 == 0x80 {
            let lane = |at: u8| w.offset0 >> at & 3;
            let lanes = [lane(0), lane(2), lane(4), lane(6)].map(|lane| lane.to_string());
            let list = lanes.join(",");
            let _ = write!(self.modifiers, " offset:swizzle(QUAD_PERM,{list})");
        } else {
            self.number("offset", u32::from(w.offset1) << 8 | u32::from(w.offset0));
        }
        self.flag(w.gds, "gds");
    }

    fn mubuf(&mut self, w: Mubuf) {
        let sem = w.op.sem();
        if sem == BufferSem::Invalidate {
            return;
        }
        if !w.lds {
            self.vgprs(w.vdata, sem.registers() + u8::from(w.tfe));
        }
        let address = [w.offen, w.idxen, w.addr64, w.addr64];
        self.buffer_operands(address, w.vaddr, w.srsrc, w.soffset);
        self.buffer_modifiers(address, w.offset, w.glc, w.slc);
        self.flag(w.lds, "lds");
        self.flag(w.tfe, "tfe");
    }

    fn mtbuf(&mut self, w: Mtbuf) {
        let sem = w.op.sem();
        self.vgprs(w.vdata, sem.registers() + u8::from(w.tfe));
        let address = [w.offen, w.idxen, w.addr64, w.addr64];
        self.buffer_operands(address, w.vaddr, w.srsrc, w.soffset);
        let data = names::DATA_FORMATS[usize::from(w.dfmt & 15)];
        let number = names::NUMBER_FORMATS[usize::from(w.nfmt & 7)];
        let _ = write!(
            self.modifiers,
            " format:[BUF_DATA_FORMAT_{data},BUF_NUM_FORMAT_{number}]"
        );
        self.buffer_modifiers(address, w.offset, w.glc, w.slc);
        self.flag(w.tfe, "tfe");
    }

    fn buffer_modifiers(&mut self, address: [bool; 4], offset: u16, glc: bool, slc: bool) {
        let [offen, idxen, addr64, _] = address;
        self.flag(idxen, "idxen");
        self.flag(offen, "offen");
        self.flag(addr64, "addr64");
        self.number("offset", offset.into());
        self.flag(glc, "glc");
        self.flag(slc, "slc");
    }

    /// Address, descriptor and offset; each set flag of `address` is one address register.
    fn buffer_operands(&mut self, address: [bool; 4], vaddr: u8, srsrc: u8, soffset: u8) {
        match address.into_iter().filter(|set| *set).count() as u8 {
            0 => self.push("off"),
            count => self.vgprs(vaddr, count),
        }
        self.register(u16::from(srsrc) * 4, 4);
        let offset = self.source(soffset.into(), 1);
        self.push(offset);
    }

    fn mimg(&mut self, w: Mimg) {
        let sem = w.op.sem();
        let components = match sem {
            ImageSem::Gather(_) => 4,
            _ => w.dmask.count_ones().max(1) as u8,
        };
        self.vgprs(w.vdata, components + u8::from(w.tfe));
        // The dimension is the descriptor's: two coordinates stand for all.
        self.vgprs(w.vaddr, sem.address_registers(2 + u8::from(w.da)));
        self.register(u16::from(w.srsrc) * 4, if w.r128 { 4 } else { 8 });
        if sem.has_sampler() {
            self.register(u16::from(w.ssamp) * 4, 4);
        }
        if w.dmask != 0 {
            let _ = write!(self.modifiers, " dmask:{:#x}", w.dmask);
        }
        self.flag(w.unorm, "unorm");
        self.flag(w.glc, "glc");
        self.flag(w.slc, "slc");
        self.flag(w.r128, "r128");
        self.flag(w.tfe, "tfe");
        self.flag(w.lwe, "lwe");
        self.flag(w.da, "da");
    }

    fn export(&mut self, w: Exp) {
        let src = match w.compr {
            true => [w.vsrc0, w.vsrc0, w.vsrc1, w.vsrc1],
            false => [w.vsrc0, w.vsrc1, w.vsrc2, w.vsrc3],
        };
        for (at, src) in src.into_iter().enumerate() {
            match w.en >> at & 1 {
                0 => self.push("off"),
                _ => self.vgprs(src, 1),
            }
        }
        self.flag(w.done, "done");
        self.flag(w.compr, "compr");
        self.flag(w.vm, "vm");
    }
}

/// The mnemonic. A VOP3 operation that also has a 32-bit form needs a suffix.
fn write_name(inst: &Inst, f: &mut Formatter) -> fmt::Result {
    f.write_str(match inst {
        Inst::Sop2(w, _) => w.op.name(),
        Inst::Sopk(w, _) => w.op.name(),
        Inst::Sop1(w, _) => w.op.name(),
        Inst::Sopc(w, _) => w.op.name(),
        Inst::Sopp(w) => w.op.name(),
        Inst::Smrd(w) => w.op.name(),
        Inst::Vop2(w, _) => w.op.name(),
        Inst::Vop1(w, _) => w.op.name(),
        Inst::Vopc(w, _) => w.op.name(),
        Inst::Vop3a(Vop3a { op, .. }) | Inst::Vop3b(Vop3b { op, .. }) => match op {
            VectorOp::Three(op) => op.name(),
            op => return write!(f, "{}_e64", op.name()),
        },
        Inst::Vintrp(w) => w.op.name(),
        Inst::Ds(w) => w.op.name(),
        Inst::Mubuf(w) => w.op.name(),
        Inst::Mtbuf(w) => w.op.name(),
        Inst::Mimg(w) => w.op.name(),
        Inst::Exp(w) => return write!(f, "exp {}", names::export_target(w.tgt)),
    })
}

fn hardware_register(simm16: u16) -> String {
    let HwReg { id, offset, size } = HwReg::from_word(simm16);
    let name = match names::HARDWARE_REGISTERS.get(id as usize) {
        Some(&"") | None => id.to_string(),
        Some(name) => (*name).to_owned(),
    };
    match (offset, size) {
        (0, 32) => format!("hwreg({name})"),
        _ => format!("hwreg({name}, {offset}, {size})"),
    }
}

/// Counters that are waited for; a field of ones waits for nothing. [SI p.11-64 S_WAITCNT]
fn wait_counters(simm16: u16) -> String {
    let fields = [("vmcnt", 0, 15), ("expcnt", 4, 7), ("lgkmcnt", 8, 15)];
    if simm16 & !0xf7f != 0 {
        return format!("{simm16:#x}");
    }
    let all = simm16 == 0xf7f;
    let parts: Vec<String> = fields
        .into_iter()
        .map(|(name, at, most)| (name, simm16 >> at & most, most))
        .filter(|(_, value, most)| all || value != most)
        .map(|(name, value, _)| format!("{name}({value})"))
        .collect();
    parts.join(" ")
}

fn message(simm16: u16) -> String {
    let (id, operation, stream) = (simm16 & 15, simm16 >> 4 & 3, simm16 >> 8 & 3);
    let rest = simm16 & !0x33f;
    let name = names::MESSAGES.iter().find(|message| message.0 == id);
    let symbol = names::GS_OPERATIONS[usize::from(operation)];
    match (name, id, operation, stream) {
        _ if rest != 0 => simm16.to_string(),
        (Some(name), 1 | 15, 0, 0) => format!("sendmsg({})", name.1),
        (Some(name), 3, 0, 0) => format!("sendmsg({}, {symbol})", name.1),
        (Some(name), 2 | 3, 1.., stream) => format!("sendmsg({}, {symbol}, {stream})", name.1),
        _ => simm16.to_string(),
    }
}
