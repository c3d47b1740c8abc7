@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> keys: array<u32, 256>;
@compute @workgroup_size(256) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    keys[me] = input[me + 100u * group];
    workgroupBarrier();
    for (var k = 2u; k <= 256u; k <<= 1u) {
        for (var j = k >> 1u; j > 0u; j >>= 1u) {
            let other = me ^ j;
            if other > me {
                let up = (me & k) == 0u;
                let a = keys[me];
                let b = keys[other];
                if (a > b) == up { keys[me] = b; keys[other] = a; }
            }
            workgroupBarrier();
        }
    }
    if group < 4u { output[256u * group + me] = keys[me]; }
}
