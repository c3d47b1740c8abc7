// Powers, roots and logarithms of numbers of every kind.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let p = pow(abs(a), a.yzwx * 0.25) + exp(a * 0.1) + exp2(-a);
    let l = log(abs(a) + 0.001) + log2(abs(a.wzyx));
    let r = sqrt(abs(a)) + inverseSqrt(abs(a) + 1.0e-3);
    return p * 0.001 + l + r + ldexp(a, n & vec4i(31)) * 1.0e-6;
}
