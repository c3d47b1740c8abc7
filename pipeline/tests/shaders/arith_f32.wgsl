// Float arithmetic on vectors and scalars.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let sum = a + b * 2.0 - a.wzyx / (b + 3.0);
    return -sum % vec4f(5.0, 4.0, 3.0, 2.0) + 0.5 * a.x;
}
