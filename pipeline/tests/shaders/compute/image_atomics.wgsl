@group(0) @binding(0) var cells: texture_storage_2d<r32uint, atomic>;
@group(0) @binding(1) var signs: texture_storage_2d<r32sint, atomic>;
@compute @workgroup_size(8, 8) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) at: vec3u) {
    textureAtomicAdd(cells, at.xy / 2u, me + 1u);
    textureAtomicMax(signs, at.xy % 5u, i32(me) - 30 + i32(id.x + count.x));
}
