// Sums of products that may become one instruction, and ones that may not.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let p = a.x * a.y;
    let q = p + a.z;
    let r = p - a.w;
    let s = a.z - a.x * a.w;
    let t = a.x * 3.5 + 0.25;
    let u = 7.75 + a.y * a.y;
    return vec4f(q + r, s * t, fma(a.x, a.y, -a.z), u * p + 2.0 * a.w);
}
