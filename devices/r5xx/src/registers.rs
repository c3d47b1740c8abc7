//! The register file: what the command processor writes and a draw reads.

use radeon::registers::RegisterFile;

use crate::regs;

/// The state after power-on. Nothing is made neutral: state that a driver forgets misbehaves as on the chip.
pub fn power_on() -> RegisterFile {
    let mut registers = RegisterFile::new(&[regs::SPACE]);
    for register in regs::all() {
        for n in (0..register.count).filter(|n| regs::SPACE.contains(&register.at(*n))) {
            registers.set(register.at(n), register.reset());
        }
    }
    registers
}
