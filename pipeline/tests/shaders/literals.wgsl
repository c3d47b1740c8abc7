// Numbers written in every way there is.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let f = vec4f(0x1.8p3f, 1e-3, .5, 2.) + vec4f(0x.4, 1E+2f, 4, 0xAp-2) * a.x;
    let u = vec4u(0xFFu, 17u, 4294967295u, 0u);
    let i = vec4i(-0x80000000, 2147483647, 0x0i, -1i);
    return f + vec4f((u ^ vec4u(i)) >> vec4u(20u));
}
