// Counts, reversals, fields.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4u, @location(1) @interpolate(flat) b: vec4u) -> @location(0) vec4u {
    let i = bitcast<vec4i>(a);
    return countOneBits(a) + countLeadingZeros(b) + countTrailingZeros(a) + reverseBits(b) + firstLeadingBit(a) + firstTrailingBit(b)
        + extractBits(a, b.x, 7u) + bitcast<vec4u>(extractBits(i, 3u, b.y)) + insertBits(a, b, b.z, 5u) + bitcast<vec4u>(firstLeadingBit(i));
}
