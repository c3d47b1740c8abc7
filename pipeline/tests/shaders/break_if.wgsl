// Loops that end in `break if`, one inside the other.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var total = 0.0;
    var i = 0;
    loop {
        var j = 0;
        loop {
            total += a.x * f32(j);
            continuing {
                j += 1;
                break if j > (n.x & 3);
            }
        }
        if total > 1000.0 { break; }
        continuing {
            i += 1;
            break if i == 4 || total < -1000.0;
        }
    }
    return vec4f(total, f32(i), a.zw);
}
