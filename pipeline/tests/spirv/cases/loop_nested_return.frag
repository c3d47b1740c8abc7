#version 450
//= 1 2 3 4 -> 8 2 3 1
//= -5 7 0 9 -> 8 2 3 1
//= 12 -3 8 1 -> 8 3 2 1
//= 0 0 0 0 -> 8 3 2 1
//= -1 -1 40 6 -> 8 2 3 1
//= 33 2 -9 -2 -> 8 2 3 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
ivec4 f(int x) { int c = 0; for (int i = 0; i < 5; ++i) { for (int j = 0; j < 5; ++j) { if (j > i + (x & 1)) break; if (i * j == 6) return ivec4(c, i, j, 1); c++; } } return ivec4(c, 5, 5, 0); }
void main() {
    r = f(n.x);
}
