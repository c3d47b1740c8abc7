// Storage textures of many formats written and read.
@group(0) @binding(0) var a: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var b: texture_storage_2d<rgba16float, write>;
@group(0) @binding(2) var c: texture_storage_3d<rg32float, write>;
@group(0) @binding(3) var d: texture_storage_1d<rgba32sint, write>;
@group(0) @binding(4) var e: texture_storage_2d_array<rgba16uint, write>;
@group(0) @binding(5) var f: texture_storage_2d<r32float, read_write>;
@group(0) @binding(6) var g: texture_storage_2d<rgba8snorm, read>;
@fragment
fn fs(@location(0) v: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let at = n.xy & vec2i(15);
    textureStore(a, at, v);
    textureStore(b, at.yx, clamp(v, vec4f(-9.0), vec4f(9.0)));
    textureStore(c, n.xyz & vec3i(7), v);
    textureStore(d, n.w & 31, n);
    textureStore(e, at, n.z & 3, vec4u(n & vec4i(0xffff)));
    let old = textureLoad(f, at);
    textureStore(f, n.zw & vec2i(7), v * 2.0);
    return old + textureLoad(g, n.yz & vec2i(15));
}
