#version 450
//: buffer 1.2 = 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//= 1 2 3 4 -> 10 16 19 4
//= -5 7 0 9 -> 11 16 19 4
//= 12 -3 8 1 -> 11 16 19 4
//= 0 0 0 0 -> 10 16 19 4
//= -1 -1 40 6 -> 12 16 19 4
//= 33 2 -9 -2 -> 12 16 19 4
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 1, binding = 2, std430) readonly buffer B { int a[4]; ivec3 v; ivec2 s; int more[]; } b;
void main() {
    r = ivec4(b.a[n.w & 3], b.v.z, b.s.y, b.more.length());
}
