// Position, facing and sample of the fragment, read in functions.
struct In { @builtin(position) at: vec4f, @builtin(front_facing) front: bool, @location(0) a: vec4f }
fn checker(at: vec2f) -> f32 {
    let cell = vec2i(floor(at / 2.0));
    return f32((cell.x ^ cell.y) & 1);
}
@fragment
fn fs(in: In) -> @location(0) vec4f {
    if in.front { return vec4f(checker(in.at.xy), in.at.z, in.at.w, 1.0) + in.a; }
    return vec4f(fract(in.at.xy), checker(in.at.yx + 1.0), 0.0);
}
