// Shadows from an array of depth cubes.
@group(0) @binding(0) var shadows: texture_depth_cube_array;
@group(0) @binding(1) var compare: sampler_comparison;
@group(0) @binding(2) var plain: texture_depth_cube;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) layer: i32) -> @location(0) vec4f {
    let s = textureSampleCompareLevel(shadows, compare, a.xyz, layer, 0.5);
    let t = textureSampleCompare(plain, compare, a.yzw, a.x);
    return vec4f(s, t, textureGatherCompare(shadows, compare, a.zyx, 1, 0.25).xy);
}
