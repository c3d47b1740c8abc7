// Switches with only a default, with shared bodies, on unsigned numbers, and with returns.
fn joined(x: u32) -> f32 {
    switch x {
        case 0u, 1u, 2u, 3u, default: { return 1.5; }
        case 7u: { return 2.5; }
    }
}
fn only(x: i32) -> i32 {
    switch x { default: { return x * 2; } }
}
fn falls(x: i32) -> i32 {
    var y = 1;
    switch x {
        case -1: { y = 2; break; }
        case 0x7fffffff: { y = 3; }
        case 4: {}
        default: { y = 5; }
    }
    return y;
}
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    return vec4f(joined(u32(n.x) & 7u), f32(only(n.y & 0xff)), f32(falls(n.z & 7)), f32(falls(n.w)) + a.x);
}
