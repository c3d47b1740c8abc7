// A depth beside forced early tests: what was tested has been stored, so none is exported.
struct Out { @location(0) color: vec4f, @builtin(frag_depth) depth: f32 }

@fragment
@early_depth_test(force)
fn fs(@location(0) a: vec4f) -> Out {
    if a.x < 0.0 { discard; }
    return Out(a, a.y);
}
