//! Read ports: how many registers and constants a group can read. [R600 4.7.6]
//!
//! In each of three cycles one register can be read per element; BANK_SWIZZLE says in which cycle an operand is read.
//! The machine that executes groups needs none of this: it is a rule for those who write programs.

use super::group::{AluInst, Group, Operand, Source, Unit};
use super::words::Elem;

/// Cycles of src0, src1, src2 of vector units, by BANK_SWIZZLE.
const VECTOR_CYCLES: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 2, 0],
    [1, 0, 2],
    [2, 0, 1],
    [2, 1, 0],
];
/// Cycles of src0, src1, src2 of Trans, by BANK_SWIZZLE.
const TRANS_CYCLES: [[usize; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];
/// Constants of the constant file and of locked lines that a group can read.
pub const CONSTANTS: usize = 4;

/// Why a group reads too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// Two registers in one cycle.
    #[error("R{one}.{0} and R{other}.{0} are both read in cycle {cycle}", elem.name())]
    Register {
        /// Element.
        elem: Elem,
        /// Cycle, 0..2.
        cycle: usize,
        /// Register that is read already.
        one: u8,
        /// Register that cannot be read too.
        other: u8,
    },
    /// A bank swizzle that the unit does not have.
    #[error("slot {} has no bank swizzle {swizzle}", unit.name())]
    Swizzle {
        /// The unit.
        unit: Unit,
        /// BANK_SWIZZLE.
        swizzle: u8,
    },
    /// Too many constants.
    #[error("more than {CONSTANTS} different constants are read")]
    Constants,
    /// Too many constants on Trans.
    #[error("slot t reads {count} constants, 2 are possible")]
    TransConstants {
        /// Constants of any kind.
        count: usize,
    },
    /// A register read on Trans in a cycle that its constants take.
    #[error("slot t reads R{gpr}.{} in cycle {cycle}, which its {constants} constants take", elem.name())]
    TransCycle {
        /// Register.
        gpr: u8,
        /// Element.
        elem: Elem,
        /// Cycle.
        cycle: usize,
        /// Constants of the instruction.
        constants: usize,
    },
}

/// Reservations of a group.
#[derive(Default)]
struct Ports {
    /// Register by cycle and element.
    registers: [[Option<(u8, bool)>; 4]; 3],
    constants: Vec<(u16, bool, Elem)>,
}

impl Ports {
    fn register(&mut self, cycle: usize, gpr: u8, operand: &Operand) -> Result<(), PortError> {
        let port = &mut self.registers[cycle][operand.elem as usize];
        let wanted = (gpr, operand.rel);
        match *port {
            Some(found) if found != wanted => Err(PortError::Register {
                elem: operand.elem,
                cycle,
                one: found.0,
                other: gpr,
            }),
            _ => {
                *port = Some(wanted);
                Ok(())
            }
        }
    }

    fn constant(&mut self, operand: &Operand) -> Result<(), PortError> {
        let key = (operand.sel, operand.rel, operand.elem);
        if !self.constants.contains(&key) {
            if self.constants.len() == CONSTANTS {
                return Err(PortError::Constants);
            }
            self.constants.push(key);
        }
        Ok(())
    }

    fn inst(&mut self, unit: Unit, inst: &AluInst) -> Result<(), PortError> {
        let swizzle = inst.bank_swizzle;
        let cycles: &[[usize; 3]] = match unit {
            Unit::Trans => &TRANS_CYCLES,
            _ => &VECTOR_CYCLES,
        };
        let Some(cycles) = cycles.get(usize::from(swizzle)) else {
            return Err(PortError::Swizzle { unit, swizzle });
        };
        let sources = inst.sources();
        let constants = match unit {
            Unit::Trans => trans_constants(sources)?,
            _ => 0,
        };
        for (at, operand) in sources.iter().enumerate() {
            match operand.source() {
                Some(Source::File(_) | Source::Kcache { .. }) => self.constant(operand)?,
                Some(Source::Gpr(gpr)) => {
                    let cycle = cycles[at];
                    let shared = at == 1 && same_register(operand, &sources[0]);
                    if unit == Unit::Trans && cycle < constants {
                        return Err(PortError::TransCycle {
                            gpr,
                            elem: operand.elem,
                            cycle,
                            constants,
                        });
                    }
                    // The second operand of a vector unit rides on the first where both are the same.
                    if unit == Unit::Trans || !shared {
                        self.register(cycle, gpr, operand)?;
                    }
                }
                Some(Source::Pv | Source::Ps) if unit == Unit::Trans && cycles[at] < constants => {
                    return Err(PortError::TransCycle {
                        gpr: 0,
                        elem: operand.elem,
                        cycle: cycles[at],
                        constants,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn same_register(a: &Operand, b: &Operand) -> bool {
    (a.sel, a.rel, a.elem) == (b.sel, b.rel, b.elem)
}

/// Constants of any kind among the operands of Trans.
fn trans_constants(sources: &[Operand]) -> Result<usize, PortError> {
    let constant = |operand: &&Operand| {
        !matches!(
            operand.source(),
            Some(Source::Gpr(_) | Source::Pv | Source::Ps)
        )
    };
    let count = sources.iter().filter(constant).count();
    match count {
        0..=2 => Ok(count),
        count => Err(PortError::TransConstants { count }),
    }
}

/// Whether a group can read its operands with the bank swizzles it has.
pub fn check_ports(group: &Group) -> Result<(), PortError> {
    let mut ports = Ports::default();
    group
        .insts()
        .try_for_each(|(unit, inst)| ports.inst(unit, inst))
}

/// Bank swizzles with which a group can read its operands, by unit; none if there are no such.
pub fn bank_swizzles(group: &Group) -> Option<[u8; 5]> {
    let units: Vec<(Unit, AluInst)> = group.insts().map(|(unit, inst)| (unit, *inst)).collect();
    let mut found = [0; 5];
    search(&units, &mut Vec::new(), &mut found).then_some(found)
}

/// Tries the swizzles of the units from `done.len()` on.
fn search(units: &[(Unit, AluInst)], done: &mut Vec<(Unit, AluInst)>, found: &mut [u8; 5]) -> bool {
    let Some((unit, inst)) = units.get(done.len()) else {
        return true;
    };
    let count = match unit {
        Unit::Trans => TRANS_CYCLES.len(),
        _ => VECTOR_CYCLES.len(),
    };
    for swizzle in 0..count as u8 {
        let inst = AluInst {
            bank_swizzle: swizzle,
            ..*inst
        };
        done.push((*unit, inst));
        let mut ports = Ports::default();
        let fits = done
            .iter()
            .all(|(unit, inst)| ports.inst(*unit, inst).is_ok());
        if fits && search(units, done, found) {
            found[*unit as usize] = swizzle;
            done.pop();
            return true;
        }
        done.pop();
    }
    false
}
