#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_scalar_block_layout : require
//: buffer 0.0 = 0x3e00bc00 0x04fe0201 0x80017fff
//: buffer 0.1 = 0 0xffffffff 0
//: after 0.1 = 0x12ff4000 0xff0605ff 0x3c00
//= 0 -> -1.0 1.5 ; 32767 -32767 -2 4
//= 1 -> 1.5 -1.0 ; -32767 32767 4 -2
layout(location = 0) flat in int n;
layout(set = 0, binding = 0, scalar) readonly buffer A { float16_t f[2]; uint8_t u[2]; int8_t s[2]; int16_t k[2]; } a;
layout(set = 0, binding = 1, scalar) buffer B { float16_t f; uint8_t u[3]; u8vec2 v; uint8_t w; float16_t h[]; } b;
layout(location = 0) out vec2 c;
layout(location = 1) out ivec4 d;
void main() {
    c = vec2(a.f[n], a.f[1 - n]);
    d = ivec4(a.k[n], a.k[1 - n], a.s[n], a.s[1 - n]);
    b.f = float16_t(2.0);
    b.u[0] = uint8_t(255);
    b.u[1] = uint8_t(18);
    b.v = u8vec2(5, 6);
    b.h[0] = float16_t(1.0);
}
