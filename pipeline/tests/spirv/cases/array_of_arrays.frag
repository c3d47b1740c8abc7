#version 450
//= 1 2 3 4 -> 1 5 1 2
//= -5 7 0 9 -> -15 -25 -5 2
//= 12 -3 8 1 -> 36 60 12 2
//= 0 0 0 0 -> 0 0 0 2
//= -1 -1 40 6 -> -3 -5 -1 2
//= 33 2 -9 -2 -> 33 165 33 2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int a[2][3]; for (int i = 0; i < 6; ++i) a[i / 3][i % 3] = i * n.x; r = ivec4(a[n.y & 1][n.z & 1], a[1][2], a[0][1], a.length());
}
