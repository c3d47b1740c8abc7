// Every point becomes a quad that faces the viewer, with a disc on it.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Point { @builtin(position) at: vec4f, @location(0) color: vec3f }
struct Sprite {
    @builtin(position) at: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
    @location(1) place: vec2f,
}

fn emit_vertex(v: Sprite) {}

@vertex fn vs(@location(0) at: vec3f, @location(1) color: vec3f) -> Point {
    return Point(scene.world * vec4f(at, 1.0), color);
}

const gs_max_vertices = 4u;
fn gs(points: array<Point, 1>) {
    let middle = points[0].at.xyz;
    let right = normalize(cross(vec3f(0.0, 1.0, 0.0), scene.eye.xyz - middle));
    let up = normalize(cross(scene.eye.xyz - middle, right));
    for (var i = 0u; i < 4u; i++) {
        let place = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
        let at = middle + (right * place.x + up * place.y) * 0.11;
        emit_vertex(Sprite(scene.clip * vec4f(at, 1.0), points[0].color, place));
    }
}

@fragment fn fs(v: Sprite) -> @location(0) vec4f {
    let square = dot(v.place, v.place);
    if square > 1.0 { discard; }
    let normal = vec3f(v.place, sqrt(1.0 - square));
    return vec4f(v.color * (0.2 + 0.8 * max(0.0, dot(normal, scene.light.xyz))), 1.0);
}
