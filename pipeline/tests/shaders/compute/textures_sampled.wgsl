@group(0) @binding(0) var map: texture_2d<f32>;
@group(0) @binding(1) var smp: sampler;
@group(0) @binding(2) var depths: texture_depth_2d;
@group(0) @binding(3) var compare: sampler_comparison;
@group(0) @binding(4) var<storage, read_write> output: array<vec4f>;
@compute @workgroup_size(8, 8) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u, @builtin(global_invocation_id) at: vec3u) {
    let group = id.x + id.y * count.x;
    let uv = (vec2f(at.xy) + 0.25) / 20.0;
    var sum = textureSampleLevel(map, smp, uv, f32(me % 3u));
    sum += textureLoad(map, at.xy / 3u, 0);
    sum += textureGather(1, map, smp, uv);
    sum.x += textureSampleCompareLevel(depths, compare, uv, 0.5);
    output[64u * group + me] = sum;
}
