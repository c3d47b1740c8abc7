// Vectors indexed at run time, written and read, also out of bounds.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f, @location(2) @interpolate(flat) n: u32) -> @location(0) vec4f {
    var v = a;
    v[n & 3] = b.x;
    v[n] += 1.0;
    return vec4f(v[(n + 1) & 3], a[n & 3], b[n], v.w);
}
