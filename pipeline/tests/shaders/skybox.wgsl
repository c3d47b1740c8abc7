// A sky behind everything: directions from a full-screen triangle, a cube sampled along them.
struct Data { unproject: mat4x4f, view: mat4x4f }
struct Out { @builtin(position) at: vec4f, @location(0) way: vec3f }
@group(0) @binding(0) var<uniform> data: Data;
@group(0) @binding(1) var sky: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@vertex
fn vs(@builtin(vertex_index) index: u32) -> Out {
    let x = i32(index) / 2;
    let y = i32(index) & 1;
    let at = vec4f(f32(x) * 4.0 - 1.0, f32(y) * 4.0 - 1.0, 0.0, 1.0);
    let turned = transpose(mat3x3f(data.view[0].xyz, data.view[1].xyz, data.view[2].xyz));
    return Out(at, turned * (data.unproject * at).xyz);
}
@fragment
fn fs(in: Out) -> @location(0) vec4f { return textureSample(sky, smooth_sampler, in.way); }
