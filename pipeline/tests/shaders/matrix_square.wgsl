// Products of square matrices and vectors, transpose, determinant.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let m = mat4x4f(a, b, a.wzyx, b.zwxy);
    let n = mat2x2f(a.xy, b.zw);
    let p = m * transpose(m) * a + b * m;
    return p + determinant(n) + vec4f(n * a.xy, b.xy * n) + vec4f(determinant(mat3x3f(a.xyz, b.xyz, a.yzw)));
}
