// One triangle, a colour at each corner. The corners are in the shader; nothing is bound.

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let positions = array(vec2f(0.0, 0.75), vec2f(-0.8, -0.7), vec2f(0.8, -0.7));
    let colors = array(vec3f(0.95, 0.25, 0.2), vec3f(0.15, 0.7, 0.35), vec3f(0.15, 0.35, 0.95));
    return Corner(vec4f(positions[index], 0.0, 1.0), colors[index]);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    return vec4f(corner.color, 1.0);
}
