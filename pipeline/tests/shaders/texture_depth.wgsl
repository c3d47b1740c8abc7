// Depth textures, plain and compared.
@group(0) @binding(0) var plain: sampler;
@group(0) @binding(1) var compared: sampler_comparison;
@group(0) @binding(2) var map: texture_depth_2d;
@group(0) @binding(3) var maps: texture_depth_2d_array;
@group(0) @binding(4) var around: texture_depth_cube;

@fragment
fn fs(@location(0) p: vec4f, @location(1) @interpolate(flat) n: u32) -> @location(0) vec4f {
    let a = textureSample(map, plain, p.xy) + textureSampleLevel(map, plain, p.xy, 1);
    let b = textureSampleCompare(map, compared, p.xy, p.z) + textureSampleCompareLevel(maps, compared, p.xy, n, p.z);
    let c = textureSampleCompare(around, compared, p.xyz, p.w) + textureLoad(map, vec2u(n), 0);
    return vec4f(a, b, c, 1.0);
}
