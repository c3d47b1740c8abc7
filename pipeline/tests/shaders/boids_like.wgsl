// Every particle against every other: loops over a storage buffer with early continues.
struct Particle { position: vec2f, velocity: vec2f }
struct Rules { steps: f32, near: array<f32, 3>, scale: array<f32, 3> }
@group(0) @binding(0) var<storage> particles: array<Particle>;
@group(0) @binding(1) var<storage, read> rules: Rules;
@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let count = arrayLength(&particles);
    if index >= count { return vec4f(0.0); }
    let own = particles[index];
    var centre = vec2f(0.0);
    var apart = vec2f(0.0);
    var mates = 0;
    for (var i = 0u; i < min(count, 40u); i++) {
        if i == index { continue; }
        let other = particles[i];
        let far = distance(other.position, own.position);
        if far < rules.near[0] { centre += other.position; mates++; }
        if far < rules.near[1] { apart -= other.position - own.position; }
    }
    if mates > 0 { centre = centre / f32(mates) - own.position; }
    let velocity = own.velocity + centre * rules.scale[0] + apart * rules.scale[1];
    return vec4f(own.position + velocity * rules.steps, 0.0, 1.0);
}
