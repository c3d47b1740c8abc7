//! Exports of texels: a program that packs its colours, for targets in which they take the place of what was there. In: a
//! lifted program and how targets are packed. Out: the same program with the packing in front of its exports, which find
//! words in rows of their own.

use lanes::{Program, Src};
use radeon::r6xx::forms::{self, PackingSteps};
use radeon::r6xx::packing::{Places, pack};
use silicon::fragment::output::Packing;

use super::program::PortExport;
use crate::sx::{Element, Exported, Target};

/// A form whose waves export texels.
pub(crate) type PackedExports = forms::PackedExports<PortExport>;

/// The colour target that an export goes to.
fn color(exported: &Exported) -> Option<usize> {
    match exported.target {
        Target::Pixel(n) => Some(usize::from(n & 7)),
        _ => None,
    }
}

/// Packs a program as it was lifted, with what its ports export, which are no registers that move with the loop index.
/// `None` if no export can be packed.
pub(super) fn packed(
    source: &Program,
    exports: &[PortExport],
    packings: &[Packing],
) -> Option<PackingSteps<PortExport>> {
    let last: Vec<bool> = exports.iter().map(|port| port.last).collect();
    let places = Places::new(source, &last);
    let mut exports = exports.to_vec();
    let registers = exports.iter().flat_map(|port| &port.registers);
    let mut counts = [0; 8];
    registers
        .filter_map(color)
        .for_each(|target| counts[target] += 1);
    let temp = source.rows;
    let mut free = temp + 1;
    let mut done = Vec::new();
    let mut steps = vec![Vec::new(); exports.len()];
    for (n, (port, steps)) in exports.iter_mut().zip(&mut steps).enumerate() {
        for exported in port.registers.iter_mut().filter(|_| port.last) {
            let target = color(exported).filter(|target| counts[*target] == 1);
            let packing = packings
                .iter()
                .find(|packing| Some(packing.export) == target);
            let from = exported.elements.map(source_of);
            // Packing what lies in rows gains nothing here.
            let Some(packing) = packing.filter(|_| places.has_written(n as u32, &from)) else {
                continue;
            };
            pack(packing, from, [temp, free], steps);
            let row = |word: usize| Element::Row(free + word.min(packing.words - 1) as u16);
            exported.elements = [0, 1, 2, 3].map(row);
            done.push(*packing);
            free += packing.words as u16;
        }
    }
    if done.is_empty() {
        return None;
    }
    let mut program = places.insert(&steps);
    program.rows = free;
    program.temporaries += free - temp;
    let changed = exports.iter().zip(&steps).map(|(port, steps)| {
        let elements = port.registers.iter().flat_map(|exported| exported.elements);
        let rows = elements.filter_map(|element| match element {
            Element::Row(row) => Some(row),
            _ => None,
        });
        (!steps.is_empty()).then(|| rows.collect())
    });
    for (effects, rows) in program.ports.iter_mut().zip(changed) {
        if let Some(rows) = rows {
            effects.reads_rows = rows;
        }
    }
    Some(PackingSteps {
        program,
        packings: done,
        exports,
    })
}

/// An element that is exported for the first time.
fn source_of(element: Element) -> Src {
    match element {
        Element::Row(row) => Src::Row(row),
        Element::One => Src::Const(1f32.to_bits()),
        Element::Zero | Element::Masked => Src::Const(0),
    }
}
