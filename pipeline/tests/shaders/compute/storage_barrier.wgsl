@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let first = 128u * group;
    output[first + me] = input[me] * 2u;
    storageBarrier();
    let other = output[first + (127u - me)];
    storageBarrier();
    output[first + me] = other + me;
    workgroupBarrier();
    storageBarrier();
    let near = output[first + (me ^ 1u)];
    storageBarrier();
    output[first + me] = near * 3u;
}
