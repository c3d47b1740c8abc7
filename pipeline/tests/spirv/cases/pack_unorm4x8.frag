#version 450
//= 1.0 2.0 3.0 4.0 -> 4294967295 0 0 0
//= -2.5 0.5 0.25 -8.0 -> 4227072 0 0 0
//= 0.0 16.0 -1.5 3.25 -> 4278255360 0 0 0
//= -0.75 -4.0 9.0 1.0 -> 4294901760 0 0 0
layout(location = 0) in vec4 v;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(packUnorm4x8(v), 0, 0, 0);
}
