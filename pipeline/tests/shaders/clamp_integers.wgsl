// Integers clamped between constants and between values, and minima and maxima of three.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let c = clamp(n, vec4i(-5), vec4i(9)) + max(min(n.wzyx, vec4i(100)), vec4i(-100));
    let u = clamp(vec4u(n), vec4u(3u), vec4u(200u)) + min(max(vec4u(n.yxwz), vec4u(7u)), vec4u(70u));
    let d = clamp(n, min(n.yzwx, n.zwxy), max(n.yzwx, n.zwxy));
    let three = min(min(n.x, n.y), n.z) ^ max(n.y, max(n.z, n.w));
    return vec4f(c) + vec4f(u) + vec4f(d & vec4i(255)) + f32(three & 0xfff) + a * 0.0;
}
