// A lit, textured cube: uniforms, matrices, vertex inputs, a sampled texture, a directional light.
struct Camera {
    view_projection: mat4x4f,
    model: mat4x4f,
    normal: mat3x3f,
    light: vec3f,
    ambient: f32,
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var surface: texture_2d<f32>;
@group(0) @binding(2) var filtering: sampler;

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) uv: vec2f,
}

@vertex
fn vs(
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
) -> Varyings {
    var out: Varyings;
    let world = camera.model * vec4f(position, 1.0);
    out.position = camera.view_projection * world;
    out.normal = camera.normal * normal;
    out.uv = uv;
    return out;
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let light = max(dot(normal, normalize(camera.light)), 0.0) + camera.ambient;
    let color = textureSample(surface, filtering, in.uv);
    return vec4f(color.rgb * light, color.a);
}
