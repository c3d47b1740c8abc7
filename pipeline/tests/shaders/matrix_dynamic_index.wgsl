// Matrix columns and elements indexed at run time.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f, @location(2) @interpolate(flat) n: vec2u) -> @location(0) vec4f {
    var m = mat4x4f(a, b, a.yzwx, b.yzwx);
    m[n.x & 3][n.y & 3] = 7.0;
    m[n.y] = a;
    return m[n.x & 3] + m[2][n.y & 3];
}
