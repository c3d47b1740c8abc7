// A loop with a run-time trip count and an early end.
struct Area {
    centre: vec2f,
    scale: f32,
    steps: u32,
}
@group(0) @binding(0) var<uniform> area: Area;

@fragment
fn fs(@location(0) at: vec2f) -> @location(0) vec4f {
    let c = area.centre + at * area.scale;
    var z = vec2f(0.0);
    var i = 0u;
    for (; i < area.steps; i++) {
        if dot(z, z) > 4.0 {
            break;
        }
        z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    }
    let shade = f32(i) / f32(area.steps);
    return vec4f(shade, shade * shade, sqrt(shade), 1.0);
}
