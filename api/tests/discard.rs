//! Fragments that are thrown away: in loops that only they would stay in, and behind tests that come before the shader.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// Draws 8x8 pixels with a fragment shader's body.
fn drawn(harness: &Harness, body: &str) -> String {
    let text = format!(
        "{EVERYWHERE}
        @fragment fn fragment(@builtin(position) pos: vec4f) -> @location(0) vec4f {{ {body} }}"
    );
    shape(&harness.draw(&Setup::default(), &text, 3)[0], 8)
}

#[test]
fn loops_of_discarded_lanes_end() {
    let left = "....####\n".repeat(8);
    let column = ".#######\n".repeat(8);
    for harness in Harness::each() {
        let cases = [
            ("if pos.x < 4.0 { loop { discard; } } return vec4f(1.0);", &left),
            ("if pos.x < 1.0 { loop { discard; } } return vec4f(1.0);", &column),
            // Half of a quad goes, and the other takes differences.
            (
                "if pos.x < 1.0 { loop { discard; } } return vec4f(dpdx(pos.x));",
                &column,
            ),
            (
                "var k = 0.0; loop { if pos.x < 4.0 { discard; } else { k += 1.0; } if k > pos.y { break; } }
                 return vec4f(k * dpdy(pos.y));",
                &left,
            ),
        ];
        for (body, wanted) in cases {
            assert_eq!(&drawn(&harness, body), wanted, "{body}");
        }
    }
}

/// A second layer at depth 0.7 over one at 0.5 that was tested and stored before its shader ran.
#[test]
fn early_tests_store_the_early_depth() {
    let bodies = [
        "return Out(vec4f(1.0), 0.9);",
        "if pos.x < 4.0 { discard; } return Out(vec4f(1.0), 0.9);",
        "if pos.x < 4.0 { discard; } return Out(vec4f(1.0), 0.1);",
    ];
    for harness in Harness::each() {
        for body in bodies {
            for early in [true, false] {
                let force = if early {
                    "@early_depth_test(force)"
                } else {
                    ""
                };
                let first = format!(
                    "{EVERYWHERE}
                    struct Out {{ @location(0) color: vec4f, @builtin(frag_depth) depth: f32 }}
                    @fragment {force} fn fragment(@builtin(position) pos: vec4f) -> Out {{ {body} }}"
                );
                let second = format!(
                    "{}@fragment fn fragment() -> @location(0) vec4f {{ return vec4f(0.0, 1.0, 0.0, 1.0); }}",
                    EVERYWHERE.replace("0.5", "0.7")
                );
                let setup = Setup {
                    depth: Some(depth(TextureFormat::Depth32Float, CompareFunction::Less)),
                    ..Setup::default()
                };
                let pipelines = [first, second].map(|text| harness.pipeline(&setup, &text));
                let bytes = harness.record(&setup, |commands| {
                    for pipeline in &pipelines {
                        commands.bind_pipeline(pipeline).unwrap();
                        commands.draw(0..3, 0..1).unwrap();
                    }
                });
                for (at, pixel) in bytes[0].chunks(4).enumerate() {
                    let discarded = body.contains("discard") && at % 8 < 4;
                    let behind = discarded || body.contains("0.9");
                    let wanted = match (early, behind, discarded) {
                        (false, true, _) => [0, 255, 0, 255],
                        (_, _, true) => [0; 4],
                        _ => [255; 4],
                    };
                    assert_eq!(pixel, wanted, "{early} {body} pixel {at}");
                }
            }
        }
    }
}
