//! Memory, image, export and interpolation instructions in text.

use isa::text::{Cursor, Number};

use super::super::decode::Inst;
use super::super::image::{ImageSem, MimgOp};
use super::super::memory::{BufferSem, DsOp, DsSem, MtbufOp, MubufOp};
use super::super::operand::VCCZ;
use super::super::vector::{Interpolation, VintrpOp};
use super::super::words::*;
use super::names::{self, CHANNELS, DATA_FORMATS, NUMBER_FORMATS, PARAMETERS};
use super::operand::{descriptor, scalar_source, vgpr};

/// `name:value` of a modifier whose name was read.
fn value(c: &mut Cursor, most: u32) -> Result<u32, String> {
    c.expect(":")?;
    let here = c.here();
    match c.number() {
        Some(Number::Integer(value)) if value <= most.into() => Ok(value as u32),
        Some(_) => Err(format!("a number up to {most} is needed{here}")),
        None => Err(format!("expected a number{here}")),
    }
}

fn unknown(word: &str) -> String {
    format!("no modifier `{word}`")
}

pub(super) fn vintrp(op: VintrpOp, c: &mut Cursor) -> Result<Inst, String> {
    let vdst = vgpr(c, 1)?;
    c.expect(",")?;
    let vsrc = match op.sem() {
        Interpolation::Move => {
            let name = c.word().unwrap_or("");
            let found = PARAMETERS.iter().position(|known| *known == name);
            found.ok_or_else(|| format!("no parameter `{name}`"))? as u8
        }
        _ => vgpr(c, 1)?,
    };
    c.expect(",")?;
    let here = c.here();
    let attribute = || format!("expected an attribute such as attr0.x{here}");
    let word = c.word().ok_or_else(attribute)?;
    let parts = word
        .strip_prefix("attr")
        .and_then(|rest| rest.split_once('.'));
    let (number, channel) = parts.ok_or_else(attribute)?;
    let attr = number.parse().ok().filter(|number| *number < 64);
    let channel = CHANNELS.find(channel).filter(|_| channel.len() == 1);
    match (attr, channel) {
        (Some(attr), Some(channel)) => Ok(Inst::Vintrp(Vintrp {
            vdst,
            op,
            attr,
            attrchan: channel as u8,
            vsrc,
        })),
        _ => Err(attribute()),
    }
}

pub(super) fn ds(op: DsOp, c: &mut Cursor) -> Result<Inst, String> {
    let sem = op.sem();
    let mut fields = [0; 4];
    let mut first = true;
    for (field, count) in fields.iter_mut().zip(sem.registers()) {
        if count > 0 {
            if !std::mem::take(&mut first) {
                c.expect(",")?;
            }
            *field = vgpr(c, count.into())?;
        }
    }
    let [vdst, addr, data0, data1] = fields;
    let mut word = Ds {
        vdst,
        data1,
        data0,
        addr,
        op,
        gds: false,
        offset1: 0,
        offset0: 0,
    };
    while let Some(name) = c.word() {
        match name {
            "gds" => word.gds = true,
            "offset0" if sem.has_two_offsets() => word.offset0 = value(c, 255)? as u8,
            "offset1" if sem.has_two_offsets() => word.offset1 = value(c, 255)? as u8,
            "offset" if !sem.has_two_offsets() => {
                let offset = match sem {
                    DsSem::Swizzle => swizzle(c)?,
                    _ => value(c, 0xffff)? as u16,
                };
                [word.offset0, word.offset1] = offset.to_le_bytes();
            }
            _ => return Err(unknown(name)),
        }
    }
    Ok(Inst::Ds(word))
}

/// The offset of DS_SWIZZLE: a number or `swizzle(kind, ...)`.
fn swizzle(c: &mut Cursor) -> Result<u16, String> {
    let start = *c;
    c.expect(":")?;
    if !c.eat_word("swizzle") {
        *c = start;
        return value(c, 0xffff).map(|offset| offset as u16);
    }
    c.expect("(")?;
    let kind = c.word().unwrap_or("");
    let mut numbers = Vec::new();
    let mut mask = None;
    while c.eat(",") {
        if c.eat("\"") {
            mask = c.until('"');
        } else {
            let here = c.here();
            let number = c.integer().filter(|number| (0..=32).contains(number));
            numbers.push(number.ok_or_else(|| format!("expected a number{here}"))? as u16);
        }
    }
    c.expect(")")?;
    let bits = |and: u16, or: u16, xor: u16| and | or << 5 | xor << 10;
    match (kind, numbers.as_slice(), mask) {
        ("QUAD_PERM", [a @ 0..=3, b @ 0..=3, c @ 0..=3, d @ 0..=3], None) => {
            Ok(0x8000 | a | b << 2 | c << 4 | d << 6)
        }
        ("BROADCAST", [size @ (2 | 4 | 8 | 16 | 32), lane], None) if lane < size => {
            Ok(bits(32 - size, *lane, 0))
        }
        ("SWAP", [size @ (1 | 2 | 4 | 8 | 16)], None) => Ok(bits(31, 0, *size)),
        ("REVERSE", [size @ (2 | 4 | 8 | 16 | 32)], None) => Ok(bits(31, 0, size - 1)),
        ("BITMASK_PERM", [], Some(text)) if text.len() == 5 => {
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for mark in text.chars() {
                let (a, o, x) = match mark {
                    '0' => (0, 0, 0),
                    '1' => (0, 1, 0),
                    'p' => (1, 0, 0),
                    'i' => (1, 0, 1),
                    _ => return Err(format!("a lane mask is made of 0, 1, p, i, not `{mark}`")),
                };
                (and, or, xor) = (and << 1 | a, or << 1 | o, xor << 1 | x);
            }
            Ok(bits(and, or, xor))
        }
        _ => Err(format!("`{kind}` is no swizzle of these lanes")),
    }
}

/// What MUBUF and MTBUF have in common.
#[derive(Default)]
struct Buffer {
    vdata: u8,
    vaddr: u8,
    srsrc: u8,
    soffset: u8,
    offset: u16,
    idxen: bool,
    offen: bool,
    addr64: bool,
    glc: bool,
    slc: bool,
    tfe: bool,
    lds: bool,
    /// DFMT and NFMT.
    format: u8,
}

fn buffer(sem: BufferSem, typed: bool, c: &mut Cursor) -> Result<Buffer, String> {
    let mut b = Buffer {
        format: 1,
        ..Buffer::default()
    };
    // Flags come last but decide how many registers the first operands have.
    let mut ahead = *c;
    while !ahead.is_end() {
        match ahead.word() {
            Some("lds") => b.lds = true,
            Some("tfe") => b.tfe = true,
            Some(_) => {}
            None => {
                let skipped = ahead.rest().chars().next().map_or(0, char::len_utf8);
                ahead = Cursor::new(&ahead.rest()[skipped..]);
            }
        }
    }
    if !b.lds {
        b.vdata = vgpr(c, (sem.registers() + u8::from(b.tfe)).into())?;
        c.expect(",")?;
    }
    let address = match c.eat_word("off") {
        true => None,
        false => {
            let start = *c;
            b.vaddr = vgpr(c, 0)?;
            Some(start)
        }
    };
    c.expect(",")?;
    b.srsrc = descriptor(c, 4)?;
    c.expect(",")?;
    // Before the offset or after it, with a comma or without: all are in use.
    let mut formats = 0;
    while typed && format(c, &mut b.format)? {
        formats += 1;
        let _ = c.eat(",");
    }
    let here = c.here();
    let soffset = scalar_source(c, 1)?;
    if soffset.code() >= VCCZ {
        return Err(format!("a register or inline constant is needed{here}"));
    }
    b.soffset = soffset.code() as u8;
    let _ = c.eat(",");
    loop {
        if typed && format(c, &mut b.format)? {
            formats += 1;
            let _ = c.eat(",");
            continue;
        }
        let Some(word) = c.word() else { break };
        match word {
            "idxen" => b.idxen = true,
            "offen" => b.offen = true,
            "addr64" => b.addr64 = true,
            "glc" => b.glc = true,
            "slc" => b.slc = true,
            "tfe" => {}
            "lds" if !typed => {}
            "offset" => b.offset = value(c, 0xfff)? as u16,
            _ => return Err(unknown(word)),
        }
    }
    let registers = u16::from(b.idxen) + u16::from(b.offen) + 2 * u16::from(b.addr64);
    match (address, registers) {
        (None, 0) => {}
        (Some(mut start), 1..) => {
            vgpr(&mut start, registers)?;
        }
        (Some(_), _) => return Err("an address register needs idxen, offen or addr64".to_owned()),
        (None, _) => return Err("idxen, offen and addr64 need an address register".to_owned()),
    }
    if typed && formats == 0 {
        b.format = 1;
    }
    Ok(b)
}

/// `format:[data,number]`, `format:n`, `dfmt:n` or `nfmt:n`.
fn format(c: &mut Cursor, format: &mut u8) -> Result<bool, String> {
    match c.peek_word() {
        Some("dfmt") => {
            c.word();
            *format = *format & !15 | value(c, 15)? as u8;
        }
        Some("nfmt") => {
            c.word();
            *format = *format & 15 | (value(c, 7)? as u8) << 4;
        }
        Some("format") => {
            c.word();
            let start = *c;
            c.expect(":")?;
            if !c.eat("[") {
                *c = start;
                *format = value(c, 127)? as u8;
                return Ok(true);
            }
            *format = 1;
            loop {
                let word = c.word().unwrap_or("");
                let data = word.strip_prefix("BUF_DATA_FORMAT_");
                let number = word.strip_prefix("BUF_NUM_FORMAT_");
                let find =
                    |table: &[&str], name| table.iter().position(|known| Some(*known) == name);
                match (find(&DATA_FORMATS, data), find(&NUMBER_FORMATS, number)) {
                    (Some(data), _) => *format = *format & !15 | data as u8,
                    (_, Some(number)) => *format = *format & 15 | (number as u8) << 4,
                    _ => return Err(format!("no format `{word}`")),
                }
                if !c.eat(",") {
                    break;
                }
            }
            c.expect("]")?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

macro_rules! buffer_inst {
    ($Word:ident, $op:ident, $b:ident, $($own:ident: $value:expr),*) => {
        Inst::$Word($Word {
            soffset: $b.soffset,
            tfe: $b.tfe,
            slc: $b.slc,
            srsrc: $b.srsrc,
            vdata: $b.vdata,
            vaddr: $b.vaddr,
            op: $op,
            addr64: $b.addr64,
            glc: $b.glc,
            idxen: $b.idxen,
            offen: $b.offen,
            offset: $b.offset,
            $($own: $value),*
        })
    };
}

pub(super) fn mubuf(op: MubufOp, c: &mut Cursor) -> Result<Inst, String> {
    let b = match op.sem() {
        BufferSem::Invalidate => Buffer::default(),
        sem => buffer(sem, false, c)?,
    };
    Ok(buffer_inst!(Mubuf, op, b, lds: b.lds))
}

pub(super) fn mtbuf(op: MtbufOp, c: &mut Cursor) -> Result<Inst, String> {
    let b = buffer(op.sem(), true, c)?;
    Ok(buffer_inst!(Mtbuf, op, b, nfmt: b.format >> 4, dfmt: b.format & 15))
}

pub(super) fn mimg(op: MimgOp, c: &mut Cursor) -> Result<Inst, String> {
    let sem = op.sem();
    let start = *c;
    let vdata = vgpr(c, 0)?;
    c.expect(",")?;
    let vaddr = vgpr(c, 0)?;
    c.expect(",")?;
    let resource = *c;
    super::operand::register(c)?;
    let mut word = Mimg {
        ssamp: 0,
        srsrc: 0,
        vdata,
        vaddr,
        slc: false,
        op,
        lwe: false,
        tfe: false,
        r128: false,
        da: false,
        glc: false,
        unorm: false,
        dmask: 0,
    };
    if sem.has_sampler() {
        c.expect(",")?;
        word.ssamp = descriptor(c, 4)?;
    }
    while let Some(name) = c.word() {
        match name {
            "dmask" => word.dmask = value(c, 15)? as u8,
            "unorm" => word.unorm = true,
            "glc" => word.glc = true,
            "slc" => word.slc = true,
            "r128" => word.r128 = true,
            "tfe" => word.tfe = true,
            "lwe" => word.lwe = true,
            "da" => word.da = true,
            _ => return Err(unknown(name)),
        }
    }
    let mut resource = resource;
    word.srsrc = match (word.r128, descriptor(&mut resource.clone(), 4)) {
        // Some assemblers write eight registers for a short resource too.
        (true, Ok(code)) => code,
        _ => descriptor(&mut resource, 8)?,
    };
    let components = match sem {
        ImageSem::Gather(_) => 4,
        _ => word.dmask.count_ones().max(1) as u16,
    };
    let mut data = start;
    vgpr(&mut data, components + u16::from(word.tfe))?;
    Ok(Inst::Mimg(word))
}

pub(super) fn export(c: &mut Cursor) -> Result<Inst, String> {
    let target = c.word().unwrap_or("");
    let tgt =
        names::export_target_code(target).ok_or_else(|| format!("no export target `{target}`"))?;
    let _ = c.eat(",");
    let mut src = [None; 4];
    for (at, src) in src.iter_mut().enumerate() {
        if at > 0 {
            c.expect(",")?;
        }
        *src = match c.eat_word("off") {
            true => None,
            false => Some(vgpr(c, 1)?),
        };
    }
    let mut word = Exp {
        vsrc3: 0,
        vsrc2: 0,
        vsrc1: 0,
        vsrc0: 0,
        vm: false,
        done: false,
        compr: false,
        tgt,
        en: (0..4).map(|at| u8::from(src[at].is_some()) << at).sum(),
    };
    while let Some(name) = c.word() {
        match name {
            "done" => word.done = true,
            "compr" => word.compr = true,
            "vm" => word.vm = true,
            _ => return Err(unknown(name)),
        }
    }
    match word.compr {
        false => {
            let [a, b, c, d] = src.map(|src| src.unwrap_or(0));
            (word.vsrc0, word.vsrc1, word.vsrc2, word.vsrc3) = (a, b, c, d);
        }
        true => {
            for pair in [[src[0], src[1]], [src[2], src[3]]] {
                if let [Some(a), Some(b)] = pair
                    && a != b
                {
                    return Err(format!("v{a} and v{b}: a compressed pair is one register"));
                }
            }
            word.vsrc0 = src[0].or(src[1]).unwrap_or(0);
            word.vsrc1 = src[2].or(src[3]).unwrap_or(0);
        }
    }
    Ok(Inst::Exp(word))
}
