@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> words: array<u32, 1024>;
@compute @workgroup_size(32, 16, 2) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    words[me] = me * 3u + group;
    workgroupBarrier();
    let value = words[1023u - me];
    if group == 0u { output[me] = value; }
}
