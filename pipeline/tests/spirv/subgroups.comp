#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
// Each operation of subgroups, one word of every lane each.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint x_of[]; };
layout(set = 0, binding = 1) buffer Out { uint to[]; };
uint at;
void put(uint word) { to[gl_LocalInvocationIndex * 30u + at] = word; at++; }
void main() {
    uint lane = gl_SubgroupInvocationID;
    uint x = x_of[gl_LocalInvocationIndex];
    at = 0u;
    put(gl_SubgroupSize);
    put(lane + gl_SubgroupID * 100u + (gl_NumSubgroups - 1u) * 1000u);
    put(subgroupElect() ? 1u : 0u);
    put((subgroupAll(lane < 64u) ? 1u : 0u) | (subgroupAny(lane == 63u) ? 2u : 0u) | (subgroupAllEqual(x) ? 4u : 0u));
    uvec4 odd = subgroupBallot((x & 1u) != 0u);
    put(odd.x);
    put(odd.y);
    put(subgroupBroadcastFirst(x));
    put(subgroupBroadcast(x, 9u));
    put(subgroupShuffle(x, lane * 5u % 64u));
    put(subgroupShuffleXor(x, 6u));
    put(subgroupShuffleUp(x, 3u));
    put(subgroupShuffleDown(x, 3u));
    put(subgroupAdd(x));
    put(subgroupInclusiveAdd(x));
    put(subgroupExclusiveAdd(x));
    put(subgroupMin(x));
    put(uint(subgroupMax(int(x))));
    put(subgroupAnd(x | 0xffu));
    put(subgroupInclusiveOr(x));
    put(subgroupExclusiveXor(x));
    put(subgroupInclusiveMul(x | 1u));
    put(subgroupQuadBroadcast(x, 2u));
    put(subgroupQuadSwapHorizontal(x) ^ subgroupQuadSwapVertical(x) ^ subgroupQuadSwapDiagonal(x));
    put((subgroupInverseBallot(odd) ? 1u : 0u) | (subgroupBallotBitExtract(odd, 11u) ? 2u : 0u));
    put(subgroupBallotBitCount(odd) | subgroupBallotInclusiveBitCount(odd) << 8u | subgroupBallotExclusiveBitCount(odd) << 16u);
    put(subgroupBallotFindLSB(odd) | subgroupBallotFindMSB(odd) << 8u);
    put(gl_SubgroupEqMask.x ^ (odd.x & gl_SubgroupLtMask.x));
    put(gl_SubgroupGeMask.y);
    uint part;
    if ((x & 4u) != 0u) {
        part = subgroupAdd(x);
    } else {
        part = subgroupAdd(x);
    }
    put(part);
    vec2 two = subgroupShuffle(vec2(float(lane), 7.0), lane);
    put(uint(subgroupMax(two.y) + two.x * 3.0));
}
