// Reductions and scans of integers and floats, in flow where lanes differ.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> floats: array<f32>;

@compute @workgroup_size(128)
fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) group: vec3u) {
    let at = group.x * 128u + me;
    let x = words[at % arrayLength(&words)];
    var sum = subgroupAdd(x) ^ subgroupMul(x | 1u) ^ subgroupXor(x);
    sum = sum * 31u + subgroupExclusiveAdd(1u) + subgroupInclusiveAdd(x);
    if (x & 5u) != 0u {
        sum = sum * 31u + subgroupMin(x) + subgroupMax(x) + subgroupAnd(x) + subgroupOr(x);
        let signed = bitcast<i32>(x);
        sum = sum * 31u + bitcast<u32>(subgroupMin(signed) ^ subgroupMax(signed));
        sum += subgroupExclusiveAdd(x) + subgroupExclusiveMul(x | 1u);
        sum ^= subgroupInclusiveMul(x | 1u) + subgroupExclusiveAdd(1u) + subgroupExclusiveAdd(3u);
    }
    let v = subgroupAdd(vec2u(x, me));
    words[at % arrayLength(&words)] = sum + v.x * v.y;

    let y = f32(x >> 20u) - 2000.0;
    var total = subgroupAdd(y) + subgroupInclusiveAdd(y) * 0.5 + subgroupExclusiveAdd(y) * 0.25;
    for (var n = 0u; n < (x & 3u); n++) {
        total += subgroupMax(y) - subgroupMin(y) + subgroupMul(1.0 + f32(x & 7u) * 0.125);
    }
    floats[at % arrayLength(&floats)] = total;
}
