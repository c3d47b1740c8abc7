struct Constants { scale: f32, bias: f32, first: u32 }
var<immediate> constants: Constants;
@group(0) @binding(0) var<storage, read_write> output: array<f32>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    output[64u * group + me] = f32(me) * constants.scale + constants.bias + f32(constants.first & 15u);
}
