// Everything constant is known before the shader runs.
const ONE = 1;
const TWO = ONE + ONE;
const TABLE = array(TWO * 1.5, f32(TWO) - 0.25, 8.0 / 3.0);
const LONG = vec4(ONE, TWO, TWO * TWO, -ONE);
const FLAGS = (TWO << 3) | 1;
const_assert TWO == 2;
const_assert FLAGS > LONG.z;
fn pick(at: i32) -> f32 {
    switch at { case ONE: { return TABLE[0]; } case TWO + ONE: { return TABLE[ONE]; } default: { return TABLE[TWO]; } }
}
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    const here = cos(0.0) * sqrt(16.0) + f32(countOneBits(FLAGS));
    var local: array<f32, TWO + 1> = TABLE;
    local[n.x & 1] = here;
    return vec4f(local[0], pick(n.y & 3), f32(LONG.x + LONG.w), a.x * TABLE[2]);
}
