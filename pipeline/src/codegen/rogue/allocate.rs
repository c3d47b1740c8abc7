//! Temporaries for units.

use super::machine::{Code, FIRST, Unit};
use crate::codegen::regalloc::{self, Assignment, Crowded, Group};

/// Gives every unit a temporary, or names units to spill and the place where most are alive.
pub(super) fn allocate(code: &Code) -> Result<Assignment, (Vec<Unit>, (usize, usize))> {
    let mut in_row = vec![false; code.units as usize];
    let mut keep = vec![false; code.units as usize];
    for &unit in &code.kept {
        keep[unit as usize] = true;
    }
    let mut groups: Vec<Group> = Vec::new();
    for &(first, words) in &code.rows {
        in_row[first as usize..(first + words) as usize].fill(true);
        groups.push(Group {
            keep: true,
            ..Group::row(0, first..first + words, 1)
        });
    }
    for unit in FIRST..code.units {
        if !in_row[unit as usize] {
            groups.push(Group {
                keep: keep[unit as usize],
                ..Group::row(0, unit..unit + 1, 1)
            });
        }
    }
    let found = regalloc::allocate(&code.flow(), &[code.bank()], &groups, code.units as usize);
    found.map_err(|Crowded { victims, peaks, .. }| {
        let units = victims.into_iter().flat_map(|g| &groups[g].units);
        (units.map(|(unit, _)| *unit).collect(), peaks[0])
    })
}
