// Levels chosen by bias, by gradients and by number, with and without offsets.
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var layers: texture_2d_array<f32>;
@group(0) @binding(2) var volume: texture_3d<f32>;
@group(0) @binding(3) var s: sampler;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec2u) -> @location(0) vec4f {
    return textureSampleBias(t, s, a.xy, a.z) + textureSampleGrad(t, s, a.xy, a.zw * 0.05, a.yx * 0.05, vec2i(2, -3))
        + textureSampleLevel(t, s, a.zw, a.x * 0.25, vec2i(-8, 7)) + textureSampleBias(layers, s, a.yz, n.x, 1.5, vec2i(1))
        + textureSampleGrad(layers, s, a.xz, n.y, a.xy * 0.1, a.zw * 0.1) + textureSampleGrad(volume, s, a.xyz, a.yzw * 0.1, a.zwx * 0.1);
}
