// Every component gathered, from floats and integers, with offsets.
@group(0) @binding(0) var f: texture_2d<f32>;
@group(0) @binding(1) var i: texture_2d<i32>;
@group(0) @binding(2) var u: texture_2d_array<u32>;
@group(0) @binding(3) var s: sampler;
@group(0) @binding(4) var cube: texture_cube<f32>;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: u32) -> @location(0) vec4f {
    let x = textureGather(0, f, s, a.xy) + textureGather(3, f, s, a.zw, vec2i(-2, 5)) * textureGather(2, f, s, a.yx);
    return x + vec4f(textureGather(1, i, s, a.xz) & vec4i(255)) + vec4f(textureGather(2, u, s, a.yw, n) & vec4u(255u)) + textureGather(1, cube, s, a.xyz);
}
