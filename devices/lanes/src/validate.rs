//! Validates a program so that engines index registers and steps without checks.

use crate::analysis::PortEffects;
use crate::engine::ProgramError;
use crate::op::{Operand, WideOp};
use crate::step::{Move, Program, Src, Step, Swizzle, When};

/// Checks every register number, branch target and index of a program.
pub(crate) fn validate(program: &Program) -> Result<(), ProgramError> {
    let steps = program.steps.len() as u32;
    let origins = program.origins.len() as u32;
    if steps != origins {
        return Err(ProgramError::Origins { steps, origins });
    }
    let (exec, scalars) = (program.exec, program.scalars);
    if u32::from(exec) + 2 > u32::from(scalars) {
        return Err(ProgramError::Exec { exec, scalars });
    }
    match program.steps.last() {
        Some(Step::End | Step::Trap { .. } | Step::Indirect { .. }) => {}
        Some(Step::Branch {
            when: When::Always, ..
        }) => {}
        _ => return Err(ProgramError::Unterminated { steps }),
    }
    for pair in program.entries.windows(2) {
        if pair[0].0 >= pair[1].0 {
            let address = pair[1].0;
            return Err(ProgramError::EntryOrder { address });
        }
    }
    if let Some(&(address, to)) = program.entries.iter().find(|entry| entry.1 >= steps) {
        return Err(ProgramError::Entry { address, to, steps });
    }
    for (port, effects) in program.ports.iter().enumerate() {
        check_port(program, port as u32, effects)?;
    }
    if let Some(&scalar) = program.per_wave.iter().find(|at| **at >= scalars) {
        return Err(ProgramError::PerWave { scalar, scalars });
    }
    for (index, step) in program.steps.iter().enumerate() {
        let step_index = index as u32;
        Check {
            program,
            step: step_index,
        }
        .step(step)?;
    }
    Ok(())
}

/// Checks what a port is said to do.
fn check_port(program: &Program, port: u32, effects: &PortEffects) -> Result<(), ProgramError> {
    let (rows, scalars) = (program.rows, program.scalars);
    let mut named = effects.reads_rows.iter().chain(&effects.writes_rows);
    if let Some(&row) = named.find(|row| **row >= rows) {
        return Err(ProgramError::PortRow { port, row, rows });
    }
    let mut named = effects.reads_scalars.iter().chain(&effects.writes_scalars);
    if let Some(&scalar) = named.find(|scalar| **scalar >= scalars) {
        return Err(ProgramError::PortScalar {
            port,
            scalar,
            scalars,
        });
    }
    let touches_rows = !(effects.reads_rows.is_empty() && effects.writes_rows.is_empty());
    if effects.wave_uniform && (touches_rows || !effects.overwrites) {
        return Err(ProgramError::PortUniform { port });
    }
    Ok(())
}

/// Checks one step.
struct Check<'a> {
    program: &'a Program,
    step: u32,
}

impl Check<'_> {
    fn step(&self, step: &Step) -> Result<(), ProgramError> {
        match *step {
            Step::Alu { dst, src, .. } => {
                self.rows(dst, 1)?;
                src.iter().try_for_each(|&src| self.source(src, 1))
            }
            Step::Wide { op, dst, src } => {
                self.rows(dst, width(op.result()))?;
                self.wide(op, src, false)
            }
            Step::Compare { dst, src, .. } => {
                self.scalars(dst, 2)?;
                src.iter().try_for_each(|&src| self.source(src, 1))
            }
            Step::CompareWide { op, dst, src } => {
                self.scalars(dst, 2)?;
                self.wide(op, src, false)
            }
            Step::Select { dst, mask, no, yes } => {
                self.rows(dst, 1)?;
                self.scalars(mask, 2)?;
                self.source(no, 1)?;
                self.source(yes, 1)
            }
            Step::Uniform { dst, src, .. } => {
                self.scalars(dst, 1)?;
                src.iter().try_for_each(|&src| self.scalar_source(src, 1))
            }
            Step::UniformWide { op, dst, src } => {
                self.scalars(dst, width(op.result()))?;
                self.wide(op, src, true)
            }
            Step::ReadLane { dst, src, lane } => {
                self.scalars(dst, 1)?;
                self.rows(src, 1)?;
                self.scalar_source(lane, 1)
            }
            Step::ReadFirstLane { dst, src } => {
                self.scalars(dst, 1)?;
                self.rows(src, 1)
            }
            Step::WriteLane { dst, value, lane } => {
                self.rows(dst, 1)?;
                self.scalar_source(value, 1)?;
                self.scalar_source(lane, 1)
            }
            Step::LaneId { dst } => self.rows(dst, 1),
            Step::Relative {
                kind,
                dst,
                base,
                index,
                end,
            } => {
                self.scalar_source(index, 1)?;
                match kind {
                    Move::FromRow | Move::ToRow => {
                        self.rows(dst, 1)?;
                        self.rows(base, 1)?;
                        self.row_end(end)
                    }
                    Move::FromScalar | Move::ToScalar => {
                        self.scalars(dst, 1)?;
                        self.scalars(base, 1)?;
                        self.scalar_end(end)
                    }
                }
            }
            Step::Swizzle { dst, src, pattern } => {
                self.rows(dst, 1)?;
                self.rows(src, 1)?;
                let outside = match pattern {
                    Swizzle::Quad(lanes) => lanes.iter().any(|&lane| lane > 3),
                    Swizzle::Bits { and, or, xor } => (and | or | xor) > 31,
                };
                if outside {
                    let step = self.step;
                    return Err(ProgramError::Swizzle { step, pattern });
                }
                Ok(())
            }
            Step::Branch { when, to } => {
                match when {
                    When::Always => {}
                    When::Zero(at) | When::NonZero(at) => self.scalars(at, 1)?,
                    When::MaskZero(at) | When::MaskNonZero(at) => self.scalars(at, 2)?,
                }
                let steps = self.program.steps.len() as u32;
                if to >= steps {
                    let step = self.step;
                    return Err(ProgramError::Branch { step, to, steps });
                }
                Ok(())
            }
            Step::Indirect { target } => self.scalars(target, 2),
            Step::Trap { reason } => {
                let reasons = self.program.reasons.len() as u32;
                if reason >= reasons {
                    let step = self.step;
                    return Err(ProgramError::Reason {
                        step,
                        reason,
                        reasons,
                    });
                }
                Ok(())
            }
            Step::Tick { .. } | Step::Port { .. } | Step::Barrier | Step::End => Ok(()),
        }
    }

    fn wide(&self, op: WideOp, src: [Src; 3], uniform: bool) -> Result<(), ProgramError> {
        for (index, src) in src.into_iter().enumerate() {
            let count = op.params().get(index).map_or(1, |&operand| width(operand));
            if uniform {
                self.scalar_source(src, count)?;
            } else {
                self.source(src, count)?;
            }
        }
        Ok(())
    }

    fn source(&self, src: Src, count: u32) -> Result<(), ProgramError> {
        match src {
            Src::Row(at) => self.rows(at, count),
            Src::Scalar(at) => self.scalars(at, count),
            Src::Const(_) => Ok(()),
        }
    }

    fn scalar_source(&self, src: Src, count: u32) -> Result<(), ProgramError> {
        if let Src::Row(_) = src {
            return Err(ProgramError::VectorOperand {
                step: self.step,
                operand: src,
            });
        }
        self.source(src, count)
    }

    fn rows(&self, at: u16, count: u32) -> Result<(), ProgramError> {
        let (last, rows) = (u32::from(at) + count - 1, self.program.rows);
        if last < u32::from(rows) {
            return Ok(());
        }
        Err(ProgramError::Row {
            step: self.step,
            row: last,
            rows,
        })
    }

    fn scalars(&self, at: u16, count: u32) -> Result<(), ProgramError> {
        let (last, scalars) = (u32::from(at) + count - 1, self.program.scalars);
        if last < u32::from(scalars) {
            return Ok(());
        }
        Err(ProgramError::Scalar {
            step: self.step,
            scalar: last,
            scalars,
        })
    }

    fn row_end(&self, end: u16) -> Result<(), ProgramError> {
        if end == 0 {
            Ok(())
        } else {
            self.rows(end - 1, 1)
        }
    }

    fn scalar_end(&self, end: u16) -> Result<(), ProgramError> {
        if end == 0 {
            Ok(())
        } else {
            self.scalars(end - 1, 1)
        }
    }
}

/// Registers that a value takes.
pub(crate) const fn width(operand: Operand) -> u32 {
    match operand {
        Operand::F64 | Operand::U64 | Operand::I64 => 2,
        Operand::F32 | Operand::U32 | Operand::I32 | Operand::Bool => 1,
    }
}
