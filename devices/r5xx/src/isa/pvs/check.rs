//! What the memories of the vertex engine can deliver to one instruction. Programs that break this run here, but not on
//! the hardware. [R5XX 7.5.1, 7.5.6]

use super::inst::{DstFile, Inst, Mode, Op, Operand, SrcFile, Third};

/// A rule that an instruction breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// More vectors of a memory than it has read ports.
    #[error("instruction {pc} reads {found} {file}, {limit} are possible")]
    Ports {
        /// Its address.
        pc: usize,
        /// Memory.
        file: &'static str,
        /// Vectors that it reads.
        found: usize,
        /// Vectors that it may read.
        limit: usize,
    },
    /// Constants with indices in several components of A0.
    #[error(
        "instruction {pc} adds {found} components of A0 to addresses of constants, 1 is possible"
    )]
    Addresses {
        /// Its address.
        pc: usize,
        /// Components.
        found: usize,
    },
    /// Both halves of a dual instruction write alternate temporaries.
    #[error("both operations of instruction {pc} write alternate temporaries")]
    Alternates {
        /// Its address.
        pc: usize,
    },
}

/// The first rule that a program breaks.
pub fn check(insts: &[Inst]) -> Result<(), RuleError> {
    let mut insts = insts.iter().enumerate();
    insts.try_for_each(|(pc, inst)| check_inst(pc, inst))
}

fn check_inst(pc: usize, inst: &Inst) -> Result<(), RuleError> {
    let read = operands(inst);
    let macro_op = matches!(inst.op, Op::Macro(_));
    let files = [
        (SrcFile::Temp, "temporaries", if macro_op { 3 } else { 2 }),
        (SrcFile::Input, "inputs", 1),
        (SrcFile::Constant, "constants", 1),
        (SrcFile::AltTemp, "alternate temporaries", 1),
    ];
    for (file, name, limit) in files {
        let of_file = read.iter().filter(|operand| operand.file == file);
        let found = distinct(of_file.map(|operand| (operand.offset, operand.mode)));
        if found > limit {
            return Err(RuleError::Ports {
                pc,
                file: name,
                found,
                limit,
            });
        }
    }
    let constants = read.iter().filter(|of| of.file == SrcFile::Constant);
    let found = distinct(constants.filter_map(|of| match of.mode {
        Mode::Address(component) => Some(component),
        Mode::Absolute | Mode::Loop => None,
    }));
    if found > 1 {
        return Err(RuleError::Addresses { pc, found });
    }
    let dual = matches!(inst.third, Third::Math(_));
    if dual && inst.target.file == DstFile::AltTemp && inst.target.mask != 0 {
        return Err(RuleError::Alternates { pc });
    }
    Ok(())
}

/// Operands that occupy a port; those of constant components do, too.
fn operands(inst: &Inst) -> Vec<Operand> {
    let used = match inst.op {
        Op::Math(op) => op.sem().sources(),
        op => [0, 1, 2].map(|at| at < op.operands()),
    };
    let sources = inst.operands().into_iter().zip(used);
    let mut read: Vec<Operand> = sources
        .filter(|(_, used)| *used)
        .map(|(of, _)| of)
        .collect();
    if let Third::Math(math) = inst.third
        && math.op.sem().operands() > 0
    {
        read.push(math.operand());
    }
    read
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> usize {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen.len()
}
