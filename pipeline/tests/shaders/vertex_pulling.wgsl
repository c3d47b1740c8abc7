// Vertices read from storage by their index, without any attribute.
struct Packed { position: array<f32, 3>, normal: u32, uv: u32 }
struct Out { @builtin(position) at: vec4f, @location(0) normal: vec4f, @location(1) uv: vec2f }
@group(0) @binding(0) var<storage> vertices: array<Packed>;
@group(0) @binding(1) var<storage> indices: array<u32>;
var<immediate> offset: vec4f;
@vertex
fn vs(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Out {
    let v = vertices[indices[index] % max(arrayLength(&vertices), 1u)];
    let at = vec3f(v.position[0], v.position[1], v.position[2]) + offset.xyz * f32(instance);
    return Out(vec4f(at, 1.0), unpack4x8snorm(v.normal), unpack2x16unorm(v.uv));
}
