@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> line: array<f32, 192>;
@compute @workgroup_size(192) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    var own: array<f32, 400>;
    for (var i = 0u; i < 400u; i += 3u) { own[i] = input[(me + i) % 500u] + f32(i); }
    line[me] = own[(me * 9u + group) % 400u];
    workgroupBarrier();
    own[me] = line[191u - me];
    var sum = 0.0;
    for (var i = 0u; i < 400u; i += 7u) { sum += own[(i + me) % 400u]; }
    output[192u * group + me] = sum;
}
