@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> line: array<u32, 128>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    line[me] = input[me];
    for (var i = 0u; i < 3u; i++) {
        for (var j = 0u; j <= i; j++) {
            workgroupBarrier();
            let left = line[(me + 127u) & 127u];
            workgroupBarrier();
            if j == 1u { continue; }
            line[me] = line[me] * 5u + left + i * j;
        }
        if i == 1u { workgroupBarrier(); line[me] ^= line[me ^ 0u]; }
    }
    output[128u * group + me] = line[me];
}
