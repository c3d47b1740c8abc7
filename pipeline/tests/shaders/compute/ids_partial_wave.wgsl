@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(4, 3, 7) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let group = id.x + id.y * count.x;
    output[100u * group + me] = local.x + local.y * 16u + local.z * 256u + group * 65536u;
}
