// Implicit, biased and explicit levels, gradients, offsets.
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;

@fragment
fn fs(@location(0) uv: vec2f, @location(1) k: vec4f) -> @location(0) vec4f {
    let base = textureSample(t, s, uv) + textureSample(t, s, uv * 2.0, vec2i(1, -2));
    let biased = textureSampleBias(t, s, uv, k.x) + textureSampleBias(t, s, uv, k.y, vec2i(-1, 3));
    let level = textureSampleLevel(t, s, uv, k.z) + textureSampleLevel(t, s, uv, 0.0);
    return base + biased + level + textureSampleGrad(t, s, uv, k.xy * 0.1, k.zw * 0.1) + textureSampleBaseClampToEdge(t, s, uv);
}
