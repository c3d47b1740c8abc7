@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> cells: array<atomic<u32>>;
var<workgroup> own: array<atomic<u32>, 130>;
@compute @workgroup_size(130) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    atomicStore(&own[me], input[me]);
    var old = atomicAdd(&own[me], 5u);
    old = old * 3u + atomicExchange(&own[me], old ^ me);
    old = old * 3u + atomicMax(&own[me], 77u);
    old = old * 3u + atomicSub(&own[me], 9u);
    old = old * 3u + atomicXor(&own[me], 0xf0u);
    let at = 130u * group + me;
    old = old * 3u + atomicAdd(&cells[at], me);
    old = old * 3u + atomicOr(&cells[at], 0x100u);
    workgroupBarrier();
    output[at] = old + atomicLoad(&own[129u - me]);
}
