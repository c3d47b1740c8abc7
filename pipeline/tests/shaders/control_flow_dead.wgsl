// Code behind returns, breaks and discards that never runs.
fn ends(x: f32) -> f32 {
    if x > 1.0 { return 1.0; } else { return 2.0; }
}
fn forever(x: f32) -> f32 {
    var y = x;
    var rounds = 0;
    loop {
        y += 1.0;
        rounds++;
        if rounds > 2 || y > 3.0 { break; }
    }
    return y;
}
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    if false { return vec4f(9.0); }
    var x = ends(a.x) + forever(min(a.y, 3.0) + 1.0e-3);
    while false { x = 7.0; }
    return vec4f(x, select(1.0, 2.0, true), 0.0, 1.0);
}
