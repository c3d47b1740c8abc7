// Values that a loop's body gives to its continuing part on different ways.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var sum = 0.0;
    var i = 0u;
    loop {
        var step = 1u;
        let x = a.x * f32(i);
        if x > 3.0 { step = 2u; continue; }
        if i == u32(n.x & 7) { sum += 100.0; step = 3u; continue; }
        sum += x;
        continuing {
            i += step;
            break if i > 11u;
        }
    }
    return vec4f(sum, f32(i), a.zw);
}
