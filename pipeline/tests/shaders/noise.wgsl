// Value noise: hashes, floors, interpolation, octaves.
fn hash(p: vec2i) -> f32 {
    var n = u32(p.x) * 73856093u ^ u32(p.y) * 19349663u;
    n = (n ^ (n >> 13u)) * 1274126177u;
    return f32(n >> 8u) / 16777216.0;
}

fn noise(p: vec2f) -> f32 {
    let i = vec2i(floor(p));
    let f = fract(p);
    let u = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(i), hash(i + vec2i(1, 0)), u.x);
    let high = mix(hash(i + vec2i(0, 1)), hash(i + vec2i(1, 1)), u.x);
    return mix(low, high, u.y);
}

@fragment
fn fs(@location(0) p: vec2f) -> @location(0) vec4f {
    var at = p;
    var sum = 0.0;
    var size = 0.5;
    for (var i = 0; i < 5; i++) {
        sum += noise(at) * size;
        at *= 2.03;
        size *= 0.5;
    }
    return vec4f(vec3f(sum), 1.0);
}
