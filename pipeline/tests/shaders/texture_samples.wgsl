// Single samples of multisampled textures, and their average.
@group(0) @binding(0) var many: texture_multisampled_2d<f32>;
@group(0) @binding(1) var ids: texture_multisampled_2d<u32>;
@fragment
fn fs(@builtin(position) at: vec4f, @location(0) @interpolate(flat) n: vec2i) -> @location(0) vec4f {
    var sum = vec4f(0.0);
    for (var i = 0; i < i32(textureNumSamples(many)); i++) { sum += textureLoad(many, vec2i(at.xy), i); }
    return sum * 0.25 + vec4f(textureLoad(ids, n & vec2i(7), n.x & 3) & vec4u(255u));
}
