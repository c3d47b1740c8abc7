// Logic on bools and vectors of bools.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let x = a < b;
    let y = a.wzyx > b;
    let z = (x & y) | !x;
    let w = select(z.x && y.y, z.z || !y.w, x.x == y.x);
    return select(a, b, z) + f32(w) + f32(all(x)) + 2.0 * f32(any(y)) + f32(x.y != y.z);
}
