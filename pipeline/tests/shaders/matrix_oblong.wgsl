// Every shape of product of matrices that are not square.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let m = mat3x2f(a.xy, b.xy, a.zw);
    let n = mat2x4f(a, b);
    let k = n * m;
    return k * a.xyz + vec4f(m * b.xyz, dot(a.xy, m[0]), 1.0) + n[1] + (a * n).xyxy + (m - m * 2.0 + 0.5 * m)[2].xyxy;
}
