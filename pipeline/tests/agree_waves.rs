//! The same answer with textures, built-in inputs, helper lanes and partly filled waves: every shader of the corpus run
//! directly equals its machine code, bit for bit, and the code is clean of memory hazards.
#![allow(clippy::unwrap_used)]

mod direct;
mod machine;

use direct::World;
use pipeline::codegen::{Options, southern_islands};
use pipeline::ir::{Function, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

/// All lanes; every third lane; a few lanes with helpers around them.
const LIVE: [u64; 3] = [u64::MAX, 0x9249_2492_4924_9249, 0x0180_0000_00f1_0002];

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
        let mut function = match lowered {
            Ok(function) => function,
            Err(error) => {
                wrong.push(format!("{name} {entry}: {error}"));
                continue;
            }
        };
        for round in ["lowered", "optimised"] {
            for (seed, live) in LIVE.into_iter().enumerate() {
                if function.stage == Stage::Vertex && live != u64::MAX {
                    continue;
                }
                if let Err(error) = difference(&function, seed as u64 + 1, live) {
                    wrong.push(format!("{name} {entry} {round} live {live:#x}: {error}"));
                    break;
                }
            }
            pipeline::passes::run(&mut function);
        }
    }
}

#[test]
fn corpus_agrees() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "wgsl"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 150, "the corpus has {} shaders", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if std::env::var("ONLY").is_ok_and(|only| !name.contains(&only)) {
            continue;
        }
        check(&name, &std::fs::read_to_string(&path).unwrap(), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
