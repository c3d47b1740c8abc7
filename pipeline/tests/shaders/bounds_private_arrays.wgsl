// Private arrays with indices that may lie outside.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var small = array(1.0, 2.0, 3.0);
    var large: array<f32, 12>;
    for (var i = 0; i < 20; i++) { large[i] = f32(i) + a.x; }
    small[n.x] = a.y;
    large[n.y] = a.z;
    return vec4f(small[n.z], large[n.w], small[0], large[11]);
}
