// Values that differ from lane to lane and are read only behind a loop that ends in `break if`.
@group(0) @binding(0) var<uniform> rounds: vec4u;

@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    let kept = fract(a * 3.7);
    var sum = 0.0;
    var i = 0u;
    loop {
        sum += f32(i ^ rounds.y) * 0.5;
        let scaled = sum * a.x;
        sum = scaled - floor(scaled * 0.125) * 8.0;
        continuing {
            i += 1u;
            break if i > (rounds.x & 31u);
        }
    }
    var j = 0u;
    loop {
        if j == (rounds.z & 7u) { continue; }
        sum += a.y;
        continuing {
            j += 1u;
            break if j > 9u;
        }
    }
    return kept * sum + vec4f(n & vec4u(255u));
}
