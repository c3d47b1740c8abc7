@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(100) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let at = group * 100u + me;
    if at >= 333u { return; }
    let x = input[at];
    if (x & 1u) == 0u { output[at] = x / 2u; return; }
    for (var i = 0u; i < 20u; i++) {
        if (x >> i) % 3u == 2u { output[at] = i; return; }
    }
    output[at] = 99u;
}
