// Numbers rounded to half precision, and half precision packed and unpacked.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let q = quantizeToF16(clamp(a, vec4f(-60000.0), vec4f(60000.0)));
    let h = unpack2x16float(pack2x16float(clamp(a.xy, vec2f(-60000.0), vec2f(60000.0))));
    return q + vec4f(h, unpack2x16float(u32(n.x) & 0x7bff7bffu));
}
