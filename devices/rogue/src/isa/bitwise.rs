//! Bitwise groups. [Rogue 13.8]

use super::bytes::{Bytes, Writer, bit, is};
use super::error::DecodeError;

/// The mask unit: FT0 and FT1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mask {
    /// S0 and S1.
    Byp,
    /// Ones, as many as S0, from bit S1 on.
    Msk,
    /// S0 and a number of 16 bits.
    Byp16(u16),
    /// S0 and a number of 32 bits.
    Byp32(u32),
}

isa::ops! {
    /// The first shifter: FT2.
    pub enum Shift1: () {
        BYP = 0 "byp" ();
        SHFL = 1 "shfl" ();
        REV = 2 "rev" ();
        LSL = 3 "lsl" ();
    }
}

isa::ops! {
    /// The counter: FT3.
    pub enum Count: () {
        CBS = 0 "cbs" ();
        FTB = 1 "ftb" ();
        BYP = 2 "byp" ();
    }
}

isa::ops! {
    /// The logical unit: FT4.
    pub enum Logical: () {
        OR = 0 "or" ();
        AND = 1 "and" ();
        XOR = 2 "xor" ();
        NOR = 4 "nor" ();
        NAND = 5 "nand" ();
        XNOR = 6 "xnor" ();
        BYP = 7 "byp" ();
    }
}

isa::ops! {
    /// The second shifter: FT5.
    pub enum Shift2: () {
        LSL = 0 "lsl" ();
        SHR = 1 "shr" ();
        ROL = 2 "rol" ();
        CPS = 3 "cps" ();
        ASR_TWB = 4 "asr.twb" ();
        ASR_PWB = 5 "asr.pwb" ();
        ASR_MTB = 6 "asr.mtb" ();
        ASR_FTB = 7 "asr.ftb" ();
    }
}

/// Phase 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase0 {
    /// Mask unit.
    pub mask: Mask,
    /// First shifter.
    pub shift: Shift1,
    /// Counter.
    pub count: Count,
    /// The counter reads FT2 instead of S2.
    pub counts_ft2: bool,
}

/// Phase 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase1 {
    /// Logical unit.
    pub op: Logical,
    /// FT1 masks FT2.
    pub left: bool,
    /// The complement of FT1 masks S3.
    pub right: bool,
}

/// A test that writes P0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitTest {
    /// TNZ instead of TZ.
    pub not_zero: bool,
    /// Of FT3 instead of FT5.
    pub of_ft3: bool,
}

/// Phase 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase2 {
    /// Second shifter.
    pub shift: Shift2,
    /// Test.
    pub test: Option<BitTest>,
}

/// A bitwise group: one phase at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitwise {
    /// Mask, first shift, count.
    pub p0: Option<Phase0>,
    /// Logical operation.
    pub p1: Option<Phase1>,
    /// Second shift, test.
    pub p2: Option<Phase2>,
}

impl Bitwise {
    /// OPCNT: a bit for each phase.
    pub fn phases(&self) -> u8 {
        bit(self.p0.is_some(), 0) | bit(self.p1.is_some(), 1) | bit(self.p2.is_some(), 2)
    }

    /// Appends the bytes.
    pub fn encode(&self, out: &mut Writer) {
        if let Some(Phase2 { shift, test }) = self.p2 {
            let test = test.map_or(0, |test| {
                bit(true, 5) | bit(test.of_ft3, 4) | bit(test.not_zero, 3)
            });
            out.push(test | shift.code() as u8);
        }
        if let Some(Phase1 { op, left, right }) = self.p1 {
            out.push(1 << 6 | bit(right, 5) | bit(left, 3) | op.code() as u8);
        }
        if let Some(p0) = self.p0 {
            let (immediate, low) = match p0.mask {
                Mask::Byp => (false, false),
                Mask::Msk => (false, true),
                Mask::Byp16(_) => (true, false),
                Mask::Byp32(_) => (true, true),
            };
            let high = out.choose(true, false);
            let fifth = match p0.count {
                Count::BYP => out.choose(false, false),
                count => count == Count::FTB,
            };
            out.push(
                bit(high, 7)
                    | bit(p0.counts_ft2, 6)
                    | bit(fifth, 5)
                    | bit(immediate, 4)
                    | (p0.shift.code() as u8) << 2
                    | bit(p0.count == Count::BYP, 1)
                    | bit(low, 0),
            );
            match p0.mask {
                Mask::Byp16(number) => out.extend(number.to_le_bytes()),
                Mask::Byp32(number) => out.extend(number.to_le_bytes()),
                Mask::Byp | Mask::Msk => {}
            }
        }
    }

    /// Reads the phases that OPCNT names.
    pub fn decode(phases: u8, bytes: &mut Bytes<'_>) -> Result<Bitwise, DecodeError> {
        let mut found = Bitwise::default();
        if is(phases, 2) {
            let byte = bytes.next_with(0xc0, "the second shift")?;
            if byte & 0x38 != 0 && !is(byte, 5) {
                return Err(bytes.reserved("a test that writes nothing"));
            }
            found.p2 = Some(Phase2 {
                shift: Shift2::ALL[usize::from(byte & 7)],
                test: is(byte, 5).then_some(BitTest {
                    not_zero: is(byte, 3),
                    of_ft3: is(byte, 4),
                }),
            });
        }
        if is(phases, 1) {
            let byte = bytes.next_with(0x90, "the logical operation")?;
            let op = Logical::from_code(u16::from(byte & 7));
            if byte >> 6 != 1 {
                return Err(bytes.reserved("the logical operation"));
            }
            found.p1 = Some(Phase1 {
                op: op.ok_or_else(|| bytes.unknown("logical operation", byte & 7))?,
                left: is(byte, 3),
                right: is(byte, 5),
            });
        }
        if is(phases, 0) {
            // Bit 7 is usually 1, and nobody asks for it; nor for bit 5 where nothing is counted.
            let byte = bytes.next()?;
            bytes.chose(is(byte, 7), true);
            if is(byte, 1) {
                bytes.chose(is(byte, 5), false);
            }
            let mut number = |count: usize| {
                (0..count).try_fold(0, |sum, n| Ok(sum | u32::from(bytes.next()?) << (8 * n)))
            };
            let mask = match (is(byte, 4), is(byte, 0)) {
                (false, false) => Mask::Byp,
                (false, true) => Mask::Msk,
                (true, false) => Mask::Byp16(number(2)? as u16),
                (true, true) => Mask::Byp32(number(4)?),
            };
            found.p0 = Some(Phase0 {
                mask,
                shift: Shift1::ALL[usize::from(byte >> 2 & 3)],
                count: match (is(byte, 1), is(byte, 5)) {
                    (true, _) => Count::BYP,
                    (false, true) => Count::FTB,
                    (false, false) => Count::CBS,
                },
                counts_ft2: is(byte, 6),
            });
        }
        Ok(found)
    }
}
