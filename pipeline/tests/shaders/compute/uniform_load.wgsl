@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> count_of: u32;
var<workgroup> chosen: vec2u;
var<workgroup> list: array<u32, 64>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    list[me] = input[me];
    if me == 17u { count_of = input[group] % 9u; chosen = vec2u(me, group); }
    let rounds = workgroupUniformLoad(&count_of);
    let pair = workgroupUniformLoad(&chosen);
    for (var i = 0u; i < rounds; i++) {
        let next = list[(me + 1u) & 63u];
        workgroupBarrier();
        list[me] += next;
        workgroupBarrier();
    }
    output[64u * group + me] = list[me] + pair.x * 1000u + pair.y;
}
