//! The same bits by both roads: every WGSL shader of the corpus as it is, and written to SPIR-V by naga and read again.
#![allow(clippy::unwrap_used)]

use crate::corpus;
use std::collections::BTreeMap;
use std::panic::catch_unwind;

use crate::direct::{Name, World};
use crate::harness::{LIVE, with_integers};
use pipeline::codegen::CompileError;
use pipeline::ir::{Function, Scalar, Stage, print};
use pipeline::lower::{Overrides, lower};
use pipeline::naga::{self, back::spv};
use pipeline::passes;
use pipeline::wgsl::{self, Source};

/// Shaders that differ, by the words that naga writes, for large numbers: it clamps floats before it makes them integers, and
/// makes layers of textures floats.
const MILD: &[&str] = &[
    "cube_array_shadow.wgsl",
    "fragment_targets.wgsl",
    "math_minmax.wgsl",
    "noise.wgsl",
    "texture_bias_and_gradients.wgsl",
    "texture_cube_bias.wgsl",
    "texture_depth.wgsl",
    "texture_depth_array.wgsl",
    "texture_gather_components.wgsl",
    "texture_shapes.wgsl",
];

/// Shaders that mean something else in the words that naga writes.
const OTHER: &[(&str, &str)] = &[
    (
        "conversions.wgsl",
        "floats beyond the integers are clamped to other ones",
    ),
    (
        "convert.wgsl",
        "floats beyond the integers are clamped to other ones",
    ),
    // A killed invocation goes round no loop again, so that its neighbours have other derivatives.
    (
        "discard_in_loop.wgsl",
        "OpKill stands for what goes on as a helper",
    ),
    (
        "texture_queries.wgsl",
        "cubes are taken to be square, which hashes are not",
    ),
];

/// Entry points in which naga uses types that no device has.
const MISSING: &[&str] = &["math_pack_integer.wgsl", "math_packing_four.wgsl"];

/// Inputs that every conversion takes as they are.
fn mild(function: &Function, world: &mut World) {
    for (input, components) in function.interface.inputs.iter().zip(&mut world.inputs) {
        for word in components.iter_mut().flatten() {
            *word = match input.scalar {
                Scalar::Float => {
                    let value = f32::from_bits(*word);
                    let small = value.is_finite() && value.abs() < 1e4;
                    if small { *word } else { 0.75f32.to_bits() }
                }
                _ => *word % 41,
            };
        }
    }
}

/// Shaders that naga's writer gives up on.
const UNWRITTEN: &[&str] = &["pointers.wgsl"];

/// The words that naga writes of a text; none where its writer gives up.
fn written(text: &str) -> Option<Vec<u32>> {
    let options = naga::front::wgsl::Options {
        parse_doc_comments: false,
        capabilities: wgsl::capabilities(),
    };
    let module = naga::front::wgsl::Frontend::new_with_options(options)
        .parse(text)
        .unwrap();
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::all(),
    );
    let info = validator.validate(&module).unwrap();
    let constants = naga::back::PipelineConstants::default();
    let (module, info) =
        naga::back::pipeline_constants::process_overrides(&module, &info, None, &constants).ok()?;
    let options = spv::Options {
        lang_version: (1, 4),
        flags: spv::WriterFlags::DEBUG,
        force_loop_bounding: false,
        ..spv::Options::default()
    };
    let words = catch_unwind(|| spv::write_vec(&module, &info, &options, None));
    words.ok()?.ok()
}

/// What a run leaves, by names that both roads share.
#[derive(Debug, PartialEq)]
struct Left {
    outputs: BTreeMap<String, Vec<Option<u32>>>,
    buffers: BTreeMap<(u32, u32), Vec<Vec<u32>>>,
}

fn run(function: &Function, mut world: World, live: u64) -> Left {
    let helpers = if live == u64::MAX { 0 } else { !live };
    world.run_lanes(function, live, helpers);
    let interface = &function.interface;
    let outputs = world.outputs.iter().map(|written| {
        let name = match written.name {
            Name::Output(at) => {
                let output = &interface.outputs[at as usize];
                format!("{} {}", output.location, output.second)
            }
            Name::Builtin(builtin) => format!("{builtin:?}"),
        };
        (
            format!("{name} {}", written.component),
            written.lanes.clone(),
        )
    });
    let slots = interface
        .resources
        .iter()
        .map(|r| (r.slot.group, r.slot.binding));
    Left {
        outputs: outputs.collect(),
        buffers: slots.zip(world.buffers).collect(),
    }
}

/// The world of one function as another one sees it, which uses no more.
fn seen_by(world: &World, of: &Function, by: &Function) -> World {
    let mut seen = world.clone();
    let inputs = by.interface.inputs.iter().map(|input| {
        let at = of
            .interface
            .inputs
            .iter()
            .position(|i| i.location == input.location);
        world.inputs[at.unwrap()].clone()
    });
    seen.inputs = inputs.collect();
    let buffers = by.interface.resources.iter().map(|resource| {
        let at = of
            .interface
            .resources
            .iter()
            .position(|r| r.slot == resource.slot);
        world.buffers[at.unwrap()].clone()
    });
    seen.buffers = buffers.collect();
    seen
}

/// The first difference between both roads.
fn compare(name: &str, direct: &Function, read: &Function) -> Result<(), String> {
    for (seed, live) in (1..).zip(LIVE) {
        if direct.stage == Stage::Vertex && live != u64::MAX {
            continue;
        }
        let mut world = World::random(direct, seed);
        if MILD.contains(&name) {
            mild(direct, &mut world);
        }
        let mut wanted = run(direct, world.clone(), live);
        let found = run(read, seen_by(&world, direct, read), live);
        wanted
            .buffers
            .retain(|slot, _| found.buffers.contains_key(slot));
        for (output, lanes) in &wanted.outputs {
            let other = found.outputs.get(output);
            if other != Some(lanes) {
                let other = other.cloned().unwrap_or_default();
                let lane = (0..64).find(|l| other.get(*l) != Some(&lanes[*l]));
                let lane = lane.unwrap_or(0);
                let (want, have) = (lanes[lane], other.get(lane));
                return Err(format!(
                    "live {live:#x} {output} lane {lane}: {have:x?} for {want:x?}"
                ));
            }
        }
        if wanted.outputs.len() != found.outputs.len() || wanted.buffers != found.buffers {
            return Err(format!("live {live:#x}: other outputs or buffers"));
        }
    }
    Ok(())
}

#[test]
fn both_roads_give_the_same_bits() {
    let show = std::env::var("ONLY").is_ok();
    let (mut wrong, mut unwritten, mut compared) = (Vec::new(), Vec::new(), 0);
    for (name, text) in corpus::shaders() {
        let Some(words) = written(&text) else {
            unwritten.push(name);
            continue;
        };
        if let Ok(folder) = std::env::var("SPV") {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(format!("{folder}/{name}.spv"), bytes).unwrap();
        }
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        let read = match wgsl::parse(Source::Spirv(&words)) {
            Ok(read) => read,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        for (entry, stage) in checked.entry_points() {
            if stage == Some(Stage::Compute) {
                continue;
            }
            let direct = lower(&checked, Some(entry), stage, &Overrides::new()).unwrap();
            let mut other = match lower(&read, Some(entry), stage, &Overrides::new()) {
                Ok(function) => function,
                Err(error) => {
                    let missing = MISSING.contains(&name.as_str());
                    if !missing || error.rule() != "shader-unsupported" {
                        wrong.push(format!("{name} {entry}: {error}"));
                    }
                    continue;
                }
            };
            if show {
                println!("{}\n{}", print(&direct), print(&other));
            }
            let same = compare(&name, &direct, &other);
            if OTHER.iter().any(|(other, _)| *other == name) {
                assert!(same.is_err(), "{name}");
            } else if let Err(error) = same {
                wrong.push(format!("{name} {entry}: {error}"));
                continue;
            }
            compared += 1;
            // And every device runs it as it is.
            passes::run(&mut other);
            for machine in with_integers() {
                match machine.compile(&other) {
                    Ok(binary) => {
                        if let Err(error) = machine.on_a_wave(&other, &binary, 5, u64::MAX) {
                            wrong.push(format!("{name} {entry} {}: {error}", machine.name()));
                        }
                    }
                    Err(CompileError::Unsupported { .. }) => {}
                    Err(error) => wrong.push(format!("{name} {entry}: {error}")),
                }
            }
        }
    }
    println!("{compared} functions");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 0);
    if !show {
        assert_eq!(unwritten, UNWRITTEN);
    }
}
