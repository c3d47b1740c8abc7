@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(16, 4) fn cs(@builtin(global_invocation_id) at: vec3u) {
    let c = vec2f(at.xy) / 12.0 - vec2f(1.5, 0.7);
    var z = vec2f(0.0);
    var n = 0u;
    loop {
        if n == 50u || dot(z, z) > 4.0 { break; }
        z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        continuing { n++; }
    }
    textureStore(picture, at.xy, vec4f(f32(n) / 50.0, f32(n % 8u) / 8.0, 0.2, 1.0));
}
