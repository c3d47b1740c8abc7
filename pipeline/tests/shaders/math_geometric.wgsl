// dot, cross, length, distance, normalize, reflect, refract, faceForward.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let n = normalize(b.xyz + vec3f(0.0, 0.0, 20.0));
    let r = reflect(a.xyz, n) + refract(normalize(a.xyz + 20.0), n, 0.7) + cross(a.xyz, b.yzw) + faceForward(n, a.xyz, n);
    return vec4f(r, dot(a, b) + length(a) + distance(a.xy, b.xy) + length(a.x));
}
