#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
//: buffer 0.0 = 0x40003c00 0x44004200
//= 0 -> 1.0 3.0 ; 1.0 2.0
//= 1 -> 2.0 4.0 ; 3.0 4.0
layout(location = 0) flat in int n;
layout(set = 0, binding = 0, std430) readonly buffer A { layout(row_major, offset = 0) f16mat2 m; } a;
layout(location = 0) out vec2 c;
layout(location = 1) out vec2 d;
void main() {
    c = vec2(a.m[n]);
    d = vec2(a.m[0][n], a.m[1][n]);
}
