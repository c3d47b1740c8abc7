// Cubes with bias and explicit levels.
@group(0) @binding(0) var sky: texture_cube<f32>;
@group(0) @binding(1) var skies: texture_cube_array<f32>;
@group(0) @binding(2) var s: sampler;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: u32) -> @location(0) vec4f {
    return textureSampleBias(sky, s, a.xyz, -0.5) + textureSampleLevel(sky, s, a.yzw, 1.25) * textureSampleLevel(skies, s, a.wxy, n, a.x) + textureSampleBias(skies, s, a.zyx, n & 1u, 0.5);
}
