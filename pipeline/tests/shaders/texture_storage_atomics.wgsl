// Atomic operations on the texels of storage textures.
@group(0) @binding(0) var u: texture_storage_2d<r32uint, atomic>;
@group(0) @binding(1) var i: texture_storage_2d<r32sint, atomic>;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let at = n.xy & vec2i(15);
    textureAtomicAdd(u, at, u32(n.z));
    textureAtomicMax(u, at.yx, u32(n.w));
    textureAtomicXor(u, at & vec2i(3), 5u);
    textureAtomicMin(i, at, n.z);
    textureAtomicAnd(i, at.yx, n.w);
    textureAtomicOr(i, at & vec2i(3), 8);
    return vec4f(n);
}
