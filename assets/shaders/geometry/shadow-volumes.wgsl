// Triangles that face the light become the volume in their shadow: where a neighbour faces away, a side is drawn.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Solid { @builtin(position) at: vec4f, @location(0) normal: vec3f, @location(1) place: vec3f }
struct Corner { @builtin(position) at: vec4f }
struct Hull { @builtin(position) at: vec4f }

fn emit_vertex(v: Hull) {}
fn end_primitive() {}

@vertex fn plain(@location(0) at: vec3f, @location(1) normal: vec3f) -> Solid {
    let world = scene.world * vec4f(at, 1.0);
    return Solid(scene.clip * world, (scene.world * vec4f(normal, 0.0)).xyz, world.xyz);
}

fn albedo(v: Solid) -> vec3f {
    if v.place.y < -0.99 {
        let tile = floor(v.place.x * 2.0) + floor(v.place.z * 2.0);
        return select(vec3f(0.45), vec3f(0.6), (i32(tile) & 1) == 0);
    }
    return vec3f(0.9, 0.5, 0.2);
}

@fragment fn ambient(v: Solid) -> @location(0) vec4f { return vec4f(albedo(v) * 0.18, 1.0); }

@fragment fn lit(v: Solid) -> @location(0) vec4f {
    let light = 0.18 + 0.82 * max(0.0, dot(normalize(v.normal), scene.light.xyz));
    return vec4f(albedo(v) * light, 1.0);
}

@vertex fn vs(@location(0) at: vec3f) -> Corner {
    return Corner(scene.world * vec4f(at, 1.0));
}

fn lit_side(a: vec3f, b: vec3f, c: vec3f) -> bool {
    return dot(cross(b - a, c - a), scene.light.xyz) > 0.0;
}

fn near(at: vec3f) { emit_vertex(Hull(scene.clip * vec4f(at, 1.0))); }
fn far(at: vec3f) { near(at - scene.light.xyz * 5.0); }

const gs_max_vertices = 18u;
fn gs(corners: array<Corner, 6>) {
    let a = corners[0].at.xyz;
    let b = corners[2].at.xyz;
    let c = corners[4].at.xyz;
    if !lit_side(a, b, c) { return; }
    near(a); near(b); near(c);
    end_primitive();
    far(a); far(c); far(b);
    end_primitive();
    for (var i = 0u; i < 3u; i++) {
        let start = corners[2u * i].at.xyz;
        let stop = corners[(2u * i + 2u) % 6u].at.xyz;
        if !lit_side(start, corners[2u * i + 1u].at.xyz, stop) {
            near(start); far(start); near(stop); far(stop);
            end_primitive();
        }
    }
}
