//! Every shader of the corpus lowers to SSA that keeps the rules, before and after the passes.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;

use direct::World;
use pipeline::ir::{parse, print, verify};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

/// The passes keep the meaning: every output, store and texel coordinate, on random inputs.
#[test]
fn passes_change_nothing() {
    for (file, text) in corpus::shaders() {
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        for (name, _) in checked.entry_points() {
            let lowered = lower(&checked, Some(name), None, &Overrides::new()).unwrap();
            let mut optimised = lowered.clone();
            pipeline::passes::run(&mut optimised);
            for seed in 0..3 {
                let world = World::random(&lowered, seed);
                let [before, after] = [&lowered, &optimised].map(|function| {
                    let mut world = world.clone();
                    world.run(function);
                    world
                });
                assert!(before == after, "{file} {name}");
            }
        }
    }
}

/// Constructs that are easily forgotten: all are valid, so all must compile or be refused with an error.
#[test]
fn odd_shaders_do_not_panic() {
    let bodies = [
        "loop { }",
        "loop { continuing { } }",
        "loop { break; } ",
        "loop { if true { break; } else { break; } }",
        "loop { return; }",
        "loop { discard; }",
        "while true { if false { continue; } }",
        "for (;;) { }",
        "for (var i = 0; i < 0; i++) { }",
        "for (var i = 0u; i < 4294967295u; i += 1000000000u) { x += 1.0; }",
        "switch 3 { default: { } }",
        "switch i32(x) { case 1: { loop { break; } } case default: { return; } }",
        "switch i32(x) { case 1, default, 2: { x = 1.0; } }",
        "switch u32(x) { case 1u: { } default: { loop { switch i32(x) { case 1: { break; } default: { continue; } } } } }",
        "{ { { x = 2.0; } } }",
        "if true { } else if false { } else { }",
        "return; x = 3.0;",
        "discard; x = 3.0;",
        "var a: array<array<array<vec3f, 2>, 2>, 2>; a[1][0][i32(x)].z = x; x = a[i32(x)][i32(x)][1][2];",
        "var a: array<vec4f, 100>; let b = a; x = b[i32(x)].y;",
        "var a: array<bool, 50>; a[i32(x)] = true; if a[i32(x) + 1] { x = 1.0; }",
        "var m: array<mat4x4f, 3>; m[i32(x)][2][1] = x; let c = m[1]; x = c[i32(x)][0];",
        "let p = &x; *p += 1.0; let q = p; *q *= 2.0;",
        "var v = vec4f(x); let p = &v.y; *p = 3.0; v[1] += *p; x = v.y;",
        "let v = vec3<bool>(true, x > 1.0, false); x = f32(any(v)) + f32(all(v.xz));",
        "var s: S; s.inner[1].b = vec2u(3, 4); s = S(s.inner, x); let t = s.inner[i32(x)]; x = t.a + f32(t.b.y);",
        "const c = array(S(array(Inner(1.0, vec2u(2, 3)), Inner(4.0, vec2u(5, 6))), 7.0)); x = c[i32(x)].inner[i32(x)].a;",
        "let e = frexp(vec3f(x)); let m = modf(vec2f(x)); x = e.fract.z + m.whole.y + f32(e.exp.x);",
        "x = (mat2x3f() * mat4x2f())[3][2] + determinant(mat2x2f(1, x, 3, 4)) + length(x) + distance(x, 2.0);",
        "x = bitcast<f32>(bitcast<u32>(bitcast<i32>(x))); x += f32(1 << 4u) + f32(-7 / 2) + f32(-7 % 4);",
        "_ = x; _ = vec4f(x).xyzw.wzyx.x;",
        "x = select(1.0, 2.0, true) + mix(1.0, x, 0.5) + ldexp(x, 3) + 0x1p-149 + 3.4e38;",
        "var n = 10; while n > 0 { n -= 1; if n == 5 { continue; } for (var j = 0; j < n; j++) { if j == 3 { break; } x += 1.0; } }",
        "x = helper(&x, helper(&x, 1.0)); bump(); bump(); x += total;",
        "if x > 1.0 { if x > 2.0 { return; } else { discard; } } else { loop { if x < 0.0 { return; } x -= 1.0; } } x = 9.0;",
    ];
    for body in bodies {
        let text = format!(
            "struct Inner {{ a: f32, b: vec2u }} struct S {{ inner: array<Inner, 2>, c: f32 }}
             var<private> total: f32; fn bump() {{ total += 1.0; if total > 1.0 {{ return; }} total += 0.5; }}
             fn helper(p: ptr<function, f32>, by: f32) -> f32 {{ if by > 2.0 {{ return by; }} *p += by; return *p; }}
             @group(0) @binding(0) var<storage, read_write> out: f32;
             @fragment fn fs(@location(0) given: f32) {{ var x = given; work(&x); out = x; }}
             fn work(px: ptr<function, f32>) {{ var x = *px; {body} }}"
        );
        // What naga refuses is none of our business.
        let Ok(checked) = wgsl::parse(Source::Wgsl(&text)) else {
            println!("refused: {body}");
            continue;
        };
        let mut function = lower(&checked, None, None, &Overrides::new())
            .unwrap_or_else(|error| panic!("{body}: {error}"));
        pipeline::passes::run(&mut function);
        verify(&function).unwrap();
    }
}

#[test]
fn corpus_lowers() {
    let mut wrong = Vec::new();
    for (name, text) in corpus::shaders() {
        let checked = match wgsl::parse(Source::Wgsl(&text)) {
            Ok(checked) => checked,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        for (entry, _) in checked.entry_points() {
            let mut function = match lower(&checked, Some(entry), None, &Overrides::new()) {
                Ok(function) => function,
                Err(error) => {
                    wrong.push(format!("{name} {entry}: {error}"));
                    continue;
                }
            };
            for stage in ["lowered", "optimised"] {
                let text = print(&function);
                if let Err(error) = verify(&function) {
                    wrong.push(format!("{name} {entry} {stage}: {error}\n{text}"));
                }
                assert_eq!(print(&parse(&text).unwrap()), text, "{name} {entry}");
                if let Ok(wanted) = std::env::var("PRINT")
                    && name.contains(&wanted)
                {
                    println!("{stage}\n{text}");
                }
                pipeline::passes::run(&mut function);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A resource that is named and never touched takes no slot; GLSL front ends name every member of a block.
#[test]
fn resources_only_named_take_no_slot() {
    let glsl = "#version 450
        layout(set = 0, binding = 3) uniform Unused { mat4 a; vec4 b; };
        layout(set = 0, binding = 4) buffer Data { float data[]; };
        layout(set = 0, binding = 5) uniform Used { vec4 tint; };
        layout(location = 0) out vec4 color;
        float never() { return a[0].x + b.x; }
        int length() { return data.length(); }
        void main() { color = tint; }";
    let stage = pipeline::ir::Stage::Fragment;
    let checked = wgsl::parse(Source::Glsl { text: glsl, stage }).unwrap();
    let function = lower(&checked, None, None, &Overrides::new()).unwrap();
    verify(&function).unwrap();
    let bindings = function.interface.resources.iter();
    let bindings: Vec<u32> = bindings.map(|r| r.slot.binding).collect();
    assert_eq!(bindings, [5]);
}
