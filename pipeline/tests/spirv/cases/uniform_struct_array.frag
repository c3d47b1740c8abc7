#version 450
//: buffer 0.0 = 1 5 3 4 9 13 11 12
//= 1 2 3 4 -> 1 13 5 2
//= -5 7 0 9 -> 9 13 5 2
//= 12 -3 8 1 -> 9 13 5 2
//= 0 0 0 0 -> 1 13 5 2
//= -1 -1 40 6 -> 1 13 5 2
//= 33 2 -9 -2 -> 1 13 5 2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct S { int a; int b; };
layout(set = 0, binding = 0, std140) uniform B { S s[2]; } b;
void main() {
    r = ivec4(b.s[n.w & 1].a, b.s[1].b, b.s[0].b, b.s.length());
}
