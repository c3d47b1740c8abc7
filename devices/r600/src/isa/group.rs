//! ALU instruction groups: up to five instructions that run at once, and their literals.

use super::alu::{AluOp, Facts, Units};
use super::words::{AluOp2Word, AluOp3Word, Elem, IndexMode, Omod, PredSel};

/// An operand of an ALU instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operand {
    /// What is read: see [`Source`].
    pub sel: u16,
    /// Adds the index that INDEX_MODE names.
    pub rel: bool,
    /// Element; which literal of a literal; nothing for PS.
    pub elem: Elem,
    /// Flips the sign, after `abs`.
    pub neg: bool,
    /// Clears the sign. Instructions with three sources have none.
    pub abs: bool,
}

/// What an operand select stands for. [R600 8.2 SRC_SEL]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Register 0..127.
    Gpr(u8),
    /// Constant 0..31 of the lines locked for a group, 0 or 1.
    Kcache {
        /// Lock group.
        group: u8,
        /// Constant, from the start of the first line.
        index: u8,
    },
    /// 0.0, also integer 0.
    Zero,
    /// 1.0.
    One,
    /// Integer 1.
    IntOne,
    /// Integer -1.
    IntMinusOne,
    /// 0.5.
    Half,
    /// A literal of the group; the element tells which.
    Literal,
    /// Result of a vector unit in the group before; the element tells which.
    Pv,
    /// Result of Trans in the group before.
    Ps,
    /// Constant 0..255 of the constant file.
    File(u8),
}

impl Source {
    /// The meaning of a select; none for those that the manual does not list.
    pub fn from_sel(sel: u16) -> Option<Source> {
        let low = sel as u8;
        Some(match sel {
            0..128 => Source::Gpr(low),
            128..160 => Source::Kcache {
                group: 0,
                index: low - 128,
            },
            160..192 => Source::Kcache {
                group: 1,
                index: low - 160,
            },
            248 => Source::Zero,
            249 => Source::One,
            250 => Source::IntOne,
            251 => Source::IntMinusOne,
            252 => Source::Half,
            253 => Source::Literal,
            254 => Source::Pv,
            255 => Source::Ps,
            256..512 => Source::File(low),
            _ => return None,
        })
    }

    /// Its select.
    pub fn sel(self) -> u16 {
        match self {
            Source::Gpr(n) => n.into(),
            Source::Kcache { group, index } => 128 + 32 * u16::from(group) + u16::from(index),
            Source::Zero => 248,
            Source::One => 249,
            Source::IntOne => 250,
            Source::IntMinusOne => 251,
            Source::Half => 252,
            Source::Literal => 253,
            Source::Pv => 254,
            Source::Ps => 255,
            Source::File(n) => 256 + u16::from(n),
        }
    }
}

impl Operand {
    /// An element of a source, without modifiers.
    pub fn new(source: Source, elem: Elem) -> Operand {
        Operand {
            sel: source.sel(),
            elem,
            ..Operand::default()
        }
    }

    /// An element of a register.
    pub fn gpr(gpr: u8, elem: Elem) -> Operand {
        Operand::new(Source::Gpr(gpr), elem)
    }

    /// What it reads; none for a select that the manual does not list.
    pub fn source(&self) -> Option<Source> {
        Source::from_sel(self.sel)
    }
}

/// An ALU instruction. Where it runs is its place in a [`Group`].
///
/// Instructions with three sources always write their register (`write` is true) and have no absolute values, scale or
/// predicate updates. To discard their result name a register that is not allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AluInst {
    /// Opcode.
    pub op: AluOp,
    /// Destination register.
    pub dst: u8,
    /// Adds the index that INDEX_MODE names to `dst`.
    pub dst_rel: bool,
    /// Destination element; of vector instructions also the unit.
    pub elem: Elem,
    /// Whether the register is written. PV and PS always are.
    pub write: bool,
    /// Clamps the result to 0..1.
    pub clamp: bool,
    /// Scales the result before the clamp.
    pub omod: Omod,
    /// Sources; the third is all zero where the format has two.
    pub src: [Operand; 3],
    /// Index of relative operands.
    pub index_mode: IndexMode,
    /// Lanes that run the instruction.
    pub pred_sel: PredSel,
    /// The predicate is kept for the groups that follow.
    pub update_pred: bool,
    /// The predicate becomes the execute mask after the clause.
    pub update_execute_mask: bool,
    /// Cycles in which the operands are read, 0..5.
    pub bank_swizzle: u8,
}

impl AluInst {
    /// `op dst.elem, src...`, unpredicated, unmodified.
    pub fn new(op: impl Into<AluOp>, dst: u8, elem: Elem, src: &[Operand]) -> AluInst {
        AluInst {
            op: op.into(),
            dst,
            dst_rel: false,
            elem,
            write: true,
            clamp: false,
            omod: Omod::Off,
            src: std::array::from_fn(|i| src.get(i).copied().unwrap_or_default()),
            index_mode: IndexMode::ArX,
            pred_sel: PredSel::Off,
            update_pred: false,
            update_execute_mask: false,
            bank_swizzle: 0,
        }
    }

    /// Facts of its opcode.
    pub fn facts(&self) -> Facts {
        self.op.facts()
    }

    /// The operands that the operation reads.
    pub fn sources(&self) -> &[Operand] {
        &self.src[..usize::from(self.facts().sources)]
    }

    /// Operand fields of its format: a literal select in any of them brings literals, even where the operation reads
    /// fewer.
    pub fn fields(&self) -> &[Operand] {
        &self.src[..if self.op.is_op3() { 3 } else { 2 }]
    }

    /// Dwords of literals that its fields name: 0, 2 or 4.
    pub fn literals(&self) -> usize {
        let wanted = self
            .fields()
            .iter()
            .filter(|o| o.sel == Source::Literal.sel());
        wanted
            .map(|o| (o.elem as usize / 2 + 1) * 2)
            .max()
            .unwrap_or(0)
    }

    /// The instruction in a 64-bit slot, and whether it is the last of its group.
    pub fn unpack(slot: u64) -> Option<(AluInst, bool)> {
        let operand = |sel, rel, elem, neg, abs| Operand {
            sel,
            rel,
            elem,
            neg,
            abs,
        };
        if slot >> 47 & 7 != 0 {
            let w = AluOp3Word::unpack(slot)?;
            let inst = AluInst {
                op: w.op.into(),
                dst: w.dst_gpr,
                dst_rel: w.dst_rel,
                elem: w.dst_elem,
                write: true,
                clamp: w.clamp,
                omod: Omod::Off,
                src: [
                    operand(w.src0_sel, w.src0_rel, w.src0_elem, w.src0_neg, false),
                    operand(w.src1_sel, w.src1_rel, w.src1_elem, w.src1_neg, false),
                    operand(w.src2_sel, w.src2_rel, w.src2_elem, w.src2_neg, false),
                ],
                index_mode: w.index_mode,
                pred_sel: w.pred_sel,
                update_pred: false,
                update_execute_mask: false,
                bank_swizzle: w.bank_swizzle,
            };
            return Some((inst, w.last));
        }
        let w = AluOp2Word::unpack(slot).filter(|w| !w.fog_merge)?;
        let inst = AluInst {
            op: w.op.into(),
            dst: w.dst_gpr,
            dst_rel: w.dst_rel,
            elem: w.dst_elem,
            write: w.write_mask,
            clamp: w.clamp,
            omod: w.omod,
            src: [
                operand(w.src0_sel, w.src0_rel, w.src0_elem, w.src0_neg, w.src0_abs),
                operand(w.src1_sel, w.src1_rel, w.src1_elem, w.src1_neg, w.src1_abs),
                Operand::default(),
            ],
            index_mode: w.index_mode,
            pred_sel: w.pred_sel,
            update_pred: w.update_pred,
            update_execute_mask: w.update_execute_mask,
            bank_swizzle: w.bank_swizzle,
        };
        Some((inst, w.last))
    }

    /// Its 64-bit slot. What its format has no field for is dropped: see [`AluInst::fits`].
    pub fn pack(&self, last: bool) -> u64 {
        let [a, b, c] = self.src;
        macro_rules! packed {
            ($Word:ident { $($own:ident $(: $value:expr)?),* $(,)? }) => {
                $Word {
                    clamp: self.clamp,
                    dst_elem: self.elem,
                    dst_rel: self.dst_rel,
                    dst_gpr: self.dst & 127,
                    bank_swizzle: self.bank_swizzle & 7,
                    last,
                    pred_sel: self.pred_sel,
                    index_mode: self.index_mode,
                    src1_neg: b.neg,
                    src1_elem: b.elem,
                    src1_rel: b.rel,
                    src1_sel: b.sel & 511,
                    src0_neg: a.neg,
                    src0_elem: a.elem,
                    src0_rel: a.rel,
                    src0_sel: a.sel & 511,
                    $($own $(: $value)?),*
                }
                .pack()
            };
        }
        match self.op {
            AluOp::Op2(op) => packed!(AluOp2Word {
                op,
                omod: self.omod,
                fog_merge: false,
                write_mask: self.write,
                update_pred: self.update_pred,
                update_execute_mask: self.update_execute_mask,
                src1_abs: b.abs,
                src0_abs: a.abs,
            }),
            AluOp::Op3(op) => packed!(AluOp3Word {
                op,
                src2_neg: c.neg,
                src2_elem: c.elem,
                src2_rel: c.rel,
                src2_sel: c.sel & 511,
            }),
        }
    }

    /// Whether encoding and decoding gives the same instruction.
    pub fn fits(&self) -> bool {
        AluInst::unpack(self.pack(false)).is_some_and(|(again, _)| again == *self)
    }
}

/// A unit of the ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Writes element X.
    X = 0,
    /// Writes element Y.
    Y = 1,
    /// Writes element Z.
    Z = 2,
    /// Writes element W.
    W = 3,
    /// Writes any element.
    Trans = 4,
}

impl Unit {
    /// All, in the order in which a group lists them.
    pub const ALL: [Unit; 5] = [Unit::X, Unit::Y, Unit::Z, Unit::W, Unit::Trans];

    /// The vector unit of an element.
    pub const fn of(elem: Elem) -> Unit {
        match elem {
            Elem::X => Unit::X,
            Elem::Y => Unit::Y,
            Elem::Z => Unit::Z,
            Elem::W => Unit::W,
        }
    }

    /// Name in listings.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::X => "x",
            Unit::Y => "y",
            Unit::Z => "z",
            Unit::W => "w",
            Unit::Trans => "t",
        }
    }
}

/// Instructions that run at once: all read before any writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Group {
    /// The instructions by [`Unit`].
    pub slots: [Option<AluInst>; 5],
    /// Literals; those that no instruction reaches are zero.
    pub literals: [u32; 4],
}

/// Why instructions are no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// Two instructions need one unit, or the units are out of order.
    #[error("{op} for element {} finds no free unit in its group", elem.name())]
    NoUnit {
        /// Mnemonic.
        op: &'static str,
        /// Destination element.
        elem: Elem,
    },
    /// An instruction lies in a slot where decoding would not find it.
    #[error("{op} in slot {} would run in slot {}", given.name(), found.name())]
    OtherUnit {
        /// Mnemonic.
        op: &'static str,
        /// Where it lies.
        given: Unit,
        /// Where it would run.
        found: Unit,
    },
    /// No instruction at all.
    #[error("a group has no instruction")]
    Empty,
    /// More than five instructions.
    #[error("a group has more than 5 instructions")]
    TooLong,
    /// A field has a value that the format cannot hold.
    #[error("{op} has a field that its format does not")]
    Field {
        /// Mnemonic.
        op: &'static str,
    },
}

/// The unit that runs the next instruction of a group, given which units are taken. CONFIG.ALU_INST_PREFER_VECTOR is
/// set: instructions that both kinds of unit can run go to Trans only when their element is taken. [R600 4.3]
///
/// An instruction for Trans alone that is not the group's last cannot run on the documented machine. Compilers write
/// such groups; it runs in the vector unit of its element here. [ERRATA 22]
pub fn unit_for(inst: &AluInst, last: bool, taken: &[bool; 5]) -> Result<Unit, GroupError> {
    let vector = Unit::of(inst.elem);
    let unit = match inst.facts().units {
        Units::Trans if last => Unit::Trans,
        Units::Vector | Units::Trans => vector,
        Units::Both if taken[vector as usize] => Unit::Trans,
        Units::Both => vector,
    };
    // The order in memory is X, Y, Z, W, Trans, so that no unit at or after this one may be taken.
    let free = !taken[unit as usize..].contains(&true);
    free.then_some(unit).ok_or(GroupError::NoUnit {
        op: inst.op.name(),
        elem: inst.elem,
    })
}

impl Group {
    /// A group of instructions in memory order.
    pub fn new(insts: &[AluInst], literals: [u32; 4]) -> Result<Group, GroupError> {
        let mut group = Group {
            slots: [None; 5],
            literals,
        };
        if insts.is_empty() {
            return Err(GroupError::Empty);
        }
        for (at, inst) in insts.iter().enumerate() {
            let taken = group.slots.map(|slot| slot.is_some());
            let unit = unit_for(inst, at + 1 == insts.len(), &taken)?;
            group.slots[unit as usize] = Some(*inst);
        }
        Ok(group)
    }

    /// The instructions with their units, in memory order.
    pub fn insts(&self) -> impl DoubleEndedIterator<Item = (Unit, &AluInst)> {
        let slots = Unit::ALL.into_iter().zip(&self.slots);
        slots.filter_map(|(unit, slot)| Some((unit, slot.as_ref()?)))
    }

    /// Elements of PV (0 to 3) and PS (4) that the instruction of a unit gives values. Of an instruction for Trans
    /// alone these are both PS and its element of PV, where the other unit is idle: what idle units leave is
    /// undefined, and compilers disagree about where they look for it. [ERRATA 22]
    pub fn gives(&self, unit: Unit) -> [bool; 5] {
        let mut gives = [false; 5];
        let Some(inst) = &self.slots[unit as usize] else {
            return gives;
        };
        gives[unit as usize] = true;
        if inst.facts().units == Units::Trans {
            for twin in [Unit::Trans, Unit::of(inst.elem)] {
                gives[twin as usize] |= self.slots[twin as usize].is_none();
            }
        }
        gives
    }

    /// Dwords of literals: 0, 2 or 4.
    pub fn literal_count(&self) -> usize {
        self.insts()
            .map(|(_, inst)| inst.literals())
            .max()
            .unwrap_or(0)
    }

    /// 64-bit slots of the clause that the group takes, literals included.
    pub fn size(&self) -> usize {
        self.insts().count() + self.literal_count() / 2
    }

    /// Whether decoding the group finds every instruction in its slot.
    pub fn check(&self) -> Result<(), GroupError> {
        let mut taken = [false; 5];
        let count = self.insts().count();
        for (at, (given, inst)) in self.insts().enumerate() {
            let op = inst.op.name();
            if !inst.fits() {
                return Err(GroupError::Field { op });
            }
            let found = unit_for(inst, at + 1 == count, &taken)?;
            if found != given {
                return Err(GroupError::OtherUnit { op, given, found });
            }
            taken[found as usize] = true;
        }
        taken.contains(&true).then_some(()).ok_or(GroupError::Empty)
    }

    /// Appends the group's slots.
    pub fn encode(&self, out: &mut Vec<u64>) {
        let count = self.insts().count();
        out.extend(
            self.insts()
                .enumerate()
                .map(|(at, (_, inst))| inst.pack(at + 1 == count)),
        );
        let literals = &self.literals[..self.literal_count()];
        out.extend(
            literals
                .chunks(2)
                .map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32),
        );
    }
}
