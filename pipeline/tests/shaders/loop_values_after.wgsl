// Values computed in loops and read behind them, in some invocations from earlier rounds.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var last = 0.0;
    var found = -1;
    var flag = false;
    for (var i = 0; i < 9; i++) {
        let here = a.x * f32(i) - a.y;
        if here > 4.0 && found < 0 { found = i; last = here; }
        flag = here < a.z;
        if i > (n.x & 7) { break; }
    }
    return vec4f(last, f32(found), select(0.0, 1.0, flag), 1.0);
}
