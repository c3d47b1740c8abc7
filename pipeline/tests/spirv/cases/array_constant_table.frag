#version 450
//= 1 2 3 4 -> 3 5 11 5
//= -5 7 0 9 -> 7 7 11 3
//= 12 -3 8 1 -> 2 3 11 3
//= 0 0 0 0 -> 2 2 11 3
//= -1 -1 40 6 -> 7 7 11 3
//= 33 2 -9 -2 -> 3 5 11 5
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    const int t[5] = int[5](2, 3, 5, 7, 11); r = ivec4(t[n.x & 3], t[n.y & 3], t[4], t[(n.z & 1) + 1]);
}
