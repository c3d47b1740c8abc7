// Vectors with scalars, either way round, and compound assignment.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var v = 2.0 + a;
    v -= 0.5;
    v *= a.x;
    v = v / 3.0 - 1.0 / (abs(v) + 1.0);
    var i = n * 3 + 1;
    i ^= vec4i(5);
    i %= vec4i(17);
    i <<= vec4u(1u);
    i |= vec4i(1);
    i &= vec4i(0xffff);
    i >>= vec4u(2u);
    return v + vec4f(i) + (5.0 % (abs(a) + 1.0));
}
