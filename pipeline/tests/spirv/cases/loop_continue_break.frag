#version 450
//= 1 2 3 4 -> 6 0 0 0
//= -5 7 0 9 -> 20 0 0 0
//= 12 -3 8 1 -> 1 0 0 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 12 0 0 0
//= 33 2 -9 -2 -> 0 0 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s = 0; for (int i = 0; i < 10; ++i) { if ((i & 1) == (n.x & 1)) continue; if (i > n.w) break; s += i; } r = ivec4(s, 0, 0, 0);
}
