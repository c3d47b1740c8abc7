// exp, exp2, log, log2, pow, sqrt, inverseSqrt.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let p = abs(a) + 0.5;
    return exp(a * 0.25) + exp2(b * 0.25) + log(p) + log2(p) + pow(p, b * 0.125) + sqrt(p) + inverseSqrt(p);
}
