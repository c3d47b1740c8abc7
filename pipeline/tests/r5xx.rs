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
use pipeline::ir::{Detail, Function, ImageKind, Op, Stage};
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

/// Whether a function does itself what the unit does not: it asks for other texels than its SSA. The golden pictures of
/// `samplers` and `shadow`, and `api/tests/samplers.rs`, show that it does it rightly.
fn samples_itself(function: &Function) -> bool {
    let by_itself = |op: &Op| {
        let Op::Image(image) = op else { return false };
        match image.kind {
            ImageKind::Sample {
                compare, offset, ..
            } => compare || offset != [0; 3],
            ImageKind::Load { level } | ImageKind::Size { level } => level,
            ImageKind::Gather { .. } | ImageKind::Levels => true,
            _ => false,
        }
    };
    function.insts().any(|inst| by_itself(&inst.op))
}

#[test]
fn corpus_agrees_with_its_ssa() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (shader, text) in corpus::shaders() {
        for function in functions(&text) {
            let Ok(binary) = r5xx::compile(&function, &Options::default()) else {
                continue;
            };
            if samples_itself(&function) {
                continue;
            }
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

fn compile(text: &str, stage: Stage) -> Result<pipeline::codegen::Binary, CompileError> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let function = lowered(&checked, None, Some(stage), &Overrides::new()).unwrap();
    r5xx::compile(&function, &Options::default())
}

/// What the corpus misses on this chip: entry point and limit, with its place in the text.
#[test]
fn what_is_missing_has_a_name_and_a_place() {
    let mut found = String::new();
    for (name, text) in corpus::shaders() {
        for function in functions(&text) {
            match r5xx::compile(&function, &Options::default()) {
                Ok(_) => {}
                Err(CompileError::Unsupported { what, at, .. }) => {
                    assert!(at.0.is_some(), "{name}: {what} is somewhere");
                    found += &format!("{name} {}: {what}\n", function.name);
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
    if std::env::var("ONLY").is_err() {
        assert_eq!(found, include_str!("harness/r5xx/missing.txt"));
    }
}

/// Limits of the chip are errors with both numbers.
#[test]
fn limits_are_errors_with_numbers() {
    let long: String = (0..600)
        .map(|n| format!("x = sin(x * {n}.37) + y;\n"))
        .collect();
    let sums: String = (0..300)
        .map(|n| format!("sum += u[{n}] * f32({n}.5);\n"))
        .collect();
    let textures: String = (0..17)
        .map(|n| format!("@group(0) @binding({n}) var t{n}: texture_2d<f32>;\n"))
        .collect();
    let looks: String = (0..17)
        .map(|n| format!("sum += textureLoad(t{n}, vec2i(0), 0);\n"))
        .collect();
    let outs: String = (0..9)
        .map(|n| format!("@location({n}) a{n}: vec4f,\n"))
        .collect();
    let values: String = (0..9).map(|_| ", a".to_owned()).collect();
    let crowd = corpus::crowded(700);
    let pixel = |body: &str| {
        format!(
        "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {{
            {body}
        }}"
    )
    };
    let vertex = |body: &str| {
        format!("@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ {body} }}")
    };
    let cases: &[(String, Stage, &str)] = &[
        (
            pixel(&format!(
                "var x = a.x; let y = a.y; {long} return vec4f(x);"
            )),
            Stage::Fragment,
            "where there are 512",
        ),
        (
            vertex(&format!(
                "var x = a.x; let y = a.y; {long} {long} return vec4f(x);"
            )),
            Stage::Vertex,
            "where there are 1024",
        ),
        (
            format!(
                "@group(0) @binding(0) var<uniform> u: array<vec4f, 300>;\n{}",
                pixel(&format!("var sum = a; {sums} return sum;"))
            ),
            Stage::Fragment,
            "constants where there are 256",
        ),
        (
            format!(
                "{textures}{}",
                pixel(&format!("var sum = a; {looks} return sum;"))
            ),
            Stage::Fragment,
            "more than 16 pairs",
        ),
        (
            format!(
                "struct Out {{ @builtin(position) p: vec4f, {outs} }}
                @vertex fn vs(@location(0) a: vec4f) -> Out {{ return Out(a{values}); }}"
            ),
            Stage::Vertex,
            "9 varyings where there are 8",
        ),
        (
            pixel(&format!("{crowd} return vec4f(sum);")),
            Stage::Fragment,
            "more temporary registers than the 128",
        ),
        (
            vertex("var x = a.x; while x < a.y { x = x * 1.5 + 0.1; } return vec4f(x);"),
            Stage::Vertex,
            "rounds are not known",
        ),
        (
            pixel("return vec4f(f32(i32(a.x) * 3));"),
            Stage::Fragment,
            "between -6442450944 and 6442450944, where numbers are exact to 16777216",
        ),
        (
            pixel("return vec4f(f32(n.x << u32(n.y)));"),
            Stage::Fragment,
            "bounds are not known",
        ),
        (
            pixel("return vec4f(f32(n.x ^ n.y));").replace("vec4i", "vec4u"),
            Stage::Fragment,
            "Xor",
        ),
    ];
    for (text, stage, wanted) in cases {
        let error = compile(text, *stage).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(wanted), "{said}: {wanted}");
        assert!(error.location().is_some(), "{said}");
    }
}

/// Vectors stay vectors.
#[test]
fn vectors_are_vectors() {
    let transform = "@group(0) @binding(0) var<uniform> m: mat4x4f;
        @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return m * a; }";
    let binary = compile(transform, Stage::Vertex).unwrap();
    assert_eq!(binary.stats.get("instructions"), 4, "{}", binary.listing());
    assert_eq!(binary.stats.get("constants"), 4);
    let lit = "@group(0) @binding(0) var<uniform> l: vec4f;
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        @fragment fn fs(@location(0) n: vec3f, @location(1) uv: vec2f) -> @location(0) vec4f {
            let c = textureSample(t, s, uv);
            return vec4f(c.rgb * dot(n, l.xyz), c.a * l.w);
        }";
    let binary = compile(lit, Stage::Fragment).unwrap();
    assert!(binary.listing().contains("DP3"), "{}", binary.listing());
    assert!(
        binary.stats.get("instructions") <= 5,
        "{}",
        binary.listing()
    );
    assert!(binary.stats.get("pairs") > 0, "{}", binary.listing());
}

/// Vertices choose matrices and colours by the address register.
#[test]
fn uniforms_are_read_with_an_index() {
    let text = include_str!("harness/r5xx/skinning.wgsl");
    let function = functions(text).remove(0);
    let binary = r5xx::compile(&function, &Options::default()).unwrap();
    let listing = binary.listing();
    assert!(listing.contains("VE_FLT2FIX_DX A0"), "{listing}");
    // 24 matrices, 16 colours, the view, and a few numbers.
    let constants = binary.stats.get("constants");
    assert!((116..=120).contains(&constants), "{constants}");
    assert!(binary.stats.get("instructions") <= 70, "{listing}");
    let compared = agrees(&function).unwrap();
    assert_eq!(compared, 2);
}
