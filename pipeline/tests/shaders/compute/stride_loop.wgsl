@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let all = 64u * count.x * count.y * count.z;
    for (var i = group * 64u + me; i < arrayLength(&output); i += all) {
        output[i] = input[i] + all;
    }
}
