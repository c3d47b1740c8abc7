// Integers that pass the ends of their range.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let most = vec4i(2147483647) + n;
    let least = -n - vec4i(2147483647);
    let product = n * vec4i(65537) * n;
    let u = vec4u(n) - vec4u(1u, 2u, 3u, 0xffffffffu);
    return vec4f((most ^ least ^ product) & vec4i(0xffff)) + vec4f(u >> vec4u(16u)) + a * 0.0;
}
