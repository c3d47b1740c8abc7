//! Control groups. [Rogue 13.10]

use super::alu::{bit, is};
use super::backend::IterMode;
use super::bytes::Bytes;
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

isa::ops! {
    /// How iteration divides by W.
    pub enum Perspective: () {
        NONE = 0 "none" ();
        ITER_MUL = 1 "iter_mul" ();
        ITER_MUL_STORE = 2 "iter_mul_store" ();
        MUL_STORED = 3 "mul_stored" ();
    }
}

isa::ops! {
    /// Hints to the scheduler.
    pub enum Sched: () {
        NONE = 0 "" ();
        SWAP = 1 "schedswap" ();
        WDF = 2 "schedwdf" ();
    }
}

/// Iteration without the ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ditr {
    /// First temporary of the results.
    pub destination: u8,
    /// First coefficient, a multiple of 4 below 256, and the code of its index register, 0 to 3.
    pub coefficient: (u8, u8),
    /// That of W.
    pub w_coefficient: (u8, u8),
    /// Division by W.
    pub perspective: Perspective,
    /// Where.
    pub mode: IterMode,
    /// Values, 1 to 16.
    pub count: u8,
    /// Results are packed.
    pub f16: bool,
    /// Hint.
    pub sched: Sched,
    /// Fence counter, 0 or 1.
    pub drc: u8,
    /// Clamps to 0..1.
    pub sat: bool,
}

/// Iteration and sample in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Itrsmp {
    /// Iteration of the coordinates; its count is 0 to 15 here.
    pub iteration: Ditr,
    /// First shared register of the texture state, a multiple of 4 below 256.
    pub texture: u8,
    /// That of the sampler state.
    pub sampler: u8,
    /// Dimensions, 1 to 3.
    pub dimensions: u8,
    /// Channels, 1 to 4.
    pub channels: u8,
    /// Projection.
    pub proj: bool,
    /// Coordinates are texels.
    pub nncoords: bool,
    /// Texels of fixed point become floats.
    pub fcnorm: bool,
    /// Compares.
    pub comparison: bool,
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
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
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

fn four(what: &'static str, number: u8) -> Result<u8, EncodeError> {
    match number % 4 {
        0 => Ok(number),
        _ => Err(EncodeError::Range {
            what,
            value: number.into(),
            range: "it is a multiple of 4",
        }),
    }
}

fn index(number: u8) -> Result<u8, EncodeError> {
    below("the index register", number.into(), 4, "it is 0 to 3")
}

fn fence(drc: u8) -> Result<u8, EncodeError> {
    below("the fence counter", drc.into(), 2, "it is 0 or 1")
}

impl Ditr {
    fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let (first, first_index) = self.coefficient;
        let (w, w_index) = self.w_coefficient;
        if !(1..=16).contains(&self.count) {
            return Err(EncodeError::Range {
                what: "the number of values",
                value: self.count.into(),
                range: "it is 1 to 16",
            });
        }
        out.extend([
            self.destination,
            four("the coefficient", first)? | self.perspective.code() as u8,
            four("the coefficient of W", w)? | self.mode.code() as u8,
            (self.count & 15) << 4 | index(first_index)? << 2 | index(w_index)?,
            bit(self.f16, 6)
                | (self.sched.code() as u8) << 2
                | fence(self.drc)? << 1
                | bit(self.sat, 0),
        ]);
        Ok(())
    }

    fn decode(bytes: &mut Bytes<'_>) -> Result<Ditr, DecodeError> {
        let destination = bytes.next()?;
        let first = bytes.next()?;
        let w = bytes.next()?;
        let mode = IterMode::from_code(u16::from(w & 3));
        let mode = mode.ok_or_else(|| bytes.unknown("place of DITR", w & 3))?;
        let third = bytes.next()?;
        let last = bytes.next_with(0xb0, "DITR")?;
        let sched = Sched::from_code(u16::from(last >> 2 & 3));
        Ok(Ditr {
            destination,
            coefficient: (first & 0xfc, third >> 2 & 3),
            w_coefficient: (w & 0xfc, third & 3),
            perspective: Perspective::ALL[usize::from(first & 3)],
            mode,
            count: match third >> 4 {
                0 => 16,
                count => count,
            },
            f16: is(last, 6),
            sched: sched.ok_or_else(|| bytes.unknown("hint", last >> 2 & 3))?,
            drc: last >> 1 & 1,
            sat: is(last, 0),
        })
    }
}

impl Itrsmp {
    fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let of = &self.iteration;
        let (first, first_index) = of.coefficient;
        let (w, w_index) = of.w_coefficient;
        let mode = of.mode.code() as u8;
        let dimensions = below(
            "the number of dimensions",
            self.dimensions.into(),
            4,
            "1 to 3",
        )?;
        let channels = self.channels.wrapping_sub(1).into();
        let channels = below(
            "the number of channels, less 1,",
            channels,
            4,
            "it is 0 to 3",
        )?;
        let count = below("the number of values", of.count.into(), 16, "it is 0 to 15")?;
        let second = index(first_index)? << 3 | index(w_index)? << 1 | mode >> 1;
        let first_more = bit(second != 0, 7) | count << 3 | bit(self.comparison, 2);
        out.extend([
            of.destination,
            four("the coefficient", first)? | of.perspective.code() as u8,
            four("the texture state", self.texture)? | fence(of.drc)? << 1 | mode & 1,
            four("the sampler state", self.sampler)? | dimensions,
            four("the coefficient of W", w)? | bit(self.proj, 1) | bit(of.sat, 0),
            bit(first_more != 0, 7)
                | bit(of.f16, 6)
                | (of.sched.code() as u8) << 4
                | channels << 2
                | bit(self.nncoords, 1)
                | bit(self.fcnorm, 0),
        ]);
        out.extend([first_more, second].into_iter().filter(|byte| *byte != 0));
        Ok(())
    }

    fn decode(bytes: &mut Bytes<'_>) -> Result<Itrsmp, DecodeError> {
        let [destination, first, texture, sampler, w, flags] = {
            let mut read = [0; 6];
            for byte in &mut read {
                *byte = bytes.next()?;
            }
            read
        };
        let sched = Sched::from_code(u16::from(flags >> 4 & 3));
        let sched = sched.ok_or_else(|| bytes.unknown("hint", flags >> 4 & 3))?;
        if sampler & 3 == 0 {
            return Err(bytes.unknown("number of dimensions", 0u8));
        }
        let more = match is(flags, 7) {
            true => bytes.next_with(0x03, "ITRSMP")?,
            false => 0,
        };
        let last = match is(more, 7) {
            true => bytes.next_with(0xe0, "ITRSMP")?,
            false => 0,
        };
        let mode = texture & 1 | (last & 1) << 1;
        let mode = IterMode::from_code(mode.into()).ok_or_else(|| bytes.unknown("place", mode))?;
        Ok(Itrsmp {
            iteration: Ditr {
                destination,
                coefficient: (first & 0xfc, last >> 3 & 3),
                w_coefficient: (w & 0xfc, last >> 1 & 3),
                perspective: Perspective::ALL[usize::from(first & 3)],
                mode,
                count: more >> 3 & 15,
                f16: is(flags, 6),
                sched,
                drc: texture >> 1 & 1,
                sat: is(w, 0),
            },
            texture: texture & 0xfc,
            sampler: sampler & 0xfc,
            dimensions: sampler & 3,
            channels: (flags >> 2 & 3) + 1,
            proj: is(w, 1),
            nncoords: is(flags, 1),
            fcnorm: is(flags, 0),
            comparison: is(more, 2),
        })
    }
}
