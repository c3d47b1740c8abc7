// What comparisons and minima make of infinities, zeros of both signs and numbers that are none.
@group(0) @binding(0) var<uniform> bits: vec4u;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let x = bitcast<vec4f>(bits ^ vec4u(n));
    let y = x.yzwx;
    let less = vec4f(x < y) + vec4f(x <= y) * 2.0 + vec4f(x == y) * 4.0 + vec4f(x != x) * 8.0;
    let zero = vec4f(-0.0) * a;
    return less + select(vec4f(0.0), vec4f(16.0), zero == vec4f(0.0)) + vec4f(sign(a)) * 32.0;
}
