//! Text to instructions.

use isa::text::{Cursor, Number};
use lanes::Operand as Type;

use super::super::compare::VopcOp;
use super::super::decode::Inst;
use super::super::image::MimgOp;
use super::super::memory::{DsOp, MtbufOp, MubufOp, SmrdOp, SmrdSem};
use super::super::operand::{LITERAL, Operand, VCC, VGPR};
use super::super::scalar::{SemK, Sop1Op, Sop2Op, SopcOp, SopkOp, SoppOp};
use super::super::vector::{Sem, VectorOp, VintrpOp, Vop1Op, Vop2Op, Vop3Op};
use super::super::words::*;
use super::form::{self, Destination, ScalarForm, VectorForm};
use super::operand::{self, scalar_register, scalar_source, vgpr};
use super::{constants, memory};

/// Finds labels: the word index that a name stands for, and the word index after this instruction.
pub(super) struct Labels<'a> {
    pub(super) labels: &'a dyn Fn(&str) -> Option<i64>,
    pub(super) next: i64,
}

/// An opcode by its text or by the manual's name in small letters.
macro_rules! by_name {
    ($Op:ident, $name:expr) => {
        $Op::from_name($name).or_else(|| {
            let mut rows = $Op::ROWS.iter();
            rows.find(|row| row.mnemonic.eq_ignore_ascii_case($name))
                .map(|row| row.op)
        })
    };
}

/// One instruction.
pub(super) fn instruction(text: &str, place: &Labels) -> Result<Inst, String> {
    let mut cursor = Cursor::new(text);
    let c = &mut cursor;
    let name = c.word().ok_or("no mnemonic")?;
    let inst = statement(name, c, place)?;
    match c.is_end() {
        true => Ok(inst),
        false => Err(format!("unexpected text{}", c.here())),
    }
}

fn statement(name: &str, c: &mut Cursor, place: &Labels) -> Result<Inst, String> {
    if let Some(op) = by_name!(Sop2Op, name) {
        let (sdst, [s0, s1]) = scalar(c, form::sop2(op))?;
        return with_one_literal(s0, s1).map(|()| Inst::sop2(op, sdst, s0, s1));
    }
    if let Some(op) = by_name!(Sop1Op, name) {
        let (sdst, [s0, _]) = scalar(c, form::sop1(op))?;
        return Ok(Inst::sop1(op, sdst, s0));
    }
    if let Some(op) = by_name!(SopcOp, name) {
        let (_, [s0, s1]) = scalar(c, form::sopc(op))?;
        return with_one_literal(s0, s1).map(|()| Inst::sopc(op, s0, s1));
    }
    if let Some(op) = by_name!(SopkOp, name) {
        return sopk(op, c, place);
    }
    if let Some(op) = by_name!(SoppOp, name) {
        return sopp(op, c, place);
    }
    if let Some(op) = by_name!(SmrdOp, name) {
        return smrd(op, c);
    }
    if let Some(op) = by_name!(VintrpOp, name) {
        return memory::vintrp(op, c);
    }
    if let Some(op) = by_name!(DsOp, name) {
        return memory::ds(op, c);
    }
    if let Some(op) = by_name!(MubufOp, name) {
        return memory::mubuf(op, c);
    }
    if let Some(op) = by_name!(MtbufOp, name) {
        return memory::mtbuf(op, c);
    }
    if let Some(op) = by_name!(MimgOp, name) {
        return memory::mimg(op, c);
    }
    if matches!(name, "exp" | "export") {
        return memory::export(c);
    }
    let (base, size) = match (name.strip_suffix("_e32"), name.strip_suffix("_e64")) {
        (Some(base), _) => (base, Size::Short),
        (_, Some(base)) => (base, Size::Long),
        _ => (name, Size::Any),
    };
    let op = by_name!(VopcOp, base)
        .map(VectorOp::Compare)
        .or_else(|| by_name!(Vop2Op, base).map(VectorOp::Two))
        .or_else(|| by_name!(Vop1Op, base).map(VectorOp::One))
        .or_else(|| by_name!(Vop3Op, base).map(VectorOp::Three));
    match op {
        Some(op) => vector(op, size, c),
        None => Err(format!("no instruction `{name}`")),
    }
}

/// The encoding that a suffix asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Any,
    Short,
    Long,
}

/// Reads a comma before every operand but the first.
struct List {
    first: bool,
}

impl List {
    fn next(&mut self, c: &mut Cursor) -> Result<(), String> {
        match std::mem::take(&mut self.first) {
            true => Ok(()),
            false => c.expect(","),
        }
    }
}

fn scalar(c: &mut Cursor, form: ScalarForm) -> Result<(u8, [Operand; 2]), String> {
    let mut list = List { first: true };
    let mut sdst = 0;
    if form[0] > 0 {
        list.next(c)?;
        sdst = scalar_register(c, form[0])?;
    }
    let mut src = [Operand::Code(0); 2];
    for at in 0..2 {
        if form[at + 1] > 0 {
            list.next(c)?;
            src[at] = scalar_source(c, form[at + 1])?;
        }
    }
    Ok((sdst, src))
}

/// Both sources may be the literal, but there is one only.
fn with_one_literal(s0: Operand, s1: Operand) -> Result<(), String> {
    match (s0.literal(), s1.literal()) {
        (Some(a), Some(b)) if a != b => Err(format!("two literals, {a:#x} and {b:#x}")),
        _ => Ok(()),
    }
}

fn sopk(op: SopkOp, c: &mut Cursor, place: &Labels) -> Result<Inst, String> {
    let word = |sdst, simm16| Sopk { op, sdst, simm16 };
    match op.sem() {
        SemK::Fork => {
            let sdst = scalar_register(c, 2)?;
            c.expect(",")?;
            Ok(Inst::Sopk(word(sdst, target(c, place)?), None))
        }
        SemK::GetReg => {
            let sdst = scalar_register(c, 1)?;
            c.expect(",")?;
            Ok(Inst::Sopk(
                word(sdst, constants::hardware_register(c)?),
                None,
            ))
        }
        SemK::SetReg => {
            let simm16 = constants::hardware_register(c)?;
            c.expect(",")?;
            Ok(Inst::Sopk(word(scalar_register(c, 1)?, simm16), None))
        }
        SemK::SetRegLiteral => {
            let simm16 = constants::hardware_register(c)?;
            c.expect(",")?;
            let value = c
                .integer()
                .ok_or_else(|| format!("expected a number{}", c.here()))?;
            Ok(Inst::Sopk(word(0, simm16), Some(operand::word(value)?)))
        }
        _ => {
            let sdst = scalar_register(c, 1)?;
            c.expect(",")?;
            Ok(Inst::Sopk(word(sdst, constants::half(c)?), None))
        }
    }
}

fn sopp(op: SoppOp, c: &mut Cursor, place: &Labels) -> Result<Inst, String> {
    use SoppOp::*;
    let simm16 = match op {
        S_ENDPGM | S_BARRIER | S_ICACHE_INV | S_TTRACEDATA => 0,
        S_WAITCNT => constants::wait_counters(c)?,
        S_SENDMSG | S_SENDMSGHALT => constants::message(c)?,
        S_BRANCH | S_CBRANCH_SCC0 | S_CBRANCH_SCC1 | S_CBRANCH_VCCZ | S_CBRANCH_VCCNZ
        | S_CBRANCH_EXECZ | S_CBRANCH_EXECNZ => target(c, place)?,
        _ => constants::half(c)?,
    };
    Ok(Inst::sopp(op, simm16))
}

/// A branch target: a label, or a number of words from the next instruction.
fn target(c: &mut Cursor, place: &Labels) -> Result<u16, String> {
    let Some(name) = c.word() else {
        return constants::half(c);
    };
    let at = (place.labels)(name).ok_or_else(|| format!("no label `{name}`"))?;
    let distance = at - place.next;
    i16::try_from(distance)
        .map(|distance| distance as u16)
        .map_err(|_| format!("`{name}` is {distance} words away, a branch reaches 32767"))
}

fn smrd(op: SmrdOp, c: &mut Cursor) -> Result<Inst, String> {
    let mut word = Smrd {
        op,
        sdst: 0,
        sbase: 0,
        imm: false,
        offset: 0,
    };
    let (count, base) = match op.sem() {
        SmrdSem::Load(count) => (count, 2),
        SmrdSem::Buffer(count) => (count, 4),
        SmrdSem::Time => {
            word.sdst = scalar_register(c, 2)?;
            return Ok(Inst::Smrd(word));
        }
        SmrdSem::Invalidate => return Ok(Inst::Smrd(word)),
    };
    word.sdst = scalar_register(c, count.into())?;
    c.expect(",")?;
    let here = c.here();
    let code = scalar_register(c, base)?;
    if code % 2 == 1 {
        return Err(format!("a base register is even{here}"));
    }
    word.sbase = code / 2;
    c.expect(",")?;
    match c.integer() {
        Some(offset) => {
            word.imm = true;
            word.offset = u8::try_from(offset)
                .map_err(|_| format!("offset {offset} is not 0 to 255 dwords"))?;
        }
        None => word.offset = scalar_register(c, 1)?,
    }
    Ok(Inst::Smrd(word))
}

/// The operands of a vector instruction before its encoding is chosen.
#[derive(Default)]
struct Operands {
    vdst: u8,
    sdst: u8,
    src: Vec<Operand>,
    neg: u8,
    abs: u8,
    mask: Option<u16>,
    constant: Option<u32>,
    clamp: bool,
    omod: u8,
}

fn vector(op: VectorOp, size: Size, c: &mut Cursor) -> Result<Inst, String> {
    let form = VectorForm::of(op);
    let mut operands = Operands {
        sdst: VCC,
        ..Operands::default()
    };
    let o = &mut operands;
    let mut list = List { first: true };
    match form.destination {
        Destination::None => {}
        Destination::Vector(count) => {
            list.next(c)?;
            o.vdst = vgpr(c, count)?;
        }
        Destination::Scalar(count) => {
            list.next(c)?;
            o.vdst = scalar_register(c, count)?;
        }
    }
    if form.mask_out {
        list.next(c)?;
        o.sdst = scalar_register(c, 2)?;
    }
    for (at, &ty) in form.src.iter().enumerate() {
        list.next(c)?;
        let source = operand::source(c)?;
        o.src.push(operand::encode(source.named, ty)?);
        o.neg |= u8::from(source.neg) << at;
        o.abs |= u8::from(source.abs) << at;
        if form.constant_after == Some(at) {
            list.next(c)?;
            let source = operand::source(c)?;
            let value = match operand::encode(source.named, Type::F32)? {
                Operand::Literal(value) => Some(value),
                Operand::Code(code) => super::super::operand::inline_value(code),
            };
            o.constant = Some(value.ok_or("the constant is a number")?);
        }
    }
    if form.mask_in {
        list.next(c)?;
        o.mask = Some(scalar_source(c, 2)?.code());
    }
    while let Some(word) = c.word() {
        match word {
            "clamp" => o.clamp = true,
            "mul" | "div" => {
                c.expect(":")?;
                o.omod = match (word, c.number()) {
                    ("mul", Some(Number::Integer(1))) => 0,
                    ("mul", Some(Number::Integer(2))) => 1,
                    ("mul", Some(Number::Integer(4))) => 2,
                    ("div", Some(Number::Integer(2))) => 3,
                    _ => return Err("an output modifier is mul:2, mul:4 or div:2".to_owned()),
                };
            }
            _ => return Err(format!("no modifier `{word}`")),
        }
    }
    choose(op, size, &form, &operands)
}

/// The 32-bit form where the operands allow it and the suffix does not forbid it.
fn choose(op: VectorOp, size: Size, form: &VectorForm, o: &Operands) -> Result<Inst, String> {
    if size != Size::Long
        && let Some(inst) = short(op, form, o)
    {
        return Ok(inst);
    }
    if size == Size::Short {
        return Err("these operands do not fit the 32-bit encoding".to_owned());
    }
    if o.constant.is_some() {
        return Err("the second source is a vector register".to_owned());
    }
    let mut src = [0; 3];
    for (field, operand) in src.iter_mut().zip(&o.src) {
        *field = operand.code();
    }
    if let Some(mask) = o.mask {
        src[2] = mask;
    }
    if src.contains(&LITERAL) {
        return Err("the 64-bit encoding has no room for a literal".to_owned());
    }
    match op.has_scalar_destination() {
        true if o.abs != 0 || o.clamp => {
            Err("an instruction with a mask result has no abs and no clamp".to_owned())
        }
        true => Ok(Inst::Vop3b(Vop3b {
            neg: o.neg,
            omod: o.omod,
            src2: src[2],
            src1: src[1],
            src0: src[0],
            op,
            sdst: o.sdst,
            vdst: o.vdst,
        })),
        false => Ok(Inst::Vop3a(Vop3a {
            neg: o.neg,
            omod: o.omod,
            src2: src[2],
            src1: src[1],
            src0: src[0],
            op,
            clamp: o.clamp,
            abs: o.abs,
            vdst: o.vdst,
        })),
    }
}

fn short(op: VectorOp, form: &VectorForm, o: &Operands) -> Option<Inst> {
    let vcc = u16::from(VCC);
    let plain = o.neg == 0 && o.abs == 0 && o.omod == 0 && !o.clamp;
    let masks = o.sdst == VCC && o.mask.is_none_or(|mask| mask == vcc);
    if !plain || !masks {
        return None;
    }
    let s0 = o.src.first().copied().unwrap_or(Operand::Code(0));
    let vsrc1 = || {
        let code = o.src.get(1)?.code();
        (code >= VGPR).then(|| (code - VGPR) as u8)
    };
    match op {
        VectorOp::One(op) => Some(Inst::vop1(op, o.vdst, s0)),
        VectorOp::Two(op) => match (op.sem(), o.constant) {
            (_, Some(constant)) if s0.literal().is_none_or(|literal| literal == constant) => Some(
                Inst::mad_constant(op, o.vdst, s0.code(), vsrc1()?, constant),
            ),
            (_, Some(_)) => None,
            (Sem::ReadLane | Sem::WriteLane, None) => {
                let lane = o.src.get(1)?.code();
                let fits = lane < LITERAL;
                fits.then(|| Inst::vop2(op, o.vdst, s0, lane as u8))
            }
            _ => Some(Inst::vop2(op, o.vdst, s0, vsrc1()?)),
        },
        VectorOp::Compare(op) => {
            debug_assert_eq!(form.destination, Destination::Scalar(2));
            let fits = o.vdst == VCC;
            let vsrc1 = vsrc1()?;
            fits.then(|| Inst::vopc(op, s0, vsrc1))
        }
        VectorOp::Three(_) => None,
    }
}
