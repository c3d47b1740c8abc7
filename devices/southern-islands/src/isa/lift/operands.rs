//! Operand codes to sources and destinations, with the manual's rules for registers that do not exist.

use lanes::LaneOp::{self, Mov};
use lanes::{Operand, Src, Step, WideOp};

use super::super::operand::{self, inline_value, inline_value_64};
use super::{EXEC, LDS_DIRECT_SLOT, Lifter, SCC_SLOT, TEMP, TEMP_ROWS, TRASH, VCC};

/// Whether an operand type takes two registers.
pub(super) fn is_wide(operand: Operand) -> bool {
    matches!(operand, Operand::F64 | Operand::U64 | Operand::I64)
}

impl Lifter {
    /// A free scalar slot, the first of a free pair.
    pub(super) fn temp(&mut self) -> u16 {
        self.temps += 2;
        debug_assert!(TEMP + self.temps <= super::SCALAR_SLOTS);
        TEMP + self.temps - 2
    }

    /// A free row.
    pub(super) fn temp_row(&mut self) -> u16 {
        self.temp_rows += 1;
        debug_assert!(self.temp_rows <= TEMP_ROWS);
        self.allocation.vgprs + self.temp_rows - 1
    }

    /// The first of two free rows.
    pub(super) fn temp_row_pair(&mut self) -> u16 {
        let low = self.temp_row();
        self.temp_row();
        low
    }

    /// A scalar register by code: out of range reads S0. [SI 5.1.1]
    fn scalar_register(&self, code: u16, count: u16) -> Src {
        match code {
            0..=103 if code + count > self.allocation.sgprs => Src::Scalar(0),
            0..=103 => Src::Scalar(code),
            _ if count == 2 => Src::Scalar(code & !1),
            _ => Src::Scalar(code),
        }
    }

    /// A 32-bit scalar source.
    pub(super) fn scalar(&mut self, code: u16) -> Src {
        if let Some(value) = inline_value(code) {
            return Src::Const(value);
        }
        match code {
            operand::VCCZ => self.mask_is_zero(VCC),
            operand::EXECZ => self.mask_is_zero(EXEC),
            operand::SCC => Src::Scalar(SCC_SLOT),
            operand::LITERAL => Src::Const(self.literal),
            _ => self.scalar_register(code, 1),
        }
    }

    fn mask_is_zero(&mut self, mask: u16) -> Src {
        let temp = self.temp();
        self.uniform_wide(WideOp::IEq64, temp, &[Src::Scalar(mask), Src::Const(0)]);
        Src::Scalar(temp)
    }

    /// A 64-bit scalar source.
    pub(super) fn scalar_wide(&mut self, code: u16) -> Src {
        if let Some(value) = inline_value_64(code) {
            return self.wide_constant(value);
        }
        match code {
            operand::VCCZ | operand::EXECZ | operand::SCC => {
                let low = self.scalar(code);
                let temp = self.temp();
                self.b.uniform(Mov, temp, &[low]);
                self.b.uniform(Mov, temp + 1, &[Src::Const(0)]);
                Src::Scalar(temp)
            }
            operand::LITERAL => Src::Const(self.literal),
            _ => self.scalar_register(code, 2),
        }
    }

    /// A 64-bit constant. A constant operand is zero-extended; others need a pair.
    pub(super) fn wide_constant(&mut self, value: u64) -> Src {
        if value >> 32 == 0 {
            return Src::Const(value as u32);
        }
        let temp = self.temp();
        self.b.uniform(Mov, temp, &[Src::Const(value as u32)]);
        self.b
            .uniform(Mov, temp + 1, &[Src::Const((value >> 32) as u32)]);
        Src::Scalar(temp)
    }

    /// A scalar destination of `count` registers: out of range is not written. [SI 5.1.1]
    pub(super) fn scalar_destination(&self, code: u8, count: u16) -> u16 {
        match u16::from(code) {
            code @ 0..=103 if code + count > self.allocation.sgprs => TRASH,
            code @ 0..=103 => code,
            code if count == 2 => code & !1,
            code => code,
        }
    }

    /// Whether the wave has `count` vector registers from `first` on.
    pub(super) fn has_rows(&self, first: u8, count: u16) -> bool {
        u16::from(first) + count <= self.allocation.vgprs
    }

    /// A vector source: out of range reads V0. [SI 6.1.1]
    pub(super) fn vector(&mut self, code: u16, ty: Operand) -> Src {
        let wide = is_wide(ty);
        match code {
            operand::VGPR.. => {
                let row = code - operand::VGPR;
                match row + u16::from(wide) < self.allocation.vgprs {
                    true => Src::Row(row),
                    false => Src::Row(0),
                }
            }
            operand::LDS_DIRECT if wide => {
                let temp = self.temp();
                self.b.uniform(Mov, temp, &[Src::Scalar(LDS_DIRECT_SLOT)]);
                self.b.uniform(Mov, temp + 1, &[Src::Const(0)]);
                Src::Scalar(temp)
            }
            operand::LDS_DIRECT => Src::Scalar(LDS_DIRECT_SLOT),
            // A literal is the high half of a double and the low half of an integer. [SI 6.2.1]
            operand::LITERAL if wide => match ty {
                Operand::F64 => self.wide_constant(u64::from(self.literal) << 32),
                Operand::I64 => self.wide_constant(self.literal as i32 as i64 as u64),
                _ => Src::Const(self.literal),
            },
            _ if wide => self.scalar_wide(code),
            _ => self.scalar(code),
        }
    }

    /// Appends `scalar[dst] = op(src)` on 64-bit values.
    pub(super) fn uniform_wide(&mut self, op: WideOp, dst: u16, src: &[Src]) {
        self.b.push(Step::UniformWide {
            op,
            dst,
            src: three(src),
        });
    }

    /// Appends `row[dst] = op(src)` on 64-bit values.
    pub(super) fn wide(&mut self, op: WideOp, dst: u16, src: &[Src]) {
        self.b.push(Step::Wide {
            op,
            dst,
            src: three(src),
        });
    }

    /// Appends a compare to a mask.
    pub(super) fn compare(&mut self, op: LaneOp, dst: u16, src: [Src; 3]) {
        self.b.push(Step::Compare { op, dst, src });
    }

    /// Where a changed copy of a scalar goes: a temporary is changed in place.
    fn scalar_copy(&mut self, at: u16) -> u16 {
        if at >= TEMP { at } else { self.temp() }
    }

    /// `op` of a 32-bit source of any kind.
    pub(super) fn modified(&mut self, op: LaneOp, src: Src) -> Src {
        match src {
            Src::Const(value) => Src::Const(op.eval([value, 0, 0])),
            Src::Scalar(at) => {
                let temp = self.scalar_copy(at);
                self.b.uniform(op, temp, &[src]);
                Src::Scalar(temp)
            }
            Src::Row(at) => {
                let in_place = at >= self.allocation.vgprs;
                let row = if in_place { at } else { self.temp_row() };
                self.b.alu(op, row, &[src]);
                Src::Row(row)
            }
        }
    }

    /// `op` of a 64-bit source of any kind.
    pub(super) fn modified_wide(&mut self, op: WideOp, src: Src) -> Src {
        match src {
            Src::Const(value) => {
                let value = op.eval([value.into(), 0, 0]);
                self.wide_constant(value)
            }
            Src::Scalar(at) => {
                let temp = self.scalar_copy(at);
                self.uniform_wide(op, temp, &[src]);
                Src::Scalar(temp)
            }
            Src::Row(at) => {
                let in_place = at >= self.allocation.vgprs;
                let row = if in_place { at } else { self.temp_row_pair() };
                self.wide(op, row, &[src]);
                Src::Row(row)
            }
        }
    }
}

/// Pads operands with zeros.
pub(super) fn three(src: &[Src]) -> [Src; 3] {
    std::array::from_fn(|i| src.get(i).copied().unwrap_or(Src::Const(0)))
}

/// The high half of a 64-bit source.
pub(super) fn high_half(src: Src) -> Src {
    match src {
        Src::Row(at) => Src::Row(at + 1),
        Src::Scalar(at) => Src::Scalar(at + 1),
        Src::Const(_) => Src::Const(0),
    }
}
