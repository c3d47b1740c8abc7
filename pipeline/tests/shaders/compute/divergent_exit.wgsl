@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> found: array<u32, 192>;
@compute @workgroup_size(192) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    var x = input[me] + group;
    var steps = 0u;
    loop {
        if x <= 1u || steps > 40u { break; }
        x = select(x / 2u, 3u * x + 1u, (x & 1u) == 1u);
        steps++;
    }
    found[me] = steps;
    workgroupBarrier();
    var most = 0u;
    for (var i = me % 64u; i < 192u; i += 64u) { most = max(most, found[i]); }
    output[192u * group + me] = most;
}
