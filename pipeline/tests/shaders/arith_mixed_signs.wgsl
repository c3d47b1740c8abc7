// Negative zero, signs through chains of products, and modifiers on both operands.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let x = -abs(a.x) * -a.y;
    let y = -(a.z - -a.w) + abs(-a.x);
    let z = abs(a.x * a.y) - abs(a.z);
    let w = -(-(-a.w * 2.0)) * -0.0 + -abs(-a.y);
    return vec4f(x, y, z, w) - -vec4f(y, x, w, z) * abs(a);
}
