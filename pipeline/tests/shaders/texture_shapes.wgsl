// Textures of every shape, sampled.
@group(0) @binding(0) var s: sampler;
@group(0) @binding(1) var line: texture_1d<f32>;
@group(0) @binding(2) var layers: texture_2d_array<f32>;
@group(0) @binding(3) var volume: texture_3d<f32>;
@group(0) @binding(4) var sky: texture_cube<f32>;
@group(0) @binding(5) var skies: texture_cube_array<f32>;

@fragment
fn fs(@location(0) p: vec4f, @location(1) @interpolate(flat) n: vec2i) -> @location(0) vec4f {
    return textureSample(line, s, p.x) + textureSample(layers, s, p.xy, n.x) + textureSample(volume, s, p.xyz, vec3i(1, 0, -1))
        + textureSample(sky, s, p.xyz) + textureSample(skies, s, p.xyz, n.y) + textureSampleLevel(layers, s, p.xy, u32(n.y), p.w);
}
