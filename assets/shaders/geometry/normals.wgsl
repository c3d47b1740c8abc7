// A line along the normal of every corner.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Solid { @builtin(position) at: vec4f, @location(0) normal: vec3f }
struct Corner { @builtin(position) at: vec4f, @location(0) normal: vec3f }
struct End { @builtin(position) at: vec4f, @location(0) color: vec3f }

fn emit_vertex(v: End) {}
fn end_primitive() {}

@vertex fn plain(@location(0) at: vec3f, @location(1) normal: vec3f) -> Solid {
    let world = scene.world * vec4f(at, 1.0);
    return Solid(scene.clip * world, (scene.world * vec4f(normal, 0.0)).xyz);
}

@fragment fn fs(v: Solid) -> @location(0) vec4f {
    let light = 0.2 + 0.8 * max(0.0, dot(normalize(v.normal), scene.light.xyz));
    return vec4f(vec3f(0.25, 0.3, 0.38) * light, 1.0);
}

@vertex fn vs(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner {
    return Corner(scene.world * vec4f(at, 1.0), (scene.world * vec4f(normal, 0.0)).xyz);
}

const gs_max_vertices = 6u;
fn gs(corners: array<Corner, 3>) {
    for (var i = 0u; i < 3u; i++) {
        let corner = corners[i];
        emit_vertex(End(scene.clip * corner.at, vec3f(0.1, 0.4, 0.9)));
        let tip = corner.at + vec4f(corner.normal * 0.25, 0.0);
        emit_vertex(End(scene.clip * tip, vec3f(1.0, 0.9, 0.3)));
        end_primitive();
    }
}

@fragment fn line(v: End) -> @location(0) vec4f { return vec4f(v.color, 1.0); }
