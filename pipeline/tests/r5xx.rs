//! The back end of R5xx: compiled shaders against the SSA that they come from.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;
mod harness;

use direct::{Name, World, Written};
use harness::r5xx::chip::mild;
use harness::r5xx::{R5xx, run_directly, run_machine};
use harness::{LIVE, Machine};
use pipeline::codegen::r5xx::legal;
use pipeline::codegen::{CompileError, Options, r5xx};
use pipeline::ir::{Detail, Function, ImageKind, Op, Scalar, Stage};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::wgsl::{self, Source};

fn functions(text: &str) -> Vec<Function> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let entries = checked.entry_points();
    let entries = entries.filter(|(_, stage)| *stage != Some(Stage::Compute));
    entries
        .map(|(entry, stage)| lowered(&checked, Some(entry), stage, &Overrides::new()).unwrap())
        .collect()
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

/// The first lane of an output that is far from what it should be; integers are floats on the chip.
fn difference(function: &Function, wanted: &[Written], found: &[Written]) -> Option<String> {
    for Written {
        name,
        component,
        lanes,
    } in wanted
    {
        let integer = match *name {
            Name::Output(at) => function.interface.outputs[at as usize].scalar != Scalar::Float,
            Name::Builtin(_) => false,
        };
        let mut found = found.iter();
        let found = found.find(|other| other.name == *name && other.component == *component);
        let Some(found) = found else {
            return Some(format!("{name:?} is not written"));
        };
        for (lane, (a, b)) in lanes.iter().zip(&found.lanes).enumerate() {
            let number = |word: u32| match integer {
                true => word as i32 as f32,
                false => f32::from_bits(word),
            };
            let [a, b] = [a.map(number), b.map(f32::from_bits)];
            let near = |(a, b): (f32, f32)| {
                !a.is_finite() || (a - b).abs() <= TOLERANCE * a.abs().max(1.0)
            };
            if a.is_some() != b.is_some() || !a.zip(b).is_none_or(near) {
                return Some(format!(
                    "{name:?} {component} of lane {lane} is {b:?}, not {a:?}"
                ));
            }
        }
    }
    None
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
                let world = mild(&function, &legal, World::random(&function, seed));
                let wanted =
                    run_directly(&coarse(&function), None, world.clone(), u64::MAX).unwrap();
                let found = run_machine(&function, &binary, world, u64::MAX).unwrap();
                if let Some(difference) = difference(&function, &wanted, &found) {
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
    let machine: &dyn Machine = &R5xx;
    let found = machine.on_a_wave(&function, &binary, 1, LIVE[0]);
    assert_eq!(found, Ok(()));
}
