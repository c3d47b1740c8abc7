// Signed arithmetic, division by zero included.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4i, @location(1) @interpolate(flat) b: vec4i) -> @location(0) vec4i {
    return (a + b * 3 - a / b) % (b - 2) + abs(-a);
}
