// Several colours, of different types, in no order.
struct Out {
    @location(2) ids: vec2u,
    @location(0) color: vec4f,
    @location(3) signed: i32,
}

@fragment
fn fs(@location(0) a: vec4f) -> Out {
    return Out(vec2u(abs(a.xy)), a, i32(a.z));
}
