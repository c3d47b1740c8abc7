//! The back end of R5xx: compiled shaders against the SSA that they come from.
#![allow(clippy::unwrap_used)]

use crate::corpus;
use crate::direct::{Name, World, Written, mix};
use crate::harness::r5xx::chip::{mild, target as output_of};
use crate::harness::r5xx::textures::is_textured;
use crate::harness::r5xx::{R5xx, run_directly, run_machine};
use crate::harness::start::Start;
use crate::harness::texels::{Plain, Texels};
use crate::harness::{Case, LIVE, Machine};
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

/// Whether a function does itself what the unit does not: it asks for other texels than its SSA. Those run with texels in
/// memory.
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

/// How far results may be from what they should be.
struct Nearness {
    /// Largest difference, in parts of the value or of 1.
    tolerance: f32,
    /// Lanes of an output that may be farther: coordinates that are rounded take another texel at the border of two.
    beyond: usize,
}

/// Without textures in memory.
const NEAR: Nearness = Nearness {
    tolerance: TOLERANCE,
    beyond: 0,
};

/// The first lane of an output that is far from what it should be; integers are floats on the chip.
fn difference(
    function: &Function,
    wanted: &[Written],
    found: &[Written],
    nearness: &Nearness,
) -> Option<String> {
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
        let mut beyond = 0;
        for (lane, (a, b)) in lanes.iter().zip(&found.lanes).enumerate() {
            let number = |word: u32| match integer {
                true => word as i32 as f32,
                false => f32::from_bits(word),
            };
            let [a, b] = [a.map(number), b.map(f32::from_bits)];
            let near = |(a, b): (f32, f32)| {
                !a.is_finite() || (a - b).abs() <= nearness.tolerance * a.abs().max(1.0)
            };
            beyond += usize::from(!a.zip(b).is_none_or(near));
            if a.is_some() != b.is_some() || beyond > nearness.beyond {
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
                if let Some(difference) = difference(&function, &wanted, &found, &NEAR) {
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

/// Textures with a sampler `s`, a comparison sampler `c`, and what is looked up with operands `a` and `k`.
const LOOKUPS: &[(&str, &str)] = &[
    (
        "texture_1d<f32>",
        "textureSample(t, s, a.x) + textureLoad(t, i32(clamp(k.x * 6.0 + 9.0, 0.0, 18.0)), 0)",
    ),
    ("texture_2d<f32>", "textureSample(t, s, a.xy, vec2i(3, -8))"),
    (
        "texture_2d<f32>",
        "textureSampleBias(t, s, a.xy * 0.1, k.x, vec2i(-1, 3))",
    ),
    (
        "texture_2d<f32>",
        "textureSampleLevel(t, s, a.xy, k.x, vec2i(7, 2)) * k.y",
    ),
    (
        "texture_2d<f32>",
        "textureSampleGrad(t, s, a.xy, k.xy * 0.1, k.zw * 0.1, vec2i(1, 1))",
    ),
    (
        "texture_2d<f32>",
        "textureSampleBaseClampToEdge(t, s, a.xy)",
    ),
    (
        "texture_2d<f32>",
        "textureGather(0, t, s, a.xy) - textureGather(3, t, s, a.zw, vec2i(2, -1))",
    ),
    (
        "texture_2d<f32>",
        "textureLoad(t, vec2i(saturate(k.xy) * 9.0), 0) + textureLoad(t, vec2i(saturate(a.xy) * 4.5), 1)",
    ),
    (
        "texture_2d<f32>",
        "textureLoad(t, vec2i(saturate(k.xy) * 1.5), i32(saturate(a.x) * 2.5))",
    ),
    (
        "texture_2d<f32>",
        "vec4f(vec2f(textureDimensions(t)), vec2f(textureDimensions(t, 1))) * f32(textureNumLevels(t)) * a",
    ),
    (
        "texture_3d<f32>",
        "textureSample(t, s, a.xyz) + textureSampleLevel(t, s, k.xyz, a.w)",
    ),
    (
        "texture_3d<f32>",
        "textureSampleGrad(t, s, a.xyz, k.xyz * 0.1, k.yzw * 0.1)",
    ),
    (
        "texture_3d<f32>",
        "textureSampleLevel(t, s, a.xyz, 1.0, vec3i(1, -2, 3))",
    ),
    (
        "texture_cube<f32>",
        "textureSample(t, s, a.xyz) + textureSampleBias(t, s, k.xyz, a.w)",
    ),
    ("texture_cube<f32>", "textureSampleLevel(t, s, a.xyz, k.x)"),
    ("texture_cube<f32>", "textureGather(1, t, s, a.xyz)"),
    (
        "texture_cube<f32>",
        "textureGather(2, t, s, normalize(k.yzw)) * a.x",
    ),
    (
        "texture_depth_2d",
        "vec4f(textureSample(t, s, a.xy), textureSampleCompare(t, c, k.xy * 0.1, a.z), 0.0, 1.0)",
    ),
    (
        "texture_depth_2d",
        "vec4f(textureSampleCompareLevel(t, c, a.xy, k.x, vec2i(2, -3)))",
    ),
    (
        "texture_depth_2d",
        "textureGather(t, s, a.xy) + textureGatherCompare(t, c, k.xy, a.z)",
    ),
    (
        "texture_depth_cube",
        "vec4f(textureSampleCompareLevel(t, c, a.xyz, k.x))",
    ),
    (
        "texture_depth_cube",
        "vec4f(textureSampleCompare(t, c, a.xyz * 0.1 + vec3f(1.0, 0.0, 0.0), k.x))",
    ),
    (
        "texture_depth_cube",
        "textureGatherCompare(t, c, a.xyz, k.x) + textureGather(t, s, a.yzw)",
    ),
];

/// The shaders of the corpus, and those of [`LOOKUPS`].
fn textured() -> Vec<(String, Function)> {
    let lookups = LOOKUPS.iter().map(|(ty, lookup)| {
        let text = format!(
            "@group(0) @binding(0) var t: {ty};
            @group(0) @binding(1) var s: sampler;
            @group(0) @binding(2) var c: sampler_comparison;
            @fragment fn fs(@location(0) a: vec4f, @location(1) k: vec4f) -> @location(0) vec4f {{ return {lookup}; }}"
        );
        (format!("{ty} {lookup}"), text)
    });
    let mut all = Vec::new();
    for (shader, text) in corpus::shaders().into_iter().chain(lookups) {
        for function in functions(&text) {
            if is_textured(&function) && R5xx.has_memory_for(&function) {
                all.push((shader.clone(), function));
            }
        }
    }
    all
}

/// Lookups by address modes, filters, levels, comparisons and gathers that the seed chooses, of texels in memory that
/// the driver's registers name: to the bit what the legal function gets of silicon's plain sampler in the same units, and near
/// what the shader run directly samples without registers and tiles.
#[test]
fn corpus_samples_what_its_ssa_samples() {
    let machine: &dyn Machine = &R5xx;
    let target = machine.target();
    let (mut wrong, mut compared, mut shaders) = (Vec::new(), 0, 0);
    for (shader, function) in textured() {
        let binary = match r5xx::compile(&function, &Options::default()) {
            Ok(binary) => binary,
            // What the chip lacks is listed for the corpus.
            Err(_) if shader.ends_with(".wgsl") => continue,
            Err(error) => panic!("{shader}: {error}"),
        };
        let lookups = function
            .insts()
            .filter(|inst| matches!(inst.op, Op::Image(_)));
        // Weights have eight bits, levels six, and programs that find either themselves do not round them.
        let lookups = lookups.count();
        let nearness = Nearness {
            tolerance: (1 + lookups) as f32 / 32.0,
            beyond: lookups.max(2),
        };
        let legal = legal::legal(&function, &Options::default()).unwrap();
        for seed in 0..12 {
            let seed = mix(seed);
            let found = machine.on_a_wave(&function, &binary, seed, LIVE[0]);
            assert_eq!(found, Ok(()), "{shader} on a wave");
            let found = machine.in_memory(&function, &binary, seed);
            assert_eq!(found, Ok(()), "{shader} {seed}");
            let mut world = mild(&function, &legal, World::random(&function, seed));
            let texels = Texels::random(machine, &function, seed);
            let mut start = Start::real(target.chip, &function, &world, &texels);
            machine.start(&mut start, &function, &binary, &mut world);
            let output = start.exec(target.tools, function.stage, &binary.words);
            let output = output.unwrap_or_else(|error| panic!("{shader}: {error}"));
            let case = Case {
                function: &function,
                binary: &binary,
                world: world.clone(),
                live: u64::MAX,
            };
            let plain = Plain {
                machine,
                texels: &texels,
            };
            let mut direct = world.with(plain);
            direct.run(&coarse(&function));
            let found = direct.outputs.iter().map(|written| {
                let target = output_of(&case, written.name);
                let export = output.exports.iter().find(|export| export.target == target);
                let component = written.component as usize;
                let lanes = export.unwrap().lanes.iter();
                Written {
                    lanes: lanes.map(|lane| lane.map(|lane| lane[component])).collect(),
                    ..written.clone()
                }
            });
            let found: Vec<Written> = found.collect();
            if let Some(difference) = difference(&function, &direct.outputs, &found, &nearness) {
                wrong.push(format!("{shader} seed {seed}: {difference}"));
                break;
            }
            compared += 1;
        }
        shaders += 1;
    }
    println!("{shaders} shaders, {compared} comparisons");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(shaders >= 28 || std::env::var("ONLY").is_ok());
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

/// Functions of the math engine run along with operations of the vector engine, and lie in alternate temporaries then.
#[test]
fn functions_run_along_with_vectors() {
    let text = "struct Out { @builtin(position) p: vec4f, @location(0) c: vec4f, @location(1) d: vec4f }
        @group(0) @binding(0) var<uniform> m: array<vec4f, 8>;
        @vertex fn vs(@location(0) a: vec4f, @location(1) n: vec4f, @location(2) t: vec4f) -> Out {
            let side = t.xyz * inverseSqrt(dot(t.xyz, t.xyz));
            let up = n.xyz * inverseSqrt(dot(n.xyz, n.xyz));
            let near = 1.0 / (a.w + m[4].x);
            let fog = exp2(-a.z * m[4].y) + log2(abs(t.w) + 1.0);
            let p = vec4f(dot(a, m[0]), dot(a, m[1]), dot(a, m[2]), dot(a, m[3]));
            let light = vec3f(exp2(up.x), exp2(up.y), exp2(up.z)) * m[5].xyz;
            return Out(p, vec4f(light * near + side, fog), vec4f(side.yzx * up.zxy - side.zxy * up.yzx, near));
        }";
    let function = functions(text).remove(0);
    let binary = r5xx::compile(&function, &Options::default()).unwrap();
    let listing = binary.listing();
    let pairs = binary.stats.get("pairs");
    assert!(pairs >= 6, "{pairs}\n{listing}");
    assert_eq!(
        listing.matches(" + ME_").count(),
        pairs as usize,
        "{listing}"
    );
    let machine: &dyn Machine = &R5xx;
    for seed in 0..8 {
        let found = machine.on_a_wave(&function, &binary, seed, LIVE[0]);
        assert_eq!(found, Ok(()), "{listing}");
        // The executor refuses what has no read ports.
        let found = machine.in_memory(&function, &binary, seed);
        assert_eq!(found, Ok(()), "{listing}");
    }
}
