#version 450
//: buffer 0.0 = 1.0 0.0 0.0 2.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0
//= 1.0 2.0 3.0 4.0 -> 9.0 2.0 3.0 4.0
//= -2.5 0.5 0.25 -8.0 -> -18.5 0.5 0.25 -8.0
//= 0.0 16.0 -1.5 3.25 -> 6.5 16.0 -1.5 3.25
//= -0.75 -4.0 9.0 1.0 -> 1.25 -4.0 9.0 1.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
layout(set = 0, binding = 0, row_major) uniform B { mat4 m; } b;
void main() {
    c = b.m * v;
}
