// Functions that work component by component, on vectors of two and three.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let p = abs(a.xy) + ceil(a.yz) - floor(a.zw) + round(a.wx) * trunc(a.xz) + fract(a.yw);
    let q = degrees(a.xyz) * 0.01 + radians(a.yzw) + sign(a.zwx) + saturate(a.wxy);
    let r = vec2f(abs(n.xy)) + vec2f(sign(n.zw)) + vec2f(min(n.xy, n.zw) & vec2i(7));
    return vec4f(p + r, q.x + q.y, q.z);
}
