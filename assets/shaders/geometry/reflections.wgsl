// A cube map, all six faces in one pass, from the middle of a room; then a ball that mirrors it.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var around: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;

struct Corner {
    @builtin(position) at: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
}
struct Seen {
    @builtin(position) at: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    layer: u32,
}
struct System { invocation: u32 }

fn emit_vertex(v: Seen) {}
fn end_primitive() {}

fn turned(at: vec3f, normal: vec3f) -> Corner {
    // The walls stand still, what is inside of them moves.
    if max(abs(at.x), max(abs(at.y), abs(at.z))) > 3.9 { return Corner(vec4f(at, 1.0), at, normal); }
    let world = scene.world * vec4f(at, 1.0);
    return Corner(world, world.xyz, (scene.world * vec4f(normal, 0.0)).xyz);
}

@vertex fn vs(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner { return turned(at, normal); }

// What is right, up and ahead on a face.
fn on_face(face: u32, p: vec3f) -> vec3f {
    switch face {
        case 0u: { return vec3f(-p.z, p.y, p.x); }
        case 1u: { return vec3f(p.z, p.y, -p.x); }
        case 2u: { return vec3f(p.x, -p.z, p.y); }
        case 3u: { return vec3f(p.x, p.z, -p.y); }
        case 4u: { return vec3f(p.x, p.y, p.z); }
        default: { return vec3f(-p.x, p.y, -p.z); }
    }
}

const gs_max_vertices = 3u;
fn gs(corners: array<Corner, 3>, system: System) {
    for (var i = 0u; i < 3u; i++) {
        let p = on_face(system.invocation, corners[i].world);
        // Depths from 0.25 to 16.
        let at = vec4f(p.xy, (p.z - 0.25) * (16.0 / 15.75), p.z);
        emit_vertex(Seen(at, corners[i].world, corners[i].normal, system.invocation));
    }
    end_primitive();
}

@vertex fn plain(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner {
    let corner = turned(at, normal);
    return Corner(scene.clip * vec4f(corner.world, 1.0), corner.world, corner.normal);
}

fn shade(world: vec3f, normal: vec3f) -> vec3f {
    let light = 0.3 + 0.7 * max(0.0, dot(normalize(normal), scene.light.xyz));
    if max(abs(world.x), max(abs(world.y), abs(world.z))) > 3.9 {
        let cell = vec3i(floor(world * 0.75 + 0.01));
        let odd = f32((cell.x + cell.y + cell.z) & 1);
        let wall = mix(vec3f(0.12, 0.14, 0.2), 0.5 + 0.45 * normal.zxy, 0.35 + 0.4 * odd);
        return wall * (0.45 + 0.55 * light);
    }
    return (0.5 + 0.5 * sin(world * 2.0 + vec3f(0.0, 2.0, 4.0))) * light;
}

@fragment fn inside(v: Corner) -> @location(0) vec4f { return vec4f(shade(v.world, v.normal), 1.0); }

@vertex fn ball(@location(0) at: vec3f, @location(1) normal: vec3f) -> Corner {
    return Corner(scene.clip * vec4f(at, 1.0), at, normal);
}
@fragment fn mirror(v: Corner) -> @location(0) vec4f {
    let normal = normalize(v.normal);
    let view = normalize(v.world - scene.eye.xyz);
    let seen = textureSample(around, smooth_sampler, reflect(view, normal)).rgb;
    let edge = pow(1.0 - max(0.0, -dot(view, normal)), 3.0);
    return vec4f(seen * (0.75 + 0.25 * edge), 1.0);
}
