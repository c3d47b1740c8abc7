// Packing four numbers into a word and back, signed and not.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = pack4x8unorm(a * 0.1 + 0.5);
    let s = pack4x8snorm(a * 0.1);
    let c = unpack4xI8(u32(n.x)) + unpack4xI8(pack4xI8(n)) - unpack4xI8(pack4xI8Clamp(n));
    let d = unpack4xU8(pack4xU8(vec4u(n))) ^ unpack4xU8(pack4xU8Clamp(vec4u(n)));
    return unpack4x8unorm(u ^ s) + unpack4x8snorm(s) + vec4f(c) + vec4f(d) + f32(dot4I8Packed(u, s)) + f32(dot4U8Packed(u, u32(n.y)) & 0xffu);
}
