// Components of vectors and columns of matrices visited by a loop.
@group(0) @binding(0) var<uniform> m: mat4x4f;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var sum = 0.0;
    for (var i = 0; i < 4; i++) { sum += a[i] * f32(n[3 - i] & 7); }
    var trace = 0.0;
    for (var i = 0; i < 4; i++) { for (var j = 0; j <= i; j++) { trace += m[i][j] * a[j]; } }
    return vec4f(sum, trace, m[n.x & 3].y, m[1][n.y & 3]);
}
