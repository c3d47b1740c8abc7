// Ballots, elections and votes, with lanes that are off.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(96)
fn cs(
    @builtin(local_invocation_index) me: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
) {
    let at = (group.x * 96u + me) % (arrayLength(&words) / 2u);
    let x = words[at];
    var sum = size + (lane << 8u) + (subgroup << 16u) + (subgroups << 20u);
    let odd = subgroupBallot((x & 1u) != 0u);
    sum = sum * 31u + odd.x + odd.y * 3u + odd.z + odd.w;
    if (x & 2u) != 0u {
        let here = subgroupBallot();
        sum = sum * 31u + here.x + here.y;
        if subgroupElect() {
            sum += 1000u;
        }
        if subgroupAny(x > 0x80000000u) {
            sum += 2000u;
        }
    } else if subgroupAll(lane < 60u) {
        sum = sum * 31u + subgroupBallot(lane > 3u).x;
    } else {
        sum ^= subgroupBallot(true).y;
    }
    words[at] = sum;
}
