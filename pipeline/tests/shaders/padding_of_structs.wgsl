// Structs with gaps that alignment leaves, by themselves and in arrays.
struct A { x: vec3f, y: vec2f }
struct B { @size(20) first: f32, @align(32) second: vec2u, third: array<A, 2> }
@group(0) @binding(0) var<uniform> one: B;
@group(0) @binding(1) var<storage, read_write> many: array<B>;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    many[n.x & 1].third[1].y = a.xy;
    many[1].second = one.second + vec2u(n.yz);
    let b = many[0];
    return vec4f(one.third[n.y & 1].x, b.first) + vec4f(b.third[0].y, vec2f(b.second & vec2u(255u)));
}
