@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var numbers: texture_storage_2d<rgba16uint, write>;
@compute @workgroup_size(8, 8) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) at: vec3u) {
    let size = textureDimensions(picture);
    let v = vec4f(vec2f(at.xy) / vec2f(size), f32(me) / 64.0, 1.0);
    textureStore(picture, at.xy, v);
    textureStore(numbers, vec2i(at.xy) - 2, vec4u(at.x, at.y, id.x, count.y));
}
