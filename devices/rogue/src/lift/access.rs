//! Operands: registers as sources and destinations.

use lanes::Src;

use super::constants::{SpecialRegister, constant};
use super::flow::Lifter;
use super::layout::Input;
use super::local::Local;
use super::port::{File, Port};
use super::{LiftError, SHARED};
use crate::isa::{Bank, Group, IndexedBank, Register, Special, special};

/// A register, or a position in a bank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// The same for all programs.
    Constant(u32),
    /// A register of each lane.
    Row(u16),
    /// One that lanes share: a scalar.
    Scalar(u16),
    /// One that the lanes of a task share, a row nevertheless.
    Shared(u16),
    /// A row of these with an index that the lane has in a row.
    Rows { first: u16, end: u16, index: u16 },
    /// A scalar of these.
    Scalars { first: u16, end: u16, index: u16 },
}

/// The register of a slot; none where the maps end before it.
pub(super) fn slot(group: &Group, slot: u8) -> Option<Register> {
    let (map, at) = match slot {
        0..=2 => (&group.lower, slot),
        _ => (&group.upper, slot - 3),
    };
    map.get(usize::from(at)).copied()
}

/// The register so many numbers on; constants and what an index counts stay.
pub(super) fn advanced(register: Register, by: u16) -> Register {
    match register {
        Register::Plain(Bank::SPECIAL, _) => register,
        Register::Plain(bank, n) => Register::Plain(bank, n + by),
        Register::Indexed(bank, n, index) => {
            Register::Indexed(bank, n.saturating_add(by as u8), index)
        }
        Register::Index(_) => register,
    }
}

impl Lifter<'_> {
    /// Where a register lies, so many numbers behind the one that is named.
    pub(super) fn place(&self, register: Register, behind: u16) -> Result<Place, LiftError> {
        let missing = |count: u16| LiftError::Register {
            pc: self.pc,
            register,
            count,
        };
        let row = |range: &std::ops::Range<u16>, n: u16| match n < range.end - range.start {
            true => Ok(Place::Row(range.start + n)),
            false => Err(missing(range.end - range.start)),
        };
        let layout = &self.layout;
        match register {
            Register::Plain(Bank::SPECIAL, n) => Ok(match special(n + behind) {
                Special::Constant(n) => Place::Constant(constant(n)),
                Special::Output(n) => match layout.outputs[usize::from(n)] {
                    Some(row) => Place::Row(row),
                    None => return Err(missing(8)),
                },
                Special::Internal(n) => row(&layout.internal, n)?,
                Special::Register(n) => match layout.inputs.get(&Input::Special(n)) {
                    Some(row) if SpecialRegister::from_code(n).is_some() => Place::Row(*row),
                    _ => Place::Constant(0),
                },
            }),
            Register::Plain(Bank::TEMPORARY, n) => row(&layout.temporaries, n + behind),
            Register::Plain(Bank::VERTEX_INPUT, n) => row(&layout.vertex_inputs, n + behind),
            Register::Plain(Bank::SHARED, n) => {
                let n = n + behind + self.bases.shared;
                let count = layout.shared.end - layout.shared.start;
                match n < count {
                    true => Ok(Place::Scalar(SHARED + n)),
                    false => Err(missing(count)),
                }
            }
            Register::Plain(bank @ (Bank::COEFFICIENT | Bank::COEFFICIENT_ALT), n) => {
                let input = match bank {
                    Bank::COEFFICIENT => Input::Coefficient,
                    _ => Input::CoefficientAlt,
                };
                let n = n + behind + self.bases.coefficient;
                let row = layout.inputs.get(&input(n)).copied();
                row.map(Place::Shared).ok_or_else(|| missing(n))
            }
            Register::Index(n) => {
                let row = layout.index[usize::from(n & 1)];
                row.map(Place::Row).ok_or_else(|| missing(2))
            }
            Register::Indexed(bank, n, index) => {
                let index = layout.index[usize::from(index & 1)].ok_or_else(|| missing(2))?;
                let n = u16::from(n) + behind;
                let rows = |range: &std::ops::Range<u16>| match range.start + n < range.end {
                    true => Ok(Place::Rows {
                        first: range.start + n,
                        end: range.end,
                        index,
                    }),
                    false => Err(missing(range.end - range.start)),
                };
                match bank {
                    IndexedBank::TEMPORARY => rows(&layout.temporaries),
                    IndexedBank::VERTEX_INPUT => rows(&layout.vertex_inputs),
                    IndexedBank::PIXEL_OUTPUT => match layout.outputs {
                        [Some(first), .., Some(last)] => rows(&(first..last + 1)),
                        _ => Err(missing(0)),
                    },
                    IndexedBank::SHARED => {
                        let first = SHARED + n + self.bases.shared;
                        let end = layout.shared.end;
                        match first < end {
                            true => Ok(Place::Scalars { first, end, index }),
                            false => Err(missing(end - SHARED)),
                        }
                    }
                    _ => Err(self.meaningless("an index into coefficients or dynamic constants")),
                }
            }
        }
    }

    pub(super) fn meaningless(&self, what: &'static str) -> LiftError {
        LiftError::Meaning { pc: self.pc, what }
    }

    /// A register as an operand, or what it is a copy of.
    pub(super) fn read(&mut self, register: Register) -> Result<Src, LiftError> {
        Ok(match self.read_itself(register, 0)? {
            Src::Row(row) => self.held.get(&row).copied().unwrap_or(Src::Row(row)),
            other => other,
        })
    }

    /// A register as an operand.
    fn read_itself(&mut self, register: Register, behind: u16) -> Result<Src, LiftError> {
        Ok(match self.place(register, behind)? {
            Place::Constant(bits) => Src::Const(bits),
            Place::Row(row) | Place::Shared(row) => Src::Row(row),
            Place::Scalar(scalar) => Src::Scalar(scalar),
            Place::Rows { first, end, index } => {
                let dst = self.row();
                self.call(Port::Local(Local::Gather {
                    dst,
                    first,
                    end,
                    index,
                }));
                Src::Row(dst)
            }
            Place::Scalars { first, end, index } => {
                let dst = self.row();
                self.call(Port::Local(Local::GatherShared {
                    dst,
                    first,
                    end,
                    index,
                }));
                Src::Row(dst)
            }
        })
    }

    /// The source of a slot as an operand; slots that the maps end before are zero.
    pub(super) fn source(&mut self, at: u8) -> Result<Src, LiftError> {
        match self.sources[usize::from(at)] {
            None => Ok(Src::Const(0)),
            Some(register) => self.read(register),
        }
    }

    /// The source so many registers behind the one that a slot names, itself: units take rows as they are.
    pub(super) fn source_behind(&mut self, at: u8, behind: u16) -> Result<Src, LiftError> {
        match self.sources[usize::from(at)] {
            None => Ok(Src::Const(0)),
            Some(register) => self.read_itself(register, behind),
        }
    }

    /// Writes a register behind the group.
    pub(super) fn write_register(
        &mut self,
        register: Register,
        value: Src,
    ) -> Result<(), LiftError> {
        let refused = LiftError::Written {
            pc: self.pc,
            register,
        };
        if let Register::Plain(Bank::SPECIAL, n) = register
            && let Special::Register(n) = special(n)
            && !SpecialRegister::from_code(n).is_some_and(SpecialRegister::sem)
        {
            return Err(refused);
        }
        let local = match self.place(register, 0)? {
            Place::Constant(_) => return Err(refused),
            Place::Row(row) => {
                if !self.late.contains(&row) {
                    self.write(row, value);
                }
                return Ok(());
            }
            Place::Shared(dst) => Local::Broadcast { dst, value },
            Place::Scalar(first) => Local::ScatterShared {
                value,
                first,
                end: first + 1,
                index: Src::Const(0),
            },
            Place::Rows { first, end, index } => Local::Scatter {
                value,
                first,
                end,
                index: Src::Row(index),
            },
            Place::Scalars { first, end, index } => Local::ScatterShared {
                value,
                first,
                end,
                index: Src::Row(index),
            },
        };
        self.local_writes.push(local);
        Ok(())
    }

    /// The registers from the one that a slot names on, as memory fills or reads them.
    pub(super) fn file(&self, at: u8) -> Result<File, LiftError> {
        let register = self.sources[usize::from(at)].unwrap_or(Register::ZERO);
        let layout = &self.layout;
        Ok(match self.place(register, 0)? {
            Place::Row(first) => {
                let banks = [
                    layout.temporaries.clone(),
                    layout.vertex_inputs.clone(),
                    layout.internal.clone(),
                ];
                let bank = banks.into_iter().find(|bank| bank.contains(&first));
                let end = bank.map_or(first + 1, |bank| bank.end);
                File::Rows { first, end }
            }
            Place::Scalar(first) => File::Scalars {
                first,
                end: layout.shared.end,
            },
            _ => return Err(self.meaningless("memory that goes to or comes from these registers")),
        })
    }

    /// The row of a register that names results of a port, and how many rows of its bank follow.
    pub(super) fn results(&self, at: u8, count: u16) -> Result<u16, LiftError> {
        match self.file(at)? {
            File::Rows { first, end } if first + count <= end => Ok(first),
            _ => Err(self.meaningless("results that reach beyond the registers")),
        }
    }
}
