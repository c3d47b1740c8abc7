// Values of other lanes: of the first, of one, of others, of the quad.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64, 2)
fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) group: vec3u) {
    let at = (group.x * 128u + me) % arrayLength(&words);
    let x = words[at];
    var sum = subgroupBroadcastFirst(x) ^ subgroupBroadcast(x, 17u);
    sum = sum * 31u + subgroupShuffle(x, (me * 7u + 3u) % 64u);
    sum = sum * 31u + subgroupShuffleXor(x, 21u) + subgroupShuffleDown(x, 3u) + subgroupShuffleUp(x, 5u);
    sum = sum * 31u + quadSwapX(x) + quadSwapY(x) * 3u + quadSwapDiagonal(x) * 5u + quadBroadcast(x, 2u);
    let three = subgroupShuffle(vec3f(f32(x & 255u), f32(me), 1.0), me ^ 9u);
    sum = sum * 31u + u32(three.x) + u32(three.y) * 3u + u32(three.z);
    if (x & 6u) != 0u {
        sum = sum * 31u + subgroupShuffle(x, me % 100u) + subgroupBroadcastFirst(me);
        sum += quadSwapX(x) + subgroupBroadcast(sum, 40u);
        var n = x & 3u;
        while n > 0u {
            sum = sum * 31u + subgroupShuffleXor(x, n);
            n -= 1u;
        }
    }
    words[at] = sum + select(0u, 1u, subgroupShuffleXor(x, 1u) > x);
}
