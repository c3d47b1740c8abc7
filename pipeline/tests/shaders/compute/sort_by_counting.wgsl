@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> below: array<u32, 200>;
@compute @workgroup_size(200) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let key = input[me + group] % 97u;
    below[me] = key;
    workgroupBarrier();
    var place = 0u;
    for (var i = 0u; i < 200u; i++) {
        let other = below[i];
        place += u32(other < key || (other == key && i < me));
    }
    output[200u * group + place] = key;
}
