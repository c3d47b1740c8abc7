// Every derivative.
@fragment
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    return dpdx(a) + dpdy(a) * 2.0 + dpdxFine(a.wzyx) + dpdyFine(a) + dpdxCoarse(a) + dpdyCoarse(a) + fwidth(a) + fwidthFine(a) + fwidthCoarse(a);
}
