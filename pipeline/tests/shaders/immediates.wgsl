// Push constants.
struct Push {
    tint: vec4f,
    offset: vec2f,
    index: u32,
    factors: array<f32, 3>,
}
var<immediate> push: Push;

@fragment
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    return a * push.tint + vec4f(push.offset, push.factors[1], push.factors[push.index % 3]);
}
