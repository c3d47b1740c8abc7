@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> unused: array<u32, 9000>;
var<workgroup> written: array<u32, 64>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    written[me] = group;
    output[64u * group + me] = input[me] + 1u;
}
