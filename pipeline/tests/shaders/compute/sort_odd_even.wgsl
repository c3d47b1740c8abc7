@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> keys: array<f32, 160>;
@compute @workgroup_size(80) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    keys[2u * me] = abs(fract(input[me + group] * 0.37));
    keys[2u * me + 1u] = f32(me * 37u % 80u) / 80.0;
    workgroupBarrier();
    for (var round = 0u; round < 160u; round++) {
        let i = 2u * me + (round & 1u);
        if i + 1u < 160u {
            let a = keys[i];
            let b = keys[i + 1u];
            if a > b { keys[i] = b; keys[i + 1u] = a; }
        }
        workgroupBarrier();
    }
    output[160u * group + 2u * me] = keys[2u * me];
    output[160u * group + 2u * me + 1u] = keys[2u * me + 1u];
}
