#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    vec4 f = mix(a, a.wzyx, greaterThan(a, vec4(0.0)));
    ivec4 i = ((n.x > n.y) ? -(n) : n);
    uvec2 u = mix(uvec2(n.xy), uvec2(7u), bvec2(true, (n.z == 3)));
    bool b = ((n.w > 0) ? (a.y > 1.0) : (a.x > 1.0));
    int least = (((n.y < n.x) ? n.y : n.x) + ((n.z < n.w) ? n.w : n.z));
    _fs2p_location0 = ((f + vec4((i & ivec4(15)))) + vec4(vec2((u & uvec2(15u))), (b ? 2.0 : 1.0), float((least & 31))));
    return;
}

