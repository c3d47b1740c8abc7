// Every atomic operation on storage, with the values before.
struct Counters { sum: atomic<u32>, signed: atomic<i32>, slots: array<atomic<u32>, 8> }
@group(0) @binding(0) var<storage, read_write> counters: Counters;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    let at = n.x & 7u;
    atomicStore(&counters.slots[7], 3u);
    var sum = atomicAdd(&counters.sum, n.y & 15u);
    sum ^= atomicSub(&counters.slots[at], 2u);
    sum ^= atomicMax(&counters.slots[at], n.z);
    sum ^= atomicMin(&counters.slots[(at + 1u) & 7u], n.w);
    sum ^= atomicAnd(&counters.slots[2], n.x);
    sum ^= atomicOr(&counters.slots[3], n.y);
    sum ^= atomicXor(&counters.slots[4], n.z);
    sum ^= atomicExchange(&counters.slots[5], n.w);
    let low = atomicMin(&counters.signed, -i32(n.x & 255u)) ^ atomicMax(&counters.signed, i32(n.y & 3u));
    return vec4f(f32(sum & 0xffffu), f32(low & 0xffff), f32(atomicLoad(&counters.slots[0]) & 255u), 1.0);
}
