@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> pairs: array<u32, 128>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    if group % 3u == 1u { return; }
    pairs[me] = input[me] + group;
    workgroupBarrier();
    output[128u * group + me] = pairs[127u - me];
}
