// Texels by number, outside too; multisampled ones; queries.
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var ids: texture_2d_array<u32>;
@group(0) @binding(2) var many: texture_multisampled_2d<f32>;
@group(0) @binding(3) var volume: texture_3d<i32>;

@fragment
fn fs(@location(0) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let size = textureDimensions(t) + textureDimensions(t, n.x) + textureDimensions(ids) + textureDimensions(many) + textureDimensions(volume).xy;
    let counts = textureNumLevels(t) + textureNumLayers(ids) + textureNumSamples(many);
    return textureLoad(t, n.xy, 0) + textureLoad(t, n.xy, n.z) + vec4f(textureLoad(ids, n.xy, n.z, 0)) + textureLoad(many, n.xy, n.w)
        + vec4f(textureLoad(volume, n.xyz, 0)) + vec4f(vec2f(size), f32(counts), 1.0);
}
