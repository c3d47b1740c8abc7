// Vertex attributes of every type.
struct Out {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(2) @interpolate(flat) ids: vec3i,
    @location(5) @interpolate(flat) mask: u32,
}

@vertex
fn vs(@location(0) a: f32, @location(1) b: vec2f, @location(2) c: vec3i, @location(4) d: vec4u, @location(5) e: u32) -> Out {
    return Out(vec4f(b, a, 1.0), vec4f(d), c * 2, e ^ d.x);
}
