@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> list: array<vec2u, 96>;
var<workgroup> sum: atomic<u32>;
fn add(x: u32) { atomicAdd(&sum, x); }
fn turn(i: u32) -> u32 {
    let p = &list[i];
    let old = (*p).y;
    (*p).y = old * 7u;
    return old;
}
fn double(i: u32) { let p = &list[i]; (*p).y *= 2u; }
@compute @workgroup_size(96) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    list[me] = vec2u(group, input[me]);
    let old = turn(me);
    double(me);
    add(old & 255u);
    workgroupBarrier();
    output[96u * group + me] = list[95u - me].y + atomicLoad(&sum) + list[me].x;
}
