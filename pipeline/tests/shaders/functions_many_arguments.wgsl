// Functions of many arguments and of structs, called from one another.
struct Part { low: vec3f, high: vec3f, id: u32, on: bool }
fn put(a: f32, b: vec2f, c: vec3f, d: vec4f, e: i32, f: u32, g: bool) -> Part {
    return Part(vec3f(a, b), c + d.xyz, u32(e) + f, g);
}
fn volume(p: Part) -> f32 { let e = max(p.high - p.low, vec3f(0.0)); return select(0.0, e.x * e.y * e.z, p.on); }
fn both(p: Part, q: Part) -> f32 { return volume(p) + volume(Part(min(p.low, q.low), max(p.high, q.high), p.id ^ q.id, true)); }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let p = put(a.x, a.yz, a.yzw, a, n.x, u32(n.y), n.z > 3);
    let q = put(-a.x, -a.yz, a.wyz, a.wwww, n.w, 3u, true);
    return vec4f(volume(p), both(p, q), f32((p.id ^ q.id) & 0xffu), 1.0);
}
