// Every way of interpolation.
@fragment
fn fs(
    @location(0) a: f32,
    @location(1) @interpolate(perspective, centroid) b: vec2f,
    @location(2) @interpolate(linear) c: f32,
    @location(3) @interpolate(linear, centroid) d: f32,
    @location(4) @interpolate(flat) e: vec2f,
    @location(5) @interpolate(flat) f: u32,
) -> @location(0) vec4f {
    return vec4f(a + b.x, b.y + c, d + e.x, e.y + f32(f));
}
