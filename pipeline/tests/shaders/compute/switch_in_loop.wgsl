@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> words: array<u32, 64>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    words[me] = input[me];
    for (var i = 0u; i < 6u; i++) {
        workgroupBarrier();
        let other = words[(me + i) & 63u];
        workgroupBarrier();
        switch (me + i) % 4u {
            case 0u: { words[me] += other; }
            case 1u, 2u: { if other > 20u { words[me] ^= other; break; } words[me] = i; }
            default: { words[me] = words[me] * 2u + 1u; }
        }
    }
    output[64u * group + me] = words[me];
}
