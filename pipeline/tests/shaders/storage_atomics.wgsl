// Every atomic operation.
struct Counters {
    total: atomic<u32>,
    signed: atomic<i32>,
    list: array<atomic<u32>, 8>,
}
@group(0) @binding(0) var<storage, read_write> counters: Counters;

@fragment
fn fs(@location(0) @interpolate(flat) n: vec2u) -> @location(0) vec4u {
    atomicAdd(&counters.total, n.x);
    atomicMin(&counters.signed, i32(n.y));
    atomicMax(&counters.signed, -i32(n.x));
    atomicSub(&counters.list[0], 1u);
    atomicAnd(&counters.list[1], n.x);
    atomicOr(&counters.list[2], n.y);
    atomicXor(&counters.list[3], n.x ^ n.y);
    atomicMax(&counters.list[4], n.x);
    atomicMin(&counters.list[5], n.y);
    atomicStore(&counters.list[6], 9u);
    return vec4u(atomicLoad(&counters.list[6]), 0, 0, 1);
}
