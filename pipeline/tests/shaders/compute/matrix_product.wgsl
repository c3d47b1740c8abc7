@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> left: array<array<f32, 8>, 8>;
var<workgroup> right: array<array<f32, 8>, 8>;
@compute @workgroup_size(8, 8) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(local_invocation_id) local: vec3u) {
    var sum = 0.0;
    let row = id.y * 8u + local.y;
    let column = id.x * 8u + local.x;
    for (var tile = 0u; tile < 3u; tile++) {
        left[local.y][local.x] = input[row * 24u + tile * 8u + local.x] * 0.01;
        right[local.y][local.x] = input[600u + (tile * 8u + local.y) * 24u + column] * 0.01;
        workgroupBarrier();
        for (var k = 0u; k < 8u; k++) { sum = fma(left[local.y][k], right[k][local.x], sum); }
        workgroupBarrier();
    }
    output[row * 24u + column] = sum + f32(me & 1u) * f32(count.z);
}
