@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 32>;
var<workgroup> own: array<atomic<u32>, 32>;
@compute @workgroup_size(192) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    for (var i = me; i < 600u; i += 192u) {
        atomicAdd(&own[(input[i] + group) & 31u], 1u);
    }
    workgroupBarrier();
    if me < 32u { atomicAdd(&bins[me], atomicLoad(&own[me])); }
}
