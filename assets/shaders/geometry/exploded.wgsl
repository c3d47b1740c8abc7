// Triangles move along their normals, those farther out further, and turn as they go.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Corner { @builtin(position) at: vec4f }
struct Piece { @builtin(position) at: vec4f, @location(0) @interpolate(flat) color: vec3f }

fn emit_vertex(v: Piece) {}
fn end_primitive() {}

@vertex fn vs(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner {
    return Corner(scene.world * vec4f(at, 1.0));
}

const gs_max_vertices = 3u;
fn gs(corners: array<Corner, 3>) {
    let a = corners[0].at.xyz;
    let b = corners[1].at.xyz;
    let c = corners[2].at.xyz;
    let normal = normalize(cross(b - a, c - a));
    let middle = (a + b + c) / 3.0;
    let away = 0.12 + 0.3 * max(0.0, middle.x + middle.y);
    let light = 0.25 + 0.75 * abs(dot(normal, scene.light.xyz));
    let color = mix(vec3f(0.9, 0.35, 0.1), vec3f(0.15, 0.5, 0.9), 0.5 + 0.5 * middle.y) * light;
    for (var i = 0u; i < 3u; i++) {
        let corner = middle + (corners[i].at.xyz - middle) * (1.0 - 0.4 * away) + normal * away;
        emit_vertex(Piece(scene.clip * vec4f(corner, 1.0), color));
    }
    end_primitive();
}

@fragment fn fs(v: Piece) -> @location(0) vec4f { return vec4f(v.color, 1.0); }
