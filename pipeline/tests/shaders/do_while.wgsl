// A loop whose test comes last, by hand.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var x = a.x;
    var rounds = 0u;
    loop {
        x = x * 0.5 + a.y;
        rounds++;
        if !(abs(x) > 1.0 && rounds < 12u) { break; }
    }
    return vec4f(x, f32(rounds), 0.0, 1.0);
}
