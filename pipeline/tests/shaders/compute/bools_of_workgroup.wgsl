@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> flags: array<bool, 128>;
var<workgroup> both: vec2<bool>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    flags[me] = (input[me] + group) % 3u == 0u;
    if me == 5u { both = vec2<bool>(true, group == 1u); }
    workgroupBarrier();
    let next = flags[(me + 1u) & 127u];
    output[128u * group + me] = u32(flags[me]) + 2u * u32(next) + 4u * u32(both.y) + 8u * u32(all(both));
}
