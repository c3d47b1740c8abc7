// Directions turned at surfaces, and lengths.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let v = normalize(a.xyz + vec3f(0.01));
    let w = normalize(a.yzw - vec3f(0.02));
    let r = reflect(v, w) + refract(v, w, 0.7) + faceForward(v, w, a.zwx);
    return vec4f(r, length(a.xy) + distance(a.xyz, a.yzw) + length(a.x));
}
