// Corners of a quad from the vertex index alone, and a border in the fragment.
struct Corner { @builtin(position) at: vec4f, @location(0) uv: vec2f }
@vertex
fn vs(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Corner {
    let x = f32(i32(index & 1u) * 2 - 1);
    let y = f32(i32((index >> 1u) & 1u) * 2 - 1);
    return Corner(vec4f(x, y, f32(instance) * 0.01, 1.0), vec2f(x, y) * 0.5 + 0.5);
}
@fragment
fn fs(in: Corner) -> @location(0) vec4f {
    let edge = smoothstep(vec2f(0.0), vec2f(0.1), in.uv) * smoothstep(vec2f(0.0), vec2f(0.1), 1.0 - in.uv);
    return mix(vec4f(1.0, 0.5, 0.0, 1.0), vec4f(in.uv, 0.0, 1.0), edge.x * edge.y);
}
