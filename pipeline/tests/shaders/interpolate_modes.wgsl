// Every interpolation and sampling, of every size.
@fragment
fn fs(
    @location(0) @interpolate(flat) flat: u32,
    @location(1) @interpolate(flat, either) either: i32,
    @location(2) @interpolate(linear) linear: f32,
    @location(3) @interpolate(linear, centroid) centroid: vec2f,
    @location(5) @interpolate(perspective) perspective: vec4f,
    @location(6) @interpolate(perspective, centroid) both: f32,
    @location(8) plain: vec3f,
) -> @location(0) vec4f {
    return vec4f(f32(flat & 15u) + f32(either & 15), linear + both, centroid) + perspective + vec4f(plain, 0.0);
}
