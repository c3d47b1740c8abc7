@group(0) @binding(0) var line: texture_storage_1d<rgba32float, write>;
@group(0) @binding(1) var layers: texture_storage_2d_array<rgba8snorm, write>;
@group(0) @binding(2) var solid: texture_storage_3d<rg32sint, write>;
@compute @workgroup_size(4, 4, 4) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) at: vec3u) {
    let i = vec3i(at);
    if at.y == 0u && at.z == 0u { textureStore(line, i.x, vec4f(at.xyzx) + f32(count.x)); }
    textureStore(layers, i.xy, i.z, vec4f(at.xyzz) / 8.0 - 0.5);
    textureStore(solid, i, vec4i(i.x - i.y, i.z * 1000 + i32(me), i32(id.x), 0));
}
