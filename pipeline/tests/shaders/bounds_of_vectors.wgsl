// Run-time indices into vectors and matrices, also negative ones and ones past the end.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var v = a;
    v[n.x & 3] = 9.0;
    v[clamp(n.y, 0, 3)] += 1.0;
    var m = mat3x2f(a.xy, a.yz, a.zw);
    m[u32(n.z) % 3u][n.w & 1] = 4.0;
    let column = m[u32(n.w) % 3u];
    return vec4f(v[u32(n.x) % 4u], column, v[min(u32(n.y), 3u)]);
}
