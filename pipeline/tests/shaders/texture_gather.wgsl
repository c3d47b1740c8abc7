// Gathers of every kind.
@group(0) @binding(0) var plain: sampler;
@group(0) @binding(1) var compared: sampler_comparison;
@group(0) @binding(2) var color: texture_2d<f32>;
@group(0) @binding(3) var map: texture_depth_2d;
@group(0) @binding(4) var ids: texture_2d<u32>;

@fragment
fn fs(@location(0) p: vec4f) -> @location(0) vec4f {
    return textureGather(0, color, plain, p.xy) + textureGather(3, color, plain, p.xy, vec2i(2, -1)) + textureGather(map, plain, p.xy)
        + textureGatherCompare(map, compared, p.xy, p.z) + vec4f(textureGather(1, ids, plain, p.zw));
}
