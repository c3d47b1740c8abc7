// A small array becomes selections.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f, @location(2) @interpolate(flat) n: u32) -> @location(0) vec4f {
    var list = array<vec2f, 4>(a.xy, a.zw, b.xy, b.zw);
    list[n & 3].y = 2.0;
    return vec4f(list[(n + 1) & 3], list[n]);
}
