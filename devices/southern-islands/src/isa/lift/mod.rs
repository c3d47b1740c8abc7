//! Machine code to lane programs.
//!
//! In comes a shader's words, its address, the MODE register it starts with and how many registers its waves have; out
//! comes a [`lanes::Program`] whose scalars are numbered by operand code and whose rows are VGPRs, and the list of
//! instructions that the device has to execute itself.
//!
//! Rounding and denormal modes are known at every instruction, because the lift follows MODE along the control flow and
//! lifts an instruction once for each mode it can be reached in. So the hot path carries no mode.

mod dead;
mod flow;
mod fork;
mod operands;
mod scalar;
mod special;
mod vector;

use std::collections::BTreeMap;

use lanes::{Builder, Label, Origin, Program, Src, Step, When};

use super::decode::Inst;
use super::effects::Effects;
pub(crate) use flow::HwReg;
use flow::{Flow, Key, Next, Site};

/// Scalar slot of SCC, 0 or 1. Slots 0 to 127 are operand codes.
pub const SCC_SLOT: u16 = 128;
/// Scalar slot of the MODE register as a program reads it.
pub const MODE_SLOT: u16 = 129;
/// Scalar slot into which the port of a vector ALU instruction puts the dword of local data share that its operand
/// LDS_DIRECT stands for.
pub const LDS_DIRECT_SLOT: u16 = 130;
/// Scalar slot of STATUS.PRIV, in its place: set between S_TRAP and S_RFE.
pub const PRIV_SLOT: u16 = 131;
/// Number of scalar slots of a lifted program.
pub const SCALAR_SLOTS: u16 = 160;

/// Takes what is written to registers that do not exist.
const TRASH: u16 = 132;
/// First scalar slot for values within one instruction.
const TEMP: u16 = 134;
/// Rows for values within one instruction; they lie after the VGPRs.
pub(crate) const TEMP_ROWS: u16 = 14;
/// States (instruction and mode) that one program may have.
const MAX_STATES: usize = 1 << 18;

const EXEC: u16 = super::operand::EXEC as u16;
const VCC: u16 = super::operand::VCC as u16;
const M0: u16 = super::operand::M0 as u16;

/// The MODE register. [SI table 5.5]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mode(pub u32);

impl Mode {
    /// Bits that change what instructions do: FP_ROUND, FP_DENORM, DX10_CLAMP, IEEE, VSKIP.
    pub const TRACKED: u32 = 0x1000_03ff;
    /// Vector instructions are skipped.
    pub const VSKIP: u32 = 1 << 28;

    /// FP_ROUND of single precision: 0 nearest even, 1 up, 2 down, 3 toward zero.
    pub const fn round_single(self) -> u32 {
        self.0 & 3
    }

    /// FP_ROUND of double precision.
    pub const fn round_double(self) -> u32 {
        self.0 >> 2 & 3
    }

    /// Whether single-precision denormal operands become zero.
    pub const fn flushes_single_inputs(self) -> bool {
        self.0 & 1 << 4 == 0
    }

    /// Whether single-precision denormal results become zero.
    pub const fn flushes_single_results(self) -> bool {
        self.0 & 1 << 5 == 0
    }

    /// Whether double-precision denormal operands become zero.
    pub const fn flushes_double_inputs(self) -> bool {
        self.0 & 1 << 6 == 0
    }

    /// Whether double-precision denormal results become zero.
    pub const fn flushes_double_results(self) -> bool {
        self.0 & 1 << 7 == 0
    }

    /// Whether clamping turns NaN into 0.
    pub const fn dx10_clamp(self) -> bool {
        self.0 & 1 << 8 != 0
    }

    /// Whether minimum and maximum of a signalling NaN are NaN.
    pub const fn ieee(self) -> bool {
        self.0 & 1 << 9 != 0
    }

    /// Whether vector instructions are skipped.
    pub const fn skips(self) -> bool {
        self.0 & Mode::VSKIP != 0
    }

    const fn tracked(self) -> Mode {
        Mode(self.0 & Mode::TRACKED)
    }
}

/// How many registers a wave has. Out-of-range registers behave as the manual says. [SI 5.1.1, 6.1.1]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Vector registers, 4 to 256.
    pub vgprs: u16,
    /// Scalar registers, 8 to 104.
    pub sgprs: u16,
    /// What an instruction does that names another.
    pub out_of_range: OutOfRange,
}

/// What happens to an instruction that names a register which its wave does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutOfRange {
    /// Sources are register 0 and nothing is written, as the manual says.
    #[default]
    Ignored,
    /// The wave stops with a fault.
    Trap,
}

impl OutOfRange {
    /// A fault if `strict`.
    pub const fn strict(strict: bool) -> OutOfRange {
        if strict {
            OutOfRange::Trap
        } else {
            OutOfRange::Ignored
        }
    }
}

impl Allocation {
    /// Every register that an instruction can name.
    pub const ALL: Allocation = Allocation {
        vgprs: 256,
        sgprs: 104,
        out_of_range: OutOfRange::Ignored,
    };
}

/// An instruction that the device executes: memory, images, exports, interpolation, messages. The port of a vector
/// ALU instruction stands for its operand LDS_DIRECT only: see [`LDS_DIRECT_SLOT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The instruction.
    pub inst: Inst,
    /// Its byte offset in the program.
    pub pc: u32,
    /// Its first word.
    pub word: u32,
}

/// A shader ready for an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The steps. `rows` is `Allocation::vgprs` and some, `scalars` is [`SCALAR_SLOTS`].
    pub program: Program,
    /// What `Step::Port { port }` means.
    pub ports: Vec<Port>,
}

/// A program that cannot be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiftError {
    /// Instructions times modes are too many.
    #[error(
        "the program has more than {limit} reachable pairs of instruction and floating-point mode"
    )]
    TooLarge {
        /// Most that are lifted.
        limit: usize,
    },
    /// More registers than an instruction can name, or none.
    #[error(
        "waves of {vgprs} vector and {sgprs} scalar registers: 1 to 256 and 1 to 104 are possible"
    )]
    Allocation {
        /// Vector registers.
        vgprs: u16,
        /// Scalar registers.
        sgprs: u16,
    },
}

/// Lifts the program that starts at the first of `words`, which lies at byte address `base`.
///
/// A reachable word that is no instruction becomes a step that traps.
pub fn lift(
    words: &[u32],
    base: u64,
    mode: Mode,
    allocation: Allocation,
) -> Result<Lifted, LiftError> {
    lift_with_handler(words, base, mode, allocation, 0)
}

/// [`lift`] of a program whose trap handler lies at byte address `handler`, somewhere behind it in `words`; 0 if there
/// is none.
pub fn lift_with_handler(
    words: &[u32],
    base: u64,
    mode: Mode,
    allocation: Allocation,
    handler: u64,
) -> Result<Lifted, LiftError> {
    let Allocation { vgprs, sgprs, .. } = allocation;
    if !(1..=256).contains(&vgprs) || !(1..=104).contains(&sgprs) {
        return Err(LiftError::Allocation { vgprs, sgprs });
    }
    let handler = handler.checked_sub(base).map_or(0, |offset| offset / 4);
    let handler = usize::try_from(handler).unwrap_or(usize::MAX);
    let flow = Flow::discover(words, mode.tracked(), handler)?;
    let mut lifter = Lifter {
        b: Builder::new(EXEC),
        allocation,
        base,
        mode: mode.tracked(),
        site: Origin::default(),
        next_pc: 0,
        literal: 0,
        ports: Vec::new(),
        labels: BTreeMap::new(),
        temps: 0,
        temp_rows: 0,
    };
    lifter.program(&flow, mode);
    let rows = vgprs + TEMP_ROWS;
    let mut program = lifter.b.finish(rows, SCALAR_SLOTS);
    dead::remove(&mut program);
    Ok(Lifted {
        program,
        ports: lifter.ports,
    })
}

/// The state of a lift.
struct Lifter {
    b: Builder,
    allocation: Allocation,
    base: u64,
    /// Mode at the current instruction.
    mode: Mode,
    /// The current instruction.
    site: Origin,
    /// Word index after the current instruction.
    next_pc: i64,
    /// The dword after the current instruction.
    literal: u32,
    ports: Vec<Port>,
    labels: BTreeMap<Key, Label>,
    /// Scalar temporaries taken by the current instruction.
    temps: u16,
    /// Row temporaries taken by the current instruction.
    temp_rows: u16,
}

impl Lifter {
    fn program(&mut self, flow: &Flow, mode: Mode) {
        let entry = Key {
            mode: mode.tracked(),
            pc: 0,
        };
        if flow.reads_mode {
            self.b
                .uniform(lanes::LaneOp::Mov, MODE_SLOT, &[Src::Const(mode.0)]);
        }
        if flow.sites.first_key_value().map(|(key, _)| *key) != Some(entry) {
            let label = self.label(entry);
            self.b.branch(When::Always, label);
        }
        let mut sites = flow.sites.iter().peekable();
        while let Some((&key, site)) = sites.next() {
            self.begin(key, site);
            if let Some(count) = flow.leaders.get(&key) {
                let label = self.label(key);
                self.b.place(label);
                if flow.indirect {
                    let address = self.address(key.pc) & 0xffff_ffff_ffff;
                    self.b.entry(address | flow.tag(key.mode) << 48);
                }
                self.b.push(Step::Tick {
                    instructions: *count,
                });
            }
            match site.inst {
                Err(ref reason) => self.b.trap(reason.clone()),
                Ok(inst) => self.inst(flow, inst, site),
            }
            if let Some(next) = site.falls_to
                && sites.peek().map(|(key, _)| **key) != Some(next)
            {
                let label = self.label(next);
                self.b.branch(When::Always, label);
            }
        }
    }

    fn begin(&mut self, key: Key, site: &Site) {
        self.mode = key.mode;
        self.site = Origin {
            pc: (key.pc * 4) as u32,
            word: site.word,
        };
        self.next_pc = key.pc + site.words as i64;
        self.temps = 0;
        self.temp_rows = 0;
        self.b.origin(self.site);
    }

    fn inst(&mut self, flow: &Flow, inst: Inst, site: &Site) {
        self.literal = inst.literal().unwrap_or(0);
        if self.allocation.out_of_range == OutOfRange::Trap
            && let Some(register) = Effects::of(inst).first_outside(self.allocation)
        {
            let Allocation { vgprs, sgprs, .. } = self.allocation;
            return self.b.trap(format!(
                "{register} does not exist: the wave has {vgprs} vector and {sgprs} scalar registers"
            ));
        }
        match inst {
            Inst::Sop2(w, _) => self.sop2(flow, w),
            Inst::Sopk(w, _) => self.sopk(w, site),
            Inst::Sop1(w, _) => self.sop1(flow, w),
            Inst::Sopc(w, _) => self.sopc(w, site),
            Inst::Sopp(w) => self.sopp(flow, inst, w, site),
            Inst::Smrd(w) => match w.op.sem() {
                super::memory::SmrdSem::Invalidate => {}
                _ => self.port(inst),
            },
            _ if self.mode.skips() => {}
            Inst::Vop2(w, _) => self.vop2(inst, w),
            Inst::Vop1(w, _) => self.vop1(inst, w),
            Inst::Vopc(w, _) => self.vopc(inst, w),
            Inst::Vop3a(w) => self.vop3a(inst, w),
            Inst::Vop3b(w) => self.vop3b(inst, w),
            Inst::Ds(w) if w.op.sem() == super::memory::DsSem::Swizzle => self.swizzle(w),
            Inst::Mubuf(w) if w.op.sem() == super::memory::BufferSem::Invalidate => {}
            Inst::Vintrp(_)
            | Inst::Ds(_)
            | Inst::Mubuf(_)
            | Inst::Mtbuf(_)
            | Inst::Mimg(_)
            | Inst::Exp(_) => self.port(inst),
        }
    }

    fn port(&mut self, inst: Inst) {
        self.ports.push(Port {
            inst,
            pc: self.site.pc,
            word: self.site.word,
        });
        let vgprs = self.allocation.vgprs;
        self.b
            .port(Effects::of_port(inst, vgprs, vgprs + TEMP_ROWS));
    }

    fn label(&mut self, key: Key) -> Label {
        *self.labels.entry(key).or_insert_with(|| self.b.label())
    }

    /// A branch to every way on that the site lists, the last without a condition.
    fn branch_by_mode(&mut self, site: &Site) {
        let Next::Modes { mask, variants } = &site.next else {
            return;
        };
        let bits = self.temp();
        self.b.uniform(
            lanes::LaneOp::And,
            bits,
            &[Src::Scalar(MODE_SLOT), Src::Const(*mask)],
        );
        let test = self.temp();
        for key in variants {
            let label = self.label(*key);
            let value = Src::Const(key.mode.0 & mask);
            self.b
                .uniform(lanes::LaneOp::IEq, test, &[Src::Scalar(bits), value]);
            self.b.branch(When::NonZero(test), label);
        }
        self.b.trap("a mode that the lift did not foresee");
    }
}
