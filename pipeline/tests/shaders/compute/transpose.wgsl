@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
var<workgroup> tile: array<array<f32, 9>, 8>;
@compute @workgroup_size(8, 2) fn cs(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) id: vec3u) {
    for (var i = 0u; i < 8u; i += 2u) {
        tile[local.y + i][local.x] = input[(id.y * 8u + local.y + i) * 24u + id.x * 8u + local.x];
    }
    workgroupBarrier();
    for (var i = 0u; i < 8u; i += 2u) {
        output[(id.x * 8u + local.y + i) * 16u + id.y * 8u + local.x] = tile[local.x][local.y + i];
    }
}
