#version 450
//= 1 2 3 4 -> 2 5 0 3
//= -5 7 0 9 -> 7 5 0 0
//= 12 -3 8 1 -> -3 5 0 8
//= 0 0 0 0 -> 0 5 0 0
//= -1 -1 40 6 -> -1 5 0 40
//= 33 2 -9 -2 -> 2 5 0 -9
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int a[3] = int[3](n.x, n.y, n.z); int b[3] = a; b[1] = 5; r = ivec4(a[1], b[1], int(a == b), b[2]);
}
