// A vertex stage that only computes, from instance data of every component type.
@vertex
fn vs(
    @location(0) f: f32,
    @location(1) v: vec2f,
    @location(2) i: vec3i,
    @location(3) u: vec4u,
    @location(5) s: i32,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> @builtin(position) @invariant vec4f {
    let t = f32((i.x ^ i.y ^ i.z ^ s) & 63) + f32(u.x >> 28u) + f32(u.w & 3u);
    return vec4f(v * f, t, f32(index + instance) + 1.0);
}
