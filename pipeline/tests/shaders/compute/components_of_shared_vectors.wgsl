@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> v: array<vec4u, 32>;
var<workgroup> one: vec3u;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    v[me / 4u][me % 4u] = input[me];
    if me < 3u { one[me] = me + group; }
    workgroupBarrier();
    let whole = v[(me * 5u) % 32u];
    output[128u * group + me] = whole[me & 3u] + v[me % 32u].z + one[me % 3u] + one.y;
}
