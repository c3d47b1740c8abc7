// Compare and exchange, with both members of its result.
@group(0) @binding(0) var<storage, read_write> locks: array<atomic<u32>, 4>;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    let first = atomicCompareExchangeWeak(&locks[n.x & 3u], n.y & 3u, n.z);
    var tries = 0u;
    loop {
        let old = atomicLoad(&locks[1]);
        let taken = atomicCompareExchangeWeak(&locks[1], old, old + 1u);
        tries += 1u;
        if taken.exchanged || tries > 3u { break; }
    }
    return vec4f(f32(first.old_value & 0xffffu), select(0.0, 1.0, first.exchanged), f32(tries), 0.0);
}
