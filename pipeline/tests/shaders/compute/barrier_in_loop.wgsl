struct Rounds { count: u32, factor: u32 }
@group(0) @binding(0) var<uniform> rounds: Rounds;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> ring: array<u32, 96>;
@compute @workgroup_size(96) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    ring[me] = me * me + group;
    let turns = rounds.count % 13u;
    for (var i = 0u; i < turns; i++) {
        workgroupBarrier();
        let next = ring[(me + i + 1u) % 96u];
        workgroupBarrier();
        ring[me] = ring[me] * rounds.factor + next;
    }
    output[96u * group + me] = ring[me];
}
