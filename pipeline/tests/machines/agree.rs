//! The same answer from every chip: shaders run directly as lane programs, and compiled, encoded, decoded, lifted and run as
//! machine code. Bit for bit, but for what a chip does less exactly than the SSA says, which is then done so on both sides;
//! `accuracy.rs` holds it to its bounds.
#![allow(clippy::unwrap_used)]

use crate::corpus;
use crate::direct::{Random, mix};
use crate::harness::compute::Run;
use crate::harness::{LIVE, MACHINES, Machine, with_integers};
use pipeline::codegen::CompileError;
use pipeline::ir::{Function, ResourceKind, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::passes::{self, lowered};
use pipeline::targets::TARGETS;
use pipeline::wgsl::{self, Source};
use silicon::SimdLevel;

/// Entry points of a shader as they are lowered, before the passes.
fn functions(text: &str) -> Vec<Function> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let entries = checked.entry_points();
    let entries = entries.filter(|(_, stage)| *stage != Some(Stage::Compute));
    entries
        .map(|(entry, stage)| lower(&checked, Some(entry), stage, &Overrides::new()).unwrap())
        .collect()
}

/// The same after the passes.
fn optimised(text: &str) -> Vec<Function> {
    let mut functions = functions(text);
    functions.iter_mut().for_each(passes::run);
    functions
}

#[test]
fn every_target_has_a_machine() {
    let targets: Vec<_> = TARGETS.iter().map(|target| target.info.name).collect();
    let machines: Vec<_> = MACHINES.iter().map(|machine| machine.name()).collect();
    assert_eq!(machines, targets);
}

/// Compares every function of the corpus on a machine, those that use what the chip lacks aside; `compare` gives the
/// number of comparisons, and no shaders but those of `differ` have another answer. Gives shaders and what they miss.
fn corpus_agrees(
    machine: &dyn Machine,
    differ: &[&str],
    compare: impl Fn(Function) -> Result<usize, String>,
) -> Vec<(String, String)> {
    let (mut wrong, mut missing, mut compared, mut whole) = (Vec::new(), Vec::new(), 0, 0);
    let mut differed = Vec::new();
    for (name, text) in corpus::shaders() {
        let mut lacks = None;
        for function in functions(&text) {
            let entry = function.name.clone();
            match machine.compile(&function) {
                Ok(_) => match compare(function) {
                    Ok(count) => compared += count,
                    Err(_) if differ.contains(&name.as_str()) => differed.push(name.clone()),
                    Err(error) => wrong.push(format!("{name} {entry} {error}")),
                },
                Err(CompileError::Unsupported { what, at, .. }) => {
                    assert!(at.0.is_some(), "{name} {entry}: {what} is somewhere");
                    lacks = Some(what);
                }
                // More locations than the chip has.
                Err(CompileError::Shader(error)) => {
                    lacks = error.to_string().lines().next().map(str::to_owned);
                }
                Err(error) => panic!("{name} {entry}: {error}"),
            }
        }
        whole += usize::from(lacks.is_none());
        missing.extend(lacks.map(|what| (name, what)));
    }
    let chip = machine.name();
    println!("{chip}: {whole} shaders, {compared} comparisons");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(compared > 0);
    if std::env::var("ONLY").is_err() {
        differed.dedup();
        assert_eq!(differed, differ, "{chip}");
        assert!(whole >= 70, "{chip}");
    }
    missing
}

/// With helper lanes, partly filled waves and textures that hash their operands; before and after the passes.
#[test]
fn corpus_agrees_on_waves() {
    for machine in MACHINES {
        let missing = corpus_agrees(machine, &[], |mut function| {
            let mut compared = 0;
            for round in ["lowered", "optimised"] {
                let binary = machine.compile(&function).unwrap();
                for (seed, live) in (1..).zip(LIVE) {
                    // Vertices have no helpers.
                    if function.stage == Stage::Vertex && live != u64::MAX {
                        continue;
                    }
                    let found = machine.on_a_wave(&function, &binary, seed, live);
                    found.map_err(|error| {
                        let text = pipeline::ir::print(&function);
                        let listing = binary.listing();
                        format!("{round} live {live:#x}: {error}\n{text}\n{listing}")
                    })?;
                    compared += 1;
                }
                passes::run(&mut function);
            }
            Ok(compared)
        });
        if std::env::var("ONLY").is_err() {
            let missing = missing.iter().map(|(a, b)| (a.as_str(), b.as_str()));
            let missing: Vec<_> = missing.collect();
            assert_eq!(missing, machine.missing(), "{}", machine.name());
        }
    }
}

/// With descriptors and tiled texels in memory.
#[test]
fn corpus_agrees_in_memory() {
    for machine in MACHINES {
        corpus_agrees(machine, machine.differs(), |mut function| {
            passes::run(&mut function);
            if !machine.has_memory_for(&function) {
                return Ok(0);
            }
            let binary = machine.compile(&function).unwrap();
            // Formats, address modes and filters come from the seed too.
            let mut resources = function.interface.resources.iter();
            let textured = resources.any(|r| matches!(r.kind, ResourceKind::Texture { .. }));
            let seeds = if textured { 16 } else { 3 };
            for seed in 0..seeds {
                machine.in_memory(&function, &binary, mix(seed))?;
            }
            Ok(seeds as usize)
        });
    }
}

/// What pixels of a wave tell each other, beside helpers and pixels that are discarded.
#[test]
fn subgroups_of_pixels_agree() {
    let body = "
        let x = u32(a.x * 64.0) + lane;
        var sum = subgroupAdd(x) + subgroupExclusiveAdd(1u) * 3u + subgroupMax(x);
        let odd = subgroupBallot((x & 1u) != 0u);
        sum = sum * 31u + odd.x + odd.y + subgroupBroadcastFirst(x) + subgroupShuffle(x, lane ^ 5u);
        sum = sum * 31u + subgroupShuffleXor(x, 40u) + subgroupShuffleXor(x, 3u);
        KILL
        if (x & 2u) != 0u {
            sum = sum * 31u + subgroupInclusiveAdd(x) + quadSwapX(x) + subgroupShuffleUp(x, 1u);
            if subgroupElect() { sum += 100u; }
            for (var n = x & 3u; !subgroupAll(n == 0u); n = max(n, 1u) - 1u) { sum += subgroupAdd(n); }
        }
        return vec4f(f32(sum & 0xffffu), SLOPE, f32(subgroupAdd(x) >> 4u), f32(size));";
    for slope in ["0.5", "dpdx(a.y)"] {
        for kill in ["", "if (x & 12u) == 4u { discard; }"] {
            let mut body = body.replace("SLOPE", slope).replace("KILL", kill);
            if slope == "0.5" {
                // Without a need for whole quads there are no helpers.
                body = body.replace("quadSwapX(x)", "x");
            }
            let text = format!(
                "enable subgroups;
                @fragment fn fs(
                    @location(0) a: vec4f,
                    @builtin(subgroup_invocation_id) lane: u32,
                    @builtin(subgroup_size) size: u32,
                ) -> @location(0) vec4f {{ {body} }}"
            );
            let machines = MACHINES.iter().copied();
            for machine in machines.filter(|machine| machine.target().info.features.subgroups) {
                for mut function in functions(&text) {
                    for round in ["lowered", "optimised"] {
                        let binary = machine.compile(&function).unwrap();
                        for (seed, live) in (1..).zip(LIVE) {
                            let found = machine.on_a_wave(&function, &binary, seed, live);
                            let listing = binary.listing();
                            assert_eq!(found, Ok(()), "{round} live {live:#x}\n{text}\n{listing}");
                        }
                        passes::run(&mut function);
                    }
                }
            }
        }
    }
}

/// Workgroups in memory, on one thread and on several, at every vector level of the host, before and after the passes.
#[test]
fn workgroups_agree() {
    for machine in MACHINES {
        if !machine.target().info.features.compute {
            continue;
        }
        let (mut wrong, mut compared) = (Vec::new(), 0);
        let (mut missing, mut whole) = (Vec::new(), 0);
        for (name, text) in corpus::compute_shaders() {
            let checked =
                wgsl::parse(Source::Wgsl(&text)).unwrap_or_else(|e| panic!("{name}: {e}"));
            let stage = Some(Stage::Compute);
            let mut function = lower(&checked, None, stage, &Overrides::new())
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            match machine.compile(&function) {
                Ok(_) => whole += 1,
                Err(CompileError::Unsupported { what, at, .. }) => {
                    assert!(at.0.is_some(), "{name}: {what} is somewhere");
                    missing.push((name, what));
                    continue;
                }
                Err(error) => panic!("{name}: {error}"),
            }
            for (seed, round) in [(1, "lowered"), (2, "optimised")] {
                let binary = machine
                    .compile(&function)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                let mut runs = vec![
                    (1, None, [3, 2, 1], false),
                    (7, None, [3, 2, 1], true),
                    (2, None, [1, 2, 2], false),
                ];
                if round == "optimised" {
                    let levels = SimdLevel::available().into_iter();
                    runs.extend(levels.map(|level| (2, Some(level), [2, 1, 1], true)));
                }
                for (threads, level, groups, indirect) in runs {
                    let run = Run {
                        seed: mix(seed),
                        groups,
                        indirect,
                        threads,
                        level,
                    };
                    compared += 1;
                    if let Err(error) = machine.in_groups(&function, &binary, run) {
                        let text = pipeline::ir::print(&function);
                        let listing = binary.listing();
                        wrong.push(format!(
                            "{name} {round} {run:?}: {error}\n{text}\n{listing}"
                        ));
                        break;
                    }
                }
                passes::run(&mut function);
            }
        }
        let chip = machine.name();
        println!("{chip}: {whole} shaders, {compared} comparisons of workgroups");
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        if std::env::var("ONLY").is_err() {
            let missing = missing.iter().map(|(a, b)| (a.as_str(), b.as_str()));
            let missing: Vec<_> = missing.collect();
            assert_eq!(missing, machine.missing_in_groups(), "{chip}");
            assert!(whole >= 40, "{chip}");
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
        for (machine, function) in each(&text) {
            let binary = machine.agrees(&function).unwrap();
            let longest = first.max(second);
            assert!(binary.scratch_bytes >= 256 * longest || longest < 100);
        }
    }
}

/// Every function of a text on every machine with integers, whose registers have memory behind them too.
fn each(text: &str) -> Vec<(&'static dyn Machine, Function)> {
    let functions = optimised(text);
    with_integers()
        .flat_map(|machine| functions.iter().map(move |f| (machine, f.clone())))
        .collect()
}

/// Long arrays and spilled values side by side.
#[test]
fn arrays_and_spilled_values_agree() {
    for count in [320, 600] {
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {{
                var long: array<f32, 1200>;
                for (var i = 0u; i < 1200u; i += 1u) {{ long[i] = a.w * f32(i ^ n.x); }}
                {}
                long[n.y % 1200u] = sum;
                return vec4f(sum, x3, long[n.z % 1200u], long[1199]);
            }}",
            corpus::crowded(count)
        );
        for (machine, function) in each(&text) {
            let binary = machine.agrees(&function).unwrap();
            assert!(binary.scratch_bytes > 256 * 1200);
            assert!(binary.stats.get("spills") > 0 || count < machine.crowd()[1]);
        }
    }
}

#[test]
fn crowded_shaders_agree() {
    for count in [200, 240, 320, 440, 600, 700] {
        let body = corpus::crowded(count);
        let text = format!(
            "struct Out {{ @builtin(position) at: vec4f, @location(0) sum: f32 }}
            @fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
                {body}
                return vec4f(sum, dpdx(sum), x0, x{});
            }}
            @vertex fn vs(@location(0) a: vec4f) -> Out {{
                {body}
                return Out(vec4f(sum, x0, x1, 1.0), sum);
            }}",
            count / 2
        );
        for (machine, function) in each(&text) {
            let binary = machine.agrees(&function).unwrap();
            let [fit, spill] = machine.crowd();
            let spilled = binary.stats.get("spills") > 0;
            let name = machine.name();
            assert!(spilled || count < spill, "{name} {count}");
            assert!(!spilled || count > fit, "{name} {count}");
            assert_eq!(binary.scratch_bytes > 0, spilled, "{name} {count}");
        }
    }
}

/// Whole copies of long arrays: every word is loaded before the first is stored.
#[test]
fn copied_arrays_agree() {
    for count in [64, 128, 200] {
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {{
                var one: array<f32, {count}>;
                var two: array<f32, {count}>;
                for (var i = 0u; i < {count}u; i++) {{ one[i] = a.x * f32(i ^ n.x); }}
                for (var i = 0u; i < (n.y & 3u) + 1u; i++) {{
                    two = one;
                    two[n.z % {count}u] += a.y;
                    one = two;
                    one[(n.w + i) % {count}u] = a.z;
                }}
                return vec4f(one[n.x % {count}u], two[n.y % {count}u], one[3], two[5]);
            }}"
        );
        for (machine, function) in each(&text) {
            machine.agrees(&function).unwrap();
        }
    }
}

/// What fetches give and samples take, more of it than there are registers.
#[test]
fn crowded_fetches_agree() {
    let count = 140;
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let loads = lines(&|i| format!("let v{i} = data[(u32(a.x * 64.0) + {i}u) & 255u];\n"));
    let sums = lines(&|i| {
        let i = count - 1 - i;
        format!("sum = sum * 0.75 + v{i}.wzyx * v{}.y;\n", i * 7 % count)
    });
    let words = format!(
        "@group(0) @binding(0) var<storage, read> data: array<vec4f, 256>;
        @fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
            {loads} var sum = a; {sums} return sum;
        }}"
    );
    let values = lines(&|i| format!("let x{i} = fract(a.x * {i}.37 + a.y);\n"));
    let samples = lines(&|i| {
        let [b, c] = [3, 5].map(|step| (i * step + 1) % count);
        format!("sum += textureSampleLevel(cube, smp, vec3f(x{i}, x{b}, x{c}) - 0.5, 0.0);\n")
    });
    let again = lines(&|i| format!("sum.x = sum.x * 0.5 + x{};\n", count - 1 - i));
    let cubes = format!(
        "@group(0) @binding(0) var cube: texture_cube<f32>;
        @group(0) @binding(1) var smp: sampler;
        @fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
            {values} var sum = a; {samples} {again} return sum;
        }}"
    );
    for text in [words, cubes] {
        for (machine, function) in each(&text) {
            let binary = machine.compile(&function).unwrap();
            for live in LIVE {
                let found = machine.on_a_wave(&function, &binary, 3, live);
                assert_eq!(found, Ok(()), "{}", machine.name());
            }
        }
    }
}

/// Groups of several registers find a place where single ones fill the file.
#[test]
fn wide_groups_find_room() {
    for count in 244..256 {
        let body = corpus::crowded(count);
        let (until, after) = body.split_once("var sum").unwrap();
        let loads: String = (0..8)
            .map(|i| format!("let w{i} = data[(u32(a.x * 64.0) + {i}u) & 7u];\n"))
            .collect();
        let uses: String = (0..8)
            .map(|i| format!("sum += dot(w{i}, a) * w{i}.y;\n"))
            .collect();
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> data: array<vec4f, 8>;
        @fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
            {until} {loads}
            var sum {after}
            {uses}
            return vec4f(sum, x0, x1, x2);
        }}"
        );
        for (machine, function) in each(&text) {
            let binary = machine.compile(&function).unwrap();
            assert_eq!(machine.in_memory(&function, &binary, 5), Ok(()));
        }
    }
}

/// What does not fit is refused with the numbers.
#[test]
fn too_much_agrees_or_is_an_error() {
    let array = "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
        var a: array<f32, 4000>;
        a[n % 4000u] = 1.0;
        return vec4f(a[n / 2u % 4000u]);
    }";
    let values = |count| {
        let body = corpus::crowded(count);
        format!(
            "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{ {body} return vec4f(sum); }}"
        )
    };
    for machine in MACHINES {
        for (which, text) in [array.to_owned(), values(machine.many())]
            .iter()
            .enumerate()
        {
            let function = optimised(text).remove(0);
            let found = machine.compile(&function);
            match (machine.too_much()[which], found) {
                (None, Ok(binary)) => {
                    assert_eq!(machine.in_memory(&function, &binary, 5), Ok(()));
                }
                (Some(reason), Err(error)) => {
                    assert!(error.to_string().contains(reason), "{error}");
                }
                (_, found) => panic!("{}: {:?}", machine.name(), found.map(|b| b.stats)),
            }
        }
    }
}

/// The instructions of the groups, over all shaders that a chip with groups can run: more than half of the units have work.
#[test]
fn groups_are_filled() {
    for machine in MACHINES {
        let (mut groups, mut slots) = (0, 0);
        for (_, text) in corpus::shaders() {
            for function in optimised(&text) {
                if let Ok(binary) = machine.compile(&function) {
                    groups += binary.stats.get("groups");
                    slots += binary.stats.get("slots");
                }
            }
        }
        let filled = f64::from(slots) / f64::from(groups.max(1));
        assert!(
            filled >= 2.5 || groups == 0,
            "{filled:.2} of 5 slots are filled"
        );
    }
}

/// A random expression of floats, integers and comparisons; without integers of those that come as inputs only.
fn expression(random: &mut Random, depth: u32, float: bool, integers: bool) -> String {
    let n = random.next();
    if depth == 0 {
        let component = ["x", "y", "z", "w"][(n >> 8 & 3) as usize];
        return match (n % 3, float) {
            (0, true) => format!("a.{component}"),
            (1, true) => format!("f32(i.{component})"),
            (_, true) => format!("{:.3}", (n >> 16) as f32 / 1000.0 - 32.0),
            (0 | 1, false) => format!("i.{component}"),
            (_, false) => format!("{}", (n >> 16) as i32 % 100 - 50),
        };
    }
    let forms: &[&str] = match (float, integers) {
        (true, false) => &FLOATS,
        (true, true) => &BOTH,
        (false, _) => &INTEGERS,
    };
    let form = forms[n as usize % forms.len()].chars();
    form.map(|c| match c {
        'F' | 'I' => expression(random, depth - 1, c == 'F', integers),
        c => c.to_string(),
    })
    .collect()
}

/// Expressions of expressions: F is one of floats, I of integers.
#[rustfmt::skip]
const BOTH: [&str; 14] = [
    "(F + F)", "(F - F)", "(F * F)", "(F / F)", "min(F, F)", "clamp(F, -3.0, 5.0)", "floor(F)",
    "abs(F)", "-(F)", "select(F, F, F < F)", "sqrt(abs(F))", "fma(F, F, F)", "sin(F)", "f32(I)",
];
/// Those of floats alone.
const FLOATS: [&str; 13] = *BOTH.first_chunk().unwrap();
#[rustfmt::skip]
const INTEGERS: [&str; 12] = [
    "(I + I)", "(I - I)", "(I * I)", "(I / I)", "(I % I)", "(I & I)", "(I ^ I)",
    "(I >> (bitcast<u32>(I) & 31))", "max(I, I)", "select(I, I, F >= F)", "countOneBits(I)",
    "i32(F)",
];

/// A shader of three expressions; none where one of constants is wrong, which is said when it is parsed.
fn random_shader(seed: u64, depth: u32, integers: bool) -> Option<(String, Function)> {
    let mut random = Random(seed);
    let mut next = |float| expression(&mut random, depth, float, integers);
    let (x, y) = (next(true), next(true));
    let z = next(!integers);
    let text = format!(
        "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) i: vec4i) -> @location(0) vec4f {{
            var x = {x};
            if {y} > x {{ x = {y}; }}
            return vec4f(x, {y}, f32({z}), 1.0);
        }}"
    );
    let checked = wgsl::parse(Source::Wgsl(&text)).ok()?;
    let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
    Some((text, function))
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..Default::default()
    })]

    #[test]
    fn random_expressions_agree(seed in 0u64..1 << 40) {
        if let Some((text, function)) = random_shader(seed, 4, true) {
            for machine in with_integers() {
                let binary = machine.compile(&function).unwrap();
                let difference = machine.in_memory(&function, &binary, seed);
                proptest::prop_assert!(difference.is_ok(), "{}\n{text}", difference.unwrap_err());
            }
        }
    }

    /// Of floats alone, which every machine has.
    #[test]
    fn random_floats_agree(seed in 0u64..1 << 40) {
        if let Some((text, function)) = random_shader(seed, 3, false) {
            for machine in MACHINES {
                let binary = machine.compile(&function).unwrap();
                let found = machine.in_memory(&function, &binary, seed);
                let found = found.and(machine.on_a_wave(&function, &binary, seed, LIVE[1]));
                let chip = machine.name();
                proptest::prop_assert!(found.is_ok(), "{chip}: {}\n{text}", found.unwrap_err());
            }
        }
    }
}
