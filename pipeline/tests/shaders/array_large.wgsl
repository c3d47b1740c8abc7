// A large array is private memory.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    var list: array<f32, 40>;
    for (var i = 0u; i < 40; i++) {
        list[i] = a.x * f32(i);
    }
    list[n.x] = a.y;
    list[n.y % 40] += a.z;
    return vec4f(list[n.z], list[n.x], list[n.w % 40], list[39]);
}
