#version 450
//= 1 2 3 4 -> 0 1 3 6
//= -5 7 0 9 -> -1 21 0 100
//= 12 -3 8 1 -> 100 -1 28 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -1 -1 100 15
//= 33 2 -9 -2 -> 100 1 -1 -1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
int f(int x) { if (x < 0) return -1; if (x > 8) { return 100; } int s = 0; for (int i = 0; i < x; ++i) s += i; return s; }
void main() {
    r = ivec4(f(n.x), f(n.y), f(n.z), f(n.w));
}
