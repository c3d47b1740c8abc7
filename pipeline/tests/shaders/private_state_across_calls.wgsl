// A generator whose state functions change.
var<private> state: vec2u;
fn start(seed: u32) { state = vec2u(seed, seed ^ 0x9e3779b9u); }
fn next() -> u32 {
    var x = state.x;
    x ^= x << 13u;
    x ^= x >> 17u;
    x ^= x << 5u;
    state = vec2u(state.y, x + state.y);
    return x;
}
fn unit() -> f32 { return f32(next() >> 8u) / 16777216.0; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    start(u32(n.x));
    var v = vec4f(unit(), unit(), unit(), unit());
    for (var i = 0; i < 12 && unit() < 0.6; i++) { v += vec4f(0.125); }
    return v + a * 0.0;
}
