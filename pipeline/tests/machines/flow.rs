//! Loops that lanes leave one by one, and loops that nothing ends for some: those that never enter them, and those that are
//! discarded on the way.
#![allow(clippy::unwrap_used)]

use crate::direct::{World, compile};
use crate::harness::{LIVE, with_integers};
use pipeline::ir::Function;
use pipeline::passes;

/// Uniforms: `t` and `u`.
const UNIFORMS: [[f32; 4]; 2] = [[1.0, 2.0, 3.0, 4.0], [0.2, 4.5, 0.75, -1.0]];

/// Runs the body of a fragment shader on every machine, before and after the passes, and compares with the direct run.
fn agree(body: &str) {
    let text = format!(
        "@group(0) @binding(0) var<uniform> t: vec4f;
        @group(0) @binding(1) var<uniform> u: vec4f;
        @fragment fn fs(@builtin(position) pos: vec4f, @location(0) a: vec4f) -> @location(0) vec4f {{ {body} }}"
    );
    let lowered = compile(&text, None);
    let mut optimised = lowered.clone();
    passes::run(&mut optimised);
    let world = |function: &Function| {
        let mut world = World::random(function, 3);
        for (at, resource) in function.interface.resources.iter().enumerate() {
            let words = UNIFORMS[resource.slot.binding as usize].map(f32::to_bits);
            world.buffers[at][0] = words.to_vec();
        }
        world
    };
    let [before, after] = [&lowered, &optimised].map(|function| {
        let mut world = world(function);
        world.run(function);
        world.outputs
    });
    assert_eq!(before, after, "the passes: {body}");
    for function in [lowered, optimised] {
        let world = world(&function);
        for machine in with_integers() {
            let binary = machine.compile(&function).unwrap();
            for live in LIVE {
                let found = machine.on_a_wave_of(&function, &binary, world.clone(), live);
                let (name, listing) = (machine.name(), binary.listing());
                assert_eq!(found, Ok(()), "{name} live {live:#x}: {body}\n{listing}");
            }
        }
    }
}

/// What is alive around a loop without end keeps its registers although no way leads through the loop.
#[test]
fn scalars_around_endless_loops() {
    let bodies = [
        // One loop that the compiler cannot know to be endless.
        "let one = t.x; let fifth = u.x;
         if pos.x < u.w { loop { if u.y > 5.0 && u.y < 4.0 { continue; } } }
         return vec4f(one, fifth, one, u.z);",
        "let one = t.x; let fifth = u.x;
         if pos.x < u.w { loop { if u.y > 5.0 && u.y < 4.0 { continue; } if a.x > t.w { continue; } } }
         return vec4f(one, fifth, one, u.z);",
        // One within another.
        "let one = t.x; let fifth = u.x * t.y;
         if pos.x < u.w { loop { loop { if u.y > 5.0 && t.y < 4.0 { break; } } } }
         return vec4f(one, fifth, t.z * u.y, u.z);",
        // The other side of a uniform branch comes through.
        "let one = t.x; var sum = u.x;
         if pos.x < u.w { if t.w > 3.0 { loop { if u.y > 5.0 { continue; } } } else { sum = t.z; } }
         return vec4f(one, sum, t.y, u.z);",
        // On one side of a branch whose other side runs.
        "let one = t.x; var sum = u.x;
         if pos.x < u.w { loop { if u.y > t.y { continue; } } } else { sum += t.w * one; }
         return vec4f(one, sum, t.y, u.z);",
        // Round after round of a loop that lanes leave one by one.
        "let one = t.x; var sum = 0.0; var k = 0.0;
         loop {
            let step = t.y * u.z;
            if pos.x < u.w { loop { if u.y > 5.0 && u.y < t.x { continue; } } }
            sum += step * one; k += 1.0;
            if k > a.x { break; }
            if k > 6.0 { break; }
         }
         return vec4f(sum, one, t.z, u.z);",
        // Behind the break of the last lane.
        "let one = t.x; var k = pos.x;
         loop { if k > -1.0 { break; } loop { if u.y > t.y { continue; } } }
         return vec4f(one, k, t.z, u.z);",
        "let one = t.x; var k = 0.0;
         loop {
            k += 1.0;
            if pos.x > k { continue; }
            if k > u.w { break; }
            loop { if u.y > t.y { continue; } }
         }
         return vec4f(one, k, t.z, u.z);",
        // A case that nobody takes.
        "let one = t.x; var sum = u.x;
         switch i32(pos.x) {
            case 77: { loop { if u.y > 5.0 && u.y < 4.0 { continue; } } }
            case 78, 79: { sum = t.y; loop { } }
            default: { sum += t.w; }
         }
         return vec4f(one, sum, t.z, u.z);",
        // Too little code to skip, were it not for its end.
        "let one = t.x; if pos.x < u.w { loop { } } return vec4f(one, u.x, one, u.z);",
        "let one = t.x; var k = 0.0;
         loop {
            if pos.x > 2.0 { if pos.x > u.w { break; } loop { } }
            k += one;
            if k > t.z { break; }
         }
         return vec4f(one, k, t.z, u.z);",
    ];
    bodies.into_iter().for_each(agree);
}

/// Lanes that are discarded in a loop, or before one, leave it; the others go on.
#[test]
fn discarded_lanes_leave_loops() {
    let loops = [
        "if pos.x < 4.0 { loop { discard; } }",
        "if pos.x < 1.0 { loop { discard; } }",
        "if pos.x < 4.0 { loop { loop { discard; } } }",
        "loop { if pos.x < 4.0 { discard; } else { k += 1.0; } if k > t.w { break; } }",
        "loop { if pos.x < 1.0 { discard; } else { k += 1.0; } if k > pos.y { break; } }",
        "if pos.x < 3.0 { discard; } loop { if pos.x >= 3.0 { break; } }",
        "loop { k += 1.0; if pos.x < 4.0 { loop { discard; } } if k > t.y { break; } }
         loop { if pos.x > 4.0 { break; } }",
        "loop {
            if pos.y < 3.0 { if u.x > 0.1 { discard; } continue; }
            k += t.x;
            continuing { break if k > 5.0; }
         }",
        "loop {
            switch i32(pos.x) {
                case 0, 5: { discard; }
                case 1: { if a.x < 0.0 { discard; } k += 0.5; }
                default: { k += 1.0; }
            }
            if k > t.w { break; }
         }",
        "for (var i = 0; i < 3; i++) {
            loop {
                if pos.x < 2.0 && pos.y > 2.0 { discard; }
                loop { if pos.x >= 2.0 || pos.y <= 2.0 { break; } }
                k += 1.0;
                if k > 2.5 * f32(i) { break; }
            }
            k += t.y;
         }",
        // Uniform but for those that go.
        "var n = 0.0; if a.x < 4.0 { loop { if pos.x < 3.0 { discard; } n += t.x; if n > u.y { break; } } k = n + t.z; }",
    ];
    for body in loops {
        let before = format!("let one = t.x; var k = 0.0; {body}");
        agree(&format!("{before} return vec4f(one, k, t.y, u.z);"));
        // With helpers that a live lane needs.
        let slopes = format!(
            "let slope = dpdx(a.y * t.y); let w = a.x * u.y;
             {before} return vec4f(one, k, dpdy(w), slope);"
        );
        agree(&slopes);
    }
}

/// A discarded lane finishes its loops as far as a live lane of its quad needs its values.
#[test]
fn discarded_lanes_still_help() {
    for rounds in [3, 20, 300] {
        agree(&format!(
            "var sum = a.x; var k = 0;
             if pos.x < 1.0 || (pos.y > 3.0 && pos.x > 5.0) {{ discard; }}
             loop {{
                if k >= select(2, {rounds}, pos.x < 1.0) {{ break; }}
                sum += a.y * f32(k); k++;
             }}
             return vec4f(dpdx(sum), dpdy(sum), sum, f32(k));"
        ));
    }
}

/// A counter that is the same in all lanes of the loop, and not in those that have left it.
#[test]
fn counters_behind_loops() {
    let bodies = [
        "var k = 0u; loop { if f32(k) > a.x { break; } if k > 9u { break; } k += 1u; }
         return vec4f(f32(k), t.x, f32(k * 3u), 1.0);",
        "var k = 0u; loop { if f32(k) > pos.x { break; } k += 1u; }
         return vec4f(t[k & 3u], u[(k + 1u) & 3u], f32(k), 1.0);",
        // The counter decides what comes next.
        "var k = 0u; var sum = 0.0; loop { if f32(k) > pos.x { break; } k += 1u; }
         if k == 3u { sum = t.y; } else if k > 5u { sum = u.y; }
         for (var j = 0u; j < k; j++) { sum += t.z; }
         return vec4f(sum, f32(k), t.x, 1.0);",
        // A bool of the last round.
        "var k = 0u; var odd = false; var last = false;
         loop { odd = (k & 1u) == 1u; k += 1u; if f32(k) > pos.x { last = k == 4u; break; } }
         return vec4f(f32(odd), f32(last), f32(k), t.x);",
        // Of a loop within a loop, one of them uniform.
        "var sum = 0.0;
         for (var j = 0u; j < 3u; j++) {
            var k = 0u;
            loop { if f32(k + j) > pos.x { break; } k += 1u; }
            sum += f32(k * (j + 1u));
         }
         return vec4f(sum, t.x, u.x, 1.0);",
        "var j = 0u; var k = 0u;
         loop {
            k = 0u;
            loop { k += 1u; if k > 3u { break; } }
            j += k;
            if f32(j) > a.y { break; }
            if j > 40u { break; }
         }
         return vec4f(f32(j), f32(k), t.x, 1.0);",
        // Lanes that wait at the continuing part.
        "var k = 0u; var n = 0u;
         loop {
            if pos.x > f32(k) { continue; }
            n += k;
            continuing { k += 1u; break if f32(k) > pos.y || k > 6u; }
         }
         return vec4f(f32(k), f32(n), t.x, 1.0);",
    ];
    bodies.into_iter().for_each(agree);
}
