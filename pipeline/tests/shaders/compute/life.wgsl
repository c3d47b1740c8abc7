@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> cells: array<array<u32, 10>, 10>;
@compute @workgroup_size(10, 10) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let group = id.x + id.y * count.x;
    cells[local.y][local.x] = input[me + group] & 1u;
    workgroupBarrier();
    for (var round = 0u; round < 4u; round++) {
        var near = 0u;
        for (var dy = -1; dy <= 1; dy++) {
            for (var dx = -1; dx <= 1; dx++) {
                let at = vec2i(local.xy) + vec2i(dx, dy);
                if (dx != 0 || dy != 0) && all(at >= vec2i(0)) && all(at < vec2i(10)) { near += cells[at.y][at.x]; }
            }
        }
        let alive = near == 3u || (near == 2u && cells[local.y][local.x] == 1u);
        workgroupBarrier();
        cells[local.y][local.x] = u32(alive);
        workgroupBarrier();
    }
    output[100u * group + me] = cells[local.y][local.x];
}
