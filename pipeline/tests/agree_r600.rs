//! The same answer from R600: every shader of the corpus run directly equals its machine code, bit for bit, with
//! textures, built-in inputs, helper lanes and partly filled waves. What the chip does less exactly than the SSA says
//! (`legalize::inexact`) is done so on both sides; `accuracy_r600.rs` holds it to its bounds.
#![allow(clippy::unwrap_used)]

mod direct;
mod r600;

use direct::World;
use pipeline::codegen::{CompileError, Options, r600 as back};
use pipeline::ir::{Function, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

/// All lanes; every third lane; a few lanes with helpers around them.
const LIVE: [u64; 3] = [u64::MAX, 0x9249_2492_4924_9249, 0x0180_0000_00f1_0002];

/// Shaders that use what the chip lacks.
const MISSING: &[(&str, &str)] = &[
    ("binding_arrays.wgsl", "a binding array indexed at run time"),
    ("early_depth.wgsl", "atomics on storage buffers"),
    ("fragment_depth.wgsl", "a sample mask as an output"),
    ("storage_atomics.wgsl", "atomics on storage buffers"),
    ("storage_atomics_vertex.wgsl", "atomics on storage buffers"),
    ("storage_write.wgsl", "stores to storage buffers"),
    ("texture_gather.wgsl", "gathering texels"),
    ("texture_load.wgsl", "multisampled textures"),
    ("texture_shapes.wgsl", "arrays of cube textures"),
    ("texture_storage.wgsl", "stores to textures"),
];

/// What differs between the two ways, if anything.
fn difference(function: &Function, seed: u64, live: u64) -> Result<(), String> {
    let world = World::random(function, seed);
    let binary = match back::compile(function, &Options::default()) {
        Ok(binary) => binary,
        Err(error) => return Err(error.to_string()),
    };
    let listing = || format!("{}\n{}", pipeline::ir::print(function), binary.listing());
    let wanted = r600::run_direct(function, world.clone(), live);
    let found = r600::run_machine(function, &binary, world, live)
        .map_err(|error| format!("{error}\n{}", listing()))?;
    r600::compare(&wanted, &found).map_err(|error| format!("{error}\n{}", listing()))
}

/// Compares all entry points of a shader, before and after the passes. Gives what the chip lacks.
fn check(name: &str, text: &str, wrong: &mut Vec<String>) -> Option<String> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let mut missing = None;
    for (entry, stage) in checked.entry_points() {
        let mut function = lower(&checked, Some(entry), stage, &Overrides::new()).unwrap();
        match back::compile(&function, &Options::default()) {
            Ok(_) => {}
            Err(CompileError::Unsupported { what, at, .. }) => {
                assert!(at.0.is_some(), "{name} {entry}: {what} is somewhere");
                missing = Some(what);
                continue;
            }
            Err(error) => panic!("{name} {entry}: {error}"),
        }
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
    missing
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
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    let only = std::env::var("ONLY");
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if only.as_ref().is_ok_and(|only| !name.contains(only)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        if let Some(what) = check(&name, &text, &mut wrong) {
            missing.push((name, what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    if only.is_err() {
        let wanted = MISSING.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(missing, wanted.collect::<Vec<_>>());
    }
}
