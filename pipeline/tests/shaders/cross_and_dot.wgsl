// Products of vectors of every length, also of integers.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let c = cross(a.xyz, a.yzw);
    let d = dot(a.xy, a.zw) + dot(a.xyz, c) + dot(a, a.wzyx);
    let i = dot(n, n.yzwx) ^ dot(n.xyz, n.wzy);
    let u = dot(vec2u(n.xy), vec2u(n.zw));
    return vec4f(c, d) + f32(i & 0xff) + f32(u & 0xffu);
}
