struct Particle { at: vec2f, speed: vec2f }
struct Step { seconds: f32, pull: f32 }
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) at: vec3u) {
    if at.x >= arrayLength(&particles) { return; }
    if at.y > 0u { return; }
    var p = particles[at.x];
    p.speed -= p.at * step.pull * step.seconds;
    p.at += p.speed * step.seconds;
    if any(abs(p.at) > vec2f(1.0)) { p.speed = -p.speed * 0.5; p.at = clamp(p.at, vec2f(-1.0), vec2f(1.0)); }
    particles[at.x] = p;
}
