//! The back end of R5xx: compiled shaders against the SSA that they come from.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;
#[path = "harness/r5xx/mod.rs"]
mod machine;

use direct::{Random, World};
use machine::{Outputs, run_directly, run_machine};
use pipeline::codegen::r5xx::legal::{self, Legal};
use pipeline::codegen::{CompileError, ConstantSource, Number, Options, r5xx};
use pipeline::ir::{Detail, Function, Op, Stage};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::wgsl::{self, Source};

/// Lanes that run.
const LIVE: [u64; 3] = [u64::MAX, 0x9249_2492_4924_9249, 0x0180_0000_00f1_0002];

fn functions(text: &str) -> Vec<Function> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let entries = checked.entry_points();
    let entries = entries.filter(|(_, stage)| *stage != Some(Stage::Compute));
    entries
        .map(|(entry, stage)| lowered(&checked, Some(entry), stage, &Overrides::new()).unwrap())
        .collect()
}

/// Small numbers, so that integers are those of the shader and floats stay in range.
fn mild(function: &Function, legal: &Legal, seed: u64) -> World {
    let mut world = World::random(function, seed);
    let mut random = Random(seed ^ 0x5eed);
    let float =
        |random: &mut Random| ((random.next() >> 8) as f32 / 16_777_216.0 * 4.0 - 2.0).to_bits();
    for (input, components) in function.interface.inputs.iter().zip(&mut world.inputs) {
        for word in components.iter_mut().flatten() {
            *word = match input.scalar {
                pipeline::ir::Scalar::Float => float(&mut random),
                _ => random.next() % 41,
            };
        }
    }
    for word in world.buffers.iter_mut().flatten().flatten() {
        *word = float(&mut random);
    }
    for word in &mut world.push {
        *word = float(&mut random);
    }
    for source in &legal.sources {
        match *source {
            ConstantSource::Uniform {
                bank,
                offset,
                number,
            } if number != Number::Float => {
                let bound = &legal.banks[bank as usize];
                let words = &mut world.buffers[bound.resource as usize][bound.element as usize];
                if let Some(word) = words.get_mut(offset as usize / 4) {
                    *word = random.next() % 9;
                }
            }
            ConstantSource::Push { offset, number } if number != Number::Float => {
                world.push[offset as usize / 4] = random.next() % 9;
            }
            _ => {}
        }
    }
    world
}

fn first_difference(
    wanted: &Outputs,
    found: &Outputs,
    same: impl Fn(u32, u32) -> bool,
) -> Option<String> {
    for (key, lanes) in wanted {
        let Some(others) = found.get(key) else {
            return Some(format!("{key:?} is not written"));
        };
        for (lane, (a, b)) in lanes.iter().zip(others).enumerate() {
            let equal = match (a, b) {
                (Some(a), Some(b)) => same(*a, *b),
                (a, b) => a == b,
            };
            if !equal {
                let show = |v: &Option<u32>| v.map(|v| (v, f32::from_bits(v)));
                return Some(format!(
                    "{key:?} of lane {lane} is {:x?}, not {:x?}",
                    show(b),
                    show(a)
                ));
            }
        }
    }
    None
}

fn bits(a: u32, b: u32) -> bool {
    a == b || f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan()
}

/// Code and the legal function agree to the bit.
fn agrees(function: &Function) -> Result<usize, String> {
    let legal = legal::legal(function, &Options::default()).unwrap();
    let binary = r5xx::compile(function, &Options::default()).unwrap();
    let mut compared = 0;
    for (seed, live) in (1..).zip(LIVE) {
        if function.stage == Stage::Vertex && live != u64::MAX {
            continue;
        }
        for world in [World::random(function, seed), mild(function, &legal, seed)] {
            // Numbers of rounds may be anything.
            let Ok(wanted) = run_directly(function, Some(&legal), world.clone(), live) else {
                continue;
            };
            let found = run_machine(function, &binary, world, live);
            let difference = match &found {
                Ok(found) => first_difference(&wanted, found, bits),
                Err(error) => Some(error.clone()),
            };
            if let Some(difference) = difference {
                let ssa = pipeline::ir::print(&legal.function);
                let listing = binary.listing();
                return Err(format!("live {live:#x}: {difference}\n{ssa}\n{listing}"));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

#[test]
fn corpus_agrees_with_the_chips_own_arithmetic() {
    let (mut wrong, mut compiled, mut missing) = (Vec::new(), 0, Vec::new());
    for (name, text) in corpus::shaders() {
        let mut whole = true;
        for function in functions(&text) {
            match r5xx::compile(&function, &Options::default()) {
                Ok(_) => {
                    if let Err(error) = agrees(&function) {
                        wrong.push(format!("{name} {}: {error}", function.name));
                    }
                }
                Err(CompileError::Unsupported { what, .. }) => {
                    whole = false;
                    missing.push(format!("{name} {}: {what}", function.name));
                }
                Err(error) => {
                    whole = false;
                    missing.push(format!("{name} {}: {error}", function.name));
                }
            }
        }
        compiled += usize::from(whole);
    }
    println!("{compiled} shaders\n{}", missing.join("\n"));
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(compiled >= 60);
}

/// Largest difference, in parts of the value or of 1.
const TOLERANCE: f32 = 1e-3;

/// Derivatives are those of a quad's first row and column.
fn coarse(function: &Function) -> Function {
    let mut function = function.clone();
    for inst in function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts)
    {
        if let Op::Derivative { detail, .. } = &mut inst.op {
            *detail = Detail::Coarse;
        }
    }
    function
}

#[test]
fn corpus_agrees_with_its_ssa() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (shader, text) in corpus::shaders() {
        for function in functions(&text) {
            let Ok(binary) = r5xx::compile(&function, &Options::default()) else {
                continue;
            };
            let legal = legal::legal(&function, &Options::default()).unwrap();
            for seed in 0..4 {
                let world = mild(&function, &legal, seed);
                let wanted =
                    run_directly(&coarse(&function), None, world.clone(), u64::MAX).unwrap();
                let found = run_machine(&function, &binary, world, u64::MAX).unwrap();
                let outputs = &function.interface.outputs;
                let integer = |key: &str| {
                    let mut numbers = (0..outputs.len()).filter(|n| key == format!("Output({n})"));
                    let number = numbers.next();
                    number.is_some_and(|n| outputs[n].scalar != pipeline::ir::Scalar::Float)
                };
                let mut converted = wanted.clone();
                for ((key, _), lanes) in &mut converted {
                    if integer(key) {
                        for word in lanes.iter_mut().flatten() {
                            *word = (*word as i32 as f32).to_bits();
                        }
                    }
                }
                let near = |a: u32, b: u32| {
                    let (a, b) = (f32::from_bits(a), f32::from_bits(b));
                    !a.is_finite() || (a - b).abs() <= TOLERANCE * a.abs().max(1.0)
                };
                if let Some(difference) = first_difference(&converted, &found, near) {
                    wrong.push(format!(
                        "{shader} {} seed {seed}: {difference}",
                        function.name
                    ));
                    break;
                }
                compared += 1;
            }
        }
    }
    println!("{compared} comparisons");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 4 * 60 || std::env::var("ONLY").is_ok());
}
