// Textures of integers loaded by texel, level and layer, inside and outside.
@group(0) @binding(0) var i: texture_2d<i32>;
@group(0) @binding(1) var u: texture_2d_array<u32>;
@group(0) @binding(2) var v: texture_3d<u32>;
@group(0) @binding(3) var line: texture_1d<i32>;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4i) -> @location(0) vec4i {
    return textureLoad(i, n.xy, n.z & 3) + vec4i(textureLoad(u, n.yz & vec2i(15), n.w, 1)) + vec4i(textureLoad(v, n.xyz & vec3i(15), 0)) + textureLoad(line, n.w & 31, 0);
}
