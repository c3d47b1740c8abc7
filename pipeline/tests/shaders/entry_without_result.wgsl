// A fragment shader that only writes a buffer, and a vertex shader of nothing but a position.
@group(0) @binding(0) var<storage, read_write> seen: array<atomic<u32>, 16>;
@fragment
fn fs(@builtin(position) at: vec4f, @location(0) @interpolate(flat) n: u32) {
    atomicAdd(&seen[(u32(at.x) + n) & 15u], 1u);
}
@vertex
fn vs() -> @builtin(position) vec4f { return vec4f(0.0, 0.5, 0.25, 1.0); }
