// Conversions between all scalar types, saturating ones included.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let i = vec4i(a * 1e9);
    let u = vec4u(b * 1e9);
    return vec4f(i) + vec4f(u) + vec4f(vec4i(u)) + vec4f(vec4u(i)) + vec4f(vec4<bool>(i)) + vec4f(vec4<bool>(a));
}
