// Vectors and matrices made of scalars, parts and one another.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let v = vec4f(vec2f(a.x), a.yz) + vec4f(a.x, vec3f(a.w)) + vec4f(vec3f(a.yz, 1.0), 2.0);
    let m = mat2x2f(v.x, v.y, v.z, v.w) * mat2x2f(vec2f(a.x, a.y), vec2f(1.0));
    let z = mat4x3f() + mat4x3f(a.xyz, a.yzw, a.zwx, a.wxy);
    let w = mat3x3f(mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)) * z[2];
    return vec4f(m[0], w.xy) + vec4f(vec4i(vec2i(n.x), n.yz));
}
