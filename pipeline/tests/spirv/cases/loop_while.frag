#version 450
//= 1 2 3 4 -> 1 0 0 0
//= -5 7 0 9 -> 3 0 0 0
//= 12 -3 8 1 -> 4 0 0 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 1 0 0 0
//= 33 2 -9 -2 -> 6 0 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int a = abs(n.x), c = 0; while (a > 0) { a >>= 1; ++c; } r = ivec4(c, a, 0, 0);
}
