#version 450
//= 1 2 3 4 -> 11 2 3 4
//= -5 7 0 9 -> -5 17 0 9
//= 12 -3 8 1 -> 12 7 8 1
//= 0 0 0 0 -> 10 0 0 0
//= -1 -1 40 6 -> -1 -1 50 6
//= 33 2 -9 -2 -> 33 2 1 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int a[4] = int[4](n.x, n.y, n.z, n.w); a[n.w & 3] += 10; r = ivec4(a[0], a[1], a[2], a[3]);
}
