//! Control groups. [Rogue 13.10]

mod iteration;

pub use iteration::{Ditr, Itrsmp, Perspective, Sched};

use super::bytes::{Bytes, Writer, bit, is};
use super::error::{DecodeError, EncodeError, below};

isa::ops! {
    /// Operations on the execution mask.
    pub enum Cnd: () {
        CNDST = 0 "cndst" ();
        CNDEF = 1 "cndef" ();
        CNDSM = 2 "cndsm" ();
        CNDLT = 3 "cndlt" ();
        CNDEND = 4 "cndend" ();
        CNDSETL_B = 5 "cndsetl.b" ();
        CNDLPC = 6 "cndlpc" ();
        CNDSETL_A = 7 "cndsetl.a" ();
    }
}

impl Cnd {
    /// Whether a condition is named.
    pub fn has_condition(self) -> bool {
        matches!(self, Cnd::CNDST | Cnd::CNDEF | Cnd::CNDSM | Cnd::CNDLT)
    }

    /// Whether an adjustment is named.
    pub fn has_adjust(self) -> bool {
        matches!(self, Cnd::CNDST | Cnd::CNDEF | Cnd::CNDLT | Cnd::CNDEND)
    }

    /// Whether S2 is read.
    pub fn reads_s2(self) -> bool {
        matches!(self, Cnd::CNDSM | Cnd::CNDSETL_A | Cnd::CNDSETL_B)
    }
}

isa::ops! {
    /// Conditions of [`Cnd`].
    pub enum CndIf: () {
        ALWAYS = 0 "if(1)" ();
        P0 = 1 "if(p0)" ();
        NEVER = 2 "if(0)" ();
        NOT_P0 = 3 "if(!p0)" ();
    }
}

isa::ops! {
    /// Which lanes a branch asks.
    pub enum BranchLanes: () {
        PLAIN = 0 "" ();
        ALLINST = 1 "allinst" ();
        ANYINST = 2 "anyinst" ();
    }
}

isa::ops! {
    /// Operations on a mutex.
    pub enum Mutex: () {
        RELEASE = 0 "release" ();
        RELEASE_SLEEP = 1 "release.sleep" ();
        RELEASE_WAKEUP = 2 "release.wakeup" ();
        LOCK = 3 "lock" ();
    }
}

/// A control operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// A branch.
    Branch {
        /// Leaves the address of the next group in the link register.
        link: bool,
        /// To an address, not an offset from this group.
        absolute: bool,
        /// Which lanes decide.
        lanes: BranchLanes,
        /// Bytes, an even number.
        target: i32,
    },
    /// Jumps to the link address.
    Lapc,
    /// The link address to W0.
    Savl,
    /// The execution mask.
    Cnd {
        /// Which.
        op: Cnd,
        /// Its condition.
        condition: CndIf,
        /// What it adds, 0 to 3.
        adjust: u8,
    },
    /// Waits for pixel output.
    Wop,
    /// Waits for a fence counter, 0 or 1.
    Wdf(u8),
    /// A mutex, 0 to 15.
    Mutex(Mutex, u8),
    /// Nothing; ends the program.
    Nop {
        /// Ends the program.
        end: bool,
    },
    /// A base that is added to later numbers of shared registers or coefficients.
    Sbo {
        /// Of shared registers.
        shared: bool,
        /// The base.
        offset: u8,
    },
    /// Iterates.
    Ditr(Ditr),
    /// Iterates and samples.
    Itrsmp(Itrsmp),
}

impl Control {
    /// Control opcode and miscctl of the header.
    pub fn opcode(&self) -> (u8, bool) {
        match *self {
            Control::Branch { .. } => (0, false),
            Control::Lapc => (1, false),
            Control::Savl => (2, false),
            Control::Cnd { .. } => (3, false),
            Control::Wop => (4, false),
            Control::Wdf(drc) => (5, drc & 1 == 1),
            Control::Mutex(..) => (6, false),
            Control::Nop { end } => (7, end),
            Control::Itrsmp(_) => (8, false),
            Control::Sbo { .. } => (11, false),
            Control::Ditr(_) => (12, false),
        }
    }

    /// Whether source maps follow.
    pub fn has_sources(&self) -> bool {
        matches!(self, Control::Cnd { .. })
    }

    /// Appends the bytes of the operation.
    pub fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
        match *self {
            Control::Branch {
                link,
                absolute,
                lanes,
                target,
            } => {
                if target & 1 != 0 {
                    return Err(EncodeError::Range {
                        what: "the target",
                        value: target.into(),
                        range: "it is an even number of bytes",
                    });
                }
                out.push(bit(link, 4) | (lanes.code() as u8) << 2 | bit(absolute, 1));
                out.extend(target.to_le_bytes());
            }
            Control::Lapc | Control::Savl | Control::Wop => {}
            Control::Wdf(drc) => {
                below("the fence counter", drc.into(), 2, "it is 0 or 1")?;
            }
            Control::Cnd {
                op,
                condition,
                adjust,
            } => {
                let adjust = below("the adjustment", adjust.into(), 4, "it is 0 to 3")?;
                out.push(adjust << 5 | (condition.code() as u8) << 3 | op.code() as u8);
            }
            Control::Mutex(op, id) => {
                let id = below("the mutex", id.into(), 16, "it is 0 to 15")?;
                out.push((op.code() as u8) << 6 | id);
            }
            Control::Nop { .. } => out.push(0),
            Control::Sbo { shared, offset } => {
                out.extend([(offset & 0x7f) << 1 | bit(shared, 0), offset >> 7]);
            }
            Control::Ditr(ditr) => ditr.encode(out)?,
            Control::Itrsmp(itrsmp) => itrsmp.encode(out)?,
        }
        Ok(())
    }

    /// Reads the operation of a control opcode and miscctl.
    pub fn decode(opcode: u8, misc: bool, bytes: &mut Bytes<'_>) -> Result<Control, DecodeError> {
        if misc && !matches!(opcode, 5 | 7) {
            return Err(bytes.reserved("the header of a control group"));
        }
        Ok(match opcode {
            0 => {
                let byte = bytes.next_with(0xe1, "a branch")?;
                let lanes = BranchLanes::from_code(u16::from(byte >> 2 & 3));
                let lanes = lanes.ok_or_else(|| bytes.unknown("choice of lanes", byte >> 2 & 3))?;
                let mut target = [0; 4];
                for byte in &mut target {
                    *byte = bytes.next()?;
                }
                if target[0] & 1 != 0 {
                    return Err(bytes.reserved("the target of a branch"));
                }
                Control::Branch {
                    link: is(byte, 4),
                    absolute: is(byte, 1),
                    lanes,
                    target: i32::from_le_bytes(target),
                }
            }
            1 => Control::Lapc,
            2 => Control::Savl,
            3 => {
                let byte = bytes.next_with(0x80, "CND")?;
                let op = Cnd::ALL[usize::from(byte & 7)];
                let condition = CndIf::ALL[usize::from(byte >> 3 & 3)];
                let adjust = byte >> 5 & 3;
                let unused = !op.has_condition() && condition != CndIf::ALWAYS
                    || !op.has_adjust() && adjust != 0;
                if unused {
                    return Err(bytes.reserved("CND"));
                }
                Control::Cnd {
                    op,
                    condition,
                    adjust,
                }
            }
            4 => Control::Wop,
            5 => Control::Wdf(misc.into()),
            6 => {
                let byte = bytes.next_with(0x30, "MUTEX")?;
                Control::Mutex(Mutex::ALL[usize::from(byte >> 6)], byte & 15)
            }
            7 => {
                bytes.next_with(0xff, "NOP")?;
                Control::Nop { end: misc }
            }
            8 => Control::Itrsmp(Itrsmp::decode(bytes)?),
            11 => {
                let low = bytes.next()?;
                let high = bytes.next_with(0xfe, "SBO")?;
                Control::Sbo {
                    shared: is(low, 0),
                    offset: low >> 1 | high << 7,
                }
            }
            12 => Control::Ditr(Ditr::decode(bytes)?),
            other => return Err(bytes.unknown("control operation with a public form", other)),
        })
    }
}
