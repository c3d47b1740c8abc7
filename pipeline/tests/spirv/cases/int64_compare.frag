#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 0x9abcdef0 0x12345678 0x76543210 0xfedcba98 -> 0 1 1 0 ; 0x9abcdef0 0x12345678 0x9abcdef0 0x12345678
//= 0x5 0x0 0xfffffffd 0xffffffff -> 0 1 1 0 ; 0x5 0x0 0x5 0x0
//= 0x0 0x80000000 0xffffffff 0x1 -> 1 0 0 0 ; 0xffffffff 0x1 0xffffffff 0x1
//= 0xffffffff 0xffffffff 0x0 0x1 -> 1 0 0 0 ; 0x0 0x1 0x0 0x1
layout(location = 0) flat in uvec4 v;
layout(location = 0) out uvec4 c;
layout(location = 1) out uvec4 d;
void main() {
    uint64_t a = pack64(v.xy), b = pack64(v.zw);
    int64_t p = int64_t(a), q = int64_t(b);
    c = uvec4(p < q, a < b, p >= q, a == b);
    d = uvec4(unpack32(max(p, q)), unpack32(min(a, b)));
}
