// Every derivative, of scalars and vectors, and what is built from them.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let x = dpdx(a) + dpdxCoarse(a.yzwx) * 2.0 + dpdxFine(a.zwxy) * 4.0;
    let y = dpdy(a.x) + dpdyCoarse(a.y) + dpdyFine(a.z);
    let w = fwidth(a.xyz) + fwidthCoarse(a.yzw) - fwidthFine(a.zwx);
    return x + vec4f(w, y);
}
