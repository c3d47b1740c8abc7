// modf, frexp, ldexp, quantizeToF16.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let m = modf(a);
    let e = frexp(b);
    return m.fract + m.whole + e.fract + vec4f(e.exp) + ldexp(a, e.exp) + quantizeToF16(b);
}
