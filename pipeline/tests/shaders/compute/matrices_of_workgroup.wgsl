@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> turns: array<mat3x3f, 20>;
var<workgroup> wide: array<mat2x4f, 8>;
@compute @workgroup_size(20) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let x = input[me + group];
    turns[me] = mat3x3f(x, 1.0, 2.0, 3.0, x * 0.5, 4.0, 5.0, 6.0, x * 0.25);
    if me < 8u { wide[me][me & 1u] = vec4f(x, input[me], 1.0, 2.0); }
    workgroupBarrier();
    let other = turns[(me + 7u) % 20u];
    let v = turns[me] * other[me % 3u] + other * vec3f(1.0, 2.0, 3.0);
    turns[me][me % 3u][1] = 9.0;
    workgroupBarrier();
    let w = wide[me & 7u] * vec2f(0.5, 2.0);
    output[4u * (20u * group + me)] = v.x + turns[(me + 1u) % 20u][1].y;
    output[4u * (20u * group + me) + 1u] = v.y + w[me & 3u];
    output[4u * (20u * group + me) + 2u] = v.z + w.x;
}
