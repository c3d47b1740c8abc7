// Constants that instructions hold themselves, and ones that need a word of their own.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let f = a * vec4f(0.5, -1.0, 2.0, 4.0) + vec4f(-4.0, 0.1, 1.0e10, -2.0);
    let i = (n + vec4i(64, 65, -16, -17)) ^ vec4i(0, -1, 63, 0x3f800000);
    let s = vec4f(0.15915494309189535, 3.14159265, 1.0, 0.5) - a;
    return f + s + vec4f(i & vec4i(1023)) + select(vec4f(1.0), vec4f(-8.5), n > vec4i(64));
}
