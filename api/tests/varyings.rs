//! What the vertex stage hands over to the fragment stage: by location, in as many components as are read.

#![allow(clippy::unwrap_used)]

mod harness;

use harness::*;

/// Draws one triangle over everything with these outputs and inputs, and gives the pixel that all are.
fn drawn(harness: &Harness, outputs: &[(u32, u32)], inputs: &[(u32, u32)]) -> Vec<u8> {
    let pixels = harness.draw(&Setup::default(), &shader(outputs, inputs), 3);
    let first = pixels[0][..4].to_vec();
    assert!(pixels[0].chunks(4).all(|pixel| pixel == first));
    first
}

/// Component `c` of location `l` is ((5 l + 3 c) modulo 16) / 16; inputs are summed with a weight for each, so that exchanged ones
/// are seen.
fn shader(outputs: &[(u32, u32)], inputs: &[(u32, u32)]) -> String {
    let ty = |components: u32| match components {
        1 => "f32".to_owned(),
        n => format!("vec{n}f"),
    };
    let fields = |list: &[(u32, u32)]| -> String {
        let field = |(location, count): &(u32, u32)| {
            format!("@location({location}) v{location}: {},", ty(*count))
        };
        list.iter().map(field).collect()
    };
    let stores: String = outputs
        .iter()
        .map(|&(location, count)| {
            let parts = (0..count).map(|c| format!("{:?}", part(location, c)));
            let parts = parts.collect::<Vec<_>>().join(", ");
            format!("out.v{location} = {}({parts});", ty(count))
        })
        .collect();
    let sums: String = (0..)
        .zip(inputs)
        .map(|(at, (location, count))| {
            let of = match count {
                1 => format!("vec4f(in.v{location}, 0.0, 0.0, 0.0)"),
                2 => format!("vec4f(in.v{location}, 0.0, 0.0)"),
                3 => format!("vec4f(in.v{location}, 0.0)"),
                _ => format!("in.v{location}"),
            };
            format!("sum += {:?} * {of};", weight(at))
        })
        .collect();
    format!(
        "struct Out {{ @builtin(position) position: vec4f, {} }}
        struct In {{ {} }}
        @vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {{
            var out: Out;
            out.position = vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
            {stores}
            return out;
        }}
        @fragment fn fragment(in: In) -> @location(0) vec4f {{
            var sum = vec4f();
            {sums}
            return sum;
        }}",
        fields(outputs),
        fields(inputs),
    )
}

fn part(location: u32, component: u32) -> f32 {
    ((5 * location + 3 * component) % 16) as f32 / 16.0
}

fn weight(at: u32) -> f32 {
    [0.5, 0.25, 0.125, 0.0625][at as usize]
}

fn expected(inputs: &[(u32, u32)]) -> Vec<u8> {
    let sum = |component: u32| {
        let has = (0..)
            .zip(inputs)
            .filter(|(_, (_, count))| component < *count);
        has.map(|(at, (location, _))| weight(at) * part(*location, component))
            .sum::<f32>()
    };
    (0..4).map(|c| (sum(c) * 255.0).round() as u8).collect()
}

/// Locations with their components.
type Varyings = &'static [(u32, u32)];

#[test]
fn varyings_are_joined_by_location() {
    let cases: [(Varyings, Varyings); 7] = [
        (&[(1, 4), (5, 4)], &[(1, 4), (5, 4)]),
        (&[(1, 4), (5, 4)], &[(5, 4), (1, 4)]),
        (&[(1, 4), (5, 4)], &[(5, 4)]),
        (&[(5, 4), (1, 4), (3, 2)], &[(1, 4), (5, 4)]),
        (
            &[(0, 1), (1, 3), (4, 2), (5, 4), (7, 4)],
            &[(5, 4), (7, 4), (1, 3)],
        ),
        // Fewer components are read than written.
        (&[(1, 4), (5, 4)], &[(1, 2), (5, 1)]),
        (&[(2, 3), (5, 2)], &[(5, 2), (2, 3)]),
    ];
    for harness in Harness::each() {
        for (outputs, inputs) in cases {
            let found = drawn(&harness, outputs, inputs);
            assert_eq!(found, expected(inputs), "{outputs:?} to {inputs:?}");
        }
    }
}

/// More components than are written, or a location that is not, are errors with the numbers.
#[test]
fn inputs_need_their_outputs() {
    for harness in Harness::each() {
        for wanted in 1..=4 {
            for found in 1..=4 {
                let text = shader(&[(1, 4), (5, found)], &[(1, 4), (5, wanted)]);
                let made = harness.try_pipeline(&Setup::default(), &text);
                if wanted <= found {
                    made.unwrap();
                    continue;
                }
                let shown = made.unwrap_err().to_string();
                let name = |components| match components {
                    1 => "f32".to_owned(),
                    _ => format!("vec{components}<f32>"),
                };
                let (wanted, found) = (name(wanted), name(found));
                let numbers =
                    format!("@location(5) is {wanted}, but the vertex shader writes {found}");
                assert!(shown.contains(&numbers), "{shown}");
            }
        }
        let text = shader(&[(1, 4), (5, 4)], &[(1, 4), (4, 4)]);
        let shown = harness
            .try_pipeline(&Setup::default(), &text)
            .unwrap_err()
            .to_string();
        assert!(shown.contains("@location(4) is not written"), "{shown}");
    }
}
