@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> sums: array<vec4f, 128>;
@compute @workgroup_size(128) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let at = me + 30u * group;
    sums[me] = vec4f(input[at], input[at + 1u], input[at + 2u], f32(me));
    workgroupBarrier();
    for (var step = 64u; step > 0u; step /= 2u) {
        if me < step { sums[me] = max(sums[me], sums[me + step].wxyz * 0.5); }
        workgroupBarrier();
    }
    if me < 4u { output[4u * group + me] = sums[0][me]; }
}
