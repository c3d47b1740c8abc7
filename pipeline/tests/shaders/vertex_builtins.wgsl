// Built-in inputs and outputs of the vertex stage.
@vertex
fn vs(
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) instance: u32,
    @location(3) offset: vec2f,
) -> @builtin(position) vec4f {
    return vec4f(offset + f32(vertex), f32(instance), 1.0);
}
