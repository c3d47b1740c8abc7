// Packing two numbers into a word and back.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = pack2x16unorm(a.xy * 0.1 + 0.5);
    let s = pack2x16snorm(a.zw * 0.1);
    return vec4f(unpack2x16unorm(u ^ 0x10001u), unpack2x16snorm(s)) + vec4f(unpack2x16snorm(u), unpack2x16unorm(s));
}
