// Textures and samplers as arguments of functions.
@group(0) @binding(0) var first: texture_2d<f32>;
@group(1) @binding(0) var second: texture_2d<f32>;
@group(1) @binding(1) var filtering: sampler;

fn blur(t: texture_2d<f32>, s: sampler, uv: vec2f) -> vec4f {
    var sum = vec4f(0.0);
    for (var i = -1; i <= 1; i++) {
        sum += textureSampleLevel(t, s, uv + vec2f(f32(i) * 0.01, 0.0), 0.0);
    }
    return sum / 3.0;
}

@fragment
fn fs(@location(0) uv: vec2f) -> @location(0) vec4f {
    return blur(first, filtering, uv) - blur(second, filtering, uv.yx);
}
