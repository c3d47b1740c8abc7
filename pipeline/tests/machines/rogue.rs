//! Rogue: every shader of the corpus as instruction groups that keep the rules, and how full they are.
#![allow(clippy::unwrap_used)]

use crate::corpus;
use crate::harness;
use pipeline::codegen::rogue::{bytes, compile};
use pipeline::codegen::{Binary, CompileError, Options};
use pipeline::ir::{Function, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::passes;
use pipeline::wgsl::{self, Source};
use rogue::isa::{Item, check, decode};

/// Entry points of a shader, before the passes and after them.
fn functions(text: &str) -> Vec<[Function; 2]> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let entries = checked.entry_points();
    let entries = entries.filter(|(_, stage)| *stage != Some(Stage::Compute));
    let both = |(entry, stage)| {
        let lowered = lower(&checked, Some(entry), stage, &Overrides::new()).unwrap();
        let mut optimised = lowered.clone();
        passes::run(&mut optimised);
        [lowered, optimised]
    };
    entries.map(both).collect()
}

/// Every group keeps the rules, and its bytes are the smallest.
fn verify(binary: &Binary) {
    let code = bytes(&binary.words);
    for placed in decode(&code).unwrap() {
        let Item::Group(group) = placed.item else {
            panic!("padding between groups");
        };
        assert_eq!(check(&group), Ok(()), "{group}");
        let mut again = Vec::new();
        group.encode(&mut again).unwrap();
        assert_eq!(again, code[placed.at..][..placed.bytes], "{group}");
        assert_eq!(group.to_string().parse(), Ok(group));
    }
}

#[test]
fn the_corpus_becomes_groups() {
    let (mut groups, mut operations) = (0, 0);
    let mut missing: Vec<(String, String)> = Vec::new();
    for (name, text) in corpus::shaders() {
        for [lowered, optimised] in functions(&text) {
            for function in [&lowered, &optimised] {
                match compile(function, &Options::default()) {
                    Ok(binary) => {
                        verify(&binary);
                        if std::ptr::eq(function, &optimised) {
                            groups += binary.stats.get("main groups");
                            operations += binary.stats.get("operations");
                        }
                    }
                    Err(CompileError::Unsupported { what, .. }) => {
                        missing.push((name.clone(), what))
                    }
                    Err(error) => panic!("{name} {}: {error}", function.name),
                }
            }
        }
    }
    missing.dedup();
    let filled = f64::from(operations) / f64::from(groups.max(1));
    println!("{operations} operations in {groups} groups: {filled:.3}; {missing:#?}");
    assert!(filled >= 1.6, "{filled:.3} operations in a main group");
}

/// With helper lanes and partly filled waves, before the passes and after them: the shader run directly gives the same.
#[test]
fn the_corpus_agrees_on_waves() {
    let machine: &dyn harness::Machine = &harness::rogue::Rogue;
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (name, text) in corpus::shaders() {
        for functions in functions(&text) {
            for function in functions {
                let Ok(binary) = compile(&function, &Options::default()) else {
                    continue;
                };
                for (seed, live) in (1..).zip(harness::LIVE) {
                    if function.stage == Stage::Vertex && live != u64::MAX {
                        continue;
                    }
                    compared += 1;
                    let run = || machine.on_a_wave(&function, &binary, seed, live);
                    let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
                    let found = found.unwrap_or_else(|_| Err("panics".into()));
                    if let Err(error) = found {
                        let first = error.lines().next().unwrap_or_default().to_owned();
                        wrong.push(format!("{name} {} live {live:#x}: {first}", function.name));
                        if std::env::var("ONLY").is_ok() {
                            println!("{}\n{}", pipeline::ir::print(&function), binary.listing());
                        }
                        break;
                    }
                }
            }
        }
    }
    println!("{compared} comparisons");
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn listing(text: &str, stage: Stage) -> String {
    let functions = functions(text);
    let mut found = functions.into_iter().flatten().filter(|f| f.stage == stage);
    let function = found.nth(1).unwrap();
    let binary = compile(&function, &Options::default()).unwrap();
    format!("{}{}", binary.listing(), binary.stats)
}

#[test]
fn products_share_groups() {
    insta::assert_snapshot!(listing(
        "@group(0) @binding(0) var<uniform> m: mat4x4f;
        struct Out { @builtin(position) at: vec4f, @location(0) color: vec4f }
        @vertex fn vs(@location(0) p: vec3f, @location(1) c: vec4f) -> Out {
            return Out(m * vec4f(p, 1.0), clamp(c, vec4f(0.1), vec4f(0.75)));
        }",
        Stage::Vertex
    ));
}

#[test]
fn lanes_take_branches_and_loops() {
    insta::assert_snapshot!(listing(
        "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: u32) -> @location(0) vec4f {
            var sum = a.x;
            for (var i = 0u; i < n; i++) {
                if a.y * f32(i) > a.z { continue; }
                if sum > 10.0 { break; }
                sum += sqrt(a.w) * f32(i);
            }
            if a.x < 0.25 { discard; }
            return vec4f(sum);
        }",
        Stage::Fragment
    ));
}

#[test]
fn textures_are_waited_for() {
    insta::assert_snapshot!(listing(
        "@group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fs(@location(0) at: vec2f, @location(1) k: f32) -> @location(0) vec4f {
            return textureSample(t, s, at, vec2i(1, -2)) * k + textureLoad(t, vec2i(at), 1);
        }",
        Stage::Fragment
    ));
}

/// Colours that are blended are clamped by what makes them.
#[test]
fn clamps_of_blended_colours_move_up() {
    let target = wgpu_types::ColorTargetState {
        format: wgpu_types::TextureFormat::Rgba8Unorm,
        blend: Some(wgpu_types::BlendState::ALPHA_BLENDING),
        write_mask: wgpu_types::ColorWrites::ALL,
    };
    let options = Options {
        targets: vec![Some(target)],
        ..Options::default()
    };
    let text = |body: &str| {
        let inputs = "@location(0) c: vec4f, @location(1) d: vec4f";
        let shader = format!("@fragment fn f({inputs}) -> @location(0) vec4f {{ {body} }}");
        let [_, function] = functions(&shader).remove(0);
        let binary = compile(&function, &options).unwrap();
        verify(&binary);
        let groups = decode(&bytes(&binary.words)).unwrap().into_iter();
        let text = |item| match item {
            Item::Group(group) => group.to_string(),
            _ => String::new(),
        };
        groups
            .map(|placed| text(placed.item) + "\n")
            .collect::<String>()
    };
    let varying = text("return c;");
    assert!(varying.contains("fitrp.pixel.sat") && !varying.contains("fadd.sat"));
    let product = text("return c * d;");
    assert!(product.contains("fmul.sat") && !product.contains("fadd.sat"));
    // What something else reads stays as it is.
    let both = text("return vec4f(c.xyz, c.x * 2.0);");
    assert!(!both.contains("fitrp.pixel.sat") && both.contains("fadd.sat"));
}
