//! Exports of texels: a program that packs its colours, for targets in which they take the place of what was there. In: a
//! lifted program and how targets are packed. Out: the same program with the packing in front of its exports, which find
//! words in rows of their own.

use lanes::{DefaultEngine, Program, ProgramError, Src};
use radeon::r6xx::forms::Form;
use radeon::r6xx::packing::{Places, pack};
use radeon::r6xx::waves::LoadedProgram;
use silicon::fragment::output::Packing;

use super::program::{PortExport, improve};
use crate::CHIP;
use crate::sx::{Element, Exported, Target};

/// A program whose waves export texels.
pub(crate) struct PackedExports {
    pub(crate) form: Form,
    /// How.
    packings: Vec<Packing>,
    /// What each port exports, if it does.
    pub(crate) exports: Vec<PortExport>,
}

impl PackedExports {
    /// From a program as it was lifted and what its ports export, which are no registers that move with the loop index. Waves
    /// have at least as many registers as those of `own`. `None` if no export can be packed.
    pub(crate) fn new(
        engine: &DefaultEngine,
        address: u64,
        (source, own): (&Program, &LoadedProgram),
        exports: &[PortExport],
        packings: &[Packing],
    ) -> Option<Result<PackedExports, ProgramError>> {
        let (program, packings, exports) = packed(source, exports, packings)?;
        let form = Form::new((CHIP, address), engine, program, own.scalars, improve);
        Some(form.map(|form| PackedExports {
            form,
            packings,
            exports,
        }))
    }

    /// How the targets are packed that are.
    pub(crate) fn packings(&self) -> &[Packing] {
        &self.packings
    }
}

/// The colour target that an export goes to.
fn color(exported: &Exported) -> Option<usize> {
    match exported.target {
        Target::Pixel(n) => Some(usize::from(n & 7)),
        _ => None,
    }
}

/// The program, which packings it does, and what its ports export.
type Packed = (Program, Vec<Packing>, Vec<PortExport>);

fn packed(source: &Program, exports: &[PortExport], packings: &[Packing]) -> Option<Packed> {
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
    Some((program, done, exports))
}

/// An element that is exported for the first time.
fn source_of(element: Element) -> Src {
    match element {
        Element::Row(row) => Src::Row(row),
        Element::One => Src::Const(1f32.to_bits()),
        Element::Zero | Element::Masked => Src::Const(0),
    }
}
