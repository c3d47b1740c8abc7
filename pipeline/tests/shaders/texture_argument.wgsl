// Textures and samplers handed to functions.
@group(0) @binding(0) var first: texture_2d<f32>;
@group(0) @binding(1) var second: texture_2d<f32>;
@group(0) @binding(2) var plain: sampler;
@group(0) @binding(3) var depth: texture_depth_2d;
@group(0) @binding(4) var compare: sampler_comparison;
fn twice(t: texture_2d<f32>, s: sampler, uv: vec2f) -> vec4f { return textureSample(t, s, uv) + textureSampleLevel(t, s, uv * 2.0, 0.0); }
fn shade(t: texture_depth_2d, s: sampler_comparison, uv: vec2f, z: f32) -> f32 { return textureSampleCompareLevel(t, s, uv, z); }
@fragment
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    return twice(first, plain, a.xy) - twice(second, plain, a.zw) * shade(depth, compare, a.xy, 0.5);
}
