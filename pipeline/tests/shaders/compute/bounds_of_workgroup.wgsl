@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> a: array<u32, 50>;
var<workgroup> b: array<vec2u, 10>;
var<workgroup> c: u32;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    a[me] = me + 1u;
    b[me] = vec2u(me, 5u);
    if me == 0u { c = 77u; }
    workgroupBarrier();
    a[input[me] | 64u] = 9u;
    let far = a[me * 0x10000000u + 3u] + b[me + 0x20000000u].y;
    workgroupBarrier();
    output[64u * group + me] = select(0u, 1u, a[me] != 0u) + b[63u - me].x * 10u + far + c;
}
