// Single components written one after another, and vectors put together from swizzles.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var v = a.wzyx;
    v.x = v.y + v.z;
    v[2] = v.x * 2.0;
    v.w -= a.w;
    let pair = v.xz;
    v = vec4f(pair.yx, v.yw).zwxy;
    return v.rgba + v.abgr;
}
