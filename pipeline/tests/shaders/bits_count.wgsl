// Counting and finding bits of signed and unsigned words.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = vec4u(n);
    let counts = vec4f(countOneBits(u)) + vec4f(countLeadingZeros(u)) * 2.0 + vec4f(countTrailingZeros(u)) * 3.0;
    let signed = vec4f(countOneBits(n)) + vec4f(countLeadingZeros(n)) + vec4f(countTrailingZeros(n));
    let first = vec4f(firstLeadingBit(n)) - vec4f(firstTrailingBit(n)) + vec4f(vec4i(firstLeadingBit(u)));
    return counts + signed * 0.5 + first + a * 0.0;
}
