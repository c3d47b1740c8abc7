// Several colours, depth and a sample mask from one struct.
struct Result {
    @location(0) color: vec4f,
    @location(2) pair: vec2f,
    @location(3) number: vec4u,
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) mask: u32,
}
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> Result {
    return Result(a.wzyx, a.xy * 2.0, n + vec4u(1u), fract(abs(a.z)), n.x | 1u);
}
