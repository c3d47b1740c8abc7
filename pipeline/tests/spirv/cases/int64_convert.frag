#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 0x9abcdef0 0x12345678 0x58635fa9 0 -> 0x5d91a2b4 0x5d91a2b4 0xa4000000 0x38d7e ; 4294958832 240 0xffffdef0 0xffffffff
//= 0xffffffff 0xffffffff 0xd42e9f7c 0 -> 0x5f800000 0xbf800000 0x82100000 0xfffffd45 ; 4294967295 255 0xffffffff 0xffffffff
//= 0x1000001 0x0 0x4640e700 0 -> 0x4b800000 0x4b800000 0x3039 0x0 ; 1 1 0x1 0x0
//= 0x1 0x80000080 0xbf000000 0 -> 0x5f000001 0xdeffffff 0x0 0x0 ; 1 1 0x1 0x0
layout(location = 0) flat in uvec4 v;
layout(location = 0) out uvec4 c;
layout(location = 1) out uvec4 d;
void main() {
    uint64_t a = pack64(v.xy);
    float f = uintBitsToFloat(v.z);
    c = uvec4(floatBitsToUint(float(a)), floatBitsToUint(float(int64_t(a))), unpack32(int64_t(f)));
    d = uvec4(int(int16_t(a)), uint8_t(a), unpack32(int64_t(int16_t(a))));
}
