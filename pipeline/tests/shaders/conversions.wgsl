// Every scalar type to every other, with values that do not fit.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = vec4u(a * 1.0e9);
    let i = vec4i(a * -3.0e9);
    let b = vec4<bool>(n);
    let f = vec4f(u) * 1.0e-9 + vec4f(i) * 1.0e-9 + vec4f(b);
    return f + vec4f(vec4u(b)) + vec4f(vec4i(vec4u(n)) >> vec4u(8u)) * 1.0e-7 + vec4f(vec4<bool>(a)) + vec4f(vec4u(n) >> vec4u(1u)) * 1.0e-9;
}
