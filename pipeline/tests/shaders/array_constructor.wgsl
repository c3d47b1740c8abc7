// Arrays made in place, with types that follow from their elements.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let plain = array(a.x, a.y, a.z);
    let nested = array<array<f32, 2>, 2>(array(a.w, 1.0), array(plain[2], plain[0]));
    let whole = array<vec2i, 2>();
    return vec4f(plain[u32(n.x) % 3u], nested[n.y & 1][n.z & 1], f32(whole[1].x), plain[1]);
}
