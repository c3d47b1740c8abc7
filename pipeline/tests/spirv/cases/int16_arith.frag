#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 30000 5 -> 18928 -30536 6000 -22144 ; 7500 7500 0 0
//= -32768 7 -> -32768 -25768 -4681 0 ; -8192 8192 1 1
//= -3 -2 -> 6 -2003 1 -24 ; -1 16383 1 65533
//= 123 -456 -> 9448 2875 0 984 ; 30 30 0 123
layout(location = 0) flat in ivec2 v;
layout(location = 0) out ivec4 c;
layout(location = 1) out ivec4 d;
void main() {
    int16_t n = int16_t(v.x), m = int16_t(v.y);
    uint16_t u = uint16_t(n), k = uint16_t(m);
    c = ivec4(n * m, n + m * 1000s, n / m, n << 3s);
    d = ivec4(n >> 2s, u >> 2us, n < m ? 1 : 0, u % k);
}
