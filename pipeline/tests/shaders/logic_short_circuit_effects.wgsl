// && and || run their right side only where they must, which memory shows.
@group(0) @binding(0) var<storage, read_write> runs: array<atomic<u32>, 4>;
fn note(at: u32, value: bool) -> bool { atomicAdd(&runs[at], 1u); return value; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let x = a.x > 0.0 && note(0u, a.y > 0.0);
    let y = a.z > 0.0 || note(1u, a.w > 0.0);
    var z = n.x > 3;
    if (x && note(2u, y)) || (!y && note(3u, z)) { z = !z; }
    return vec4f(f32(x), f32(y), f32(z), 1.0);
}
