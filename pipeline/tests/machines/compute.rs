//! Compute shaders: those of wgpu-core, GLSL and SPIR-V, overrides, and what is refused.
#![allow(clippy::unwrap_used)]

use crate::corpus;
use crate::direct::{Random, World, mix};
use crate::harness::compute::Run;
use crate::harness::{MACHINES, Machine};
use pipeline::ir::{Function, Op, Stage};
use pipeline::lower::Overrides;
use pipeline::naga::back::spv;
use pipeline::naga::valid::{ValidationFlags, Validator};
use pipeline::passes::lowered;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{self, Source};

const ONE: Run = Run {
    seed: 1,
    groups: [1, 1, 1],
    indirect: false,
    threads: 1,
    level: None,
};

fn overrides(values: &[(&str, f64)]) -> Overrides {
    let values = values.iter();
    values
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect()
}

fn compile(source: Source<'_>, values: &[(&str, f64)]) -> Result<Function, String> {
    let checked = wgsl::parse(source).map_err(|error| error.to_string())?;
    lowered(&checked, None, Some(Stage::Compute), &overrides(values))
        .map_err(|error| error.to_string())
}

/// Chips with the stage.
fn machines() -> impl Iterator<Item = &'static dyn Machine> {
    let all = MACHINES.into_iter();
    all.filter(|machine| machine.target().info.features.compute)
}

/// The buffers that a shader leaves, of which these are the ones it finds.
fn leaves(
    machine: &dyn Machine,
    function: &Function,
    buffers: &[&[u32]],
    push: &[u32],
    run: Run,
) -> Vec<Vec<u32>> {
    let world = World {
        buffers: buffers.iter().map(|words| vec![words.to_vec()]).collect(),
        push: push.to_vec(),
        ..World::default()
    };
    let binary = machine.compile(function).unwrap();
    let left = machine
        .groups_leave(function, &binary, &world, run)
        .unwrap();
    left.into_iter()
        .map(|mut elements| elements.remove(0))
        .collect()
}

#[test]
fn wgpu_validates_dispatches() {
    let text = include_str!("../shaders/wgpu/validate_dispatch.wgsl");
    let function = compile(Source::Wgsl(text), &[]).unwrap();
    for machine in machines() {
        for (count, kept) in [
            ([3, 65535, 0], true),
            ([3, 65536, 1], false),
            ([1, 2, u32::MAX], false),
        ] {
            let [x, y, z] = count;
            let source = [99, x, y, z, 98];
            let left = leaves(machine, &function, &[&[7; 6], &source], &[1], ONE);
            let wanted = if kept { [x, y, z, x, y, z] } else { [0; 6] };
            assert_eq!(left[0], wanted, "{count:?}");
        }
    }
}

#[test]
fn wgpu_validates_draws() {
    let text = include_str!("../shaders/wgpu/validate_draw.wgsl");
    let given = [
        ("supports_indirect_first_instance", 1.0),
        ("write_d3d12_special_constants", 0.0),
    ];
    let function = compile(Source::Wgsl(text), &given).unwrap();
    // Draws of 5 words, and what may be drawn.
    let draws: [([u32; 5], [u32; 2], bool); 5] = [
        ([3, 1, 0, 0, 0], [3, 1], true),
        ([4, 1, 0, 0, 0], [3, 1], false),
        ([3, 2, 0, 0, 7], [9, 1], false),
        ([6, 2, 3, 9, 4], [9, 6], true),
        ([6, 2, 4, 9, 4], [9, 6], false),
    ];
    let indexed = 1 << 31;
    let mut metadata = vec![0; 4];
    let mut source = Vec::new();
    for (at, (words, [vertices, instances], _)) in (0..).zip(draws) {
        metadata.extend([(5 * at) | indexed, 5 * at, vertices, instances]);
        source.extend(words);
    }
    for machine in machines() {
        let left = leaves(
            machine,
            &function,
            &[&metadata, &source, &[55; 25]],
            &[1, draws.len() as u32],
            ONE,
        );
        for (at, (words, _, valid)) in draws.iter().enumerate() {
            let wanted = if *valid { *words } else { [0; 5] };
            assert_eq!(left[2][5 * at..][..5], wanted, "draw {at}");
        }
    }
}

#[test]
fn wgpu_normalizes_timestamps() {
    let text = include_str!("../shaders/wgpu/timestamp_normalization.wgsl");
    let mut random = Random(3);
    for (factor, shift) in [(1, 0), (3_355_443_200_u32, 25), (0x8765_4321, 32), (10, 1)] {
        let given = [
            ("TIMESTAMP_PERIOD_MULTIPLY", f64::from(factor)),
            ("TIMESTAMP_PERIOD_SHIFT", f64::from(shift)),
        ];
        let function = compile(Source::Wgsl(text), &given).unwrap();
        let words: Vec<u32> = (0..400).map(|_| mix(random.next().into()) as u32).collect();
        for machine in machines() {
            let run = Run {
                groups: [3, 1, 1],
                threads: 2,
                ..ONE
            };
            let left = leaves(machine, &function, &[&words], &[2, 150], run);
            for (at, pair) in words.chunks(2).enumerate() {
                let stamp = u128::from(pair[0]) | u128::from(pair[1]) << 32;
                let wanted = match (2..152).contains(&at) {
                    true => (stamp * u128::from(factor)) >> shift,
                    false => stamp,
                };
                let wanted = [wanted as u32, (wanted >> 32) as u32];
                assert_eq!(left[0][2 * at..][..2], wanted, "stamp {at}, times {factor}");
            }
        }
    }
}

/// Sizes of workgroups and arrays that are overrides.
#[test]
fn overrides_size_workgroups() {
    let text = corpus::compute_shaders();
    let found = text.iter().find(|(name, _)| name == "overrides.wgsl");
    let Some((_, text)) = found else { return };
    let with = |values: &[(&str, f64)]| compile(Source::Wgsl(text), values);
    assert_eq!(with(&[]).unwrap().interface.workgroup.size, [48, 2, 1]);
    let function = with(&[("WIDTH", 70.0), ("ROUNDS", 5.0)]).unwrap();
    let workgroup = function.interface.workgroup;
    assert_eq!(
        (workgroup.size, workgroup.shared_bytes),
        ([70, 2, 1], 4 * (70 + 2 * 35))
    );
    for machine in machines() {
        let binary = machine.compile(&function).unwrap();
        let run = Run {
            groups: [2, 2, 1],
            ..ONE
        };
        assert_eq!(machine.in_groups(&function, &binary, run), Ok(()));
    }
    let error = with(&[("WIDTH", 0.0)]).unwrap_err();
    assert!(
        error.contains("a workgroup of 0 x 2 x 1 invocations is none"),
        "{error}"
    );
    let error = with(&[("WIDTH", 4.0), ("HALF", 0.0)]).unwrap_err();
    assert!(
        error.contains("an array has at least one element, not 0"),
        "{error}"
    );
}

/// The corpus as SPIR-V, as naga writes it.
#[test]
fn spirv_agrees() {
    let mut compared = 0;
    for (name, text) in corpus::compute_shaders() {
        // naga's writer has no lengths that are overrides.
        if name == "overrides.wgsl" {
            continue;
        }
        // What naga lacks of subgroups.
        let text = text.replace("enable subgroups;", "");
        let text = text.replace("subgroupElect()", "(subgroupExclusiveAdd(1u) == 0u)");
        let module = pipeline::naga::front::wgsl::Frontend::new_with_options(
            pipeline::naga::front::wgsl::Options {
                parse_doc_comments: false,
                capabilities: wgsl::capabilities(),
            },
        )
        .parse(&text)
        .unwrap();
        let info = Validator::new(ValidationFlags::all(), wgsl::capabilities())
            .validate(&module)
            .unwrap();
        let options = spv::Options {
            lang_version: (1, 4),
            ..spv::Options::default()
        };
        let words = match spv::write_vec(&module, &info, &options, None) {
            Ok(words) => words,
            Err(error) => panic!("{name}: {error}"),
        };
        let function =
            compile(Source::Spirv(&words), &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        for machine in machines() {
            let missing = machine.missing_in_groups();
            if missing.iter().any(|(shader, _)| *shader == name) {
                continue;
            }
            let binary = machine
                .compile(&function)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let run = Run {
                groups: [3, 2, 1],
                threads: 2,
                ..ONE
            };
            let found = machine.in_groups(&function, &binary, run);
            assert_eq!(found, Ok(()), "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 40 * machines().count());
}

#[test]
fn glsl_shares_memory() {
    let text = "#version 450
        layout(local_size_x = 64, local_size_y = 2) in;
        layout(set = 0, binding = 0) buffer Words { uint words[]; };
        shared uint sums[128];
        void main() {
            uint me = gl_LocalInvocationIndex;
            sums[me] = words[me];
            barrier();
            for (uint step = 64u; step > 0u; step >>= 1) {
                if (me < step) { sums[me] += sums[me + step]; }
                barrier();
            }
            words[me] = sums[0] + gl_WorkGroupID.x;
        }";
    let stage = Stage::Compute;
    let function = compile(Source::Glsl { text, stage }, &[]).unwrap();
    let words: Vec<u32> = (0..128).map(|at| at * at).collect();
    let sum: u32 = words.iter().sum();
    for machine in machines() {
        let left = leaves(machine, &function, &[&words], &[], ONE);
        assert_eq!(left[0], [sum; 128]);
    }
}

/// No load or store moves over a barrier, and none is forgotten across one.
#[test]
fn barriers_keep_their_places() {
    let text = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
        var<workgroup> w: array<u32, 64>;
        @compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32) {
            w[me] = a[me];
            let x = a[me + 64u];
            workgroupBarrier();
            let y = a[me + 64u] + w[63u - me];
            storageBarrier();
            let z = a[me + 64u] + w[63u - me];
            a[me] = x + y + z;
        }";
    let function = compile(Source::Wgsl(text), &[]).unwrap();
    let ops: Vec<&str> = function
        .insts()
        .filter_map(|inst| match inst.op {
            Op::LoadBuffer(_) => Some("load"),
            Op::StoreBuffer(_) => Some("store"),
            Op::LoadShared => Some("read"),
            Op::StoreShared => Some("write"),
            Op::Barrier => Some("barrier"),
            _ => None,
        })
        .collect();
    let cleared = ["write", "barrier"];
    let first = ["load", "write", "load", "barrier"];
    let between = ["load", "read", "barrier"];
    let last = ["load", "read", "store"];
    let wanted = [&cleared[..], &first, &between, &last].concat();
    assert_eq!(ops, wanted);
}

#[test]
fn chips_refuse_what_they_lack() {
    let body = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;
        @compute @workgroup_size(SIZE) fn cs(@builtin(local_invocation_index) me: u32) { a[me] = WHAT; }
        var<workgroup> w: array<u32, 9000>;";
    let text = |size: &str, what: &str| body.replace("SIZE", size).replace("WHAT", what);
    let refused = |size: &str, what: &str, of: &dyn Fn(bool) -> bool| -> Vec<String> {
        let function = compile(Source::Wgsl(&text(size, what)), &[]).unwrap();
        let targets = TARGETS
            .iter()
            .filter(|target| of(target.info.features.compute));
        let compile = |target: &pipeline::targets::Target| {
            (target.compile)(&function, &Default::default()).map(|_| ())
        };
        targets
            .map(|target| compile(target).unwrap_err().to_string())
            .collect()
    };
    let without = refused("64", "me", &|compute| !compute);
    assert!(!without.is_empty());
    let reasons = TARGETS
        .iter()
        .filter_map(|target| target.chip.compute().err());
    let reasons: Vec<_> = reasons.collect();
    assert_eq!(reasons.len(), without.len());
    for (error, reason) in without.iter().zip(reasons) {
        let what = format!("uses the compute stage ({reason}), which");
        assert!(error.contains(&what), "{error}");
    }
    for (size, what, message) in [
        ("64, 17", "me", "1088 invocations in a workgroup, and 1024"),
        (
            "1025",
            "me",
            "1025 invocations along x in a workgroup, and 1024",
        ),
        ("64", "w[me]", "36000 bytes of workgroup memory, and 32768"),
    ] {
        for error in refused(size, what, &|compute| compute) {
            assert!(error.contains(message), "{error}");
        }
    }
}

/// Whether a chip is without subgroups, and what it says of them.
#[test]
fn subgroups_are_named_where_they_lack() {
    let cases = [
        ("subgroupAdd(a)", ""),
        (
            "subgroupBallot(a.x > 0.0).x + u32(subgroupElect())",
            "vec4f(f32(",
        ),
        ("lane", "vec4f(f32("),
    ];
    for (value, open) in cases {
        let close = if open.is_empty() { "" } else { "))" };
        let text = format!(
            "enable subgroups;
            @fragment fn fs(@location(0) a: vec4f, @builtin(subgroup_invocation_id) lane: u32)
                -> @location(0) vec4f {{ return {open}{value}{close}; }}"
        );
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        let function = lowered(&checked, None, None, &overrides(&[])).unwrap();
        for target in TARGETS {
            let compiled = (target.compile)(&function, &Default::default());
            if target.info.features.subgroups {
                compiled.unwrap();
                continue;
            }
            let error = compiled.unwrap_err().to_string();
            assert!(error.contains("uses subgroup operations, which"), "{error}");
            assert!(error.contains("line "), "{error}");
        }
    }
    let vertex = "@vertex fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
        return vec4f(f32(subgroupAdd(n)));
    }";
    let checked = wgsl::parse(Source::Wgsl(vertex)).unwrap();
    let error = lowered(&checked, None, None, &overrides(&[])).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("a subgroup operation in a vertex shader"),
        "{error}"
    );
}

/// Each operation of SPIR-V, beside what it means.
#[test]
fn spirv_subgroups_give_what_they_mean() {
    let bytes = include_bytes!("../spirv/subgroups.comp.spv");
    let words: Vec<u32> = bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let function = compile(Source::Spirv(&words), &[]).unwrap();
    let x: Vec<u32> = (0..64).map(|n| mix(n + 5) as u32).collect();
    let at = |lane: usize| if lane < 64 { x[lane] } else { 0 };
    let before = |lane: usize| x[..lane].iter();
    let odd = x
        .iter()
        .rev()
        .fold(0u64, |all, x| all << 1 | u64::from(x & 1));
    let below = |lane: usize| odd & ((1 << lane) - 1);
    let bit = |lane: usize| odd >> lane & 1;
    let sum = |words: &mut dyn Iterator<Item = &u32>| words.fold(0u32, |a, x| a.wrapping_add(*x));
    // What lanes with x & 4 add up to, apart from the others.
    let part = |side: u32| {
        let mut side = x.iter().filter(|x| **x & 4 == side);
        sum(&mut side)
    };
    let wanted = |lane: usize| -> Vec<u32> {
        vec![
            64,
            lane as u32,
            u32::from(lane == 0),
            0b011 | u32::from(x.iter().all(|y| *y == x[0])) << 2,
            odd as u32,
            (odd >> 32) as u32,
            x[0],
            x[9],
            at(lane * 5 % 64),
            at(lane ^ 6),
            at(lane.wrapping_sub(3)),
            at(lane + 3),
            sum(&mut x.iter()),
            sum(&mut before(lane + 1)),
            sum(&mut before(lane)),
            *x.iter().min().unwrap(),
            x.iter().map(|x| *x as i32).max().unwrap() as u32,
            x.iter().fold(u32::MAX, |a, x| a & (x | 0xff)),
            before(lane + 1).fold(0, |a, x| a | x),
            before(lane).fold(0, |a, x| a ^ x),
            before(lane + 1).fold(1, |a, x| a.wrapping_mul(x | 1)),
            at(lane & !3 | 2),
            at(lane ^ 1) ^ at(lane ^ 2) ^ at(lane ^ 3),
            bit(lane) as u32 | (bit(11) as u32) << 1,
            odd.count_ones()
                | (below(lane) | bit(lane) << lane).count_ones() << 8
                | below(lane).count_ones() << 16,
            odd.trailing_zeros() | (63 - odd.leading_zeros()) << 8,
            ((1u64 << lane) ^ below(lane)) as u32,
            (!0u64 << lane >> 32) as u32,
            part(x[lane] & 4),
            lane as u32 * 3 + 7,
        ]
    };
    let count = wanted(0).len();
    for machine in machines().filter(|machine| machine.target().info.features.subgroups) {
        let left = leaves(machine, &function, &[&x, &vec![0; 64 * count]], &[], ONE);
        for lane in 0..64 {
            let found = &left[1][lane * count..][..count];
            assert_eq!(found, wanted(lane), "lane {lane}");
        }
        let binary = machine.compile(&function).unwrap();
        for threads in [1, 2, 7] {
            let run = Run {
                groups: [5, 1, 1],
                threads,
                ..ONE
            };
            assert_eq!(machine.in_groups(&function, &binary, run), Ok(()));
        }
    }
}
