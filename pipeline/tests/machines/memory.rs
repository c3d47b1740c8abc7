//! Loads: of far constants, joined around stores, and under way where paths meet.
#![allow(clippy::unwrap_used)]

use crate::direct::{World, compile};
use crate::harness::with_integers;
use pipeline::passes;

/// Every machine gives what the shader run directly gives, before and after the passes.
fn agree(text: &str) {
    let lowered = compile(text, None);
    let mut optimised = lowered.clone();
    passes::run(&mut optimised);
    for function in [lowered, optimised] {
        for machine in with_integers() {
            if let Err(error) = machine.agrees(&function) {
                let listing = machine.compile(&function).unwrap().listing();
                panic!("{error}\n{text}\n{listing}");
            }
        }
    }
}

/// Constants at both ends of lines, and beyond half of the longest buffer. [R600 4.6.4: 16 constants a line, 256 lines]
#[test]
fn constants_of_distant_lines() {
    let indices: [&[u32]; 8] = [
        &[15, 16],
        &[0, 16, 31],
        &[16],
        &[31, 32, 33],
        &[2031, 2047, 2048],
        &[2048, 2063, 2064],
        &[0, 4095],
        &[4079, 4080, 1, 2000],
    ];
    for list in indices {
        let terms: String = list
            .iter()
            .enumerate()
            .map(|(n, at)| {
                format!(
                    "sum = sum * 3u + (far[{at}].{} ^ {n}u);",
                    ["y", "x", "w", "z"][n]
                )
            })
            .collect();
        agree(&format!(
            "@group(0) @binding(0) var<uniform> far: array<vec4u, 4096>;
            @fragment fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4u {{
                var sum = n.x;
                {terms}
                return vec4u(sum, far[{}].x + n.y, n.z, n.w);
            }}",
            list[0]
        ));
    }
}

/// Scalar loads that only one of the ways to a place has begun.
#[test]
fn loads_under_way_where_paths_meet() {
    let bodies = [
        "var s = 3u; if far[0].x > far[0].y { s = far[17].z; }",
        "var s = far[20].x; if far[0].x > far[0].y { s = far[17].z + 1u; } else { s = far[33].y; }",
        "var s = 3u; if far[0].x <= far[0].y { s = far[17].z; } else { s = far[0].w * 5u; }",
        "var s = 3u; if far[0].x > far[0].y { s = far[far[1].x & 63u].z; } else { s = 8u; }",
        "var s = 3u; if far[0].x > far[0].y { if far[0].z > 9u { s = far[17].z; } } else { s = 8u; }",
        // The way back, and the one in.
        "var s = 3u; for (var k = 0u; k < (far[0].z & 7u); k++) { s = far[s & 63u].x; }",
        "var s = 3u; var k = far[0].z & 7u;
         loop { if k == 0u { break; } k--; if (s & 1u) == 1u { s = far[s & 63u].y; } else { s += 3u; } }",
    ];
    for body in bodies {
        agree(&format!(
            "@group(0) @binding(0) var<uniform> far: array<vec4u, 64>;
            @fragment fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4u {{
                {body}
                return vec4u(s, s * 2u, n.z, s ^ n.w);
            }}"
        ));
    }
}

/// Loads that a store separates are two.
#[test]
fn stores_between_neighbouring_loads() {
    type Case = (&'static str, fn(&mut [u32; 8]) -> [u32; 4]);
    let cases: &[Case] = &[
        ("let a = data[0]; data[1] = a + 5u; let b = data[1]; let c = data[2]; out = vec4u(a, b, c, 0u);", |d| {
            d[1] = d[0].wrapping_add(5);
            [d[0], d[1], d[2], 0]
        }),
        ("let b = data[1]; data[0] = b ^ 9u; let a = data[0]; out = vec4u(a, b, 0u, 0u);", |d| {
            d[0] = d[1] ^ 9;
            [d[0], d[1], 0, 0]
        }),
        ("let a = data[2]; data[3] = 7u; let b = data[3]; data[3] = 8u; let c = data[3]; let e = data[4];
          out = vec4u(a, b, c, e);", |d| {
            d[3] = 8;
            [d[2], 7, 8, d[4]]
        }),
        ("let at = out.x & 3u; let a = data[at]; data[at + 1u] = a + 1u; let b = data[at + 1u]; let c = data[at + 2u];
          out = vec4u(a, b, c, at);", |d| {
            d[2] = d[1].wrapping_add(1);
            [d[1], d[2], d[3], 1]
        }),
        // Neighbours on one side of a store are still one load.
        ("let a = data[0]; let b = data[1]; data[1] = 4u; let c = data[1]; let e = data[2]; out = vec4u(a, b, c, e);", |d| {
            let b = std::mem::replace(&mut d[1], 4);
            [d[0], b, 4, d[2]]
        }),
    ];
    for (body, expected) in cases {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> data: array<u32, 8>;
            @group(0) @binding(1) var<storage, read_write> out: vec4u;
            @fragment fn fs() {{ {body} }}"
        );
        let mut function = compile(&text, None);
        for round in ["lowered", "optimised"] {
            let mut world = World::random(&function, 5);
            let mut data = [11, 22, 33, 44, 55, 66, 77, 88];
            world.buffers = vec![vec![data.to_vec()], vec![vec![1, 0, 0, 0]]];
            world.run_lanes(&function, 1, 0);
            let wanted = expected(&mut data);
            assert_eq!(world.buffers[1][0], wanted, "{round}: {body}");
            assert_eq!(world.buffers[0][0], data, "{round}: {body}");
            passes::run(&mut function);
        }
        let loads = pipeline::ir::print(&function)
            .matches("load_buffer")
            .count();
        assert!(loads >= 2, "{loads} loads: {body}");
    }
}
