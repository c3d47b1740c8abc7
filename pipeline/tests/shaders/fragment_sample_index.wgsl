// The sample number, which makes a shader run once a sample.
@fragment
fn fs(@builtin(sample_index) sample: u32, @location(0) @interpolate(perspective, sample) a: vec2f) -> @location(0) vec4f {
    return vec4f(a, f32(sample), 1.0);
}
