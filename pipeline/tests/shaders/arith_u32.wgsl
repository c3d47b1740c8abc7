// Unsigned arithmetic, division by zero included.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4u, @location(1) @interpolate(flat) b: vec4u) -> @location(0) vec4u {
    return (a + b * 3u - a / b) % (b - 2u) + a / 8u + b % 16u;
}
