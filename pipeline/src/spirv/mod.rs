//! SPIR-V words in, SSA out.
//!
//! - `words`: instructions and their operands; `module`: what they declare; `types`, `function`, `reach`: checked; `lines`: of
//!   the source.
//! - `bindings`: slots of resources; `uses`: what an entry point uses.
//! - `lower`, `val`, `instruction`: functions inlined, one instruction after the other.
//! - `flow`, `selection`, `loops`: blocks in structured control flow.
//! - `pointers`: pointers that are values.
//! - `numbers`, `wide`: numbers of other than 32 bits.
//! - `constants`, `layout`, `compute`, `composite`, `glsl`, `image`, `sampling`, `formats`: what
//!   instructions mean.
//! - `interface`, `interpolation`, `builtins`, `geometry`, `resources`: what an entry point exchanges.
//!
//! What is relied on is checked: ids are defined once and used where their definitions reach, operands fit, blocks are
//! structured. The clip space is taken as it is (see `wgsl`).

mod bindings;
mod builtins;
mod composite;
mod compute;
mod constants;
mod flow;
mod formats;
mod function;
mod geometry;
mod glsl;
mod image;
mod instruction;
mod interface;
mod interpolation;
mod layout;
mod lines;
mod loops;
mod lower;
mod module;
mod numbers;
mod pointers;
mod reach;
mod resources;
mod sampling;
mod selection;
mod streams;
mod subgroup;
mod types;
mod uses;
mod val;
mod wide;
mod words;
mod workgroup;

pub use constants::SpecConstant;
pub use module::Module;

use std::collections::BTreeMap;

use crate::error::ShaderError;
use crate::guard::{self, Panicked};
use crate::ir::{Function, Slot, Stage};
use crate::lower::{Choice, Overrides, choose};

/// Reads and checks a module.
///
/// Errors: [`ShaderError::Spirv`] says the instruction's number, opcode, id and name; [`ShaderError::Unsupported`] names
/// what no device has; [`ShaderError::TooLarge`].
pub fn read(words: &[u32]) -> Result<Module, ShaderError> {
    guard::run(|| Module::read(words)).unwrap_or_else(|Panicked(reason)| {
        Err(ShaderError::FrontEnd {
            language: "SPIR-V",
            reason,
        })
    })
}

impl Module {
    /// Every entry point, with its stage where it is one that the compiler knows.
    pub fn entry_points(&self) -> impl Iterator<Item = (&str, Option<Stage>)> {
        let entries = self.entries.iter();
        entries.map(|entry| (entry.name.as_str(), entry.stage()))
    }

    /// The same module, whose binding arrays without a length have these; none where it has no such arrays.
    pub fn sized(&self, counts: &BTreeMap<Slot, u32>) -> Option<Module> {
        let unsized_array = |id: &u32| {
            let pointee = self.variable(*id).map(|(_, pointee)| pointee);
            pointee.is_some_and(|ty| self.element(ty).1 == Some(None))
        };
        let any = self.variables.iter().any(unsized_array);
        any.then(|| {
            let mut sized = self.clone();
            sized.counts.clone_from(counts);
            sized
        })
    }

    /// Lowers one entry point. Without a name, the only one of the stage; without a stage, of any stage. `overrides` are
    /// specialisation constants by the number of their `SpecId`.
    pub fn lower(
        &self,
        entry: Option<&str>,
        stage: Option<Stage>,
        overrides: &Overrides,
    ) -> Result<Function, ShaderError> {
        let choices = self.entries.iter().map(|entry| Choice {
            name: &entry.name,
            stage: entry.stage(),
            model: format!("{:?}", entry.model).to_lowercase(),
        });
        let (index, stage) = choose(&choices.collect::<Vec<_>>(), entry, stage)?;
        guard::run(|| lower::lower(self, &self.entries[index], stage, overrides))
            .unwrap_or_else(|Panicked(reason)| Err(ShaderError::Compiler { reason }))
    }
}
