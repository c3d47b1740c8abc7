// select on every type, with scalar and vector conditions.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let f = select(a, a.wzyx, a > vec4f(0.0));
    let i = select(n, -n, n.x > n.y);
    let u = select(vec2u(n.xy), vec2u(7u), vec2<bool>(true, n.z == 3));
    let b = select(a.x > 1.0, a.y > 1.0, n.w > 0);
    let least = select(n.x, n.y, n.y < n.x) + select(n.z, n.w, n.z < n.w);
    return f + vec4f(i & vec4i(15)) + vec4f(vec2f(u & vec2u(15u)), select(1.0, 2.0, b), f32(least & 31));
}
