// Depth arrays compared, gathered, loaded and sampled.
@group(0) @binding(0) var d: texture_depth_2d_array;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var c: sampler_comparison;
@group(0) @binding(3) var many: texture_depth_multisampled_2d;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let x = textureSampleCompare(d, c, a.xy, n.x & 3, a.z) + textureSampleCompareLevel(d, c, a.zw, 1, 0.5, vec2i(1, -1));
    let y = textureSample(d, s, a.yz, n.y) + textureSampleLevel(d, s, a.xw, 2, 1);
    let z = textureLoad(d, n.xy & vec2i(15), n.z & 3, 0) + textureLoad(many, n.zw & vec2i(7), n.x & 3);
    return vec4f(x, y, z, 0.0) + textureGather(d, s, a.xy, 1) + textureGatherCompare(d, c, a.zw, n.w & 1, a.x);
}
