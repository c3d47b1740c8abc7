//! The interpreter. In: straight blocks. Each step is one call of a kernel over whole rows, which the compiler
//! vectorises. Disabled lanes compute and keep the old value; a wave without enabled lanes skips vector steps. Producer
//! and consumer may fuse (see [`superinstruction`]).

mod flushed;
mod fractions;
mod fuse;
mod memory;
mod near;
mod pack;
mod scalar;
mod superinstruction;
mod swizzle;
mod vector;

pub(crate) use memory::{Code, Registers, collect, expand};

use host::SimdLevel;

use crate::analysis::live::RegisterSet;
use crate::batch::{Prepared, Span, Straight};
use crate::engine::{BatchStop, Engine, ProgramError, Resume};
use crate::step::{Program, Step};
use crate::wave::{Ports, Row, Wave};

/// Runs prepared programs, on one level of the host's instructions.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter {
    level: SimdLevel,
}

impl Interpreter {
    /// An interpreter for this host: [`SimdLevel::current`].
    pub fn new() -> Interpreter {
        Interpreter {
            level: SimdLevel::current(),
        }
    }

    /// An interpreter for one level.
    pub fn at(level: SimdLevel) -> Interpreter {
        Interpreter { level }
    }

    /// The level used.
    pub fn level(&self) -> SimdLevel {
        self.level
    }
}

impl Default for Interpreter {
    fn default() -> Interpreter {
        Interpreter::new()
    }
}

impl Engine for Interpreter {
    type Prepared = Prepared<Codes>;

    fn prepare(&self, program: &Program) -> Result<Prepared<Codes>, ProgramError> {
        Prepared::new(program, Codes::new(self.level, program.exec))
    }

    fn run_batch(
        &self,
        prepared: &Prepared<Codes>,
        waves: &mut [Wave],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        prepared.run(waves, ports)
    }

    fn advance(
        &self,
        prepared: &Prepared<Codes>,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        prepared.advance(waves, stands, ports)
    }
}

/// Packed steps.
#[derive(Clone, Debug)]
pub struct Codes {
    level: SimdLevel,
    /// Scalar pair of the execution mask.
    exec: u16,
    codes: Vec<Code>,
    /// Makes one word a lane of the execution mask.
    expand: Code,
}

impl Codes {
    pub(crate) fn new(level: SimdLevel, exec: u16) -> Codes {
        Codes {
            level,
            exec,
            codes: Vec::new(),
            expand: pack::expansion(level),
        }
    }

    #[inline(always)]
    fn codes(&self, steps: Span) -> &[Code] {
        &self.codes[steps.first as usize..steps.end as usize]
    }
}

impl Straight for Codes {
    fn level(&self) -> SimdLevel {
        self.level
    }

    fn add(&mut self, steps: &[Step], live: &RegisterSet) -> Span {
        let first = self.codes.len() as u32;
        pack::pack_run(self.level, steps, live, &mut self.codes);
        let end = self.codes.len() as u32;
        Span { first, end }
    }

    #[inline(always)]
    fn run(&self, steps: Span, wave: &mut Wave) {
        match wave.mask(self.exec) {
            u64::MAX => in_all_lanes(self.codes(steps), wave),
            exec => in_some_lanes(&self.expand, self.codes(steps), exec, wave),
        }
    }

    #[inline(always)]
    fn run_scalar(&self, steps: Span, wave: &mut Wave) {
        in_all_lanes(self.codes(steps), wave);
    }
}

/// The execution mask of all lanes, one word a lane.
static ALL: Row = Row::splat(u32::MAX);

/// Performs steps in a wave whose lanes are all enabled.
#[inline(always)]
fn in_all_lanes(codes: &[Code], wave: &mut Wave) {
    let registers = &mut Registers {
        rows: &mut wave.rows,
        scalars: &mut wave.scalars,
        exec: u64::MAX,
        lanes: &ALL,
    };
    for code in codes {
        code.kernel.call(code, registers);
    }
}

/// Performs steps in a wave in which these lanes are enabled. `expand` makes one word a lane of a mask.
fn in_some_lanes(expand: &Code, codes: &[Code], exec: u64, wave: &mut Wave) {
    let enabled = &mut *wave.enabled;
    if exec != enabled.mask {
        enabled.mask = exec;
        let registers = &mut Registers {
            rows: std::slice::from_mut(&mut enabled.lanes),
            scalars: &mut [],
            exec,
            lanes: &ALL,
        };
        expand.kernel.call(expand, registers);
    }
    let registers = &mut Registers {
        rows: &mut wave.rows,
        scalars: &mut wave.scalars,
        exec,
        lanes: &enabled.lanes,
    };
    if exec != 0 {
        for code in codes {
            code.kernel.call(code, registers);
        }
    } else {
        for code in codes.iter().filter(|code| code.always) {
            code.kernel.call(code, registers);
        }
    }
}
