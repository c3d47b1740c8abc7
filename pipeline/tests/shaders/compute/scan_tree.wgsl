@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> sums: array<u32, 512>;
@compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    sums[2u * me] = input[2u * me + group] & 0xfffu;
    sums[2u * me + 1u] = input[2u * me + 1u + group] & 0xfffu;
    var offset = 1u;
    for (var d = 256u; d > 0u; d >>= 1u) {
        workgroupBarrier();
        if me < d {
            let i = offset * (2u * me + 1u) - 1u;
            let j = offset * (2u * me + 2u) - 1u;
            sums[j] += sums[i];
        }
        offset *= 2u;
    }
    if me == 0u { sums[511] = 0u; }
    for (var d = 1u; d < 512u; d *= 2u) {
        offset >>= 1u;
        workgroupBarrier();
        if me < d {
            let i = offset * (2u * me + 1u) - 1u;
            let j = offset * (2u * me + 2u) - 1u;
            let t = sums[i];
            sums[i] = sums[j];
            sums[j] += t;
        }
    }
    workgroupBarrier();
    if group < 2u {
        output[512u * group + 2u * me] = sums[2u * me];
        output[512u * group + 2u * me + 1u] = sums[2u * me + 1u];
    }
}
