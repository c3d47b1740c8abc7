#version 450
//= 1 2 3 4 -> 3 0 0 0
//= -5 7 0 9 -> 3 0 0 0
//= 12 -3 8 1 -> 9 0 0 0
//= 0 0 0 0 -> 3 0 0 0
//= -1 -1 40 6 -> 42 0 0 0
//= 33 2 -9 -2 -> 3 0 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int i = 0; do { i += 3; } while (i < n.z); r = ivec4(i, 0, 0, 0);
}
