#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 1.0009765625 3.0 -> 4.0 3.00390625 -1.9990234375 6.00390625
//= 2048.0 1.0 -> 2048.0 2048.0 2047.0 2048.0
//= 0.1 0.2 -> 0.2998046875 0.019989013671875 -0.0999755859375 0.219970703125
//= -7.5 0.333 -> -7.16796875 -2.498046875 -7.83203125 -2.1640625
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 c;
void main() {
    f16vec2 n = f16vec2(v);
    precise float16_t product = n.x * n.y;
    precise float16_t sum = product + n.y;
    c = vec4(n.x + n.y, product, n.x - n.y, sum);
}
