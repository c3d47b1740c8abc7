// Depth and sample mask written by the shader.
struct Out {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) mask: u32,
}

@fragment
fn fs(@location(0) a: vec4f) -> Out {
    return Out(a, saturate(a.x * 0.1), select(0u, 1u, a.y > 0.0));
}
