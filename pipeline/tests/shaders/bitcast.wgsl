// Bits taken for another type.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4u {
    return bitcast<vec4u>(a) ^ bitcast<vec4u>(bitcast<vec4i>(b)) ^ vec4u(bitcast<u32>(bitcast<f32>(7u)));
}
