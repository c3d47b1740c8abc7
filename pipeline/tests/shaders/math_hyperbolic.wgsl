// sinh, cosh, tanh and their inverses.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let n = clamp(a, vec4f(-0.9), vec4f(0.9));
    return sinh(n) + cosh(n) + tanh(b) + asinh(a) + acosh(abs(b) + 1.0) + atanh(n);
}
