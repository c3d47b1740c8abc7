// Signed and unsigned colours of one to four components.
struct Result {
    @location(0) one: i32,
    @location(1) two: vec2u,
    @location(2) three: vec3i,
    @location(3) four: vec4u,
    @location(4) half: vec3f,
}
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4i) -> Result {
    return Result(n.x * -3, vec2u(n.yz), n.wzy - 1, vec4u(n) >> vec4u(3u), vec3f(n.xyz) * 0.5);
}
