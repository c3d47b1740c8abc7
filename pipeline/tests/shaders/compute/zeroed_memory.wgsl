@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> long: array<u32, 2000>;
var<workgroup> rest: array<vec3u, 5>;
@compute @workgroup_size(32) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    var sum = 0u;
    for (var i = me; i < 2000u; i += 32u) { sum |= long[i]; }
    sum |= rest[me % 5u].x | rest[me % 5u].z;
    workgroupBarrier();
    for (var i = me; i < 2000u; i += 32u) { long[i] = i; }
    rest[me % 5u] = vec3u(1u, 2u, 3u);
    workgroupBarrier();
    output[32u * group + me] = sum + long[1999u - me] + rest[0].y;
}
