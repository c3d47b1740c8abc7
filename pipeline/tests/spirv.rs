//! Ordinary Vulkan SPIR-V: what glslang 14 makes of the GLSL beside it (`glslangValidator -V`, and with
//! `--target-env vulkan1.3`, where `discard` becomes `OpTerminateInvocation`).
#![allow(clippy::unwrap_used)]

mod direct;

use direct::{Name, World};
use pipeline::ir::{Function, Op, OutputBuiltin, print};
use pipeline::layout::DescriptorKind;
use pipeline::lower::{Overrides, lower};
use pipeline::passes::lowered;
use pipeline::wgsl::{self, CheckedModule, Source};

fn words(bytes: &[u8]) -> Vec<u32> {
    let chunks = bytes.chunks_exact(4);
    chunks
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

fn compile(bytes: &[u8]) -> (CheckedModule, Function) {
    let checked =
        wgsl::parse(Source::Spirv(&words(bytes))).unwrap_or_else(|error| panic!("{error}"));
    let function = lowered(&checked, Some("main"), None, &Overrides::new()).unwrap();
    (checked, function)
}

#[test]
fn combined_image_samplers_are_a_texture_and_a_sampler_in_one_slot() {
    for bytes in [
        &include_bytes!("spirv/combined.frag.spv")[..],
        include_bytes!("spirv/terminate.frag.spv"),
    ] {
        let (_, function) = compile(bytes);
        let resources = function.interface.resources.iter();
        let found: Vec<_> = resources
            .map(|r| {
                (
                    (r.slot.group, r.slot.binding),
                    DescriptorKind::from(&r.kind),
                )
            })
            .collect();
        let expected = [
            ((0, 0), DescriptorKind::Buffer),
            ((0, 1), DescriptorKind::Texture),
            ((0, 1), DescriptorKind::Sampler),
            ((0, 2), DescriptorKind::Buffer),
            ((1, 3), DescriptorKind::Texture),
            ((1, 3), DescriptorKind::Sampler),
        ];
        assert_eq!(found, expected, "{}", print(&function));
        assert_eq!(function.interface.push_constant_bytes, 16);
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        assert!(insts.any(|inst| inst.op == Op::Discard));
        World::random(&function, 1).run(&function);
    }
}

#[test]
fn vertex_shaders_keep_their_clip_space() {
    let (_, function) = compile(include_bytes!("spirv/plain.vert.spv"));
    let mut world = World::random(&function, 3);
    let matrix = |at: usize| f32::from_bits(world.buffers[0][0][at]);
    let view: Vec<f32> = (0..16).map(matrix).collect();
    let sizes: Vec<f32> = (0..4).map(|i| matrix(28 + 4 * i)).collect();
    let inputs = world.inputs.clone();
    world.run(&function);
    let position = Name::Builtin(OutputBuiltin::Position);
    let mut written = world.outputs.iter();
    let y = written.find(|w| w.name == position && w.component == 1);
    let y = &y.unwrap().lanes;
    for lane in 0..64 {
        let position: Vec<f32> = (0..3).map(|c| f32::from_bits(inputs[0][c][lane])).collect();
        let which = inputs[1][0][lane];
        let mut scale = match which {
            0 => 2.5,
            1 => 1.5,
            n => sizes[(n & 3) as usize],
        };
        if position.iter().any(|p| *p > 100.0) {
            scale = 0.0;
        }
        let p: Vec<f32> = position.iter().map(|p| p * scale).collect();
        let sum = view[13] + (view[9] * p[2] + (view[5] * p[1] + view[1] * p[0]));
        let wanted = sum + lane as f32;
        let found = f32::from_bits(y[lane].unwrap());
        assert!(
            found == wanted || (found.is_nan() && wanted.is_nan()),
            "lane {lane}: {found} for {wanted}"
        );
    }
}

/// Words changed at random are refused or compiled, but never panic.
#[test]
fn broken_words_are_refused() {
    let good = words(include_bytes!("spirv/combined.frag.spv"));
    let mut random = direct::Random(11);
    let mut refused = 0;
    for _ in 0..300 {
        let mut words = good.clone();
        for _ in 0..1 + random.next() % 3 {
            let at = random.next() as usize % words.len();
            words[at] = match random.next() % 3 {
                0 => random.next(),
                1 => words[at] ^ 1 << (random.next() & 31),
                _ => random.next() % 64,
            };
        }
        let result = std::panic::catch_unwind(|| {
            if let Ok(checked) = wgsl::parse(Source::Spirv(&words)) {
                drop(lower(&checked, None, None, &Overrides::new()));
            }
        });
        assert!(result.is_ok(), "panicked on {words:x?}");
        refused += u32::from(wgsl::parse(Source::Spirv(&words)).is_err());
    }
    assert!(refused > 30, "{refused}");
}
