//! SPIR-V words in, SSA out.
//!
//! - `words`: instructions and their operands; `module`: what they declare; `types`, `function`, `reach`: checked; `lines`: of
//!   the source.
//! - `capabilities`: those that are taken, or refused where they are used; `bindings`: slots of resources; `uses`: what an entry point uses.
//! - `lower`, `val`, `instruction`: functions inlined, one instruction after the other.
//! - `flow`, `selection`, `loops`: blocks in structured control flow.
//! - `pointers`: pointers that are values.
//! - `numbers`, `wide`: numbers of other than 32 bits.
//! - `constants`, `layout`, `compute`, `composite`, `glsl`, `image`, `sampling`, `formats`: what
//!   instructions mean.
//! - `interface`, `places`, `varyings`, `interpolation`, `builtins`, `geometry`, `resources`: what an entry point exchanges.
//!
//! What is relied on is checked: ids are defined once and used where their definitions reach, operands fit, blocks are
//! structured. The clip space is taken as it is (see `wgsl`).

mod bindings;
mod builtins;
mod capabilities;
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
mod places;
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
mod varyings;
mod wide;
mod words;
mod workgroup;

pub use bindings::LaidOut;
pub use constants::SpecConstant;
pub use module::Module;

use std::collections::BTreeMap;

use self::types::Type;
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

    /// The same module for a layout, which gives binding arrays their length and input attachments layers; none where the
    /// module has nothing of this.
    pub fn laid_out(&self, layout: &BTreeMap<Slot, LaidOut>) -> Option<Module> {
        let open = |id: &u32| {
            let Some((_, pointee)) = self.variable(*id) else {
                return false;
            };
            let (element, length) = self.element(pointee);
            let layers = || self.slot(*id).and_then(|slot| layout.get(&slot));
            let attachment =
                matches!(self.types.get(&element), Some(Type::Image(image)) if image.attachment);
            length == Some(None) || attachment && layers().is_some_and(|found| found.layered)
        };
        self.variables.iter().any(open).then(|| {
            let mut module = self.clone();
            module.layout.clone_from(layout);
            module
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
