//! Accesses with an index in A0 or in the loop counter: what the ports of a program do.

use std::ops::Range;

use lanes::{PortEffects, Src, Wave};

use super::{ACTIVE, PREDICATE};

/// What is accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// A vector to four rows from `dst` on. Outside the memory it is zero.
    Read {
        /// First row.
        dst: u16,
        /// Constants rather than rows: the vectors lie in scalars.
        scalars: bool,
    },
    /// Four rows from `src` on to a vector. Outside the memory nothing is written.
    Write {
        /// First row.
        src: u16,
        /// Components written.
        mask: u8,
        /// Lanes whose predicate is this.
        predicate: Option<bool>,
    },
}

/// An access by the enabled lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// What is done.
    pub access: Access,
    /// Rows or scalars of the memory, four a vector.
    pub memory: Range<u16>,
    /// Vector to which the index is added.
    pub offset: u8,
    /// The index, an integer: a row or a scalar.
    pub index: Src,
}

impl Port {
    /// Where the vector of a lane begins.
    fn vector(&self, wave: &Wave, lane: usize) -> Option<usize> {
        let index = match self.index {
            Src::Row(row) => wave.rows[usize::from(row)].0[lane],
            Src::Scalar(at) => wave.scalars[usize::from(at)],
            Src::Const(value) => value,
        };
        let vector = i64::from(index as i32) + i64::from(self.offset);
        let at = i64::from(self.memory.start) + 4 * vector;
        let inside = vector >= 0 && at + 4 <= i64::from(self.memory.end);
        inside.then_some(at as usize)
    }

    /// Does it in a wave.
    pub fn run(&self, wave: &mut Wave) {
        let mut lanes = wave.mask(ACTIVE);
        if let Access::Write {
            predicate: Some(sense),
            ..
        } = self.access
        {
            let set = wave.mask(PREDICATE);
            lanes &= if sense { set } else { !set };
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let vector = self.vector(wave, lane);
            for component in 0..4 {
                match self.access {
                    Access::Read { dst, scalars } => {
                        let value = vector.map_or(0, |at| match scalars {
                            true => wave.scalars[at + component],
                            false => wave.rows[at + component].0[lane],
                        });
                        wave.rows[usize::from(dst) + component].0[lane] = value;
                    }
                    Access::Write { src, mask, .. } => {
                        if let (Some(at), 1) = (vector, mask >> component & 1) {
                            let value = wave.rows[usize::from(src) + component].0[lane];
                            wave.rows[at + component].0[lane] = value;
                        }
                    }
                }
            }
        }
    }

    /// What it reads and writes.
    pub(super) fn effects(&self) -> PortEffects {
        let mut effects = PortEffects {
            reads_scalars: vec![ACTIVE, ACTIVE + 1],
            cost: 256,
            ..PortEffects::default()
        };
        match self.index {
            Src::Row(row) => effects.reads_rows.push(row),
            Src::Scalar(at) => effects.reads_scalars.push(at),
            Src::Const(_) => {}
        }
        match self.access {
            Access::Read { dst, scalars } => {
                match scalars {
                    true => effects.reads_scalars.extend(self.memory.clone()),
                    false => effects.reads_rows.extend(self.memory.clone()),
                }
                effects.writes_rows.extend(dst..dst + 4);
            }
            Access::Write { src, predicate, .. } => {
                effects.reads_rows.extend(src..src + 4);
                effects.writes_rows.extend(self.memory.clone());
                if predicate.is_some() {
                    effects.reads_scalars.extend([PREDICATE, PREDICATE + 1]);
                }
            }
        }
        effects
    }
}
