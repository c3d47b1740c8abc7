// Parts of floats: both members of the results, for scalars and vectors.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let m = modf(a.x);
    let mv = modf(a.yz);
    let f = frexp(a.w);
    let fv = frexp(abs(a.xyz) + 0.5);
    return vec4f(m.fract + m.whole, mv.fract.y + mv.whole.x, f.fract * f32(f.exp), fv.fract.z + f32(fv.exp.y + fv.exp.x));
}
