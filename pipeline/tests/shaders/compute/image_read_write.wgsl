@group(0) @binding(0) var cells: texture_storage_2d<r32uint, read_write>;
@group(0) @binding(1) var before: texture_storage_2d<r32float, read>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(8, 4) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) at: vec3u) {
    let old = textureLoad(cells, at.xy).x;
    textureStore(cells, at.xy, vec4u(old * 3u + at.x, 0u, 0u, 0u));
    textureBarrier();
    let now = textureLoad(cells, at.xy).x;
    let x = textureLoad(before, vec2i(at.xy) * 2 - 3).x;
    output[at.x + 24u * at.y] = f32(now & 0xffffu) + x + f32(id.x + me + count.x);
}
