// extractBits and insertBits with offsets and counts that pass the end of a word.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let offset = u32(n.x) % 40u;
    let count = u32(n.y) % 40u;
    let u = extractBits(vec4u(n), offset, count);
    let s = extractBits(n, 7u, 9u) + extractBits(n.zwxy, offset, count);
    let w = insertBits(vec4u(n), vec4u(n.wzyx), offset, count) ^ insertBits(vec4u(n.yyxx), vec4u(5u), 4u, 3u);
    return vec4f(u & vec4u(0xffffu)) + vec4f(s & vec4i(0xffff)) + vec4f(w & vec4u(0xfffu)) + a * 0.0;
}
