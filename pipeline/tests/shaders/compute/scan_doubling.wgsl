@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> a: array<u32, 256>;
var<workgroup> b: array<u32, 256>;
@compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    a[me] = input[me + group] & 0xffffu;
    workgroupBarrier();
    var front = true;
    for (var step = 1u; step < 256u; step <<= 1u) {
        if front {
            b[me] = a[me] + select(0u, a[max(me, step) - step], me >= step);
        } else {
            a[me] = b[me] + select(0u, b[max(me, step) - step], me >= step);
        }
        front = !front;
        workgroupBarrier();
    }
    if group < 4u { output[256u * group + me] = a[me]; }
}
