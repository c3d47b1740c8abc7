//! Which instructions read and write each component.

use super::machine::{Code, Reg, unit};
use crate::codegen::regalloc::Unit;

/// Block and place of an instruction.
pub type Place = (usize, usize);

/// Where components are read and written, in order.
pub struct Uses {
    reads: Vec<Vec<Place>>,
    writes: Vec<Vec<Place>>,
}

impl Uses {
    /// Of all components of temporaries.
    pub fn of(code: &Code) -> Uses {
        let units = 4 * code.widths.len();
        let mut uses = Uses {
            reads: vec![Vec::new(); units],
            writes: vec![Vec::new(); units],
        };
        for (b, block) in code.blocks.iter().enumerate() {
            for (at, inst) in block.insts.iter().enumerate() {
                inst.read_units(|unit| uses.reads[unit as usize].push((b, at)));
                inst.written_units(|unit| uses.writes[unit as usize].push((b, at)));
            }
        }
        uses
    }

    /// Who reads a component.
    pub fn reads(&self, unit: Unit) -> &[Place] {
        &self.reads[unit as usize]
    }

    /// Who writes a component.
    pub fn writes(&self, unit: Unit) -> &[Place] {
        &self.writes[unit as usize]
    }

    /// Where the one instruction stands that writes all these components of a vector and nothing else.
    pub fn only_writer(&self, code: &Code, vector: u32, components: &[u8]) -> Option<Place> {
        let mut found = None;
        for component in components {
            match self.writes(unit(vector, *component)) {
                [place] if found.is_none_or(|known| known == *place) => found = Some(*place),
                _ => return None,
            }
        }
        let (b, at) = found?;
        let inst = &code.blocks[b].insts[at];
        let whole = inst.dst == Some(Reg::Temp(vector))
            && inst
                .components
                .iter()
                .all(|component| components.contains(component));
        whole.then_some((b, at))
    }
}
