// Loops with break, continue, continuing and break if.
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4u {
    var sum = 0u;
    var i = n.x % 5;
    loop {
        if i == n.y % 13 {
            i += 2;
            continue;
        }
        sum += i * i;
        if sum > 500 {
            break;
        }

        continuing {
            i += 1;
            break if i >= 20;
        }
    }
    var j = n.z % 50;
    while j > 3 {
        j = j / 2 + 1;
        if j == 3 {
            break;
        }
    }
    return vec4u(sum, i, j, 1);
}
