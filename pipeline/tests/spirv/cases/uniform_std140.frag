#version 450
//: buffer 0.0 = 10 11 12 15 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
//= 1 2 3 4 -> 10 15 18 22
//= -5 7 0 9 -> 10 15 18 22
//= 12 -3 8 1 -> 10 15 18 22
//= 0 0 0 0 -> 10 15 18 22
//= -1 -1 40 6 -> 10 15 18 22
//= 33 2 -9 -2 -> 10 15 18 22
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0, std140) uniform B { int a; ivec2 v; int t[3]; } b;
void main() {
    r = ivec4(b.a, b.v.y, b.t[1], b.t[2]);
}
