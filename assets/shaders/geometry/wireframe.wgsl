// Edges are where a barycentric coordinate is small; the back shows through the front.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Corner { @builtin(position) at: vec4f }
struct Edge { @builtin(position) at: vec4f, @location(0) sides: vec3f }

fn emit_vertex(v: Edge) {}
fn end_primitive() {}

@vertex fn vs(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner {
    return Corner(scene.clip * scene.world * vec4f(at, 1.0));
}

const gs_max_vertices = 3u;
fn gs(corners: array<Corner, 3>) {
    emit_vertex(Edge(corners[0].at, vec3f(1.0, 0.0, 0.0)));
    emit_vertex(Edge(corners[1].at, vec3f(0.0, 1.0, 0.0)));
    emit_vertex(Edge(corners[2].at, vec3f(0.0, 0.0, 1.0)));
}

@fragment fn fs(v: Edge, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let steps = v.sides / fwidth(v.sides);
    let near = min(steps.x, min(steps.y, steps.z));
    if near > 1.5 { discard; }
    return select(vec4f(0.12, 0.2, 0.3, 1.0), vec4f(0.5, 0.95, 0.7, 1.0), front);
}
