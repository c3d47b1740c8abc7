@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(8, 4, 2) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) global: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let width = 8u * count.x;
    let at = global.x + width * (global.y + global.z * 8u);
    output[700u + at] = global.x + global.y * 100u + global.z * 10000u;
    if me == 37u && id.x == 1u && id.y == 1u {
        output[500] = local.x; output[501] = local.y; output[502] = local.z; output[503] = me;
        output[504] = id.x; output[505] = id.y; output[506] = id.z;
        output[507] = count.x; output[508] = count.y; output[509] = count.z;
    }
    if id.x + id.y == 0u { output[520u + me] = local.x | local.y << 8 | local.z << 16; }
}
