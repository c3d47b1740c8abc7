// Bytes packed as integers, and their dot products.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4u, @location(1) @interpolate(flat) b: vec4u) -> @location(0) vec4u {
    let i = bitcast<vec4i>(a);
    let x = pack4xI8(i) ^ pack4xI8Clamp(i);
    let y = pack4xU8(b) ^ pack4xU8Clamp(b);
    return unpack4xU8(x) + bitcast<vec4u>(unpack4xI8(y)) + dot4U8Packed(x, y) + bitcast<u32>(dot4I8Packed(a.x, b.y));
}
