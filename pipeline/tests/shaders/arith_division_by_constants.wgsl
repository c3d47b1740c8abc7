// Division and remainder by constants of all kinds, signed and not.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = vec4u(n);
    var sum = u / vec4u(3u, 7u, 10u, 641u) + u % vec4u(5u, 300u, 1000003u, 2147483649u);
    sum ^= u / vec4u(4294967295u, 12u, 28u, 96u) * (u % vec4u(6u, 14u, 31u, 33u));
    let s = n / vec4i(3, -7, 10, -641) + n % vec4i(-5, 300, 12, 2147483647);
    return vec4f(sum & vec4u(0xffffu)) + vec4f(s & vec4i(0xffff)) + a * 0.0;
}
