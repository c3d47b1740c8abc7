// Values named and dropped: what they read has no further effect.
@group(0) @binding(0) var<uniform> unused: vec4f;
@group(0) @binding(1) var<storage, read_write> log: array<u32, 4>;
fn noted(x: u32) -> u32 { log[x & 3u] += 1u; return x; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    _ = unused;
    _ = noted(2u);
    _ = a.x * 2.0;
    return a;
}
