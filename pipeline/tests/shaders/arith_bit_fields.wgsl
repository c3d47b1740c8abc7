// Shifts and masks that take fields out of words and put them in.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = vec4u(n);
    let out = vec4u((u.x >> 5u) & 0x3fu, u.y >> 24u & 0xffu, (u.z << 8u) >> 20u, (u.w >> 3u) & 0x1fffffffu);
    let signed = vec4i((n.x << 12u) >> 20u, (n.y << 24u) >> 24u, (n.z << 1u) >> 1u, n.w << 3u >> 1u);
    let merged = (u & vec4u(0x00ff00ffu)) | (u.yzwx & vec4u(0xff00ff00u));
    let without = u & ~u.wzyx | ~(u ^ u.zwxy);
    return vec4f(out) + vec4f(signed & vec4i(0xfff)) + vec4f((merged ^ without) & vec4u(0xffffu)) + a * 0.0;
}
