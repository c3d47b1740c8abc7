// Floats clamped and saturated, with limits in and out of order.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let s = saturate(a) + clamp(a, vec4f(0.0), vec4f(1.0));
    let c = clamp(a, vec4f(-2.5), vec4f(3.0)) + min(max(a.wzyx, vec4f(-1.0)), vec4f(1.5));
    let three = min(min(a.x, a.y), a.z) + max(a.y, max(a.z, a.w));
    return s + c * three + clamp(-a, min(a.yzwx, a), max(a.yzwx, a));
}
