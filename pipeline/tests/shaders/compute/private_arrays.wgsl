@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> line: array<f32, 64>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    var own: array<f32, 24>;
    for (var i = 0u; i < 24u; i++) { own[i] = input[me + i] * f32(i); }
    line[me] = own[(me * 7u + group) % 24u];
    workgroupBarrier();
    own[me % 24u] = line[63u - me];
    workgroupBarrier();
    let first = own[(me + 3u) % 24u];
    line[me] = first;
    workgroupBarrier();
    output[64u * group + me] = own[(me * 5u) % 24u] + line[(me + 1u) & 63u];
}
