//! What the places of a batch follow from, so that the next one may take them.

use super::footprint::Rules;
use super::locate::Levels;
use super::pairs::{Entries, Grid};
use super::scratch::Plain;
use super::stages::LodRule;
use super::{Address, Lanes, Lod, MAX_LEVELS, MipFilter};
use crate::memory::plane::Join;

/// Which batches one after the other take their places from the same rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeats {
    /// This one and the one before.
    pub before: bool,
    /// The next one and this one.
    pub later: bool,
}

/// How shares combine in each level.
pub(super) type Joins = [Join; MAX_LEVELS];

/// What the places of a batch follow from, with what is in the rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    count: usize,
    /// Of the first and the last wave.
    rows: [Option<Rows>; 2],
    levels: Levels,
    rule: LodRule,
    mip: MipFilter,
    rules: Rules,
    entries: Entries,
}

impl Found {
    pub fn of(
        grid: &Grid,
        rules: &Rules,
        waves: &[Plain],
        (levels, rule, mip): (Levels, LodRule, MipFilter),
    ) -> Found {
        let mut rules = *rules;
        for (axis, rule) in rules.iter_mut().enumerate() {
            // Other modes find the same places whether or not weights are exact.
            rule.exact &= rule.mode == Address::ClampToEdge && axis < grid.dim().axes();
        }
        Found {
            count: waves.len(),
            rows: Plain::ends(waves),
            levels,
            rule,
            mip,
            rules,
            entries: grid.entries(),
        }
    }
}

/// Where the rows that a wave gives lie, by their addresses, and how levels follow from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rows {
    coords: [usize; 3],
    others: [Option<usize>; 3],
    lod: (u8, [usize; 6]),
}

impl Plain<'_> {
    /// Where the rows of the first and the last wave lie.
    pub(super) fn ends(waves: &[Plain]) -> [Option<Rows>; 2] {
        [waves.first(), waves.last()].map(|wave| wave.map(Plain::rows))
    }

    /// Where its rows lie, but for what texels are compared with.
    fn rows(&self) -> Rows {
        let at = |row: &Lanes| std::ptr::from_ref(row).addr();
        let one = |row: &Lanes| [at(row), 0, 0, 0, 0, 0];
        Rows {
            coords: self.coords.map(at),
            others: [self.layer, self.lod_clamp, self.offsets].map(|row| row.map(at)),
            lod: match self.lod {
                Lod::Implicit => (0, [0; 6]),
                Lod::Zero => (1, [0; 6]),
                Lod::Bias(bias) => (2, one(bias)),
                Lod::Explicit(lod) => (3, one(lod)),
                Lod::Gradient { dx, dy } => {
                    let ([a, b, c], [d, e, f]) = (dx.map(at), dy.map(at));
                    (4, [a, b, c, d, e, f])
                }
            },
        }
    }
}
