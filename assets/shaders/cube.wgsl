// A textured cube under one light: diffuse, a highlight and some light from everywhere.

struct Scene {
    clip_from_model: mat4x4f,
    world_from_model: mat4x4f,
    // Towards the light.
    light: vec4f,
    eye: vec4f,
}

@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var tiles: texture_2d<f32>;
@group(0) @binding(2) var tiles_sampler: sampler;

struct Corner {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
}

struct Varyings {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
}

@vertex
fn vertex(corner: Corner) -> Varyings {
    var out: Varyings;
    out.clip = scene.clip_from_model * vec4f(corner.position, 1.0);
    out.world = (scene.world_from_model * vec4f(corner.position, 1.0)).xyz;
    out.normal = (scene.world_from_model * vec4f(corner.normal, 0.0)).xyz;
    out.uv = corner.uv;
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let to_eye = normalize(scene.eye.xyz - in.world);
    let half_way = normalize(scene.light.xyz + to_eye);
    let diffuse = max(dot(normal, scene.light.xyz), 0.0);
    let highlight = pow(max(dot(normal, half_way), 0.0), 48.0);
    let albedo = textureSample(tiles, tiles_sampler, in.uv).rgb;
    let color = albedo * (0.25 + 0.85 * diffuse) + vec3f(0.3 * highlight);
    return vec4f(color, 1.0);
}
