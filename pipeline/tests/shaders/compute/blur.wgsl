@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var blurred: texture_storage_2d<rgba16float, write>;
const RADIUS = 4;
var<workgroup> row: array<vec4f, 72>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u) {
    let x = i32(id.x * 64u + me);
    let y = i32(id.y);
    let last = vec2i(textureDimensions(source)) - 1;
    for (var i = i32(me); i < 72; i += 64) {
        let at = clamp(vec2i(i32(id.x) * 64 + i - RADIUS, y), vec2i(0), last);
        row[i] = textureLoad(source, at, 0);
    }
    workgroupBarrier();
    var sum = vec4f(0.0);
    for (var i = -RADIUS; i <= RADIUS; i++) {
        sum += row[i32(me) + i + RADIUS] * f32(RADIUS + 1 - abs(i));
    }
    textureStore(blurred, vec2i(x, y), sum / f32((RADIUS + 1) * (RADIUS + 1)));
}
