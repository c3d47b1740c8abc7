// Module-scope variables of every address space and what they start with.
struct Light { position: vec3f, power: f32 }
const lights_count = 3u;
var<private> counter: u32 = 5u;
var<private> colors: array<vec3f, 2> = array(vec3f(1.0, 0.5, 0.25), vec3f(0.125));
var<private> zero: Light;
@group(0) @binding(0) var<uniform> lights: array<Light, lights_count>;
@group(1) @binding(3) var<storage> more: array<vec2f>;
fn next() -> u32 { counter = counter * 1664525u + 1013904223u; return counter >> 24u; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let first = next();
    colors[n.x & 1] *= 2.0;
    zero.power += f32(next() ^ first);
    let l = lights[u32(n.y) % lights_count];
    return vec4f(colors[0] + l.position * l.power, zero.power + more[n.z & 7].y);
}
