// Structures made, copied, compared part by part, passed and returned.
struct Ray {
    origin: vec3f,
    direction: vec3f,
}
struct Pair {
    ray: Ray,
    scale: array<f32, 2>,
}

fn turned(ray: Ray) -> Ray {
    return Ray(ray.direction, -ray.origin);
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    var p = Pair(Ray(a.xyz, b.xyz), array(a.w, b.w));
    let q = p;
    p.ray = turned(p.ray);
    p.scale[1] = q.scale[0];
    return vec4f(p.ray.direction + q.ray.origin, p.scale[0] * p.scale[1]);
}
