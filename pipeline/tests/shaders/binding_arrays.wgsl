// Arrays of textures, samplers and buffers.
enable wgpu_binding_array;

struct Block {
    value: vec4f,
}
@group(0) @binding(0) var textures: binding_array<texture_2d<f32>, 4>;
@group(0) @binding(1) var samplers: binding_array<sampler, 2>;
@group(0) @binding(2) var<storage> blocks: binding_array<Block, 3>;

@fragment
fn fs(@location(0) uv: vec2f, @location(1) @interpolate(flat) n: u32) -> @location(0) vec4f {
    return textureSampleLevel(textures[n], samplers[n & 1], uv, 0.0) + textureSampleLevel(textures[2], samplers[0], uv, 1.0) + blocks[n % 3].value + blocks[1].value;
}
