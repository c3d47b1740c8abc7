// Switches in loops in branches, with every way out of them.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var total = 0;
    for (var i = 0; i < 6; i++) {
        switch (n.x + i) & 7 {
            case 0: { continue; }
            case 1, 2: { total += 3; }
            case 3: {
                if (n.y & 1) == 0 { break; }
                total += 10;
            }
            case 4: {
                var j = 0;
                while true {
                    j++;
                    if j > (n.z & 3) { break; }
                    if j == 2 { continue; }
                    total += j;
                }
            }
            default: { total -= 1; if total < -3 { return vec4f(-1.0); } }
        }
        total *= 2;
    }
    return vec4f(f32(total), a.yzw);
}
