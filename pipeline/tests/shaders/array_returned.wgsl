// Functions that give arrays and structs.
struct Pair { low: f32, high: array<f32, 2> }
fn powers(x: f32) -> array<f32, 4> { return array(1.0, x, x * x, x * x * x); }
fn pair(x: f32, y: f32) -> Pair { return Pair(min(x, y), array(max(x, y), x + y)); }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let all = powers(a.x);
    let two = pair(a.y, a.z);
    return vec4f(all[3] + all[0], all[n.x & 3], two.low, two.high[1] - two.high[n.y & 1]);
}
