// Every layout rule of a uniform buffer.
struct Inner {
    a: f32,
    b: vec3f,
    c: vec2f,
}
struct All {
    scalar: f32,
    three: vec3f,
    two: vec2f,
    inner: array<Inner, 3>,
    m33: mat3x3f,
    m24: mat2x4f,
    m42: mat4x2f,
    @size(32) padded: f32,
    @align(64) far: vec4i,
    tail: array<vec4u, 2>,
}
@group(0) @binding(0) var<uniform> all: All;

@fragment
fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
    let whole = all.inner[1];
    let v = all.m33 * all.three + whole.b + all.inner[n % 3].b;
    let w = all.m24[1] + vec4f(all.m42[3], all.two);
    return vec4f(v, all.scalar + all.padded) + w + vec4f(all.far) + vec4f(all.tail[n & 1]) + all.inner[n].a;
}
