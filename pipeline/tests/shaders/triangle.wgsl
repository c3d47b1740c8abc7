// The smallest pair: constants indexed at run time, one varying.
struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
}

@vertex
fn vs(@builtin(vertex_index) index: u32) -> Varyings {
    var corners = array(vec2f(0.0, 0.7), vec2f(-0.7, -0.7), vec2f(0.7, -0.7));
    var colors = array(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));
    return Varyings(vec4f(corners[index], 0.0, 1.0), colors[index]);
}

@fragment
fn fs(in: Varyings) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
