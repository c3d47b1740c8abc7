// Depth tested before the shader, whatever it does.
@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;

@fragment
@early_depth_test(force)
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    atomicAdd(&count, 1u);
    return a;
}
