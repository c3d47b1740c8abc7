// Sizes, levels, layers and samples of textures of every shape.
@group(0) @binding(0) var line: texture_1d<f32>;
@group(0) @binding(1) var flat2: texture_2d<i32>;
@group(0) @binding(2) var layers: texture_2d_array<u32>;
@group(0) @binding(3) var volume: texture_3d<f32>;
@group(0) @binding(4) var cube: texture_cube<f32>;
@group(0) @binding(5) var cubes: texture_cube_array<f32>;
@group(0) @binding(6) var many: texture_multisampled_2d<f32>;
@group(0) @binding(7) var depth: texture_depth_2d;
@group(0) @binding(8) var store: texture_storage_2d_array<r32uint, write>;
@vertex
fn vs(@location(0) n: vec2u) -> @builtin(position) vec4f {
    let x = textureDimensions(line) + textureNumLevels(volume) * 10u + textureNumLayers(cubes) * 100u;
    let y = textureDimensions(flat2, n.x & 1u) + textureDimensions(layers) * 3u + textureDimensions(cube, 1) + textureDimensions(cubes);
    let z = textureDimensions(volume, 1u) + vec3u(textureNumLayers(layers), textureNumLayers(store), textureNumSamples(many));
    let w = textureDimensions(many) + textureDimensions(depth) + textureDimensions(store) + vec2u(textureNumLevels(cube), textureNumLevels(depth));
    return vec4f(f32(x), f32(y.x * y.y), f32(z.x + z.y * z.z), f32(w.x * w.y));
}
