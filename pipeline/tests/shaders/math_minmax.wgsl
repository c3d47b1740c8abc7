// min, max and clamp of every kind.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let i = clamp(vec4i(a), vec4i(-3), vec4i(b)) + min(vec4i(a), vec4i(b)) + max(vec4i(a), vec4i(2));
    let u = clamp(vec4u(a), vec4u(1), vec4u(9)) + min(vec4u(a), vec4u(b)) + max(vec4u(a), vec4u(2));
    return clamp(a, vec4f(-1.0), vec4f(1.0)) + clamp(b, a, vec4f(4.0)) + min(a, b) + max(a, b) + vec4f(i) + vec4f(u);
}
