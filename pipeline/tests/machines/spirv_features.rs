//! One feature of SPIR-V at a time, against values computed here: what glslang makes of the GLSL beside it
//! (`glslangValidator -V`), and assembly (`spirv-as`).
#![allow(clippy::unwrap_used, clippy::needless_range_loop)]

use crate::direct::{Name, World};
use crate::harness::with_integers;
use pipeline::ir::{Function, OutputBuiltin, print};
use pipeline::lower::Overrides;
use pipeline::passes;
use pipeline::spirv::read;

fn module(bytes: &[u8]) -> pipeline::spirv::Module {
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect();
    read(&words).unwrap_or_else(|error| panic!("{error}"))
}

fn compile(bytes: &[u8], overrides: &[(&str, f64)]) -> Function {
    let overrides: Overrides = overrides
        .iter()
        .map(|(k, v)| ((*k).to_owned(), *v))
        .collect();
    let mut function = module(bytes)
        .lower(None, None, &overrides)
        .unwrap_or_else(|error| panic!("{error}"));
    passes::run(&mut function);
    for machine in with_integers() {
        let binary = machine.compile(&function).unwrap();
        let found = machine.on_a_wave(&function, &binary, 7, u64::MAX);
        assert_eq!(found, Ok(()), "{}\n{}", machine.name(), print(&function));
    }
    function
}

/// The words of an output in a lane, none where the lane wrote nothing.
fn output(world: &World, function: &Function, location: u32, lane: usize) -> Option<Vec<u32>> {
    let outputs = &function.interface.outputs;
    let at = outputs.iter().position(|o| o.location == location).unwrap();
    let components = 0..outputs[at].components;
    let word = |component| {
        let mut written = world.outputs.iter().rev();
        let found = written
            .find(|w| w.name == Name::Output(at as u32) && w.component == component)
            .unwrap();
        found.lanes[lane]
    };
    components.map(word).collect()
}

/// Runs a shader of integers in location 0: every lane gives what `wanted` makes of its inputs.
fn check(bytes: &[u8], overrides: &[(&str, f64)], wanted: impl Fn([i32; 4]) -> Option<[u32; 4]>) {
    let function = compile(bytes, overrides);
    for seed in 0..6 {
        let mut world = World::random(&function, seed);
        for (component, lanes) in world.inputs[0].iter_mut().enumerate() {
            for (lane, word) in lanes.iter_mut().enumerate() {
                *word = ((lane * (component + 3) + seed as usize * 11) % 67) as u32;
                *word = word.wrapping_sub(17);
            }
        }
        let inputs = world.inputs[0].clone();
        world.run(&function);
        for lane in 0..64 {
            let n = std::array::from_fn(|c| inputs.get(c).map_or(0, |lanes| lanes[lane] as i32));
            let found = output(&world, &function, 0, lane);
            let wanted = wanted(n).map(|words| words.to_vec());
            assert_eq!(found, wanted, "{n:?}\n{}", print(&function));
        }
    }
}

fn words(values: [i32; 4]) -> Option<[u32; 4]> {
    Some(values.map(|v| v as u32))
}

#[test]
fn switches_break_and_continue_loops_and_fall_through() {
    check(
        include_bytes!("../spirv/switch_breaks_loop.frag.spv"),
        &[],
        |n| {
            let (mut sum, mut i) = (0, 0);
            while i < 20 {
                match (i + n[0]) & 7 {
                    0 => {
                        i += 1;
                        continue;
                    }
                    1 => sum += 10,
                    2 => sum += 101,
                    3 => sum += 1,
                    5 if i > 3 => sum += 1007,
                    5 => {}
                    _ => sum += 7,
                }
                if sum > n[1] {
                    break;
                }
                for k in 0..3 {
                    if k != 1 || n[2] <= 0 {
                        sum += 2;
                    }
                }
                i += 1;
            }
            words([sum, i, 0, 1])
        },
    );
}

#[test]
fn functions_return_from_loops_and_early() {
    let search = |key: i32| {
        for i in 0..8 {
            for j in 0..8 {
                if i * j == key {
                    return i * 10 + j;
                }
                if j > i {
                    break;
                }
            }
        }
        match key * 2 {
            _ if key < 0 => -1,
            twice if twice > 50 => twice,
            twice => twice + 1,
        }
    };
    check(include_bytes!("../spirv/early_return.frag.spv"), &[], |n| {
        let z = if n[2] == 0 { 0 } else { search(n[2]) + 3 };
        words([search(n[0]), search(n[1]), z, 1])
    });
}

#[test]
fn phis_are_set_at_once() {
    check(include_bytes!("../spirv/phi.spv"), &[], |[x, y, ..]| {
        if x < -10 {
            return words([-x, 0, 0, 1]);
        }
        let size = if x < 0 { -x + 2 } else { x };
        let (mut a, mut b, mut i) = (0, 1, 0);
        loop {
            let sum = a + b;
            if sum > y {
                return words([size, a, b, i]);
            }
            if i + 1 >= 10 {
                return words([size, sum, b, i]);
            }
            (a, b, i) = (b, sum, i + 1);
        }
    });
}

#[test]
fn constants_size_arrays() {
    let bytes = include_bytes!("../spirv/spec_sizes.frag.spv");
    let values = |twice: i32, scale: f32| {
        move |n: [i32; 4]| {
            let value = |i: i32| {
                if i < twice {
                    (i * n[0]) as f32 * scale
                } else {
                    0.0
                }
            };
            let all = [value(n[1] & 3), value(twice - 1), twice as f32, scale];
            Some(all.map(f32::to_bits))
        }
    };
    check(bytes, &[], values(8, 2.5));
    check(
        bytes,
        &[("3", 6.0), ("5", 0.25), ("7", 1.0)],
        values(13, 0.25),
    );
    let constants = module(bytes).spec_constants();
    let ids: Vec<_> = constants.iter().map(|c| (c.id, c.name.as_str())).collect();
    assert_eq!(
        ids,
        [(Some(3), "count"), (Some(7), "more"), (Some(5), "scale")]
    );
    let unknown = module(bytes).lower(None, None, &Overrides::from([("4".to_owned(), 1.0)]));
    assert_eq!(unknown.unwrap_err().rule(), "shader-override-unknown");
}

#[test]
fn killed_invocations_leave_loops() {
    check(
        include_bytes!("../spirv/kill_in_loop.frag.spv"),
        &[],
        |[x, ..]| (x <= 40).then(|| [(x & 7) as u32 + 3; 4]),
    );
}

#[test]
fn parts_carries_and_high_words() {
    let function = compile(
        include_bytes!("../spirv/pointers_of_functions.frag.spv"),
        &[],
    );
    let mut world = World::random(&function, 3);
    for (lane, word) in world.inputs[0].iter_mut().flatten().enumerate() {
        *word = ((lane as f32 - 100.0) * 1.37).to_bits();
    }
    let inputs = world.inputs.clone();
    world.run(&function);
    for lane in 0..64 {
        let [x, y] = [0, 1].map(|c| f32::from_bits(inputs[0][c][lane]));
        let [n, m] = [0, 1].map(|c| inputs[1][c][lane]);
        let (sum, carry) = n.overflowing_add(m);
        let (rest, borrow) = n.overflowing_sub(m);
        let wide = u64::from(n) * u64::from(m);
        let signed = i64::from(n as i32) * i64::from(m as i32);
        let wanted = [
            (x - x.trunc()).to_bits() ^ x.trunc().to_bits(),
            y.to_bits(),
            sum ^ u32::from(carry) << 1 ^ rest.wrapping_mul(3) ^ u32::from(borrow) << 7,
            (wide >> 32) as u32
                ^ (wide as u32).wrapping_mul(5)
                ^ ((signed >> 32) as u32).wrapping_mul(7)
                ^ signed as u32,
        ];
        assert_eq!(
            output(&world, &function, 0, lane).unwrap(),
            wanted,
            "{x} {y} {n} {m}"
        );
    }
}

#[test]
fn matrices_lie_as_they_are_declared() {
    let function = compile(include_bytes!("../spirv/layouts.frag.spv"), &[]);
    let mut world = World::random(&function, 1);
    for buffer in &mut world.buffers {
        for (at, word) in buffer[0].iter_mut().enumerate() {
            *word = (at as f32).to_bits();
        }
    }
    let floats = world.buffers[1][0].len() as u32;
    let inputs = world.inputs[0].clone();
    world.run(&function);
    for lane in 0..64 {
        let [x, y] = [0, 1].map(|c| inputs[c][lane]);
        // Three rows of four; then two matrices of two rows; then a vec2 and two rows of three; each row 16 bytes.
        let row = |at: u32| at * 4;
        let m = |column: u32, row_number: u32| (row(row_number) + column) as f32;
        let inner = (row(3 + 4 + 1 + 1) + 2) as f32;
        let small = (row(3 + 2 + 1)) as f32;
        let z = (0..4).map(|c| m(c, 2) * (c + 1) as f32).sum::<f32>();
        let wanted = [
            m(x & 3, 1) + inner,
            small + z,
            (4 * (y & 1) + 2) as f32 + (12 + (x & 3)) as f32,
            (floats - 12) as f32,
        ];
        let found = output(&world, &function, 0, lane).unwrap();
        assert_eq!(found, wanted.map(f32::to_bits), "{}", print(&function));
    }
}

#[test]
fn locations_are_shared_by_components() {
    let function = compile(include_bytes!("../spirv/components.frag.spv"), &[]);
    let varyings = |list: &[pipeline::ir::Varying]| -> Vec<(u32, u32)> {
        list.iter().map(|v| (v.location, v.components)).collect()
    };
    assert_eq!(
        varyings(&function.interface.inputs),
        [(0, 3), (1, 2), (2, 2), (3, 3), (4, 1)]
    );
    assert_eq!(varyings(&function.interface.outputs), [(0, 3), (1, 2)]);
    let mut world = World::random(&function, 9);
    let inputs = world.inputs.clone();
    world.run(&function);
    for lane in 0..64 {
        let at = |input: usize, c: usize| f32::from_bits(inputs[input][c][lane]);
        let wanted = [
            at(0, 1) + at(0, 2),
            at(2, 0) + at(3, 1),
            at(2, 1) + at(3, 2),
        ];
        let found = output(&world, &function, 0, lane).unwrap();
        assert_eq!(found, wanted.map(f32::to_bits));
        let number = output(&world, &function, 1, lane).unwrap();
        assert_eq!(number, [inputs[4][0][lane], 5]);
    }
}

#[test]
fn what_is_missing_has_a_name() {
    let found = module(include_bytes!("../spirv/multisampled_storage.frag.spv"));
    let error = found.lower(None, None, &Overrides::new()).unwrap_err();
    assert_eq!(error.rule(), "shader-unsupported");
    let text = error.to_string();
    assert!(
        text.contains("a multisampled storage image (instruction "),
        "{text}"
    );
    assert!(text.contains("`texels`"), "{text}");
}

/// Every capability is taken, or refused where it is used, or named at once.
#[test]
fn capabilities_are_taken_or_named() {
    let reads = |capability: u32| read(&[0x0723_0203, 0x1_0600, 0, 1, 0, 2 << 16 | 17, capability]);
    let (mut taken, mut named) = (0, 0);
    for capability in 0..7000 {
        let name = spirv::Capability::from_u32(capability);
        let feature = match (reads(capability), name) {
            (Ok(_), Some(_)) => {
                taken += 1;
                continue;
            }
            (Ok(_), None) => panic!("capability {capability} is unknown and taken"),
            (Err(error), _) => error.to_string(),
        };
        let called = match name {
            Some(name) => format!("the capability {name:?} (instruction 0, OpCapability)"),
            None => format!("capability {capability} (instruction 0, OpCapability)"),
        };
        assert!(feature.starts_with(&called), "{feature}");
        named += u32::from(name.is_some());
    }
    assert!(taken > 100 && named > 100, "{taken} {named}");
    // Those that change what is computed without an instruction of theirs.
    use spirv::Capability as C;
    for capability in [
        C::SampleMaskOverrideCoverageNV,
        C::GeometryShaderPassthroughNV,
        C::ShaderStereoViewNV,
        C::PhysicalStorageBufferAddresses,
        C::Kernel,
    ] {
        assert!(reads(capability as u32).is_err(), "{capability:?}");
    }
}

#[test]
fn shaders_give_stencil_references() {
    let checked = module(include_bytes!("../spirv/stencil_export.frag.spv"));
    let mut function = checked.lower(None, None, &Overrides::new()).unwrap();
    passes::run(&mut function);
    let mut world = World::random(&function, 4);
    let inputs = world.inputs.clone();
    world.run(&function);
    let stencil = Name::Builtin(OutputBuiltin::FragStencil);
    let written = world.outputs.iter().find(|w| w.name == stencil).unwrap();
    for (word, input) in written.lanes.iter().zip(&inputs[0][0]) {
        assert_eq!(*word, Some(input.wrapping_add(3)));
    }
    for machine in with_integers() {
        let compiled = machine.compile(&function);
        if !machine.target().info.features.stencil_export {
            let error = compiled.err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            let what = "a stencil reference of the shader's own";
            assert!(error.contains(what), "{}: {error}", machine.name());
            continue;
        }
        let found = machine.on_a_wave(&function, &compiled.unwrap(), 3, u64::MAX);
        assert_eq!(found, Ok(()), "{}", machine.name());
    }
}

/// Its invocations are more than a word counts, and more than any chip has.
#[test]
fn huge_workgroups_are_refused() {
    let checked = module(include_bytes!("../spirv/huge_workgroup.spv"));
    let mut function = checked.lower(None, None, &Overrides::new()).unwrap();
    passes::run(&mut function);
    for machine in with_integers() {
        let error = machine.compile(&function).unwrap_err().to_string();
        let refused = error.contains("in a workgroup") || error.contains("the compute stage");
        assert!(refused, "{}: {error}", machine.name());
    }
}

#[test]
fn errors_show_the_line() {
    for bytes in [
        &include_bytes!("../spirv/debug_lines.frag.spv")[..],
        include_bytes!("../spirv/lines.frag.spv"),
    ] {
        let found = module(bytes);
        let error = found.lower(None, None, &Overrides::new()).unwrap_err();
        let location = error.location().unwrap();
        assert_eq!(location.line, 7, "{error}");
        assert!(location.excerpt.contains("sparseTextureARB"), "{error}");
    }
}
