#version 450
//: buffer 0.0 = 1.0 2.0 0.0 0.0 5.0 6.0 0.0 0.0 7.0 8.0 0.0 0.0 9.0 0.0 0.0 0.0
//= 1.0 2.0 3.0 4.0 -> 1.0 2.0 6.0 9.0
//= -2.5 0.5 0.25 -8.0 -> 1.0 2.0 6.0 9.0
//= 0.0 16.0 -1.5 3.25 -> 1.0 2.0 6.0 9.0
//= -0.75 -4.0 9.0 1.0 -> 1.0 2.0 6.0 9.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
layout(set = 0, binding = 0, std140) uniform B { mat3x2 m; float k; } b;
int n() { return 1; }
void main() {
    c = vec4(b.m[0], b.m[n()].y, b.k);
}
