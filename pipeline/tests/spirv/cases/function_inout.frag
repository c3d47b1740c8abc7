#version 450
//= 1 2 3 4 -> 2 1 3 3
//= -5 7 0 9 -> 7 -5 2 0
//= 12 -3 8 1 -> -3 12 9 8
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -1 -1 -2 40
//= 33 2 -9 -2 -> 2 33 35 -9
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void swap(inout int a, inout int b, out int s) { int t = a; a = b; b = t; s = a + b; }
void main() {
    int a = n.x, b = n.y, c; swap(a, b, c); r = ivec4(a, b, c, n.z);
}
