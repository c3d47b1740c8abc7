//! Instruction groups: header, operations, maps, padding. [Rogue 13.1, 13.2]

mod decode;

use super::alu::Alu;
use super::backend::Backend;
use super::bitwise::Bitwise;
use super::bytes::{Forms, Writer, bit};
use super::control::Control;
use super::error::{EncodeError, below};
use super::maps::{Half, encode_destinations, encode_sources};
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
    /// Forms that are not the shortest.
    pub forms: Forms,
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
            forms: Forms::default(),
        }
    }

    /// Appends the bytes: the smallest form of everything, but where the group was decoded from another.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let mut bytes = Writer::new(self.forms);
        bytes.extend([0, 0]);
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
        let extended = bytes.choose(third != 0, third != 0);
        if extended {
            bytes.push(third);
        }
        bytes.bytes[1] = bit(extended, 7)
            | organisation << 4
            | bit(self.output_lock, 3)
            | bit(self.w[1].is_some(), 2)
            | bit(self.w[0].is_some(), 1)
            | code & 1;
        let da = self.encode_body(&mut bytes)?;
        encode_destinations(self.w, &mut bytes);
        let mut bytes = bytes.bytes;
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
    fn encode_body(&self, out: &mut Writer) -> Result<usize, EncodeError> {
        let maps = |mux: u8, out: &mut Writer| {
            encode_sources(Half::Lower, &self.lower, mux, out)?;
            encode_sources(Half::Upper, &self.upper, 0, out)
        };
        match &self.body {
            Body::Main(main) => {
                if let Some(backend) = &main.backend {
                    backend.encode(out)?;
                }
                main.p2.encode(out)?;
                let da = out.bytes.len();
                for alu in [&main.p1, &main.p0].into_iter().flatten() {
                    alu.encode(out)?;
                }
                maps(main.selectors.mux()?, out)?;
                out.push(main.selectors.byte());
                Ok(da)
            }
            Body::Bitwise(bitwise) => {
                bitwise.encode(out);
                let da = out.bytes.len();
                maps(0, out)?;
                Ok(da)
            }
            Body::Control(control) => {
                control.encode(out)?;
                if control.has_sources() {
                    let da = out.bytes.len();
                    maps(0, out)?;
                    return Ok(da);
                }
                Ok(match self.w {
                    [None, None] => 0,
                    _ => out.bytes.len(),
                })
            }
        }
    }
}
