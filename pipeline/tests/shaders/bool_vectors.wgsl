// Vectors of bools: any, all, select and operators component by component.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let less = a < a.yzwx;
    let odd = (n & vec4i(1)) == vec4i(1);
    let both = less & odd;
    let one = less | !odd;
    let differ = less != odd;
    let x = select(a, -a, both);
    let y = f32(any(one)) + f32(all(differ)) * 2.0;
    return select(x, vec4f(y), any(both.xy) && !all(one.zw)) + vec4f(both);
}
