// Packing to and from words.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let words = vec4u(pack4x8snorm(a), pack4x8unorm(b), pack2x16snorm(a.xy), pack2x16unorm(b.xy));
    let halves = pack2x16float(a.zw);
    return unpack4x8snorm(words.y) + unpack4x8unorm(words.x) + vec4f(unpack2x16snorm(words.w), unpack2x16unorm(words.z)) + unpack2x16float(halves).xyxy;
}
