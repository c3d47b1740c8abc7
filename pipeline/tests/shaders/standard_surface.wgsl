// Facing, coverage and both kinds of derivative in one surface.
struct In {
    @builtin(position) at: vec4f,
    @builtin(front_facing) front: bool,
    @builtin(sample_mask) covered: u32,
    @location(0) world: vec3f,
    @location(1) uv: vec2f,
}
@fragment
fn fs(in: In) -> @location(0) vec4f {
    let normal = normalize(cross(dpdx(in.world), dpdy(in.world)) + vec3f(0.0, 0.0, 1.0e-3));
    let lines = abs(fract(in.uv - 0.5) - 0.5) / max(fwidth(in.uv), vec2f(1.0e-4));
    let grid = 1.0 - min(min(lines.x, lines.y), 1.0);
    return vec4f(select(-normal, normal, in.front) * 0.5 + grid, f32(in.covered & 1u));
}
