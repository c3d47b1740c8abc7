@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> sums: array<u32, 256>;
@compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    sums[me] = input[me + 64u * group] ^ group;
    workgroupBarrier();
    for (var step = 128u; step > 0u; step >>= 1u) {
        if me < step { sums[me] += sums[me + step]; }
        workgroupBarrier();
    }
    if me == 0u { output[group] = sums[0]; }
}
