#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 100 100 -> 16 -100 16 1 ; 100 100 0 -101
//= -128 -1 -> -128 -128 128 0 ; -128 -1 0 127
//= 255 3 -> -3 1 253 85 ; -1 3 1 0
//= 77 -9 -> 75 -77 75 0 ; 77 77 0 -78
layout(location = 0) flat in ivec2 v;
layout(location = 0) out ivec4 c;
layout(location = 1) out ivec4 d;
void main() {
    i8vec2 n = i8vec2(v);
    u8vec2 u = u8vec2(n);
    c = ivec4(n.x * n.y, -n.x, u.x * u.y, u.x / u.y);
    d = ivec4(int8_t(u.x), max(n.x, n.y), u.x > u.y ? 1 : 0, ~n.x);
}
