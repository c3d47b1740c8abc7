// Fragments thrown away; what follows still helps with derivatives.
@fragment
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    if a.x > 0.5 {
        discard;
    }
    return vec4f(dpdx(a.y), a.zw, 1.0);
}
