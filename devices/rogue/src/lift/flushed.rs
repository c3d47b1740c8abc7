//! What has no denormals wherever control is: shared registers whose flushed values are made once where the program
//! starts, and temporaries that never get a denormal.
//!
//! Both are assumed, the program is lifted, and what turns out otherwise is assumed no more.

use std::collections::BTreeSet;
use std::ops::Range;

/// What is assumed.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumed {
    /// Scalars of shared registers that are read as floats.
    pub(super) shared: BTreeSet<u16>,
    /// Rows without denormals.
    pub(super) rows: BTreeSet<u16>,
}

impl Assumed {
    /// That all of some rows have no denormals.
    pub(super) fn of(rows: Range<u16>) -> Assumed {
        Assumed {
            shared: BTreeSet::new(),
            rows: rows.collect(),
        }
    }
}

/// What is known while a program is lifted.
#[derive(Clone, Debug, Default)]
pub(super) struct Flushed {
    /// Scalars that have a flushed value.
    known: Vec<u16>,
    /// The scalar of the first such value.
    first: u16,
    /// Scalars of all that are asked for.
    wanted: BTreeSet<u16>,
    rows: BTreeSet<u16>,
    /// Rows that may have denormals after all.
    soiled: BTreeSet<u16>,
}

impl Flushed {
    /// Values from a scalar on.
    pub(super) fn new(assumed: Assumed, first: u16) -> Flushed {
        Flushed {
            known: assumed.shared.into_iter().collect(),
            first,
            rows: assumed.rows,
            ..Flushed::default()
        }
    }

    /// Behind the last value.
    pub(super) fn end(&self) -> u16 {
        self.first + self.known.len() as u16
    }

    /// Whether a scalar is such a value.
    pub(super) fn is_result(&self, scalar: u16) -> bool {
        (self.first..self.end()).contains(&scalar)
    }

    /// The flushed value of a scalar, if it has one.
    pub(super) fn get(&mut self, scalar: u16) -> Option<u16> {
        self.wanted.insert(scalar);
        let found = self.known.binary_search(&scalar).ok()?;
        Some(self.first + found as u16)
    }

    /// Scalars, and those of their flushed values.
    pub(super) fn results(&self) -> impl Iterator<Item = (u16, u16)> + '_ {
        self.known.iter().copied().zip(self.first..)
    }

    /// Rows without denormals.
    pub(super) fn rows(&self) -> impl Iterator<Item = u16> + '_ {
        self.rows.iter().copied()
    }

    /// A row gets what may be a denormal.
    pub(super) fn soil(&mut self, row: u16) {
        if self.rows.contains(&row) {
            self.soiled.insert(row);
        }
    }

    /// What to assume instead; none if all of it was right and complete.
    pub(super) fn corrected(self) -> Option<Assumed> {
        let missing = self
            .wanted
            .iter()
            .any(|scalar| self.known.binary_search(scalar).is_err());
        let wrong = !self.soiled.is_empty();
        (missing || wrong).then(|| Assumed {
            rows: &self.rows - &self.soiled,
            shared: self.wanted,
        })
    }
}
