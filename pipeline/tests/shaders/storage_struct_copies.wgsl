// Whole structs loaded, changed and stored.
struct Body { place: vec3f, mass: f32, turn: mat2x2f, kind: vec2i }
@group(0) @binding(0) var<storage, read_write> bodies: array<Body, 4>;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var body = bodies[n.x & 3];
    body.place += a.xyz;
    body.turn = body.turn * mat2x2f(0.0, 1.0, -1.0, 0.0);
    body.kind ^= n.yz;
    bodies[n.w & 3] = body;
    return vec4f(body.place * body.mass, body.turn[1].x);
}
