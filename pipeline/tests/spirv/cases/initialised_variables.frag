#version 450
//= 1 0 0 0 -> 4 14 8 9
//= 0 0 0 0 -> 13 5 8 9
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
int a[3] = int[3](4, 5, 6);
ivec2 b = ivec2(7, 8);
void main() { int k = 9; a[n.x & 1] += k; r = ivec4(a[0], a[1], b.y, k); }
