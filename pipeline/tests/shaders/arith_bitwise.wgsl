// And, or, exclusive or, complement.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4u, @location(1) @interpolate(flat) b: vec4u) -> @location(0) vec4u {
    return (a & b) | (~a ^ b.wzyx);
}
