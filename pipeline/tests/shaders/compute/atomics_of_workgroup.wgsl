@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> words: array<atomic<u32>, 8>;
var<workgroup> numbers: array<atomic<i32>, 4>;
@compute @workgroup_size(150) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let x = input[me + group];
    if me == 0u { atomicStore(&words[2], 0xffffffffu); atomicStore(&words[3], 0xffffffffu); }
    workgroupBarrier();
    atomicAdd(&words[0], x);
    atomicSub(&words[1], x);
    atomicAnd(&words[2], x | 0xffff0000u);
    atomicMin(&words[3], x);
    atomicMax(&words[4], x);
    atomicOr(&words[5], x & 0x0f0f0f0fu);
    atomicXor(&words[6], x);
    atomicMin(&numbers[0], i32(x));
    atomicMax(&numbers[1], i32(x));
    atomicAdd(&numbers[2], -i32(me));
    workgroupBarrier();
    if me < 7u { output[16u * group + me] = atomicLoad(&words[me]); }
    if me < 3u { output[16u * group + 8u + me] = bitcast<u32>(atomicLoad(&numbers[me])); }
}
