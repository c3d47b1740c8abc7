// Four invocations for every point, a blade each: a strip that narrows to a tip and bends with the wind.

struct Scene { clip: mat4x4f, world: mat4x4f, light: vec4f, eye: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;

struct Root { @builtin(position) at: vec4f, @location(0) random: vec3f }
struct System { invocation: u32 }
struct Blade { @builtin(position) at: vec4f, @location(0) color: vec3f }

fn emit_vertex(v: Blade) {}
fn end_primitive() {}

@vertex fn vs(@location(0) at: vec3f, @location(1) random: vec3f) -> Root {
    return Root(scene.world * vec4f(at, 1.0), random);
}

const gs_max_vertices = 7u;
fn gs(roots: array<Root, 1>, system: System) {
    let random = fract(roots[0].random * (f32(system.invocation) * 1.7 + 1.0));
    let angle = random.x * 6.2831853;
    let side = vec3f(cos(angle), 0.0, sin(angle)) * 0.018;
    let root = roots[0].at.xyz + vec3f(random.y - 0.5, 0.0, random.z - 0.5) * 0.1;
    let height = 0.25 + 0.3 * random.z;
    let wind = 0.12 * sin(scene.light.w * 2.0 + root.x * 3.0 + random.y);
    let lean = vec3f(wind, 0.0, 0.3 * wind) + vec3f(side.z, 0.0, -side.x) * 4.0;
    for (var i = 0u; i < 3u; i++) {
        let t = f32(i) / 3.0;
        let at = root + vec3f(0.0, height * t, 0.0) + lean * t * t;
        let color = mix(vec3f(0.02, 0.09, 0.02), vec3f(0.35, 0.6, 0.12), t) * (0.6 + 0.4 * random.x);
        emit_vertex(Blade(scene.clip * vec4f(at - side * (1.0 - t), 1.0), color));
        emit_vertex(Blade(scene.clip * vec4f(at + side * (1.0 - t), 1.0), color));
    }
    emit_vertex(Blade(scene.clip * vec4f(root + vec3f(0.0, height, 0.0) + lean, 1.0), vec3f(0.6, 0.8, 0.2)));
    end_primitive();
}

@fragment fn fs(v: Blade) -> @location(0) vec4f { return vec4f(v.color, 1.0); }
