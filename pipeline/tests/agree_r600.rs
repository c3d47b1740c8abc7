//! The same answer from R600: every shader of the corpus run directly equals its machine code, bit for bit, with
//! textures, built-in inputs, helper lanes and partly filled waves. What the chip does less exactly than the SSA says
//! (`legalize::inexact`) is done so on both sides; `accuracy_r600.rs` holds it to its bounds.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;
mod r600;

use corpus::LIVE;
use direct::World;
use pipeline::codegen::{CompileError, Options, r600 as back};
use pipeline::ir::Function;
use pipeline::lower::{Overrides, lower};
use pipeline::passes::lowered;
use pipeline::wgsl::{self, Source};

/// Shaders that use what the chip lacks.
const MISSING: &[(&str, &str)] = &[
    ("assign_phony.wgsl", "stores to storage buffers"),
    ("atomics_all.wgsl", "stores to storage buffers"),
    (
        "atomics_compare_exchange.wgsl",
        "atomics on storage buffers",
    ),
    ("bounds_of_buffers.wgsl", "stores to storage buffers"),
    ("early_depth.wgsl", "atomics on storage buffers"),
    ("entry_without_result.wgsl", "atomics on storage buffers"),
    (
        "logic_short_circuit_effects.wgsl",
        "atomics on storage buffers",
    ),
    ("matrix_in_buffers.wgsl", "stores to storage buffers"),
    ("padding_of_structs.wgsl", "stores to storage buffers"),
    ("pointers_to_everything.wgsl", "stores to storage buffers"),
    ("storage_arrays_of_arrays.wgsl", "stores to storage buffers"),
    ("storage_atomics.wgsl", "atomics on storage buffers"),
    ("storage_atomics_vertex.wgsl", "atomics on storage buffers"),
    ("storage_struct_copies.wgsl", "stores to storage buffers"),
    ("storage_write.wgsl", "stores to storage buffers"),
    ("texture_storage.wgsl", "stores to textures"),
    ("texture_storage_atomics.wgsl", "atomics on textures"),
    ("texture_storage_formats.wgsl", "stores to textures"),
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
        let function = lower(&checked, Some(entry), stage, &Overrides::new()).unwrap();
        match back::compile(&function, &Options::default()) {
            Ok(_) => {
                if let Err(error) = corpus::in_waves(function, difference) {
                    wrong.push(format!("{name} {entry} {error}"));
                }
            }
            Err(CompileError::Unsupported { what, at, .. }) => {
                assert!(at.0.is_some(), "{name} {entry}: {what} is somewhere");
                missing = Some(what);
            }
            Err(error) => panic!("{name} {entry}: {error}"),
        }
    }
    missing
}

/// The instructions of the groups, over all shaders that the chip can run: more than half of the units have work.
#[test]
fn groups_are_filled() {
    let (mut groups, mut slots) = (0, 0);
    for (name, text) in corpus::shaders() {
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        for (entry, stage) in checked.entry_points() {
            let function = lowered(&checked, Some(entry), stage, &Overrides::new()).unwrap();
            if let Ok(binary) = back::compile(&function, &Options::default()) {
                let [taken, all] = ["slots", "groups"].map(|name| binary.stats.get(name));
                if std::env::var("STATS").is_ok() {
                    let filled = f64::from(taken) / f64::from(all.max(1));
                    println!("{name} {entry}: {filled:.2} of 5 in {all} groups");
                }
                groups += all;
                slots += taken;
            }
        }
    }
    let filled = f64::from(slots) / f64::from(groups);
    assert!(filled >= 2.5, "{filled:.2} of 5 slots are filled");
}

#[test]
fn crowded_shaders_agree() {
    for count in [200, 320, 440, 700] {
        let body = corpus::crowded(count);
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
                {body}
                return vec4f(sum, dpdx(sum), x0, x{});
            }}",
            count / 2
        );
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
        let binary = back::compile(&function, &Options::default()).unwrap();
        let spilled = binary.stats.get("spills") > 0;
        assert!(spilled || count < 500, "{count}");
        assert!(
            !spilled || count > 250,
            "{count}: {} spills",
            binary.stats.get("spills")
        );
        assert_eq!(binary.scratch_bytes > 0, spilled, "{count}");
        for (seed, live) in LIVE.into_iter().enumerate() {
            let found = difference(&function, seed as u64, live);
            let found = found.map_err(|error| error.lines().next().unwrap().to_owned());
            assert_eq!(found, Ok(()), "{count}");
        }
    }
}

/// Private arrays that are too long for registers.
#[test]
fn large_arrays_agree() {
    for (first, second) in [(300, 20), (1100, 900), (20, 3040), (60, 60)] {
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {{
                var one: array<f32, {first}>;
                var two: array<u32, {second}>;
                for (var i = 0u; i < {first}u; i += 7u) {{ one[i] = a.x * f32(i); two[i % {second}u] += i ^ n.x; }}
                one[n.x % {first}u] = a.y;
                if (n.y & 1u) == 1u {{ one[n.y % {first}u] += a.z; two[{second}u - 1u] = n.w; }}
                one[{first}u - 2u] = a.w;
                return vec4f(one[n.z % {first}u], one[{first}u - 2u] + one[7], f32(two[n.w % {second}u]), f32(two[{second}u - 1u]));
            }}"
        );
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
        for (seed, live) in LIVE.into_iter().enumerate() {
            let found = difference(&function, seed as u64, live);
            let found = found.map_err(|error| error.lines().next().unwrap().to_owned());
            assert_eq!(found, Ok(()), "{first}, {second}");
        }
    }
}

#[test]
fn corpus_agrees() {
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    for (name, text) in corpus::shaders() {
        if let Some(what) = check(&name, &text, &mut wrong) {
            missing.push((name, what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    if std::env::var("ONLY").is_err() {
        let wanted = MISSING.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!(missing, wanted.collect::<Vec<_>>());
    }
}
