// Storage textures stored to and loaded from.
@group(0) @binding(0) var target_image: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var layers: texture_storage_2d_array<r32float, write>;
@group(0) @binding(2) var words: texture_storage_2d<r32uint, read_write>;
@group(0) @binding(3) var table: texture_storage_1d<rgba32sint, read>;

@fragment
fn fs(@builtin(position) at: vec4f, @location(0) a: vec4f) -> @location(0) vec4f {
    let p = vec2u(at.xy);
    textureStore(target_image, p, a);
    textureStore(layers, p, 1u, a.wzyx);
    let old = textureLoad(words, p).x;
    textureStore(words, p, vec4u(old + 1));
    return vec4f(textureLoad(table, p.x)) + f32(old) + vec4f(vec2f(textureDimensions(target_image)), 0.0, 0.0);
}
