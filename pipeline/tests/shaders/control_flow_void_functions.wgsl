// Functions that give nothing, and ones that return from the middle.
var<private> state: vec2f;
fn nothing() {}
fn early(x: f32) {
    if x > 0.0 { state.x = x; return; }
    state.y = -x;
    if x < -4.0 { return; }
    state.x += 1.0;
}
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    nothing();
    early(a.x);
    early(a.y);
    early(-abs(a.z));
    return vec4f(state, 0.0, a.w);
}
