//! The same answer with textures, built-in inputs, helper lanes and partly filled waves: every shader of the corpus run
//! directly equals its machine code, bit for bit, and the code is clean of memory hazards.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;
mod machine;

use direct::World;
use pipeline::codegen::{Options, southern_islands};
use pipeline::ir::{Function, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

/// What differs between the two ways, if anything.
fn difference(function: &Function, seed: u64, live: u64) -> Result<(), String> {
    let world = World::random(function, seed);
    let binary = southern_islands::compile(function, &Options::default())
        .map_err(|error| format!("{error}"))?;
    let listing = || format!("{}\n{}", pipeline::ir::print(function), binary.listing());
    southern_islands_timing(&binary.words).map_err(|error| format!("{error}\n{}", listing()))?;
    let wanted = machine::run_direct(function, world.clone(), live);
    let found = machine::run_machine(function, &binary, world, live)
        .map_err(|error| format!("{error}\n{}", listing()))?;
    machine::compare(&wanted, &found).map_err(|error| format!("{error}\n{}", listing()))
}

fn southern_islands_timing(words: &[u32]) -> Result<(), String> {
    ::southern_islands::isa::check_timing(words).map_err(|hazard| hazard.to_string())
}

/// Compares all entry points of a shader, before and after the passes.
fn check(name: &str, text: &str, wrong: &mut Vec<String>) {
    let checked = match wgsl::parse(Source::Wgsl(text)) {
        Ok(checked) => checked,
        Err(error) => return wrong.push(format!("{name}: {error}")),
    };
    for (entry, stage) in checked.entry_points() {
        if stage == Some(Stage::Compute) {
            continue;
        }
        let lowered = lower(&checked, Some(entry), stage, &Overrides::new());
        let found = lowered.map_err(|error| error.to_string());
        let found = found.and_then(|function| corpus::in_waves(function, difference));
        if let Err(error) = found {
            wrong.push(format!("{name} {entry} {error}"));
        }
    }
}

#[test]
fn corpus_agrees() {
    let mut wrong = Vec::new();
    for (name, text) in corpus::shaders() {
        check(&name, &text, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
