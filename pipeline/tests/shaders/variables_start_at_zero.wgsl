// Variables without initial value, again in every round of a loop.
struct Thing { v: vec3f, b: bool, k: array<u32, 2> }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var sum = vec3f();
    for (var i = 0; i < 3; i++) {
        var thing: Thing;
        var fresh: array<f32, 7>;
        fresh[(n.x + i) & 3] = a.x;
        thing.k[i & 1] += 2u;
        sum += thing.v + vec3f(fresh[n.y & 3], f32(thing.k[0]), select(0.0, 1.0, thing.b));
        thing.v = a.yzw;
        thing.b = true;
    }
    return vec4f(sum, 1.0);
}
