// Swizzles read and components written.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    var v = a.wzyx;
    v.x = b.y;
    v[2] += a.bgra.r;
    let s = v.xxyy * b.zwzw;
    return vec4f(s.zw, s.xy) + vec4f(a.xyz.zyx, 1.0);
}
