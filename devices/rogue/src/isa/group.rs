//! Instruction groups: header, operations, maps, padding. [Rogue 13.1, 13.2]

use super::alu::{Alu, bit, is};
use super::backend::Backend;
use super::bitwise::Bitwise;
use super::bytes::Bytes;
use super::control::Control;
use super::error::{DecodeError, EncodeError, below};
use super::maps::{Half, decode_destinations, decode_sources, encode_destinations, encode_sources};
use super::phase2::{Phase2, Selectors};
use super::register::Register;

/// Most bytes of a group.
pub const MAX_BYTES: usize = 32;

/// Bytes that a program's last group starts and ends at a multiple of.
pub const ALIGN: usize = 8;

isa::ops! {
    /// Which lanes execute a group.
    pub enum Condition: () {
        PE = 0 "" ();
        P0 = 1 "if(p0)" ();
        IGNORE_PE = 2 "(ignorepe)" ();
        NOT_P0 = 3 "if(!p0)" ();
    }
}

/// A main group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Main {
    /// Phase 0.
    pub p0: Option<Alu>,
    /// Phase 1.
    pub p1: Option<Alu>,
    /// Phase 2.
    pub p2: Phase2,
    /// Backend.
    pub backend: Option<Backend>,
    /// Internal sources.
    pub selectors: Selectors,
}

/// Operations of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Floats, integers, packing, memory, pixels.
    Main(Main),
    /// Bits.
    Bitwise(Bitwise),
    /// Flow.
    Control(Control),
}

/// An instruction group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Which lanes execute it.
    pub condition: Condition,
    /// The program ends after it; NOP has its own.
    pub end: bool,
    /// Lanes run one after the other.
    pub atomic: bool,
    /// Waits for the pixel's turn to write outputs.
    pub output_lock: bool,
    /// Times that it runs, 1 to 4.
    pub repeat: u8,
    /// Operations.
    pub body: Body,
    /// S0 to S2 as far as the map has them; empty where a group has no maps.
    pub lower: Vec<Register>,
    /// S3 to S5.
    pub upper: Vec<Register>,
    /// Registers of W0 and W1.
    pub w: [Option<Register>; 2],
    /// Words of padding within the group, 0 to 15.
    pub pad: u8,
}

/// What stands at an address of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A group.
    Group(Group),
    /// Words between groups, 1 to 15, that nothing executes.
    Padding(u8),
}

/// Parts of main groups by OPORG: phase 0, phase 1, phase 2, backend.
pub(super) const ORIGINS: [[bool; 4]; 8] = [
    [true, false, false, false],
    [false, false, true, false],
    [false, false, false, true],
    [true, true, false, false],
    [true, false, true, false],
    [true, true, true, false],
    [true, false, true, true],
    [true, true, true, true],
];

const MAIN: u8 = 0;
const BITWISE: u8 = 2;
const CONTROL: u8 = 3;

impl Main {
    fn parts(&self) -> [bool; 4] {
        [
            self.p0.is_some(),
            self.p1.is_some(),
            self.p2.is_present(),
            self.backend.is_some(),
        ]
    }

    fn origin(&self) -> Result<u8, EncodeError> {
        let parts = self.parts();
        let found = ORIGINS.iter().position(|origin| *origin == parts);
        found
            .map(|n| n as u8)
            .ok_or(EncodeError::Parts(match parts {
                [false, false, false, false] => "no operation",
                [false, true, ..] => "phase 1 without phase 0",
                _ => "a backend beside other operations but with phases 0 and 2",
            }))
    }
}

impl Group {
    /// A group that executes under Pe, once, and writes nothing.
    pub fn new(body: Body) -> Group {
        let maps = match &body {
            Body::Control(control) => control.has_sources(),
            _ => true,
        };
        let zero = if maps {
            vec![Register::ZERO]
        } else {
            Vec::new()
        };
        Group {
            condition: Condition::PE,
            end: false,
            atomic: false,
            output_lock: false,
            repeat: 1,
            body,
            lower: zero.clone(),
            upper: zero,
            w: [None; 2],
            pad: 0,
        }
    }

    /// Appends the bytes: the smallest form of everything.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut bytes = vec![0, 0];
        let code = self.condition.code() as u8;
        let repeat = self.repeat.wrapping_sub(1).into();
        let repeat = below("the repeat count, less 1,", repeat, 4, "it is 0 to 3")?;
        let (kind, organisation) = match &self.body {
            Body::Main(main) => (MAIN, main.origin()?),
            Body::Bitwise(bitwise) => (BITWISE, bitwise.phases()),
            Body::Control(_) => (CONTROL, 0),
        };
        let third = match &self.body {
            Body::Control(control) => {
                let (opcode, misc) = control.opcode();
                if self.end || self.atomic || repeat != 0 {
                    return Err(EncodeError::Parts(
                        "END, ATOM or a repeat count in a control group",
                    ));
                }
                bit(misc, 7) | CONTROL << 5 | opcode << 1 | code >> 1
            }
            _ => bit(self.end, 7) | kind << 5 | bit(self.atomic, 3) | repeat << 1 | code >> 1,
        };
        if third != 0 {
            bytes.push(third);
        }
        bytes[1] = bit(third != 0, 7)
            | organisation << 4
            | bit(self.output_lock, 3)
            | bit(self.w[1].is_some(), 2)
            | bit(self.w[0].is_some(), 1)
            | code & 1;
        let da = self.encode_body(&mut bytes)?;
        encode_destinations(self.w, &mut bytes);
        if bytes.len() % 2 == 1 {
            bytes.push(0xff);
        }
        let pad = below("the padding", self.pad.into(), 16, "it is 0 to 15 words")?;
        if pad > 0 {
            bytes.push(0xf0 | pad);
            bytes.resize(bytes.len() + 2 * usize::from(pad) - 1, 0xff);
        }
        if bytes.len() > MAX_BYTES {
            return Err(EncodeError::Length(bytes.len()));
        }
        bytes[0] = (da as u8) << 4 | (bytes.len() / 2 % 16) as u8;
        out.extend(bytes);
        Ok(())
    }

    /// Appends operations and source maps; returns DA.
    fn encode_body(&self, out: &mut Vec<u8>) -> Result<usize, EncodeError> {
        let maps = |mux: u8, out: &mut Vec<u8>| {
            encode_sources(Half::Lower, &self.lower, mux, out)?;
            encode_sources(Half::Upper, &self.upper, 0, out)
        };
        match &self.body {
            Body::Main(main) => {
                if let Some(backend) = &main.backend {
                    backend.encode(out)?;
                }
                main.p2.encode(out)?;
                let da = out.len();
                for alu in [&main.p1, &main.p0].into_iter().flatten() {
                    alu.encode(out)?;
                }
                maps(main.selectors.mux()?, out)?;
                out.push(main.selectors.byte());
                Ok(da)
            }
            Body::Bitwise(bitwise) => {
                bitwise.encode(out);
                let da = out.len();
                maps(0, out)?;
                Ok(da)
            }
            Body::Control(control) => {
                control.encode(out)?;
                if control.has_sources() {
                    let da = out.len();
                    maps(0, out)?;
                    return Ok(da);
                }
                Ok(match self.w {
                    [None, None] => 0,
                    _ => out.len(),
                })
            }
        }
    }

    /// Reads the group at the start of the bytes, and how many of them it has.
    pub fn decode(bytes: &[u8]) -> Result<(Group, usize), DecodeError> {
        let first = *bytes.first().ok_or(DecodeError::Short { bytes: 0 })?;
        let stated = match usize::from(first & 15) {
            0 => MAX_BYTES,
            words => 2 * words,
        };
        let available = bytes.len();
        let whole = bytes.get(..stated);
        let whole = whole.ok_or(DecodeError::Short { bytes: available })?;
        let mut bytes = Bytes::new(whole);
        let group = read(&mut bytes, usize::from(first >> 4)).map_err(|error| match error {
            DecodeError::Short { .. } => DecodeError::Length {
                stated,
                needed: stated + 1,
            },
            other => other,
        })?;
        Ok((group, stated))
    }
}

/// Reads a group; `stated` is the DA of its header.
fn read(bytes: &mut Bytes<'_>, stated: usize) -> Result<Group, DecodeError> {
    bytes.next()?;
    let header = bytes.next()?;
    let third = if is(header, 7) { bytes.next()? } else { 0 };
    let condition = Condition::ALL[usize::from(header & 1 | (third & 1) << 1)];
    let kind = third >> 5 & 3;
    let mut group = Group {
        condition,
        end: kind != CONTROL && is(third, 7),
        atomic: kind != CONTROL && is(third, 3),
        output_lock: is(header, 3),
        repeat: if kind == CONTROL {
            1
        } else {
            (third >> 1 & 3) + 1
        },
        ..Group::new(Body::Bitwise(Bitwise::default()))
    };
    if kind != CONTROL && is(third, 4) {
        return Err(bytes.reserved("the header"));
    }
    let organisation = header >> 4 & 7;
    let (body, da) = match kind {
        MAIN => main(organisation, bytes, &mut group)?,
        BITWISE => {
            if organisation == 0 {
                return Err(bytes.reserved("the header of a bitwise group"));
            }
            let bitwise = Bitwise::decode(organisation, bytes)?;
            let da = bytes.at();
            sources(bytes, &mut group)?;
            (Body::Bitwise(bitwise), da)
        }
        CONTROL => {
            if organisation != 0 {
                return Err(bytes.reserved("the header of a control group"));
            }
            let control = Control::decode(third >> 1 & 15, is(third, 7), bytes)?;
            (group.lower, group.upper) = (Vec::new(), Vec::new());
            let mut da = bytes.at();
            if control.has_sources() {
                sources(bytes, &mut group)?;
            } else if header >> 1 & 3 == 0 {
                da = 0;
            }
            (Body::Control(control), da)
        }
        other => return Err(bytes.unknown("kind of group", other)),
    };
    group.body = body;
    if da != stated {
        return Err(DecodeError::Da { stated, found: da });
    }
    group.w = decode_destinations([is(header, 1), is(header, 2)], bytes)?;
    group.pad = padding(bytes)?;
    Ok(group)
}

/// Both source maps of a group without selectors.
fn sources(bytes: &mut Bytes<'_>, group: &mut Group) -> Result<(), DecodeError> {
    let (lower, mux) = decode_sources(Half::Lower, bytes)?;
    if mux != 0 {
        return Err(bytes.reserved("the lower source map"));
    }
    group.lower = lower;
    (group.upper, _) = decode_sources(Half::Upper, bytes)?;
    Ok(())
}

fn main(
    origin: u8,
    bytes: &mut Bytes<'_>,
    group: &mut Group,
) -> Result<(Body, usize), DecodeError> {
    let [p0, p1, p2, backend] = ORIGINS[usize::from(origin)];
    let mut main = Main::default();
    if backend {
        main.backend = Some(Backend::decode(bytes)?);
    }
    if p2 {
        main.p2 = Phase2::decode(bytes)?;
    }
    let da = bytes.at();
    if p1 {
        main.p1 = Some(Alu::decode(bytes, true)?);
    }
    if p0 {
        main.p0 = Some(Alu::decode(bytes, false)?);
    }
    let (lower, mux) = decode_sources(Half::Lower, bytes)?;
    group.lower = lower;
    (group.upper, _) = decode_sources(Half::Upper, bytes)?;
    let byte = bytes.next()?;
    let selectors = Selectors::from_codes(mux, byte);
    main.selectors = selectors.ok_or_else(|| bytes.unknown("selector of IS0", mux))?;
    Ok((Body::Main(main), da))
}

/// The padding at the end of a group: a byte where their number is odd, then whole words.
fn padding(bytes: &mut Bytes<'_>) -> Result<u8, DecodeError> {
    let wrong = |bytes: &Bytes<'_>| DecodeError::Padding {
        at: bytes.at(),
        byte: bytes.peek().unwrap_or(0),
    };
    let expect = |bytes: &mut Bytes<'_>, byte| match bytes.peek() == Some(byte) {
        true => bytes.next().map(|_| ()),
        false => Err(wrong(bytes)),
    };
    if bytes.at() % 2 == 1 {
        expect(bytes, 0xff)?;
    }
    let words = bytes.left().len() / 2;
    if words > 0 {
        if words > 15 {
            return Err(wrong(bytes));
        }
        expect(bytes, 0xf0 | words as u8)?;
        while bytes.peek().is_some() {
            expect(bytes, 0xff)?;
        }
    }
    Ok(words as u8)
}

impl Item {
    /// Reads what stands at the start of the bytes, and how many of them it has.
    pub fn decode(bytes: &[u8]) -> Result<(Item, usize), DecodeError> {
        match bytes.first() {
            Some(&byte @ 0xf1..=0xff) => {
                let words = byte & 15;
                let count = 2 * usize::from(words);
                let all = bytes
                    .get(..count)
                    .ok_or(DecodeError::Short { bytes: bytes.len() })?;
                match all.iter().skip(1).position(|byte| *byte != 0xff) {
                    None => Ok((Item::Padding(words), count)),
                    Some(at) => Err(DecodeError::Padding {
                        at: at + 1,
                        byte: all[at + 1],
                    }),
                }
            }
            _ => Group::decode(bytes).map(|(group, count)| (Item::Group(group), count)),
        }
    }
}
