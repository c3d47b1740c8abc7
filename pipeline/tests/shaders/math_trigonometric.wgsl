// sin, cos, tan and their inverses.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let n = clamp(a, vec4f(-1.0), vec4f(1.0));
    return sin(a) + cos(b) + tan(a * 0.05) + asin(n) + acos(n) + atan(b) + atan2(a, b);
}
