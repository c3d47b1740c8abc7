#version 450
//= 1.0 2.0 3.0 4.0 -> 1 2 3 4
//= -2.5 0.5 0.25 -8.0 -> -2 0 0 -8
//= 0.0 16.0 -1.5 3.25 -> 0 16 -1 3
//= -0.75 -4.0 9.0 1.0 -> 0 -4 9 1
layout(location = 0) in vec4 v;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(v);
}
