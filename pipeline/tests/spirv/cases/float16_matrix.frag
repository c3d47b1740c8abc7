#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 2.0 3.0 -> 8.0 18.0 4.0 6.0
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 c;
void main() {
    f16mat2 m = f16mat2(1.0hf, 0.0hf, 2.0hf, 6.0hf);
    f16vec2 a = m * f16vec2(v);
    f16vec2 b = f16vec2(v) * float16_t(2.0);
    c = vec4(a, b);
}
