@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> words: array<u32, 64>;
fn swap(me: u32, by: u32) -> u32 {
    let other = words[me ^ by];
    workgroupBarrier();
    words[me] = other;
    workgroupBarrier();
    return other;
}
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    words[me] = input[me] + group;
    workgroupBarrier();
    var sum = 0u;
    for (var by = 1u; by < 64u; by *= 2u) { sum = sum * 3u + swap(me, by); }
    sum += swap(me, 63u);
    output[64u * group + me] = sum + words[0];
}
