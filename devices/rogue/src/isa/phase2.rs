//! Phase 2 of main groups: MOV, TST and PCK, and the selectors of internal sources. [Rogue 13.4, 13.7]

use super::bytes::{Bytes, Writer, bit, is};
use super::error::{DecodeError, EncodeError, below};
use super::format::Format;

isa::ops! {
    /// Results of phases, and the value of IS0.
    pub enum Feed: () {
        FT0 = 0 "ft0" ();
        FT1 = 1 "ft1" ();
        FT2 = 2 "ft2" ();
        FTE = 3 "fte" ();
    }
}

isa::ops! {
    /// Tests; the meaning is the number of operands.
    pub enum Test: u8 {
        TSTZ = 0 "tstz" 1;
        TSTGZ = 1 "tstgz" 1;
        TSTGEZ = 2 "tstgez" 1;
        TSTC = 3 "tstc" 0;
        TSTE = 4 "tste" 2;
        TSTG = 5 "tstg" 2;
        TSTGE = 6 "tstge" 2;
        TSTNE = 7 "tstne" 2;
        TSTL = 8 "tstl" 2;
        TSTLE = 9 "tstle" 2;
    }
}

isa::ops! {
    /// Types of tests.
    pub enum TestType: () {
        F32 = 0 "f32" ();
        U16 = 1 "u16" ();
        S16 = 2 "s16" ();
        U8 = 3 "u8" ();
        S8 = 4 "s8" ();
        U32 = 5 "u32" ();
        S32 = 6 "s32" ();
    }
}

impl TestType {
    /// Whether operands are elements of words.
    pub fn is_narrow(self) -> bool {
        matches!(
            self,
            TestType::U16 | TestType::S16 | TestType::U8 | TestType::S8
        )
    }
}

/// MOV or MOVC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mov {
    /// MOVC: where FTT is false W0 and W1 are IS4 and IS5.
    pub conditional: bool,
    /// Bytes of W0 that come from its source, one bit each; IS4 has the others.
    pub mask: u8,
    /// Source of W0.
    pub w0: Feed,
    /// Source of W1.
    pub w1: Feed,
}

/// A test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tst {
    /// Which.
    pub op: Test,
    /// Type of the operands.
    pub ty: TestType,
    /// Element of both operands, 0 to 3.
    pub element: u8,
    /// P0 is written.
    pub p0: bool,
}

impl Tst {
    /// Whether one byte holds it.
    fn is_short(&self, last: bool) -> bool {
        self.ty == TestType::F32 && self.element == 0 && self.op.code() < 8 && !last
    }
}

/// PCK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pck {
    /// Format.
    pub format: Format,
    /// The programmable scale.
    pub prog: bool,
    /// Rounds towards zero.
    pub round_zero: bool,
    /// Normalised.
    pub scale: bool,
}

/// Phase 2: one at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phase2 {
    /// MOV or MOVC.
    pub mov: Option<Mov>,
    /// TST.
    pub tst: Option<Tst>,
    /// PCK.
    pub pck: Option<Pck>,
}

const MOV: u8 = 6;
const TST: u8 = 7;
const PCK: u8 = 4;
const PCK_BYTE: u8 = 0x9c;

impl Phase2 {
    /// Whether there is an operation.
    pub fn is_present(&self) -> bool {
        *self != Phase2::default()
    }

    /// Appends the bytes.
    pub fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
        if let Some(mov) = self.mov {
            let last = self.tst.is_none() && self.pck.is_none();
            let mask = below("the mask of MOV", mov.mask.into(), 16, "it has four bits")?;
            // The guide's encoder takes the short form only before a short TST.
            let short_test = self.tst.is_some_and(|tst| tst.is_short(self.pck.is_none()));
            let shortens = mov.conditional && mask == 15 && !last;
            let long = out.choose(!(shortens && short_test), !shortens);
            out.push(MOV << 5 | bit(long, 4) | (mov.w1.code() as u8) << 2 | mov.w0.code() as u8);
            if long {
                out.push(mask << 2 | bit(!mov.conditional, 1) | bit(last, 0));
            }
        }
        if let Some(tst) = self.tst {
            let last = self.pck.is_none();
            let element = below("the element of TST", tst.element.into(), 4, "it is 0 to 3")?;
            let op = tst.op.code() as u8;
            let short = tst.is_short(last);
            let long = out.choose(!short, !short);
            out.push(TST << 5 | bit(long, 4) | (op & 7) << 1 | bit(tst.p0, 0));
            if long {
                out.push((tst.ty.code() as u8) << 5 | bit(last, 4) | element << 2 | op >> 3);
            }
        }
        if let Some(pck) = self.pck {
            out.push(PCK_BYTE);
            out.push(
                bit(pck.prog, 7)
                    | bit(pck.round_zero, 6)
                    | bit(pck.scale, 5)
                    | pck.format.code() as u8,
            );
        }
        Ok(())
    }

    /// Reads the chain of operations.
    pub fn decode(bytes: &mut Bytes<'_>) -> Result<Phase2, DecodeError> {
        let mut found = Phase2::default();
        let (mut long_mov, mut long_test) = (None, None);
        loop {
            let byte = bytes.next()?;
            let last = match byte >> 5 {
                MOV if found == Phase2::default() => {
                    long_mov = Some(is(byte, 4));
                    let (mov, last) = mov(byte, bytes)?;
                    found.mov = Some(mov);
                    last
                }
                TST if found.tst.is_none() => {
                    long_test = Some(is(byte, 4));
                    let (tst, last) = tst(byte, bytes)?;
                    found.tst = Some(tst);
                    last
                }
                PCK => {
                    if byte != PCK_BYTE {
                        return Err(bytes.reserved("PCK"));
                    }
                    let more = bytes.next()?;
                    let format = Format::from_code(u16::from(more & 31));
                    found.pck = Some(Pck {
                        format: format.ok_or_else(|| bytes.unknown("format", more & 31))?,
                        prog: is(more, 7),
                        round_zero: is(more, 6),
                        scale: is(more, 5),
                    });
                    true
                }
                op => return Err(bytes.unknown("operation of phase 2 here", op)),
            };
            if last {
                break;
            }
        }
        let short_test = found
            .tst
            .is_some_and(|tst| tst.is_short(found.pck.is_none()));
        if let (Some(long), Some(mov)) = (long_mov, found.mov) {
            let last = found.tst.is_none() && found.pck.is_none();
            let shortens = mov.conditional && mov.mask == 15 && !last;
            bytes.chose(long, !(shortens && short_test));
        }
        if let Some(long) = long_test {
            bytes.chose(long, !short_test);
        }
        Ok(found)
    }
}

fn feed(code: u8) -> Feed {
    Feed::ALL[usize::from(code & 3)]
}

fn mov(byte: u8, bytes: &mut Bytes<'_>) -> Result<(Mov, bool), DecodeError> {
    let more = match is(byte, 4) {
        true => bytes.next_with(0xc0, "MOV")?,
        false => 15 << 2,
    };
    let mov = Mov {
        conditional: !is(more, 1),
        mask: more >> 2,
        w0: feed(byte),
        w1: feed(byte >> 2),
    };
    Ok((mov, is(more, 0)))
}

fn tst(byte: u8, bytes: &mut Bytes<'_>) -> Result<(Tst, bool), DecodeError> {
    let more = match is(byte, 4) {
        true => bytes.next_with(0x02, "TST")?,
        false => 0,
    };
    let op = byte >> 1 & 7 | (more & 1) << 3;
    let tst = Tst {
        op: Test::from_code(op.into()).ok_or_else(|| bytes.unknown("test", op))?,
        ty: TestType::from_code(u16::from(more >> 5))
            .ok_or_else(|| bytes.unknown("type of test", more >> 5))?,
        element: more >> 2 & 3,
        p0: is(byte, 0),
    };
    Ok((tst, is(more, 4)))
}

/// What the internal sources of a main group select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Selectors {
    /// IS0, which FTE carries: a slot, 0 to 5.
    pub is0: u8,
    /// IS1, left operand of TST: FTE instead of FT0.
    pub is1_fte: bool,
    /// IS2, right operand of TST: FTE instead of FT1.
    pub is2_fte: bool,
    /// IS3, operand of PCK; FT2 stands for S2.
    pub is3: Feed,
    /// IS4, W0 unless a MOV overrides it.
    pub is4: Feed,
    /// IS5, W1 unless a MOV overrides it.
    pub is5: Feed,
}

impl Default for Selectors {
    fn default() -> Selectors {
        Selectors {
            is0: 0,
            is1_fte: false,
            is2_fte: false,
            is3: Feed::FT0,
            is4: Feed::FT0,
            is5: Feed::FT0,
        }
    }
}

/// Slots of IS0 by their codes.
const IS0: [u8; 6] = [0, 3, 4, 5, 1, 2];

impl Selectors {
    /// The code of IS0 in the lower source map.
    pub fn mux(&self) -> Result<u8, EncodeError> {
        let found = IS0.iter().position(|slot| *slot == self.is0);
        found
            .map(|code| code as u8)
            .ok_or(EncodeError::Is0(self.is0))
    }

    /// The byte of the others.
    pub fn byte(&self) -> u8 {
        (self.is5.code() << 6 | self.is4.code() << 4 | self.is3.code() << 2) as u8
            | bit(self.is2_fte, 1)
            | bit(self.is1_fte, 0)
    }

    /// The selectors of a code of IS0 and a byte; none where IS0 has no such code.
    pub fn from_codes(mux: u8, byte: u8) -> Option<Selectors> {
        Some(Selectors {
            is0: *IS0.get(usize::from(mux))?,
            is1_fte: is(byte, 0),
            is2_fte: is(byte, 1),
            is3: feed(byte >> 2),
            is4: feed(byte >> 4),
            is5: feed(byte >> 6),
        })
    }
}
