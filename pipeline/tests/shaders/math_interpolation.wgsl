// mix, step, smoothstep, fma, degrees, radians.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    return mix(a, b, 0.25) + mix(a, b, a.wzyx) + step(a, b) + smoothstep(vec4f(-2.0), vec4f(3.0), a) + fma(a, b, a) + degrees(a) + radians(b);
}
