// Fragments thrown away inside of loops and functions; the others go on, also with derivatives.
fn test(x: f32) { if x < -6.0 { discard; } }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var sum = 0.0;
    for (var i = 0; i < 4; i++) {
        test(a.x + f32(i));
        if a.y * f32(i) > 20.0 { discard; }
        sum += a.z;
    }
    return vec4f(sum, dpdx(sum), dpdy(a.w), 1.0);
}
