// Two sources for blending.
enable dual_source_blending;

struct Out {
    @location(0) @blend_src(0) color: vec4f,
    @location(0) @blend_src(1) factor: vec4f,
}

@fragment
fn fs(@location(0) a: vec4f) -> Out {
    return Out(a, a.wzyx * 0.5);
}
