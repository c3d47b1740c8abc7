// floor, ceil, round, trunc, fract, sign, abs, saturate.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    return floor(a) + ceil(b) * 2.0 + round(a * 3.0) + trunc(b * 3.0) + fract(a) + sign(b) + abs(a) + saturate(b);
}
