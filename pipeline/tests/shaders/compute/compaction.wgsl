@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> kept: array<u32, 128>;
var<workgroup> places: array<u32, 128>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let x = input[me + group];
    let keep = x % 3u != 0u;
    places[me] = u32(keep);
    workgroupBarrier();
    for (var step = 1u; step < 128u; step <<= 1u) {
        var left = 0u;
        if me >= step { left = places[me - step]; }
        workgroupBarrier();
        places[me] += left;
        workgroupBarrier();
    }
    if keep { kept[places[me] - 1u] = x; }
    workgroupBarrier();
    if me < places[127] { output[140u * group + me] = kept[me]; }
    if me == 0u { output[140u * group + 139u] = places[127]; }
}
