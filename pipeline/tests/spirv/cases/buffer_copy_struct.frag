#version 450
//: buffer 0.0 = 1 9 8 3 4 5 6 7
//= 1 2 3 4 -> 1 3 5 0
//= -5 7 0 9 -> 1 3 5 0
//= 12 -3 8 1 -> 1 3 5 0
//= 0 0 0 0 -> 1 3 5 0
//= -1 -1 40 6 -> 1 3 5 0
//= 33 2 -9 -2 -> 1 3 5 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct S { int a; ivec2 v; int t[2]; };
layout(set = 0, binding = 0, std430) readonly buffer B { S s; } b;
void main() {
    S s = b.s; r = ivec4(s.a, s.v.y, s.t[1], 0);
}
