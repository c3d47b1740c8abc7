//! Primitives all over a picture, as they are and through geometry shaders that emit what they get.

use girih::*;

use crate::harness::Setup;

/// Vertices all over the picture, with colours; flat ones are of the provoking vertex.
pub const SCATTERED: &str = "
    enable primitive_index;
    struct Vertex {
        @builtin(position) at: vec4f,
        @location(0) color: vec3f,
        @location(1) @interpolate(flat) number: u32,
    }
    @vertex fn vertex(@builtin(vertex_index) i: u32) -> Vertex {
        let r = vec4u(i * 7919u + 13u, i * 104729u + 7u, i * 1299709u, i * 15485863u) % vec4u(997u);
        let f = vec4f(r) / 997.0;
        let w = 0.5 + f.w;
        return Vertex(vec4f((f.xy * 2.2 - 1.1) * w, f.z * w, w), f.zxy, i);
    }
    @fragment fn fragment(v: Vertex, @builtin(primitive_index) primitive: u32) -> @location(0) vec4f {
        return vec4f(v.color, f32((v.number * 37u + primitive * 11u) % 256u) / 255.0);
    }
    fn emit_vertex(v: Vertex) {}
    fn end_primitive() {}
";

/// Draws primitives of all topologies as they are and through a copy, of which `draw` is told the vertices of a primitive and what
/// it emits: the pictures are the same.
pub fn copies_draw_the_same(
    mut draw: impl FnMut(&Setup<'_>, Option<(u32, GeometryOutput)>) -> Vec<u8>,
) {
    use GeometryOutput as Out;
    use PrimitiveTopology as In;
    let kinds = [
        (In::PointList, 1, Out::Points),
        (In::LineList, 2, Out::LineStrip),
        (In::LineStrip, 2, Out::LineStrip),
        (In::TriangleList, 3, Out::TriangleStrip),
        (In::TriangleStrip, 3, Out::TriangleStrip),
    ];
    for provoking_vertex in [ProvokingVertex::First, ProvokingVertex::Last] {
        for (topology, vertices, output) in kinds {
            let setup = Setup {
                size: [64, 64],
                raster: RasterState {
                    provoking_vertex,
                    ..RasterState::default()
                },
                ..Setup::topology(topology)
            };
            let plain = draw(&setup, None);
            let copied = draw(&setup, Some((vertices, output)));
            let which = format!("{topology:?} {provoking_vertex:?}");
            assert!(plain == copied, "{which}");
            assert!(plain.iter().any(|byte| *byte != 0), "{which}");
        }
    }
}
