// Structs nested nowhere but shared: the same one in and out, with locations out of order.
struct Varying {
    @location(3) d: vec2f,
    @builtin(position) position: vec4f,
    @location(0) a: vec3f,
    @location(2) @interpolate(flat) c: vec2i,
    @location(1) b: f32,
}
@vertex
fn vs(@location(1) x: vec3f, @location(0) y: vec4u, @builtin(instance_index) i: u32) -> Varying {
    var out: Varying;
    out.position = vec4f(x, 1.0);
    out.a = x * f32(i);
    out.b = f32(y.x & 255u);
    out.c = vec2i(y.yz);
    out.d = vec2f(y.zw & vec2u(3u));
    return out;
}
@fragment
fn fs(in: Varying) -> @location(0) vec4f { return vec4f(in.a * in.b, in.d.x + f32(in.c.y & 7) + in.position.x * in.d.y); }
