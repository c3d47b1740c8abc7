// fma, mix with scalar and vector weights, step and smoothstep.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let f = fma(a, a.yzwx, -a.zwxy) + fma(vec4f(2.0), a, vec4f(0.5));
    let m = mix(a, a.wzyx, 0.25) + mix(a, f, fract(a)) - mix(vec4f(1.0), vec4f(0.0), a.x);
    let s = step(a, a.yzwx) + smoothstep(vec4f(-1.0), vec4f(2.0), a) + smoothstep(vec4f(3.0), vec4f(-3.0), a);
    return f + m * s;
}
