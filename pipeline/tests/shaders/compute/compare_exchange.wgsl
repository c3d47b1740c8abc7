@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> cells: array<atomic<u32>, 64>;
var<workgroup> total: atomic<u32>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let cell = me & 63u;
    // Half of the invocations find what they expect.
    let first = atomicCompareExchangeWeak(&cells[cell], select(7777u, 0u, me < 64u), me + 1u);
    if me < 64u && first.exchanged { atomicAdd(&total, first.old_value + 1u); }
    workgroupBarrier();
    let second = atomicCompareExchangeWeak(&cells[cell], me + 1u, 1000u + me);
    if me < 64u {
        output[64u * group + me] = second.old_value * 2u + u32(second.exchanged);
    }
    // A lock-free sum.
    for (var tries = 0u; tries < 300u; tries++) {
        let seen = atomicLoad(&total);
        let result = atomicCompareExchangeWeak(&total, seen, seen + input[me] % 10u);
        if result.exchanged { break; }
    }
    workgroupBarrier();
    if me == 3u { output[600u + group] = atomicLoad(&total); }
    workgroupBarrier();
    // Every wave writes the same.
    atomicStore(&total, group + 9u);
    workgroupBarrier();
    if me == 4u { output[640u + group] = atomicLoad(&total); }
}
