// Matrices of all shapes with one another, with vectors and scalars, on either side.
@group(0) @binding(0) var<uniform> m: mat4x3f;
@group(0) @binding(1) var<uniform> k: mat2x4f;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let p = m * a;
    let q = a.xyz * m;
    let r = k * a.xy + q;
    let s = transpose(m) * p - r * k[1].x;
    let t = (m + m * 2.0 - 0.5 * m)[2];
    return vec4f(determinant(mat2x2f(a.xy, a.zw)), determinant(mat3x3f(m[0], m[1], t)), (s * k).x, p.z);
}
