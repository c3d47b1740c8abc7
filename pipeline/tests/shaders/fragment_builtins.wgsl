// Built-in inputs of the fragment stage.
@fragment
fn fs(
    @builtin(position) at: vec4f,
    @builtin(front_facing) front: bool,
    @builtin(sample_mask) mask: u32,
) -> @location(0) vec4f {
    return select(at, at.wzyx, front) + f32(mask);
}
